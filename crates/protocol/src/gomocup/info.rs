//! `INFO key value`: settings that a manager sends at any time and that are never answered.

use std::fmt;

use crate::wire::split_word;

/// A setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Info {
    /// Which one.
    pub key: InfoKey,
    /// Its value, spaces included.
    pub value: String,
}

macro_rules! keys {
    ($($(#[$doc:meta])* $name:ident = $word:literal,)*) => {
        /// The settings that are known: Gomocup's first, then Yixin-Board's.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum InfoKey {
            $($(#[$doc])* $name,)*
            /// Anything else, which is ignored.
            Other(String),
        }

        impl InfoKey {
            /// The key with this name, in any case.
            pub fn named(word: &str) -> InfoKey {
                match word.to_ascii_lowercase().as_str() {
                    $($word => InfoKey::$name,)*
                    _ => InfoKey::Other(word.to_owned()),
                }
            }

            /// The name in messages.
            pub fn name(&self) -> &str {
                match self {
                    $(InfoKey::$name => $word,)*
                    InfoKey::Other(word) => word,
                }
            }
        }
    };
}

keys! {
    /// Milliseconds for a move; 0 is as fast as possible.
    TimeoutTurn = "timeout_turn",
    /// Milliseconds for the game; 0 is no limit.
    TimeoutMatch = "timeout_match",
    /// Milliseconds left of it.
    TimeLeft = "time_left",
    /// Bytes; 0 is no limit.
    MaxMemory = "max_memory",
    /// 0 human, 1 brain, 2 tournament, 3 network tournament.
    GameType = "game_type",
    /// A bit mask.
    Rule = "rule",
    /// Where the mouse is.
    Evaluate = "evaluate",
    /// A folder for files that last.
    Folder = "folder",
    /// Nodes for a move; 0 and -1 are no limit.
    MaxNode = "max_node",
    /// Plies; 0 and -1 are no limit.
    MaxDepth = "max_depth",
    /// Milliseconds added after each move.
    TimeIncrement = "time_increment",
    /// 0 to 5: how many candidates to look at.
    CautionFactor = "caution_factor",
    /// Worker threads.
    ThreadNum = "thread_num",
    /// Kilobytes for the transposition table.
    HashSize = "hash_size",
    /// Whether to think on the opponent's time.
    Pondering = "pondering",
    /// 0 none, 1 `MESSAGE REALTIME`, 2 `INFO` lines, 3 both.
    ShowDetail = "show_detail",
    /// Whether to use the database.
    UseDatabase = "usedatabase",
    /// Whether the database may not be changed.
    DatabaseReadonly = "database_readonly",
}

impl Info {
    /// Reads what follows the word `INFO`.
    pub fn parse(text: &str) -> Info {
        let (key, value) = split_word(text);
        Info { key: InfoKey::named(key), value: value.trim_end().to_owned() }
    }

    /// A setting with a number.
    pub fn number(key: InfoKey, value: impl Into<i128>) -> Info {
        Info { key, value: value.into().to_string() }
    }

    /// The value as a number of any size, held to 64 bits.
    pub fn as_number(&self) -> Option<i64> {
        let (word, _) = split_word(&self.value);
        let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let limit = if word.starts_with('-') { i64::MIN } else { i64::MAX };
        Some(word.parse().unwrap_or(limit))
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "INFO {} {}", self.key.name(), self.value)
    }
}
