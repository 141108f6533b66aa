//! A malformed specification is an error at the exact column and says what was expected there.

use crate::analysis::stencil::spec::{CommentText, SpecificationText, parse, specification_texts};

/// The specification in source lines that each hold one comment; nothing else is on them.
fn text_of(source: &str) -> SpecificationText {
    let mut comments = Vec::new();
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        let sign = line.find(['!', 'c']).expect("a comment") + 1;
        let text = line[sign..].trim_end_matches('\n').as_bytes();
        comments.push(CommentText { text, start: (start + sign) as u32, own_line: true, statements_before: 0 });
        start += line.len();
    }
    specification_texts(&comments).pop().expect("a specification")
}

/// Line, column (from 1) and message of the error in a source.
fn error(source: &str) -> (usize, usize, String) {
    let text = text_of(source);
    let error = parse(&text.text).expect_err(source);
    let before = &source[..text.source_offset(error.offset) as usize];
    let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
    (before.matches('\n').count() + 1, column, error.to_string())
}

fn column(line: &str) -> (usize, String) {
    let (_, column, message) = error(line);
    (column, message)
}

#[track_caller]
fn assert_error(line: &str, at: usize, message: &str) {
    assert_eq!(column(line), (at, message.to_owned()), "{line}");
}

#[test]
fn errors_stand_at_the_first_wrong_token() {
    assert_error("    != stencil readOnce, pointed(dim=) :: a", 38, "Expected a positive integer but found ')'");
    assert_error("    != stencil readOnce, forward(depth 1, dim=1) :: a", 40, "Expected '=' but found '1'");
    assert_error("    != stencil readOnce, (pointed(dim=1) :: a", 42, "Expected '+', '*' or ')' but found '::'");
    assert_error("    != stencil readOnce, pointed(dim=1) a", 41, "Expected '+', '*' or '::' but found 'a'");
    assert_error("    != stencil readOnce, pointed(dim=1) + :: a", 43, "Expected a region but found '::'");
    assert_error(
        "    != stencil readOnce, backward(depth=-1, dim=1) :: a",
        41,
        "Expected a positive integer but found '-'",
    );
    assert_error("c= stencil readOnce, pointed(dim=1 :: A", 36, "Expected ',' or ')' but found '::'");
}

