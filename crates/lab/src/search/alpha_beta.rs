//! Algorithm 2 of Liao: alpha-beta, in its negamax form. What only saves time is in `faster`.

use gomoku::Point;
use player::{Bound, PositionStore, Stored};

use super::{
    Control, Found, INFINITE, Order, Recording, RootMove, Search,
    deepen::{deepen, sorted},
    win,
};
use crate::{
    faster::{Memory, MoveList, Shortcuts, Switches},
    tree::{Over, Play, SearchTree},
};

/// Negamax with alpha-beta bounds.
pub struct AlphaBeta {
    pub(crate) switches: Switches,
    pub(crate) memory: Memory,
    pub(crate) plies: Vec<Ply>,
    pub(crate) recording: Recording,
}

/// What a node is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask {
    /// Plies still to search.
    pub(crate) depth: u32,
    /// The window, for the side to move.
    pub(crate) alpha: i64,
    pub(crate) beta: i64,
    /// Stones played since the root.
    pub(crate) ply: u32,
    /// The node's number in the recording.
    pub(crate) node: Option<u32>,
    /// A move that is certain to be a candidate and worth trying before they are listed.
    pub(crate) hint: Option<Point>,
}

/// What belongs to one depth of the recursion.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ply {
    moves: MoveList,
    line: Vec<Point>,
    /// The move that last cut off a search here.
    pub(crate) refutation: Option<Point>,
    /// The first candidates, as far as they stay candidates whatever is played here.
    pub(crate) lasting: Vec<Point>,
}

/// The value of the best move so far, and the move.
type Best = (i64, Option<Point>);

impl std::fmt::Debug for AlphaBeta {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AlphaBeta").field("switches", &self.switches).finish_non_exhaustive()
    }
}

impl AlphaBeta {
    /// A search with these switches.
    pub fn new(switches: Switches) -> AlphaBeta {
        let memory = Memory::new(switches);
        AlphaBeta { switches, memory, plies: Vec::new(), recording: Recording::default() }
    }

    /// The same search with a database of positions that outlives games. The fingerprint tells its
    /// evaluation and candidates from others that share the database.
    pub fn with_database(mut self, database: Box<dyn PositionStore>, fingerprint: u64) -> Self {
        self.memory.set_database(database, fingerprint);
        self
    }

    /// The value of the root for the side to move within a window, and the best move.
    pub fn solve(
        &mut self,
        tree: &mut impl Shortcuts,
        depth: u32,
        (alpha, beta): (i64, i64),
        control: &mut Control<'_>,
    ) -> (i64, Option<Point>) {
        let ask = Ask { depth, alpha, beta, ply: 0, node: None, hint: None };
        let value = self.node(tree, ask, control);
        (value, self.plies.first().and_then(|ply| ply.line.first().copied()))
    }

