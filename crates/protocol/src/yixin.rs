//! The grammar of Yixin-Board's commands, which all begin with `yx`.

use std::fmt;

use crate::{
    gomocup::Stone,
    wire::{Coord, split_word},
};

/// What Yixin-Board says besides Gomocup's commands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `yxshowinfo`: a Yixin-Board is there; which limits does the engine have?
    ShowInfo,
    /// `yxboard` ... `done`: sets the position without thinking.
    Board(Vec<Stone>),
    /// `yxstop`: ends thinking.
    Stop,
    /// `yxnbest N`: the best N moves.
    NBest(usize),
    /// `yxbalanceone [bias]`: the move that balances the game.
    BalanceOne(i64),
    /// `yxbalancetwo [bias]`: the two moves that do.
    BalanceTwo(i64),
    /// `yxsearchdefend`: how each defense fares.
    SearchDefend,
    /// `yxshowforbid`.
    ShowForbid,
    /// `yxhashclear`.
    HashClear,
    /// `yxshowhashusage`.
    ShowHashUsage,
    /// `yxblock` and `yxblockundo`: moves not to be played.
    Block(bool, Vec<Coord>),
    /// `yxblockreset`.
    BlockReset,
    /// `yxblockpath` and `yxblockpathundo`: a line whose last move is not to be played.
    BlockPath(bool, Vec<Coord>),
    /// `yxblockpathreset`.
    BlockPathReset,
    /// `yxforbid add|del a b side`: a point forbidden by hand, to Black (0) or White (1).
    Forbid {
        /// Or taken back.
        add: bool,
        /// Where.
        at: Coord,
        /// 0 or 1.
        side: i32,
    },
    /// `yxdraw`: shall it be a draw?
    Draw,
    /// `yxresign`: does the engine give up?
    Resign,
    /// `yxprintfeature`: the evaluation taken apart.
    PrintFeature,
    /// `yxswap2step1` to `yxswap2step3`.
    Swap2(u8),
    /// `yxsoosorvstep1` to `yxsoosorvstep6`: the step, the number of fifths, the moves.
    Soosorv(u8, u8, Vec<Coord>),
    /// A question to or change of the database at the position after these moves.
    Database(Database, Vec<Coord>),
    /// `yxsavedatabase`.
    SaveDatabase,
    /// `yxdbcheck` and `yxdbfix`.
    CheckDatabase {
        /// Whether to mend what is wrong.
        fix: bool,
    },
    /// A command with a path on the next line.
    Path(PathCommand, String),
}

/// What to do at a position of the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Database {
    /// `yxquerydatabaseall`.
    QueryAll,
    /// `yxquerydatabaseone`.
    QueryOne,
    /// `yxquerydatabasetext`.
    QueryText,
    /// `yxquerydatabaseallt`: all, then the text.
    QueryAllAndText,
    /// `yxedittvddatabase mask label value depth`.
    Edit {
        /// 1 label, 2 value, 4 depth.
        mask: u32,
        /// The label's code.
        label: i64,
        /// The value.
        value: i64,
        /// Depth and bound in one number.
        depth: i64,
    },
    /// `yxedittextdatabase "text"`.
    EditText(String),
    /// `yxeditlabeldatabase a,b text`.
    EditLabel(Coord, String),
    /// `yxdeletedatabaseone`.
    DeleteOne,
    /// `yxdeletedatabaseall [filter] [recursive]`.
    DeleteAll(String),
    /// `yxsetbestmovedatabase`.
    SetBestMove,
    /// `yxclearbestmovedatabase`.
    ClearBestMove,
}

/// Commands whose argument is a path on the next line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathCommand {
    /// `yxhashdump`.
    HashDump,
    /// `yxhashload`.
    HashLoad,
    /// `yxsetdatabase`.
    SetDatabase,
    /// `yxdbtopos`.
    ToPos,
    /// `yxdbtotxt`.
    ToText,
    /// `yxdbtotxtall`.
    ToTextAll,
    /// `yxtxttodb`.
    FromText,
    /// `yxlibtodb`.
    FromLibrary,
    /// `yxdbtolib`.
    ToLibrary,
    /// `yxdbsplit`.
    Split,
    /// `yxdbmerge`.
    Merge,
}

