//! Assignment or keyword statement? (Sale's method.)
//!
//! Fortran reserves no word, so `if(1,2)=0` and `do10i=1.5` are assignments. A statement is an assignment when a
//! designator and `=` or `=>` begin it, and no comma outside brackets follows (that would be a DO or PARAMETER
//! statement). Everything else begins with a keyword. Entry point: [`is_assignment`]. All scans are linear and skip
//! character constants, Hollerith constants included.

use super::literal::quoted_length;
use crate::source::is_name_byte;

/// Whether a statement is an assignment or a pointer assignment (or a statement function, which looks the same).
pub fn is_assignment(text: &[u8]) -> bool {
    // Most statements that are none need no closer look.
    if memchr::memchr(b'=', text).is_none() {
        return false;
    }
    let Some(equals) = designator_end(text) else { return false };
    if !(text.starts_with(b"do") || text.starts_with(b"parameter")) {
        return true;
    }
    !has_top_level_comma(&text[equals + 1..])
}

/// Whether an executable statement is a CALL, READ, WRITE, PRINT, OPEN or CLOSE (or is not understood), alone or in a
/// one-line IF. Others that transfer data are not told.
pub fn calls_or_transfers(text: &[u8]) -> bool {
    const BEGINNINGS: [&[u8]; 6] = [b"call", b"read", b"write(", b"print", b"open(", b"close("];
    if is_assignment(text) {
        return false;
    }
    // No IF is the action of another one (C1143).
    let action = text.starts_with(b"if(").then(|| behind_brackets(text, 2)).flatten();
    let action = action.map_or(text, |end| &text[end..]);
    BEGINNINGS.iter().any(|beginning| action.starts_with(beginning)) && !is_assignment(action)
}

/// Offset of the `=` or `=>` that directly follows a designator at the beginning of `text`.
fn designator_end(text: &[u8]) -> Option<usize> {
    if !text.first().is_some_and(|&byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'$')) {
        return None;
    }
    let mut at = 0;
    loop {
        at += text[at..].iter().position(|&byte| !is_name_byte(byte))?;
        while let Some(b'(' | b'[') = text.get(at) {
            at = behind_brackets(text, at)?;
        }
        match (text.get(at), text.get(at + 1)) {
            (Some(b'%' | b'.'), Some(next)) if next.is_ascii_alphabetic() || *next == b'_' => at += 1,
            (Some(b'='), next) => return (next != Some(&b'=')).then_some(at),
            _ => return None,
        }
    }
}

