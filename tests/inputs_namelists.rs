//! The reader of namelists against the runtime of gfortran: random groups, read by both, are accepted and rejected
//! alike, and give equal values.
//!
//! One Fortran program reads all files, several READs each with IOSTAT up to the first that fails, and prints the bits
//! of the variables of the group.

#![allow(clippy::unwrap_used, reason = "a test may fail anywhere")]

use std::fmt::Write as _;

use camfort_rs::analysis::inputs::data::{
    Cursor, Fails, GroupEnd, GroupRead, NamelistEvent, NamelistVariable, Scanned, read_group,
};
use camfort_rs::analysis::inputs::{DataType, Value};

mod common;
#[path = "inputs/random.rs"]
mod random;
#[path = "inputs/records.rs"]
mod records;

use random::Random;
use records::{Reading, print_value, value};

/// How many files there are.
const FILES: u32 = 6000;

const PROGRAM: &str = "
program reader
  implicit none
  type part
    integer :: n
    real :: w(2)
  end type
  type grid
    integer :: nx
    real(8) :: dx
    character(5) :: kind
    type(part) :: p(2)
  end type
  integer :: n
  integer(1) :: i1
  integer(2) :: i2
  integer(8) :: i8
  real :: r
  real(8) :: d
  logical :: l
  character(5) :: c
  complex(8) :: z
  integer :: v(4), m(2, 3)
  real :: x(-1:2)
  logical :: flags(2)
  character(5) :: names(3)
  type(grid) :: g
  type(part) :: ps(3)
  namelist /main/ n, i1, i2, i8, r, d, l, c, z
  namelist /arrays/ v, m, x, flags, names
  namelist /types/ g, ps
  integer :: ios, k, i, j, case, cases, reads, groups(4)
  logical :: comma
  character(12) :: name
  open (10, file='cases.txt')
  read (10, *) cases
  do case = 1, cases
    read (10, *) reads, groups(1:reads), comma
    write (name, '(i0, a)') case, '.dat'
    if (comma) then
      open (11, file=name, decimal='comma')
    else
      open (11, file=name)
    end if
    do k = 1, reads
      n = -7; i1 = -7; i2 = -7; i8 = -7; r = -7; d = -7; l = .false.; c = '?'; z = (-7, -7)
      v = -7; m = -7; x = -7; flags = .false.; names = '?'
      g = grid(-7, -7, '?', part(-7, -7)); ps = part(-7, -7)
      select case (groups(k))
      case (0); read (11, main, iostat=ios)
      case (1); read (11, arrays, iostat=ios)
      case (2); read (11, types, iostat=ios)
      end select
      write (*, '(2i6, i3)', advance='no') case, k, sign(min(abs(ios), 1), ios)
      if (ios == 0) then
        select case (groups(k))
        case (0)
          write (*, '(*(i21))', advance='no') n, i1, i2, i8, transfer(r, 0), transfer(d, 0_8), merge(1, 0, l), &
            codes(c), transfer(z, [0_8])
        case (1)
          write (*, '(*(i21))', advance='no') v, m, transfer(x, [0]), merge(1, 0, flags), (codes(names(j)), j = 1, 3)
        case (2)
          write (*, '(*(i21))', advance='no') g%nx, transfer(g%dx, 0_8), codes(g%kind), g%p%n, &
            ((transfer(g%p(i)%w(j), 0), i = 1, 2), j = 1, 2), ps%n, ((transfer(ps(i)%w(j), 0), i = 1, 3), j = 1, 2)
        end select
      end if
      print *
      if (ios /= 0) exit
    end do
    close (11)
  end do
";

