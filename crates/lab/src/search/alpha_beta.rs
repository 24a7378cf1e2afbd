//! Alpha-beta in its negamax form, with the switches whose worth can be measured.

mod swift;

use gomoku::{Point, zobrist};
use player::{Trace, TraceNode};

use super::{
    Bound, Control, Found, INFINITE, Order, PositionStore, RootMove, Search, Stored,
    database::Database,
    deepen::{deepen, sorted},
    is_decisive,
    memory::{HashTable, History, PathTable, ValueTable},
    win,
};
use crate::{
    moves::MoveList,
    tree::{Over, Play, Tree},
};

/// What to do with best paths remembered from earlier moves and iterations (Liao 3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BestPath {
    /// Nothing.
    Off,
    /// Look at the remembered move first, and where the position is new, at the move that last
    /// refuted a neighbour at the same ply. Never changes a value.
    Order,
    /// Look at nothing that the candidates put behind the remembered move. May change values.
    Exclude,
}

/// What can be switched on an alpha-beta search. Nothing here but `best_path=exclude` changes a
/// value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// Search depth 1, then 2, and so on.
    pub deepening: bool,
    /// Remember values and take them again at equal depth (Fan & Yuan's "already expanded, so
    /// pruned"; Figueira's look-up table).
    pub table: bool,
    /// Remember static values (Fan & Yuan's Zobrist cache).
    pub cache: bool,
    /// Remember best moves between the moves of a game.
    pub best_path: BestPath,
    /// Order by the results of shallower depths (Figueira's future work); implies deepening.
    pub shallow: bool,
    /// Look for a winning candidate before searching any other.
    pub win_first: bool,
    /// Order the candidates behind the first by how much they have refuted elsewhere in the tree.
    pub history: bool,
    /// Save time: ask of most moves only whether they are better than the best, deepen by two
    /// plies, and try the reply that refuted a neighbour before any are listed.
    pub swift: bool,
}

impl Switches {
    /// Everything off.
    pub const PLAIN: Switches = Switches {
        deepening: false,
        table: false,
        cache: false,
        best_path: BestPath::Off,
        shallow: false,
        win_first: false,
        history: false,
        swift: false,
    };
}

/// Negamax with alpha-beta bounds.
pub struct AlphaBeta {
    switches: Switches,
    table: ValueTable,
    cache: HashTable<i64>,
    paths: PathTable,
    history: History,
    database: Option<Database>,
    /// Tells rule and board from others.
    salt: u64,
    plies: Vec<Ply>,
    trace: Option<Trace>,
}

/// What a node is asked.
#[derive(Clone, Copy, Debug)]
struct Ask {
    /// Plies still to search.
    depth: u32,
    /// The window, for the side to move.
    alpha: i64,
    beta: i64,
    /// Stones played since the root.
    ply: u32,
    /// The node's number in the recording.
    node: Option<u32>,
    /// A move that is certain to be a candidate and worth trying before they are listed.
    hint: Option<Point>,
}

/// What belongs to one depth of the recursion.
#[derive(Clone, Debug, Default)]
struct Ply {
    moves: MoveList,
    line: Vec<Point>,
    /// The move that last cut off a search here.
    refutation: Option<Point>,
    /// The first candidates, as far as they stay candidates whatever is played here.
    steady: Vec<Point>,
}

impl std::fmt::Debug for AlphaBeta {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AlphaBeta").field("switches", &self.switches).finish_non_exhaustive()
    }
}

const CACHE_BITS: u32 = 16;

impl AlphaBeta {
    /// A search with these switches.
    pub fn new(switches: Switches) -> AlphaBeta {
        AlphaBeta {
            switches,
            table: ValueTable::default(),
            cache: HashTable::new(CACHE_BITS, 0),
            paths: PathTable::default(),
            history: History::default(),
            database: None,
            salt: 0,
            plies: Vec::new(),
            trace: None,
        }
    }

    /// The same search with a database of positions that outlives games. The fingerprint tells its
    /// evaluation and candidates from others that share the database.
    pub fn with_database(mut self, database: Box<dyn PositionStore>, fingerprint: u64) -> Self {
        self.database = Some(Database::new(database, fingerprint));
        self
    }

    /// The value of the root for the side to move within a window, and the best move.
    pub fn solve(
        &mut self,
        tree: &mut impl Tree,
        depth: u32,
        (alpha, beta): (i64, i64),
        control: &mut Control<'_>,
    ) -> (i64, Option<Point>) {
        let value =
            self.node(tree, Ask { depth, alpha, beta, ply: 0, node: None, hint: None }, control);
        (value, self.plies.first().and_then(|ply| ply.line.first().copied()))
    }

