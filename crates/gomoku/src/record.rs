//! Records of games: one tree in memory, many formats on paper.
//!
//! Every format is read from bytes into [`Tree`]s and written from them. Readers are lenient where
//! real files are odd, and where they cannot go on they say where, what was expected and what was
//! found. They never recurse and never take more memory than a fixed multiple of the file.

mod ccgc;
mod convert;
mod detect;
mod encoding;
mod line;
mod losses;
mod node;
mod offsets;
mod pos;
mod psq;
mod renlib;
mod sgf;
mod text;
mod tree;
mod yixin;

use std::{borrow::Cow, fmt};

pub use convert::{RecordedEnd, UnplayableError};
pub use encoding::Encoding;
use encoding::Guess;
#[cfg(target_family = "wasm")]
pub use encoding::supply_decoder;
pub use losses::losses;
pub use node::{Flag, Judgment, Mark, MarkShape, Move, Property};
use thiserror::Error;
pub use tree::{NodeId, Tree};

use crate::{
    point::{MAX_SIZE, MIN_SIZE},
    rule::Rule,
};

/// The formats that can be read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Smart Game Format, version 4, game 4: the only one that holds everything.
    Sgf,
    /// Piskvork's saved game.
    Psq,
    /// Gomotur's record, which Piskvork also writes.
    Rec,
    /// Moves such as `h8i9`, rows from the bottom, one game in each line.
    Pos,
    /// The same with rows from the top, as c-gomoku-cli and the Gomocup judge write it.
    PosFromTop,
    /// Openings as offsets from the center, one in each line, as Piskvork and Gomocup use them.
    Offsets,
    /// RenLib's library: a tree of variations on 15x15.
    RenLib,
    /// A count and one byte for each stone on 15x15, by RenLib and Yixin-Board.
    PosBytes,
    /// Yixin-Board's saved position.
    Sav,
    /// The address of a position at gomocalc.com.
    Gomocalc,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 10] = [
        Format::Sgf,
        Format::Psq,
        Format::Rec,
        Format::Pos,
        Format::PosFromTop,
        Format::Offsets,
        Format::RenLib,
        Format::PosBytes,
        Format::Sav,
        Format::Gomocalc,
    ];

    /// The word used on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Sgf => "sgf",
            Format::Psq => "psq",
            Format::Rec => "rec",
            Format::Pos => "pos",
            Format::PosFromTop => "pos-from-top",
            Format::Offsets => "offsets",
            Format::RenLib => "lib",
            Format::PosBytes => "pos-bytes",
            Format::Sav => "sav",
            Format::Gomocalc => "gomocalc",
        }
    }

    /// The format with this name.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// How the names of such files usually end, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Format::Sgf => "sgf",
            Format::Psq => "psq",
            Format::Rec => "rec",
            Format::Pos | Format::PosFromTop | Format::Offsets | Format::Gomocalc => "txt",
            Format::RenLib => "lib",
            Format::PosBytes => "pos",
            Format::Sav => "sav",
        }
    }

    /// Whether a file of the format holds any number of games; others hold one.
    pub const fn holds_many(self) -> bool {
        !matches!(self, Format::Psq | Format::Rec | Format::RenLib | Format::PosBytes | Format::Sav)
    }

    /// Whether the format keeps variations; others keep the main line.
    pub const fn holds_variations(self) -> bool {
        matches!(self, Format::Sgf | Format::RenLib)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Format::Sgf => "SGF",
            Format::Psq => "Piskvork psq",
            Format::Rec => "Gomotur rec",
            Format::Pos => "pos",
            Format::PosFromTop => "pos from the top",
            Format::Offsets => "opening offsets",
            Format::RenLib => "RenLib",
            Format::PosBytes => "pos bytes",
            Format::Sav => "Yixin sav",
            Format::Gomocalc => "gomocalc",
        })
    }
}

