//! Moves behind the first are asked only whether they are better than the best, and a reply that
//! refuted a neighbor is tried before any are listed.

use gomoku::Point;

use super::{BestPath, Shortcuts};
use crate::search::{AlphaBeta, Ask, Control, INFINITE};

impl AlphaBeta {
    /// The value of a move behind the first. That it is not better than the best so far is shown
    /// cheaply by a window without room; then its exact value does not matter.
    pub(crate) fn later_child(
        &mut self,
        tree: &mut impl Shortcuts,
        point: Point,
        ask: &Ask,
        control: &mut Control<'_>,
    ) -> i64 {
        let has_room = ask.alpha > -INFINITE && ask.alpha + 1 < ask.beta;
        if self.switches.scout && has_room && ask.depth > 2 {
            let narrow = Ask { beta: ask.alpha + 1, ..*ask };
            let value = self.child(tree, point, &narrow, control);
            if value <= ask.alpha || value >= ask.beta || control.stopped() {
                return value;
            }
        }
        self.child(tree, point, ask, control)
    }

    /// The value of a move for the side that plays it, if it can be told without placing the stone.
    /// If not, a reply that is worth trying first is noted in what the position `below` is asked.
    #[inline]
    pub(crate) fn without_search(
        &mut self,
        tree: &mut impl Shortcuts,
        point: Point,
        ask: &Ask,
        below: &mut Ask,
        control: &mut Control<'_>,
    ) -> Option<i64> {
        let key = self.memory.key(tree.key_after(point), !tree.is_maximizing());
        if let Some(reply) = self.hint(tree, point, ask) {
            if ask.depth > 2 {
                below.hint = Some(reply);
            } else if let Some(value) =
                self.refuted_at_once(tree, (point, key), reply, ask, control)
            {
                return Some(value);
            }
        }
        Some(-self.memory.known(key, below)?)
    }

    /// Whether replies are tried before they are listed.
    pub(super) fn gives_hints(&self) -> bool {
        let switches = &self.switches;
        let is_plain = !switches.cache && !self.recording.is_on() && !self.memory.has_database();
        switches.scout && switches.best_path == BestPath::Order && is_plain
    }

    /// A reply to a move that is certain to be among the candidates: what refuted a neighbor, or
    /// else what stands first here.
    #[inline]
    fn hint(&self, tree: &impl Shortcuts, point: Point, ask: &Ask) -> Option<Point> {
        let at = ask.ply as usize;
        let lasting = &self.plies[at].lasting;
        let first = lasting.first()?;
        let n_sure = lasting.len().saturating_sub(tree.n_raised_by(point));
        let refutation = self.plies[at + 1].refutation;
        let reply = refutation.filter(|reply| lasting[..n_sure].contains(reply)).unwrap_or(*first);
        (reply != point && n_sure > 0).then_some(reply)
    }

    /// The value of a move, two plies before the end, if this reply refutes it. The stones need
    /// not even be placed.
    #[inline]
    fn refuted_at_once(
        &mut self,
        tree: &mut impl Shortcuts,
        (point, key): (Point, u64),
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
        self.plies[ask.ply as usize + 1].refutation = Some(reply);
        self.memory.put_best_move(key, reply);
        Some(value)
    }
}