    /// Records the next searches; see [`AlphaBeta::take_trace`].
    pub fn record(&mut self) {
        self.trace = Some(Trace::default());
    }

    /// The recorded search.
    pub fn take_trace(&mut self) -> Option<Trace> {
        self.trace.take()
    }

    /// Values are from the view of one side, so a position has one key for each.
    fn key(&self, key: u64, is_maximizing: bool) -> u64 {
        let side = if is_maximizing { 0 } else { 0x5851_f42d_4c95_7f2d };
        key ^ self.salt ^ side
    }

    /// The value of a position for the side to move, if it is not known already.
    fn node(&mut self, tree: &mut impl Tree, mut ask: Ask, control: &mut Control<'_>) -> i64 {
        let at = ask.ply as usize;
        if self.plies.len() <= at + 1 {
            self.plies.resize(at + 2, Ply::default());
        }
        self.plies[at].line.clear();
        self.plies[at].steady.clear();

        // 1. A remembered best move, which often makes the list of candidates unnecessary.
        let key = self.key(tree.key(), tree.is_maximizing());
        let entry_alpha = ask.alpha;
        let mut best = (-INFINITE, None);
        let remembered = self.remembered(key).filter(|_| self.trace.is_none());
        let tried = remembered.or(ask.hint);
        if let Some(point) = tried {
            let value = self.child(tree, point, &ask, control);
            self.take(&mut best, &mut ask, point, value, control);
        }

        // 2. The candidates in turn, until one is too good to be allowed.
        if best.0 < ask.beta && !control.stopped() {
            let mut moves = std::mem::take(&mut self.plies[at].moves);
            tree.moves(&mut moves);
            control.evaluations(tree.evaluations_for_moves());
            let mut place = match tried {
                Some(hint) if remembered.is_none() => {
                    let place = moves.promote(hint);
                    debug_assert!(place.is_some(), "{hint} is no candidate");
                    place
                }
                _ => self.arrange(key, &mut moves),
            };
            let mut i = usize::from(place.is_some() && tried.is_some());
            if place.is_none() {
                place = self.put_first(tree, at, &mut moves);
            }
            loop {
                if i == 1 && ask.depth > 1 {
                    self.prepare_rest(tree, &ask, &mut moves, place.unwrap_or(0));
                }
                let Some(point) = moves.get(i) else { break };
                i += 1;
                if ask.depth > 1
                    && i > 1
                    && let Some(next) = moves.get(i)
                {
                    self.expect(tree, next);
                }
                let value = if best.1.is_some() {
                    self.later_child(tree, point, &ask, control)
                } else {
                    self.child(tree, point, &ask, control)
                };
                self.take(&mut best, &mut ask, point, value, control);
                let cannot_be_better = best.0 >= ask.beta || best.0 == win(ask.ply + 1);
                if cannot_be_better || control.stopped() {
                    if let (Some(trace), Some(node)) = (&mut self.trace, ask.node) {
                        trace.nodes[node as usize].n_cut = (moves.len() - i) as u32;
                    }
                    break;
                }
            }
            self.plies[at].moves = moves;
        }
        let (best, best_move) = best;
        if best_move.is_none() {
            if control.stopped() {
                return 0;
            }
            control.evaluation();
            return tree.value();
        }

        // 3. What is worth remembering.
        if !control.stopped() {
            let bound = if best >= ask.beta {
                Bound::AtLeast
            } else if best > entry_alpha {
                Bound::Exact
            } else {
                Bound::AtMost
            };
            self.remember(key, (ask.depth, ask.ply), best, bound, best_move);
        }
        best
    }

