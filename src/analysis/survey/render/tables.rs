//! The tables of a study: what every format prints. A table is data: a title, columns, and rows whose counts add up to
//! a whole, of which their percentages are.

use std::collections::BTreeMap;

#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

use crate::analysis::survey::{
    Action, Bound, Category, Contiguity, Counts, Histogram, LeftClass, Position, Relation, RightClass, Sizes,
    SpecificationOutcome,
};

/// The table of what can be specified, and the first key of its rows that have a specification.
const OUTCOMES: &str = "outcomes";
const SPECIFIED: &str = "specified";
/// The table of shapes.
pub const SHAPES: &str = "shapes";
/// How its row is called that holds what is too rare for one of its own, behind their number.
pub const REST_OF_SHAPES: &str = "other shapes";
/// So many of the most frequent shapes have a row of their own.
pub const FREQUENT_SHAPES: usize = 20;
/// Histograms end with all that is as many or more.
const MOST_SUBSCRIPTS: u32 = 20;
const MOST_ARRAYS: u32 = 10;
const LONGEST_FLOW: u32 = 15;
const MOST_DIMENSIONS: u32 = 15;
const MOST_OPERATORS: u32 = 10;

/// All that is printed of the counts of some files.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct StudyTables {
    /// The paper's Table 1.
    pub sizes: Sizes,
    /// Assignments in loops, or to whole arrays, to which arrays flow.
    pub assignments: u64,
    /// Array computations: assignments with one of these arrays.
    pub computations: u64,
    /// The paper's hypotheses; percentages are of all computations.
    pub hypotheses: Vec<Hypothesis>,
    /// The counts of the rows of a table add up to its total; percentages are of that.
    pub tables: Vec<Table>,
}

/// How many computations are as one of the paper's hypotheses (section 2) says.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Hypothesis {
    /// Its number in the paper.
    #[cfg_attr(test, schemars(range(min = 1, max = 5)))]
    pub number: u8,
    /// What it says is common.
    pub statement: &'static str,
    /// How many computations are of that kind.
    pub count: u64,
    percent: f64,
}

