//! Bytes to tree, in both forms, preprocessed or not (the first bit of the first byte says which): every statement lies
//! in its file, and what the parser understood survives being written and read again.

#![no_main]

use std::path::Path;

use camfort_rs::names::{self, ModuleIndex};
use camfort_rs::source::{FormChoice, PrescanOptions, prescan};
use camfort_rs::syntax::print::unparse;
use camfort_rs::syntax::{Tree, nesting};
use camfort_rs::workspace::{self, SourceOptions};
use libfuzzer_sys::fuzz_target;

/// Words that begin statements of templates in free form only.
const TEMPLATE_WORDS: [&[u8]; 5] = [b"require", b"instantiate", b"deferred", b"template", b"generic"];

fuzz_target!(|bytes: &[u8]| {
    let path = Path::new(if bytes.first().is_some_and(|first| first % 2 == 1) { "x.F90" } else { "x.f90" });
    // In fixed form `require :: x` declares x of a type that a macro names, in free form it belongs to a template.
    let text = bytes.to_ascii_lowercase();
    let is_of_template = TEMPLATE_WORDS.iter().any(|word| text.windows(word.len()).any(|part| part == *word));
    for form in [FormChoice::Free, FormChoice::Fixed] {
        let options = SourceOptions { form, ..SourceOptions::default() };
        let tree = workspace::parse(path, bytes, &options);
        names::resolve(&tree, &ModuleIndex::new(Vec::new()));
        let size = tree.source.texts.all().iter().map(|text| text.bytes.len() + 1).sum::<usize>() as u32;
        for statement in &tree.statements {
            assert!(statement.span.start <= statement.span.end && statement.span.end <= size, "{statement:?}");
        }
        if form == FormChoice::Free || !is_of_template {
            survives(&tree);
        }
    }
});

/// A tree as text, without the statements that were not understood; the tree of that text as text again: the same.
fn survives(tree: &Tree) {
    let text = unparse(tree);
    // A predefined macro would be expanded, and `#` begin a directive.
    if text.windows(2).any(|pair| pair == b"__") || text.contains(&b'#') {
        return;
    }
    let written = lines(&text);
    let options = PrescanOptions { form: FormChoice::Free, ..PrescanOptions::default() };
    let again = unparse(&nesting::parse(prescan("again.F90", written.join(&b'\n'), &options)));
    let read = lines(&again);
    // The nesting, and so the margin behind a label, may be another.
    let differ = |(one, other): &(&&[u8], &&[u8])| !one.iter().filter(is_ink).eq(other.iter().filter(is_ink));
    if let Some((one, other)) = written.iter().zip(&read).find(differ) {
        panic!("'{}' became '{}'", String::from_utf8_lossy(one), String::from_utf8_lossy(other));
    }
    assert_eq!(written.len(), read.len(), "statements were lost");
}

/// The lines of an unparsed tree without their margin, those of statements that were not understood left out.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    let unknown = |line: &&[u8]| line.windows(16).any(|part| part == b"! Not understood");
    text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_start).filter(|line| !unknown(line)).collect()
}

fn is_ink(byte: &&u8) -> bool {
    **byte != b' '
}
