//! A study as one page that stands alone: charts and stencils are SVG in it, tables can be sorted, nothing is fetched.
//!
//! The page is `page.html`, a template; here is what goes into it.

use minijinja::value::Serde;
use minijinja::{Environment, Value};
use serde::Serialize;

use super::full::grouped;
use super::picture::picture;
use super::tables::{HYPOTHESES, Table, percentage, tables};
use super::{TOTAL, parts};
use crate::analysis::survey::{Counts, Study};

/// Characters that have room beside a bar.
const LONGEST_LABEL: usize = 50;
/// Length of a bar that is all of the whole.
const BAR_ROOM: f64 = 140.0;
/// The template.
const PAGE: &str = include_str!("page.html");

/// The sizes and hypotheses of one package: a row of two tables.
#[derive(Serialize)]
struct PackageView {
    name: String,
    /// Whether it is the sum of the others.
    is_sum: bool,
    /// What Table 1 tells, with what understood files have of it.
    sizes: Vec<Number>,
    computations: Number,
    hypotheses: Vec<Share>,
}

/// A number as it is sorted and as it is read.
#[derive(Serialize)]
struct Number {
    value: u64,
    text: String,
}

/// A part of a whole.
#[derive(Serialize)]
struct Share {
    /// What it is a part of: a hypothesis or a row's key.
    keys: Vec<String>,
    /// The keys, short enough to stand beside a bar.
    label: String,
    phrase: String,
    count: Number,
    percent: String,
    /// Length of its bar.
    length: String,
}

/// A table with its bars.
#[derive(Serialize)]
struct TableView {
    id: String,
    title: String,
    counts: &'static str,
    columns: Vec<&'static str>,
    rows: Vec<Share>,
    total: Number,
}

/// A frequent shape.
#[derive(Serialize)]
struct ShapeView {
    shape: String,
    picture: String,
    count: String,
    percent: String,
}

/// All of one package, or of the sum.
#[derive(Serialize)]
struct PartView {
    name: String,
    is_whole: bool,
    tables: Vec<TableView>,
    shapes: Vec<ShapeView>,
}

/// What goes into the template.
#[derive(Serialize)]
struct Page {
    hypotheses: Vec<Share>,
    computations: String,
    assignments: String,
    files: String,
    lines: String,
    package_count: usize,
    packages: Vec<PackageView>,
    parts: Vec<PartView>,
    version: &'static str,
}

/// The page.
pub fn render(study: &Study) -> String {
    let parts = parts(study);
    let whole = study.total();
    let packages: Vec<PackageView> = parts.iter().map(|(name, counts)| package(name, counts)).collect();
    let mut views: Vec<PartView> = parts.iter().map(|(name, counts)| part(name, counts, parts.len() == 1)).collect();
    views.sort_by_key(|view| !view.is_whole);
    let mut environment = Environment::new();
    environment.add_template("page.html", PAGE).expect("the template is well formed");
    let page = environment.get_template("page.html").expect("it was just added");
    let rendered = page.render(Value::from(Serde(Page {
        hypotheses: shares_of_hypotheses(&whole),
        computations: grouped(whole.computations()),
        assignments: grouped(whole.assignments),
        files: grouped(whole.files),
        lines: grouped(whole.physical_lines),
        package_count: study.packages.len(),
        packages,
        parts: views,
        version: env!("CARGO_PKG_VERSION"),
    })));
    rendered.expect("the template uses what it is given") + "\n"
}

fn number(value: u64) -> Number {
    Number { value, text: grouped(value) }
}

fn share(keys: Vec<String>, phrase: &str, count: u64, whole: u64) -> Share {
    let percent = percentage(count, whole);
    Share {
        label: label(&keys),
        keys,
        phrase: phrase.to_owned(),
        count: number(count),
        percent: format!("{percent:.2}"),
        length: format!("{:.1}", percent / 100.0 * BAR_ROOM),
    }
}

/// What stands beside a bar: the keys that say something, as far as there is room.
fn label(keys: &[String]) -> String {
    let telling: Vec<&str> = keys.iter().map(String::as_str).filter(|key| *key != "-").collect();
    let text = telling.join(" · ");
    match text.char_indices().nth(LONGEST_LABEL) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn shares_of_hypotheses(counts: &Counts) -> Vec<Share> {
    let whole = counts.computations();
    let of = |hypothesis: &super::tables::Hypothesis| {
        let count = counts.computations_with(hypothesis.holds);
        share(vec![format!("H{}", hypothesis.number)], hypothesis.statement, count, whole)
    };
    HYPOTHESES.iter().map(of).collect()
}

fn package(name: &str, counts: &Counts) -> PackageView {
    let sizes = [
        counts.files,
        counts.understood_files,
        counts.physical_lines,
        counts.understood_physical_lines,
        counts.raw_lines,
        counts.understood_raw_lines,
    ];
    PackageView {
        name: name.to_owned(),
        is_sum: name == TOTAL,
        sizes: sizes.into_iter().map(number).collect(),
        computations: number(counts.computations()),
        hypotheses: shares_of_hypotheses(counts),
    }
}

fn part(name: &str, counts: &Counts, is_alone: bool) -> PartView {
    let tables = tables(counts);
    let shapes = tables.iter().find(|table| table.id == "shapes").map(shapes).unwrap_or_default();
    PartView {
        name: name.to_owned(),
        is_whole: is_alone || name == TOTAL,
        tables: tables.iter().map(|table| table_view(name, table)).collect(),
        shapes,
    }
}

fn table_view(part: &str, table: &Table) -> TableView {
    let total = table.total();
    let row = |row: &super::tables::Row| share(row.keys.clone(), row.phrase, row.count, total);
    TableView {
        id: format!("{}-{}", table.id, part.replace(|character: char| !character.is_ascii_alphanumeric(), "-")),
        title: table.title.to_owned(),
        counts: table.whole.name(),
        columns: table.columns.clone(),
        rows: table.rows.iter().map(row).collect(),
        total: number(total),
    }
}

fn shapes(table: &Table) -> Vec<ShapeView> {
    let total = table.total();
    let with_picture = table.rows.iter().filter_map(|row| Some((row, picture(row.keys.first()?)?)));
    let view = |(row, picture): (&super::tables::Row, String)| ShapeView {
        shape: row.keys.join(" "),
        picture,
        count: grouped(row.count),
        percent: format!("{:.2}", percentage(row.count, total)),
    };
    with_picture.map(view).collect()
}
