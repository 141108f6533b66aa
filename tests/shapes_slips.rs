//! The injection bench of `shapes`: one slip is made in working code, and `shapes` must say something that it did not
//! say before. Prints a table by the kind of slip: the share that is found, and the share with `--possible`.
//!
//! By default a sample of the slips in `corpus/` is tried. `CAMFORT_SLIPS=DIR` takes the files below a directory
//! instead, which are looked at together, `CAMFORT_EVERY=N` each N-th slip of a kind (1: all), `CAMFORT_KINDS=A,B` only
//! slips of these kinds, `CAMFORT_SHOW=1` prints what is missed.
#![allow(clippy::print_stdout, reason = "the table is a result of its own")]

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use camfort_rs::analysis::obligations::DeclaredArrays;
use camfort_rs::analysis::shapes::{ShapeOptions, Shapes};
use camfort_rs::analysis::{RULES, Session};
use camfort_rs::diagnostics::Levels;
use camfort_rs::names::{PartClass, Resolved};
use camfort_rs::solve::Procedure;
use camfort_rs::source::Span;
use camfort_rs::syntax::visit::walk_references;
use camfort_rs::syntax::{
    ArraySpec, Construct, DimensionSpec, DoControl, DummyArgument, Expression, ExpressionKind, Reference, StatementId,
    StatementKind, Tree,
};
use camfort_rs::workspace::{FileView, Project, SourceOptions};

mod common;
use common::{fortran_files, replaced, root};

/// The kinds of slips.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Slip {
    /// A loop has one more iteration at one of its ends.
    LoopWider,
    /// It has one less: nothing can be out of bounds because of that.
    LoopNarrower,
    /// Two subscripts of an array whose extents in these dimensions are declared, differ, and are no constants: those
    /// that loops count from one end of the dimension to the other, but for a border.
    SwapWhole,
    /// The same under a test, so that it need not be all iterations that demand something.
    SwapTested,
    /// The same of subscripts that loops count between other bounds: in each other's place they demand that some sizes
    /// are less than others, which may well be so.
    SwapPart,
    /// The same of other subscripts.
    SwapOther,
    /// Two subscripts that loops count, of an array of assumed or deferred shape.
    SwapDeferred,
    /// Two arguments that are extents of the arrays of the called procedure.
    Extents,
}

/// One slip: the bytes that are replaced, and what stands there then.
type Edits = Vec<(Range<usize>, String)>;

/// A file in which slips are made.
struct Subject<'t> {
    tree: &'t Tree,
    resolved: &'t Resolved,
    declared: DeclaredArrays<'t>,
    bytes: &'t [u8],
    /// Of each procedure with arrays of explicit shape: its dummy arguments, and which of them are extents.
    procedures: BTreeMap<String, Vec<bool>>,
    found: Vec<(Slip, Edits)>,
}

impl<'t> Subject<'t> {
    fn new(view: &'t FileView<'_>, bytes: &'t [u8]) -> Self {
        let (tree, resolved) = (view.tree(), view.names());
        let declared = DeclaredArrays::new(tree, resolved);
        let mut subject = Subject { tree, resolved, declared, bytes, procedures: BTreeMap::new(), found: Vec::new() };
        subject.procedures = subject.procedures_with_extents();
        subject
    }

    fn text(&self, span: Span) -> &'t str {
        let bytes = self.bytes.get(span.start as usize..span.end as usize).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    /// Whether something stands in the file as it is read, on one line.
    fn is_plain(&self, span: Span) -> bool {
        let is_here = self.tree.source.texts.in_root(span) && span.end as usize <= self.bytes.len();
        is_here && !self.text(span).is_empty() && !self.text(span).contains(['&', '\n', '!'])
    }

