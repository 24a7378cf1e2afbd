//! A book of proved wins: which quiet moves win, as a tree of decisions.
//!
//! Only quiet moves are written down; where nothing is written the win is forced and the solver
//! finds it. The second line of the text has the rule, the board size, and the megabytes of the
//! solver's table, which belong to the result: with another table it finds other forced wins. Then
//! there is one line an opening: the moves before the decision, the move, the plies it takes at most,
//! the digest of the explicit proof once that has been verified, and after a colon the replies that
//! need a quiet answer:
//!
//! ```text
//! h8 o15 : g9 47 8f7e... : * f8 ( g7 f10 ) a1 h10 ( h9 - )
//! ```
//!
//! `reply answer` gives a quiet answer and, in brackets, what follows it; `reply -` says that the
//! win is forced; `*` stands for all replies not listed. Without a `*` those are forced wins too.

use std::{collections::BTreeMap, fmt, str::FromStr, sync::LazyLock};

use gomoku::{Board, Color, ParseRuleError, Point, Position, Rule};

use crate::quiet::Decision;

/// Proved openings of one rule and board size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvedBook {
    /// The rule.
    pub rule: Rule,
    /// Board size, in points per side.
    pub size: u8,
    /// Megabytes of the solver's table.
    pub memory: usize,
    /// The openings.
    pub openings: Vec<ProvedOpening>,
}

/// A proved opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvedOpening {
    /// The moves from the empty board.
    pub moves: Vec<Point>,
    /// The winning move.
    pub point: Point,
    /// The win comes within this many plies.
    pub plies: u32,
    /// The digest of the explicit proof, in hexadecimal digits, if it has been verified.
    pub digest: Option<String>,
    /// What answers the replies.
    pub answers: Answers,
}

/// The quiet answers to replies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// For replies not listed; `None` if those lose by force.
    default: Option<Box<Quiet>>,
    /// In the order of the points; `None` if the reply loses by force.
    listed: Vec<(Point, Option<Quiet>)>,
}

/// A quiet move and what follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Quiet {
    point: Point,
    answers: Answers,
}

const TEXTS: [&str; 1] = [include_str!("../data/freestyle-15.book")];

const HEAD: &str = "tengen proved book 2";

impl ProvedBook {
    /// The books that come with the program: second moves that lose.
    pub fn shipped() -> &'static [ProvedBook] {
        static SHIPPED: LazyLock<Vec<ProvedBook>> = LazyLock::new(|| {
            let read = |text: &&str| text.parse().expect("the book was written by this module");
            TEXTS.iter().map(read).collect()
        });
        &SHIPPED
    }

    /// The shipped book for this game.
    pub fn of(rule: Rule, size: u8) -> Option<&'static ProvedBook> {
        ProvedBook::shipped().iter().find(|book| (book.rule, book.size) == (rule, size))
    }

    /// Rule and board size, such as `freestyle-15`.
    pub fn name(&self) -> String {
        format!("{}-{}", self.rule, self.size)
    }

    /// The opening that begins with these stones, or an image of them, and the side to move.
    pub fn opening(&self, position: &Position) -> Option<&ProvedOpening> {
        let is_same_game = (position.rule(), position.size()) == (self.rule, self.size);
        let board = position.board().canonical().0;
        let mut openings = self.openings.iter().filter(|_| is_same_game);
        openings.find(|opening| opening.start(self).board().canonical().0 == board)
    }
}

impl ProvedOpening {
    /// Collects the decisions met after a winning move.
    ///
    /// # Panics
    /// If the moves cannot be played.
    pub fn collect(
        start: &Position,
        point: Point,
        plies: u32,
        decisions: &[Decision],
    ) -> ProvedOpening {
        let known = decisions.iter().map(|d| (d.position.to_text(), d.point)).collect();
        let mut board = *start.board();
        let attacker = start.to_move();
        board.place(point, attacker);
        let answers = collect(start.rule(), &board, attacker, &known);
        ProvedOpening { moves: start.moves().to_vec(), point, plies, digest: None, answers }
    }