/// What the caller knows about a file besides its bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hint<'a> {
    /// The format, if it is certain.
    pub format: Option<Format>,
    /// The file's name, whose ending helps to tell formats apart.
    pub name: &'a str,
    /// Board size, for formats that do not say.
    pub size: Option<u8>,
    /// The rule, for formats that do not say.
    pub rule: Option<Rule>,
    /// The character set, if it is certain; otherwise what the file says, or else a guess.
    pub encoding: Option<Encoding>,
}

/// What could be read of a file.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The games; the last one may be a part.
    pub trees: Vec<Tree>,
    /// The format, if it was found out.
    pub format: Option<Format>,
    /// The character set of the texts.
    pub encoding: Encoding,
    /// Whether nothing but the looks of the texts says which set that is.
    pub is_guessed: bool,
    /// What is not in the games as it was in the file, as sentences.
    pub notes: Vec<String>,
    /// Why reading did not go on.
    pub error: Option<RecordError>,
}

/// Why a record cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordError {
    /// A text is not what the format asks for.
    #[error("{format}, line {line}, column {column}: expected {expected}, found {found}.")]
    Text {
        /// The format that was being read.
        format: Format,
        /// From 1.
        line: usize,
        /// In characters, from 1.
        column: usize,
        /// What the format asks for here.
        expected: Cow<'static, str>,
        /// What stands there.
        found: String,
    },
    /// A binary file is not what the format asks for.
    #[error("{format}, byte {offset}: expected {expected}, found {found}.")]
    Binary {
        /// The format that was being read.
        format: Format,
        /// From 0.
        offset: usize,
        /// What the format asks for here.
        expected: Cow<'static, str>,
        /// What stands there.
        found: String,
    },
    /// Nothing tells which format it is.
    #[error(
        "Line 1, column 1: expected SGF, psq, rec, pos, opening offsets, RenLib, Yixin pos or sav, \
         or a gomocalc address, found {0}."
    )]
    Unknown(String),
    /// A tree has something for which a format has no place.
    #[error("{format} has no place for {what}.")]
    NoPlace {
        /// The format that was to be written.
        format: Format,
        /// What cannot be written.
        what: Cow<'static, str>,
    },
}

/// Reads all games of a file.
///
/// # Errors
/// If any part cannot be read; [`salvage`] gives what there is before that part.
pub fn read(bytes: &[u8], hint: &Hint) -> Result<Vec<Tree>, RecordError> {
    let Reading { trees, error, .. } = salvage(bytes, hint);
    match error {
        None => Ok(trees),
        Some(error) => Err(error),
    }
}

/// Reads what can be read of a file, and says why it did not go on.
pub fn salvage(bytes: &[u8], hint: &Hint) -> Reading {
    let hint = Hint { size: hint.size.filter(|s| (MIN_SIZE..=MAX_SIZE).contains(s)), ..*hint };
    // Two bytes for each character: nothing can be found out before they are letters.
    let wide = Encoding::of_mark(bytes).filter(|(found, _)| *found != Encoding::UTF_8);
    if let Some((encoding, mark)) = wide {
        let (text, broken) = encoding.decode(&bytes[mark..]);
        let format = hint.format.or_else(|| detect::format_of(text.as_bytes(), hint.name));
        return read_as(text.as_bytes(), format, encoding, broken, &hint);
    }
    let format = hint.format.or_else(|| detect::format_of(bytes, hint.name));
    if matches!(format, None | Some(Format::RenLib | Format::PosBytes)) {
        return read_as(bytes, format, Encoding::UTF_8, 0, &hint);
    }
    let declared = sgf::declared(bytes).filter(|_| format == Some(Format::Sgf));
    let encoding = hint.encoding.unwrap_or_else(|| {
        let mut guess = Guess::default();
        guess.feed(bytes);
        guess.encoding(declared)
    });
    let (text, broken) = encoding.decode(bytes);
    let reading = read_as(text.as_bytes(), format, encoding, broken, &hint);
    Reading { is_guessed: is_guess(&hint, encoding) && declared.is_none(), ..reading }
}

