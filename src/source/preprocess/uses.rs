//! Macro uses in statement text: finding them, also over continuation lines, and cooking what they become.

use super::expand::{ArgumentList, Failure, ListEnd, Token, token};
use crate::source::classes::{first_nonblank, trim_end};
use crate::source::cook::{Context, Origin, Stop};
use crate::source::prescan::Prescanner;
use crate::source::prescanned::SourceForm;
use crate::source::span::{Span, line_end};

/// The arguments of one use may be so many bytes long when they go over several lines.
const HELD_LIMIT: usize = 1 << 14;

/// A macro use whose argument list is not closed yet.
#[derive(Default)]
pub(super) struct Held {
    text: Vec<u8>,
    origins: Vec<u32>,
    /// How far the argument list is read.
    list: ArgumentList,
    /// The delimiter of the character constant that the text ends in.
    quote: Option<u8>,
}

impl Prescanner<'_> {
    /// Takes in statement text in which macros may be used. Says where it ends, as
    /// [`crate::source::cook::Cooker::cook`] does.
    pub(in crate::source) fn feed_expanded(&mut self, text: &[u8], offset: u32) -> Stop {
        let quote = match self.cooker.context {
            _ if self.cooker.awaiting => self.preprocessor.held.quote,
            Context::Quoted(quote) => Some(quote),
            _ => None,
        };
        let start = match self.cooker.context {
            Context::Hollerith(missing) if !self.cooker.awaiting => text.len().min(missing as usize),
            _ => 0,
        };
        let (end, stop, quote) = code_extent(text, start, quote, self.form);
        let code = &text[..end];
        let held = std::mem::take(&mut self.preprocessor.held);
        let ended = if std::mem::take(&mut self.cooker.awaiting) {
            let Held { text: mut whole, mut origins, .. } = held;
            whole.extend_from_slice(code);
            origins.extend((0..code.len()).map(|at| offset + at as u32));
            let may_hold = whole.len() <= HELD_LIMIT;
            self.expand_code(&whole, Origin::Mapped(&origins), may_hold)
        } else {
            self.expand_code(code, Origin::Sequential(offset), true)
        };
        self.preprocessor.held.quote = quote;
        match (ended, stop) {
            // The last macro becomes text that ends in the sign.
            (Stop::Ampersand(_), Stop::End) => Stop::Ampersand(text.len()),
            (Stop::Ampersand(_), Stop::Comment(sign)) => Stop::Ampersand(sign - 1),
            // It becomes a comment, which the sign behind it belongs to.
            (Stop::Comment(_), Stop::Ampersand(_)) => Stop::End,
            _ => stop,
        }
    }

    /// Whether a macro use that waits for its arguments gets them from the next lines, the first of which is at
    /// `offset`, though nothing continues its own line. They are joined as the preprocessor does, which knows no
    /// continuation.
    pub(in crate::source) fn arguments_go_on(&mut self, offset: u32) -> bool {
        let held = &self.preprocessor.held;
        if !self.cooker.awaiting || held.quote.is_some() || held.text.len() > HELD_LIMIT {
            return false;
        }
        let Some(text) = self.texts.iter().rfind(|text| text.base < offset) else { return false };
        let rest = text.bytes.get((offset - text.base) as usize..).unwrap_or_default();
        let rest = &rest[..rest.len().min(HELD_LIMIT)];
        let (mut list, mut quote) = (held.list, None);
        let mut read = 0;
        let mut end = ListEnd::Further;
        let line_end = line_end(&text.bytes);
        for line in rest.split(|&byte| byte == line_end) {
            if line.first() == Some(&b'#') || end != ListEnd::Further {
                break;
            }
            read += line.len() + 1;
            if self.begins_as_comment(line) {
                continue;
            }
            let code;
            (code, _, quote) = code_extent(line, 0, quote, self.form);
            end = list.read(trim_end(&line[..code]));
        }
        // What was looked at in vain is not looked at for ever.
        self.preprocessor.macros.fuel = self.preprocessor.macros.fuel.saturating_sub(read);
        let goes_on = matches!(end, ListEnd::Before(_));
        if goes_on {
            self.preprocessor.held.text.push(b' ');
            self.preprocessor.held.origins.push(offset.saturating_sub(1));
        }
        goes_on
    }

    /// Cooks the text of a macro use that the end of its statement has left without arguments.
    pub(in crate::source) fn flush_awaiting(&mut self) {
        if std::mem::take(&mut self.cooker.awaiting) {
            let held = std::mem::take(&mut self.preprocessor.held);
            self.expand_code(&held.text, Origin::Mapped(&held.origins), false);
        }
    }

    /// Cooks code with its macros expanded, and says whether it ends in a comment or a continuation sign of theirs. If
    /// the last use is not complete and `may_hold`, it waits for the next line.
    fn expand_code(&mut self, code: &[u8], origin: Origin, may_hold: bool) -> Stop {
        let mut at = self.constant_end(code);
        let mut cooked_to = 0;
        while at < code.len() {
            let (kind, end) = token(code, at);
            let definition = if kind == Token::Name { self.preprocessor.macros.get(&code[at..end]) } else { None };
            let Some(definition) = definition else {
                at = end;
                continue;
            };
            let place = Span::new(origin.of(at), origin.of(end - 1) + 1);
            match self.preprocessor.macros.expand_use(&definition, code, end, may_hold) {
                Ok((expanded, behind)) => {
                    self.cooker.cook(&code[cooked_to..at], origin.from(cooked_to));
                    let used = Span::new(place.start, origin.of(behind - 1) + 1);
                    match self.cooker.cook_macro(&expanded, used) {
                        Stop::End => {}
                        Stop::Ampersand(_) if first_nonblank(&code[behind..]).is_some() => {}
                        ended => return ended,
                    }
                    at = behind;
                    cooked_to = behind;
                }
                Err(Failure::Incomplete(list)) if may_hold => {
                    self.cooker.cook(&code[cooked_to..at], origin.from(cooked_to));
                    self.hold(&code[at..], origin.from(at), list);
                    return Stop::End;
                }
                // The name of a function-like macro, and nothing behind it: no use.
                Err(Failure::Incomplete(_)) if first_nonblank(&code[end..]).is_none() => at = end,
                Err(failure) => {
                    self.note_failure(failure, &definition.name, place);
                    at = end;
                }
            }
        }
        self.cooker.cook(&code[cooked_to..], origin.from(cooked_to));
        Stop::End
    }

    /// Index behind the constant that the last line left open.
    fn constant_end(&self, code: &[u8]) -> usize {
        match self.cooker.context {
            Context::Code => 0,
            Context::Quoted(quote) => memchr::memchr(quote, code).map_or(code.len(), |at| at + 1),
            Context::Hollerith(missing) => code.len().min(missing as usize),
        }
    }

    fn hold(&mut self, text: &[u8], origin: Origin, list: ArgumentList) {
        self.cooker.awaiting = true;
        self.preprocessor.held.list = list;
        self.preprocessor.held.text.extend_from_slice(text);
        self.preprocessor.held.origins.extend((0..text.len()).map(|at| origin.of(at)));
    }

    fn note_failure(&mut self, failure: Failure, name: &[u8], place: Span) {
        let name = String::from_utf8_lossy(name);
        let reason = match failure {
            Failure::NotACall => return,
            Failure::Incomplete(_) => format!("Arguments of macro '{name}' are not closed"),
            Failure::TooLarge => format!("Expansion of macro '{name}' is too large"),
            Failure::ArgumentCount => format!("Macro '{name}' is used with the wrong number of arguments"),
        };
        self.preprocessor_note(place, reason);
    }
}

/// Where the code of a line, less a Hollerith constant up to `start`, ends, why, and the delimiter of the character
/// constant that it ends in.
fn code_extent(text: &[u8], start: usize, quote: Option<u8>, form: SourceForm) -> (usize, Stop, Option<u8>) {
    let mut quote = quote;
    let mut at = start;
    let mut stop = Stop::End;
    let mut end = text.len();
    while at < text.len() {
        let rest = &text[at..];
        if let Some(delimiter) = quote {
            let Some(length) = memchr::memchr(delimiter, rest) else { break };
            quote = None;
            at += length + 1;
            continue;
        }
        match rest[0] {
            b'!' => {
                stop = Stop::Comment(at);
                end = at;
                break;
            }
            delimiter @ (b'\'' | b'"') => {
                quote = Some(delimiter);
                at += 1;
            }
            // A name, a number, a Hollerith constant, which may hold quotes, or a single sign.
            _ => at = token(text, at).1,
        }
    }
    if form == SourceForm::Free {
        let code = trim_end(&text[..end]);
        if code.last() == Some(&b'&') {
            return (code.len() - 1, Stop::Ampersand(code.len() - 1), quote);
        }
    }
    (end, stop, quote)
}
