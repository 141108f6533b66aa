//! Bytes to tree, in both forms, preprocessed or not (the first bit of the first byte says which).

#![no_main]

use std::path::Path;

use camfort_rs::names::{self, ModuleIndex};
use camfort_rs::project::{self, ProjectOptions};
use camfort_rs::source::FormChoice;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let path = Path::new(if bytes.first().is_some_and(|first| first % 2 == 1) { "x.F90" } else { "x.f90" });
    for form in [FormChoice::Free, FormChoice::Fixed] {
        let options = ProjectOptions { form, ..ProjectOptions::default() };
        let tree = project::parse(path, bytes, &options);
        names::resolve(&tree, &ModuleIndex::new(Vec::new()));
    }
});
