//! Conditions on the code of one character, as conditions on the character.

use super::build;
use super::connect::{all, any};
use super::formula::{Formula, Kind, Type};
use super::relation::Relation;
use super::substitute::substitute;

/// So many characters are listed.
const MOST_LISTED: usize = 8;

/// Larger conditions are left as they are.
const LARGEST: u32 = 200;

/// The condition with those parts that speak of the code of one character alone written with characters: each is true
/// of some of them, or false of some, which are listed if they are few. (A function that compares letters whatever
/// their case reads so as it is meant.)
pub fn with_characters(condition: &Formula) -> Formula {
    if !condition.has_code() {
        return condition.clone();
    }
    substitute(condition, &mut |node| {
        if node.type_() != Type::Logical || node.rank() != 0 || node.size() > LARGEST {
            return None;
        }
        let character = only_character(node)?;
        listed(node, &character)
    })
}

/// The character that a node gives the code of.
fn code_of(node: &Formula) -> Option<&Formula> {
    match node.kind() {
        Kind::Call(name, arguments) if matches!(&**name, "ichar" | "iachar") => arguments.first(),
        _ => None,
    }
}

/// The one character of which a condition asks the code, if it speaks of nothing else.
fn only_character(condition: &Formula) -> Option<Formula> {
    let mut character: Option<Formula> = None;
    let mut is_only = true;
    condition.any_node(&mut |node| {
        if let Some(of) = code_of(node) {
            is_only &= character.as_ref().is_none_or(|known| known == of);
            character = Some(of.clone());
        }
        false
    });
    let is_variable = |of: &Formula| matches!(of.kind(), Kind::Value(_) | Kind::Component(..) | Kind::Element(..));
    let character = character.filter(|character| is_variable(character) && is_only)?;
    let rest = substitute(condition, &mut |node| (*node == character).then(|| build::text("")));
    let has_others = rest.any_node(&mut |node| {
        matches!(node.kind(), Kind::Value(_) | Kind::Input(_) | Kind::Unknown(_) | Kind::Bound(_))
    });
    (!has_others).then_some(character)
}

/// A condition on one character as the list of those for which it holds, or of those for which it does not.
fn listed(condition: &Formula, character: &Formula) -> Option<Formula> {
    let mut holding = Vec::new();
    let mut failing = Vec::new();
    for code in 0..=255_u8 {
        let text = if code.is_ascii() { build::text(&char::from(code).to_string()) } else { build::text("\u{80}") };
        let at = substitute(condition, &mut |node| {
            if code_of(node) == Some(character) {
                return Some(build::integer(code.into()));
            }
            (node == character).then(|| text.clone())
        });
        match at.kind() {
            Kind::Logical(true) => holding.push(code),
            Kind::Logical(false) => failing.push(code),
            _ => return None,
        }
    }
    let list = |codes: &[u8], relation: Relation| -> Option<Vec<Formula>> {
        let is_written = |code: &u8| code.is_ascii_graphic() || *code == b' ';
        if codes.len() > MOST_LISTED || !codes.iter().all(is_written) {
            return None;
        }
        let text = |code: &u8| build::text(&char::from(*code).to_string());
        Some(codes.iter().map(|code| build::compare(relation, character.clone(), text(code))).collect())
    };
    list(&holding, Relation::Equal).map(any).or_else(|| list(&failing, Relation::NotEqual).map(all))
}
