//! The files of `tests/fixtures/parse`, each of which probes what tools are known to choke on: their statements as
//! cooked text. What findings they give is in `tests/parse_cases.rs`.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{FormChoice, PrescanOptions, Prescanned, SourceForm, prescan, statements};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/parse")
}

fn fixture(name: &str) -> Prescanned {
    let bytes = std::fs::read(directory().join(name)).expect("the fixture is there");
    let read = Arc::new(|path: &Path| std::fs::read(directory().join(path)));
    prescan(name, bytes, &PrescanOptions { read, ..PrescanOptions::default() })
}

/// Checks that these are among the statements of a fixture, and that there are so many in all.
#[track_caller]
fn holds(name: &str, count: usize, expected: &[&str]) {
    let found = statements(&fixture(name));
    assert_eq!(found.len(), count, "{found:#?}");
    for text in expected {
        assert!(found.iter().any(|statement| statement == text), "no {text} in {found:#?}");
    }
}

#[test]
fn any_column_six() {
    let long =
        ["subroutinesixth(a,b,c,d,e,f,g,h)", "a=b+c+d+e+f+g+h", "d=1.0", "c=a+b+e", "print*,c,'last',f", "e=a+b+c"];
    holds("any_column_six.f", 8, &long);
}

#[test]
fn blank_blind() {
    let some = ["do10k=1.5", "do10i=1,10", "10|continue", "if(kount.gt.100)then", "40|assign30tokount", "endif=kount"];
    holds("fixed_form_blanks.f", 37, &some);
}

#[test]
fn cut_tokens() {
    let constant = "s='don''t stop he                                                        re'";
    let some = [
        "programcuts",
        "integerlongname,k",
        "x=3.14159265d-3",
        "longname=12345",
        constant,
        "goto100",
        "110|format(1x,i5,a30)",
    ];
    holds("continued_tokens.f", 17, &some);
}

#[test]
fn tab_format() {
    holds(
        "tab_format.f",
        18,
        &["integeri,j,k", "10|x(i)=0.0", "20|j=1+2+3", "30|continue", "40|format('a\tb',i5)", "50|continue"],
    );
}

#[test]
fn past_72() {
    let constant = "text='THIS CONSTANT RUNS UP TO COLUMN SEVENTY-TWO AND THEN GOES THE NEXT CARD'";
    let some = [
        "total=weight(1)+weight(2)+weight(3)+weight(4)+weight(6)",
        constant,
        "text='IT''S'",
        "10|weight(i)=0.0",
        "end",
    ];
    holds("past_72.f", 11, &some);
}

#[test]
fn dos_lines() {
    holds(
        "dos_lines.f90",
        17,
        &["integer::first,second,third", "s='a string that goes on and on'", "call remote(first)"],
    );
}

#[test]
fn quotes_in_quotes() {
    let some = [
        "t=''''''",
        "s='cut here and \"there\"  and here: ''quoted'''",
        "s=\"don't & do ! this\"//'or \"that'//' & this'//\"&\"",
        "print*,'a','b','c'",
    ];
    holds("quotes_in_quotes.f90", 15, &some);
}

#[test]
fn sentinels() {
    let prescanned = fixture("sentinels.f90");
    holds("sentinels.f90", 18, &["a(i)=real(i)+1.0", "a(i)=2*a(i)", "k=k+1"]);
    assert_eq!(prescanned.directives.len(), 13);
}

#[test]
fn hollerith_mix() {
    let some = ["real*8r8heap(size),x2h,e4h", "dataid/4hAB'C,4hX(\"),1h)/", "if(key.eq.4h    )callput(2h, ,1h/,1,id)"];
    holds("hollerith_mix.f", 18, &some);
}

#[test]
fn two_openers() {
    holds(
        "alternative_openings.F90",
        16,
        &["subroutine exchange(a,n)", "if(a(i)<1.0)then", "a(i)=a(i)+1.0", "select case(mod(n,2))"],
    );
}

#[test]
fn type_macros() {
    let some =
        ["integer(kind=4),intent(in)::n", "total=a(1)+a(2)+a(3)", "write(*,*)'wrong size'", "if(total>0d0)ierr=27"];
    holds("type_macros.F90", 18, &some);
}

#[test]
fn io_statements() {
    holds("io_statements.f", 42, &["common/units/lun,ios", "open(newunit=lun,file=fname,readonly,shared)"]);
}

fn all_fixtures() -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(directory())? {
        let entry = entry?;
        if entry.file_type()?.is_file() && entry.path().extension().is_some_and(|extension| extension != "toml") {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// The text under a statement's span, on its own, is the same statement.
#[test]
fn spans_hold_their_statements() {
    for name in all_fixtures().expect("the fixtures are there") {
        let prescanned = fixture(&name);
        let (form, margin) = match prescanned.form {
            SourceForm::Fixed => (FormChoice::Fixed, "      "),
            SourceForm::Free => (FormChoice::Free, ""),
        };
        for statement in prescanned.statements.iter().filter(|one| !one.from_macro && !one.hides) {
            let alone = prescanned.texts.bytes(statement.span);
            if memchr::memmem::find(alone, b"\n#").is_some() {
                // Conditions inside of the statement ask for what was defined before it.
                continue;
            }
            // The text keeps its column: constants are padded and cut by it. A label stands in its field already.
            let (_, start, _) = prescanned.texts.locate(statement.span);
            let column = if statement.position_on_line == 0 { start.column as usize - 1 } else { margin.len() };
            let text = prescanned.texts.text_at(statement.span.start);
            let line = &text.line(start.line)[..column.min(text.line(start.line).len())];
            let before: Vec<u8> =
                if statement.position_on_line == 0 { line.to_vec() } else { margin.as_bytes().to_vec() };
            let again = prescan(name.as_str(), [&before, alone].concat(), &super::options(form));
            assert_eq!(again.statements.len(), 1, "{name}: {}", String::from_utf8_lossy(alone));
            assert_eq!(again.text(&again.statements[0]), prescanned.text(statement), "{name}");
            assert_eq!(again.statements[0].label, statement.label, "{name}");
        }
    }
}
