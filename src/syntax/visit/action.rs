//! What input/output statements, image control statements and the headers of loops and constructs access (clauses 9, 11
//! and 12).

use super::access::Access;
use super::declaration::{walk_dimensions, walk_names};
use super::expression::walk_type_spec;
use super::visitor::{StatementVisitor, Visitor};
use crate::syntax::ast::declaration::Association;
use crate::syntax::ast::expression::{ArgumentList, ArgumentValue, Expression, Reference};
use crate::syntax::ast::input_output::*;
use crate::syntax::ast::names::{Identifier, Name};
use crate::syntax::ast::statement::*;

pub(super) fn walk_objects<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, references: &'t [Reference], access: Access) {
    references.iter().for_each(|reference| visitor.reference(reference, access));
}

/// R928 alloc-opt and its like: STAT= and ERRMSG= define, SOURCE= and MOLD= are read.
pub(super) fn walk_options<'t, V: StatementVisitor<'t> + ?Sized>(
    visitor: &mut V,
    options: &'t [(Identifier, Expression)],
) {
    for (keyword, value) in options {
        let access = status_access(visitor.names().text(keyword.name));
        visitor.expression(value, access);
    }
}

/// A list of options in brackets: R1165 sync-stat-list of CRITICAL and END TEAM.
pub(super) fn walk_option_list<'t, V: StatementVisitor<'t> + ?Sized>(visitor: &mut V, list: &'t ArgumentList) {
    for item in &list.items {
        match (&item.value, item.keyword) {
            (ArgumentValue::Expression(value), Some(keyword)) => {
                let access = status_access(visitor.names().text(keyword.name));
                visitor.expression(value, access);
            }
            (ArgumentValue::Expression(value), None) => visitor.expression(value, Access::Read),
            (
                ArgumentValue::Section(_)
                | ArgumentValue::AlternateReturn(_)
                | ArgumentValue::Omitted
                | ArgumentValue::Multiple(_),
                _,
            ) => {}
        }
    }
}

fn status_access(keyword: &str) -> Access {
    match keyword {
        "stat" | "errmsg" | "acquired_lock" | "pinned" => Access::Specifier,
        "source" | "mold" | "new_index" | "until_count" | "stream" => Access::Read,
        _ => Access::Argument,
    }
}

/// R1164 to R1181: the variables by which images wait for each other are read and defined.
pub(super) fn walk_image_control<'t, V: StatementVisitor<'t> + ?Sized>(
    visitor: &mut V,
    keywords: Name,
    arguments: &'t ArgumentList,
) {
    let operation = visitor.names().text(keywords);
    for (position, item) in arguments.items.iter().enumerate() {
        let ArgumentValue::Expression(value) = &item.value else { continue };
        let access = match (operation, item.keyword) {
            (_, Some(keyword)) => status_access(visitor.names().text(keyword.name)),
            ("sync all" | "sync images" | "sync memory" | "sync team", None) => Access::Read,
            // R1175: the number of the team, then the variable.
            ("form team", None) if position == 0 => Access::Read,
            // EVENT POST, EVENT WAIT, FORM TEAM, LOCK, UNLOCK, NOTIFY WAIT
            (_, None) => Access::Synchronized,
        };
        visitor.expression(value, access);
    }
}

pub(super) fn walk_input_output<'t, V: StatementVisitor<'t> + ?Sized>(visitor: &mut V, io: &'t InputOutput) {
    for (position, control) in io.control.iter().enumerate() {
        if let Some(value) = &control.value {
            let access = match control.keyword {
                None => positional_access(io.operation, position),
                Some(keyword) => specifier_access(io.operation, visitor.names().text(keyword.name)),
            };
            visitor.expression(value, access);
        }
    }
    let access = item_access(io.operation);
    for (position, item) in io.items.iter().enumerate() {
        // DEFINE FILE unit(records, length, U, variable): the variable has the number of the next record.
        let is_record_number = position % DEFINED_FILE_ITEMS + 1 == DEFINED_FILE_ITEMS;
        let access = if access == Access::Specifier && !is_record_number { Access::Read } else { access };
        visitor.expression(item, access);
    }
}

/// What is done to the items of a statement.
fn item_access(operation: IoOperation) -> Access {
    match operation {
        IoOperation::Read | IoOperation::Accept | IoOperation::Decode | IoOperation::BufferIn => Access::Input,
        IoOperation::Write
        | IoOperation::Print
        | IoOperation::Type
        | IoOperation::Encode
        | IoOperation::Rewrite
        | IoOperation::BufferOut
        | IoOperation::Inquire => Access::Output,
        IoOperation::DefineFile => Access::Specifier,
        IoOperation::Open
        | IoOperation::Close
        | IoOperation::Rewind
        | IoOperation::Backspace
        | IoOperation::EndFile
        | IoOperation::Flush
        | IoOperation::Wait
        | IoOperation::Delete
        | IoOperation::Find
        | IoOperation::UnlockFile => Access::Argument,
    }
}

