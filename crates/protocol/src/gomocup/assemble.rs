//! From lines to commands: blocks such as `BOARD` ... `DONE` are gathered, on one line or many.

use super::{Command, Info, Owner, Stone};
use crate::{
    wire::{Coord, split_word, text_of},
    yixin::{self, Head},
};

/// Blocks longer than this are cut: no board has so many points.
const MAX_WORDS: usize = 4096;

/// Makes commands of lines.
///
/// A line that begins with a command ends an unfinished block, so that nothing a manager does can
/// make the brain deaf.
#[derive(Clone, Debug, Default)]
pub struct Assembler {
    block: Option<Block>,
}

#[derive(Clone, Debug)]
struct Block {
    /// The line that opened it.
    opening: String,
    kind: Kind,
    words: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Board,
    Swap2Board,
    Yixin(yixin::Block),
    /// Not closed by `DONE`: the next line is an argument.
    Path(yixin::PathCommand),
}

impl Assembler {
    /// Takes a line and gives the commands that it completes: mostly one or none, two when it cuts
    /// an unfinished block short.
    pub fn push(&mut self, line: &[u8]) -> Vec<Command> {
        let text = text_of(line);
        let text = text.trim_start_matches('\u{feff}').trim();
        let (word, rest) = split_word(text);
        let mut commands = Vec::new();
        if word.is_empty() {
            return commands;
        }
        if let Some(block) = self.block.take() {
            if is_command(word) {
                commands.push(block.cut_short());
            } else if let Kind::Path(path) = block.kind {
                return vec![Command::Yixin(yixin::Command::Path(path, text.to_owned()))];
            } else {
                commands.extend(self.gather(block, text));
                return commands;
            }
        }
        commands.extend(self.open(text, word, rest));
        commands
    }

    /// Reads a line that is not inside a block.
    fn open(&mut self, text: &str, word: &str, rest: &str) -> Option<Command> {
        let (kind, after) = match word.to_ascii_uppercase().as_str() {
            "BOARD" => (Kind::Board, rest.to_owned()),
            "SWAP2BOARD" => (Kind::Swap2Board, rest.to_owned()),
            upper if upper.starts_with("YX") || upper == "STOP" => match Head::parse(upper, rest) {
                Head::Whole(command) => return Some(Command::Yixin(command)),
                Head::Block(block, after) => (Kind::Yixin(block), after),
                Head::Path(path) => (Kind::Path(path), String::new()),
                Head::Malformed(expected) => {
                    return Some(Command::Malformed(text.to_owned(), expected));
                }
                Head::Unknown => return Some(Command::Unknown(text.to_owned())),
            },
            _ => return Some(whole(text, word, rest)),
        };
        self.gather(Block { opening: text.to_owned(), kind, words: Vec::new() }, &after)
    }

    /// Adds words to a block; `DONE` completes it.
    fn gather(&mut self, mut block: Block, text: &str) -> Option<Command> {
        for word in text.split_whitespace() {
            if word.eq_ignore_ascii_case("DONE") {
                return Some(block.complete());
            }
            if block.words.len() < MAX_WORDS {
                block.words.push(word.to_owned());
            }
        }
        self.block = Some(block);
        None
    }
}

impl Block {
    fn cut_short(self) -> Command {
        let expected = match self.kind {
            Kind::Path(_) => "a path on the next line",
            _ => "stones and DONE",
        };
        Command::Malformed(self.opening, expected)
    }

    fn complete(self) -> Command {
        // "7, 7" is lenient spelling for "7,7".
        let joined = join_commas(&self.words);
        let stones: Option<Vec<Stone>> = joined.iter().map(|word| stone(word)).collect();
        let malformed = |expected| Command::Malformed(self.opening.clone(), expected);
        let Some(stones) = stones else {
            return malformed("stones such as 7,7,1 and DONE");
        };
        match self.kind {
            Kind::Board if stones.iter().any(|stone| stone.owner.is_none()) => {
                malformed("stones such as 7,7,1 and DONE")
            }
            Kind::Board => Command::Board(stones),
            Kind::Swap2Board => Command::Swap2Board(stones),
            Kind::Yixin(block) => block.complete(stones).map_or_else(malformed, Command::Yixin),
            Kind::Path(_) => malformed("a path on the next line"),
        }
    }
}

/// Puts `7,` and `7` together again.
fn join_commas(words: &[String]) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    for word in words {
        match joined.last_mut() {
            Some(last) if last.ends_with(',') || word.starts_with(',') => last.push_str(word),
            _ => joined.push(word.clone()),
        }
    }
    joined
}

fn stone(word: &str) -> Option<Stone> {
    let mut numbers = word.split(',').map(|number| number.parse::<i32>());
    let at = Coord(numbers.next()?.ok()?, numbers.next()?.ok()?);
    let owner = match numbers.next() {
        None => None,
        Some(Ok(1)) => Some(Owner::Own),
        Some(Ok(2)) => Some(Owner::Opponent),
        Some(Ok(3)) => Some(Owner::Dead),
        Some(_) => return None,
    };
    numbers.next().is_none().then_some(Stone { at, owner })
}

fn is_command(word: &str) -> bool {
    let word = word.to_ascii_uppercase();
    const WORDS: [&str; 14] = [
        "START",
        "RECTSTART",
        "RESTART",
        "BEGIN",
        "TURN",
        "BOARD",
        "SWAP2BOARD",
        "TAKEBACK",
        "PLAY",
        "INFO",
        "ABOUT",
        "END",
        "ERROR",
        "STOP",
    ];
    WORDS.contains(&word.as_str()) || word.starts_with("YX")
}

/// A command of one line.
fn whole(text: &str, word: &str, rest: &str) -> Command {
    let malformed = |expected| Command::Malformed(text.to_owned(), expected);
    let coord = |make: fn(Coord) -> Command| {
        Coord::parse(rest).map_or_else(|| malformed("coordinates such as 7,7"), make)
    };
    match word.to_ascii_uppercase().as_str() {
        "START" => match numbers(rest)[..] {
            [Some(side)] => Command::Start(side, side),
            [Some(width), Some(height)] => Command::Start(width, height),
            _ => malformed("the size of the board, such as 15"),
        },
        "RECTSTART" => match numbers(rest)[..] {
            [Some(width), Some(height)] => Command::RectStart(width, height),
            _ => malformed("width and height, such as 20,15"),
        },
        "RESTART" => Command::Restart,
        "BEGIN" => Command::Begin,
        "TURN" => coord(Command::Turn),
        "TAKEBACK" => coord(Command::Takeback),
        "PLAY" => coord(Command::Play),
        "INFO" => Command::Info(Info::parse(rest)),
        "ABOUT" => Command::About,
        "END" => Command::End,
        "ERROR" => Command::Error(rest.to_owned()),
        _ => Command::Unknown(text.to_owned()),
    }
}

/// Numbers between spaces and commas.
fn numbers(text: &str) -> Vec<Option<i32>> {
    let words = text.split(|c: char| c == ',' || c.is_whitespace()).filter(|w| !w.is_empty());
    words.take(3).map(|word| word.parse().ok()).collect()
}