    /// The dummy arguments of the procedures of the file: whether each is an extent of another one.
    fn procedures_with_extents(&self) -> BTreeMap<String, Vec<bool>> {
        let mut extents: BTreeSet<(usize, String)> = BTreeSet::new();
        for (_, statement, spec) in self.declared.specs() {
            let scope = self.unit_of(statement);
            for dimension in &spec.dimensions {
                if let DimensionSpec::Explicit(_, upper) = dimension {
                    extents.insert((scope, self.text(upper.span).to_ascii_lowercase()));
                }
            }
        }
        let mut found = BTreeMap::new();
        for unit in self.tree.units.iter() {
            let Some(opening) = unit.opening else { continue };
            let (StatementKind::Subroutine(of) | StatementKind::Function(of)) = &self.tree.statements[opening].kind
            else {
                continue;
            };
            let is_extent = |dummy: &DummyArgument| match dummy {
                DummyArgument::Name(name) => {
                    extents.contains(&(self.unit_of(opening), self.tree.names.text(name.name).to_owned()))
                }
                DummyArgument::Star => false,
            };
            let name = self.tree.names.text(of.name.name).to_owned();
            found.insert(name, of.dummies.iter().map(is_extent).collect());
        }
        found
    }

    /// The number of the innermost program unit around a statement.
    fn unit_of(&self, statement: StatementId) -> usize {
        let around = |unit: &&(usize, Range<StatementId>)| unit.1.start <= statement && statement <= unit.1.end;
        let units: Vec<(usize, Range<StatementId>)> =
            self.tree.units.iter().map(|unit| unit.first..unit.last).enumerate().collect();
        units.iter().filter(around).max_by_key(|(_, range)| range.start).map_or(usize::MAX, |(number, _)| *number)
    }

    /// All slips in the file.
    fn slips(mut self) -> Vec<(Slip, Edits)> {
        let tree = self.tree;
        for (id, statement) in tree.statements.iter_enumerated() {
            if let StatementKind::Do { control: DoControl::Counted { variable, lower, upper, step }, .. } =
                &statement.kind
                && self.subscribes(id, variable)
            {
                let is_backward = step.as_ref().is_some_and(|step| self.text(step.span).starts_with('-'));
                self.bound(lower, if is_backward { "+1" } else { "-1" });
                self.bound(upper, if is_backward { "-1" } else { "+1" });
            }
            if let StatementKind::Call { procedure } = &statement.kind {
                self.call(procedure);
            }
            if !matches!(statement.kind, StatementKind::Assignment { .. } | StatementKind::If { .. }) {
                continue;
            }
            let mut references: Vec<&Reference> = Vec::new();
            walk_references(&tree.names, &statement.kind, &mut |reference, _| references.push(reference));
            for reference in references {
                self.swaps(id, reference);
            }
        }
        self.found
    }

    /// Whether the variable of a loop is a subscript in it.
    fn subscribes(&self, header: StatementId, variable: &Reference) -> bool {
        let Some(variable) = variable.as_name() else { return false };
        let own = |construct: &&Construct| construct.headers.first() == Some(&header);
        let Some(construct) = self.tree.constructs.iter().find(own) else { return false };
        let mut found = false;
        for (id, statement) in self.tree.statements.iter_enumerated() {
            if id <= header || id > construct.last {
                continue;
            }
            walk_references(&self.tree.names, &statement.kind, &mut |reference, _| {
                let classes = self.resolved.classify(self.tree, id, reference);
                let is_array = matches!(classes.first(), Some(PartClass::Array { rank: 1.. }));
                let lists = reference.parts.first().map(|part| &part.lists);
                let items = lists.into_iter().flatten().flat_map(|list| &list.items);
                let is_variable = |expression: &Expression| match &expression.kind {
                    ExpressionKind::Reference(one) => one.as_name().is_some_and(|name| name.name == variable.name),
                    _ => false,
                };
                found |= is_array && items.filter_map(|item| item.expression()).any(is_variable);
            });
        }
        found
    }

