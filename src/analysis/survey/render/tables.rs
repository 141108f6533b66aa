//! The tables of a study. The rows of each add up to its whole, and their percentages are of that whole.

use std::collections::BTreeMap;
use std::fmt::Display;

use crate::analysis::survey::{
    Action, Bound, Category, Contiguity, Counts, LeftClass, Outcome, Position, Relation, RightClass, SpecificationClass,
};

/// So many of the most frequent shapes have a row of their own.
pub const FREQUENT_SHAPES: usize = 20;
/// Histograms end with all that is as many or more.
const MOST_SUBSCRIPTS: u32 = 20;
const MOST_ARRAYS: u32 = 10;
const LONGEST_FLOW: u32 = 15;
const MOST_DIMENSIONS: u32 = 15;
const MOST_OPERATORS: u32 = 10;

/// What the rows of a table add up to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whole {
    /// Array computations: assignments with one of the arrays that flow to them.
    Computations,
    /// Assignments to which arrays flow.
    Assignments,
    /// Specifications of one array each.
    Specifications,
}

impl Whole {
    /// The name in reports and data.
    pub fn name(self) -> &'static str {
        match self {
            Whole::Computations => "computations",
            Whole::Assignments => "assignments",
            Whole::Specifications => "specifications",
        }
    }
}

/// A table of counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// The name in data.
    pub id: &'static str,
    /// The heading.
    pub title: &'static str,
    /// What is counted.
    pub whole: Whole,
    /// What each key says.
    pub columns: Vec<&'static str>,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// One for each column.
    pub keys: Vec<String>,
    /// What the keys mean, where it isn't plain.
    pub phrase: &'static str,
    /// How many.
    pub count: u64,
}

impl Row {
    fn new(keys: &[&dyn Display], phrase: &'static str, count: u64) -> Self {
        Row { keys: keys.iter().map(ToString::to_string).collect(), phrase, count }
    }
}

impl Table {
    /// What the rows add up to.
    pub fn total(&self) -> u64 {
        self.rows.iter().map(|row| row.count).sum()
    }
}

/// The percentage of a whole, which may be nothing.
pub fn percentage(count: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { 100.0 * count as f64 / whole as f64 }
}

/// One of the paper's hypotheses.
#[derive(Clone, Copy, Debug)]
pub struct Hypothesis {
    /// Its number in the paper.
    pub number: u8,
    /// What it says is common.
    pub statement: &'static str,
    /// Whether a computation is of that kind.
    pub holds: fn(&Category) -> bool,
}

/// The hypotheses of section 2.
pub const HYPOTHESES: [Hypothesis; 5] = [
    Hypothesis {
        number: 1,
        statement: "arrays are read in a static pattern: constant offsets from induction variables or multiples of them",
        holds: Category::is_static,
    },
    Hypothesis { number: 2, statement: "such a pattern is contiguous", holds: Category::is_contiguous },
    Hypothesis {
        number: 3,
        statement: "such a pattern includes the origin or its immediate neighbours",
        holds: Category::is_near,
    },
    Hypothesis {
        number: 4,
        statement: "it is a stencil: neighbourhood indices on both sides, which agree in their induction variables",
        holds: Category::is_stencil,
    },
    Hypothesis { number: 5, statement: "each index is read just once", holds: Category::is_read_once },
];

/// All tables of some counts.
pub fn tables(counts: &Counts) -> Vec<Table> {
    vec![
        left(counts),
        right(counts),
        patterns(counts),
        reuse(counts),
        sides(counts),
        relations(counts),
        contiguity_of_consistent(counts),
        dimensionality(counts),
        subscripts(counts),
        arrays(counts),
        flow_lengths(counts),
        shapes(counts),
        outcomes(counts),
        kinds(counts),
        actions(counts),
        read_once(counts),
        operators(counts, "products", "Occurrences of * in a specification", |class| class.products),
        operators(counts, "sums", "Occurrences of + in a specification", |class| class.sums),
    ]
}

fn computations(id: &'static str, title: &'static str, columns: Vec<&'static str>, rows: Vec<Row>) -> Table {
    Table { id, title, whole: Whole::Computations, columns, rows }
}

fn left(counts: &Counts) -> Table {
    let row = |&class: &LeftClass| {
        Row::new(&[&class.name()], class.phrase(), counts.computations_with(|category| category.left == class))
    };
    computations("left", "Left sides", vec!["left side"], LeftClass::ALL.iter().map(row).collect())
}

fn right(counts: &Counts) -> Table {
    let row = |&class: &RightClass| {
        Row::new(&[&class.name()], class.phrase(), counts.computations_with(|category| category.right == class))
    };
    computations("right", "Right sides (hypothesis 1)", vec!["right side"], RightClass::ALL.iter().map(row).collect())
}

