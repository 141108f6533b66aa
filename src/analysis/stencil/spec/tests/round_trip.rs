//! What is printed reads back as the same tree; older spellings are read as what they mean now.

use crate::analysis::stencil::spec::{
    Approximation, ComputationKind, Region, RegionConstant, RegionDeclaration, Specification, SpecificationLine,
    SpelledName, parse,
};
use crate::region::{Direction, HIGHEST_DIMENSION, Interval, Place};
use proptest::prelude::*;

/// The same tree with all places forgotten.
fn without_places(line: SpecificationLine) -> SpecificationLine {
    let name = |name: SpelledName| SpelledName::new(name.text);
    match line {
        SpecificationLine::Declaration(declaration) => SpecificationLine::Declaration(RegionDeclaration {
            name: name(declaration.name),
            region: placeless(declaration.region),
        }),
        SpecificationLine::Specification(specification) => SpecificationLine::Specification(Specification {
            region: placeless(specification.region),
            variables: specification.variables.into_iter().map(name).collect(),
            ..specification
        }),
    }
}

fn placeless(region: Region) -> Region {
    match region {
        Region::Constant(constant) => {
            let placeless = match constant.index_name() {
                Some(name) => RegionConstant::named(SpelledName::new(name.text.clone()), constant.dimension(), 0),
                None => RegionConstant::new(constant.interval(), constant.dimension(), 0),
            };
            Region::Constant(placeless.expect("it was one before"))
        }
        Region::Variable(name) => Region::Variable(SpelledName::new(name.text)),
        Region::Sum(operands) => Region::Sum(operands.into_iter().map(placeless).collect()),
        Region::Product(operands) => Region::Product(operands.into_iter().map(placeless).collect()),
    }
}

fn name() -> impl Strategy<Value = SpelledName> {
    "[A-Za-z_][A-Za-z0-9_]{0,5}".prop_map(SpelledName::new).prop_filter("keywords", |name| {
        !matches!(
            name.key().as_str(),
            "readonce"
                | "atmost"
                | "atleast"
                | "pointed"
                | "forward"
                | "backward"
                | "centered"
                | "shifted"
                | "fixed"
                | "reflexive"
        )
    })
}

/// A constant; in an `access`, without directions.
fn constant(is_directed: bool) -> impl Strategy<Value = Region> {
    let bounds =
        (1i64..100).prop_flat_map(|depth| prop_oneof![Just((0, depth)), Just((-depth, 0)), Just((-depth, depth))]);
    let offsets = prop_oneof![
        Just(Interval::ORIGIN),
        (bounds, any::<bool>()).prop_map(|((lower, upper), zero)| Interval::new(lower, upper, zero).expect("valid")),
        (1i64..100, 0i64..9).prop_map(|(by, depth)| Interval::shifted(by, depth).expect("valid")),
        (1i64..100, 0i64..9).prop_map(|(by, depth)| Interval::shifted(-by, depth).expect("valid")),
    ];
    let direction = prop_oneof![
        3 => Just(Direction::Usual),
        u32::from(is_directed) => (1usize..=HIGHEST_DIMENSION).prop_map(Direction::Along),
        u32::from(is_directed) => Just(Direction::Free),
    ];
    let fixed = prop_oneof![(-50i64..50).prop_map(Place::Fixed), Just(Place::SomeFixed)];
    let interval = prop_oneof![
        4 => (offsets, direction).prop_map(|(offsets, direction)| offsets.along(direction).expect("valid")),
        1 => fixed.prop_map(Interval::at),
    ];
    prop_oneof![
        5 => (interval, 1usize..=15).prop_map(|(interval, dimension)| RegionConstant::new(interval, dimension, 0)),
        1 => ("[A-Za-z][A-Za-z0-9_]{0,5}", 1usize..=15)
            .prop_map(|(name, dimension)| RegionConstant::named(SpelledName::new(name), dimension, 0)),
    ]
    .prop_map(|constant| Region::Constant(constant.expect("printable")))
}

fn region(is_directed: bool) -> impl Strategy<Value = Region> {
    let leaf = prop_oneof![4 => constant(is_directed), 1 => name().prop_map(Region::Variable)];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(Region::Sum),
            prop::collection::vec(inner, 2..4).prop_map(Region::Product),
        ]
    })
}

