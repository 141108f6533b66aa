//! The values of a configuration file, each read as the command line reads it, and with its place.

use std::cmp::Ordering;
use std::marker::PhantomData;
use std::ops::Range;

use clap::ValueEnum;
use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};

use super::arguments::line_length;
use crate::workspace::FixedLineLength;

/// Something in a file and where it stands, in bytes.
#[derive(Clone, Debug)]
pub struct Located<T> {
    /// What it is.
    pub value: T,
    /// Where.
    pub span: Range<usize>,
}

impl<T> Located<T> {
    /// The same place with a reference.
    pub fn as_ref(&self) -> Located<&T> {
        Located { value: &self.value, span: self.span.clone() }
    }

    /// Something else in the same place.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Located<U> {
        Located { value: change(self.value), span: self.span }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Located<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = toml::Spanned::<T>::deserialize(deserializer)?;
        Ok(Located { span: spanned.span(), value: spanned.into_inner() })
    }
}

impl<T: PartialEq> PartialEq for Located<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Located<T> {}

impl<T: Ord> PartialOrd for Located<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Ord> Ord for Located<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value.cmp(&other.value)
    }
}

/// Reads a list of texts for a key that may be missing.
pub fn list<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Located<Vec<T>>>, D::Error> {
    struct List<T>(Vec<T>);

    struct Items<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Items<T> {
        type Value = List<T>;

        fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            formatter.write_str("a list of texts, such as [\"one\", \"two\"]")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
            let mut list = Vec::new();
            while let Some(item) = items.next_element()? {
                list.push(item);
            }
            Ok(List(list))
        }
    }

    impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_seq(Items(PhantomData))
        }
    }

    Ok(Some(Located::<List<T>>::deserialize(deserializer)?.map(|list| list.0)))
}

/// One of the values that the command line has for an option too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice<T>(pub T);

/// The names of the values.
pub fn names<T: ValueEnum>() -> Vec<String> {
    T::value_variants().iter().map(name).collect()
}

/// The name of a value.
pub fn name<T: ValueEnum>(value: &T) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

impl<'de, T: ValueEnum> Deserialize<'de> for Choice<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Word<T>(PhantomData<T>);
        impl<T: ValueEnum> Visitor<'_> for Word<T> {
            type Value = Choice<T>;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let names: Vec<String> = names::<T>().iter().map(|name| format!("\"{name}\"")).collect();
                write!(formatter, "{}", names.join(" or "))
            }

            fn visit_str<E: Error>(self, word: &str) -> Result<Self::Value, E> {
                let names = names::<T>();
                let known: Vec<&str> = names.iter().map(String::as_str).collect();
                let unknown = |_| E::custom(format!("unknown value '{word}'; {}", hint(word, &known)));
                T::from_str(word, false).map(Choice).map_err(unknown)
            }
        }
        deserializer.deserialize_str(Word(PhantomData))
    }
}

/// The known word that is near enough to be meant.
pub fn nearest<'k>(unknown: &str, known: &[&'k str]) -> Option<&'k str> {
    let distance = |word: &str| strsim::damerau_levenshtein(&unknown.to_lowercase(), &word.to_lowercase());
    let word = known.iter().min_by_key(|word| distance(word))?;
    (distance(word) <= 1 + word.len() / 4).then_some(word)
}

/// The word that is meant, most likely; if none is near, all of them.
pub fn hint(unknown: &str, known: &[&str]) -> String {
    match nearest(unknown, known) {
        Some(word) => format!("did you mean '{word}'?"),
        None => format!("there are {}", known.join(", ")),
    }
}

/// A number of columns, `auto` or `none`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineLength(pub FixedLineLength);

impl<'de> Deserialize<'de> for LineLength {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Columns;
        impl Visitor<'_> for Columns {
            type Value = LineLength;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("a number of columns above 6, \"none\" or \"auto\"")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
                self.visit_str(&number.to_string())
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
                line_length(text).map(LineLength).map_err(|wanted| E::custom(format!("'{text}' is not {wanted}")))
            }
        }
        deserializer.deserialize_any(Columns)
    }
}

/// The address of a rule's page, with `{code}` in place of the code. It goes to terminals: it has no other characters
/// than addresses have.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct RuleUrl(pub String);

impl TryFrom<String> for RuleUrl {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let has_scheme = ["https://", "http://", "file://"].iter().any(|scheme| text.starts_with(scheme));
        match has_scheme && text.contains("{code}") && text.chars().all(|c| c.is_ascii_graphic()) {
            true => Ok(RuleUrl(text)),
            false => Err(format!("'{}' is no address with {{code}} in it", text.escape_debug())),
        }
    }
}
