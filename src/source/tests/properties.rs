//! What holds for any input.

use proptest::prelude::*;

use super::{FormChoice, Prescanned, options, prescan};

/// Bytes that look enough like Fortran to reach every part of the prescanner.
fn source() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop::sample::select(vec![
        "\n",
        "\n",
        "\n      ",
        "\n     1",
        "\n   10 ",
        "\nc ",
        "\n#if 1\n",
        "\n#else\n",
        "\n#endif\n",
        "\r\n",
        "\t",
        " ",
        "&",
        "&\n",
        "!",
        "'",
        "\"",
        ";",
        "4H",
        "3h",
        "a",
        "b(1)",
        " = ",
        "end if",
        "10 ",
        "!$omp x",
        "include 'x'\n",
        "M",
        "F(",
        ")",
        ",",
        "F",
        "\n#define M a;'b' \\\n\n",
        "\n#define F(x) x##M #x \"\n",
        "\n#undef M\n",
        "\n#include \"x\"\n",
        "/*",
        "*/",
        "__LINE__",
        "\u{e9}",
    ]);
    let piece = prop_oneof![
        8 => pieces.prop_map(|piece| piece.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..6),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

/// Checks the invariants of a result.
fn check(prescanned: &Prescanned, size: usize) -> Result<(), TestCaseError> {
    prop_assert_eq!(prescanned.cooked.len(), prescanned.origins.len());
    let mut behind = 0;
    for statement in &prescanned.statements {
        prop_assert_eq!(statement.start, behind);
        behind = statement.end;
        prop_assert!(statement.end > statement.start || statement.label.is_some() && statement.end == statement.start);
        prop_assert!(statement.span.start < statement.span.end);
        prop_assert!(statement.span.end as usize <= size);
        let origins = &prescanned.origins[statement.start as usize..statement.end as usize];
        prop_assert!(origins.iter().all(|&origin| (origin as usize) < size));
        prop_assert!(statement.from_macro || origins.is_sorted());
    }
    prop_assert_eq!(behind as usize, prescanned.cooked.len());
    let count = prescanned.statements.len() as u32;
    prop_assert!(prescanned.comments.iter().all(|one| one.statements_before <= count && one.span.end as usize <= size));
    prop_assert!(prescanned.comments.is_sorted_by_key(|one| one.statements_before));
    prop_assert!(prescanned.directives.iter().all(|one| one.statements_before <= count));
    prop_assert!(prescanned.inactive.iter().all(|span| span.start < span.end && span.end as usize <= size));
    prop_assert!(prescanned.notes.len() <= 5 * 21);
    Ok(())
}

/// What the property below found once.
#[test]
fn arguments_that_go_over_an_odd_line_are_prescanned() {
    let source = b"\n\n#define F(x) x##M #x \"\n)4H = F(include 'x'\n&".to_vec();
    let length = source.len();
    for form in [FormChoice::Fixed, FormChoice::Free] {
        check(&prescan("a.f90", source.clone(), &options(form)), length).expect("as the property asks");
    }
}

proptest! {
    #[test]
    fn any_source_is_prescanned(bytes in source(), fixed in any::<bool>()) {
        let form = if fixed { FormChoice::Fixed } else { FormChoice::Free };
        let prescanned = prescan("a.f90", bytes.clone(), &options(form));
        check(&prescanned, bytes.len())?;
    }

    #[test]
    fn any_bytes_are_prescanned(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let prescanned = prescan("a.unknown", bytes.clone(), &options(FormChoice::Auto));
        check(&prescanned, bytes.len())?;
    }
}
