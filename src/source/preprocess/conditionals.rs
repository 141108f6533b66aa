//! `#if`, `#ifdef`, `#ifndef`, `#elif`, `#else`, `#endif`.

use super::expression::evaluate;
use super::{is_word_byte, split_word};
use crate::source::prescan::{Frame, Prescanner};
use crate::source::prescanned::{SourceForm, SourceNote};
use crate::source::span::Span;

/// Columns before the statement field of a line of fixed form.
const STATEMENT_FIELD: usize = 6;

/// An open conditional.
pub(in crate::source) struct Conditional {
    /// Place of the line that opened it.
    span: Span,
    /// Whether the lines around it are part of the program.
    parent_active: bool,
    /// Whether one of its branches was active already.
    taken: bool,
    active: bool,
    /// Whether no `#elif` or `#else` has come.
    is_first_branch: bool,
    has_else: bool,
}

impl Conditional {
    /// Whether the branch at hand is part of the program.
    pub fn is_active(&self) -> bool {
        self.active
    }
}

impl Prescanner<'_> {
    /// Takes in a directive if it is one of a conditional, and says whether it did. `next_line` is the offset behind
    /// it.
    pub(super) fn conditional(&mut self, name: &[u8], rest: &[u8], span: Span, next_line: u32) -> bool {
        let was_skipping = self.preprocessor.is_skipping();
        match name {
            b"if" | b"ifdef" | b"ifndef" => {
                let holds = !was_skipping && self.condition_holds(name, rest, span);
                self.preprocessor.conditionals.push(Conditional {
                    span,
                    parent_active: !was_skipping,
                    taken: holds,
                    active: holds,
                    is_first_branch: true,
                    has_else: false,
                });
            }
            b"elif" | b"else" => self.next_branch(name, rest, span),
            b"endif" => {
                if self.has_open_conditional() {
                    self.preprocessor.conditionals.pop();
                } else {
                    self.unbalanced(span, "#endif without #if");
                }
            }
            _ => return false,
        }
        match (was_skipping, self.preprocessor.is_skipping()) {
            (false, true) => self.preprocessor.inactive_from = Some(next_line),
            (true, false) => self.close_inactive(span.start),
            // The next branch is inactive too: the directive between them is none of their lines.
            (true, true) if self.is_branch_of_program(name) => {
                self.close_inactive(span.start);
                self.preprocessor.inactive_from = Some(next_line);
            }
            _ => {}
        }
        true
    }

    /// Takes in a line of a branch if it is nothing but a character constant, and says whether it did. No statement is:
    /// it is there to stop the compiler, in words that its user will read, as `#error` would.
    pub(super) fn stops_compiler(&mut self, line: &[u8], offset: u32) -> bool {
        let Some(conditional) = self.preprocessor.conditionals.last() else { return false };
        let text = line.trim_ascii();
        let column = line.len() - line.trim_ascii_start().len();
        let is_constant = match text {
            [quote @ (b'\'' | b'"'), rest @ ..] => memchr::memchr(*quote, rest).is_some_and(|at| at + 1 == rest.len()),
            _ => false,
        };
        let begins_statement = match self.form {
            SourceForm::Fixed => column >= STATEMENT_FIELD,
            SourceForm::Free => !self.cooker.is_open(),
        };
        if !is_constant || !begins_statement {
            return false;
        }
        let said = String::from_utf8_lossy(text).into_owned();
        let reason = match self.missing_name(conditional) {
            Some(name) => format!("The compiler is stopped unless '{name}' is defined (-D {name}): {said}"),
            None => format!("The compiler is stopped: {said}"),
        };
        let start = offset + column as u32;
        self.preprocessor_note(Span::new(start, start + text.len() as u32), reason);
        true
    }

    /// The macro that is to be defined so that the branch at hand is left out, where that is plain: X in `#ifndef X`,
    /// `#if !defined(X)`, and the `#else` of `#ifdef X` and `#if defined(X)`.
    fn missing_name(&self, conditional: &Conditional) -> Option<String> {
        let text = self.texts.iter().rev().find(|text| text.base <= conditional.span.start)?;
        let (start, end) = (conditional.span.start - text.base, conditional.span.end - text.base);
        let directive = text.bytes.get(start as usize..end as usize)?.trim_ascii_start().strip_prefix(b"#")?;
        let (name, rest) = split_word(directive);
        let rest = rest.trim_ascii();
        let is_negated = name == b"ifndef" || rest.starts_with(b"!");
        let rest = rest.strip_prefix(b"!").unwrap_or(rest).trim_ascii_start();
        let rest = rest.strip_prefix(b"defined").filter(|_| name == b"if").unwrap_or(rest).trim_ascii_start();
        let inside = rest.strip_prefix(b"(").and_then(|rest| rest.strip_suffix(b")")).unwrap_or(rest).trim_ascii();
        let is_name = !inside.is_empty() && inside.iter().all(|&byte| is_word_byte(byte));
        let in_branch = if is_negated { conditional.is_first_branch } else { conditional.has_else };
        (is_name && in_branch).then(|| String::from_utf8_lossy(inside).into_owned())
    }

    /// Closes the conditionals that a text leaves open.
    pub(in crate::source) fn close_conditionals(&mut self, frame: &Frame) {
        let end = frame.base + frame.bytes.len() as u32;
        let was_skipping = self.preprocessor.is_skipping();
        while self.preprocessor.conditionals.len() > frame.conditionals_before
            && let Some(conditional) = self.preprocessor.conditionals.pop()
        {
            self.unbalanced(conditional.span, "#if without #endif");
        }
        if was_skipping && !self.preprocessor.is_skipping() {
            self.close_inactive(end);
        }
    }

    /// Whether a conditional is open that the text at hand opened.
    fn has_open_conditional(&self) -> bool {
        self.preprocessor.conditionals.len() > self.conditionals_before
    }

    /// Whether a directive begins a branch of a conditional that is itself part of the program.
    fn is_branch_of_program(&self, name: &[u8]) -> bool {
        matches!(name, b"elif" | b"else")
            && self.preprocessor.conditionals.last().is_some_and(|last| last.parent_active)
    }

    fn next_branch(&mut self, name: &[u8], rest: &[u8], span: Span) {
        if !self.has_open_conditional() {
            let reason = if name == b"else" { "#else without #if" } else { "#elif without #if" };
            return self.unbalanced(span, reason);
        }
        let Some(last) = self.preprocessor.conditionals.last() else { return };
        let (has_else, may_be_active) = (last.has_else, last.parent_active && !last.taken);
        if has_else {
            self.unbalanced(span, "Branch behind #else");
        }
        let holds = may_be_active && !has_else && (name == b"else" || self.condition_holds(b"if", rest, span));
        if let Some(last) = self.preprocessor.conditionals.last_mut() {
            last.active = holds;
            last.is_first_branch = false;
            last.taken |= holds;
            last.has_else |= name == b"else";
        }
    }

    fn condition_holds(&mut self, name: &[u8], rest: &[u8], span: Span) -> bool {
        if name == b"if" {
            let value = evaluate(rest, &mut self.preprocessor.macros);
            return value.unwrap_or_else(|reason| {
                self.preprocessor_note(span, reason);
                0
            }) != 0;
        }
        let defined = self.preprocessor.macros.is_defined(split_word(rest).0);
        defined == (name == b"ifdef")
    }

    fn close_inactive(&mut self, end: u32) {
        if let Some(start) = self.preprocessor.inactive_from.take()
            && start < end
        {
            self.preprocessor.inactive.push(Span::new(start, end));
        }
    }

    fn unbalanced(&mut self, span: Span, reason: &str) {
        self.notes.add(span, SourceNote::UnbalancedConditional { reason: reason.to_owned() });
    }
}
