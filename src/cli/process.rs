//! How this process ends when it doesn't by itself: by a signal, by an error of its own, without memory.

use std::io::{self, Write};
use std::panic::{self, PanicHookInfo};

/// From now on a signal that ends this process removes the temporary files first, and what aborts it gives the exit
/// status of a failure. An internal error is one line on standard error.
pub fn prepare() {
    panic::set_hook(Box::new(report_internal_error));
    #[cfg(unix)]
    unix::prepare();
}

/// There is no backtrace in it: that takes memory, and where memory is what failed the standard library begins another
/// one, for which it waits until the first is done, forever.
fn report_internal_error(error: &PanicHookInfo<'_>) {
    let message = error.payload_as_str().unwrap_or_default();
    let mut output = io::stderr().lock();
    let _ = match error.location() {
        Some(place) => writeln!(output, "error: internal error at {place}: {message}"),
        None => writeln!(output, "error: internal error: {message}"),
    };
}

#[cfg(unix)]
mod unix {
    use std::fs;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM};
    use signal_hook::flag::register_conditional_shutdown;
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use crate::cli::Exit;
    use crate::diagnostics::edit::remove_temporary_files;

    /// A run goes on without this where the system doesn't allow it.
    pub fn prepare() {
        // Memory that can't be had aborts the process, in Rust and in Z3.
        let _ = register_conditional_shutdown(SIGABRT, Exit::Failure as i32, Arc::new(AtomicBool::new(true)));
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

    /// The signals that whoever started this process has it ignore, as `nohup` and shells do: a bit for each, the
    /// lowest for signal 1. Only Linux says so without unsafe code.
    fn ignored() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }
}
