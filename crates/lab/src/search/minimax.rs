//! Algorithm 1 of Liao: plain minimax, the reference for every other search.

use gomoku::Point;

use super::{Control, Found, INFINITE, Order, Recording, RootMove, Search, deepen::deepen, win};
use crate::{
    faster::MoveList,
    tree::{Over, Play, SearchTree},
};

/// Looks at every candidate to the full depth, without bounds.
#[derive(Debug, Default)]
pub struct Minimax {
    lists: Vec<MoveList>,
    recording: Recording,
}

impl Minimax {
    /// The value of the root for the side to move, and the first move that reaches it.
    pub fn solve(
        &mut self,
        tree: &mut impl SearchTree,
        depth: u32,
        control: &mut Control<'_>,
    ) -> (i64, Option<Point>) {
        let (value, line) = self.node(tree, depth, 0, None, control);
        (value, line.first().copied())
    }

    /// The value of a position for the side to move, and the expected line from it.
    fn node(
        &mut self,
        tree: &mut impl SearchTree,
        depth: u32,
        ply: u32,
        node: Option<u32>,
        control: &mut Control<'_>,
    ) -> (i64, Vec<Point>) {
        let mut moves = self.lists.pop().unwrap_or_default();
        tree.moves(&mut moves);
        control.evaluations(tree.evaluations_for_moves());
        let mut best = (-INFINITE, Vec::new());
        for number in 0..moves.len() {
            let Some(point) = moves.get(number) else { break };
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

    /// The value of a move for the side that plays it, and the expected line that it begins.
    fn child(
        &mut self,
        tree: &mut impl SearchTree,
        point: Point,
        depth: u32,
        ply: u32,
        parent: Option<u32>,
        control: &mut Control<'_>,
    ) -> (i64, Vec<Point>) {
        control.node();
        let node = self.recording.enter(parent, Some(point), !tree.is_maximizing(), None);
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
        let sign = if tree.is_maximizing() { 1 } else { -1 };
        self.recording.value(node, Some(sign * value));
        (value, line)
    }
}

impl Search for Minimax {
    fn forget(&mut self, _seed: u64) {}

    fn search(&mut self, play: &mut Play, order: &Order, control: &mut Control<'_>) -> Found {
        let stride = order.may_stop.then_some(1);
        let mut found = deepen(play, order, stride, control, |play, depth, control| {
            self.recording = Recording::new(order.trace);
            let root = self.recording.enter(None, None, true, None);
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
            self.recording.value(root, moves.iter().filter_map(|m| m.value).max());
            moves
        });
        found.trace = self.recording.take();
        found
    }
}
