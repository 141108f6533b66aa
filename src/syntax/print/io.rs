//! Input and output (clause 12 and extensions).

use super::Writer;
use crate::syntax::ast::input_output::{DEFINED_FILE_ITEMS, InputOutput, IoControl, IoOperation};

impl Writer<'_> {
    pub(super) fn input_output(&mut self, statement: &InputOutput) {
        let InputOutput { operation, bracketed, control, items } = statement;
        self.put(keywords(*operation));
        if *operation == IoOperation::DefineFile {
            return self.defined_files(statement);
        }
        if *bracketed && !control.is_empty() {
            self.put(" ");
            self.bracketed(control, Self::control);
        } else if !control.is_empty() {
            self.put(" ");
            self.separated(control, Self::control);
            self.put(if items.is_empty() { "" } else { "," });
        }
        if matches!(operation, IoOperation::BufferIn | IoOperation::BufferOut) {
            self.put(" ");
            self.bracketed(items, Self::expression);
        } else if !items.is_empty() {
            self.put(" ");
            self.expressions(items);
        }
    }

    fn control(&mut self, control: &IoControl) {
        if let Some(keyword) = &control.keyword {
            self.identifier(keyword);
            self.put(if control.value.is_some() { "=" } else { "" });
        }
        control.value.iter().for_each(|value| self.expression(value));
    }

    /// DEC DEFINE FILE: each unit with its items.
    fn defined_files(&mut self, statement: &InputOutput) {
        for (at, (unit, items)) in statement.control.iter().zip(statement.items.chunks(DEFINED_FILE_ITEMS)).enumerate()
        {
            self.put(if at == 0 { " " } else { ", " });
            self.control(unit);
            self.bracketed(items, Self::expression);
        }
    }
}

fn keywords(operation: IoOperation) -> &'static str {
    match operation {
        IoOperation::Read => "read",
        IoOperation::Write => "write",
        IoOperation::Print => "print",
        IoOperation::Open => "open",
        IoOperation::Close => "close",
        IoOperation::Inquire => "inquire",
        IoOperation::Rewind => "rewind",
        IoOperation::Backspace => "backspace",
        IoOperation::EndFile => "endfile",
        IoOperation::Flush => "flush",
        IoOperation::Wait => "wait",
        IoOperation::Accept => "accept",
        IoOperation::Type => "type",
        IoOperation::Encode => "encode",
        IoOperation::Decode => "decode",
        IoOperation::Rewrite => "rewrite",
        IoOperation::Delete => "delete",
        IoOperation::Find => "find",
        IoOperation::DefineFile => "define file",
        IoOperation::UnlockFile => "unlock",
        IoOperation::BufferIn => "buffer in",
        IoOperation::BufferOut => "buffer out",
    }
}
