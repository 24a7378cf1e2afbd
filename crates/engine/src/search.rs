//! The search: one function that looks at a position and, through itself, at what follows.
//!
//! A node is a position reached in search. On the principal variation (PV) the exact value is
//! wanted; everywhere else a scout asks only whether the value reaches beta. Where that is expected
//! the node is a *cut node*: its first good move should end it.
//!
//! Gomoku makes much of this sharper than chess does. A four has one answer, so forcing lines are
//! followed to their end almost for free. An extra stone does not hurt, so a position that stands
//! above beta stays there, and the static tests are safe. And the sets of threats that the field
//! keeps answer most tactical questions without search.
//!
//! A number after a step's title is what the step was worth in Elo at 5,000 nodes a move, with the
//! wider margins of before; intervals are in `docs/experiments/engine-ablations.md`. Steps without
//! one cannot be left out, or came later.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use gomoku::{Color, Field, Point, PointSet, Rules, Threat, zobrist};
use net::threat_mask;
use player::{Counters, Watch};

use crate::{
    PLY,
    eval::Weights,
    history::{Before, Histories},
    judge::Judge,
    moves::{self, Danger, Neighborhood},
    node::{NodeType, Pv, Scout},
    params::{Params, Step},
    picker::{Move, Picker},
    root::RootMove,
    stack::{Frame, MAX_PLY},
    table::{Bound, Entry, Table},
    time::Budget,
    value::Value,
};

/// The search has been stopped from outside or has used up its limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopped;

/// What all threads of a search share.
pub(crate) struct Shared<'a> {
    pub(crate) table: &'a Table,
    pub(crate) watch: &'a dyn Watch,
    pub(crate) budget: Budget,
    pub(crate) stop: AtomicBool,
    /// Nodes of the helper threads.
    pub(crate) helper_nodes: AtomicU64,
    /// The deepest iteration that any thread has completed.
    pub(crate) done: AtomicI32,
    /// The best move of that iteration.
    pub(crate) leader: Mutex<Option<RootMove>>,
}

impl<'a> Shared<'a> {
    /// The beginning of a search.
    pub(crate) fn new(table: &'a Table, watch: &'a dyn Watch, budget: Budget) -> Shared<'a> {
        Shared {
            table,
            watch,
            budget,
            stop: AtomicBool::new(false),
            helper_nodes: AtomicU64::new(0),
            done: AtomicI32::new(-1),
            leader: Mutex::new(None),
        }
    }
}

/// Everything one searching thread owns.
pub(crate) struct Worker<'a, R: Rules> {
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) params: &'a Params,
    pub(crate) judge: Judge<'a>,
    /// What puts fours in order.
    pub(crate) weights: &'a Weights,
    pub(crate) near: &'a Neighborhood,
    pub(crate) field: Field<R>,
    pub(crate) histories: &'a mut Histories,
    pub(crate) stack: Vec<Frame>,
    /// The moves of all open nodes, one after the other.
    pub(crate) moves: Vec<Move>,
    pub(crate) root_moves: Vec<RootMove>,
    /// Root moves before this one are better and already known.
    pub(crate) pv_index: usize,
    pub(crate) root_depth: i32,
    pub(crate) n_empty: usize,
    pub(crate) counters: Counters,
    pub(crate) ply_max: usize,
    /// When to look at the limits and the stop flag next, in nodes.
    pub(crate) next_poll: u64,
    /// Lines that are told of, once there are any.
    pub(crate) n_told: usize,
    /// When to tell of the cost and the lines again, although no iteration is complete.
    pub(crate) next_news: Duration,
    pub(crate) is_helper: bool,
    /// Levels below the best see evaluations that are off by up to this much.
    pub(crate) eval_noise: u32,
    pub(crate) seed: u64,
}

/// Nodes between two looks at the outside: a millisecond or two.
const POLL_INTERVAL: u64 = 512;
/// Time between two reports within a long iteration.
const NEWS_INTERVAL: Duration = Duration::from_millis(100);
/// Depth of forced-win searches in the table.
const VCF_DEPTH: i32 = 0;
/// No more fours in a row are looked at.
const MOST_FOURS: usize = 12;
/// Tried moves that are remembered to be blamed when a later one cuts off.
const TRIED_MAX: usize = 32;