/// A right side in three groups, as in the paper's tables.
fn right_group(category: &Category) -> &'static str {
    match category.right {
        RightClass::Neighbourhood | RightClass::NeighbourhoodAbsolute => "neighbourhood",
        RightClass::Affine | RightClass::AffineAbsolute => "affine",
        RightClass::Absolute | RightClass::Other => "other",
    }
}

fn left_group(category: &Category) -> &'static str {
    match category.left {
        LeftClass::Variable => "variable",
        LeftClass::InductionVariables => "induction-variables",
        LeftClass::Neighbourhood | LeftClass::NeighbourhoodAbsolute => "neighbourhood",
        LeftClass::Affine | LeftClass::AffineAbsolute => "affine",
        LeftClass::Absolute => "absolute",
        LeftClass::Other => "other",
    }
}

fn patterns(counts: &Counts) -> Table {
    let mut rows = Vec::new();
    for group in ["neighbourhood", "affine"] {
        for &contiguity in Contiguity::ALL {
            for &position in Position::ALL {
                let count = counts.computations_with(|category| {
                    right_group(category) == group
                        && category.contiguity == Some(contiguity)
                        && category.position == Some(position)
                });
                rows.push(Row::new(&[&group, &contiguity.name(), &position.name()], "", count));
            }
        }
    }
    let others = counts.computations_with(|category| !category.is_static());
    rows.push(Row::new(&[&"other", &"-", &"-"], "no static pattern", others));
    let columns = vec!["right side", "contiguity", "position"];
    computations("patterns", "Patterns that are read (hypotheses 2 and 3)", columns, rows)
}

fn reuse(counts: &Counts) -> Table {
    let once = counts.computations_with(Category::is_read_once);
    let fixed = counts.computations_with(Category::is_static);
    let others = counts.computations_with(|category| !category.is_static());
    let rows = vec![
        Row::new(&[&"static", &"once"], "no subscripts are repeated", once),
        Row::new(&[&"static", &"repeated"], "some subscripts are repeated", fixed - once),
        Row::new(&[&"other", &"-"], "no static pattern", others),
    ];
    computations("reuse", "Repeated subscripts (hypothesis 5)", vec!["right side", "read"], rows)
}

/// Whether both sides agree in their induction variables.
fn agreement(category: &Category) -> &'static str {
    match category.relation {
        None => "not compared",
        Some(Relation::Inconsistent) => "inconsistent",
        Some(_) => "consistent",
    }
}

