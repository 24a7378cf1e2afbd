//! Serializes values of the rules crate as the text people write: `#[serde(with = "arena::text")]`.

use std::{fmt::Display, str::FromStr};

use serde::{Deserialize, Deserializer, Serializer, de::Error};

/// Writes the text.
///
/// # Errors
/// When the serializer fails.
pub fn serialize<T: Display, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

/// Reads the text.
///
/// # Errors
/// When the text is something else.
pub fn deserialize<'de, T, D>(from: D) -> Result<T, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    let text = String::deserialize(from)?;
    text.parse().map_err(D::Error::custom)
}

/// The same for endings, which are looked up by name.
pub(crate) mod ending {
    use super::*;
    use gomoku::Ending;

    pub(crate) fn serialize<S: Serializer>(value: &Ending, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(value.name())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Ending, D::Error> {
        let name = String::deserialize(from)?;
        Ending::from_name(&name)
            .ok_or_else(|| D::Error::custom(format!("'{name}' is not a way to end a game.")))
    }
}
