//! Exact counts: of a file, a package, a study. Adding is associative and commutative, with nothing as its neutral element.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::FileSurvey;
use super::class::Category;
use super::outcome::{Outcome, SpecificationClass};

/// How often each of some things occurs; what never occurs is not listed.
pub type Histogram<K> = BTreeMap<K, u64>;

/// The counts of some files.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Counts {
    /// Files.
    pub files: u64,
    /// Those of them that were fully understood.
    pub understood_files: u64,
    /// Lines that are neither blank nor comment.
    pub physical_lines: u64,
    /// Those of them in files that were fully understood.
    pub understood_physical_lines: u64,
    /// All lines.
    pub raw_lines: u64,
    /// Those of them in files that were fully understood.
    pub understood_raw_lines: u64,
    /// Statements.
    pub statements: u64,
    /// Statements that were not understood.
    pub not_understood: u64,
    /// Assignments to which arrays flow.
    pub assignments: u64,
    /// Array computations by their classes.
    #[serde(with = "pairs")]
    pub categories: Histogram<Category>,
    /// Array computations by what can be specified.
    #[serde(with = "pairs")]
    pub outcomes: Histogram<Outcome>,
    /// Array computations by the number of dimensions.
    #[serde(with = "pairs")]
    pub dimensionality: Histogram<u32>,
    /// Array computations by the number of references.
    #[serde(with = "pairs")]
    pub subscripts: Histogram<u32>,
    /// Array computations by the canonical texts of their offsets, of neighbourhood patterns.
    #[serde(with = "pairs")]
    pub shapes: Histogram<String>,
    /// Specifications by their classes.
    #[serde(with = "pairs")]
    pub specifications: Histogram<SpecificationClass>,
    /// Assignments by the number of arrays.
    #[serde(with = "pairs")]
    pub arrays: Histogram<u32>,
    /// Assignments by the number of further assignments that flow to them.
    #[serde(with = "pairs")]
    pub flow_lengths: Histogram<u32>,
}

impl Counts {
    /// The counts of one file.
    pub fn of(file: &FileSurvey) -> Self {
        let size = file.size;
        let if_understood = |count: u64| if size.is_understood { count } else { 0 };
        let mut counts = Counts {
            files: 1,
            understood_files: if_understood(1),
            physical_lines: size.physical_lines,
            understood_physical_lines: if_understood(size.physical_lines),
            raw_lines: size.raw_lines,
            understood_raw_lines: if_understood(size.raw_lines),
            statements: size.statements,
            not_understood: size.not_understood,
            assignments: file.assignments.len() as u64,
            ..Counts::default()
        };
        for assignment in &file.assignments {
            *counts.arrays.entry(assignment.arrays.len() as u32).or_default() += 1;
            *counts.flow_lengths.entry(assignment.flow_length).or_default() += 1;
            for row in &assignment.arrays {
                *counts.categories.entry(row.category).or_default() += 1;
                *counts.outcomes.entry(row.outcome).or_default() += 1;
                *counts.dimensionality.entry(row.dimensionality).or_default() += 1;
                *counts.subscripts.entry(row.subscripts).or_default() += 1;
                if let Some(shape) = &row.shape {
                    *counts.shapes.entry(shape.clone()).or_default() += 1;
                }
                for specification in &row.specifications {
                    *counts.specifications.entry(*specification).or_default() += 1;
                }
            }
        }
        counts
    }

    /// Adds the counts of other files.
    pub fn add(&mut self, other: &Counts) {
        let numbers = [
            (&mut self.files, other.files),
            (&mut self.understood_files, other.understood_files),
            (&mut self.physical_lines, other.physical_lines),
            (&mut self.understood_physical_lines, other.understood_physical_lines),
            (&mut self.raw_lines, other.raw_lines),
            (&mut self.understood_raw_lines, other.understood_raw_lines),
            (&mut self.statements, other.statements),
            (&mut self.not_understood, other.not_understood),
            (&mut self.assignments, other.assignments),
        ];
        for (sum, count) in numbers {
            *sum = sum.saturating_add(count);
        }
        add(&mut self.categories, &other.categories);
        add(&mut self.outcomes, &other.outcomes);
        add(&mut self.dimensionality, &other.dimensionality);
        add(&mut self.subscripts, &other.subscripts);
        add(&mut self.shapes, &other.shapes);
        add(&mut self.specifications, &other.specifications);
        add(&mut self.arrays, &other.arrays);
        add(&mut self.flow_lengths, &other.flow_lengths);
    }

    /// Number of array computations.
    pub fn computations(&self) -> u64 {
        self.categories.values().sum()
    }

    /// Number of array computations of which this holds.
    pub fn computations_with(&self, holds: impl Fn(&Category) -> bool) -> u64 {
        self.categories.iter().filter(|(category, _)| holds(category)).map(|(_, count)| count).sum()
    }
}

fn add<K: Ord + Clone>(sum: &mut Histogram<K>, other: &Histogram<K>) {
    for (key, count) in other {
        let known = sum.entry(key.clone()).or_default();
        *known = known.saturating_add(*count);
    }
}

/// The counts of packages by their names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Study {
    /// The packages.
    pub packages: BTreeMap<String, Counts>,
}

impl Study {
    /// Adds some counts to a package.
    pub fn add(&mut self, package: &str, counts: &Counts) {
        match self.packages.get_mut(package) {
            Some(known) => known.add(counts),
            None => {
                self.packages.insert(package.to_owned(), counts.clone());
            }
        }
    }

    /// Adds another study.
    pub fn merge(&mut self, other: &Study) {
        other.packages.iter().for_each(|(package, counts)| self.add(package, counts));
    }

    /// The counts of all packages together.
    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        self.packages.values().for_each(|counts| total.add(counts));
        total
    }
}

/// Histograms as lists of pairs: JSON has no other keys than texts.
mod pairs {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::Histogram;

    pub fn serialize<K: Serialize, S: Serializer>(histogram: &Histogram<K>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(histogram)
    }

    pub fn deserialize<'de, K, D>(deserializer: D) -> Result<Histogram<K>, D::Error>
    where
        K: Deserialize<'de> + Ord,
        D: Deserializer<'de>,
    {
        let mut found = Histogram::new();
        for (key, count) in Vec::<(K, u64)>::deserialize(deserializer)? {
            if found.insert(key, count).is_some() {
                return Err(D::Error::custom("something is counted twice"));
            }
        }
        Ok(found)
    }
}
