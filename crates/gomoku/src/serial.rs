//! Values for serde, with the feature `serde`: as the texts that people read, and checked when read.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::{Color, Point, Position, Rule};

macro_rules! as_text {
    ($name:ty) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
            }
        }
    };
}

as_text!(Point);
as_text!(Rule);

impl Serialize for Color {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Color {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Color, D::Error> {
        let text = String::deserialize(deserializer)?;
        let color = Color::ALL.into_iter().find(|color| color.to_string() == text);
        color.ok_or_else(|| D::Error::custom(format!("'{text}' is neither black nor white.")))
    }
}

/// What a position is read from.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Position")]
struct Written {
    rule: Rule,
    size: u8,
    text: String,
}

/// The text is that of [`Position::to_text`], in which moves after a set-up are stones of it.
impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (rule, size) = (self.rule(), self.size());
        Written { rule, size, text: self.to_text() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Position, D::Error> {
        let Written { rule, size, text } = Written::deserialize(deserializer)?;
        Position::parse(&text, rule, size).map_err(D::Error::custom)
    }
}
