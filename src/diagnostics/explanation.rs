//! The manual of the rules, as Markdown that also reads well as it is.

use super::{Example, Registry, Rule};

/// Columns of a line of text.
const WIDTH: usize = 88;

/// One rule: what it means, an example that breaks it, one that keeps it.
pub fn text(rule: &Rule) -> String {
    let example = |example: Example| format!("```{}\n{}```", example.language(), example.text());
    format!(
        "## {} `{}` ({})\n\n{}{}\nThis breaks it:\n\n{}\n\nThis keeps it:\n\n{}\n",
        rule.code,
        rule.name,
        rule.level.name(),
        wrapped(rule.explanation),
        fix(rule),
        example(rule.breaks),
        example(rule.keeps),
    )
}

/// What the fix does, and which option makes it.
fn fix(rule: &Rule) -> String {
    let Some(description) = rule.fix else { return String::new() };
    let option = if rule.is_fix_safe || !rule.is_reported_by("check") { "--fix" } else { "--fix --unsafe-fixes" };
    format!("\nFix (`{option}`): {description}.\n")
}

/// The page `docs/rules.md`.
pub fn page(registry: Registry) -> String {
    let head = "# Rules\n\nMade by `camfort-rs explain --all` from the rules in the program itself. A code is stable once released.\n";
    registry.rules().fold(String::from(head), |page, rule| page + "\n" + &text(rule))
}

/// A paragraph with its lines broken between words.
fn wrapped(paragraph: &str) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in paragraph.split_whitespace() {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text + "\n"
}