    /// A bound, one more and one less; `wider`: which of them makes the loop longer.
    fn bound(&mut self, bound: &Expression, wider: &str) {
        if !self.is_plain(bound.span) {
            return;
        }
        for by in ["+1", "-1"] {
            let text = self.text(bound.span);
            let changed = match text.parse::<i64>() {
                Ok(number) if by == "+1" => (number + 1).to_string(),
                Ok(number) => (number - 1).to_string(),
                Err(_) => format!("{text}{by}"),
            };
            let slip = if by == wider { Slip::LoopWider } else { Slip::LoopNarrower };
            self.found.push((slip, vec![(range(bound.span), changed)]));
        }
    }

    /// Two subscripts of a reference in each other's place.
    fn swaps(&mut self, statement: StatementId, reference: &Reference) {
        let [part] = reference.parts.as_slice() else { return };
        let Some(symbol) = self.resolved.symbol_at(statement, part.name.name) else { return };
        let Some((_, spec)) = self.declared.spec(symbol) else { return };
        let Some(list) = part.lists.first() else { return };
        if list.items.len() != spec.dimensions.len() {
            return;
        }
        let subscripts: Vec<Option<&Expression>> = list.items.iter().map(|item| item.expression()).collect();
        for (at, one) in subscripts.iter().enumerate() {
            for (beside, other) in subscripts.iter().enumerate().skip(at + 1) {
                let (Some(one), Some(other)) = (one, other) else { continue };
                let (text, others) = (self.text(one.span), self.text(other.span));
                if text == others || !self.is_plain(one.span) || !self.is_plain(other.span) {
                    continue;
                }
                let bounds = self.resolved.symbol(symbol).shape.as_ref().map_or(&[][..], |shape| &shape.bounds);
                let is_symbolic = |at: usize| bounds.get(at).is_none_or(|bounds| bounds.upper.is_none());
                let are_symbolic = is_symbolic(at) && is_symbolic(beside);
                let Some(slip) = self.kind_of_swap(statement, spec, [(at, one), (beside, other)]) else { continue };
                if !are_symbolic {
                    continue;
                }
                let edits = vec![(range(one.span), others.to_owned()), (range(other.span), text.to_owned())];
                self.found.push((slip, edits));
            }
        }
    }

    fn kind_of_swap(&self, of: StatementId, spec: &ArraySpec, swapped: [(usize, &Expression); 2]) -> Option<Slip> {
        let loops = swapped.map(|(_, subscript)| self.counting(of, subscript));
        let are_counted = loops.iter().all(Option::is_some);
        let dimensions = swapped.map(|(at, _)| &spec.dimensions[at]);
        match dimensions {
            [DimensionSpec::Explicit(_, one), DimensionSpec::Explicit(_, other)] => {
                let texts = [one, other].map(|of| self.text(of.span).to_ascii_lowercase());
                let mut pairs = loops.iter().zip(dimensions);
                let are_whole = pairs.all(|(of, dimension)| of.is_some_and(|of| self.is_whole(of, dimension)));
                let slip = match are_whole {
                    true if self.is_tested(of) => Slip::SwapTested,
                    true => Slip::SwapWhole,
                    false if are_counted => Slip::SwapPart,
                    false => Slip::SwapOther,
                };
                (texts[0] != texts[1]).then_some(slip)
            }
            [DimensionSpec::Colon(_), DimensionSpec::Colon(_)] => are_counted.then_some(Slip::SwapDeferred),
            _ => None,
        }
    }