/// The groups: their names, and their variables.
const GROUPS: [(&str, &[Declared]); 3] = [
    (
        "main",
        &[
            ("n", DataType::Integer(4), &[], &[0]),
            ("i1", DataType::Integer(1), &[], &[0]),
            ("i2", DataType::Integer(2), &[], &[0]),
            ("i8", DataType::Integer(8), &[], &[0]),
            ("r", DataType::Real(4), &[], &[0]),
            ("d", DataType::Real(8), &[], &[0]),
            ("l", DataType::Logical(4), &[], &[0]),
            ("c", DataType::Character(Some(5)), &[], &[0]),
            ("z", DataType::Complex(8), &[], &[0]),
        ],
    ),
    (
        "arrays",
        &[
            ("v", DataType::Integer(4), &[(1, 4)], &[1]),
            ("m", DataType::Integer(4), &[(1, 2), (1, 3)], &[2]),
            ("x", DataType::Real(4), &[(-1, 2)], &[1]),
            ("flags", DataType::Logical(4), &[(1, 2)], &[1]),
            ("names", DataType::Character(Some(5)), &[(1, 3)], &[1]),
        ],
    ),
    (
        "types",
        &[
            ("g%nx", DataType::Integer(4), &[], &[0, 0]),
            ("g%dx", DataType::Real(8), &[], &[0, 0]),
            ("g%kind", DataType::Character(Some(5)), &[], &[0, 0]),
            ("g%p%n", DataType::Integer(4), &[(1, 2)], &[0, 1, 0]),
            ("g%p%w", DataType::Real(4), &[(1, 2), (1, 2)], &[0, 1, 1]),
            ("ps%n", DataType::Integer(4), &[(1, 3)], &[1, 0]),
            ("ps%w", DataType::Real(4), &[(1, 3), (1, 2)], &[1, 1]),
        ],
    ),
];

