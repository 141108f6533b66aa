//! Exact counts: of a file, a package, a study. Adding is associative and commutative, with nothing as its neutral
//! element.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::FileSurvey;
use super::class::Category;
use super::outcome::{SpecificationClass, SpecificationOutcome};
use super::size::Sizes;

/// How often each of some things occurs; what never occurs is not listed.
pub type Histogram<K> = BTreeMap<K, u64>;

/// The counts of some files.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// How long they are, and how much of that was understood.
    #[serde(flatten)]
    pub sizes: Sizes,
    /// Assignments to which arrays flow.
    pub assignments: u64,
    /// Array computations by their classes.
    #[serde(with = "pairs")]
    pub categories: Histogram<Category>,
    /// Array computations by what can be specified.
    #[serde(with = "pairs")]
    pub outcomes: Histogram<SpecificationOutcome>,
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
    pub fn of_file(file: &FileSurvey) -> Self {
        let mut counts = Counts { sizes: file.sizes, assignments: file.assignments.len() as u64, ..Counts::default() };
        for assignment in &file.assignments {
            count(&mut counts.arrays, assignment.arrays.len() as u32);
            count(&mut counts.flow_lengths, assignment.flow_length);
            for row in &assignment.arrays {
                count(&mut counts.categories, row.category);
                count(&mut counts.outcomes, row.outcome);
                count(&mut counts.dimensionality, row.dimensionality);
                count(&mut counts.subscripts, row.subscripts);
                row.shape.iter().for_each(|shape| count(&mut counts.shapes, shape.clone()));
                row.specifications.iter().for_each(|&class| count(&mut counts.specifications, class));
            }
        }
        counts
    }

    /// Adds the counts of other files.
    pub fn add(&mut self, other: &Counts) {
        self.sizes = self.sizes.plus(other.sizes);
        self.assignments = self.assignments.saturating_add(other.assignments);
        add(&mut self.categories, &other.categories);
        add(&mut self.outcomes, &other.outcomes);
        add(&mut self.dimensionality, &other.dimensionality);
        add(&mut self.subscripts, &other.subscripts);
        add(&mut self.shapes, &other.shapes);
        add(&mut self.specifications, &other.specifications);
        add(&mut self.arrays, &other.arrays);
        add(&mut self.flow_lengths, &other.flow_lengths);
    }

    /// Each count as a share of all that is counted with it, so that counts of different sizes weigh the same.
    fn normalized(&self) -> Self {
        Counts {
            sizes: self.sizes,
            assignments: self.assignments,
            categories: normalized(&self.categories),
            outcomes: normalized(&self.outcomes),
            dimensionality: normalized(&self.dimensionality),
            subscripts: normalized(&self.subscripts),
            shapes: shares(&self.shapes, self.computations()),
            specifications: normalized(&self.specifications),
            arrays: normalized(&self.arrays),
            flow_lengths: normalized(&self.flow_lengths),
        }
    }

    /// Number of array computations.
    pub fn computations(&self) -> u64 {
        self.categories.values().sum()
    }
}

fn count<K: Ord>(histogram: &mut Histogram<K>, key: K) {
    *histogram.entry(key).or_default() += 1;
}

/// What the counts of a histogram add up to when they are made shares.
const ALL_SHARES: u64 = 1_000_000_000_000;

/// The counts as shares of their sum.
fn normalized<K: Ord + Clone>(histogram: &Histogram<K>) -> Histogram<K> {
    shares(histogram, histogram.values().sum())
}

/// The counts as shares of a whole. Sums are rounded, not the counts, so that shares add up as the counts do.
fn shares<K: Ord + Clone>(histogram: &Histogram<K>, whole: u64) -> Histogram<K> {
    let share = |count: u64| (u128::from(count) * u128::from(ALL_SHARES)).checked_div(u128::from(whole)).unwrap_or(0);
    let mut sum = 0;
    let mut next = |count: u64| {
        let before = share(sum);
        sum += count;
        (share(sum) - before) as u64
    };
    histogram.iter().map(|(key, &count)| (key.clone(), next(count))).collect()
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
        self.packages.entry(package.to_owned()).or_default().add(counts);
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

    /// The mean of all packages, each of which weighs as much as any other: its percentages are the means of theirs.
    /// Packages without anything to count are left out.
    pub fn mean(&self) -> Counts {
        let mut mean = Counts::default();
        self.packages.values().for_each(|counts| mean.add(&counts.normalized()));
        mean
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