/// Offset behind the bracket that closes the one at `at`.
pub fn behind_brackets(text: &[u8], at: usize) -> Option<usize> {
    let mut depth = 0usize;
    // What lies before this is dealt with.
    let mut from = at;
    loop {
        let at = from + text.get(from..)?.iter().position(|&byte| SIGNS[usize::from(byte)])?;
        match text[at] {
            b'(' | b'[' => depth += 1,
            b')' | b']' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
        from = next_position(text, at);
    }
}

/// The bytes that change the depth of brackets, or with which a character or Hollerith constant begins:
/// [`next_position`] is asked.
const SIGNS: [bool; 256] = {
    let mut signs = [false; 256];
    let bytes = b"()[]'\"0123456789";
    let mut at = 0;
    while at < bytes.len() {
        signs[bytes[at] as usize] = true;
        at += 1;
    }
    signs
};

/// Whether a comma stands outside all brackets.
fn has_top_level_comma(text: &[u8]) -> bool {
    first_at_top_level(text, |rest| rest[0] == b',').is_some()
}

/// Whether a type-spec and `::` come next, in a list that ends at the first comma or closing bracket.
pub fn type_spec_ahead(text: &[u8]) -> bool {
    if !text.first().is_some_and(|&byte| byte.is_ascii_alphabetic() || byte == b'_') {
        return false;
    }
    let stop = |rest: &[u8]| rest.starts_with(b"::") || matches!(rest[0], b',' | b')' | b']' | b'=');
    first_at_top_level(text, stop).is_some_and(|at| text[at..].starts_with(b"::"))
}

/// Offset of the first place outside all brackets that satisfies a condition on the rest there (never empty).
fn first_at_top_level(text: &[u8], holds: impl Fn(&[u8]) -> bool) -> Option<usize> {
    let mut at = 0;
    let mut depth = 0usize;
    while at < text.len() {
        if depth == 0 && holds(&text[at..]) {
            return Some(at);
        }
        match text[at] {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at = next_position(text, at);
    }
    None
}

/// The position behind the byte, or behind the whole character or Hollerith constant, that begins at `at`.
fn next_position(text: &[u8], at: usize) -> usize {
    match text[at] {
        quote @ (b'\'' | b'"') => at + quoted_length(&text[at..], quote).unwrap_or(1),
        b'0'..=b'9' if at == 0 || !is_name_byte(text[at - 1]) => behind_number(text, at),
        _ => at + 1,
    }
}

/// Behind a Hollerith constant that begins at `at`; else behind the digits there.
fn behind_number(text: &[u8], at: usize) -> usize {
    let digits = text[at..].iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len() - at);
    let behind = at + digits;
    if !matches!(text.get(behind), Some(b'h' | b'H')) {
        return behind;
    }
    let length = std::str::from_utf8(&text[at..behind]).ok().and_then(|digits| digits.parse::<usize>().ok());
    match length {
        Some(length) if length < text.len() - behind => behind + 1 + length,
        _ => behind,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_and_transfers_are_seen_in_one_line_ifs_too() {
        for text in
            ["call f", "callf(x)", "if(a(1)>0)call f", "print*,x", "write(6,*)x", "if(x)read(5,*)y", "open(unit=5)"]
        {
            assert!(calls_or_transfers(text.as_bytes()), "{text}");
        }
        for text in
            ["call=1", "if(x)then", "if(x)callx=1", "x=f(1)", "if(1)=2", "return", "writes=3", "if(x)if(y)call f"]
        {
            assert!(!calls_or_transfers(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn assignments_are_told_from_keyword_statements() {
        for text in [
            "a=1",
            "if(1,2)=0",
            "do10i=1.5",
            "do10i=f(1,2)",
            "do=3",
            "p(1:3,1:4)=>t",
            "s%a(1)%b=2",
            "s.corner(1).x=1.0",
            "k[1]=k[me]+k",
            "format(7:9)=format(1:3)",
            "where(do)=do",
            "print=call",
            "f(x,y)=x+y",
            "do10i=3h1,2",
            "a(')')=1",
            "a(1h))=1",
            "if(4hab((.eq.x)=2",
            "end=1",
            "a=b==c",
        ] {
            assert!(is_assignment(text.as_bytes()), "{text}");
        }
        for text in [
            "do10i=1,5",
            "do i=1,5",
            "if(x)a=b",
            "if(x)then",
            "integer::x=3",
            "real,parameter::a=1",
            "use m,only:a=>b",
            "type(t)::x=t(1)",
            "data x/3/",
            "parameter(a=1)",
            "parameterpi=3.14,due=2",
            "character*4name='x'",
            "a==b",
            "call f(a=b)",
            "where(m)a=b",
            "write(*,*)a==b",
            "enumerator::a=1",
            "print*,a=b",
            "10=3",
            "",
            "a(1=2",
        ] {
            assert!(!is_assignment(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn types_are_seen_ahead() {
        for text in ["real::1,2]", "character(len=3)::'a']", "t(k=3)::x(3))", "integer(8)::i=1,n)"] {
            assert!(type_spec_ahead(text.as_bytes()), "{text}");
        }
        for text in ["a(1),b::c", "x,y", "a)::b", "(a::b)", "1", "", "i=1:2::3"] {
            assert!(!type_spec_ahead(text.as_bytes()), "{text}");
        }
    }
}
