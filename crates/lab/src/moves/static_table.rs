//! Xie's static table: every empty point scored by the five-cell lines through it (section 3.1).

use gomoku::{Color, Direction, GRID, Point};
use player::{LineValue, ParamSpec, ParamValues, PointValue};

use super::{Stage, View};
use crate::{
    eval::tenths,
    faster::MoveList,
    lines::{Place, numbered_lines},
    state::State,
};

/// Tables 1 and 3: parameter, printed name, empirical, optimized.
pub const TABLE_1: [(&str, &str, f64, f64); 10] = [
    ("own0", "OWN0", 1.0, 19.9),
    ("own1", "OWN1", 200.0, 177.6),
    ("own2", "OWN2", 400.0, 1151.3),
    ("own3", "OWN3", 2000.0, 1240.2),
    ("own4", "OWN4", 20000.0, 20000.0),
    ("opp0", "OPP0", 1.0, 58.7),
    ("opp1", "OPP1", 220.0, 297.7),
    ("opp2", "OPP2", 420.0, 1163.5),
    ("opp3", "OPP3", 2100.0, 1200.2),
    ("opp4", "OPP4", 10000.0, 10000.0),
];

pub(super) fn params() -> Vec<ParamSpec> {
    let mut params = table_params(false);
    params.push(ParamSpec::integer(
        "keep",
        0,
        0,
        100,
        "drop points worth less than this share of the best one, in percent",
    ));
    params
}

/// The ten table parameters with the empirical or the optimized column as defaults.
pub(crate) fn table_params(optimized: bool) -> Vec<ParamSpec> {
    let spec = |(name, printed, empirical, best): (&'static str, &'static str, f64, f64)| {
        let max = if empirical > 2500.0 { 20_000.0 } else { 2500.0 };
        ParamSpec::real(name, if optimized { best } else { empirical }, 0.0, max, printed)
    };
    TABLE_1.into_iter().map(spec).collect()
}

/// Black's worth as own, as opponent's, then White's, in tenths.
type Worth = [i32; 4];

/// The table, kept as stones come and go.
#[derive(Debug)]
pub(super) struct StaticTable {
    /// What a five-cell line with so many black and so many white stones adds to its points.
    by_stones: [[Worth; 6]; 6],
    worth: Vec<Worth>,
    keep: i64,
}

impl StaticTable {
    pub(super) fn new(params: &ParamValues) -> StaticTable {
        let value = |prefix: &str, n: usize| match n {
            5 => 0,
            _ => tenths(params.real(&format!("{prefix}{n}"))) as i32,
        };
        let mut by_stones = [[[0; 4]; 6]; 6];
        for n in 0..6 {
            let (own, opp) = (value("own", n), value("opp", n));
            // A line counts for a side only while it holds no stone of the other.
            by_stones[n][0][..2].copy_from_slice(&[own, opp]);
            by_stones[0][n][2..].copy_from_slice(&[own, opp]);
        }
        StaticTable { by_stones, worth: vec![[0; 4]; GRID], keep: params.integer("keep") }
    }

    /// What the five-cell line that starts on a cell of a line adds to its points.
    fn of_window(&self, stones: [u32; 2], start: u32) -> &Worth {
        let [black, white] = stones.map(|bits| (bits >> start & 0x1f).count_ones() as usize);
        &self.by_stones[black][white]
    }

    fn add(&mut self, first: usize, step: isize, change: &Worth) {
        let mut at = first as isize;
        for _ in 0..5 {
            let worth = &mut self.worth[at as usize];
            for i in 0..4 {
                worth[i] += change[i];
            }
            at += step;
        }
    }

    /// Counts the lines through a point anew after the stone on it came or went.
    fn follow(&mut self, state: &State, point: Point, color: Color) {
        let lines = state.lines();
        let is_there = !state.is_empty_at(point);
        for (direction, &Place { line, cell }) in Direction::ALL.iter().zip(lines.places(point)) {
            let now = state.line(line as usize);
            let cell = u32::from(cell);
            if now.length < 5 {
                continue;
            }
            let mut with = now.stones;
            with[color as usize] |= 1 << cell;
            let mut without = now.stones;
            without[color as usize] &= !(1 << cell);
            let (old, new) = if is_there { (without, with) } else { (with, without) };
            let step = direction.offset();
            for start in cell.saturating_sub(4)..=cell.min(now.length - 5) {
                let (was, is) = (self.of_window(old, start), self.of_window(new, start));
                let change = std::array::from_fn(|i| is[i] - was[i]);
                let first = point.index() as isize - (cell - start) as isize * step;
                self.add(first as usize, step, &change);
            }
        }
    }

    /// The own and the opponent's table value of a point, for the side to move, in tenths.
    #[inline(always)]
    fn both(&self, point: Point, to_move: Color) -> (i32, i32) {
        both(&self.worth[point.index()], to_move)
    }
}

/// What is the side to move's own, and what is its opponent's.
#[inline(always)]
fn both(worth: &Worth, to_move: Color) -> (i32, i32) {
    match to_move {
        Color::Black => (worth[0], worth[3]),
        Color::White => (worth[2], worth[1]),
    }
}

/// To Black and to White, on the paper's scale.
fn by_color((own, opp): (i32, i32), to_move: Color) -> (f64, f64) {
    let (own, opp) = (f64::from(own) / 10.0, f64::from(opp) / 10.0);
    match to_move {
        Color::Black => (own, opp),
        Color::White => (opp, own),
    }
}

impl Stage for StaticTable {
    fn start(&mut self, state: &State) {
        self.worth.fill([0; 4]);
        for number in 0..state.lines().count() {
            let line = state.line(number);
            let step = state.lines().direction(number).offset();
            for start in 0..(line.length + 1).saturating_sub(5) {
                let worth = *self.of_window(line.stones, start);
                self.add(state.lines().point(number, start).index(), step, &worth);
            }
        }
    }

    fn place(&mut self, state: &State, point: Point) {
        self.follow(state, point, !state.to_move());
    }

    fn undo(&mut self, state: &State, point: Point) {
        self.follow(state, point, state.to_move());
    }

    fn apply(&mut self, view: &mut View<'_>, moves: &mut MoveList) {
        let to_move = view.state.to_move();
        let value = |point| {
            let (own, opp) = self.both(point, to_move);
            i64::from(own.max(opp))
        };
        moves.rank(value);
        if self.keep > 0
            && let Some(best) = moves.get(0)
        {
            let least = value(best) * self.keep / 100;
            moves.retain(|point| value(point) >= least);
        }
    }

    /// For the side to move its own value, for the other the opponent's: the table shows the larger.
    fn points(&self, state: &State) -> Vec<PointValue> {
        let to_move = state.to_move();
        let value = |point| {
            let (black, white) = by_color(self.both(point, to_move), to_move);
            PointValue { point, black, white }
        };
        state.empty().into_iter().map(value).collect()
    }

    fn lines(&self, state: &State) -> Vec<LineValue> {
        let (board, to_move) = (state.board(), state.to_move());
        let value = |cells: [Point; 5]| {
            let [n_black, n_white] = Color::ALL
                .map(|color| cells.iter().filter(|cell| board.get(**cell) == Some(color)).count());
            let (black, white) =
                by_color(both(&self.by_stones[n_black][n_white], to_move), to_move);
            LineValue { cells, black, white }
        };
        numbered_lines(state.size()).into_iter().map(value).collect()
    }
}
