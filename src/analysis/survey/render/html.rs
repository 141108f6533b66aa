//! A study as one page that stands alone: stencils are SVG in it, tables can be sorted, every number leads to code in
//! the list of places, and nothing is fetched.
//!
//! The page is `page.html`, a template; here is what goes into it, and how it shows numbers. Rows of tables are known
//! by numbers, which the places name: a place is of a row if a study of it alone has something there.

use std::collections::{BTreeMap, BTreeSet};

use minijinja::value::Serde;
use minijinja::{Environment, Value, context};
use serde_json::json;

use super::full::{grouped, percent};
use super::picture::{Picture, picture};
use super::tables::{Hypothesis, REST_OF_SHAPES, Row, SHAPES, StudyTables, Table};
use super::{Heading, TOTAL, parts};
use crate::analysis::survey::Study;
use crate::analysis::survey::places::Places;

/// The template.
const PAGE: &str = include_str!("page.html");
/// So many names of packages stand in the title.
const NAMES_IN_TITLE: usize = 3;

/// The page; the places are `None` if they were not kept.
pub fn render(study: &Study, heading: &Heading, places: Option<&Places>) -> String {
    let parts = parts(study);
    let is_whole = |name: &str| parts.len() == 1 || name == TOTAL;
    let mut page = Page::default();
    let packages: Vec<Value> = parts.iter().map(|(name, tables)| package(name, tables)).collect();
    let mut views: Vec<Value> = Vec::new();
    let whole = parts.iter().filter(|(name, _)| is_whole(name)).map(|(name, tables)| page.part(name, tables, true));
    views.extend(whole.collect::<Vec<_>>());
    if study.packages.len() > 1 {
        views.push(page.part("each package alike", &StudyTables::new(&study.mean()), false));
    }
    let own = parts.iter().filter(|(name, _)| !is_whole(name));
    let own: Vec<Value> = own.map(|(name, tables)| page.part(name, tables, true)).collect();
    let places = places.map(|places| page.places(places, &parts).to_string().replace('<', "\\u003c"));
    let mut environment = Environment::new();
    environment.add_filter("grouped", grouped);
    environment.add_function("percent", percent);
    environment.add_template("page.html", PAGE).expect("the template is well formed");
    let template = environment.get_template("page.html").expect("it was just added");
    let total = StudyTables::new(&study.total());
    let rendered = template.render(context! {
        names => names(study),
        heading => Serde(heading),
        total => Serde(&total),
        package_count => study.packages.len(),
        packages => packages,
        wholes => views,
        own => own,
        pictures => page.pictures,
        places => places,
        version => env!("CARGO_PKG_VERSION"),
    });
    rendered.expect("the template uses what it is given") + "\n"
}

/// The packages, as a title has room for them.
fn names(study: &Study) -> String {
    let names: Vec<&str> = study.packages.keys().map(String::as_str).collect();
    match names.len() {
        0..=NAMES_IN_TITLE => names.join(", "),
        count => format!("{count} packages"),
    }
}

/// The line of one package, or of the sum, in the tables of packages.
fn package(name: &str, tables: &StudyTables) -> Value {
    context! {
        name => name,
        is_sum => name == TOTAL,
        sizes => tables.sizes.named().into_iter().take(6).map(|(_, number)| number).collect::<Vec<_>>(),
        computations => tables.computations,
        specified => tables.specified(),
        hypotheses => Serde(&tables.hypotheses),
    }
}

/// What the parts of a page share.
#[derive(Default)]
struct Page {
    /// The rows of tables: which number has which keys.
    rows: BTreeMap<(&'static str, Vec<String>), usize>,
    /// Their names in the order of the numbers.
    names: Vec<String>,
    /// The shapes that were drawn, by the numbers of their pictures.
    drawn: BTreeMap<String, usize>,
    /// The pictures.
    pictures: Vec<Value>,
}

impl Page {
    /// All of one package, of the sum, or of the mean, whose counts are no numbers of computations.
    fn part(&mut self, name: &str, tables: &StudyTables, is_counted: bool) -> Value {
        let shapes = tables.tables.iter().filter(|table| table.id == SHAPES);
        let shapes: Vec<Value> = shapes.flat_map(|table| self.gallery(table)).collect();
        let (empty, full): (Vec<&Table>, Vec<&Table>) = tables.tables.iter().partition(|table| table.total == 0);
        context! {
            name => name,
            is_counted => is_counted,
            is_sum => name == TOTAL,
            computations => tables.computations,
            specified => tables.specified(),
            hypotheses => tables.hypotheses.iter().map(|one| self.hypothesis_view(one)).collect::<Vec<_>>(),
            shapes => shapes,
            tables => full.into_iter().map(|table| self.table(name, table)).collect::<Vec<_>>(),
            empty => empty.into_iter().map(|table| table.title).collect::<Vec<_>>(),
        }
    }

