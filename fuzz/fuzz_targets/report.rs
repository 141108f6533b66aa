//! Bytes to report, in both forms, preprocessed or not (the first bit of the first byte says which): inference and checking, and
//! taking what was inserted out again must give the original.

#![no_main]

use std::path::Path;

use camfort_rs::analysis::stencil::check::Require;
use camfort_rs::diagnostics::edit;
use camfort_rs::source::FormChoice;
use camfort_rs::workspace::{Project, ProjectOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let path = Path::new(if bytes.first().is_some_and(|first| first % 2 == 1) { "x.F90" } else { "x.f90" });
    for form in [FormChoice::Free, FormChoice::Fixed] {
        let project = Project::load(&[], ProjectOptions { form, ..ProjectOptions::default() });
        let result = project.infer_file(path, bytes);
        let edited = edit::apply(bytes, &result.insertions);
        assert!(edit::without_insertions(&edited, &result.insertions).as_deref() == Some(bytes));
        project.check_file(path, bytes, Require::Nothing);
    }
});
