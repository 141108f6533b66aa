//! The computations of a file as text, for `camfort-rs debug computations FILE`.

use std::fmt::Write;

use super::{Computation, unit_path};
use crate::syntax::Tree;

/// Each root with the offsets of its reads, array by array.
pub fn dump(tree: &Tree, computations: &[Computation]) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write_computations(&mut text, tree, computations);
    text
}

fn write_computations(text: &mut String, tree: &Tree, computations: &[Computation]) -> std::fmt::Result {
    for computation in computations {
        let (_, start, _) = tree.source.texts.locate(tree.statements[computation.statement].span);
        let unit = unit_path(tree, computation.unit);
        writeln!(text, "{}:{} {} in {unit}", start.line, start.column, computation.left.kind)?;
        for array in &computation.arrays {
            match array {
                Ok(access) => {
                    let once = if access.read_once { " once" } else { "" };
                    writeln!(text, "  {} ({}{once}):", access.spelling, access.kind)?;
                    for read in &access.reads {
                        let (_, at, _) = tree.source.texts.locate(read.span);
                        let offsets: Vec<String> = read
                            .offsets
                            .iter()
                            .map(|offset| offset.map_or("*".to_string(), |offset| offset.to_string()))
                            .collect();
                        writeln!(text, "    ({}) at {}:{}", offsets.join(", "), at.line, at.column)?;
                    }
                }
                Err(undescribed) => {
                    let (_, at, _) = tree.source.texts.locate(undescribed.span);
                    let reason = undescribed.reason.name();
                    writeln!(text, "  {}: {reason} at {}:{}", undescribed.spelling, at.line, at.column)?;
                }
            }
        }
    }
    Ok(())
}