    /// Takes note of a move's value: the first of equals stays the best.
    #[inline(always)]
    fn take(
        &mut self,
        best: &mut (i64, Option<Point>),
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
            if self.switches.history {
                self.history.praise(ask.ply, ask.depth, point);
            }
        }
    }

    /// In a position of which no best move is remembered: a winning candidate first, or else what
    /// refuted a neighbour.
    #[inline]
    fn put_first(&self, tree: &mut impl Tree, at: usize, moves: &mut MoveList) -> Option<usize> {
        if self.switches.win_first && tree.may_win() {
            let mut candidates = (0..moves.len()).map_while(|i| moves.get(i));
            if let Some(win) = candidates.find(|&point| tree.over(point) == Some(Over::Win)) {
                return moves.promote(win);
            }
        }
        let refutation = self.plies[at].refutation;
        refutation
            .filter(|_| self.switches.best_path == BestPath::Order)
            .and_then(|point| moves.promote(point))
    }

    /// Before the second of the candidates, of which the first has come from `place`.
    fn prepare_rest(
        &mut self,
        tree: &mut impl Tree,
        ask: &Ask,
        moves: &mut MoveList,
        place: usize,
    ) {
        if self.gives_hints() {
            let steady = &mut self.plies[ask.ply as usize].steady;
            tree.steady(moves, place, steady);
        }
        if self.switches.history {
            moves.reorder(1, |point| self.history.of(ask.ply, point));
        }
    }

    /// The value of a move for the side that plays it.
    #[inline]
    fn child(
        &mut self,
        tree: &mut impl Tree,
        point: Point,
        ask: &Ask,
        control: &mut Control<'_>,
    ) -> i64 {
        control.node();
        let node = if self.trace.is_some() { self.enter(tree, point, ask) } else { None };
        let over = tree.over(point);
        if ask.depth <= 1 || over.is_some() {
            self.plies[ask.ply as usize + 1].line.clear();
        }
        let value = match over {
            Some(Over::Win) => win(ask.ply + 1),
            Some(Over::Draw) => 0,
            None if ask.depth <= 1 => self.leaf(tree, point, control),
            None => {
                let key = self.expect(tree, point);
                let hint = self.hint(tree, point, ask);
                if let (Some(reply), 2) = (hint, ask.depth)
                    && let Some(value) = self.refuted_at_once(tree, point, reply, ask, control)
                {
                    return value;
                }
                let below = Ask {
                    depth: ask.depth - 1,
                    alpha: -ask.beta,
                    beta: -ask.alpha,
                    ply: ask.ply + 1,
                    node,
                    hint: hint.filter(|_| ask.depth > 2),
                };
                if let Some(value) = self.known(key, &below) {
                    self.plies[below.ply as usize].line.clear();
                    -value
                } else {
                    tree.play(point);
                    let value = -self.node(tree, below, control);
                    tree.undo(point);
                    value
                }
            }
        };
        if let (Some(trace), Some(node)) = (&mut self.trace, node) {
            let sign = if tree.is_maximizing() { 1 } else { -1 };
            trace.nodes[node as usize].value = Some(sign * value);
        }
        value
    }

    /// The key of the position after a move that will be searched soon.
    #[inline]
    fn expect(&self, tree: &impl Tree, point: Point) -> u64 {
        let key = self.key(tree.key_after(point), !tree.is_maximizing());
        self.table.expect(key);
        self.paths.expect(key);
        key
    }

    #[inline]
    fn leaf(&mut self, tree: &mut impl Tree, point: Point, control: &mut Control<'_>) -> i64 {
        if !self.switches.cache {
            control.evaluation();
            return tree.value_after(point);
        }
        let key = self.key(tree.key_after(point), !tree.is_maximizing());
        if let Some(value) = self.cache.get(key) {
            return *value;
        }
        control.evaluation();
        let value = tree.value_after(point);
        self.cache.put(key, value);
        value
    }

    fn enter(&mut self, tree: &impl Tree, point: Point, ask: &Ask) -> Option<u32> {
        let is_mine = tree.is_maximizing();
        let node = TraceNode {
            parent: ask.node,
            point: Some(point),
            is_maximizing: !is_mine,
            window: Some(if is_mine { (ask.alpha, ask.beta) } else { (-ask.beta, -ask.alpha) }),
            value: None,
            n_cut: 0,
        };
        self.trace.as_mut()?.enter(node)
    }

    fn known(&self, key: u64, ask: &Ask) -> Option<i64> {
        let settle = |stored: Stored| {
            let stored = Stored { value: from_store(stored.value, ask.ply), ..stored };
            stored.settles(ask.depth, ask.alpha, ask.beta)
        };
        if self.switches.table
            && let Some(value) = self.table.get(key).and_then(settle)
        {
            return Some(value);
        }
        self.database.as_ref()?.get(key, ask.depth).and_then(settle)
    }

    /// Puts a remembered best move first, if it is a candidate, and says where it was.
    fn arrange(&self, key: u64, moves: &mut MoveList) -> Option<usize> {
        let place = self.remembered(key).and_then(|best| moves.promote(best));
        if let (Some(place), BestPath::Exclude) = (place, self.switches.best_path) {
            moves.truncate(place + 1);
        }
        place
    }

    /// The best move of an earlier search, if such moves are used.
    fn remembered(&self, key: u64) -> Option<Point> {
        if self.uses_paths() { self.paths.get(key) } else { None }
    }

    fn uses_paths(&self) -> bool {
        self.switches.best_path != BestPath::Off || self.switches.shallow
    }

    fn remember(
        &mut self,
        key: u64,
        (depth, ply): (u32, u32),
        value: i64,
        bound: Bound,
        best: Option<Point>,
    ) {
        if self.uses_paths()
            && bound != Bound::AtMost
            && let Some(best) = best
        {
            self.paths.put(key, best);
        }
        if self.switches.table || self.database.is_some() {
            let stored = Stored { value: to_store(value, ply), depth, bound, best };
            if self.switches.table {
                self.table.put(key, &stored);
            }
            if let Some(database) = &mut self.database {
                database.put(key, stored);
            }
        }
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
        if self.plies.len() < 2 {
            self.plies.resize(2, Ply::default());
        }
        self.trace = order.trace.then(Trace::default);
        let root = self.trace.as_mut().and_then(|trace| {
            trace.enter(TraceNode {
                parent: None,
                point: None,
                is_maximizing: true,
                window: Some((-INFINITE, INFINITE)),
                value: None,
                n_cut: 0,
            })
        });
        self.plies[0].steady.clear();
        let mut done: Vec<RootMove> = Vec::new();
        let mut best_values: Vec<i64> = Vec::new();
        for &point in moves {
            let before = control.counters.nodes;
            let alpha = if best_values.len() < order.multi_pv {
                -INFINITE
            } else {
                best_values[order.multi_pv - 1]
            };
            let ask = Ask { depth, alpha, beta: INFINITE, ply: 0, node: root, hint: None };
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
        if let (Some(trace), Some(root)) = (&mut self.trace, root) {
            trace.nodes[root as usize].value = best_values.first().copied();
        }
        let is_whole = order.is_whole && !control.stopped();
        if let (true, Some(best)) = (is_whole, best_values.first()) {
            let point = done.iter().find(|m| m.value == Some(*best)).map(|m| m.point);
            let key = self.key(play.key(), true);
            self.remember(key, (depth, 0), *best, Bound::Exact, point);
        }
        done
    }
}

