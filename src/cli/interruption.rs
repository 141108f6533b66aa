//! Interrupted runs leave no temporary files.

/// From now on a signal that ends this process removes the temporary files first.
pub fn clean_up_on_signals() {
    #[cfg(unix)]
    unix::clean_up_on_signals();
}

#[cfg(unix)]
mod unix {
    use std::fs;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use crate::diagnostics::edit::remove_temporary_files;

    /// A run goes on without this where the system doesn't allow it.
    pub fn clean_up_on_signals() {
        let ignored = ignored();
        let ends = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored & (1 << (signal - 1)) == 0);
        let Ok(mut signals) = Signals::new(ends) else { return };
        let wait = move || {
            if let Some(signal) = signals.forever().next() {
                remove_temporary_files();
                // The process ends as if there were no handler, so that whoever started it sees the signal.
                let _ = emulate_default_handler(signal);
            }
        };
        let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(wait);
    }

    /// The signals that whoever started this process has it ignore, as `nohup` and shells do: a bit for each, the lowest for signal 1. Only
    /// Linux says so without unsafe code.
    fn ignored() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }
}
