//! Free form (clause 6.3.2): columns don't count, `&` at the end of a line continues it.

use super::classes::{first_nonblank, trim_end};
use super::cook::{Context, Stop};
use super::prescan::{Continuation, Prescanner};

impl Prescanner<'_> {
    /// Takes in one line of free form; `offset` is that of its first byte.
    pub(super) fn free_line(&mut self, line: &[u8], offset: u32) {
        let whole = line;
        let line = trim_end(line);
        let Some(first) = first_nonblank(line) else { return };
        let mut start = first;
        if line[first] == b'!' {
            if !self.is_conditional_code(&line[first..]) {
                self.comment_line(whole, first, offset);
                return;
            }
            start = first + 2;
            start += first_nonblank(&line[start..]).unwrap_or(0);
        }
        let has_ampersand = line.get(start) == Some(&b'&');
        if self.continuation == Continuation::WithAmpersand && !has_ampersand {
            self.finish_statement();
        }
        let continuing = self.continuation != Continuation::None;
        if continuing {
            if has_ampersand {
                start += 1;
            } else if self.in_constant() {
                start = 0;
            } else if !line.get(start).is_some_and(|&quote| self.cooker.is_closed_by(quote)) {
                self.cooker.pending_blank = true;
            }
            self.comments_lie_inside();
        } else {
            self.cooker.begin_line();
        }
        let text = &line[start.min(line.len())..];
        // A line with nothing but `&`, or `&` and a comment, is not standard (clause 6.3.2.4). Compilers let it end the
        // statement; where the next line begins with `&`, it stands between the parts of the statement as a comment
        // does.
        if continuing && !self.in_constant() && first_nonblank(text).is_none_or(|at| text[at] == b'!') {
            if let Some(at) = first_nonblank(text) {
                self.trailing_comment(whole, start + at, offset);
            }
            if has_ampersand {
                self.continuation = Continuation::WithAmpersand;
            }
            return;
        }
        self.free_text(whole, start, offset);
    }

    /// Takes in the statement text of a line from a column on.
    pub(super) fn free_text(&mut self, whole: &[u8], start: usize, offset: u32) {
        let line = trim_end(whole);
        let text = line.get(start..).unwrap_or_default();
        let (code, is_spliced) = self.splice(text);
        match self.feed(code, offset + start as u32) {
            Stop::End if is_spliced => {
                self.spliced = Some(0);
                return;
            }
            Stop::Ampersand(at) => {
                self.continuation = Continuation::Certain;
                if let Some(skip) = text.get(at + 1..).and_then(first_nonblank) {
                    self.trailing_comment(whole, start + at + 1 + skip, offset);
                }
            }
            stop => {
                if let Stop::Comment(at) = stop {
                    self.trailing_comment(whole, start + at, offset);
                }
                if self.arguments_go_on(offset + whole.len() as u32 + 1) {
                    self.continuation = Continuation::Certain;
                    self.comments_seen = self.cooker.comments.len();
                    return;
                }
                // The blanks at the end of a line count in a Hollerith constant.
                if let Context::Hollerith(_) = self.cooker.context {
                    self.cooker.pad((whole.len() - line.len()) as u32, offset + (whole.len() as u32).saturating_sub(1));
                }
                self.finish_statement();
            }
        }
        self.comments_seen = self.cooker.comments.len();
    }

    fn in_constant(&self) -> bool {
        self.cooker.context != Context::Code
    }
}
