//! Algorithm 1 of Liao: plain minimax, the reference for every other search.

use gomoku::Point;
use player::{Trace, TraceNode};

use super::{Control, Found, INFINITE, Order, RootMove, Search, deepen::deepen, win};
use crate::{
    moves::MoveList,
    tree::{Over, Play, Tree},
};

/// Looks at every candidate to the full depth, without bounds.
#[derive(Debug, Default)]
pub struct Minimax {
    lists: Vec<MoveList>,
    trace: Option<Trace>,
}

impl Minimax {
    /// The value of the root for the side to move, and the first move that reaches it.
    pub fn solve(
        &mut self,
        tree: &mut impl Tree,
        depth: u32,
        control: &mut Control<'_>,
    ) -> (i64, Option<Point>) {
        let mut moves = MoveList::default();
        tree.moves(&mut moves);
        let mut best = (-INFINITE, None);
        for point in moves.to_vec() {
            let (value, _) = self.child(tree, point, depth, 1, None, control);
            if value > best.0 {
                best = (value, Some(point));
            }
        }
        if best.1.is_none() { (tree.value(), None) } else { best }
    }

    /// The value of a move for the side that plays it, and the expected line from it.
    fn child(
        &mut self,
        tree: &mut impl Tree,
        point: Point,
        depth: u32,
        ply: u32,
        parent: Option<u32>,
        control: &mut Control<'_>,
    ) -> (i64, Vec<Point>) {
        control.node();
        let node = self.trace.as_mut().and_then(|trace| {
            trace.enter(TraceNode {
                parent,
                point: Some(point),
                is_maximizing: !tree.is_maximizing(),
                window: None,
                value: None,
                n_cut: 0,
            })
        });
        let mut line = vec![point];
        let value = match tree.over(point) {
            Some(Over::Win) => win(ply),
            Some(Over::Draw) => 0,
            None if depth <= 1 => {
                control.evaluation();
                tree.value_after(point)
            }
            None => {
                tree.play(point);
                let (value, rest) = self.node(tree, depth - 1, ply, node, control);
                tree.undo(point);
                line.extend(rest);
                -value
            }
        };
        if let (Some(trace), Some(node)) = (&mut self.trace, node) {
            let sign = if tree.is_maximizing() { 1 } else { -1 };
            trace.nodes[node as usize].value = Some(sign * value);
        }
        (value, line)
    }

    fn node(
        &mut self,
        tree: &mut impl Tree,
        depth: u32,
        ply: u32,
        node: Option<u32>,
        control: &mut Control<'_>,
    ) -> (i64, Vec<Point>) {
        let mut moves = self.lists.pop().unwrap_or_default();
        tree.moves(&mut moves);
        control.evaluations(tree.evaluations_for_moves());
        let mut best = (-INFINITE, Vec::new());
        let mut next = 0;
        while let Some(point) = moves.get(next) {
            next += 1;
            let (value, line) = self.child(tree, point, depth, ply + 1, node, control);
            if control.stopped() {
                break;
            }
            if value > best.0 {
                best = (value, line);
            }
        }
        self.lists.push(moves);
        if best.0 == -INFINITE && !control.stopped() {
            control.evaluation();
            best.0 = tree.value();
        }
        best
    }
}

impl Search for Minimax {
    fn forget(&mut self, _seed: u64) {}

    fn search(&mut self, play: &mut Play, order: &Order, control: &mut Control<'_>) -> Found {
        let stride = order.may_stop.then_some(1);
        let mut found = deepen(play, order, stride, control, |play, depth, control| {
            self.trace = order.trace.then(Trace::default);
            let root = self.trace.as_mut().and_then(|trace| {
                trace.enter(TraceNode {
                    parent: None,
                    point: None,
                    is_maximizing: true,
                    window: None,
                    value: None,
                    n_cut: 0,
                })
            });
            let mut moves = Vec::new();
            for &point in &order.moves {
                let before = control.counters.nodes;
                let (value, line) = self.child(play, point, depth, 1, root, control);
                if control.stopped() {
                    break;
                }
                let nodes = control.counters.nodes - before;
                moves.push(RootMove { point, value: Some(value), line, nodes });
            }
            if let (Some(trace), Some(root)) = (&mut self.trace, root) {
                let value = moves.iter().filter_map(|m| m.value).max();
                trace.nodes[root as usize].value = value;
            }
            moves
        });
        found.trace = self.trace.take();
        found
    }
}