/// UTF-8 is hardly ever found in a text of another set.
fn is_guess(hint: &Hint, encoding: Encoding) -> bool {
    hint.encoding.is_none() && encoding != Encoding::UTF_8
}

fn read_as(
    bytes: &[u8],
    format: Option<Format>,
    encoding: Encoding,
    mut broken: usize,
    hint: &Hint,
) -> Reading {
    let mut trees = Vec::new();
    let done = match format {
        Some(Format::Sgf) => sgf::read(bytes, hint, &mut trees),
        Some(Format::Psq) => psq::read(bytes, &mut trees),
        Some(Format::Rec) => psq::read_rec(bytes, hint, &mut trees),
        Some(format @ (Format::Pos | Format::PosFromTop | Format::Gomocalc)) => {
            pos::read(bytes, format, hint, &mut trees)
        }
        Some(Format::Offsets) => offsets::read(bytes, hint, &mut trees),
        Some(Format::RenLib) => {
            renlib::read(bytes, hint.encoding, &mut trees).map(|found| broken = found)
        }
        Some(Format::PosBytes) => yixin::read_bytes(bytes, &mut trees),
        Some(Format::Sav) => yixin::read_sav(bytes, &mut trees),
        None => Err(RecordError::Unknown(text::found(bytes))),
    };
    let own = trees.first().filter(|_| format == Some(Format::RenLib)).map(Tree::encoding);
    let encoding = own.unwrap_or(encoding);
    for tree in &mut trees {
        tree.set_encoding(encoding);
        if let (Some(rule), None) = (hint.rule, tree.rule()) {
            tree.set_rule(rule);
        }
    }
    let notes = (broken > 0).then(|| {
        let places =
            if broken == 1 { "One place is".into() } else { format!("{broken} places are") };
        format!("{places} not {encoding} and shown as \u{fffd}.")
    });
    let is_guessed = own.is_some_and(|own| is_guess(hint, own));
    let (notes, error) = (notes.into_iter().collect(), done.err());
    Reading { trees, format, encoding, is_guessed, notes, error }
}

/// Writes games. Formats of one line keep the main line of a tree, formats of one game the first.
///
/// # Errors
/// If the format has no place for the board size, set-up stones or passes of a game.
pub fn write(trees: &[Tree], format: Format) -> Result<Vec<u8>, RecordError> {
    // SGF says what it is in. Readers of the others expect the code page that the file came in.
    let own = trees.first().filter(|_| format != Format::Sgf).map(Tree::encoding);
    if let Some(encoding) = own.filter(|encoding| *encoding != Encoding::UTF_8)
        && let Ok(bytes) = write_in(trees, format, encoding)
    {
        return Ok(bytes);
    }
    write_in(trees, format, Encoding::UTF_8)
}

/// Writes games in a character set.
///
/// # Errors
/// As for [`write()`], and if the set does not have a character of the texts.
pub fn write_in(
    trees: &[Tree],
    format: Format,
    encoding: Encoding,
) -> Result<Vec<u8>, RecordError> {
    let first = trees.first().ok_or_else(|| no_place(format, "no game at all"));
    let text = match format {
        Format::Sgf => sgf::write(trees, encoding),
        Format::Psq => psq::write(first?)?,
        Format::Rec => psq::write_rec(first?)?,
        Format::Pos | Format::PosFromTop | Format::Gomocalc => pos::write(trees, format)?,
        Format::Offsets => offsets::write(trees)?,
        Format::Sav => yixin::write_sav(first?)?,
        Format::RenLib => return renlib::write(first?, encoding),
        Format::PosBytes => return yixin::write_bytes(first?),
    };
    let bytes = encoding.encode(&text).map_err(|c| missing(format, c, encoding))?;
    Ok(bytes.into_owned())
}

fn missing(format: Format, c: char, encoding: Encoding) -> RecordError {
    no_place(format, format!("the character '{c}' in {encoding}"))
}

fn no_place(format: Format, what: impl Into<Cow<'static, str>>) -> RecordError {
    RecordError::NoPlace { format, what: what.into() }
}