/// A variable: name, type, bounds, and how many of them belong to each part of the name.
type Declared = (&'static str, DataType, &'static [(i64, i64)], &'static [usize]);

/// A file, and the groups that are read from it.
struct Case {
    groups: Vec<usize>,
    comma: bool,
    data: Vec<u8>,
}

#[test]
fn namelists_are_read_as_by_gfortran() {
    let mut random = Random::new(3);
    let cases: Vec<Case> = (0..FILES).map(|_| case(&mut random)).collect();
    let line = |case: &Case| {
        let groups: Vec<String> = case.groups.iter().map(ToString::to_string).collect();
        format!("{} {} {}", groups.len(), groups.join(" "), if case.comma { 'T' } else { 'F' })
    };
    Reading { program: PROGRAM, data: |case: &Case| &case.data, line, own }.compare(&cases);
}

fn case(random: &mut Random) -> Case {
    let groups: Vec<usize> = (0..1 + random.below(3)).map(|_| random.below(GROUPS.len())).collect();
    let comma = random.below(8) == 0;
    let mut text = String::new();
    for &group in &groups {
        if random.below(10) == 0 {
            text.push_str(random.pick(&[
                "! &main n = 1 /\n",
                "words\n",
                "\n",
                "a = 1\n",
                "&other a = 1 /\n",
                "  ",
                "/\n",
            ]));
        }
        match random.below(30) {
            0 => {}
            1 => {
                let other = random.below(GROUPS.len());
                write_group(random, other, comma, &mut text);
            }
            _ => write_group(random, group, comma, &mut text),
        }
    }
    if random.below(4) == 0 {
        text.truncate(text.trim_end_matches('\n').len());
    }
    if random.below(10) == 0 {
        text = text.replace('\n', "\r\n");
    }
    Case { groups, comma, data: text.into_bytes() }
}

fn write_group(random: &mut Random, group: usize, comma: bool, text: &mut String) {
    let (name, variables) = GROUPS[group];
    let sign = random.pick(&["&", "&", "&", "$", " &", "\t&"]);
    let name = if random.below(4) == 0 { name.to_ascii_uppercase() } else { name.to_owned() };
    let behind = random.pick(&["\n", "\n", " ", "  ", " ! first\n", "\t", ",", "!\n"]);
    write!(text, "{sign}{name}{behind}").unwrap();
    for _ in 0..random.below(5) {
        let variable = variables[random.below(variables.len())];
        assignment(random, variable, comma, text);
    }
    text.push_str(
        random
            .pick(&["/\n", "/\n", "/\n", " /\n", "\n/\n", "&end\n", "$end\n", "&END\n", "$\n", "/ rest\n", "\n", "/"]),
    );
}

/// A name with subscripts, and its values.
fn assignment(random: &mut Random, of: Declared, comma: bool, text: &mut String) {
    let (name, data_type, bounds, dimensions) = of;
    let depth = if random.below(6) == 0 { 1 } else { dimensions.len() };
    let mut bounds = bounds.iter();
    let (mut written, mut count) = (String::new(), 1);
    for (part, &rank) in name.split('%').zip(dimensions).take(depth) {
        if !written.is_empty() {
            written.push('%');
        }
        written.push_str(part);
        let bounds: Vec<(i64, i64)> = bounds.by_ref().take(rank).copied().collect();
        let (has_subscripts, size) = (random.below(3) == 0, bounds.iter().map(|it| it.1 - it.0 + 1).product::<i64>());
        count *= size;
        // What an array without subscripts inside of a structure means depends on the name before.
        let has_subscripts = has_subscripts || (written.contains('%') && name.starts_with("g%p") && part == "p");
        if has_subscripts && rank > 0 {
            let subscripts: Vec<String> = bounds.iter().map(|&it| subscript(random, it)).collect();
            write!(written, "{}({})", random.pick(&["", "", " "]), subscripts.join(random.pick(&[",", ", "]))).unwrap();
        }
    }
    if matches!(data_type, DataType::Character(_)) && random.below(6) == 0 {
        written.push_str(random.pick(&["(1:2)", "(2:)", "(:3)", "(4:5)", "(3:2)", "(2)", "(1:9)", "(0:2)", "(:)"]));
    }
    match random.below(25) {
        0 => written.push('q'),
        1 => written.push_str("%q"),
        2 => written.push_str("(1)"),
        _ => {}
    }
    if random.below(5) == 0 {
        written = written.to_ascii_uppercase();
    }
    text.push_str(random.pick(&["", "", " ", "  ", "\n"]));
    text.push_str(&written);
    // What the runtime makes of comments and empty values behind logical values, of words for them, and in structures
    // inside of structures, depends on what was looked at before.
    let is_plain = name.contains('%') || matches!(data_type, DataType::Logical(_));
    let equals = ["=", " = ", " =", "= ", "\t=\t", " = \n", "\n= ", " = ! none\n"];
    text.push_str(random.pick(if is_plain { &equals[..7] } else { &equals }));
    let most = usize::try_from(count).unwrap() + 1;
    let separators =
        [" ", ", ", ",", ", ", "\n", ",\n", " , ", "\t", ",,", ";", " ! note\n", ", ! note\n", "\n\n", "  "];
    for _ in 0..if random.below(3) == 0 { random.below(most + 1) } else { 1 } {
        if random.below(7) == 0 && !is_plain {
            text.push_str(random.pick(&["2*", "3*", "1*", "12*"]));
        }
        if random.below(25) > 0 {
            let mut value = value(random, data_type);
            // What the runtime makes of a part of a complex number that is none is left to chance.
            if matches!(data_type, DataType::Complex(_)) {
                value = random.pick(&["(1,2)", "(1.5, -2)", "( 1 , 2 )", "(1e3,2d0)", "(\n1,2)", "x", "1"]).to_owned();
            }
            if matches!(data_type, DataType::Character(_)) && random.below(2) == 0 {
                value = random.pick(&["'a'", "\"bc\"", "'it''s'", "'a, b'", "'&end'", "'x = 1'"]).to_owned();
            }
            if matches!(data_type, DataType::Logical(_)) {
                value = random.pick(&["T", "f", ".true.", ".FALSE.", ".t", ".fx.", "1", "."]).to_owned();
            }
            if comma && !value.contains("..") && !value.contains('\'') {
                value = value.replace(',', ";").replace('.', ",");
            }
            text.push_str(&value);
        }
        let separator = random.pick(if is_plain { &separators[..5] } else { &separators });
        text.push_str(&if comma { separator.replace(',', ";") } else { separator.to_owned() });
    }
    text.push_str(random.pick(if is_plain { &["\n", " "] } else { &["\n", "\n", " ", ", ", ""] }));
}

fn subscript(random: &mut Random, (lower, upper): (i64, i64)) -> String {
    let index = |random: &mut Random| match random.below(14) {
        0 => upper + 1,
        1 => lower - 1,
        _ => lower + random.below(usize::try_from(upper - lower + 1).unwrap()) as i64,
    };
    match random.below(8) {
        0 => ":".to_owned(),
        1 => format!("{}:", index(random)),
        2 => format!(":{}", index(random)),
        3 => format!("{}:{}", index(random), index(random)),
        4 => format!("{}:{}:{}", index(random), index(random), random.pick(&["1", "2", "-1", "0"])),
        5 => format!(" {} ", index(random)),
        _ => index(random).to_string(),
    }
}

/// A text of five characters with a part replaced.
fn with_part(text: Option<&Value>, (first, last): (usize, usize), part: Option<&Value>) -> Option<Value> {
    let bytes = |value: Option<&Value>| match value {
        Some(Value::Character(bytes)) => bytes.to_vec(),
        _ => b"?".to_vec(),
    };
    let (mut text, mut part) = (bytes(text), bytes(part));
    text.resize(5, b' ');
    part.resize(last + 1 - first, b' ');
    text[first - 1..last].copy_from_slice(&part);
    Some(Value::text(&text))
}

/// What the reader of this crate makes of a case, printed alike.
fn own(number: usize, case: &Case, out: &mut String) {
    let mut cursor = Cursor::new(case.data.as_slice());
    for (read, &group) in case.groups.iter().enumerate() {
        let (name, variables) = GROUPS[group];
        let described: Vec<NamelistVariable> = variables
            .iter()
            .map(|&(name, data_type, bounds, dimensions)| NamelistVariable {
                name: name.to_owned(),
                data_type,
                bounds: bounds.iter().map(|&it| Some(it)).collect(),
                dimensions: dimensions.to_vec(),
            })
            .collect();
        let size = |of: &Declared| of.2.iter().map(|it| it.1 - it.0 + 1).product::<i64>() as usize;
        let mut cells: Vec<Vec<Option<Value>>> = variables.iter().map(|of| vec![None; size(of)]).collect();
        let mut is_bad = false;
        let read_as = read_group(&mut cursor, name, &described, case.comma, &mut |event| match event {
            NamelistEvent::Value(of, Scanned::Value(field)) => {
                let cell = &mut cells[of.variable][of.number.unwrap()];
                *cell = match of.substring {
                    Some(part) => with_part(cell.as_ref(), part, field.value.as_ref()),
                    None => field.value,
                };
            }
            NamelistEvent::Value(_, Scanned::Null) => {}
            NamelistEvent::Value(_, Scanned::Bad(_) | Scanned::End)
            | NamelistEvent::UnknownName(..)
            | NamelistEvent::Subscript(..)
            | NamelistEvent::TooMany(..)
            | NamelistEvent::Malformed(..) => is_bad = true,
        });
        let GroupRead { end, fails } = read_as;
        assert!(!is_bad || fails.is_some(), "case {number}");
        let status = match (fails, end) {
            (Some(Fails::Error), _) => 1,
            (Some(Fails::End), _) | (None, GroupEnd::Missing | GroupEnd::Open) => -1,
            (None, GroupEnd::Complete) => 0,
        };
        write!(out, "{number} {} {status}", read + 1).unwrap();
        if status == 0 {
            for (&(_, data_type, ..), cells) in variables.iter().zip(cells) {
                cells.into_iter().for_each(|value| print_value(data_type, value, out));
            }
        }
        out.push('\n');
        if status != 0 {
            break;
        }
    }
}