    /// The value of a position for the side to move.
    fn node(&mut self, tree: &mut impl Shortcuts, mut ask: Ask, control: &mut Control<'_>) -> i64 {
        let at = ask.ply as usize;
        self.make_room(at);
        let key = self.memory.key(tree.key(), tree.is_maximizing());
        let first_alpha = ask.alpha;
        let mut best: Best = (-INFINITE, None);

        // 1. A move that is worth trying before the candidates are listed.
        let early = self.early(key, &ask);
        if let Some(point) = early.map(|early| early.point()) {
            let value = self.child(tree, point, &ask, control);
            self.take(&mut best, &mut ask, point, value, control);
        }

        // 2. The candidates in turn, until one is too good to be allowed.
        if best.0 < ask.beta && !control.stopped() {
            let mut moves = std::mem::take(&mut self.plies[at].moves);
            tree.moves(&mut moves);
            control.evaluations(tree.evaluations_for_moves());
            let mut next = self.put_first(tree, (key, at), early, &mut moves);
            while let Some(point) = self.next(tree, &ask, &mut moves, &mut next) {
                let value = match best.1 {
                    None => self.child(tree, point, &ask, control),
                    Some(_) => self.later_child(tree, point, &ask, control),
                };
                self.take(&mut best, &mut ask, point, value, control);
                let cannot_be_better = best.0 >= ask.beta || best.0 == win(ask.ply + 1);
                if cannot_be_better || control.stopped() {
                    self.recording.cut(ask.node, moves.len() - next.number);
                    break;
                }
            }
            self.plies[at].moves = moves;
        }

        // 3. Without a candidate the position is judged as it stands.
        let (value, Some(best)) = best else {
            if control.stopped() {
                return 0;
            }
            control.evaluation();
            return tree.value();
        };

        // 4. What is worth remembering.
        let value =
            if self.switches.fail_hard { value.clamp(first_alpha, ask.beta) } else { value };
        if !control.stopped() {
            let bound = match value {
                _ if value >= ask.beta => Bound::AtLeast,
                _ if value > first_alpha => Bound::Exact,
                _ => Bound::AtMost,
            };
            let found = Stored { value, depth: ask.depth, bound, best: Some(best) };
            self.memory.remember(key, ask.ply, found);
        }
        value
    }

    fn make_room(&mut self, at: usize) {
        if self.plies.len() <= at + 1 {
            self.plies.resize(at + 2, Ply::default());
        }
        self.plies[at].line.clear();
        self.plies[at].lasting.clear();
    }

    /// Takes note of a move's value: the first of equals stays the best.
    #[inline(always)]
    fn take(
        &mut self,
        best: &mut Best,
        ask: &mut Ask,
        point: Point,
        value: i64,
        control: &mut Control<'_>,
    ) {
        if value <= best.0 || control.stopped() {
            return;
        }
        *best = (value, Some(point));
        if value > ask.alpha {
            ask.alpha = value;
            self.extend_line(ask.ply as usize, point);
        }
        if value >= ask.beta {
            control.cutoff();
            self.plies[ask.ply as usize].refutation = Some(point);
            self.memory.praise(ask.ply, ask.depth, point);
        }
    }

    /// The value of a move for the side that plays it.
    #[inline]
    pub(crate) fn child(
        &mut self,
        tree: &mut impl Shortcuts,
        point: Point,
        ask: &Ask,
        control: &mut Control<'_>,
    ) -> i64 {
        control.node();
        let node = if self.recording.is_on() { self.enter(tree, point, ask) } else { None };
        self.plies[ask.ply as usize + 1].line.clear();
        let value = match tree.over(point) {
            Some(Over::Win) => win(ask.ply + 1),
            Some(Over::Draw) => 0,
            None if ask.depth <= 1 => self.leaf(tree, point, control),
            None => {
                let mut below = Ask {
                    depth: ask.depth - 1,
                    alpha: -ask.beta,
                    beta: -ask.alpha,
                    ply: ask.ply + 1,
                    node,
                    hint: None,
                };
                if let Some(value) = self.without_search(tree, point, ask, &mut below, control) {
                    value
                } else {
                    tree.play(point);
                    let value = -self.node(tree, below, control);
                    tree.undo(point);
                    value
                }
            }
        };
        if node.is_some() {
            let sign = if tree.is_maximizing() { 1 } else { -1 };
            self.recording.value(node, Some(sign * value));
        }
        value
    }

    #[inline]
    fn leaf(&mut self, tree: &mut impl SearchTree, point: Point, control: &mut Control<'_>) -> i64 {
        let mut judge = |tree: &mut _| {
            control.evaluation();
            SearchTree::value_after(tree, point)
        };
        if !self.switches.cache {
            return judge(tree);
        }
        let key = self.memory.key(tree.key_after(point), !tree.is_maximizing());
        self.memory.static_value(key, || judge(tree))
    }