    /// The constructs around a statement, from the innermost one outward.
    fn constructs(&self, statement: StatementId) -> impl Iterator<Item = &'t Construct> {
        let tree = self.tree;
        let around = std::iter::successors(tree.construct_of[statement], |&of| tree.constructs[of].parent);
        around.map(|construct| &tree.constructs[construct])
    }

    /// Whether a statement stands under something other than loops.
    fn is_tested(&self, statement: StatementId) -> bool {
        let is_loop = |of: &Construct| {
            of.headers.first().is_some_and(|&header| {
                let kind = &self.tree.statements[header].kind;
                matches!(kind, StatementKind::Do { control: DoControl::Counted { .. }, .. })
            })
        };
        matches!(self.tree.statements[statement].kind, StatementKind::If { .. })
            || !self.constructs(statement).all(is_loop)
    }

    /// The bounds of the loop around a statement whose variable an expression has.
    fn counting(&self, statement: StatementId, expression: &Expression) -> Option<[&'t Expression; 2]> {
        let mut headers = self.constructs(statement).filter_map(|construct| construct.headers.first());
        let text = self.text(expression.span).to_ascii_lowercase();
        let words: BTreeSet<&str> = text.split(|one: char| !one.is_alphanumeric() && one != '_').collect();
        headers.find_map(|&header| match &self.tree.statements[header].kind {
            StatementKind::Do { control: DoControl::Counted { variable, lower, upper, .. }, .. } => {
                let name = variable.as_name()?;
                words.contains(self.tree.names.text(name.name)).then_some([lower.as_ref(), upper.as_ref()])
            }
            _ => None,
        })
    }

    /// Whether a loop runs through a dimension but for a border.
    fn is_whole(&self, [first, last]: [&Expression; 2], dimension: &DimensionSpec) -> bool {
        let DimensionSpec::Explicit(lower, upper) = dimension else { return false };
        let without_border = |expression: &Expression| -> (String, bool) {
            let text = self.text(expression.span).to_ascii_lowercase().replace(' ', "");
            if text.parse::<i64>().is_ok_and(|number| number.abs() <= 4) {
                return (String::new(), true);
            }
            let at = text.rfind(['+', '-']).filter(|&at| text[at + 1..].parse::<i64>().is_ok_and(|number| number <= 4));
            (at.map_or(text.as_str(), |at| &text[..at]).to_owned(), false)
        };
        let lower = lower.as_ref().map_or((String::new(), true), without_border);
        lower == without_border(first) && without_border(upper) == without_border(last)
    }

    /// Two extents in each other's place.
    fn call(&mut self, procedure: &Reference) {
        let [part] = procedure.parts.as_slice() else { return };
        let Some(extents) = self.procedures.get(self.tree.names.text(part.name.name)) else { return };
        let items = part.lists.iter().flat_map(|list| &list.items).zip(extents);
        let of_extents: Vec<&Expression> = items
            .filter(|(item, is_extent)| **is_extent && item.keyword.is_none())
            .filter_map(|(item, _)| item.expression())
            .collect();
        for pair in of_extents.windows(2) {
            let [one, other] = [pair[0].span, pair[1].span];
            let texts = [one, other].map(|span| self.text(span).to_owned());
            if texts[0].eq_ignore_ascii_case(&texts[1]) || !self.is_plain(one) || !self.is_plain(other) {
                continue;
            }
            let [text, others] = texts;
            self.found.push((Slip::Extents, vec![(range(one), others), (range(other), text)]));
        }
    }
}

fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

/// What came of the slips of one kind.
#[derive(Clone, Copy, Default, Debug)]
struct Shares {
    tried: usize,
    found: usize,
    possible: usize,
}

/// What is said of a file, in order.
type Told = BTreeSet<(u32, &'static str, String)>;

/// `shapes` without and with what may fail.
struct Sessions<'p> {
    plain: Session<'p, Shapes>,
    possible: Session<'p, Shapes>,
}

impl<'p> Sessions<'p> {
    fn new(project: &'p Project) -> Self {
        let options =
            |possible| ShapeOptions { solver: Procedure::Z3, possible, rules: RULES, levels: Levels::default() };
        Sessions { plain: Session::new(project, options(false)), possible: Session::new(project, options(true)) }
    }

    fn told(session: &Session<'p, Shapes>, path: &Path, bytes: &[u8]) -> Told {
        let view = session.project().view(path, bytes);
        let findings = session.analyse(&view).findings.into_iter();
        let own = findings.filter(|finding| finding.rule.code.starts_with('A'));
        own.map(|finding| (finding.location.start.line, finding.rule.code, finding.message)).collect()
    }
}

