//! A study as one page that stands alone: charts and stencils are SVG in it, tables can be sorted, nothing is fetched.
//!
//! The page is `page.html`, a template; here is what goes into it, and how it shows numbers.

use minijinja::value::Serde;
use minijinja::{Environment, Value, context};

use super::full::{grouped, percent};
use super::picture::picture;
use super::tables::{StudyTables, Table, percentage};
use super::{TOTAL, parts};
use crate::analysis::survey::Study;

/// Characters that have room beside a bar.
const LONGEST_LABEL: usize = 50;
/// Length of a bar that is all of the whole.
const BAR_ROOM: f64 = 140.0;
/// The template.
const PAGE: &str = include_str!("page.html");

/// The page.
pub fn render(study: &Study) -> String {
    let parts = parts(study);
    let mut views: Vec<(bool, Value)> = parts
        .iter()
        .map(|(name, tables)| {
            let is_whole = parts.len() == 1 || *name == TOTAL;
            (!is_whole, part(name, tables, is_whole))
        })
        .collect();
    let packages: Vec<Value> = views.iter().map(|(_, view)| view.clone()).collect();
    views.sort_by_key(|&(is_part, _)| is_part);
    let mut environment = Environment::new();
    environment.add_filter("grouped", grouped);
    environment.add_filter("label", |keys: Vec<String>| label(&keys));
    environment.add_function("percent", percent);
    environment.add_function("bar", |count, whole| format!("{:.1}", percentage(count, whole) / 100.0 * BAR_ROOM));
    environment.add_template("page.html", PAGE).expect("the template is well formed");
    let page = environment.get_template("page.html").expect("it was just added");
    let rendered = page.render(context! {
        total => Serde(StudyTables::new(&study.total())),
        package_count => study.packages.len(),
        packages => packages,
        parts => views.into_iter().map(|(_, view)| view).collect::<Vec<_>>(),
        version => env!("CARGO_PKG_VERSION"),
    });
    rendered.expect("the template uses what it is given") + "\n"
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

/// All of one package, or of the sum.
fn part(name: &str, tables: &StudyTables, is_whole: bool) -> Value {
    let shapes = tables.tables.iter().filter(|table| table.id == "shapes").flat_map(pictures);
    context! {
        name => name,
        is_sum => name == TOTAL,
        is_whole => is_whole,
        sizes => tables.sizes.named().into_iter().take(6).map(|(_, number)| number).collect::<Vec<_>>(),
        computations => tables.computations,
        hypotheses => Serde(&tables.hypotheses),
        tables => tables.tables.iter().map(|table| table_view(name, table)).collect::<Vec<_>>(),
        shapes => shapes.collect::<Vec<_>>(),
    }
}

fn table_view(part: &str, table: &Table) -> Value {
    let rows = table.rows.iter();
    context! {
        id => format!("{}-{}", table.id, part.replace(|character: char| !character.is_ascii_alphanumeric(), "-")),
        title => table.title,
        counts => table.whole.name(),
        columns => table.columns.clone(),
        rows => rows
            .map(|row| context! { keys => row.keys.clone(), phrase => row.phrase, count => row.count })
            .collect::<Vec<_>>(),
        total => table.total,
    }
}

/// The shapes that can be drawn.
fn pictures(table: &Table) -> impl Iterator<Item = Value> {
    table.rows.iter().filter_map(|row| {
        let picture = picture(row.keys.first()?)?;
        Some(context! { shape => row.keys.join(" "), picture => picture, count => row.count, total => table.total })
    })
}
