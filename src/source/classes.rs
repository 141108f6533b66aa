//! What single bytes mean in statement text.

/// What a byte is, outside constants.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Stands for itself.
    Plain,
    /// Stands for itself, or begins a Hollerith constant.
    LetterH,
    Blank,
    Quote,
    Bang,
    Ampersand,
    Semicolon,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Plain; 256];
    let blanks = [b' ', b'\t', b'\r', 0x0b, 0x0c, 0, 0x1a];
    let mut at = 0;
    while at < blanks.len() {
        classes[blanks[at] as usize] = Class::Blank;
        at += 1;
    }
    classes[b'h' as usize] = Class::LetterH;
    classes[b'H' as usize] = Class::LetterH;
    classes[b'\'' as usize] = Class::Quote;
    classes[b'"' as usize] = Class::Quote;
    classes[b'!' as usize] = Class::Bang;
    classes[b'&' as usize] = Class::Ampersand;
    classes[b';' as usize] = Class::Semicolon;
    classes
};

/// The lower-case byte of those that stand for themselves whatever is before them; 0 of all others.
pub(super) const PLAIN: [u8; 256] = {
    let mut plain = [0; 256];
    let mut at = 0;
    while at < plain.len() {
        if matches!(CLASSES[at], Class::Plain) {
            plain[at] = (at as u8).to_ascii_lowercase();
        }
        at += 1;
    }
    plain
};

/// What a byte is, outside constants.
pub(super) fn class(byte: u8) -> Class {
    CLASSES[byte as usize]
}

/// Whether a byte separates like a blank: blank, tab, form feed, a stray carriage return, NUL, the end mark of CP/M.
pub(super) fn is_blank(byte: u8) -> bool {
    class(byte) == Class::Blank
}

/// Index of the first byte that is no blank.
pub(super) fn first_nonblank(text: &[u8]) -> Option<usize> {
    text.iter().position(|&byte| !is_blank(byte))
}

/// The text without the blanks at its end.
pub(super) fn trim_end(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|&byte| !is_blank(byte)).map_or(0, |last| last + 1);
    &text[..end]
}
