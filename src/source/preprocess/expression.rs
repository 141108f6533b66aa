//! The conditions of `#if` and `#elif`: integer expressions as in C.

use super::macros::MacroTable;
use super::{is_word_byte, split_word};
use crate::source::classes::first_nonblank;

/// Brackets and signs nest this deep at most.
const DEPTH_LIMIT: u32 = 100;

/// The value of a condition, or a sentence that says what is wrong with it. Names that are not defined are 0.
pub(super) fn evaluate(text: &[u8], macros: &mut MacroTable) -> Result<i64, String> {
    let known = replace_defined(text, macros);
    let expanded = macros.expand_text(&known).map_err(|_| "Expansion of the condition is too large".to_owned())?;
    let mut parser = Parser { text: &expanded, at: 0, depth: 0 };
    parser.conditional()
}

/// The text with 1 or 0 in place of `defined NAME` and `defined(NAME)`.
fn replace_defined(text: &[u8], macros: &MacroTable) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        if !is_word_byte(text[at]) {
            out.push(text[at]);
            at += 1;
            continue;
        }
        let (word, rest) = split_word(&text[at..]);
        at = text.len() - rest.len();
        if word != b"defined" {
            out.extend_from_slice(word);
            continue;
        }
        let skip = first_nonblank(rest).unwrap_or(0);
        let in_brackets = rest.get(skip) == Some(&b'(');
        let (name, behind) = split_word(&rest[skip + usize::from(in_brackets)..]);
        out.extend_from_slice(if macros.is_defined(name) { b" 1 " } else { b" 0 " });
        at = text.len() - behind.len();
        if in_brackets && let Some(skip) = first_nonblank(behind).filter(|&skip| behind[skip] == b')') {
            at += skip + 1;
        }
    }
    out
}

struct Parser<'t> {
    text: &'t [u8],
    at: usize,
    depth: u32,
}

/// Binary operators with their precedence; longer ones first.
const OPERATORS: [(&[u8], u8); 18] = [
    (b"||", 1),
    (b"&&", 2),
    (b"==", 6),
    (b"!=", 6),
    (b"<=", 7),
    (b">=", 7),
    (b"<<", 8),
    (b">>", 8),
    (b"|", 3),
    (b"^", 4),
    (b"&", 5),
    (b"<", 7),
    (b">", 7),
    (b"+", 9),
    (b"-", 9),
    (b"*", 10),
    (b"/", 10),
    (b"%", 10),
];

impl Parser<'_> {
    fn rest(&mut self) -> &[u8] {
        self.at += first_nonblank(&self.text[self.at..]).unwrap_or(self.text.len() - self.at);
        &self.text[self.at..]
    }

    fn accept(&mut self, sign: u8) -> bool {
        let found = self.rest().first() == Some(&sign);
        self.at += usize::from(found);
        found
    }

    fn deeper(&mut self) -> Result<(), String> {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT { Err("Condition is nested too deeply".to_owned()) } else { Ok(()) }
    }

    fn conditional(&mut self) -> Result<i64, String> {
        self.deeper()?;
        let condition = self.binary(1)?;
        let value = if self.accept(b'?') {
            let yes = self.conditional()?;
            if !self.accept(b':') {
                return Err("Condition lacks a ':'".to_owned());
            }
            let no = self.conditional()?;
            if condition != 0 { yes } else { no }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, least: u8) -> Result<i64, String> {
        let mut left = self.unary()?;
        loop {
            let rest = self.rest();
            let operator = OPERATORS.iter().find(|(sign, _)| rest.starts_with(sign));
            let Some(&(sign, precedence)) = operator.filter(|(_, precedence)| *precedence >= least) else {
                return Ok(left);
            };
            self.at += sign.len();
            let right = self.binary(precedence + 1)?;
            left = apply(sign, left, right)?;
        }
    }

    fn unary(&mut self) -> Result<i64, String> {
        self.deeper()?;
        let value = match self.rest().first().copied() {
            Some(sign @ (b'!' | b'-' | b'+' | b'~')) => {
                self.at += 1;
                let operand = self.unary()?;
                match sign {
                    b'!' => i64::from(operand == 0),
                    b'-' => operand.wrapping_neg(),
                    b'~' => !operand,
                    _ => operand,
                }
            }
            Some(b'(') => {
                self.at += 1;
                let value = self.conditional()?;
                if !self.accept(b')') {
                    return Err("Condition lacks a ')'".to_owned());
                }
                value
            }
            _ => self.primary()?,
        };
        self.depth -= 1;
        Ok(value)
    }

    fn primary(&mut self) -> Result<i64, String> {
        let rest = self.rest();
        if let [b'\'', byte, b'\'', ..] = *rest {
            self.at += 3;
            return Ok(i64::from(byte));
        }
        if rest.first() == Some(&b'"') {
            // Strings are compared by some sources; as in C they have no value.
            return Err("Condition holds a character constant".to_owned());
        }
        let (word, behind) = split_word(rest);
        let length = rest.len() - behind.len();
        if word.is_empty() {
            return Err("Condition lacks an operand".to_owned());
        }
        let value = if word[0].is_ascii_digit() { integer(word)? } else { 0 };
        let is_call = !word[0].is_ascii_digit() && behind.first() == Some(&b'(');
        self.at += length;
        if is_call {
            self.skip_brackets();
        }
        Ok(value)
    }

    /// Skips the arguments of a function-like macro that nobody defined.
    fn skip_brackets(&mut self) {
        let mut depth = 0;
        while let Some(&byte) = self.text.get(self.at) {
            self.at += 1;
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
}

fn integer(word: &[u8]) -> Result<i64, String> {
    let text = String::from_utf8_lossy(word).to_ascii_lowercase();
    let digits = text.trim_end_matches(['l', 'u']);
    let value = match digits.strip_prefix("0x") {
        Some(hexadecimal) => i64::from_str_radix(hexadecimal, 16),
        None if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(digits, 8),
        None => digits.parse(),
    };
    value.map_err(|_| format!("'{text}' is not an integer"))
}

fn apply(sign: &[u8], left: i64, right: i64) -> Result<i64, String> {
    Ok(match sign {
        b"||" => i64::from(left != 0 || right != 0),
        b"&&" => i64::from(left != 0 && right != 0),
        b"|" => left | right,
        b"^" => left ^ right,
        b"&" => left & right,
        b"==" => i64::from(left == right),
        b"!=" => i64::from(left != right),
        b"<=" => i64::from(left <= right),
        b">=" => i64::from(left >= right),
        b"<" => i64::from(left < right),
        b">" => i64::from(left > right),
        b"<<" => left.wrapping_shl(right as u32),
        b">>" => left.wrapping_shr(right as u32),
        b"+" => left.wrapping_add(right),
        b"-" => left.wrapping_sub(right),
        b"*" => left.wrapping_mul(right),
        // As in C, what `&&` and `||` leave out may divide by zero; here it has the value 0.
        _ if right == 0 => 0,
        b"/" => left.wrapping_div(right),
        _ => left.wrapping_rem(right),
    })
}