#[test]
fn every_rule_of_the_grammar_says_what_it_expects() {
    assert_error("!= stencil pointed(dim=1) ::", 29, "Expected a variable but found the end of the line");
    assert_error("!= stencil pointed(dim=1) ::  ", 29, "Expected a variable but found the end of the line");
    assert_error("!= stencil", 11, "Expected a region but found the end of the line");
    assert_error("!= stencil pointed(dim=1)", 26, "Expected '+', '*' or '::' but found the end of the line");
    assert_error("!= stencil forward(dim=1) :: a", 25, "Expected ',' and 'depth=' but found ')'");
    assert_error("!= stencil forward(depth=1) :: a", 27, "Expected ',' and 'dim=' but found ')'");
    assert_error("!= stencil forward(nonpointed) :: a", 30, "Expected ',' and 'depth=' and 'dim=' but found ')'");
    assert_error(
        "!= stencil forward() :: a",
        20,
        "Expected 'along=', 'depth=', 'dim=', 'free' or 'nonpointed' but found ')'",
    );
    assert_error("!= stencil forward(depth=1, dim=1; :: a", 34, "Expected ',' or ')' but found ';'");
    assert_error("!= stencil pointed(dim=1, depth=1) :: a", 27, "Expected 'along=' or 'free' but found 'depth'");
    assert_error("!= access pointed(dim=1, depth=1) :: a", 24, "Expected ')' but found ','");
    assert_error("!= stencil pointed(depth=1) :: a", 20, "Expected 'along=', 'dim=' or 'free' but found 'depth'");
    let twice = "Expected 'along=', 'free' or 'nonpointed' but found 'depth'";
    assert_error("!= stencil centered(depth=1, dim=1, depth=2) :: a", 37, twice);
    assert_error("!= stencil forward(depth=0, dim=1) :: a", 26, "Expected a positive integer but found '0'");
    assert_error("!= stencil pointed(dim=0) :: a", 24, "Expected a positive integer but found '0'");
    let large = "Expected an integer of at most 9223372036854775807 but found '99999999999999999999'";
    assert_error("!= stencil pointed(dim=99999999999999999999) :: a", 24, large);
    let twice = "Expected a region (such a modifier is given already) but found";
    assert_error("!= stencil atMost, atLeast, pointed(dim=1) :: a", 20, &format!("{twice} 'atLeast'"));
    assert_error("!= stencil readOnce readonce pointed(dim=1) :: a", 21, &format!("{twice} 'readonce'"));
    assert_error("!= stencil pointed(dim=1) * atMost :: a", 29, "Expected a region but found 'atMost'");
    let constant = "Expected 'pointed', 'forward', 'backward', 'centered', 'shifted' or 'fixed' but found 'foward'";
    assert_error("!= stencil foward(depth=1, dim=1) :: a", 12, constant);
    assert_error(
        "!= stencil pointed(dim=1) :: a(i)",
        31,
        "Expected ',', another variable or the end of the line but found '('",
    );
    assert_error("!= stencil pointed(dim=1) :: a,", 32, "Expected a variable but found the end of the line");
    assert_error(
        "!= stencil pointed(dim=1) :: a%",
        32,
        "Expected the name of a component but found the end of the line",
    );
    assert_error("!= stencil pointed(dim=1)) :: a", 26, "Expected '+', '*' or '::' but found ')'");
    assert_error("!= stencil pointed dim=1 :: a", 20, "Expected '(' but found 'dim'");
    assert_error("!= stencil é :: a", 12, "Expected a region but found 'é'");
    assert_error("!= region r = pointed(dim=1)", 11, "Expected '::' but found 'r'");
    assert_error("!= region :: = pointed(dim=1)", 14, "Expected a name for the region but found '='");
    let keyword = "Expected a name for the region that is no keyword but found 'Pointed'";
    assert_error("!= region :: Pointed = pointed(dim=1)", 14, keyword);
    assert_error("!= region :: r pointed(dim=1)", 16, "Expected '=' but found 'pointed'");
    assert_error("!= region :: r = pointed(dim=1) :: a", 33, "Expected '+', '*' or the end of the line but found '::'");
}

#[test]
fn directions_belong_to_moving_dimensions_of_stencils() {
    let in_access = "Expected an attribute that an 'access' can have but found";
    assert_error("!= access pointed(dim=1, free) :: a", 26, &format!("{in_access} 'free'"));
    assert_error("!= access readOnce, backward(along=2, dim=1) :: a", 30, &format!("{in_access} 'along'"));
    assert_error("!= access (pointed(dim=1) + shifted(by=2 dim=1 free)) :: a", 48, &format!("{in_access} 'free'"));
    assert_error("!= stencil pointed(along=1, dim=2, free) :: a", 34, "Expected ')' but found ','");
    assert_error(
        "!= stencil forward(free, along=2) :: a",
        26,
        "Expected 'depth=', 'dim=' or 'nonpointed' but found 'along'",
    );
    assert_error("!= stencil fixed(at=1, dim=1, free) :: a", 29, "Expected ')' but found ','");
    assert_error("!= stencil fixed(along=1, dim=1) :: a", 18, "Expected 'at=' or 'dim=' but found 'along'");
    assert_error("!= stencil pointed(along=0, dim=1) :: a", 26, "Expected a positive integer but found '0'");
    assert_error("!= stencil pointed(along=i, dim=1) :: a", 26, "Expected a positive integer but found 'i'");
    assert_error("!= stencil pointed(along=61, dim=1) :: a", 26, "Expected an integer of at most 60 but found '61'");
    assert!(parse(b"region :: r = pointed(along=60, dim=1) + pointed(dim=2, free)").is_ok());
}