    /// The position in which the winning move is played.
    pub fn start(&self, book: &ProvedBook) -> Position {
        Position::from_moves(book.rule, book.size, &self.moves)
            .expect("the moves were played when the book was read")
    }

    /// Every decision of this opening.
    pub fn decisions(&self, book: &ProvedBook) -> Vec<Decision> {
        let start = self.start(book);
        let mut board = *start.board();
        let attacker = start.to_move();
        board.place(self.point, attacker);
        let mut found = Vec::new();
        expand(book.rule, &board, attacker, &self.answers, &mut found);
        found
    }
}

fn collect(rule: Rule, board: &Board, attacker: Color, known: &BTreeMap<String, Point>) -> Answers {
    let mut all: Vec<(Point, Option<Quiet>)> = Vec::new();
    for reply in board.empty() {
        let mut after = *board;
        after.place(reply, !attacker);
        let (image, symmetry) = after.canonical();
        let text = Position::from_board(rule, image, attacker).to_text();
        let quiet = known.get(&text).map(|&point| {
            let point = symmetry.inverse().apply(point, board.size());
            after.place(point, attacker);
            Quiet { point, answers: collect(rule, &after, attacker, known) }
        });
        all.push((reply, quiet));
    }
    shorten(all)
}

/// Takes what most replies have in common as the default.
fn shorten(all: Vec<(Point, Option<Quiet>)>) -> Answers {
    let mut counts: Vec<(&Option<Quiet>, usize)> = Vec::new();
    for (_, quiet) in &all {
        match counts.iter_mut().find(|(other, _)| *other == quiet) {
            Some((_, count)) => *count += 1,
            None => counts.push((quiet, 1)),
        }
    }
    let most = counts.iter().max_by_key(|(_, count)| *count);
    let default = most.and_then(|(quiet, _)| (*quiet).clone());
    let listed = all.into_iter().filter(|(_, quiet)| *quiet != default).collect();
    Answers { default: default.map(Box::new), listed }
}

fn expand(
    rule: Rule,
    board: &Board,
    attacker: Color,
    answers: &Answers,
    found: &mut Vec<Decision>,
) {
    for reply in board.empty() {
        let listed = answers.listed.iter().find(|(point, _)| *point == reply);
        let quiet = match listed {
            Some((_, quiet)) => quiet.as_ref(),
            None => answers.default.as_deref(),
        };
        let Some(Quiet { point, answers }) = quiet else { continue };
        let mut after = *board;
        after.place(reply, !attacker);
        if !after.is_empty_at(*point) {
            continue;
        }
        let (image, symmetry) = after.canonical();
        let position = Position::from_board(rule, image, attacker);
        found.push(Decision { position, point: symmetry.apply(*point, board.size()) });
        after.place(*point, attacker);
        expand(rule, &after, attacker, answers, found);
    }
}

impl fmt::Display for ProvedBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEAD}\n{} {} {}", self.rule, self.size, self.memory)?;
        for opening in &self.openings {
            opening.moves.iter().try_for_each(|point| write!(f, "{point} "))?;
            write!(f, ": {} {} ", opening.point, opening.plies)?;
            opening.digest.iter().try_for_each(|digest| write!(f, "{digest} "))?;
            writeln!(f, ":{}", opening.answers)?;
        }
        Ok(())
    }
}

/// Each answer after a space.
impl fmt::Display for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(quiet) = &self.default {
            write!(f, " * {quiet}")?;
        }
        self.listed.iter().try_for_each(|(reply, quiet)| match quiet {
            Some(quiet) => write!(f, " {reply} {quiet}"),
            None => write!(f, " {reply} -"),
        })
    }
}

impl fmt::Display for Quiet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.point)?;
        let answers = self.answers.to_string();
        if answers.is_empty() { Ok(()) } else { write!(f, " ({answers} )") }
    }
}

