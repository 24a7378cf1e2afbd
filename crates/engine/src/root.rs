//! The root: iterative deepening, aspiration windows and several best moves at once.

use std::{
    cmp::Reverse,
    sync::{PoisonError, atomic::Ordering::Relaxed},
};

use gomoku::{Point, Rules};
use player::{Candidate, Counters, Iteration, Progress};

use crate::{
    PLY,
    node::Root,
    params::Step,
    search::{Stopped, Worker},
    value::Value,
};

/// A move of the root and what is known about it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) point: Point,
    /// Of the iteration under way; below everything if it has not been better than another move.
    pub(crate) value: Value,
    /// Of the last iteration.
    pub(crate) previous: Value,
    /// What the last search of the move returned; at most this good if it was not the best.
    bound: Value,
    pub(crate) line: Vec<Point>,
    pub(crate) nodes: u64,
    /// Plies of the iteration the line is from.
    pub(crate) depth: u32,
}

impl RootMove {
    pub(crate) fn new(point: Point) -> RootMove {
        let value = -Value::INFINITE;
        let bound = Value::DRAW;
        RootMove { point, value, previous: value, bound, line: vec![point], nodes: 0, depth: 0 }
    }

    /// The best known value: of this iteration, else of the last.
    fn known(&self) -> Option<Value> {
        let values = [self.value, self.previous, self.bound];
        values.into_iter().find(|&value| value > -Value::INFINITE)
    }

    pub(crate) fn to_candidate(&self) -> Candidate {
        Candidate {
            point: self.point,
            probability: None,
            score: self.known().map(Value::to_score),
            depth: self.depth,
            nodes: self.nodes,
            line: self.line.clone(),
        }
    }
}

/// An iteration with a win is worth one more look for a shorter one, no more.
const EXTRA_ITERATIONS: i32 = 2;