/// What is done to a control without a keyword.
fn positional_access(operation: IoOperation, position: usize) -> Access {
    match (operation, position) {
        (IoOperation::Write | IoOperation::Rewrite, 0) => Access::OutputUnit,
        // ENCODE (count, format, buffer [, IOSTAT=])
        (IoOperation::Encode, 2) => Access::Specifier,
        _ => Access::Read,
    }
}

/// What is done to the value of a specifier: R1205, R1209, R1213, R1223, R1227, R1229, R1231 and extensions.
fn specifier_access(operation: IoOperation, keyword: &str) -> Access {
    match (operation, keyword) {
        (_, "iostat" | "iomsg" | "size" | "newunit" | "associatevariable") => Access::Specifier,
        (IoOperation::Read | IoOperation::Write, "id") => Access::Specifier,
        (IoOperation::Write | IoOperation::Rewrite, "unit") => Access::OutputUnit,
        // The label, and what INQUIRE is told; all else is what it is asked for.
        (IoOperation::Inquire, "unit" | "file" | "id" | "err") => Access::Read,
        (IoOperation::Inquire, _) => Access::Specifier,
        (
            _,
            "unit" | "fmt" | "nml" | "rec" | "pos" | "advance" | "asynchronous" | "blank" | "decimal" | "delim" | "pad"
            | "round" | "sign" | "err" | "end" | "eor" | "id" | "file" | "name" | "status" | "access" | "form" | "recl"
            | "position" | "action" | "encoding" | "leading_zero" | "convert" | "type" | "dispose" | "disp"
            | "recordtype" | "blocksize" | "buffercount" | "buffered" | "carriagecontrol" | "maxrec" | "recordsize"
            | "mode" | "share" | "title" | "organization" | "defaultfile" | "initialsize" | "extendsize" | "key",
        ) => Access::Read,
        _ => Access::Argument,
    }
}

pub(super) fn walk_do_control<'t, V: StatementVisitor<'t> + ?Sized>(visitor: &mut V, control: &'t DoControl) {
    match control {
        DoControl::Forever => {}
        DoControl::Counted { variable, lower, upper, step } => {
            visitor.reference(variable, Access::DoVariable);
            let bounds = [lower, upper].into_iter().chain(step);
            bounds.for_each(|bound| visitor.expression(bound, Access::Read));
        }
        DoControl::While(condition) => visitor.expression(condition, Access::Read),
        DoControl::Concurrent(header) => walk_header(visitor, header),
    }
}

/// Visits what the header of a FORALL or a DO CONCURRENT accesses.
pub(super) fn walk_header<'t, V: StatementVisitor<'t> + ?Sized>(visitor: &mut V, header: &'t ConcurrentHeader) {
    let ConcurrentHeader { type_spec, controls, mask, locality } = header;
    type_spec.iter().for_each(|type_spec| walk_type_spec(visitor, type_spec));
    for control in controls {
        visitor.name(control.variable, Access::Index);
        let bounds = [&control.lower, &control.upper].into_iter().chain(&control.step);
        bounds.for_each(|bound| visitor.expression(bound, Access::Read));
    }
    mask.iter().for_each(|mask| visitor.expression(mask, Access::Read));
    for locality in locality {
        // R1130 DEFAULT (NONE) has no variables.
        if visitor.names().text(locality.keyword.name) != "default" {
            walk_names(visitor, &locality.names, Access::Listed);
        }
    }
}

pub(super) fn walk_case_range<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, range: &'t CaseRange) {
    match range {
        CaseRange::Value(value) => visitor.expression(value, Access::Read),
        CaseRange::Range(lower, upper) => {
            lower.iter().chain(upper).for_each(|bound| visitor.expression(bound, Access::Read));
        }
    }
}

pub(super) fn walk_selector<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, selector: &'t Selector) {
    visitor.expression(&selector.selector, Access::Selector);
    walk_names(visitor, &selector.name, Access::Bound);
}

pub(super) fn walk_associations<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, associations: &'t [Association]) {
    for association in associations {
        association.coshape.iter().for_each(|coshape| walk_dimensions(visitor, &coshape.dimensions));
        visitor.expression(&association.selector, Access::Selector);
        visitor.name(association.name, Access::Bound);
    }
}

pub(super) fn walk_type_guard<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, guard: &'t TypeGuard) {
    match guard {
        TypeGuard::TypeIs(type_spec) | TypeGuard::ClassIs(type_spec) => walk_type_spec(visitor, type_spec),
        TypeGuard::Default => {}
    }
}

pub(super) fn walk_rank_case<'t, V: Visitor<'t> + ?Sized>(visitor: &mut V, case: &'t RankCase) {
    match case {
        RankCase::Rank(rank) => visitor.expression(rank, Access::Read),
        RankCase::Star | RankCase::Default => {}
    }
}
