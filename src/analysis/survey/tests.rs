//! Adding up is exact, whatever the order and the grouping.

use std::io::Cursor;

use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::partial::{Digest, FileCounts, FileName, PartialError, PartialHeader, PartialMerge, PartialReader, line};
use super::{
    Action, ArrayRow, Assignment, Bound, Category, Contiguity, Counts, FileSurvey, LeftClass, Position, Relation,
    Reuse, RightClass, Sizes, SpecificationClass, SpecificationOutcome, Study,
};

fn one_of<T: Copy + std::fmt::Debug + 'static>(all: &'static [T]) -> impl Strategy<Value = T> {
    select(all)
}

prop_compose! {
    /// Classes that go together as classification puts them.
    fn category()(
        left in one_of(LeftClass::ALL), right in one_of(RightClass::ALL), contiguity in one_of(Contiguity::ALL),
        position in one_of(Position::ALL), reuse in one_of(Reuse::ALL), relation in one_of(Relation::ALL),
        relativised in any::<bool>(),
    ) -> Category {
        let is_static = right.is_static();
        let relation = (is_static && left != LeftClass::Other).then_some(relation);
        Category {
            left,
            right,
            contiguity: is_static.then_some(contiguity),
            position: is_static.then_some(position),
            reuse: is_static.then_some(reuse),
            relation,
            relativised: relativised && relation.is_some_and(|relation| relation != Relation::Inconsistent),
        }
    }
}

prop_compose! {
    fn specification()(
        is_stencil in any::<bool>(), bound in select(vec![Bound::Exact, Bound::AtMost, Bound::AtLeast]),
        read_once in any::<bool>(), action in one_of(Action::ALL), has_hole in any::<bool>(), products in 0..4_u32,
        sums in 0..4_u32,
    ) -> SpecificationClass {
        let has_hole = has_hole && action != Action::AllPointed;
        SpecificationClass { is_stencil, bound, read_once, action, has_hole, products, sums }
    }
}

prop_compose! {
    fn row()(
        category in category(), dimensionality in 1..4_u32, subscripts in 1..30_u32,
        shape in prop::option::of("\\(0\\)|\\(1\\)|\\(0,1\\)"), outcome in select(SpecificationOutcome::all().collect::<Vec<_>>()),
        specifications in prop::collection::vec(specification(), 0..3),
    ) -> ArrayRow {
        let array = "a".to_owned();
        ArrayRow { array, category, dimensionality, subscripts, shape, outcome, specifications }
    }
}

prop_compose! {
    fn assignment()(flow_length in 0..30_u32, arrays in prop::collection::vec(row(), 1..4)) -> Assignment {
        Assignment { line: 1, column: 1, unit: "p".to_owned(), is_root: true, flow_length, arrays }
    }
}

prop_compose! {
    fn file()(
        raw_lines in 0..9_u64, physical_lines in 0..9_u64, statements in 0..9_u64, not_understood in 0..9_u64,
        is_understood in any::<bool>(), assignments in prop::collection::vec(assignment(), 0..4),
    ) -> FileSurvey {
        let (understood_files, not_understood_statements) = (u64::from(is_understood), not_understood);
        let sizes = Sizes {
            files: 1, understood_files, physical_lines, understood_physical_lines: understood_files * physical_lines,
            raw_lines, understood_raw_lines: understood_files * raw_lines, statements, not_understood_statements,
        };
        FileSurvey { sizes, assignments }
    }
}

/// Records of different files in a few packages.
fn records() -> impl Strategy<Value = Vec<FileCounts>> {
    prop::collection::vec((select(vec!["p", "q", "r"]), file()), 0..8).prop_map(|files| {
        let record = |(number, (package, file)): (usize, (&str, FileSurvey))| FileCounts {
            file: FileName { package: package.to_owned(), path: format!("{number}.f90") },
            digest: Digest::new(package.as_bytes()),
            counts: Counts::of_file(&file),
        };
        files.into_iter().enumerate().map(record).collect()
    })
}

fn study(records: &[FileCounts]) -> Study {
    let mut merge = PartialMerge::default();
    for record in records {
        merge.add(record).expect("there are no two texts of a file");
    }
    merge.study
}

