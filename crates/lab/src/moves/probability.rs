//! Liao's completion probability: 100, 80, 60, 40 % beside a run of four, three, two, one (3.1).

use gomoku::{Color, Direction, GRID, Point};

use super::{Stage, View};
use crate::{faster::MoveList, state::State};

/// Keeps, for every point, the length of the run that adjoins it on each of its eight sides.
#[derive(Debug)]
pub(crate) struct Probability {
    /// Eight lengths of four bits, at most 4 each.
    runs: Vec<u32>,
    /// What the moves are sorted by: the longest run, then the sum of squares of all eight,
    /// then nearness to the center.
    keys: Vec<u32>,
    before: Vec<[(u16, u32, u32); 8]>,
}

impl Default for Probability {
    fn default() -> Probability {
        Probability { runs: vec![0; GRID], keys: vec![0; GRID], before: Vec::new() }
    }
}

impl Probability {
    /// What a point is sorted by.
    #[inline(always)]
    pub(crate) fn key(&self, point: Point) -> u32 {
        self.keys[point.index()]
    }

    /// The run on one side of a point has grown.
    #[inline(always)]
    fn grow(&mut self, at: usize, side: u32, run: u32) {
        let (shift, run) = (4 * side, run.min(4));
        let before = self.runs[at] >> shift & 0xf;
        self.runs[at] ^= (before ^ run) << shift;
        let key = self.keys[at] + ((run * run - before * before) << 8);
        let longest = (key >> 16).max(run);
        self.keys[at] = key & 0xffff | longest << 16;
    }
}

impl Stage for Probability {
    fn start(&mut self, state: &State) {
        self.before.clear();
        self.runs.fill(0);
        let center = Point::center(state.size());
        for point in Point::all(state.size()) {
            self.keys[point.index()] = u32::from(31 - point.distance(center));
        }
        for point in state.empty() {
            for (number, direction) in Direction::ALL.into_iter().enumerate() {
                for (side, ahead) in [(2 * number, true), (2 * number + 1, false)] {
                    let run = Color::ALL
                        .map(|color| state.run_beside(point, direction, ahead, color))
                        .into_iter()
                        .max();
                    self.grow(point.index(), side as u32, run.unwrap_or(0));
                }
            }
        }
    }

    /// The stone may lengthen the run on either side of it in each direction: only the two cells at
    /// the ends of that run see a change.
    fn place(&mut self, state: &State, point: Point) {
        let color = !state.to_move();
        let mut before = [(0, 0, 0); 8];
        for (number, direction) in Direction::ALL.into_iter().enumerate() {
            let ahead = state.run_beside(point, direction, true, color);
            let behind = state.run_beside(point, direction, false, color);
            let (run, step) = (ahead + behind + 1, direction.offset());
            // The cell past the far end has the run behind it, and the other way round.
            let far = point.index() as isize + (ahead as isize + 1) * step;
            let near = point.index() as isize - (behind as isize + 1) * step;
            for (side, at) in [(2 * number + 1, far as usize), (2 * number, near as usize)] {
                before[side] = (at as u16, self.runs[at], self.keys[at]);
                self.grow(at, side as u32, run);
            }
        }
        self.before.push(before);
    }

    fn undo(&mut self, _state: &State, _point: Point) {
        let before = self.before.pop().expect("only a move that was followed is taken back");
        for (at, runs, key) in before {
            (self.runs[at as usize], self.keys[at as usize]) = (runs, key);
        }
    }

    fn apply(&mut self, _view: &mut View<'_>, moves: &mut MoveList) {
        moves.rank_by_cell(&self.keys);
    }

    fn probability(&self, point: Point) -> Option<f64> {
        Some(match self.keys[point.index()] >> 16 {
            0 => 0.2,
            run => 0.2 + 0.2 * f64::from(run),
        })
    }
}
