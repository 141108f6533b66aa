//! Format specifications (Fortran 2023, 13.2): from their text to a tree of edit descriptors.

/// A format specification.
#[derive(Clone, PartialEq, Debug)]
pub struct Format {
    /// What stands between the outer brackets.
    pub items: Vec<FormatItem>,
}

/// An item of a format, with its repeat count; `None` repeats without limit.
#[derive(Clone, PartialEq, Debug)]
pub struct FormatItem {
    /// How often it is there.
    pub repeat: Option<u32>,
    /// What it is.
    pub edit: Edit,
}

/// An edit descriptor, or a group of them.
#[derive(Clone, PartialEq, Debug)]
pub enum Edit {
    /// A group in brackets.
    Group(Vec<FormatItem>),
    /// A data edit descriptor.
    Data(DataEdit),
    /// `nX`, `TRn`: columns to pass over.
    Right(u32),
    /// `TLn`: columns to go back.
    Left(u32),
    /// `Tn`: the column to go to.
    Tab(u32),
    /// `/`.
    NextRecord,
    /// `:`.
    Colon,
    /// `BN` (false), `BZ` (true): whether blanks are zeros.
    BlankZero(bool),
    /// `DC` (true), `DP` (false).
    DecimalComma(bool),
    /// `kP`.
    Scale(i32),
    /// What only output minds: S, SP, SS, RU, …
    Ignored,
    /// Characters, which can't be read.
    Text,
}

/// A data edit descriptor: its letter in lower case, width and digits behind the decimal sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DataEdit {
    /// `i b o z f e d g l a`; `EN`, `ES`, `EX` read as `e`.
    pub letter: u8,
    /// `w`; `None` where it is left out or zero.
    pub width: Option<u32>,
    /// `d`.
    pub digits: u32,
}

/// How deep groups may be nested.
const DEEPEST: usize = 32;

impl Format {
    /// The format with this text, brackets included; `None` when it is not understood.
    pub fn parse(text: &str) -> Option<Format> {
        let start = text.find('(')?;
        if !text[..start].trim().is_empty() {
            return None;
        }
        let mut parser = Parser { text: text.as_bytes(), at: start + 1 };
        let items = parser.group(0)?;
        (!items.is_empty() || parser.text.get(parser.at - 1) == Some(&b')')).then_some(Format { items })
    }
}

struct Parser<'t> {
    text: &'t [u8],
    at: usize,
}

