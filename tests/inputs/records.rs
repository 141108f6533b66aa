//! What the tests of the readers of data files share: random texts of values, and both readers on many files.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use camfort_rs::analysis::inputs::{DataType, Value};

use crate::common::gfortran_is_there;
use crate::random::Random;

/// How many differences are printed.
const REPORTED: usize = 12;

/// How programs end: with a function of the codes of five characters.
const CODES: &str = "\
contains
  function codes(text)
    character(5), intent(in) :: text
    integer :: codes(5), j
    codes = [(iachar(text(j:j)), j = 1, 5)]
  end function codes
end program reader
";

/// Something like a number.
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

/// Something like a value of a type.
pub fn value(random: &mut Random, of: DataType) -> String {
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

/// What is read of each of many cases.
pub struct Reading<'c, C> {
    /// A program that reads `cases.txt`, a count and a line for each case, and the files `1.dat` and so on; for each
    /// READ it prints the numbers of the case and of the READ, the sign of its status, and numbers for what it read.
    /// [`CODES`] follows.
    pub program: &'c str,
    /// The data of a case.
    pub data: fn(&C) -> &[u8],
    /// Its line of `cases.txt`.
    pub line: fn(&C) -> String,
    /// What the readers of this crate make of it, printed alike.
    pub own: fn(usize, &C, &mut String),
}

impl<C> Reading<'_, C> {
    /// Holds what the program prints against what the readers of this crate make of the same.
    pub fn compare(&self, cases: &[C]) {
        if !gfortran_is_there() {
            return;
        }
        let directory = tempfile::tempdir().unwrap();
        let expected = self.gfortran(directory.path(), cases);
        let mut found = String::new();
        for (index, case) in cases.iter().enumerate() {
            (self.own)(index + 1, case, &mut found);
        }
        let (theirs, ours) = (by_case(&expected, cases.len()), by_case(&found, cases.len()));
        let different: Vec<usize> = (0..cases.len()).filter(|&index| theirs[index] != ours[index]).collect();
        let mut shortest = different.clone();
        shortest.sort_by_key(|&index| (self.data)(&cases[index]).len());
        let mut report = String::new();
        for index in shortest.into_iter().take(REPORTED) {
            let (line, data) = ((self.line)(&cases[index]), String::from_utf8_lossy((self.data)(&cases[index])));
            let (theirs, ours) = (theirs[index].join("\n"), ours[index].join("\n"));
            writeln!(report, "{line} {data:?}\n{theirs}\n---\n{ours}").unwrap();
        }
        assert!(different.is_empty(), "{} of {} differ\n{report}", different.len(), cases.len());
    }

    /// What the program prints.
    fn gfortran(&self, directory: &Path, cases: &[C]) -> String {
        fs::write(directory.join("reader.f90"), format!("{}{CODES}", self.program)).unwrap();
        let mut list = format!("{}\n", cases.len());
        for (index, case) in cases.iter().enumerate() {
            writeln!(list, "{}", (self.line)(case)).unwrap();
            fs::write(directory.join(format!("{}.dat", index + 1)), (self.data)(case)).unwrap();
        }
        fs::write(directory.join("cases.txt"), list).unwrap();
        let run = |program: &mut Command| {
            let output = program.current_dir(directory).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            String::from_utf8(output.stdout).unwrap()
        };
        run(Command::new("gfortran").args(["-w", "-O0", "reader.f90", "-o", "reader"]));
        run(&mut Command::new(directory.join("reader")))
    }
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

/// Prints a value as the programs do: the bits of a real, the codes of characters.
pub fn print_value(of: DataType, value: Option<Value>, out: &mut String) {
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