impl PathCommand {
    const NAMED: [(&'static str, PathCommand); 11] = [
        ("HASHDUMP", PathCommand::HashDump),
        ("HASHLOAD", PathCommand::HashLoad),
        ("SETDATABASE", PathCommand::SetDatabase),
        ("DBTOPOS", PathCommand::ToPos),
        ("DBTOTXT", PathCommand::ToText),
        ("DBTOTXTALL", PathCommand::ToTextAll),
        ("TXTTODB", PathCommand::FromText),
        ("LIBTODB", PathCommand::FromLibrary),
        ("DBTOLIB", PathCommand::ToLibrary),
        ("DBSPLIT", PathCommand::Split),
        ("DBMERGE", PathCommand::Merge),
    ];

    /// The command as Yixin-Board spells it.
    pub fn name(self) -> String {
        let named = PathCommand::NAMED.iter().find(|(_, command)| *command == self);
        format!("yx{}", named.map_or("", |(name, _)| name).to_ascii_lowercase())
    }
}

/// A block that waits for its stones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Block {
    Board,
    Moves(bool),
    Path(bool),
    Soosorv(u8, u8),
    Database(Database),
}

impl Block {
    /// The command, once all stones are there.
    pub(crate) fn complete(self, stones: Vec<Stone>) -> Result<Command, &'static str> {
        let moves = || stones.iter().map(|stone| stone.at).collect();
        Ok(match self {
            Block::Board if stones.iter().any(|stone| stone.owner.is_none()) => {
                return Err("stones such as 7,7,1 and done");
            }
            Block::Board => Command::Board(stones),
            Block::Moves(add) => Command::Block(add, moves()),
            Block::Path(add) => Command::BlockPath(add, moves()),
            Block::Soosorv(step, count) => Command::Soosorv(step, count, moves()),
            Block::Database(database) => Command::Database(database, moves()),
        })
    }
}

/// What the first line of a command says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Head {
    Whole(Command),
    /// A block, and what follows its arguments on the line.
    Block(Block, String),
    Path(PathCommand),
    Malformed(&'static str),
    Unknown,
}

impl Head {
    /// Reads a first line: the word in capitals, and the rest.
    pub(crate) fn parse(word: &str, rest: &str) -> Head {
        use Head::Whole;
        let Some(name) = word.strip_prefix("YX") else {
            return if word == "STOP" { Whole(Command::Stop) } else { Head::Unknown };
        };
        let block = |block| Head::Block(block, rest.to_owned());
        let bias = || split_word(rest).0.parse().unwrap_or(0);
        match name {
            "SHOWINFO" => Whole(Command::ShowInfo),
            "BOARD" => block(Block::Board),
            "STOP" => Whole(Command::Stop),
            "NBEST" => match split_word(rest).0.parse() {
                Ok(count @ 1..) => Whole(Command::NBest(count)),
                _ => Head::Malformed("the number of moves, at least 1"),
            },
            "BALANCEONE" => Whole(Command::BalanceOne(bias())),
            "BALANCETWO" => Whole(Command::BalanceTwo(bias())),
            "SEARCHDEFEND" => Whole(Command::SearchDefend),
            "SHOWFORBID" => Whole(Command::ShowForbid),
            "HASHCLEAR" => Whole(Command::HashClear),
            "SHOWHASHUSAGE" => Whole(Command::ShowHashUsage),
            "BLOCK" => block(Block::Moves(true)),
            "BLOCKUNDO" => block(Block::Moves(false)),
            "BLOCKRESET" => Whole(Command::BlockReset),
            "BLOCKPATH" => block(Block::Path(true)),
            "BLOCKPATHUNDO" => block(Block::Path(false)),
            "BLOCKPATHRESET" => Whole(Command::BlockPathReset),
            "FORBID" => forbid(rest).map_or(Head::Malformed("add or del, a, b and a side"), Whole),
            "DRAW" => Whole(Command::Draw),
            "RESIGN" => Whole(Command::Resign),
            "PRINTFEATURE" => Whole(Command::PrintFeature),
            "SAVEDATABASE" => Whole(Command::SaveDatabase),
            "DBCHECK" => Whole(Command::CheckDatabase { fix: false }),
            "DBFIX" => Whole(Command::CheckDatabase { fix: true }),
            "SWAP2STEP1" => Whole(Command::Swap2(1)),
            "SWAP2STEP2" => Whole(Command::Swap2(2)),
            "SWAP2STEP3" => Whole(Command::Swap2(3)),
            "SOOSORVSTEP1" => Whole(Command::Soosorv(1, 0, Vec::new())),
            "SOOSORVSTEP2" => block(Block::Soosorv(2, 0)),
            "SOOSORVSTEP3" => block(Block::Soosorv(3, 0)),
            "SOOSORVSTEP4" => soosorv(4, rest),
            "SOOSORVSTEP5" => soosorv(5, rest),
            "SOOSORVSTEP6" => block(Block::Soosorv(6, 0)),
            _ => {
                let path = PathCommand::NAMED.iter().find(|(known, _)| *known == name);
                path.map_or_else(|| database(name, rest), |(_, path)| Head::Path(*path))
            }
        }
    }
}