/// Why a text is not a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvedBookError {
    /// Where, counted from 1.
    line: usize,
    what: String,
}

impl fmt::Display for ProvedBookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Line {} of the book: {}", self.line, self.what)
    }
}

impl std::error::Error for ProvedBookError {}

impl From<ParseRuleError> for ProvedBookError {
    fn from(error: ParseRuleError) -> ProvedBookError {
        ProvedBookError { line: 2, what: error.to_string() }
    }
}

/// Deeper brackets than any win has quiet moves.
const DEPTH: u32 = 64;
/// Megabytes, at most.
const MOST_MEMORY: usize = 65_536;

impl FromStr for ProvedBook {
    type Err = ProvedBookError;

    fn from_str(text: &str) -> Result<ProvedBook, ProvedBookError> {
        let mut lines = text.lines();
        let error = |line, what: &str| ProvedBookError { line, what: what.to_owned() };
        if lines.next() != Some(HEAD) {
            return Err(error(1, "this is no book of proved wins."));
        }
        let words: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
        let [rule, size, memory] = words[..] else {
            return Err(error(2, "expected a rule, a board size and megabytes."));
        };
        let rule: Rule = rule.parse()?;
        let size: u8 = size
            .parse()
            .ok()
            .filter(|size| (gomoku::MIN_SIZE..=gomoku::MAX_SIZE).contains(size))
            .ok_or_else(|| error(2, "the board size is not 5 to 22."))?;
        let memory = memory.parse().ok().filter(|megabytes| (1..=MOST_MEMORY).contains(megabytes));
        let memory = memory.ok_or_else(|| error(2, "the megabytes are not 1 to 65536."))?;
        let mut openings = Vec::new();
        for (i, line) in lines.enumerate() {
            let opening = read_opening(line, rule, size)
                .ok_or_else(|| error(i + 3, "expected 'moves : move plies digest : answers'."))?;
            openings.push(opening);
        }
        Ok(ProvedBook { rule, size, memory, openings })
    }
}

fn read_opening(line: &str, rule: Rule, size: u8) -> Option<ProvedOpening> {
    let mut parts = line.splitn(3, ':');
    let moves: Option<Vec<Point>> =
        parts.next()?.split_whitespace().map(|word| word.parse().ok()).collect();
    let moves = moves?;
    let mut claim = parts.next()?.split_whitespace();
    let (point, plies) = (claim.next()?.parse().ok()?, claim.next()?.parse().ok()?);
    let digest = claim.next().map(str::to_owned);
    let is_digest = |text: &String| text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit());
    if claim.next().is_some() || !digest.iter().all(is_digest) {
        return None;
    }
    let start = Position::from_moves(rule, size, &moves).ok()?;
    if !start.is_legal(point) {
        return None;
    }
    let mut words = parts.next()?.split_whitespace();
    let answers = read_answers(&mut words.by_ref().peekable(), size, DEPTH)?;
    Some(ProvedOpening { moves, point, plies, digest, answers })
}

type Words<'a, 'b> = std::iter::Peekable<&'b mut std::str::SplitWhitespace<'a>>;

/// Reads answers up to a closing bracket or the end.
fn read_answers(words: &mut Words, size: u8, depth: u32) -> Option<Answers> {
    let point = |word: &str| word.parse().ok().filter(|point: &Point| point.is_on(size));
    let mut answers = Answers::default();
    while let Some(word) = words.next_if(|word| *word != ")") {
        let quiet = match words.next()? {
            "-" => None,
            answer => {
                let point = point(answer)?;
                let mut answers = Answers::default();
                if words.next_if(|word| word.starts_with('(')).is_some() {
                    answers = read_answers(words, size, depth.checked_sub(1)?)?;
                    words.next_if(|word| *word == ")")?;
                }
                Some(Quiet { point, answers })
            }
        };
        match word {
            "*" => answers.default = quiet.map(Box::new),
            reply => answers.listed.push((point(reply)?, quiet)),
        }
    }
    Some(answers)
}
