//! The demands of a unit with what became of them, as text.

use std::fmt::Write;

use super::demand::Demand;
use super::judge::{Judged, Verdict};
use super::unit::Unit;

/// The demands of each statement: the rule, what is demanded, under what, and the verdict.
pub fn dump(unit: &Unit<'_>, judged: &[Judged], text: &dyn Fn(&Unit<'_>, &Demand) -> String) -> String {
    let mut out = String::new();
    for of in judged {
        let line = unit.tree.source.texts.locate(unit.tree.statements[of.statement].span).1.line;
        let verdict = match &of.verdict {
            Verdict::Holds => "holds".to_owned(),
            Verdict::Fails(number, _) => format!("fails (demand {})", number + 1),
            Verdict::Contradicts(_) => "contradicts".to_owned(),
            Verdict::OnlyIf(equality) => format!("only if '{}' is degenerate", equality.array),
            Verdict::Assumed => "assumed".to_owned(),
            Verdict::Unreachable => "unreachable".to_owned(),
            Verdict::Undecided(gap) => format!("undecided ({})", gap.text(&unit.places)),
        };
        let _ = writeln!(out, "line {line}: {verdict}");
        for (number, demand) in of.demands.iter().enumerate() {
            let mark = if of.open.contains(&number) { "open" } else { "holds" };
            let _ = writeln!(out, "  {} {}: {} [{mark}]", number + 1, demand.rule.code, text(unit, demand));
        }
    }
    out
}