/// What a hypothesis says is common, and whether a computation is of that kind.
type Statement = (&'static str, fn(&Category) -> bool);

const HYPOTHESES: [Statement; 5] = [
    (
        "arrays are read in a static pattern: constant offsets from induction variables or multiples of them",
        Category::is_static,
    ),
    ("such a pattern is contiguous", Category::is_contiguous),
    ("such a pattern includes the origin or its immediate neighbours", Category::is_near),
    (
        "it is a stencil: neighbourhood indices on both sides, which agree in their induction variables",
        Category::is_stencil,
    ),
    ("each index is read just once", Category::is_read_once),
];

/// What the rows of a table add up to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
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
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Table {
    /// The name in data.
    pub id: &'static str,
    /// The heading.
    pub title: &'static str,
    /// What is counted.
    #[serde(rename = "counts")]
    #[cfg_attr(test, schemars(with = "String", extend("enum" = ["computations", "assignments", "specifications"])))]
    pub whole: Whole,
    /// What each key of a row says.
    pub columns: Vec<&'static str>,
    /// What the rows add up to.
    pub total: u64,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Row {
    /// One for each column.
    pub keys: Vec<String>,
    /// How many.
    pub count: u64,
    percent: f64,
    /// What the keys mean, where it isn't plain.
    #[serde(skip)]
    pub phrase: &'static str,
    /// Whether it holds what has no row of its own.
    #[serde(skip)]
    pub is_rest: bool,
}

impl Row {
    fn new(keys: &[&str], phrase: &'static str, count: u64) -> Self {
        Row { keys: keys.iter().map(|&key| key.to_owned()).collect(), count, percent: 0.0, phrase, is_rest: false }
    }
}

/// The percentage of a whole, which may be nothing.
pub fn percentage(count: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { 100.0 * count as f64 / whole as f64 }
}

/// The percentage rounded to two decimals, for data.
fn rounded(count: u64, whole: u64) -> f64 {
    (percentage(count, whole) * 100.0).round() / 100.0
}

impl StudyTables {
    /// All tables of some counts.
    pub fn new(counts: &Counts) -> Self {
        let computations = counts.computations();
        let hypotheses = (1..).zip(HYPOTHESES).map(|(number, (statement, holds))| {
            let count = counts.categories.iter().filter(|(category, _)| holds(category)).map(|(_, count)| count).sum();
            Hypothesis { number, statement, count, percent: rounded(count, computations) }
        });
        let mut tables = of_categories(&counts.categories);
        tables.extend(of_numbers(counts));
        tables.push(shapes(counts));
        tables.push(outcomes(counts));
        tables.extend(of_specifications(counts));
        StudyTables {
            sizes: counts.sizes,
            assignments: counts.assignments,
            computations,
            hypotheses: hypotheses.collect(),
            tables,
        }
    }

    /// How many computations have a specification.
    pub fn specified(&self) -> u64 {
        let rows = self.tables.iter().filter(|table| table.id == OUTCOMES).flat_map(|table| &table.rows);
        rows.filter(|row| row.keys[0] == SPECIFIED).map(|row| row.count).sum()
    }
}

fn table(id: &'static str, title: &'static str, whole: Whole, columns: &[&'static str], mut rows: Vec<Row>) -> Table {
    let total = rows.iter().map(|row| row.count).sum();
    rows.iter_mut().for_each(|row| row.percent = rounded(row.count, total));
    Table { id, title, whole, columns: columns.to_vec(), total, rows }
}

/// How often something occurs that each thing of a histogram has.
fn grouped<T, K: Ord>(histogram: &Histogram<T>, key: impl Fn(&T) -> K) -> BTreeMap<K, u64> {
    let mut groups = BTreeMap::new();
    for (thing, count) in histogram {
        *groups.entry(key(thing)).or_default() += count;
    }
    groups
}

/// Rows with keys and phrases: how many of the things of a histogram have these keys.
fn rows<T, const N: usize>(
    histogram: &Histogram<T>,
    keyed: impl IntoIterator<Item = ([&'static str; N], &'static str)>,
    keys: impl Fn(&T) -> [&'static str; N],
) -> Vec<Row> {
    let counts = grouped(histogram, keys);
    let row = |(keys, phrase): ([&'static str; N], _)| Row::new(&keys, phrase, counts.get(&keys).copied().unwrap_or(0));
    keyed.into_iter().map(row).collect()
}

/// A row for each number that the things of a histogram have; everything from `most` on is one row.
fn numbers<T>(histogram: &Histogram<T>, most: u32, number: impl Fn(&T) -> u32) -> Vec<Row> {
    let counts = grouped(histogram, |thing| number(thing).min(most));
    let label = |number: u32| if number == most { format!("{number} or more") } else { number.to_string() };
    counts.into_iter().map(|(number, count)| Row::new(&[&label(number)], "", count)).collect()
}

/// The rows, most frequent first; equal ones stay in order.
fn by_count(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort_by_key(|row| std::cmp::Reverse(row.count));
    rows
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

/// Whether both sides agree in their induction variables.
fn agreement(category: &Category) -> &'static str {
    match category.relation {
        None => "not compared",
        Some(Relation::Inconsistent) => "inconsistent",
        Some(_) => "consistent",
    }
}

/// The tables of the classes of computations.
fn of_categories(categories: &Histogram<Category>) -> Vec<Table> {
    let computations = |id, title, columns, rows| table(id, title, Whole::Computations, columns, rows);
    let left = LeftClass::ALL.iter().map(|class| ([class.name()], class.phrase()));
    let right = RightClass::ALL.iter().map(|class| ([class.name()], class.phrase()));
    let mut patterns = Vec::new();
    for group in ["neighbourhood", "affine"] {
        for contiguity in Contiguity::ALL {
            patterns.extend(Position::ALL.iter().map(|position| ([group, contiguity.name(), position.name()], "")));
        }
    }
    patterns.push((["other", "-", "-"], "no static pattern"));
    let pattern = |category: &Category| match (category.contiguity, category.position) {
        (Some(contiguity), Some(position)) => [right_group(category), contiguity.name(), position.name()],
        _ => ["other", "-", "-"],
    };
    let reuses = [
        (["static", "once"], "no subscripts are repeated"),
        (["static", "repeated"], "some subscripts are repeated"),
        (["other", "-"], "no static pattern"),
    ];
    let reuse = |category: &Category| category.reuse.map_or(["other", "-"], |reuse| ["static", reuse.name()]);
    let sides = grouped(categories, |category| [left_group(category), right_group(category), agreement(category)]);
    let sides = sides.into_iter().map(|(keys, count)| Row::new(&keys, "", count)).collect();
    let mut relations = Vec::new();
    for relation in Relation::ALL {
        relations.push(([relation.name(), "as written"], relation.phrase()));
        if *relation != Relation::Inconsistent {
            relations.push(([relation.name(), "relativised"], relation.phrase()));
        }
    }
    relations.push((["not compared", "-"], "no static pattern, or a left side of another form"));
    let relation = |category: &Category| match category.relation {
        Some(relation) => [relation.name(), if category.relativised { "relativised" } else { "as written" }],
        None => ["not compared", "-"],
    };
    let agreeing = [
        (["consistent", "contiguous"], ""),
        (["consistent", "disjoint"], ""),
        (["other", "-"], "inconsistent or not compared"),
    ];
    let agreeing_contiguity = |category: &Category| match category.contiguity {
        Some(contiguity) if agreement(category) == "consistent" => ["consistent", contiguity.name()],
        _ => ["other", "-"],
    };
    vec![
        computations("left", "Left sides", &["left side"], rows(categories, left, |one| [one.left.name()])),
        computations(
            "right",
            "Right sides (hypothesis 1)",
            &["right side"],
            rows(categories, right, |one| [one.right.name()]),
        ),
        computations(
            "patterns",
            "Patterns that are read (hypotheses 2 and 3)",
            &["right side", "contiguity", "position"],
            rows(categories, patterns, pattern),
        ),
        computations(
            "reuse",
            "Repeated subscripts (hypothesis 5)",
            &["right side", "read"],
            rows(categories, reuses, reuse),
        ),
        computations(
            "sides",
            "Left and right sides (hypothesis 4)",
            &["left side", "right side", "induction variables"],
            by_count(sides),
        ),
        computations(
            "relations",
            "Induction variables of both sides",
            &["relation", "offsets"],
            rows(categories, relations, relation),
        ),
        computations(
            "consistent",
            "Contiguity where both sides agree",
            &["sides", "contiguity"],
            rows(categories, agreeing, agreeing_contiguity),
        ),
    ]
}

/// The tables of numbers of things.
fn of_numbers(counts: &Counts) -> [Table; 4] {
    use Whole::{Assignments, Computations};
    let one = |id, title, whole, column, histogram: &Histogram<u32>, most| {
        table(id, title, whole, &[column], numbers(histogram, most, |&number| number))
    };
    let (flow_title, flow_column) = ("Further assignments that flow to an assignment", "assignments before it");
    [
        one(
            "dimensionality",
            "Dimensions of the array",
            Computations,
            "dimensions",
            &counts.dimensionality,
            MOST_DIMENSIONS,
        ),
        one("subscripts", "References to the array", Computations, "references", &counts.subscripts, MOST_SUBSCRIPTS),
        one("arrays", "Arrays that flow to an assignment", Assignments, "arrays", &counts.arrays, MOST_ARRAYS),
        one("flow-lengths", flow_title, Assignments, flow_column, &counts.flow_lengths, LONGEST_FLOW),
    ]
}

fn shapes(counts: &Counts) -> Table {
    let all = counts.shapes.iter().map(|(shape, &count)| Row::new(&[shape], "", count)).collect();
    let mut rows = by_count(all);
    let rarer = rows.split_off(FREQUENT_SHAPES.min(rows.len()));
    let rare: u64 = rarer.iter().map(|row| row.count).sum();
    let rest = Row::new(&[&format!("{} {REST_OF_SHAPES}", rarer.len())], "", rare);
    rows.push(Row { is_rest: true, ..rest });
    let phrase = "no neighbourhood pattern, or its reads don't agree";
    rows.push(Row::new(&["no shape"], phrase, counts.computations() - counts.shapes.values().sum::<u64>()));
    let title = "Most frequent shapes (offsets that are read; * is everything)";
    table(SHAPES, title, Whole::Computations, &["shape"], rows)
}

fn outcomes(counts: &Counts) -> Table {
    let group = |outcome: SpecificationOutcome| {
        if matches!(outcome, SpecificationOutcome::Nothing(_)) { "none" } else { SPECIFIED }
    };
    let keyed = SpecificationOutcome::all().map(|outcome| ([group(outcome), outcome.name()], outcome.phrase()));
    let rows = rows(&counts.outcomes, keyed, |&outcome| [group(outcome), outcome.name()]);
    let title = "What can be specified, and why nothing";
    table(OUTCOMES, title, Whole::Computations, &["specification", "which"], rows)
}

/// The tables of the classes of specifications.
fn of_specifications(counts: &Counts) -> [Table; 5] {
    let classes = &counts.specifications;
    let specifications = |id, title, columns, rows| table(id, title, Whole::Specifications, columns, rows);
    let bounds = |kind| Bound::ALL.iter().map(move |bound| ([kind, bound.name()], ""));
    let kinds = ["stencil", "access"].into_iter().flat_map(bounds);
    let mut actions = Vec::new();
    for action in Action::ALL {
        actions.push(([action.name(), "with the origin"], action.phrase()));
        if *action != Action::AllPointed {
            actions.push(([action.name(), "nonpointed"], action.phrase()));
        }
    }
    let modifier = |is_read_once| if is_read_once { ["readOnce"] } else { ["none"] };
    [
        specifications(
            "kinds",
            "Kinds of specifications",
            &["kind", "bound"],
            rows(classes, kinds, |one| [if one.is_stencil { "stencil" } else { "access" }, one.bound.name()]),
        ),
        specifications(
            "actions",
            "Regions of specifications",
            &["region", "intervals"],
            rows(classes, actions, |one| {
                [one.action.name(), if one.has_hole { "nonpointed" } else { "with the origin" }]
            }),
        ),
        specifications(
            "read-once",
            "readOnce in specifications",
            &["modifier"],
            rows(classes, [true, false].map(|once| (modifier(once), "")), |one| modifier(one.read_once)),
        ),
        specifications(
            "products",
            "Occurrences of * in a specification",
            &["occurrences"],
            numbers(classes, MOST_OPERATORS, |one| one.products),
        ),
        specifications(
            "sums",
            "Occurrences of + in a specification",
            &["occurrences"],
            numbers(classes, MOST_OPERATORS, |one| one.sums),
        ),
    ]
}
