//! Bytes to report, in both forms, preprocessed or not (the first bit of the first byte says which): inference and
//! checking, and taking what was inserted out again must give the original.

#![no_main]

use std::path::Path;

use camfort_rs::analysis::analyse;
use camfort_rs::analysis::stencil::{Check, CheckOptions, Infer, InferOptions};
use camfort_rs::diagnostics::edit;
use camfort_rs::source::FormChoice;
use camfort_rs::workspace::{Project, SourceOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let path = Path::new(if bytes.first().is_some_and(|first| first % 2 == 1) { "x.F90" } else { "x.f90" });
    for form in [FormChoice::Free, FormChoice::Fixed] {
        let project = Project::load(&[], SourceOptions { form, ..SourceOptions::default() });
        let view = project.view(path, bytes);
        let result = analyse::<Infer>(&view, InferOptions::default());
        let edited = edit::apply(bytes, &result.insertions);
        assert!(edit::without_insertions(&edited, &result.insertions).as_deref() == Some(bytes));
        analyse::<Check>(&view, CheckOptions::default());
    }
});