impl<R: Rules> Worker<'_, R> {
    /// The value of the position the field stands on, seen from the side to move.
    #[allow(clippy::too_many_lines, reason = "the order of the steps is their meaning")]
    pub(crate) fn node<N: NodeType>(
        &mut self,
        mut alpha: Value,
        mut beta: Value,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Result<Value, Stopped> {
        debug_assert!(alpha < beta && (N::PV || beta - alpha == 1));
        debug_assert!(!(N::PV && cut_node));

        // Step 1. Out of depth: fours only.
        if depth <= 0 {
            return self.fours::<N>(alpha, beta, ply);
        }

        // Step 2. Limits, draw, and lines without end.
        self.poll()?;
        self.ply_max = self.ply_max.max(ply);
        if N::PV {
            self.stack[ply].line.clear();
        }
        if self.n_empty == 0 {
            return Ok(Value::DRAW);
        }
        if ply + 2 >= MAX_PLY {
            return Ok(self.evaluate(ply));
        }
        let us = self.field.to_move();
        let excluded = self.stack[ply].excluded;

        if !N::ROOT {
            // Step 3. Static win check: most ends of games are visible in the sets of threats.
            if let Some(value) = self.decided(ply) {
                return Ok(value);
            }
            if let Some(value) = self.four_three(ply) {
                return Ok(value);
            }

            // Step 4. Mate distance: no line from here can be better than what is known already.
            alpha = alpha.max(Value::loss_at(ply + 2));
            beta = beta.min(Value::win_at(ply + 3));
            if alpha >= beta {
                return Ok(alpha);
            }
        }
        let danger = moves::danger(&self.field);

        // Step 5. What the table knows.
        let key = self.field.key();
        let entry = if excluded.is_none() { self.shared.table.probe(key) } else { None };
        let table_value = entry.map(|entry| entry.value.of_table(ply));
        let table_move = match (N::ROOT, entry) {
            (true, _) => Some(self.root_moves[self.pv_index].point),
            (false, entry) => entry.and_then(|entry| entry.point),
        };
        let was_pv = N::PV || entry.is_some_and(|entry| entry.is_pv);
        if let (false, Some(entry), Some(value)) = (N::PV, entry, table_value)
            && entry.depth >= depth
            && entry.bound.settles(value, beta)
        {
            if let Some(point) = entry.point.filter(|_| value >= beta) {
                let before = [self.field.last_move(0), self.field.last_move(1)];
                let made = (point, self.field.threat(us, point));
                let bonus = self.params.history_bonus(depth) / 2;
                self.histories.update(us, before, made, bonus);
            }
            return Ok(value);
        }

        // Step 6. Static evaluation. Under a five it means nothing: take the parent's.
        let mut raw_eval = None;
        let eval = match danger {
            _ if excluded.is_some() => self.stack[ply].eval,
            Danger::Five if ply > 0 => -self.stack[ply - 1].eval,
            _ => {
                let raw = entry.and_then(|entry| entry.eval);
                let raw = raw.unwrap_or_else(|| self.evaluate(ply));
                raw_eval = Some(raw);
                self.corrected(raw)
            }
        };
        self.stack[ply].eval = eval;
        let improving = ply >= 2 && eval > self.stack[ply - 2].eval;
        // The table's value is a better evaluation where it bounds the right side.
        let judged = match (entry, table_value) {
            (Some(entry), Some(value)) if entry.bound.settles(value, eval) => value,
            _ => eval,
        };

        let quiet_scout = !N::PV && excluded.is_none() && danger == Danger::None;

        // Step 7. Razoring: so far below alpha only a win by fours helps. (~5)
        if quiet_scout
            && self.params.has(Step::Razoring)
            && depth <= 3 * PLY
            && eval + self.params.razor_margin(depth) <= alpha
        {
            return self.fours::<Scout>(alpha, alpha + 1, ply);
        }

        // Step 8. Futility: so far above beta the opponent will not come back in time. (~7)
        if !N::PV
            && excluded.is_none()
            && danger != Danger::Five
            && self.params.has(Step::Futility)
            && judged - self.params.futility_margin(depth, improving) >= beta
            && !judged.is_decisive()
            && !beta.is_loss()
        {
            return Ok(judged);
        }

        // Step 9. Null move: if a free move does not help the opponent, this is good. (~-2)
        if quiet_scout
            && cut_node
            && self.params.has(Step::NullMove)
            && depth >= 8 * PLY
            && judged - self.params.null_margin >= beta
            && !beta.is_decisive()
            && self.field.last_move(0).is_some()
        {
            let reduced = depth - (4 * PLY + depth / 4);
            self.pass(ply);
            let value = -self.node::<Scout>(-beta, -beta + 1, reduced, ply + 1, false)?;
            self.field.undo();
            if value >= beta {
                return Ok(if value.is_win() { beta } else { value });
            }
        }

        // Step 10. Internal reduction: on the principal variation, less where the table has no move,
        // or one that was found long ago. (~-10)
        if self.params.has(Step::InternalReduction) && danger != Danger::Five {
            if N::PV && table_move.is_none() && depth >= PLY {
                depth -= self.params.internal_pv;
            }
            if let (true, Some(entry), true) = (N::PV && !N::ROOT, entry, table_move.is_some()) {
                let age = (depth - entry.depth).max(0) * self.params.old_entry / 64;
                depth = (depth - age.min(self.params.old_entry_max)).max(PLY.min(depth));
            }
        }

        // Step 11. A cut node far above beta is easy to confirm: its quiet moves are searched less
        // deeply, and a second four in a row more. (~19)
        let fails_high = quiet_scout
            && cut_node
            && self.params.has(Step::FailHighReduction)
            && judged - self.params.fail_high_margin - self.params.fail_high_slope * depth / PLY
                >= beta;

        // Step 12. The moves.
        self.stack[ply + 1].killers = [None; 2];
        let mut picker =
            if N::ROOT { Picker::of_root(self) } else { Picker::new(self, table_move, danger) };
        let before = picker.before();
        let counter = self.histories.counter(us, before);
        let original_alpha = alpha;
        let mut best = -Value::INFINITE;
        let mut best_point = None;
        let mut best_policy = i32::MIN;
        let mut n_moves = 0;
        let mut tried = [(Point::new(0, 0), Threat::None); TRIED_MAX];

        while let Some(Move { point, policy, .. }) = picker.next(self, ply) {
            if Some(point) == excluded {
                continue;
            }
            n_moves += 1;
            best_policy = best_policy.max(policy);
            let threat = self.field.threat(us, point);
            let makes_four = moves::is_four(threat);
            let nodes_before = self.counters.nodes;

            // Step 13. Late move pruning: deep in the list only fours are worth a look, and near the
            // leaves no point where nobody makes anything. (~205)
            if !N::ROOT
                && !best.is_loss()
                && best > -Value::INFINITE
                && danger != Danger::Five
                && self.params.has(Step::LateMovePruning)
            {
                if n_moves > self.params.late_move_count(depth, improving) {
                    picker.skip_quiet(self);
                    if !makes_four {
                        continue;
                    }
                }
                if depth < self.params.trivial_depth
                    && threat == Threat::None
                    && self.field.threat(!us, point) == Threat::None
                {
                    continue;
                }
            }

            // Step 14. Extensions. (~24 forced reply, ~-3 singular)
            let mut extension = 0;
            if danger == Danger::Five && self.params.has(Step::ForcedExtension) {
                // The only reply costs nothing.
                extension = self.params.forced_extension;
            } else if !N::ROOT
                && self.params.has(Step::Singular)
                && depth >= self.params.singular_depth
                && excluded.is_none()
                && let (Some(entry), Some(value)) = (entry, table_value)
                && entry.point == Some(point)
                && entry.bound.is_lower()
                && entry.depth >= depth - self.params.singular_age
                && !value.is_decisive()
                && self.stack[ply].extended < 8 * PLY
            {
                // Is the table's move the only one that holds? Ask without it.
                let former = if was_pv && !N::PV { self.params.singular_pv } else { 0 };
                let target = value - (self.params.singular_slope + former) * depth / (16 * PLY);
                self.stack[ply].excluded = Some(point);
                let half = (depth - PLY) / 2;
                let without = self.node::<Scout>(target - 1, target, half, ply, cut_node);
                self.stack[ply].excluded = None;
                let without = without?;
                if without < target {
                    extension = PLY;
                    if !N::PV && without < target - self.params.singular_double {
                        extension = 2 * PLY;
                    }
                } else if target >= beta && !target.is_decisive() {
                    // Two moves hold: one of them will be enough.
                    picker.finish(self);
                    return Ok(target);
                } else if value >= beta {
                    extension = -self.params.singular_negative;
                }
            } else if !N::ROOT && table_move == Some(point) {
                extension = if N::PV {
                    self.params.table_extension_pv
                } else {
                    self.params.table_extension
                };
            }
            if fails_high {
                if !makes_four {
                    extension -= PLY;
                } else if ply >= 2 && moves::is_four(self.stack[ply - 2].threat) {
                    extension += PLY;
                }
            }

            // Step 15. Play it.
            self.stack[ply].point = Some(point);
            self.stack[ply].threat = threat;
            self.stack[ply + 1].extended = self.stack[ply].extended + extension.max(0);
            self.place(ply, point);
            let mut full = depth - PLY + extension;

            // Step 16. Late move reduction: look at unlikely moves less deeply first. (~111)
            let mut value = -Value::INFINITE;
            let mut is_open = true;
            if self.params.has(Step::LateMoveReduction)
                && depth >= 2 * PLY
                && n_moves > 1 + usize::from(N::ROOT)
                && danger != Danger::Five
            {
                let mut reduction = self.params.late_move_reduction(depth, n_moves);
                if was_pv {
                    reduction -= self.params.lmr_pv;
                }
                if cut_node {
                    reduction += self.params.lmr_cut;
                }
                if improving {
                    reduction -= self.params.lmr_improving;
                }
                if threat >= Threat::OpenThree {
                    reduction -= self.params.lmr_attack;
                }
                if self.stack[ply].killers.contains(&Some(point)) || counter == Some(point) {
                    reduction -= self.params.lmr_killer;
                }
                if self.params.has(Step::Policy) {
                    reduction += (best_policy - policy).clamp(0, 200) * self.params.lmr_policy;
                }
                let history = self.histories.main(us, point, threat)
                    + self.histories.continuation(us, before, point);
                reduction -= history / self.params.lmr_history;
                let deepest = full + self.params.lmr_deeper;
                let reduced = (full - reduction * PLY / 1024).clamp(PLY.min(full), deepest);
                if reduced != full {
                    // If it is better than expected, the full search goes deeper, or stays shallow.
                    value = -self.node::<Scout>(-alpha - 1, -alpha, reduced, ply + 1, true)?;
                    is_open = value > alpha && reduced < full;
                    if is_open {
                        let saved = (full - reduced) / PLY;
                        let deeper =
                            self.params.research_margin + self.params.research_slope * saved;
                        if value > alpha + deeper && self.stack[ply].extended < 8 * PLY {
                            full += PLY;
                            self.stack[ply + 1].extended += PLY;
                        }
                        if value < best + full / PLY {
                            full -= self.params.research_shallow;
                        }
                        is_open = reduced < full;
                    }
                }
            }

            // Step 17. Full depth, with a scout's window.
            if is_open && (!N::PV || n_moves > 1) {
                value = -self.node::<Scout>(-alpha - 1, -alpha, full, ply + 1, !cut_node)?;
            }

            // Step 18. The first move of the variation, or a better one, with the open window.
            if N::PV && (n_moves == 1 || value > alpha) {
                value = -self.node::<Pv>(-beta, -alpha, full, ply + 1, false)?;
            }
            self.undo();

            // Step 19. Is it the best so far?
            if N::ROOT {
                self.note_root_move(point, value, alpha, n_moves, nodes_before);
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_point = Some(point);
                    if N::PV {
                        let (head, tail) = self.stack.split_at_mut(ply + 1);
                        head[ply].line.set(point, &tail[0].line);
                    }
                    if value >= beta {
                        self.counters.cutoffs += 1;
                        break;
                    }
                    alpha = value;
                    // A move that improves on it must do so clearly, at middle depths.
                    if depth > 2 * PLY && depth < 12 * PLY && !value.is_decisive() {
                        depth -= self.params.alpha_reduction;
                    }
                }
            }
            if n_moves <= TRIED_MAX {
                tried[n_moves - 1] = (point, threat);
            }
        }
        picker.finish(self);

        // Step 20. No move: the threat cannot be met, or everything is forbidden.
        if n_moves == 0 {
            return Ok(match danger {
                _ if excluded.is_some() => alpha,
                Danger::Five => Value::loss_at(ply + 2),
                Danger::OpenFour => Value::loss_at(ply + 4),
                Danger::None => Value::loss_at(ply + 1),
            });
        }

        // Step 21. Learn from a cutoff.
        if best >= beta
            && danger != Danger::Five
            && let Some(point) = best_point
        {
            self.learn(ply, before, (point, depth), &tried[..(n_moves - 1).min(TRIED_MAX)]);
        }

        // Step 22. Learn how far the evaluation was off.
        if excluded.is_none()
            && danger == Danger::None
            && !best.is_decisive()
            && !(best >= beta && best <= eval)
            && !(best_point.is_none() && best >= eval)
        {
            self.correct(depth, best - eval);
        }

        // Step 23. Remember it.
        if excluded.is_none() && !(N::ROOT && self.pv_index > 0) {
            let bound = match best {
                best if best >= beta => Bound::Lower,
                best if N::PV && best > original_alpha => Bound::Exact,
                _ => Bound::Upper,
            };
            let entry = Entry {
                point: best_point,
                value: best.to_table(ply),
                eval: raw_eval,
                depth,
                bound,
                is_pv: was_pv,
            };
            self.shared.table.store(key, entry);
        }
        debug_assert!(best > -Value::INFINITE && best < Value::INFINITE);
        Ok(best)
    }

    /// Quiescence: the evaluation, unless the side to move wins by fours alone.
    ///
    /// Fours that do not win change nothing: to believe the evaluation after them would reward
    /// whoever has fours left to throw in.
    fn fours<N: NodeType>(
        &mut self,
        alpha: Value,
        beta: Value,
        ply: usize,
    ) -> Result<Value, Stopped> {
        // Step 1. Limits, draw, win check: as in the main search.
        self.poll()?;
        self.ply_max = self.ply_max.max(ply);
        if N::PV {
            self.stack[ply].line.clear();
        }
        if self.n_empty == 0 {
            return Ok(Value::DRAW);
        }
        if ply + 3 >= MAX_PLY {
            return Ok(self.evaluate(ply));
        }
        if let Some(value) = self.decided(ply) {
            return Ok(value);
        }

        // Without a four there is nothing to look for.
        let us = self.field.to_move();
        let danger = moves::danger(&self.field);
        let is_worth_a_look = danger == Danger::Five && self.field.has_at_least(us, Threat::Four)
            || self.field.has_at_least(us, Threat::FourPlus);
        if !is_worth_a_look || !self.params.has(Step::ForcedWins) {
            let eval = match danger {
                Danger::Five => -self.stack[ply - 1].eval,
                _ => self.evaluate(ply),
            };
            self.stack[ply].eval = eval;
            return Ok(eval);
        }

        // Step 2. The table: any entry is deep enough.
        let key = self.field.key();
        let entry = self.shared.table.probe(key);
        let table_value = entry.map(|entry| entry.value.of_table(ply));
        if let (false, Some(entry), Some(value)) = (N::PV, entry, table_value)
            && entry.bound.settles(value, beta)
        {
            return Ok(value);
        }

        // Step 3. Good enough without a win?
        let eval = match danger {
            Danger::Five => -self.stack[ply - 1].eval,
            _ => entry.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluate(ply)),
        };
        self.stack[ply].eval = eval;
        if eval >= beta {
            return Ok(eval);
        }

        // Step 4. Look for the win and remember it.
        let (value, bound) = match self.forced_win(ply, 0)? {
            Some(win) => (win, Bound::Lower),
            None if N::PV && eval > alpha => (eval, Bound::Exact),
            None => (eval, Bound::Upper),
        };
        let entry = Entry {
            point: self.stack[ply].point.filter(|_| value.is_win()),
            value: value.to_table(ply),
            eval: (danger != Danger::Five).then_some(eval),
            depth: VCF_DEPTH,
            bound,
            is_pv: N::PV,
        };
        self.shared.table.store(key, entry);
        Ok(value)
    }

    /// A win of the side to move by fours, each of which has (but for caro) one answer.
    fn forced_win(&mut self, ply: usize, n_fours: usize) -> Result<Option<Value>, Stopped> {
        // Step 1. The fours. Against a five only the four that stops it counts.
        let us = self.field.to_move();
        let mut points = self.field.points_at_least(us, Threat::Four);
        if self.field.has(!us, Threat::Five) {
            points &= moves::five_stops(&self.field);
        } else {
            // A four that makes nothing else leads nowhere; one far from the last own stone was
            // there before it, and would have been found then.
            let near = self.field.last_move(1).map(|last| self.near.of(last));
            points = self.field.points_at_least(us, Threat::FourPlus);
            points &= near.unwrap_or(PointSet::EMPTY);
        }
        if points.is_empty() || n_fours >= MOST_FOURS || ply + 4 >= MAX_PLY {
            return Ok(None);
        }

        // Step 2. The most promising first.
        let start = self.moves.len();
        for point in points {
            let policy = self.weights.policy(&self.field, point);
            self.moves.push(Move::new(point, policy));
        }
        let end = self.moves.len();
        let mut won = None;
        for next in start..end {
            let rest = &mut self.moves[next..end];
            let first = (1..rest.len())
                .fold(0, |best, i| if rest[i].policy > rest[best].policy { i } else { best });
            rest.swap(0, first);
            let point = rest[0].point;
            if !self.is_allowed(point) {
                continue;
            }
            self.place_four(point);
            let lost = self.no_answer(ply + 1, n_fours)?;
            self.undo_four();
            if let Some(value) = lost {
                self.stack[ply].point = Some(point);
                let (head, tail) = self.stack.split_at_mut(ply + 1);
                head[ply].line.set(point, &tail[0].line);
                won = Some(-value);
                break;
            }
        }
        self.moves.truncate(start);
        Ok(won)
    }

    /// The side to move has to answer a four: how late it loses, if it does whatever it plays.
    fn no_answer(&mut self, ply: usize, n_fours: usize) -> Result<Option<Value>, Stopped> {
        self.poll()?;
        self.stack[ply].line.clear();
        if let Some(value) = self.decided(ply) {
            return Ok(Some(value).filter(|value| value.is_loss()));
        }
        let stops = moves::five_stops(&self.field);
        // In caro a four may have several answers; the more there are, the sooner it is enough.
        let n_fours = n_fours + stops.len();
        let mut latest = Value::loss_at(ply + 2);
        for point in stops {
            if !self.is_allowed(point) {
                continue;
            }
            self.place_four(point);
            let won = self.attack_again(ply + 1, n_fours)?;
            self.undo_four();
            let Some(value) = won else { return Ok(None) };
            if -value >= latest {
                latest = -value;
                let (head, tail) = self.stack.split_at_mut(ply + 1);
                head[ply].line.set(point, &tail[0].line);
            }
        }
        Ok(Some(latest))
    }

    /// Between two fours: what the threats or the table say, else the next four.
    fn attack_again(&mut self, ply: usize, n_fours: usize) -> Result<Option<Value>, Stopped> {
        self.stack[ply].line.clear();
        if self.n_empty == 0 {
            return Ok(None);
        }
        if let Some(value) = self.decided(ply) {
            return Ok(Some(value).filter(|value| value.is_win()));
        }
        let key = self.field.key();
        let entry = self.shared.table.probe(key);
        if let Some(entry) = entry {
            let value = entry.value.of_table(ply);
            if value.is_win() && entry.bound.is_lower() {
                return Ok(Some(value));
            }
            if !value.is_win() && entry.bound.is_upper() {
                return Ok(None);
            }
        }
        let won = self.forced_win(ply, n_fours)?;
        if let Some(value) = won {
            let entry = Entry {
                point: self.stack[ply].point,
                value: value.to_table(ply),
                eval: None,
                depth: VCF_DEPTH,
                bound: Bound::Lower,
                is_pv: false,
            };
            self.shared.table.store(key, entry);
        }
        Ok(won)
    }

    /// Who wins, if the threats on the board say so.
    ///
    /// The claims: five now; two fives to stop; an open four when the opponent has no five; a four
    /// with an open three, or two open threes, when the opponent cannot even make a four. Black in
    /// renju may find the follow-up forbidden, so for Black the last two are left to the search.
    pub(crate) fn decided(&self, ply: usize) -> Option<Value> {
        let field = &self.field;
        let (us, them) = (field.to_move(), !field.to_move());
        // Below the root a five is seen before it is played.
        if ply == 1 && self.stack[0].threat == Threat::Five {
            return Some(Value::loss_at(ply));
        }
        if field.has(us, Threat::Five) {
            return Some(Value::win_at(ply + 1));
        }
        if field.has(them, Threat::Five) {
            let stops = moves::five_stops(field);
            let is_lost = stops.is_empty() || !stops.iter().any(|point| self.is_allowed(point));
            return is_lost.then(|| Value::loss_at(ply + 2));
        }
        if field.has(us, Threat::OpenFour) {
            return Some(Value::win_at(ply + 3));
        }
        let is_restricted = R::HAS_FORBIDDEN && us == Color::Black;
        let wins_by_more = field.has(us, Threat::FourThree) || field.has(us, Threat::DoubleThree);
        if wins_by_more && !is_restricted && !field.has_at_least(them, Threat::Four) {
            return Some(Value::win_at(ply + 5));
        }
        None
    }

    /// A four with an open three wins also if the opponent could make fours, as long as the answer
    /// to the four is not one of them.
    fn four_three(&mut self, ply: usize) -> Option<Value> {
        let (us, them) = (self.field.to_move(), !self.field.to_move());
        let is_restricted = R::HAS_FORBIDDEN && us == Color::Black;
        if is_restricted
            || !self.field.has(us, Threat::FourThree)
            || self.field.has(them, Threat::Five)
        {
            return None;
        }
        let points = *self.field.points(us, Threat::FourThree);
        for point in points {
            self.field.place(point);
            let stops = moves::five_stops(&self.field);
            let is_met = stops.iter().any(|stop| self.field.threat(them, stop) >= Threat::Four);
            self.field.undo();
            if !is_met {
                return Some(Value::win_at(ply + 5));
            }
        }
        None
    }

    /// The static evaluation of the node.
    pub(crate) fn evaluate(&mut self, ply: usize) -> Value {
        self.counters.evaluations += 1;
        let (before, here) = self.stack.split_at_mut(ply);
        let before = before.last().map(|frame| &frame.kept);
        let value = self.judge.evaluate(&self.field, before, &mut here[0].kept);
        if self.eval_noise == 0 {
            return value;
        }
        let random = zobrist::split_mix(self.field.key() ^ self.seed);
        let noise = random % u64::from(2 * self.eval_noise + 1);
        Value::eval(value.get() + noise as i32 - self.eval_noise as i32)
    }

    /// The evaluation, moved by how far it was off where the same threats were on the board or the
    /// same stone was the last.
    fn corrected(&self, raw: Value) -> Value {
        if !self.params.has(Step::CorrectionHistory) {
            return raw;
        }
        let (us, last) = (self.field.to_move(), self.field.last_move(0));
        let correction = self.histories.correction(us, threat_mask(&self.field), last);
        Value::eval(raw.get() + correction * self.params.correction_weight / 1024)
    }

    /// Learns the difference between a search and the evaluation.
    fn correct(&mut self, depth: i32, difference: i32) {
        let (us, last) = (self.field.to_move(), self.field.last_move(0));
        let bonus = (difference * depth / PLY / 4).clamp(-256, 256);
        self.histories.correct(us, threat_mask(&self.field), last, bonus);
    }

    /// Places a stone and brings the next frame up to date.
    #[inline]
    pub(crate) fn place(&mut self, ply: usize, point: Point) {
        self.counters.nodes += 1;
        self.n_empty -= 1;
        let stone = zobrist::stone(point, self.field.to_move());
        self.shared.table.prefetch(self.field.key() ^ stone ^ zobrist::WHITE_TO_MOVE);
        let (before, here, next) = around(&mut self.stack, ply);
        next.near = here.near | self.near.of(point);
        let kept = (&mut here.kept, &mut next.kept);
        self.judge.place(&mut self.field, point, before.map(|frame| &frame.kept), kept);
    }

    /// Takes the last stone off again; the frames below it are left as they are.
    #[inline]
    pub(crate) fn undo(&mut self) {
        self.n_empty += 1;
        self.judge.undo();
        self.field.undo();
    }

    /// Places a stone below which nothing is evaluated.
    #[inline]
    fn place_four(&mut self, point: Point) {
        self.counters.nodes += 1;
        self.n_empty -= 1;
        self.field.place(point);
    }

    /// Takes such a stone off again.
    #[inline]
    fn undo_four(&mut self) {
        self.n_empty += 1;
        self.field.undo();
    }

    /// Hands the move over.
    fn pass(&mut self, ply: usize) {
        let (before, here, next) = around(&mut self.stack, ply);
        here.point = None;
        here.threat = Threat::None;
        next.near = here.near;
        next.extended = here.extended;
        let kept = (&mut here.kept, &mut next.kept);
        self.judge.pass(before.map(|frame| &frame.kept), kept);
        self.field.pass();
    }

    /// Credits the move that cut off and blames those tried before it.
    fn learn(
        &mut self,
        ply: usize,
        before: Before,
        (point, depth): (Point, i32),
        tried: &[(Point, Threat)],
    ) {
        let us = self.field.to_move();
        let bonus = self.params.history_bonus(depth);
        let threat = self.field.threat(us, point);
        self.histories.update(us, before, (point, threat), bonus);
        for &blamed in tried.iter().filter(|(tried, _)| *tried != point) {
            self.histories.update(us, before, blamed, -bonus);
        }
        self.histories.set_counter(us, before, point);
        let killers = &mut self.stack[ply].killers;
        if killers[0] != Some(point) {
            *killers = [Some(point), killers[0]];
        }
    }

    /// Looks at the limits and at the outside, now and then.
    #[inline(always)]
    fn poll(&mut self) -> Result<(), Stopped> {
        if self.counters.nodes < self.next_poll { Ok(()) } else { self.poll_now() }
    }

    #[cold]
    pub(crate) fn poll_now(&mut self) -> Result<(), Stopped> {
        let shared = self.shared;
        let budget = &shared.budget;
        if shared.stop.load(Relaxed) || shared.done.load(Relaxed) >= self.root_depth {
            return Err(Stopped);
        }
        if self.is_helper {
            shared.helper_nodes.fetch_add(POLL_INTERVAL, Relaxed);
            self.next_poll = self.counters.nodes + POLL_INTERVAL;
            return Ok(());
        }
        let nodes = self.counters.nodes + shared.helper_nodes.load(Relaxed);
        let is_over = budget.nodes.is_some_and(|limit| nodes >= limit)
            || budget.evaluations.is_some_and(|limit| self.counters.evaluations >= limit)
            || shared.watch.stopped()
            || budget.hard.is_some_and(|limit| shared.watch.elapsed() >= limit);
        if is_over {
            shared.stop.store(true, Relaxed);
            return Err(Stopped);
        }
        let interval = if budget.evaluations.is_some() { 1 } else { POLL_INTERVAL };
        let is_coarse = interval > 1; // else the clock would be read at every node
        let elapsed = if is_coarse { shared.watch.elapsed() } else { Duration::ZERO };
        if self.n_told > 0 && elapsed > self.next_news {
            self.next_news = elapsed + NEWS_INTERVAL;
            self.report(None);
        }
        let left = budget.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(nodes).max(1));
        self.next_poll = self.counters.nodes + interval.min(left);
        Ok(())
    }
}

/// The frame before a node, its own, and the next.
#[inline(always)]
fn around(stack: &mut [Frame], ply: usize) -> (Option<&Frame>, &mut Frame, &mut Frame) {
    let (before, rest) = stack.split_at_mut(ply);
    let [here, next, ..] = rest else { unreachable!("no search is deeper than the stack") };
    (before.last(), here, next)
}
