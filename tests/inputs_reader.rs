//! The readers of data files against the runtime of gfortran: random records, read by both, are accepted and rejected
//! alike, and give equal values.
//!
//! One Fortran program reads all files, several READs each with IOSTAT, and prints the bits of what it got.

#![allow(clippy::unwrap_used, reason = "a test may fail anywhere")]

use std::fmt::Write as _;

use camfort_rs::analysis::inputs::data::{Cursor, Format, FormatSteps, FormattedReader, ListReader, Scanned};
use camfort_rs::analysis::inputs::{DataType, Value};

mod common;
#[path = "inputs/random.rs"]
mod random;
#[path = "inputs/records.rs"]
mod records;

use random::Random;
use records::{Reading, print_value, value};

/// How many files there are of each kind of input.
const FILES: u32 = 6000;
/// How many READs are tried on each.
const READS: usize = 4;

/// The types of the three items of each group of READs.
const RECIPES: [[DataType; 3]; 8] = [
    [DataType::Integer(4); 3],
    [DataType::Real(4); 3],
    [DataType::Real(8); 3],
    [DataType::Logical(4); 3],
    [DataType::Character(Some(5)); 3],
    [DataType::Complex(8); 3],
    [DataType::Integer(1), DataType::Real(8), DataType::Character(Some(5))],
    [DataType::Integer(8), DataType::Integer(2), DataType::Logical(4)],
];

const PROGRAM: &str = "
program reader
  implicit none
  integer :: recipe, ios, k, case, cases
  integer(1) :: i1
  integer(2) :: i2
  integer(8) :: i8
  integer :: i(3)
  real :: r(3)
  real(8) :: d(3)
  logical :: l(3)
  character(5) :: c(3)
  complex(8) :: z(3)
  character(80) :: form
  character(12) :: name
  logical :: is_list, comma
  open (10, file='cases.txt')
  read (10, *) cases
  do case = 1, cases
    read (10, '(i2, l2, 1x, a)') recipe, comma, form
    write (name, '(i0, a)') case, '.dat'
    if (comma) then
      open (11, file=name, decimal='comma')
    else
      open (11, file=name)
    end if
    is_list = form == '*'
    do k = 1, 4
      i = -7; i1 = -7; i2 = -7; i8 = -7; r = -7; d = -7; l = .false.; c = '?'; z = (-7, -7)
      select case (recipe)
      case (0); if (is_list) read (11, *, iostat=ios) i
        if (.not. is_list) read (11, form, iostat=ios) i
        print '(2i6, i3, 3i21)', case, k, sign(min(abs(ios), 1), ios), i
      case (1); if (is_list) read (11, *, iostat=ios) r
        if (.not. is_list) read (11, form, iostat=ios) r
        print '(2i6, i3, 3i21)', case, k, sign(min(abs(ios), 1), ios), transfer(r, i)
      case (2); if (is_list) read (11, *, iostat=ios) d
        if (.not. is_list) read (11, form, iostat=ios) d
        print '(2i6, i3, 3i21)', case, k, sign(min(abs(ios), 1), ios), transfer(d, [0_8, 0_8, 0_8])
      case (3); if (is_list) read (11, *, iostat=ios) l
        if (.not. is_list) read (11, form, iostat=ios) l
        print '(2i6, i3, 3i21)', case, k, sign(min(abs(ios), 1), ios), merge([1, 1, 1], [0, 0, 0], l)
      case (4); if (is_list) read (11, *, iostat=ios) c
        if (.not. is_list) read (11, form, iostat=ios) c
        print '(2i6, i3, 15i4)', case, k, sign(min(abs(ios), 1), ios), codes(c(1)), codes(c(2)), codes(c(3))
      case (5); if (is_list) read (11, *, iostat=ios) z
        if (.not. is_list) read (11, form, iostat=ios) z
        print '(2i6, i3, 6i21)', case, k, sign(min(abs(ios), 1), ios), transfer(z, [0_8, 0_8, 0_8, 0_8, 0_8, 0_8])
      case (6); if (is_list) read (11, *, iostat=ios) i1, d(1), c(1)
        if (.not. is_list) read (11, form, iostat=ios) i1, d(1), c(1)
        print '(2i6, i3, 2i21, 5i4)', case, k, sign(min(abs(ios), 1), ios), i1, transfer(d(1), 0_8), codes(c(1))
      case (7); if (is_list) read (11, *, iostat=ios) i8, i2, l(1)
        if (.not. is_list) read (11, form, iostat=ios) i8, i2, l(1)
        print '(2i6, i3, 3i21)', case, k, sign(min(abs(ios), 1), ios), i8, i2, merge(1, 0, l(1))
      end select
      if (ios < 0) exit
    end do
    close (11)
  end do
