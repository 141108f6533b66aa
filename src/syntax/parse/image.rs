//! Image control (clause 11.6 of the standard): SYNC, EVENT, LOCK, FORM TEAM, FAIL IMAGE, NOTIFY WAIT, and CRITICAL.

use super::io::unlock_file;
use super::lexical::{Context, Input, Parsed, fail};
use super::reference::argument_list;
use crate::syntax::ast::expression::{ArgumentValue, ExpressionKind, LiteralKind};
use crate::syntax::ast::statement::StatementKind;

/// Makes the parser of an image control statement: its keywords, and whether its list must be there.
macro_rules! image_control {
    ($($(#[$doc:meta])* $name:ident = $keywords:literal, $list:expr;)*) => {
        $($(#[$doc])*
        pub fn $name<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
            image_control(cx, input, $keywords, $list)
        })*
    };
}

image_control! {
    /// R1164 sync-all-stmt, behind the keywords.
    sync_all = "sync all", List::Optional;
    /// R1166 sync-images-stmt.
    sync_images = "sync images", List::Required;
    /// R1168 sync-memory-stmt.
    sync_memory = "sync memory", List::Optional;
    /// R1169 sync-team-stmt.
    sync_team = "sync team", List::Required;
    /// R1170 event-post-stmt.
    event_post = "event post", List::Required;
    /// R1172 event-wait-stmt.
    event_wait = "event wait", List::Required;
    /// F2023 R1179 notify-wait-stmt.
    notify_wait = "notify wait", List::Required;
    /// R1175 form-team-stmt.
    form_team = "form team", List::Required;
    /// R1163 fail-image-stmt.
    fail_image = "fail image", List::None;
    /// R1179 lock-stmt.
    lock = "lock", List::Required;
}

/// Whether a list follows the keywords.
enum List {
    None,
    Optional,
    Required,
}

fn image_control<'i>(cx: &Context<'_>, input: Input<'i>, keywords: &str, list: List) -> Parsed<'i, StatementKind> {
    let keywords = cx.intern(keywords.as_bytes());
    let absent = match list {
        List::None => true,
        List::Optional => input.is_empty(),
        List::Required => false,
    };
    if absent {
        return Ok((input, StatementKind::ImageControl { keywords, arguments: None }));
    }
    let (rest, arguments) = argument_list(cx, input)?;
    if arguments.items.is_empty() && matches!(list, List::Required) {
        return fail(rest, "an argument");
    }
    Ok((rest, StatementKind::ImageControl { keywords, arguments: Some(arguments) }))
}

/// R1181 unlock-stmt, or DEC's UNLOCK of a unit: without brackets, with a number, or with `unit=`.
pub fn unlock<'i>(cx: &Context<'_>, input: Input<'i>) -> Parsed<'i, StatementKind> {
    if input.first() != Some(&b'(') || input.starts_with(b"(unit=") {
        return unlock_file(cx, input);
    }
    let (rest, arguments) = argument_list(cx, input)?;
    let is_number = arguments.items.first().is_some_and(|item| match &item.value {
        ArgumentValue::Expression(value) => {
            matches!(&value.kind, ExpressionKind::Literal(literal) if matches!(literal.kind, LiteralKind::Integer(_)))
        }
        _ => false,
    });
    if is_number {
        return unlock_file(cx, input);
    }
    Ok((rest, StatementKind::ImageControl { keywords: cx.intern(b"unlock"), arguments: Some(arguments) }))
}