/// Tries the slips in one file; `turn` counts those of each kind, of which each so many-th is tried.
fn try_file(
    sessions: &Sessions<'_>,
    path: &Path,
    every: usize,
    turn: &mut BTreeMap<Slip, usize>,
    shares: &mut BTreeMap<Slip, Shares>,
) {
    let Ok(bytes) = std::fs::read(path) else { return };
    let view = sessions.plain.project().view(path, bytes.as_slice());
    let slips = Subject::new(&view, &bytes).slips();
    let kinds = std::env::var("CAMFORT_KINDS").ok();
    let is_asked =
        |slip: Slip| kinds.as_ref().is_none_or(|kinds| kinds.split(',').any(|kind| kind == format!("{slip:?}")));
    let wanted: Vec<(Slip, Edits)> = slips
        .into_iter()
        .filter(|(slip, _)| is_asked(*slip))
        .filter(|(slip, _)| {
            let turn = turn.entry(*slip).or_default();
            *turn += 1;
            turn.is_multiple_of(every)
        })
        .collect();
    if wanted.is_empty() {
        return;
    }
    let before = Sessions::told(&sessions.plain, path, &bytes);
    let possible_before = Sessions::told(&sessions.possible, path, &bytes);
    for (slip, edits) in wanted {
        let text = replaced(&bytes, edits.iter().map(|(range, text)| (range.clone(), text.as_str())));
        let is_found = !Sessions::told(&sessions.plain, path, &text).is_subset(&before);
        let is_possible = is_found || !Sessions::told(&sessions.possible, path, &text).is_subset(&possible_before);
        let of_slip = shares.entry(slip).or_default();
        of_slip.tried += 1;
        of_slip.found += usize::from(is_found);
        of_slip.possible += usize::from(is_possible);
        if !is_found && std::env::var_os("CAMFORT_SHOW").is_some() {
            let line = bytes[..edits[0].0.start].iter().filter(|&&byte| byte == b'\n').count();
            let all = String::from_utf8_lossy(&text);
            let shown = all.lines().nth(line).unwrap_or_default().trim().to_owned();
            println!(
                "{}:{} {slip:?}{}: {shown}",
                path.display(),
                line + 1,
                if is_possible { " (possible)" } else { "" }
            );
        }
    }
}

#[test]
fn slips_are_found() {
    let folder = std::env::var_os("CAMFORT_SLIPS").map_or_else(|| root().join("corpus"), PathBuf::from);
    let every = std::env::var("CAMFORT_EVERY").ok().and_then(|text| text.parse().ok()).unwrap_or(6);
    let files = fortran_files(&folder);
    let project = Project::load(&files, SourceOptions::default());
    let sessions = Sessions::new(&project);
    let (mut turn, mut shares) = (BTreeMap::new(), BTreeMap::new());
    for path in &files {
        try_file(&sessions, path, every, &mut turn, &mut shares);
    }
    println!("| slip | there | tried | found | with --possible |\n|---|---|---|---|---|");
    let percent = |count: usize, of: usize| 100.0 * count as f64 / of.max(1) as f64;
    for (slip, Shares { tried, found, possible }) in &shares {
        println!(
            "| {slip:?} | {} | {tried} | {:.1} % | {:.1} % |",
            turn[slip],
            percent(*found, *tried),
            percent(*possible, *tried)
        );
    }
    let of = |slip: Slip| shares.get(&slip).copied().unwrap_or_default();
    let (swaps, wider) = (of(Slip::SwapWhole), of(Slip::LoopWider));
    assert!(swaps.tried >= 4 && percent(swaps.found, swaps.tried) >= 90.0, "{swaps:?}");
    assert!(wider.tried >= 50 && percent(wider.found, wider.tried) >= 50.0, "{wider:?}");
}