";

struct Case {
    recipe: usize,
    comma: bool,
    /// `None` is list-directed.
    format: Option<String>,
    data: Vec<u8>,
}

#[test]
fn list_directed_records_are_read_as_by_gfortran() {
    let mut random = Random::new(1);
    let cases: Vec<Case> = (0..FILES).map(|_| list_case(&mut random)).collect();
    compare(&cases);
}

#[test]
fn formatted_records_are_read_as_by_gfortran() {
    let mut random = Random::new(2);
    let cases: Vec<Case> = (0..FILES).map(|_| formatted_case(&mut random)).collect();
    compare(&cases);
}

fn list_case(random: &mut Random) -> Case {
    let recipe = random.below(RECIPES.len());
    let comma = random.below(4) == 0 && (1..3).contains(&recipe);
    let separators = [
        " ", " ", " ", ",", ", ", " , ", "\n", "\n", "\t", ",,", ";", "\r\n", "\n\n", ",\n", " /\n", "/", "  \n ",
        "\n,",
    ];
    let mut text = String::new();
    for index in 0..1 + random.below(11) {
        if random.below(7) == 0 {
            text.push_str(random.pick(&["2*", "3*", "1*", "12*"]));
        }
        // Whether a repeated null value may go to items of several types depends on what was read before.
        if recipe > 5 || random.below(25) > 0 {
            let mut value = value(random, RECIPES[recipe][index % 3]);
            if comma && !value.contains("..") {
                value = value.replace(',', ";").replace('.', ",");
            }
            text.push_str(&value);
        }
        let separator = random.pick(&separators);
        text.push_str(&if comma { separator.replace(',', ";") } else { separator.to_owned() });
    }
    match random.below(5) {
        0 => {}
        _ => text.push('\n'),
    }
    Case { recipe, comma, format: None, data: text.into_bytes() }
}

fn formatted_case(random: &mut Random) -> Case {
    let recipe = random.below(RECIPES.len());
    let mut format = String::from("(");
    let prefixes = ["", "", "", "", "bz,", "bn,", "1x,", "2x,", "tr1,", "/", "2p,", "-1p,", ":,"];
    let parts = if matches!(RECIPES[recipe][0], DataType::Complex(_)) { 6 } else { 3 };
    for index in 0..parts {
        let of = RECIPES[recipe][index % 3];
        format.push_str(if index == 0 && random.below(6) == 0 {
            random.pick(&["t3,", "dc,"])
        } else {
            random.pick(&prefixes)
        });
        format.push_str(match of {
            DataType::Integer(_) => random.pick(&["i3", "i5", "i1", "i12", "g5.0", "z4", "o3", "b4"]),
            DataType::Real(_) | DataType::Complex(_) => {
                random.pick(&["f5.2", "f8.0", "e10.3", "d9.1", "g7.2", "f3.1", "es9.2"])
            }
            DataType::Logical(_) => random.pick(&["l1", "l3", "l7", "g4.0"]),
            DataType::Character(_) => random.pick(&["a", "a3", "a5", "a7", "g6.0"]),
        });
        if index + 1 < parts {
            format.push(',');
        }
    }
    format.push_str(random.pick(&["", "", "", "/", ",2x", ",:,/"]));
    format.push(')');
    if random.below(4) == 0 {
        let first = match RECIPES[recipe][0] {
            DataType::Integer(_) => "i4",
            DataType::Real(_) | DataType::Complex(_) => "f6.2",
            DataType::Logical(_) => "l2",
            DataType::Character(_) => "a3",
        };
        if RECIPES[recipe].iter().all(|it| *it == RECIPES[recipe][0]) {
            format =
                random.pick(&["(X)", "(2(X,1x))", "(1x,X,/,X)", "(X,(1x,X))", "(2X)", "(*(X,1x))"]).replace('X', first);
        }
    }
    let mut text = String::new();
    for _ in 0..1 + random.below(5) {
        for index in 0..random.below(6) {
            for _ in 0..random.below(4) {
                text.push(' ');
            }
            let value = value(random, RECIPES[recipe][index % 3])
                .replace('\n', "")
                .replace("nan", "1")
                .replace("inf", "1")
                .replace("Inf", "1");
            text.push_str(&value);
            text.push_str(random.pick(&["", " ", "", "  ", ","]));
        }
        text.push_str(random.pick(&["\n", "\n", "\n", "\r\n"]));
    }
    // What a logical field behind the end of an open record gives is left to chance by the runtime.
    if !RECIPES[recipe].contains(&DataType::Logical(4)) && random.below(5) == 0 {
        text.truncate(text.trim_end_matches(['\n', '\r']).len());
    }
    Case { recipe, comma: false, format: Some(format), data: text.into_bytes() }
}