fn sides(counts: &Counts) -> Table {
    let mut found: BTreeMap<[&'static str; 3], u64> = BTreeMap::new();
    for (category, count) in &counts.categories {
        *found.entry([left_group(category), right_group(category), agreement(category)]).or_default() += count;
    }
    let rows = found.iter().map(|([left, right, agreement], &count)| Row::new(&[left, right, agreement], "", count));
    let columns = vec!["left side", "right side", "induction variables"];
    computations("sides", "Left and right sides (hypothesis 4)", columns, by_count(rows.collect()))
}

fn relations(counts: &Counts) -> Table {
    let mut rows = Vec::new();
    for &relation in Relation::ALL {
        for (relativised, word) in [(false, "as written"), (true, "relativised")] {
            if relation == Relation::Inconsistent && relativised {
                continue;
            }
            let count = counts.computations_with(|category| {
                category.relation == Some(relation) && category.relativised == relativised
            });
            rows.push(Row::new(&[&relation.name(), &word], relation.phrase(), count));
        }
    }
    let others = counts.computations_with(|category| category.relation.is_none());
    rows.push(Row::new(&[&"not compared", &"-"], "no static pattern, or a left side of another form", others));
    computations("relations", "Induction variables of both sides", vec!["relation", "offsets"], rows)
}

fn contiguity_of_consistent(counts: &Counts) -> Table {
    let of = |contiguity: Contiguity| {
        counts.computations_with(|category| {
            agreement(category) == "consistent" && category.contiguity == Some(contiguity)
        })
    };
    let others = counts.computations_with(|category| agreement(category) != "consistent");
    let rows = vec![
        Row::new(&[&"consistent", &"contiguous"], "", of(Contiguity::Contiguous)),
        Row::new(&[&"consistent", &"disjoint"], "", of(Contiguity::Disjoint)),
        Row::new(&[&"other", &"-"], "inconsistent or not compared", others),
    ];
    let columns = vec!["sides", "contiguity"];
    computations("consistent", "Contiguity where both sides agree", columns, rows)
}

/// A histogram, of which everything from a number on is one row.
fn histogram(counts: &BTreeMap<u32, u64>, most: u32) -> Vec<Row> {
    let mut grouped: BTreeMap<u32, u64> = BTreeMap::new();
    for (&number, count) in counts {
        *grouped.entry(number.min(most)).or_default() += count;
    }
    let label = |number: u32| if number == most { format!("{number} or more") } else { number.to_string() };
    grouped.iter().map(|(&number, &count)| Row::new(&[&label(number)], "", count)).collect()
}

fn dimensionality(counts: &Counts) -> Table {
    let rows = histogram(&counts.dimensionality, MOST_DIMENSIONS);
    computations("dimensionality", "Dimensions of the array", vec!["dimensions"], rows)
}

fn subscripts(counts: &Counts) -> Table {
    let rows = histogram(&counts.subscripts, MOST_SUBSCRIPTS);
    computations("subscripts", "References to the array", vec!["references"], rows)
}

fn arrays(counts: &Counts) -> Table {
    let rows = histogram(&counts.arrays, MOST_ARRAYS);
    let (title, columns) = ("Arrays that flow to an assignment", vec!["arrays"]);
    Table { id: "arrays", title, whole: Whole::Assignments, columns, rows }
}

fn flow_lengths(counts: &Counts) -> Table {
    let rows = histogram(&counts.flow_lengths, LONGEST_FLOW);
    let (title, columns) = ("Further assignments that flow to an assignment", vec!["assignments before it"]);
    Table { id: "flow-lengths", title, whole: Whole::Assignments, columns, rows }
}

fn shapes(counts: &Counts) -> Table {
    let all: Vec<Row> = counts.shapes.iter().map(|(shape, &count)| Row::new(&[shape], "", count)).collect();
    let with_shape: u64 = counts.shapes.values().sum();
    let mut rows = by_count(all);
    let rarer = rows.split_off(FREQUENT_SHAPES.min(rows.len()));
    let rare: u64 = rarer.iter().map(|row| row.count).sum();
    rows.push(Row::new(&[&format!("{} other shapes", rarer.len())], "", rare));
    let phrase = "no neighbourhood pattern, or its reads don't agree";
    rows.push(Row::new(&[&"no shape"], phrase, counts.computations() - with_shape));
    computations("shapes", "Most frequent shapes (offsets that are read; * is everything)", vec!["shape"], rows)
}

fn outcomes(counts: &Counts) -> Table {
    let of = |outcome: Outcome| counts.outcomes.get(&outcome).copied().unwrap_or(0);
    let rows = Outcome::all().map(|outcome| {
        let group = if matches!(outcome, Outcome::Nothing(_)) { "none" } else { "specified" };
        Row::new(&[&group, &outcome.name()], outcome.phrase(), of(outcome))
    });
    computations("outcomes", "What can be specified, and why nothing", vec!["specification", "which"], rows.collect())
}

fn specifications(id: &'static str, title: &'static str, columns: Vec<&'static str>, rows: Vec<Row>) -> Table {
    Table { id, title, whole: Whole::Specifications, columns, rows }
}

/// Number of specifications of which this holds.
fn specifications_with(counts: &Counts, holds: impl Fn(&SpecificationClass) -> bool) -> u64 {
    counts.specifications.iter().filter(|(class, _)| holds(class)).map(|(_, count)| count).sum()
}

fn kinds(counts: &Counts) -> Table {
    let mut rows = Vec::new();
    for (is_stencil, kind) in [(true, "stencil"), (false, "access")] {
        for (bound, name) in [(Bound::Exact, "exact"), (Bound::AtMost, "atMost"), (Bound::AtLeast, "atLeast")] {
            let holds = |class: &SpecificationClass| class.is_stencil == is_stencil && class.bound == bound;
            rows.push(Row::new(&[&kind, &name], "", specifications_with(counts, holds)));
        }
    }
    specifications("kinds", "Kinds of specifications", vec!["kind", "bound"], rows)
}

fn actions(counts: &Counts) -> Table {
    let mut rows = Vec::new();
    for &action in Action::ALL {
        for (has_hole, word) in [(false, "with the origin"), (true, "nonpointed")] {
            if action == Action::AllPointed && has_hole {
                continue;
            }
            let holds = |class: &SpecificationClass| class.action == action && class.has_hole == has_hole;
            let count = specifications_with(counts, holds);
            rows.push(Row::new(&[&action.name(), &word], action.phrase(), count));
        }
    }
    specifications("actions", "Regions of specifications", vec!["region", "intervals"], rows)
}

fn read_once(counts: &Counts) -> Table {
    let once = specifications_with(counts, |class| class.read_once);
    let others = specifications_with(counts, |class| !class.read_once);
    let rows = vec![Row::new(&[&"readOnce"], "", once), Row::new(&[&"none"], "", others)];
    specifications("read-once", "readOnce in specifications", vec!["modifier"], rows)
}

fn operators(counts: &Counts, id: &'static str, title: &'static str, of: impl Fn(&SpecificationClass) -> u32) -> Table {
    let mut found: BTreeMap<u32, u64> = BTreeMap::new();
    for (class, count) in &counts.specifications {
        *found.entry(of(class)).or_default() += count;
    }
    specifications(id, title, vec!["occurrences"], histogram(&found, MOST_OPERATORS))
}

/// The rows, most frequent first; equal ones stay in order.
fn by_count(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort_by_key(|row| std::cmp::Reverse(row.count));
    rows
}
