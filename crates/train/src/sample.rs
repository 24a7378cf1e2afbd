//! What the network sees of a position, and what it should say.

use gomoku::{
    Board, Color, Direction, Field, GRID, Point, PointSet, Rule, Rules, Threat, with_rule,
};
use net::{SCALE, is_own_twin, row_of, threat_mask};

use crate::games::SelfplayGame;

/// A position of a game to learn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleId {
    /// The number of the game.
    pub game: u32,
    /// Moves played before.
    pub ply: u16,
}

/// The games of one rule, and their positions: most to learn from, some held out.
#[derive(Debug, Default)]
pub struct Samples {
    games: Vec<SelfplayGame>,
    /// To learn from.
    pub training: Vec<SampleId>,
    /// Of other openings, to see what was learned.
    pub held_out: Vec<SampleId>,
    result_share: f32,
}

/// One in so many openings is held out.
const HELD_OUT: u64 = 20;
/// The stones that make an opening.
const OPENING: usize = 5;

impl Samples {
    /// An empty collection. Values are learned from results in this share, else from searches.
    pub fn new(result_share: f32) -> Samples {
        Samples { result_share, ..Samples::default() }
    }

    /// Adds a game; `side` restricts it to positions with this color to move.
    pub fn add(&mut self, game: SelfplayGame, side: Option<Color>) {
        let mut board = Board::new(game.size);
        for (i, &point) in game.moves.iter().take(OPENING).enumerate() {
            board.place(point, if i % 2 == 0 { Color::Black } else { Color::White });
        }
        let is_held_out = gomoku::zobrist::split_mix(board.key()).is_multiple_of(HELD_OUT);
        let positions = if is_held_out { &mut self.held_out } else { &mut self.training };
        let number = self.games.len() as u32;
        for (ply, score) in game.scores.iter().enumerate() {
            let us = if ply % 2 == 0 { Color::Black } else { Color::White };
            if score.is_some() && side.is_none_or(|side| side == us) {
                positions.push(SampleId { game: number, ply: ply as u16 });
            }
        }
        self.games.push(game);
    }

    /// The sample of a position.
    pub(crate) fn get(&self, position: SampleId) -> Sample {
        let game = &self.games[position.game as usize];
        with_rule!(game.rule, R => sample::<R>(game, position.ply as usize, self.result_share))
    }

    /// The position itself, for the network that is played with.
    pub(crate) fn position(&self, position: SampleId) -> gomoku::Position {
        let game = &self.games[position.game as usize];
        let moves = &game.moves[..position.ply as usize];
        gomoku::Position::from_moves(game.rule, game.size, moves).expect("the game was read")
    }

    /// The rule of the games.
    pub fn rule(&self) -> Option<Rule> {
        self.games.first().map(|game| game.rule)
    }
}

/// A position as the side to move sees it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    pub(crate) size: u8,
    /// Grid index and rows of the empty points that see a stone.
    pub(crate) cells: Vec<Cell>,
    /// The codes of all other empty points.
    pub(crate) far_codes: Vec<[u16; 2]>,
    /// The points with a stone.
    pub(crate) stones: Vec<u16>,
    pub(crate) mask: u16,
    /// The chance of the side to move, where the evaluation would be asked.
    pub(crate) value: Option<f32>,
    /// The candidates as numbers of cells, and which of them was played.
    pub(crate) candidates: Vec<u16>,
    pub(crate) chosen: Option<u16>,
}

impl Sample {
    /// The codes of all empty points, for the side to move and the other.
    #[inline(always)]
    pub(crate) fn codes(&self) -> impl Iterator<Item = [u16; 2]> {
        self.cells.iter().map(|cell| cell.codes).chain(self.far_codes.iter().copied())
    }
}

/// An empty point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    pub(crate) at: u16,
    pub(crate) rows: [u16; 4],
    /// What the side to move, and the other side, make here.
    pub(crate) codes: [u16; 2],
}

/// The number that stands for a row and, where they mean the same, for its twin.
pub(crate) fn folded(row: u16) -> u16 {
    if is_own_twin(row) { row & !1 } else { row }
}

/// The rows of an empty point for a side.
pub(crate) fn rows_seen<R: Rules>(field: &Field<R>, point: Point, us: Color) -> [u16; 4] {
    Direction::ALL.map(|d| folded(row_of(field.window(point, d)) ^ us as u16))
}

fn sample<R: Rules>(game: &SelfplayGame, ply: usize, result_share: f32) -> Sample {
    let mut board = Board::new(game.size);
    for (i, &point) in game.moves[..ply].iter().enumerate() {
        board.place(point, if i % 2 == 0 { Color::Black } else { Color::White });
    }
    let us = if ply.is_multiple_of(2) { Color::Black } else { Color::White };
    let field = Field::<R>::from_board(&board, us);
    let mut sample =
        Sample { size: game.size, mask: threat_mask(&field) as u16, ..Sample::default() };
    sample.stones = board.occupied().iter().map(|point| point.index() as u16).collect();
    let candidates = engine::candidates(&field);
    let around = candidates.grow(game.size);
    let seen = seen(&board);
    for point in board.empty() {
        let codes = [us, !us].map(|color| field.code(color, point).index() as u16);
        if !seen.contains(point) && !around.contains(point) {
            sample.far_codes.push(codes);
            continue;
        }
        if candidates.contains(point) {
            sample.candidates.push(sample.cells.len() as u16);
            if point == game.moves[ply] {
                sample.chosen = Some(sample.candidates.len() as u16 - 1);
            }
        }
        sample.cells.push(Cell {
            at: point.index() as u16,
            rows: rows_seen(&field, point, us),
            codes,
        });
    }
    let has = |color, threat| field.has(color, threat);
    let is_won = has(us, Threat::Five) || has(us, Threat::OpenFour) && !has(!us, Threat::Five);
    if is_won || has(!us, Threat::Five) {
        sample.chosen = None; // found without asking
        return sample;
    }
    let score = f32::from(game.scores[ply].expect("only searched moves are asked for"));
    let result = f32::from(if us == Color::Black { game.result } else { 2 - game.result }) / 2.0;
    let chance = 1.0 / (1.0 + (-score / SCALE as f32).exp());
    sample.value = Some((1.0 - result_share) * chance + result_share * result);
    sample
}

/// The points that have a stone within four cells on a line.
fn seen(board: &Board) -> PointSet {
    let mut seen = PointSet::EMPTY;
    for stone in board.occupied() {
        for direction in Direction::ALL {
            for sign in [-1, 1] {
                let cells = (1..=4).map_while(|i| stone.step(direction, sign * i));
                cells
                    .take_while(|cell| cell.is_on(board.size()))
                    .for_each(|cell| seen.insert(cell));
            }
        }
    }
    seen - board.occupied()
}

const _: () = assert!(GRID <= u16::MAX as usize);

impl Samples {
    /// The sizes of the boards.
    pub fn sizes(&self) -> Vec<u8> {
        let mut sizes: Vec<u8> = self.games.iter().map(|game| game.size).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }
}