fn compare(cases: &[Case]) {
    let line = |case: &Case| {
        let comma = if case.comma { 'T' } else { 'F' };
        format!("{:2} {comma} {}", case.recipe, case.format.as_deref().unwrap_or("*"))
    };
    Reading { program: PROGRAM, data: |case: &Case| &case.data, line, own }.compare(cases);
}

/// What the readers of this crate make of a case, printed alike.
fn own(number: usize, case: &Case, out: &mut String) {
    let mut cursor = Cursor::new(case.data.as_slice());
    let steps = case.format.as_ref().map(|format| FormatSteps::new(&Format::parse(format).unwrap()));
    let mut list = ListReader::new(case.comma);
    let mut formatted = FormattedReader::new();
    for read in 1..=READS {
        list.restart(case.comma);
        formatted.restart(case.comma, false);
        let mut status = 0;
        let mut values: Vec<Option<Value>> = Vec::new();
        for of in RECIPES[case.recipe] {
            // A formatted READ takes the parts of a complex number one by one.
            let parts = match of {
                DataType::Complex(kind) if steps.is_some() => vec![DataType::Real(kind); 2],
                of => vec![of],
            };
            for part in parts {
                let scanned = match &steps {
                    Some(steps) => formatted.item(&mut cursor, steps, part),
                    None => list.item(&mut cursor, part),
                };
                match scanned {
                    Scanned::Value(field) => values.push(field.value),
                    Scanned::Null => values.push(None),
                    Scanned::Bad(_) => status = 1,
                    Scanned::End => status = -1,
                }
                if status != 0 {
                    break;
                }
            }
            if status != 0 {
                break;
            }
        }
        let ended = match (&steps, status) {
            (Some(steps), 0) => formatted.finish(&mut cursor, steps),
            (None, 0) => list.finish(&mut cursor),
            (Some(_), _) => {
                formatted.abandon(&mut cursor);
                true
            }
            (None, _) => {
                list.abandon(&mut cursor);
                true
            }
        };
        if !ended {
            status = -1;
        }
        write!(out, "{number} {read} {status}").unwrap();
        print_values(case, &values, out);
        out.push('\n');
        if status < 0 {
            break;
        }
    }
}

fn print_values(case: &Case, values: &[Option<Value>], out: &mut String) {
    let mut parts = values.iter();
    for of in RECIPES[case.recipe] {
        match of {
            DataType::Complex(_) if case.format.is_some() => {
                print_value(DataType::Real(8), parts.next().cloned().flatten(), out);
                print_value(DataType::Real(8), parts.next().cloned().flatten(), out);
            }
            of => print_value(of, parts.next().cloned().flatten(), out),
        }
    }
}
