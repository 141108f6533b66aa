//! The readers of data files against the runtime of gfortran: random records, read by both, are accepted and rejected
//! alike, and give equal values.
//!
//! One Fortran program reads all files, several READs each with IOSTAT, and prints the bits of what it got.

#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]
#![allow(clippy::unwrap_used, reason = "a test may fail anywhere")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use camfort_rs::analysis::inputs::data::{Cursor, Format, FormatSteps, FormattedReader, ListReader, Scanned};
use camfort_rs::analysis::inputs::{DataType, Value};

/// How many files there are of each kind of input.
const FILES: u32 = 6000;
/// How many differences are printed.
const REPORTED: usize = 12;
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
contains
  function codes(text)
    character(5), intent(in) :: text
    integer :: codes(5), j
    codes = [(iachar(text(j:j)), j = 1, 5)]
  end function codes
end program reader
";

/// A generator of numbers that is the same on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % bound
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

struct Case {
    recipe: usize,
    comma: bool,
    /// `None` is list-directed.
    format: Option<String>,
    data: Vec<u8>,
}

#[test]
fn list_directed_records_are_read_as_by_gfortran() {
    let mut random = Random(1);
    let cases = (0..FILES).map(|_| list_case(&mut random)).collect();
    compare("list", cases);
}

#[test]
fn formatted_records_are_read_as_by_gfortran() {
    let mut random = Random(2);
    let cases = (0..FILES).map(|_| formatted_case(&mut random)).collect();
    compare("formatted", cases);
}

fn number(random: &mut Random) -> String {
    let mut text = random.pick(&["", "", "", "+", "-"]).to_owned();
    for _ in 0..=random.below(3) {
        text.push_str(random.pick(&["0", "1", "12", "7", "99", "128", "32768"]));
    }
    if random.below(12) == 0 {
        text.push_str(random.pick(&["2147483647", "00000000000", "123456789"]));
    }
    if random.below(2) == 0 {
        text.push_str(random.pick(&[".", ".", ".5", ".25", "."]));
    }
    if random.below(5) == 0 {
        text.push_str(random.pick(&["e", "E", "d", "q", "e+", "e-", "+", "-", "D-"]));
        text.push_str(random.pick(&["", "0", "1", "2", "12", "38", "300"]));
    }
    text
}