    fn enter(&mut self, tree: &impl SearchTree, point: Point, ask: &Ask) -> Option<u32> {
        let is_mine = tree.is_maximizing();
        let window = if is_mine { (ask.alpha, ask.beta) } else { (-ask.beta, -ask.alpha) };
        self.recording.enter(ask.node, Some(point), !is_mine, Some(window))
    }

    fn extend_line(&mut self, at: usize, point: Point) {
        let (upper, lower) = self.plies.split_at_mut(at + 1);
        let line = &mut upper[at].line;
        line.clear();
        line.push(point);
        line.extend_from_slice(&lower[0].line);
    }

    /// One depth at the root: exact values for the best `multi_pv` moves.
    fn iterate(
        &mut self,
        play: &mut Play,
        moves: &[Point],
        order: &Order,
        depth: u32,
        control: &mut Control<'_>,
    ) -> Vec<RootMove> {
        self.make_room(0);
        self.recording = Recording::new(order.trace);
        let node = self.recording.enter(None, None, true, Some((-INFINITE, INFINITE)));
        let mut done: Vec<RootMove> = Vec::new();
        let mut best_values: Vec<i64> = Vec::new();
        for &point in moves {
            let before = control.counters.nodes;
            let alpha = match best_values.get(order.multi_pv - 1) {
                Some(&least) => least,
                None => -INFINITE,
            };
            let ask = Ask { depth, alpha, beta: INFINITE, ply: 0, node, hint: None };
            let value = self.later_child(play, point, &ask, control);
            if control.stopped() {
                break;
            }
            let mut found = RootMove::new(point);
            found.nodes = control.counters.nodes - before;
            if value > alpha {
                found.value = Some(value);
                found.line.extend_from_slice(&self.plies[1].line);
                let place = best_values.partition_point(|&other| other >= value);
                best_values.insert(place, value);
            }
            done.push(found);
        }
        self.recording.value(node, best_values.first().copied());
        let is_whole = order.is_whole && !control.stopped();
        if let (true, Some(&value)) = (is_whole, best_values.first()) {
            let best = done.iter().find(|m| m.value == Some(value)).map(|m| m.point);
            let key = self.memory.key(play.key(), true);
            self.memory.remember(key, 0, Stored { value, depth, bound: Bound::Exact, best });
        }
        done
    }
}

impl Search for AlphaBeta {
    fn forget(&mut self, _seed: u64) {
        self.memory.forget();
        self.plies.clear();
    }

    fn search(&mut self, play: &mut Play, order: &Order, control: &mut Control<'_>) -> Found {
        self.memory.start(play, control.is_counted());
        let Switches { deepening, shallow, scout, .. } = self.switches;
        let has_database = self.memory.has_database();
        let key = self.memory.key(play.key(), true);
        let mut moves = order.moves.clone();
        // Paths of earlier searches end where a database answered, so the order of the root, which
        // decides between equals, is then left to the candidates and to this search.
        if !has_database {
            let mut list = MoveList::of(&moves);
            self.memory.arrange(play, key, &mut list);
            moves = list.to_vec();
        }
        let by_two = scout && !order.may_stop;
        let stride = (deepening || shallow || order.may_stop).then_some(if by_two { 2 } else { 1 });
        let mut found = deepen(play, order, stride, control, |play, depth, control| {
            let done = self.iterate(play, &moves, order, depth, control);
            if control.stopped() {
                return done;
            }
            let remembered = self.memory.best_move(key).filter(|_| !has_database);
            let best = || sorted(done.clone()).first().map(|best| best.point);
            if shallow {
                moves = sorted(done.clone()).into_iter().map(|m| m.point).collect();
            } else if self.switches.uses_paths()
                && let Some(best) = remembered.or_else(best)
                && let Some(at) = moves.iter().position(|&point| point == best)
            {
                moves[..=at].rotate_right(1);
            }
            done
        });
        found.trace = self.recording.take();
        let expected = found.moves.first().map_or(&[][..], |best| &best.line);
        self.memory.expect(play, expected);
        found
    }
}
