//! Where the computations of a study stand: for each class of each package the first ones, so that a reader of the page
//! gets from a number to code.

use std::collections::{BTreeMap, BTreeSet};

use super::partial::FileName;
use super::{ArrayRow, Assignment, Category, Counts, FileSurvey, SpecificationClass, SpecificationOutcome};

/// So many computations are kept of each class.
const KEPT: usize = 3;

/// One array computation and where it stands. They are ordered by their places.
#[derive(Clone, Debug)]
pub struct Place {
    /// The file.
    pub file: FileName,
    /// The assignment, with this array alone.
    pub assignment: Assignment,
    /// Number of arrays that flow to the assignment.
    pub arrays: u32,
}

impl Place {
    /// The array.
    pub fn array(&self) -> &ArrayRow {
        &self.assignment.arrays[0]
    }

    /// The counts of a study of this computation alone.
    pub fn counts(&self) -> Counts {
        let file = FileSurvey { assignments: vec![self.assignment.clone()], ..FileSurvey::default() };
        Counts { arrays: BTreeMap::from([(self.arrays, 1)]), ..Counts::of_file(&file) }
    }

    /// What it is counted as.
    fn classes(&self) -> Vec<Class> {
        let array = self.array();
        let mut classes = vec![
            Class::Category(array.category),
            Class::Outcome(array.outcome),
            Class::Dimensionality(array.dimensionality),
            Class::Subscripts(array.subscripts),
            Class::Arrays(self.arrays),
            Class::FlowLength(self.assignment.flow_length),
        ];
        classes.extend(array.shape.clone().map(Class::Shape));
        classes.extend(array.specifications.iter().copied().map(Class::Specification));
        classes
    }

    fn order(&self) -> (&FileName, u32, u32, &str) {
        (&self.file, self.assignment.line, self.assignment.column, &self.array().array)
    }
}

/// What [`Counts`] count by.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Class {
    Category(Category),
    Outcome(SpecificationOutcome),
    Dimensionality(u32),
    Subscripts(u32),
    Shape(String),
    Specification(SpecificationClass),
    Arrays(u32),
    FlowLength(u32),
}

/// The first computations of each class, in the order of their places, whatever the order in which files are added.
#[derive(Clone, Debug, Default)]
pub struct Places {
    packages: BTreeMap<String, BTreeMap<Class, Vec<Place>>>,
}

impl Places {
    /// Adds the computations of a file.
    pub fn add(&mut self, file: &FileName, survey: &FileSurvey) {
        let package = self.packages.entry(file.package.clone()).or_default();
        for assignment in &survey.assignments {
            for array in &assignment.arrays {
                let alone = Assignment { arrays: vec![array.clone()], unit: assignment.unit.clone(), ..*assignment };
                let arrays = assignment.arrays.len() as u32;
                let place = Place { file: file.clone(), assignment: alone, arrays };
                for class in place.classes() {
                    let kept = package.entry(class).or_default();
                    let at = kept.partition_point(|other| other.order() <= place.order());
                    if at < KEPT {
                        kept.insert(at, place.clone());
                        kept.truncate(KEPT);
                    }
                }
            }
        }
    }

    /// Each place once, in order.
    pub fn all(&self) -> Vec<&Place> {
        let mut known = BTreeSet::new();
        let places = self.packages.values().flat_map(BTreeMap::values).flatten();
        let mut all: Vec<&Place> = places.filter(|place| known.insert(place.order())).collect();
        all.sort_by_key(|place| place.order());
        all
    }
}