fn sum(left: &Study, right: &Study) -> Study {
    let mut sum = left.clone();
    sum.merge(right);
    sum
}

/// In the mean, a package of one computation weighs as much as one of many.
#[test]
fn the_mean_weighs_packages_alike() {
    let one = |left, count| Counts { categories: [(of_left(left), count)].into(), ..Counts::default() };
    let mut study = Study::default();
    study.add("small", &one(LeftClass::Variable, 1));
    study.add("large", &one(LeftClass::Absolute, 999));
    study.add("large", &one(LeftClass::Variable, 2));
    study.add("empty", &Counts::default());
    let mean = study.mean();
    let share = mean.categories[&of_left(LeftClass::Variable)] as f64 / mean.computations() as f64;
    assert!((share - (1.0 + 2.0 / 1001.0) / 2.0).abs() < 1e-9, "{share}");
}

fn of_left(left: LeftClass) -> Category {
    Category {
        left,
        right: RightClass::Other,
        contiguity: None,
        position: None,
        reuse: None,
        relation: None,
        relativised: false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    /// A partition of the files, merged in any order and grouping, gives what the files give together.
    #[test]
    fn any_partition_gives_the_whole(
        records in records(), parts in prop::collection::vec(0..3_usize, 8), swap in any::<bool>(),
    ) {
        let part = |wanted: usize| -> Study {
            let chosen = records.iter().zip(&parts).filter(|&(_, &part)| part == wanted);
            study(&chosen.map(|(record, _)| record.clone()).collect::<Vec<_>>())
        };
        let (first, second, third) = (part(0), part(1), part(2));
        let whole = study(&records);
        prop_assert_eq!(&sum(&sum(&first, &second), &third), &whole);
        prop_assert_eq!(&sum(&first, &sum(&second, &third)), &whole);
        prop_assert_eq!(&sum(&first, &second), &sum(&second, &first));
        prop_assert_eq!(&sum(&first, &Study::default()), &first);
        let (left, right) = if swap { (&third, &first) } else { (&first, &third) };
        prop_assert_eq!(&sum(&sum(left, &second), right), &whole);
        // The sum over packages is the same, too.
        let mut total = Counts::default();
        records.iter().for_each(|record| total.add(&record.counts));
        prop_assert_eq!(whole.total(), total);
    }

    /// Merging what overlaps is merging what does not.
    #[test]
    fn files_that_are_met_again_change_nothing(records in records(), again in any::<prop::sample::Index>()) {
        let mut doubled = records.clone();
        if !records.is_empty() {
            doubled.push(records[again.index(records.len())].clone());
        }
        prop_assert_eq!(study(&doubled), study(&records));
    }

    /// Records come back from the text of a partial result, all or, where it was cut off, the first ones.
    #[test]
    fn records_come_back(records in records(), cut in any::<prop::sample::Index>()) {
        let header = PartialHeader::new("paper false".to_owned());
        let text = line(&header) + &records.iter().map(line).collect::<String>();
        let read = |text: &str| -> Result<Vec<FileCounts>, PartialError> {
            let Some(mut reader) = PartialReader::new(Cursor::new(text.as_bytes()))? else { return Ok(Vec::new()) };
            std::iter::from_fn(|| reader.next_record().transpose()).collect()
        };
        prop_assert_eq!(&read(&text).expect("it is whole"), &records);
        let cut = &text[..cut.index(text.len() + 1)];
        let whole_lines = cut.matches('\n').count().saturating_sub(1);
        prop_assert_eq!(read(cut).expect("the last line may be cut off"), &records[..whole_lines]);
    }

    /// The rows of every table add up to its whole.
    #[test]
    fn rows_add_up(records in records(), some in subsequence((0..8_usize).collect::<Vec<_>>(), 0..8)) {
        let mut counts = Counts::default();
        let chosen = some.into_iter().filter_map(|number| records.get(number));
        chosen.for_each(|record| counts.add(&record.counts));
        for table in crate::analysis::survey::render::tables::StudyTables::new(&counts).tables {
            let whole = match table.whole.name() {
                "computations" => counts.computations(),
                "assignments" => counts.assignments,
                _ => counts.specifications.values().sum(),
            };
            prop_assert_eq!(table.total, whole, "{}", table.id);
        }
    }
}
