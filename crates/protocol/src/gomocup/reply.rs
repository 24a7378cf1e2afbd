//! What a brain answers.

use std::fmt;

use crate::wire::{Coord, split_word, text_of};

/// A line of a brain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// A move: two numbers and nothing else.
    Move(Coord),
    /// Several moves at once, in an opening protocol.
    Moves(Vec<Coord>),
    /// Takes the other color.
    Swap,
    /// Done.
    Ok,
    /// Understood but refused.
    Error(String),
    /// Not implemented.
    Unknown(String),
    /// For the user.
    Message(String),
    /// For developers.
    Debug(String),
    /// Asks to be told `PLAY`. We never send it: the Gomocup judge does not understand it.
    Suggest(Coord),
    /// Forbidden points, in answer to `yxshowforbid`.
    Forbid(Vec<Coord>),
    /// Who the brain is.
    About(Vec<(String, String)>),
    /// Anything else.
    Noise(String),
}

impl Reply {
    /// Reads a line. Words count in any case; what is not UTF-8 is replaced.
    pub fn parse(line: &[u8]) -> Reply {
        let text = text_of(line);
        let text = text.trim();
        let (word, rest) = split_word(text);
        let rest = || rest.to_owned();
        match word.to_ascii_uppercase().as_str() {
            "OK" if rest().is_empty() => Reply::Ok,
            "SWAP" => Reply::Swap,
            "ERROR" => Reply::Error(rest()),
            "UNKNOWN" => Reply::Unknown(rest()),
            "MESSAGE" => Reply::Message(rest()),
            "DEBUG" => Reply::Debug(rest()),
            "SUGGEST" => match Coord::parse(&rest()) {
                Some(at) => Reply::Suggest(at),
                None => Reply::Noise(text.to_owned()),
            },
            "FORBID" => match forbidden(&rest()) {
                Some(points) => Reply::Forbid(points),
                None => Reply::Noise(text.to_owned()),
            },
            _ => {
                moves(text).or_else(|| about(text)).unwrap_or_else(|| Reply::Noise(text.to_owned()))
            }
        }
    }
}

/// One or more coordinates, with or without spaces around the comma.
fn moves(text: &str) -> Option<Reply> {
    if let Some(only) = Coord::parse(text) {
        return Some(Reply::Move(only));
    }
    let moves: Option<Vec<Coord>> = text.split_whitespace().map(Coord::parse).collect();
    moves.filter(|moves| moves.len() > 1).map(Reply::Moves)
}

/// Cells of four digits up to a dot.
fn forbidden(text: &str) -> Option<Vec<Coord>> {
    let cells = text.trim().strip_suffix('.')?.as_bytes();
    let number = |digits: &[u8]| std::str::from_utf8(digits).ok()?.parse().ok();
    cells
        .chunks(4)
        .map(|cell| match cell {
            [a @ .., _, _] if a.len() == 2 => Some(Coord(number(a)?, number(&cell[2..])?)),
            _ => None,
        })
        .collect()
}

/// `name="Foo", version="1.0"`.
fn about(text: &str) -> Option<Reply> {
    let mut pairs = Vec::new();
    let mut rest = text;
    loop {
        let (key, after) = rest.split_once("=\"")?;
        let (value, after) = after.split_once('"')?;
        pairs.push((key.trim_matches([',', ' ']).to_ascii_lowercase(), value.to_owned()));
        rest = after.trim_matches([',', ' ']);
        if rest.is_empty() {
            return Some(Reply::About(pairs));
        }
    }
}

/// As a brain prints it, without the line end. Texts are kept to one line of 7-bit characters.
impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Move(at) => write!(f, "{at}"),
            Reply::Moves(moves) => {
                let moves: Vec<_> = moves.iter().map(Coord::to_string).collect();
                f.write_str(&moves.join(" "))
            }
            Reply::Swap => f.write_str("SWAP"),
            Reply::Ok => f.write_str("OK"),
            Reply::Error(text) => write!(f, "ERROR {}", plain(text)),
            Reply::Unknown(text) => write!(f, "UNKNOWN {}", plain(text)),
            Reply::Message(text) => write!(f, "MESSAGE {}", plain(text)),
            Reply::Debug(text) => write!(f, "DEBUG {}", plain(text)),
            Reply::Suggest(at) => write!(f, "SUGGEST {at}"),
            Reply::Forbid(points) => {
                f.write_str("FORBID ")?;
                points.iter().try_for_each(|at| write!(f, "{:02}{:02}", at.0, at.1))?;
                f.write_str(".")
            }
            Reply::About(pairs) => {
                let pairs: Vec<_> = pairs
                    .iter()
                    .map(|(key, value)| format!("{key}=\"{}\"", plain(value)))
                    .collect();
                f.write_str(&pairs.join(", "))
            }
            Reply::Noise(text) => f.write_str(&plain(text)),
        }
    }
}

/// Managers read lines of a few hundred bytes in an unknown code page.
fn plain(text: &str) -> String {
    let ascii = |c: char| if c.is_ascii_graphic() || c == ' ' { c } else { '?' };
    text.chars().take(2000).map(ascii).collect()
}