fn value(random: &mut Random, of: DataType) -> String {
    let odd = [
        "x",
        "1x",
        "..",
        "1..2",
        "-",
        "+",
        "T",
        "inf",
        "-Infinity",
        "nan",
        "nan(1)",
        "infx",
        "1e",
        "*",
        "0*1",
        "()",
        "$",
        "!",
    ];
    if random.below(14) == 0 {
        return random.pick(&odd).to_owned();
    }
    match of {
        DataType::Integer(_) => {
            let digits = random.pick(&[
                "0",
                "1",
                "12",
                "127",
                "128",
                "-128",
                "-129",
                "+5",
                "32767",
                "-32769",
                "2147483648",
                "007",
            ]);
            if random.below(8) == 0 { number(random) } else { digits.to_owned() }
        }
        DataType::Real(_) => number(random),
        DataType::Logical(_) => random
            .pick(&["T", "f", ".true.", ".FALSE.", ".t", "true", "tabc", ".fx.", "1", "no", ".", ".T."])
            .to_owned(),
        DataType::Complex(_) => match random.below(6) {
            0 => random.pick(&["(1.0 2)", "(1;2)", "(1,2", "1,2", "( 1 ,\n 2 )", "(1,2)x", "(,1)"]).to_owned(),
            _ => {
                let blank = ["", " ", "", "\n"];
                format!(
                    "({}{}{},{}{})",
                    random.pick(&blank),
                    number(random),
                    random.pick(&blank),
                    number(random),
                    random.pick(&blank)
                )
            }
        },
        DataType::Character(_) => random
            .pick(&[
                "abc", "'a b'", "\"it's\"", "'it''s'", "abcdefgh", "''", "'/'", "12", "a'b", "'a,b'", "'abc  '",
                "'ab'c", "'x\ny'", "'",
            ])
            .to_owned(),
    }
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

fn compare(name: &str, cases: Vec<Case>) {
    if Command::new("gfortran").arg("--version").output().is_err() {
        assert!(std::env::var_os("CI").is_none(), "gfortran is missing: run .ci/setup --tests");
        eprintln!("skipped: no gfortran");
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let expected = gfortran(directory.path(), name, &cases);
    let mut found = String::new();
    for (index, case) in cases.iter().enumerate() {
        own(index + 1, case, &mut found);
    }
    let (theirs, ours) = (by_case(&expected, cases.len()), by_case(&found, cases.len()));
    let different = (0..cases.len()).filter(|&index| theirs[index] != ours[index]);
    let different: Vec<usize> = different.collect();
    let mut shortest = different.clone();
    shortest.sort_by_key(|&index| cases[index].data.len());
    let mut report = String::new();
    for index in shortest.into_iter().take(REPORTED) {
        let Case { recipe, comma, format, data } = &cases[index];
        let data = String::from_utf8_lossy(data).into_owned();
        let (theirs, ours) = (theirs[index].join("\n"), ours[index].join("\n"));
        writeln!(report, "recipe {recipe} {comma} {format:?} {data:?}\n{theirs}\n---\n{ours}").unwrap();
    }
    assert!(different.is_empty(), "{} of {} differ\n{report}", different.len(), cases.len());
}

/// The lines of each case, with one blank between words.
fn by_case(text: &str, cases: usize) -> Vec<Vec<String>> {
    let mut lines = vec![Vec::new(); cases];
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let case: usize = words[0].parse().unwrap();
        // What a READ that failed has defined is processor dependent.
        let count = if words[2] == "0" { words.len() } else { 3 };
        lines[case - 1].push(words[1..count].join(" "));
    }
    lines
}

/// What the program prints.
fn gfortran(directory: &Path, name: &str, cases: &[Case]) -> String {
    fs::write(directory.join("reader.f90"), PROGRAM).unwrap();
    let mut list = format!("{}\n", cases.len());
    for (index, case) in cases.iter().enumerate() {
        let comma = if case.comma { 'T' } else { 'F' };
        writeln!(list, "{:2} {comma} {}", case.recipe, case.format.as_deref().unwrap_or("*")).unwrap();
        fs::write(directory.join(format!("{}.dat", index + 1)), &case.data).unwrap();
    }
    fs::write(directory.join("cases.txt"), list).unwrap();
    let run = |program: &mut Command| {
        let output = program.current_dir(directory).output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    run(Command::new("gfortran").args(["-w", "-O0", "reader.f90", "-o", "reader"]));
    run(&mut Command::new(directory.join("reader")))
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

fn print_value(of: DataType, value: Option<Value>, out: &mut String) {
    match (of, value) {
        (_, Some(Value::Integer(value))) => write!(out, " {value}"),
        (DataType::Real(4), Some(Value::Real(value, _))) => write!(out, " {}", bits_4(value)),
        (_, Some(Value::Real(value, _))) => write!(out, " {}", bits_8(value)),
        (_, Some(Value::Complex(re, im, _))) => write!(out, " {} {}", bits_8(re), bits_8(im)),
        (_, Some(Value::Logical(value))) => write!(out, " {}", u8::from(value)),
        (_, Some(Value::Character(text))) => {
            let mut text = text.into_vec();
            text.resize(5, b' ');
            text.iter().try_for_each(|byte| write!(out, " {byte}"))
        }
        (DataType::Integer(_), None) => write!(out, " -7"),
        (DataType::Real(4), None) => write!(out, " {}", bits_4(-7.0)),
        (DataType::Real(_), None) => write!(out, " {}", bits_8(-7.0)),
        (DataType::Complex(_), None) => write!(out, " {} {}", bits_8(-7.0), bits_8(-7.0)),
        (DataType::Logical(_), None) => write!(out, " 0"),
        (DataType::Character(_), None) => write!(out, " 63 32 32 32 32"),
    }
    .unwrap();
}

/// The bits of a real as an integer; all NaNs are one.
fn bits_4(value: f64) -> i32 {
    let value = value as f32;
    (if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() }).cast_signed()
}

fn bits_8(value: f64) -> i64 {
    (if value.is_nan() { 0x7ff8_0000_0000_0000 } else { value.to_bits() }).cast_signed()
}
