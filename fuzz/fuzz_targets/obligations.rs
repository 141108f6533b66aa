//! Bytes to what must hold, in both forms, preprocessed or not (the first bit of the first byte says which): shapes,
//! requirements, and reading plans, each of which the bytes behind the first zero, or all of them, are held against.

#![no_main]

use std::path::Path;

use camfort_rs::analysis::inputs::{DataPath, InputOptions, Inputs, check, plan_text};
use camfort_rs::analysis::requires::{RequireOptions, Requires};
use camfort_rs::analysis::shapes::{ShapeOptions, Shapes};
use camfort_rs::analysis::{RULES, analyse};
use camfort_rs::diagnostics::Levels;
use camfort_rs::solve::Procedure;
use camfort_rs::source::FormChoice;
use camfort_rs::workspace::{Project, SourceOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let path = Path::new(if bytes.first().is_some_and(|first| first % 2 == 1) { "x.F90" } else { "x.f90" });
    let data = bytes.iter().position(|&byte| byte == 0).map_or(bytes, |zero| &bytes[zero + 1..]);
    let data_path = std::env::temp_dir().join(format!("camfort-rs-fuzz-{}", std::process::id()));
    std::fs::write(&data_path, data).expect("a folder for temporary files");
    let (solver, rules, levels) = (Procedure::default(), RULES, Levels::default());
    for form in [FormChoice::Free, FormChoice::Fixed] {
        let project = Project::load(&[], SourceOptions { form, ..SourceOptions::default() });
        let view = project.view(path, bytes);
        analyse::<Shapes>(&view, ShapeOptions { solver, possible: true, rules, levels: levels.clone() });
        let failures = Default::default();
        analyse::<Requires>(&view, RequireOptions { solver, failures, rules, levels: levels.clone() });
        for plan in analyse::<Inputs>(&view, InputOptions { approximate: true, ..InputOptions::default() }).plans {
            plan_text(&plan);
            let all = (0..plan.files.len()).map(|file| DataPath { file, path: data_path.clone(), text: None });
            check(&plan, &all.collect::<Vec<_>>());
        }
    }
});