fn soosorv(step: u8, rest: &str) -> Head {
    let (count, rest) = split_word(rest);
    match count.parse() {
        Ok(count @ 1..) => Head::Block(Block::Soosorv(step, count), rest.to_owned()),
        _ => Head::Malformed("the number of fifth moves"),
    }
}

fn forbid(rest: &str) -> Option<Command> {
    let words: Vec<_> = rest.split_whitespace().collect();
    let [what, a, b, side] = words[..] else { return None };
    let add = match what.to_ascii_lowercase().as_str() {
        "add" => true,
        "del" => false,
        _ => return None,
    };
    let at = Coord(a.parse().ok()?, b.parse().ok()?);
    Some(Command::Forbid { add, at, side: side.parse().ok().filter(|side| matches!(side, 0 | 1))? })
}

fn database(name: &str, rest: &str) -> Head {
    let block = |database| Head::Block(Block::Database(database), rest.to_owned());
    let whole_line = |database| Head::Block(Block::Database(database), String::new());
    match name {
        "QUERYDATABASEALL" => block(Database::QueryAll),
        "QUERYDATABASEONE" => block(Database::QueryOne),
        "QUERYDATABASETEXT" => block(Database::QueryText),
        "QUERYDATABASEALLT" => block(Database::QueryAllAndText),
        "DELETEDATABASEONE" => block(Database::DeleteOne),
        "SETBESTMOVEDATABASE" => block(Database::SetBestMove),
        "CLEARBESTMOVEDATABASE" => block(Database::ClearBestMove),
        "DELETEDATABASEALL" => whole_line(Database::DeleteAll(rest.to_ascii_lowercase())),
        "EDITTEXTDATABASE" => whole_line(Database::EditText(unquoted(rest))),
        "EDITTVDDATABASE" => {
            let numbers: Vec<i64> = rest.split_whitespace().map_while(|n| n.parse().ok()).collect();
            match numbers[..] {
                [mask @ 0..=15, label, value, depth] => {
                    let mask = mask as u32;
                    whole_line(Database::Edit { mask, label, value, depth })
                }
                _ => Head::Malformed("mask, label, value and depth"),
            }
        }
        "EDITLABELDATABASE" => {
            let (at, text) = split_word(rest);
            match Coord::parse(at) {
                Some(at) => whole_line(Database::EditLabel(at, unquoted(text))),
                None => Head::Malformed("coordinates such as 7,7 and a text"),
            }
        }
        _ => Head::Unknown,
    }
}