impl Search for AlphaBeta {
    fn forget(&mut self, _seed: u64) {
        self.table.forget();
        self.cache.forget();
        self.paths.forget();
        self.plies.clear();
        if let Some(database) = &mut self.database {
            database.save();
        }
    }

    fn search(&mut self, play: &mut Play, order: &Order, control: &mut Control<'_>) -> Found {
        let kind = (play.state.rule() as u64) << 8 | u64::from(play.state.size());
        self.salt = zobrist::split_mix(kind);
        self.history = History::default();
        let deepening = self.switches.deepening || self.switches.shallow || order.may_stop;
        let key = self.key(play.key(), true);
        let mut moves = MoveList::default();
        moves.clear();
        order.moves.iter().for_each(|&point| moves.push(point));
        if let Some(database) = &mut self.database {
            // Paths of earlier searches end where the database answered, so the order of the root,
            // which decides between equals, is left to the candidates and to this search.
            database.ask(!control.is_counted());
        } else {
            self.arrange(key, &mut moves);
        }
        let mut moves = moves.to_vec();
        let shallow = self.switches.shallow;
        let by_two = self.switches.swift && !order.may_stop;
        let stride = deepening.then_some(if by_two { 2 } else { 1 });
        let mut found = deepen(play, order, stride, control, |play, depth, control| {
            let done = self.iterate(play, &moves, order, depth, control);
            if !control.stopped() {
                if shallow {
                    moves = sorted(done.clone()).into_iter().map(|m| m.point).collect();
                } else if self.database.is_none()
                    && let Some(best) = self.remembered(key)
                {
                    put_in_front(&mut moves, best);
                } else if self.uses_paths()
                    && let Some(best) = sorted(done.clone()).first()
                {
                    put_in_front(&mut moves, best.point);
                }
            }
            done
        });
        found.trace = self.trace.take();
        found
    }
}

fn put_in_front(moves: &mut [Point], best: Point) {
    if let Some(at) = moves.iter().position(|&point| point == best) {
        moves[..=at].rotate_right(1);
    }
}

/// Wins are stored as so many plies from the position itself.
fn to_store(value: i64, ply: u32) -> i64 {
    match value {
        _ if !is_decisive(value) => value,
        _ if value > 0 => value + i64::from(ply),
        _ => value - i64::from(ply),
    }
}

fn from_store(value: i64, ply: u32) -> i64 {
    match value {
        _ if !is_decisive(value) => value,
        _ if value > 0 => value - i64::from(ply),
        _ => value + i64::from(ply),
    }
}