impl<R: Rules> Worker<'_, R> {
    /// Searches deeper and deeper until a limit says stop. Returns the completed iterations.
    pub(crate) fn deepen(&mut self, depth_max: u32, n_lines: usize) -> Vec<Iteration> {
        let n_lines = n_lines.clamp(1, self.root_moves.len());
        let mut iterations: Vec<Iteration> = Vec::with_capacity(depth_max.min(128) as usize);
        let mut best_changes = 0;
        let mut n_decided = 0;
        for depth in 1..=depth_max {
            self.root_depth = depth as i32;
            if self.iterate(n_lines).is_err() {
                if self.shared.stop.load(Relaxed) || !self.follow() {
                    self.sort_lines(n_lines);
                    self.prefer_unrefuted();
                    break;
                }
                self.rewind();
            }
            let (best, value) = (self.root_moves[0].point, self.root_moves[0].value);
            let changed = iterations.last().is_some_and(|last| last.best != best);
            best_changes = best_changes / 2 + if changed { 100 } else { 0 };
            let finished =
                Iteration { depth, best, score: value.to_score(), counters: self.cost() };
            iterations.push(finished.clone());
            if !self.is_helper {
                self.n_told = n_lines;
                self.report(Some(finished));
            }
            if n_lines == 1 {
                self.lead();
            }
            n_decided = if value.is_decisive() { n_decided + 1 } else { 0 };
            let is_settled = n_lines == 1 && (n_decided > EXTRA_ITERATIONS || self.is_only_move());
            let unrest = 70 + best_changes;
            let has_time = || self.shared.budget.has_time(self.shared.watch.elapsed(), unrest);
            if is_settled || !self.is_helper && !has_time() {
                break;
            }
        }
        if !self.is_helper {
            self.shared.stop.store(true, Relaxed);
        }
        self.rewind();
        iterations
    }

    /// Lets the other threads know that an iteration is complete, unless one was quicker.
    fn lead(&self) {
        let mut leader = self.shared.leader.lock().unwrap_or_else(PoisonError::into_inner);
        if leader.as_ref().is_none_or(|known| known.depth < self.root_moves[0].depth) {
            *leader = Some(self.root_moves[0].clone());
            self.shared.done.store(self.root_depth, Relaxed);
        }
    }

    /// Takes over the best move of a thread that has completed this iteration sooner.
    fn follow(&mut self) -> bool {
        let leader = self.shared.leader.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(best) = leader.as_ref().filter(|best| best.depth as i32 >= self.root_depth) else {
            return false;
        };
        let best = best.clone();
        for root in &mut self.root_moves {
            root.value = root.previous;
        }
        if let Some(at) = self.root_moves.iter().position(|root| root.point == best.point) {
            self.root_moves[at] = RootMove { nodes: self.root_moves[at].nodes, ..best };
            self.root_moves[..=at].rotate_right(1);
        }
        true
    }

    /// One iteration: the best lines, one after the other.
    fn iterate(&mut self, n_lines: usize) -> Result<(), Stopped> {
        for root in &mut self.root_moves {
            root.previous = root.value;
        }
        for line in 0..n_lines {
            self.pv_index = line;
            let result = self.aspirate();
            self.sort_root_moves(line);
            result?;
            self.root_moves[..=line].sort_by_key(|root| -root.value.get());
        }
        Ok(())
    }

    /// Searches the root with a narrow window around the last value, wider where that fails.
    fn aspirate(&mut self) -> Result<(), Stopped> {
        let previous = self.root_moves[self.pv_index].previous;
        let mut delta = self.params.aspiration_delta + previous.get().abs() / 16;
        let (mut alpha, mut beta) = (-Value::INFINITE, Value::INFINITE);
        let is_narrow = self.root_depth >= 4
            && !previous.is_decisive()
            && previous > -Value::INFINITE
            && self.params.has(Step::Aspiration);
        if is_narrow {
            alpha = previous - delta;
            beta = previous + delta;
        }
        let mut depth = self.root_depth * PLY;
        loop {
            for root in &mut self.root_moves[self.pv_index..] {
                root.value = -Value::INFINITE;
            }
            self.stack[0].extended = 0;
            let value = self.node::<Root>(alpha, beta, depth, 0, false)?;
            self.sort_root_moves(self.pv_index);
            if value <= alpha && alpha > -Value::INFINITE {
                beta = Value::new((alpha.get() + beta.get()) / 2).max(alpha + 1);
                alpha = value - delta;
                depth = self.root_depth * PLY;
            } else if value >= beta && beta < Value::INFINITE {
                beta = value + delta;
                depth = (depth - PLY / 2).max(self.root_depth * PLY - 3 * PLY).max(PLY);
            } else {
                return Ok(());
            }
            delta += delta / 2 + 6;
            if delta > 1_500 || value.is_decisive() {
                (alpha, beta) = (-Value::INFINITE, Value::INFINITE);
            }
        }
    }

    /// Keeps what was found out about a root move.
    pub(crate) fn note_root_move(
        &mut self,
        point: Point,
        value: Value,
        alpha: Value,
        n_moves: usize,
        nodes_before: u64,
    ) {
        let nodes = self.counters.nodes - nodes_before;
        let (depth, line) = (self.root_depth as u32, &self.stack[1].line);
        let Some(root) = self.root_moves.iter_mut().find(|root| root.point == point) else {
            return;
        };
        root.nodes += nodes;
        root.bound = value;
        if n_moves == 1 || value > alpha {
            root.value = value;
            root.depth = depth;
            root.line.clear();
            root.line.push(point);
            root.line.extend(line.iter());
        }
    }

    /// Best first; moves that were not better than another keep their order.
    fn sort_root_moves(&mut self, from: usize) {
        self.root_moves[from..].sort_by_key(|root| -root.value.get());
    }

    /// A stopped iteration has searched some lines deeper than others, and one of them not to its end:
    /// the deepest first, of equally deep ones the best.
    fn sort_lines(&mut self, n_lines: usize) {
        if n_lines > 1 {
            self.root_moves[..n_lines].sort_by_key(|root| Reverse((root.depth, root.known())));
        }
    }

    /// A stopped iteration may have refuted the best move and not yet found another: then the first
    /// move that is not known to lose is a better answer.
    fn prefer_unrefuted(&mut self) {
        let is_refuted = |root: &RootMove| root.value.is_loss() || root.bound.is_loss();
        if is_refuted(&self.root_moves[0])
            && let Some(other) = self.root_moves.iter().position(|root| !is_refuted(root))
        {
            self.root_moves[..=other].rotate_right(1);
        }
    }

    /// Takes everything off the field that a stopped search left there.
    pub(crate) fn rewind(&mut self) {
        while self.field.ply() > 0 {
            if self.field.moves().last().is_some_and(Option::is_some) {
                self.n_empty += 1;
            }
            self.field.undo();
        }
        self.judge.rewind();
        self.moves.clear();
        self.stack.iter_mut().for_each(|frame| frame.excluded = None);
    }

    fn is_only_move(&self) -> bool {
        let budget = &self.shared.budget;
        let is_limited = budget.hard.is_some() || budget.nodes.is_some();
        self.root_moves.len() == 1 && is_limited
    }

    /// The cost so far, of all threads.
    pub(crate) fn cost(&self) -> Counters {
        let helpers = self.shared.helper_nodes.load(Relaxed);
        let time = self.shared.watch.elapsed();
        Counters { nodes: self.counters.nodes + helpers, time, ..self.counters }
    }

    /// Tells of the best lines and the cost: at the end of an iteration, or within one.
    pub(crate) fn report(&self, finished: Option<Iteration>) {
        let told = &self.root_moves[..self.n_told];
        self.shared.watch.progress(&Progress {
            depth: finished.as_ref().map_or(self.root_depth as u32 - 1, |done| done.depth),
            depth_max: self.ply_max as u32,
            counters: finished.as_ref().map_or_else(|| self.cost(), |done| done.counters),
            candidates: told.iter().map(RootMove::to_candidate).collect(),
            finished,
        });
    }
}