impl Parser<'_> {
    /// The next character that is no blank, in lower case.
    fn peek(&mut self) -> Option<u8> {
        while self.text.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
        self.text.get(self.at).map(u8::to_ascii_lowercase)
    }

    fn accept(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == Some(byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn number(&mut self) -> Option<u32> {
        let mut value: Option<u32> = None;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            self.at += 1;
            value = Some(value.unwrap_or(0).checked_mul(10)?.checked_add(u32::from(digit - b'0'))?);
        }
        value
    }

    /// The items up to the closing bracket, which is consumed.
    fn group(&mut self, depth: usize) -> Option<Vec<FormatItem>> {
        let mut items = Vec::new();
        loop {
            match self.peek()? {
                b')' => {
                    self.at += 1;
                    return Some(items);
                }
                b',' => self.at += 1,
                _ => items.push(self.item(depth)?),
            }
        }
    }

    fn item(&mut self, depth: usize) -> Option<FormatItem> {
        if self.accept(b'*') {
            return self.nested(None, depth);
        }
        let is_negative = self.accept(b'-');
        if !is_negative {
            self.accept(b'+');
        }
        let count = self.number();
        let once = |edit| Some(FormatItem { repeat: Some(1), edit });
        let letter = self.peek()?;
        if letter == b'(' {
            return self.nested(Some(count.unwrap_or(1)), depth);
        }
        self.at += 1;
        let repeated = |edit| Some(FormatItem { repeat: Some(count.unwrap_or(1)), edit });
        match letter {
            b'p' => {
                let scale = i32::try_from(count?).ok()?;
                once(Edit::Scale(if is_negative { -scale } else { scale }))
            }
            b'x' => once(Edit::Right(count.unwrap_or(1))),
            b'/' => repeated(Edit::NextRecord),
            b':' => once(Edit::Colon),
            b'\'' | b'"' => self.text(letter),
            b'h' => {
                self.at += count? as usize;
                once(Edit::Text)
            }
            b't' => match self.peek() {
                Some(b'l') => self.column(Edit::Left),
                Some(b'r') => self.column(Edit::Right),
                _ => {
                    self.at -= 1;
                    self.column(Edit::Tab)
                }
            },
            b's' => {
                let _ = self.accept(b'p') || self.accept(b's') || self.accept(b'u');
                once(Edit::Ignored)
            }
            b'r' => {
                self.peek()?;
                self.at += 1;
                once(Edit::Ignored)
            }
            b'$' | b'\\' => once(Edit::Ignored),
            b'b' if matches!(self.peek(), Some(b'n' | b'z')) => {
                let is_zero = self.peek() == Some(b'z');
                self.at += 1;
                once(Edit::BlankZero(is_zero))
            }
            b'd' if matches!(self.peek(), Some(b'c' | b'p')) => {
                let is_comma = self.peek() == Some(b'c');
                self.at += 1;
                once(Edit::DecimalComma(is_comma))
            }
            b'i' | b'b' | b'o' | b'z' | b'f' | b'e' | b'd' | b'g' | b'l' | b'a' => {
                repeated(Edit::Data(self.data(letter)?))
            }
            _ => None,
        }
    }

    fn nested(&mut self, repeat: Option<u32>, depth: usize) -> Option<FormatItem> {
        if depth >= DEEPEST || !self.accept(b'(') {
            return None;
        }
        Some(FormatItem { repeat, edit: Edit::Group(self.group(depth + 1)?) })
    }

    /// The number behind `T`, `TL` or `TR`, whose last letter is next.
    fn column(&mut self, edit: fn(u32) -> Edit) -> Option<FormatItem> {
        self.at += 1;
        let edit = edit(self.number()?);
        Some(FormatItem { repeat: Some(1), edit })
    }

    fn text(&mut self, quote: u8) -> Option<FormatItem> {
        loop {
            let end = self.text[self.at..].iter().position(|&byte| byte == quote)?;
            self.at += end + 1;
            if self.text.get(self.at) != Some(&quote) {
                return Some(FormatItem { repeat: Some(1), edit: Edit::Text });
            }
            self.at += 1;
        }
    }

    fn data(&mut self, letter: u8) -> Option<DataEdit> {
        if letter == b'e' && matches!(self.peek(), Some(b'n' | b's' | b'x')) {
            self.at += 1;
        }
        let width = self.number().filter(|&width| width > 0);
        let mut digits = 0;
        if self.accept(b'.') {
            digits = self.number()?;
            if matches!(letter, b'e' | b'g' | b'd') && self.accept(b'e') {
                self.number()?;
            }
        }
        Some(DataEdit { letter, width, digits })
    }
}

impl Format {
    /// Where reading goes on when the format is used up and items are left: the index of the last group of the
    /// outermost level, else the beginning.
    pub fn reversion(&self) -> usize {
        self.items.iter().rposition(|item| matches!(item.edit, Edit::Group(_))).unwrap_or(0)
    }

    /// Whether it has a data edit descriptor from an index of its outermost items on.
    pub fn has_data(&self, from: usize) -> bool {
        fn any(items: &[FormatItem]) -> bool {
            items.iter().any(|item| match &item.edit {
                Edit::Data(_) => true,
                Edit::Group(items) => any(items),
                Edit::Right(_)
                | Edit::Left(_)
                | Edit::Tab(_)
                | Edit::NextRecord
                | Edit::Colon
                | Edit::BlankZero(_)
                | Edit::DecimalComma(_)
                | Edit::Scale(_)
                | Edit::Ignored
                | Edit::Text => false,
            })
        }
        any(self.items.get(from..).unwrap_or_default())
    }
}