#[test]
fn shifts_and_fixed_indices_say_by_and_at_what() {
    assert_error("!= stencil shifted(dim=1) :: a", 25, "Expected ',' and 'by=' but found ')'");
    assert_error("!= stencil shifted(by=0, dim=1) :: a", 23, "Expected an integer other than 0 but found '0'");
    assert_error("!= stencil shifted(by=two, dim=1) :: a", 23, "Expected an integer other than 0 but found 'two'");
    assert_error("!= stencil shifted(by=-, dim=1) :: a", 23, "Expected an integer other than 0 but found '-'");
    assert_error("!= stencil shifted(by=2, depth=0, dim=1) :: a", 32, "Expected a positive integer but found '0'");
    let holed = "Expected 'along=', 'depth=' or 'free' but found 'nonpointed'";
    assert_error("!= stencil shifted(by=2, dim=1, nonpointed) :: a", 33, holed);
    let twice = "Expected 'along=', 'depth=', 'dim=' or 'free' but found 'by'";
    assert_error("!= stencil shifted(by=2, by=3, dim=1) :: a", 26, twice);
    assert_error("!= stencil fixed(at=1) :: a", 22, "Expected ',' and 'dim=' but found ')'");
    assert_error("!= stencil fixed(at=, dim=1) :: a", 21, "Expected an integer or a name but found ','");
    assert_error("!= stencil fixed(at=n-1, dim=1) :: a", 22, "Expected ',' and 'dim=' but found '-'");
    assert_error("!= stencil fixed(dim=1, at=n-1) :: a", 29, "Expected ')' but found '-'");
    assert_error("!= stencil fixed(dim=1, depth=1) :: a", 25, "Expected 'at=' but found 'depth'");
    let large = "Expected an integer of less than 17 digits but found '36028797018963968'";
    assert_error("!= stencil fixed(dim=1, at=36028797018963968) :: a", 28, large);
    assert_error(
        "!= region :: Shifted = pointed(dim=1)",
        14,
        "Expected a name for the region that is no keyword but found 'Shifted'",
    );
}

#[test]
fn errors_in_continued_specifications_stand_on_their_line() {
    let source = "!= stencil readOnce, &\n  != & pointed(dim=1)* &\n  != &  pointed(dim=x) :: a\n";
    assert_eq!(error(source), (3, 21, "Expected a positive integer but found 'x'".to_owned()));
    let lonely = "Expected a comment with the same marker and '&' on the next line but found none".to_owned();
    assert_eq!(error("!= stencil readOnce, &\n!> & pointed(dim=1) :: a\n"), (1, 22, lonely));
    assert_eq!(error("  != stencil readOnce, pointed(dim=1 + &\n  != &").1, 38);
}

#[test]
fn nesting_is_bounded() {
    let nested = |depth: usize| format!("stencil {}pointed(dim=1){} :: a", "(".repeat(depth), ")".repeat(depth));
    assert!(parse(nested(64).as_bytes()).is_ok());
    let error = parse(nested(20_000).as_bytes()).expect_err("too deep");
    assert_eq!((error.offset, error.found.as_str()), (8 + 64, "'('"));
    let long = format!("stencil {} :: a", vec!["pointed(dim=1)"; 20_000].join(" + "));
    assert!(parse(long.as_bytes()).is_ok());
}

#[test]
fn arbitrary_bytes_give_an_error_inside_the_text() {
    for text in [&b"stencil \xff\xfe :: a"[..], b"", b"   ", b"stencil\0", b"stencil pointed(dim=1) :: a\xe9"] {
        let error = parse(text).expect_err("malformed");
        assert!(error.offset + error.length <= text.len());
    }
}