fn line() -> impl Strategy<Value = SpecificationLine> {
    let kind_and_region = prop_oneof![
        (Just(ComputationKind::Stencil), region(true).boxed()),
        (Just(ComputationKind::Access), region(false).boxed())
    ];
    let approximation =
        prop_oneof![Just(Approximation::Exact), Just(Approximation::AtLeast), Just(Approximation::AtMost)];
    let variable = prop::collection::vec(name(), 1..3)
        .prop_map(|parts| SpelledName::new(parts.into_iter().map(|part| part.text).collect::<Vec<_>>().join("%")));
    let specification = (kind_and_region, any::<bool>(), approximation, prop::collection::vec(variable, 1..4))
        .prop_map(|((kind, region), read_once, approximation, variables)| {
            SpecificationLine::Specification(Specification { kind, read_once, approximation, region, variables })
        });
    let declaration = (name(), region(true))
        .prop_map(|(name, region)| SpecificationLine::Declaration(RegionDeclaration { name, region }));
    prop_oneof![3 => specification, 1 => declaration]
}

proptest! {
    #[test]
    fn what_is_printed_reads_back(line in line()) {
        let text = line.to_string();
        let parsed = parse(text.as_bytes()).map_err(|error| TestCaseError::fail(format!("{text}: {error}")))?;
        prop_assert_eq!(without_places(parsed.line), line);
        prop_assert!(parsed.old_spellings.is_empty());
    }
}

fn printed(text: &str) -> String {
    parse(text.as_bytes()).expect(text).line.to_string()
}

#[test]
fn any_spelling_is_printed_in_its_normal_form() {
    for (text, normal) in [
        (
            "STENCIL ReadOnce, Pointed(Dim=1)*CENTERED(DEPTH=1, DIM=2) + (centered(dim=1 depth=1))*pointed(dim=2) :: U",
            "stencil readOnce, pointed(dim=1)*centered(depth=1, dim=2) + centered(depth=1, dim=1)*pointed(dim=2) :: U",
        ),
        (
            "stencil   atLeast readOnce backward( nonpointed depth =1 dim= 1)::q s",
            "stencil readOnce, atLeast, backward(depth=1, dim=1, nonpointed) :: q, s",
        ),
        ("access forward(depth=007,dim=1)::a % b%c , d", "access forward(depth=7, dim=1) :: a%b%c, d"),
        (
            "stencil SHIFTED(Dim=1 By=+2 free)*fixed(dim=2,AT=-1)\
             +shifted(depth=2,along=2 by=-3 dim=1)*Fixed(At=Wall dim=2)::a",
            "stencil shifted(by=2, dim=1, free)*fixed(at=-1, dim=2) \
             + shifted(along=2, by=-3, depth=2, dim=1)*fixed(at=Wall, dim=2) :: a",
        ),
        ("stencil shifted(by=1, depth=2, dim=1) :: a", "stencil forward(depth=3, dim=1, nonpointed) :: a"),
        (
            "stencil centered(nonpointed free dim=1 depth=1)*fixed(dim=2) :: a",
            "stencil centered(depth=1, dim=1, free, nonpointed)*fixed(dim=2) :: a",
        ),
        ("region::Cross=((along+across))*x", "region :: Cross = (along + across)*x"),
        ("region :: r = a + (b + c)*d", "region :: r = a + (b + c)*d"),
    ] {
        assert_eq!(printed(text), normal);
    }
}

#[test]
fn older_spellings_are_read_with_a_warning() {
    let text = "stencil reflexive(dim=1)*centered(depth=1, dim=2, irreflexive) :: a";
    let parsed = parse(text.as_bytes()).expect("valid");
    assert_eq!(parsed.line.to_string(), "stencil pointed(dim=1)*centered(depth=1, dim=2, nonpointed) :: a");
    let warnings: Vec<_> =
        parsed.old_spellings.iter().map(|old| (&text[old.offset..][..old.old.len()], old.new)).collect();
    assert_eq!(warnings, [("reflexive", "pointed"), ("irreflexive", "nonpointed")]);
}

#[test]
fn names_know_their_place() {
    let text = "stencil along :: a, sea % temp";
    let SpecificationLine::Specification(specification) = parse(text.as_bytes()).expect("valid").line else { panic!() };
    assert_eq!(specification.region, Region::Variable(SpelledName { text: "along".into(), offset: 8 }));
    assert_eq!(specification.variables[1], SpelledName { text: "sea%temp".into(), offset: 20 });
}
