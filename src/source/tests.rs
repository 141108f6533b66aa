//! Layout rules: text in, cooked statements out.

use super::{PrescanOptions, prescan};

#[test]
fn statements_of_both_forms_are_found() {
    let free = prescan("a.f90", b"program p\n  x = 1; y = &\n    2\nend\n".to_vec(), &PrescanOptions::default());
    let texts: Vec<_> = free.statements.iter().map(|statement| free.text(statement)).collect();
    assert_eq!(texts, [&b"program p"[..], b"x=1", b"y=2", b"end"]);
    let fixed = prescan("a.f", b"C\n   10 GO\n     1 TO 20\n".to_vec(), &PrescanOptions::default());
    assert_eq!(fixed.text(&fixed.statements[0]), b"goto20");
    assert_eq!(fixed.statements[0].label, Some(10));
}
