//! Savings that change no value: narrow windows, and replies that are tried before any are listed.

use gomoku::Point;

use super::{AlphaBeta, Ask, BestPath, Control, INFINITE, Tree};

impl AlphaBeta {
    /// The value of a move behind the first. That it is not better than the best so far is shown
    /// cheaply by a window without room; then its exact value does not matter.
    pub(super) fn later_child(
        &mut self,
        tree: &mut impl Tree,
        point: Point,
        ask: &Ask,
        control: &mut Control<'_>,
    ) -> i64 {
        let has_room = ask.alpha > -INFINITE && ask.alpha + 1 < ask.beta;
        if self.switches.swift && has_room && ask.depth > 2 {
            let narrow = Ask { beta: ask.alpha + 1, ..*ask };
            let value = self.child(tree, point, &narrow, control);
            if value <= ask.alpha || value >= ask.beta || control.stopped() {
                return value;
            }
        }
        self.child(tree, point, ask, control)
    }

    /// Whether replies are tried before they are listed.
    pub(super) fn gives_hints(&self) -> bool {
        let Self { switches, trace, database, .. } = self;
        let is_plain = !switches.cache && trace.is_none() && database.is_none();
        switches.swift && switches.best_path == BestPath::Order && is_plain
    }

    /// A reply to a move that is certain to be among the candidates: what refuted a neighbour, or
    /// else what stands first here.
    #[inline]
    pub(super) fn hint(&self, tree: &impl Tree, point: Point, ask: &Ask) -> Option<Point> {
        let at = ask.ply as usize;
        let first = self.plies[at].steady.first()?;
        let n_sure = self.plies[at].steady.len().saturating_sub(tree.n_stirred(point));
        let sure = &self.plies[at].steady[..n_sure];
        let refutation = self.plies[at + 1].refutation;
        let reply = refutation.filter(|reply| sure.contains(reply)).unwrap_or(*first);
        (reply != point && n_sure > 0).then_some(reply)
    }

    /// The value of a move, two plies before the end, if this reply refutes it. The stones need
    /// not even be placed.
    #[inline]
    pub(super) fn refuted_at_once(
        &mut self,
        tree: &mut impl Tree,
        point: Point,
        reply: Point,
        ask: &Ask,
        control: &mut Control<'_>,
    ) -> Option<i64> {
        control.node();
        control.evaluation();
        let value = tree.value_after_two(point, reply);
        if value > ask.alpha || control.stopped() {
            return None;
        }
        control.cutoff();
        let below = &mut self.plies[ask.ply as usize + 1];
        below.line.clear();
        below.refutation = Some(reply);
        self.paths.put(self.key(tree.key_after(point), !tree.is_maximizing()), reply);
        Some(value)
    }
}