fn unquoted(text: &str) -> String {
    let text = text.trim();
    let inside = text.strip_prefix('"').map(|text| text.strip_suffix('"').unwrap_or(text));
    inside.unwrap_or(text).to_owned()
}

/// As a board sends it, in lower case. Blocks have several lines.
impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let add = |add: &bool| if *add { "" } else { "undo" };
        match self {
            Command::ShowInfo => f.write_str("yxshowinfo"),
            Command::Board(stones) => {
                let board = crate::gomocup::Command::Board(stones.clone()).to_string();
                write!(f, "yx{}", board.to_ascii_lowercase())
            }
            Command::Stop => f.write_str("yxstop"),
            Command::NBest(count) => write!(f, "yxnbest {count}"),
            Command::BalanceOne(bias) => write!(f, "yxbalanceone {bias}"),
            Command::BalanceTwo(bias) => write!(f, "yxbalancetwo {bias}"),
            Command::SearchDefend => f.write_str("yxsearchdefend"),
            Command::ShowForbid => f.write_str("yxshowforbid"),
            Command::HashClear => f.write_str("yxhashclear"),
            Command::ShowHashUsage => f.write_str("yxshowhashusage"),
            Command::Block(yes, moves) => block(f, &format!("yxblock{}", add(yes)), moves),
            Command::BlockReset => f.write_str("yxblockreset"),
            Command::BlockPath(yes, moves) => block(f, &format!("yxblockpath{}", add(yes)), moves),
            Command::BlockPathReset => f.write_str("yxblockpathreset"),
            Command::Forbid { add, at, side } => {
                let what = if *add { "add" } else { "del" };
                write!(f, "yxforbid {what} {} {} {side}", at.0, at.1)
            }
            Command::Draw => f.write_str("yxdraw"),
            Command::Resign => f.write_str("yxresign"),
            Command::PrintFeature => f.write_str("yxprintfeature"),
            Command::Swap2(step) => write!(f, "yxswap2step{step}"),
            Command::Soosorv(1, ..) => f.write_str("yxsoosorvstep1"),
            Command::Soosorv(step @ (4 | 5), count, moves) => {
                block(f, &format!("yxsoosorvstep{step} {count}"), moves)
            }
            Command::Soosorv(step, _, moves) => block(f, &format!("yxsoosorvstep{step}"), moves),
            Command::Database(database, moves) => block(f, &database.to_string(), moves),
            Command::SaveDatabase => f.write_str("yxsavedatabase"),
            Command::CheckDatabase { fix } => {
                f.write_str(if *fix { "yxdbfix" } else { "yxdbcheck" })
            }
            Command::Path(command, path) => write!(f, "{}\n{path}", command.name()),
        }
    }
}

impl fmt::Display for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Database::QueryAll => f.write_str("yxquerydatabaseall"),
            Database::QueryOne => f.write_str("yxquerydatabaseone"),
            Database::QueryText => f.write_str("yxquerydatabasetext"),
            Database::QueryAllAndText => f.write_str("yxquerydatabaseallt"),
            Database::Edit { mask, label, value, depth } => {
                write!(f, "yxedittvddatabase {mask} {label} {value} {depth}")
            }
            Database::EditText(text) => write!(f, "yxedittextdatabase \"{text}\""),
            Database::EditLabel(at, text) => write!(f, "yxeditlabeldatabase {at} {text}"),
            Database::DeleteOne => f.write_str("yxdeletedatabaseone"),
            Database::DeleteAll(filter) => write!(f, "yxdeletedatabaseall {filter}"),
            Database::SetBestMove => f.write_str("yxsetbestmovedatabase"),
            Database::ClearBestMove => f.write_str("yxclearbestmovedatabase"),
        }
    }
}

fn block(f: &mut fmt::Formatter<'_>, head: &str, moves: &[Coord]) -> fmt::Result {
    writeln!(f, "{}", head.trim_end())?;
    moves.iter().try_for_each(|at| writeln!(f, "{at}"))?;
    f.write_str("done")
}
