//! The keys of a configuration: those that are known, from the types that are read, and the first one that is not.

use std::ops::Range;

use serde::de::value::Error;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;
use toml::de::DeTable;

use super::config_values::hint;

/// A key that means nothing.
#[derive(Debug)]
pub struct UnknownKey {
    /// Where it stands.
    pub span: Range<usize>,
    /// What is to be said of it.
    pub message: String,
}

/// The keys of a table that is read as a type that has no room for them.
pub fn unknown_keys<T: DeserializeOwned>(table: &DeTable<'_>) -> Vec<UnknownKey> {
    let known = known_keys::<T>();
    let unknown = table.keys().filter(|key| !known.contains(&key.get_ref().as_ref()));
    let unknown = unknown.map(|key| UnknownKey {
        span: key.span(),
        message: format!("unknown key '{}'; {}", key.get_ref(), hint(key.get_ref(), known)),
    });
    unknown.collect()
}

/// The keys from which a type is read.
fn known_keys<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut keys: &'static [&'static str] = &[];
    // It gives no values: to ask for the keys is the purpose, and always ends in an error.
    let _ = T::deserialize(Asked(&mut keys));
    keys
}

/// Takes note of the keys that are asked for.
struct Asked<'k>(&'k mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Asked<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("there are no values"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        keys: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        *self.0 = keys;
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
