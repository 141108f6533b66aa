//! Which statement a specification belongs to, what keeps it from one, and where region variables are seen.

use std::path::Path;

use super::*;
use crate::analysis::stencil::spec::Region;
use crate::workspace::{Project, SourceOptions};

/// Looks at the specifications of a text, with their scopes.
fn with_scopes<T>(file: &str, text: &str, look: impl FnOnce(&Specifications, &RegionScopes<'_>) -> T) -> T {
    let project = Project::load(&[], SourceOptions::default());
    let view = project.view(Path::new(file), text.to_owned());
    let (tree, resolved) = (view.tree(), view.names());
    let regions = KnownRegions::default();
    let modules = ModuleRegions::new(&project, &regions);
    let found = specifications(tree, resolved, modules);
    let scopes = RegionScopes { tree, resolved, modules, regions: &found.regions };
    look(&found, &scopes)
}

/// The code of a finding and the source that it is about.
fn finding_text(scopes: &RegionScopes<'_>, finding: &Finding) -> (&'static str, String) {
    let line = scopes.tree.source.texts.root().line(finding.location.start.line);
    let columns = finding.location.start.column as usize - 1..finding.location.end.column as usize - 1;
    (finding.rule.code, String::from_utf8_lossy(&line[columns]).into_owned())
}

/// The source of each statement that a specification is attached to (for a construct with that of its last one), and
/// the findings.
fn attached_in(file: &str, text: &str) -> (Vec<String>, Vec<(&'static str, String)>) {
    with_scopes(file, text, |found, scopes| {
        let source = |id: StatementId| {
            String::from_utf8_lossy(scopes.tree.source.texts.bytes(scopes.tree.statements[id].span)).into_owned()
        };
        let below = |attached: &Attached| match attached.last {
            None => source(attached.statement),
            Some(last) => format!("{} … {}", source(attached.statement), source(last)),
        };
        let findings = found.findings.iter().map(|finding| finding_text(scopes, finding));
        (found.attached.iter().map(below).collect(), findings.collect())
    })
}

fn attached(text: &str) -> (Vec<String>, Vec<(&'static str, String)>) {
    attached_in("s.f90", text)
}

const SAID: &str = "!= stencil readOnce, pointed(dim=1) :: a\n";

/// A specification in front of some lines of a subroutine.
fn before(lines: &str) -> (Vec<String>, Vec<(&'static str, String)>) {
    attached(&format!("subroutine s(a, b, n)\n integer :: n, i\n real :: a(n), b(n)\n{SAID}{lines}end subroutine\n"))
}

#[test]
fn a_specification_belongs_to_the_assignment_that_follows() {
    let expected = (vec!["b(i) = a(i)".to_owned()], vec![]);
    assert_eq!(before(" b(i) = a(i)\n"), expected);
    // Blank lines, remarks and other specifications may stand between.
    assert_eq!(before("\n ! a remark\n\n b(i) = a(i)\n"), expected);
    let (statements, findings) = before("!= access pointed(dim=1) :: b\n b(i) = a(i)\n");
    assert_eq!((statements, findings), (vec!["b(i) = a(i)".to_owned(); 2], vec![]));
    // What an IF governs on its line, too.
    assert_eq!(before(" if (i > 1) b(i) = a(i)\n").0, ["if (i > 1) b(i) = a(i)"]);
    let fixed = "      SUBROUTINE S(A, B, I)\n      REAL A(9), B(9)\nC= stencil pointed(dim=1) :: A\n      B(I) = A(I)\n      END\n";
    assert_eq!(attached_in("s.f", fixed).0, ["B(I) = A(I)"]);
}

#[test]
fn a_specification_above_a_construct_speaks_of_all_of_it() {
    assert_eq!(before(" do i = 1, n\n  b(i) = a(i)\n end do\n"), (vec!["do i = 1, n … end do".to_owned()], vec![]));
    assert_eq!(before(" where (a > 0)\n  b = a\n end where\n").0, ["where (a > 0) … end where"]);
    // An IF construct is no array computation, and what stands in the middle of a construct does not head it.
    for lines in [" if (n > 1) then\n b(1) = a(1)\n end if\n", " end do\n", " call t\n", " end do\n b(1) = a(1)\n"] {
        let (statements, findings) = before(lines);
        assert_eq!((statements.len(), findings[0].0), (0, "S006"), "{lines}");
    }
}

#[test]
fn what_belongs_to_nothing_is_found() {
    let said = "stencil readOnce, pointed(dim=1) :: a".to_owned();
    assert_eq!(before(""), (vec![], vec![("S006", said.clone())]));
    assert_eq!(before(" b(i) ?= a(i)\n"), (vec![], vec![("S006", said.clone())]));
    // Behind the last statement, and behind a statement on its line.
    assert_eq!(attached(&format!("program p\nend program\n{SAID}")), (vec![], vec![("S006", said.clone())]));
    let behind = attached(&format!("program p\n real :: a(1), b(1)\n b(1) = a(1) {SAID} b(1) = a(1)\nend program\n"));
    assert_eq!(behind, (vec![], vec![("S006", said)]));
}

#[test]
fn a_malformed_specification_is_found_at_its_fault_and_counted() {
    let text = "subroutine s(a, b)\n real :: a(1), b(1)\n != stencil pointed(dim=0) :: a\n != region :: r = \n b(1) = a(1)\nend\n";
    with_scopes("s.f90", text, |found, scopes| {
        let findings: Vec<_> = found.findings.iter().map(|finding| finding_text(scopes, finding)).collect();
        assert_eq!(findings, [("S001", "0".to_owned()), ("S001", String::new())]);
        // Of these one is no declaration.
        assert_eq!((found.lost, found.attached.len()), (1, 0));
    });
}

#[test]
fn region_variables_are_seen_behind_their_declaration_in_their_unit_and_below() {
    let text = "\
!= region :: outside = pointed(dim=1)
module m
 != region :: r = forward(depth=1, dim=1)
contains
 subroutine s(a, b)
  real :: a(9), b(9)
  != region :: q = r*pointed(dim=2)
  != stencil q :: a
  b(1) = a(1)
 end subroutine
 subroutine t(a, b)
  real :: a(9), b(9)
  != stencil R :: a
  b(1) = a(1)
 end subroutine
end module
";
    with_scopes("m.f90", text, |found, scopes| {
        let names: Vec<String> =
            found.regions.all().iter().map(|(region, _)| region.declaration.name.text.clone()).collect();
        assert_eq!(names, ["outside", "r", "q"]);
        let [in_s, in_t] = found.attached.as_slice() else { panic!("there are two specifications") };
        let is_known = |name: &str, at: &Attached, order: usize| {
            let parsed = parse(format!("stencil {name} :: a").as_bytes()).expect("it is a specification");
            let SpecificationLine::Specification(specification) = parsed.line else { panic!("it is no declaration") };
            scopes.denote(&specification.region, 2, &[], at.unit, order).is_ok()
        };
        assert!(is_known("q", in_s, in_s.order) && is_known("r", in_s, in_s.order));
        assert!(is_known("r", in_t, in_t.order) && !is_known("q", in_t, in_t.order));
        // In front of its declaration it is unknown.
        let (q, _) = &found.regions.all()[2];
        assert!(!is_known("q", in_s, q.order));
        let regions: Vec<(&Region, _, _)> =
            found.attached.iter().map(|one| (&one.specification.region, one.unit, one.order)).collect();
        let unused: Vec<&str> =
            scopes.unused(regions.into_iter()).iter().map(|one| one.declaration.name.text.as_str()).collect();
        assert_eq!(unused, ["outside"]);
    });
}

#[test]
fn a_region_variable_has_one_meaning_in_a_scope() {
    let text = "program p\n!= region :: r = pointed(dim=1)\n!= region :: R = pointed(dim=2)\n!= region :: q = q*r\n\
                != region :: z = y\nend program\n";
    with_scopes("p.f90", text, |found, scopes| {
        let findings: Vec<_> = found.findings.iter().map(|finding| finding_text(scopes, finding)).collect();
        let expected = [("S003", "R".to_owned()), ("S003", "q".to_owned()), ("S002", "y".to_owned())];
        assert_eq!(findings, expected);
        assert_eq!((found.regions.all().len(), found.lost), (1, 0));
    });
}

#[test]
fn a_comment_in_a_branch_that_is_not_compiled_is_found_where_it_stands() {
    let text = "subroutine s\n#ifdef NO\n  != stencil pointed(dim=1) :: a\n  ! a remark on a stencil\n  !> an access to it\n#endif\nend\n";
    with_scopes("s.F90", text, |_, scopes| {
        let found = inactive(scopes.tree);
        let texts: Vec<&[u8]> = found.iter().map(|&span| scopes.tree.source.texts.bytes(span)).collect();
        assert_eq!(texts, [b"stencil pointed(dim=1) :: a"]);
    });
}

#[test]
fn other_lines_take_the_sign_and_the_place_of_the_first() {
    let text =
        "subroutine s(a, b)\n real :: a(9), b(9)\n   !> stencil &\n   !> & pointed(dim=1) :: a\n b(1) = a(1)\nend\n";
    with_scopes("p.f90", text, |found, scopes| {
        let lines = CommentLines::of(scopes.tree, &found.attached[0].text).expect("it has lines of its own");
        let change = lines.instead(&["one".to_owned(), "two".to_owned()]);
        assert_eq!((change.first_line, change.line_count), (3, 2));
        assert_eq!(change.lines, [b"   !> one".to_vec(), b"   !> two".to_vec()]);
    });
}