    /// A table: the rows that hold something, and the labels of those that are empty.
    fn table(&mut self, part: &str, table: &Table) -> Value {
        let (empty, full): (Vec<&Row>, Vec<&Row>) = table.rows.iter().partition(|row| row.count == 0);
        let row = |row: &Row| {
            let number = self.number(table.id, part, row);
            context! { label => label(&row.keys), phrase => row.phrase, count => row.count, number => number }
        };
        context! {
            title => table.title,
            counts => table.whole.name(),
            rows => full.into_iter().map(row).collect::<Vec<_>>(),
            empty => empty.into_iter().map(|row| label(&row.keys)).collect::<Vec<_>>(),
            total => table.total,
        }
    }

    /// The shapes that can be drawn.
    fn gallery(&mut self, table: &Table) -> Vec<Value> {
        let mut shapes = Vec::new();
        for row in table.rows.iter().filter(|row| row.count > 0) {
            let shape = &row.keys[0];
            let Some(Picture { width, height, drawing }) = picture(shape) else { continue };
            let number = *self.drawn.entry(shape.clone()).or_insert_with(|| {
                self.pictures.push(Value::from_safe_string(drawing));
                self.pictures.len() - 1
            });
            let row_number = self.row(table.id, vec![shape.clone()]);
            shapes.push(context! {
                shape => shape, picture => number, width => width, height => height, count => row.count,
                total => table.total, number => row_number,
            });
        }
        shapes
    }

    /// The number of a row of a part's table. What the rarer shapes of a part make together is another row in each.
    fn number(&mut self, table: &'static str, part: &str, row: &Row) -> usize {
        match row.is_rest {
            true => self.row(table, vec![format!("{REST_OF_SHAPES} ({part})")]),
            false => self.row(table, row.keys.clone()),
        }
    }

    fn row(&mut self, table: &'static str, keys: Vec<String>) -> usize {
        let name = format!("{table}: {}", label(&keys));
        *self.rows.entry((table, keys)).or_insert_with(|| {
            self.names.push(name);
            self.names.len() - 1
        })
    }

    /// What the page's script lists: the names of rows, the files with their packages, and each place as the number of
    /// its file, its line, its array, and the numbers of its rows.
    fn places(&mut self, places: &Places, parts: &[(&str, StudyTables)]) -> serde_json::Value {
        let frequent: BTreeMap<&str, BTreeSet<&String>> =
            parts.iter().map(|(name, tables)| (*name, frequent_shapes(tables))).collect();
        let mut files: Vec<[&str; 2]> = Vec::new();
        let mut listed = Vec::new();
        for place in places.all() {
            let file = [place.file.package.as_str(), place.file.path.as_str()];
            if files.last() != Some(&file) {
                files.push(file);
            }
            let tables = StudyTables::new(&place.counts());
            let mut rows = BTreeSet::new();
            for hypothesis in tables.hypotheses.iter().filter(|hypothesis| hypothesis.count > 0) {
                rows.insert(self.hypothesis(hypothesis.number));
            }
            for table in &tables.tables {
                for row in table.rows.iter().filter(|row| row.count > 0) {
                    rows.insert(self.row(table.id, row.keys.clone()));
                }
            }
            if let Some(shape) = &place.array().shape {
                for part in [place.file.package.as_str(), TOTAL] {
                    let is_rare = frequent.get(part).is_some_and(|frequent| !frequent.contains(shape));
                    if is_rare {
                        rows.insert(self.row(SHAPES, vec![format!("{REST_OF_SHAPES} ({part})")]));
                    }
                }
            }
            listed.push(json!([files.len() - 1, place.assignment.line, place.array().array, rows]));
        }
        json!({ "rows": self.names, "files": files, "places": listed })
    }

    fn hypothesis_view(&mut self, one: &Hypothesis) -> Value {
        let (number, row) = (one.number, self.hypothesis(one.number));
        context! { number => number, statement => one.statement, count => one.count, row => row }
    }

    fn hypothesis(&mut self, number: u8) -> usize {
        self.row("hypotheses", vec![format!("H{number}")])
    }
}

/// The shapes that have a row of their own.
fn frequent_shapes(tables: &StudyTables) -> BTreeSet<&String> {
    let rows = tables.tables.iter().filter(|table| table.id == SHAPES).flat_map(|table| &table.rows);
    rows.filter(|row| !row.is_rest).map(|row| &row.keys[0]).collect()
}

/// What stands in a row: the keys that say something.
fn label(keys: &[String]) -> String {
    let telling: Vec<&str> = keys.iter().map(String::as_str).filter(|key| *key != "-").collect();
    telling.join(" · ")
}
