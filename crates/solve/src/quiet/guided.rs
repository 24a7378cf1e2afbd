//! Quiet moves looked for where they promise most: proof numbers, begun by a player.
//!
//! To try one move after the other ([`Prover::prove_move`]) spends most of the time below moves that a
//! good player would never make. Here each position in which nothing is forced has a proof number and a
//! disproof number. They begin with the chances that a player gives its moves, are backed up from what
//! follows, and the search always goes on where a proof looks cheapest; a reply that costs much waits
//! until the others have had their turn. As everywhere a decision counts only when each reply to it has
//! an answer: the player can mislead and delay, and no more.

use std::{
    collections::HashMap,
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use gomoku::{Field, Point, PointSet, Position, Rules, Threat, with_rule};
use player::{Limits, Score, Task, Watch};

use super::{
    Decision, Prover, canonical, liking,
    workers::{Together, lock},
};
use crate::{forcing, tree::Attack};

/// What is spent on one position at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guidance {
    /// Nodes of the player.
    pub player_nodes: u64,
    /// Moves that the player is asked for.
    pub moves: usize,
    /// Nodes for each search for a forced win.
    pub nodes: u64,
}

impl Default for Guidance {
    fn default() -> Guidance {
        Guidance { player_nodes: 6_000, moves: 3, nodes: 12_000 }
    }
}

/// How far a guided search is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GuidedProgress {
    /// Replies that have an answer.
    pub settled: usize,
    /// Replies without one, and how many quiet moves were looked into below each.
    pub open: Vec<(Point, u64)>,
    /// The line that the search would go on with, from the reply that was looked at last.
    pub hardest: Vec<Point>,
}

const INFINITE: f32 = f32::INFINITY;
/// What it costs to prove an even position, at a guess.
const EVEN: f32 = 6.0;
/// What each child besides the hardest adds: they have much in common.
const FURTHER: f32 = 0.4;
/// The unit of the player's evaluations.
const SCALE: f64 = 200.0;
/// A win after a pass is looked for with so many times the nodes.
const PASS: u64 = 3;
/// After so much work below a position the player is asked and a forced win is looked for again, with
/// so many times the nodes.
const AGAIN: [(u64, u64); 3] = [(6, 4), (40, 12), (250, 40)];
/// Quiet moves looked into below a reply before the next one has its turn; then twice as many.
const FIRST_TURN: u64 = 40;

/// A position in which the attacker is to move.
#[derive(Debug)]
struct Node {
    /// What a proof may still cost: 0 when there is one.
    pn: f32,
    /// What it may cost to see that none of the moves wins: 0 when none does.
    dn: f32,
    branches: Vec<Branch>,
    /// Quiet moves looked into below it.
    work: u64,
    /// How often it was looked at again, of [`AGAIN`].
    again: usize,
    is_wide: bool,
}

/// A quiet move, with its numbers.
#[derive(Debug)]
struct Branch {
    point: Point,
    pn: f32,
    dn: f32,
    /// The replies without an answer; `None` until it was looked into.
    replies: Option<Vec<(Point, usize)>>,
}

impl Branch {
    /// A move with this chance to win.
    fn begin(point: Point, chance: f64) -> Branch {
        let odds = (chance / (1.0 - chance)).clamp(0.01, 100.0) as f32;
        Branch { point, pn: 1.0 + EVEN / odds, dn: 1.0 + EVEN * odds, replies: None }
    }
}

/// What is seen at first sight.
enum Sight {
    Forced(Attack),
    Node(usize),
}

/// What the workers share.
struct Work {
    open: Vec<(Point, u64)>,
    /// Replies that somebody is looking at.
    taken: PointSet,
    decisions: Vec<Decision>,
    settled: usize,
}

impl Prover<'_> {
    /// Looks for the decisions that make this move of the side to move win, one thread for each prover,
    /// led by their players. Decisions are logged as they are found, and known ones are believed; with
    /// all of them [`prove_move`](Prover::prove_move) has little left to do. `false` if a reply has no
    /// answer among the moves looked into, or the watch stopped it.
    ///
    /// # Panics
    /// If there is no prover.
    pub fn find_decisions(
        provers: &mut [Self],
        position: &Position,
        point: Point,
        guidance: Guidance,
        watch: &dyn Watch,
        told: &(dyn Fn(&GuidedProgress) + Sync),
    ) -> bool {
        with_rule!(position.rule(), R => {
            let mut field = Field::<R>::from_position(position);
            field.place(point);
            Self::share_out(provers, &mut field, guidance, watch, told)
        })
    }

    fn share_out<R: Rules>(
        provers: &mut [Self],
        field: &mut Field<R>,
        guidance: Guidance,
        watch: &dyn Watch,
        told: &(dyn Fn(&GuidedProgress) + Sync),
    ) -> bool {
        let watch = Together { watch, failed: AtomicBool::new(false) };
        let mut hunts: Vec<Hunt<'_, '_>> =
            provers.iter_mut().map(|prover| Hunt::new(prover, guidance, &watch)).collect();
        let first = &mut hunts[0];
        let default = first.after_a_pass(field);
        let Some(all) = first.prover.open_replies(field, default.as_ref()) else { return false };
        let Some(mut open) = first.look_at_replies(field, all) else { return false };
        open.sort_by(|a, b| first.nodes[a.1].pn.total_cmp(&first.nodes[b.1].pn));
        open.retain(|&(_, id)| first.nodes[id].pn > 0.0);
        let settled = all.len() - open.len();
        let open: Vec<(Point, u64)> = open.into_iter().map(|(reply, _)| (reply, 0)).collect();
        told(&GuidedProgress { settled, open: open.clone(), hardest: Vec::new() });
        let decisions = std::mem::take(&mut first.prover.fresh);
        let work = Mutex::new(Work { open, taken: PointSet::EMPTY, decisions, settled });
        std::thread::scope(|scope| {
            for hunt in &mut hunts {
                let field = field.clone();
                scope.spawn(|| hunt.work(field, &work, told));
            }
        });
        !watch.stopped() && lock(&work).open.is_empty()
    }
}

/// One worker's search below a move.
struct Hunt<'h, 'a> {
    prover: &'h mut Prover<'a>,
    guidance: Guidance,
    watch: &'h Together<'h>,
    nodes: Vec<Node>,
    by_key: HashMap<u64, usize>,
    /// Quiet moves looked into, and where that has to stop.
    looked_into: u64,
    limit: u64,
}

impl<'h, 'a> Hunt<'h, 'a> {
    fn new(
        prover: &'h mut Prover<'a>,
        guidance: Guidance,
        watch: &'h Together<'h>,
    ) -> Hunt<'h, 'a> {
        let (nodes, by_key) = (Vec::new(), HashMap::new());
        Hunt { prover, guidance, watch, nodes, by_key, looked_into: 0, limit: 0 }
    }

    /// Takes one reply after the other until all have answers or one has none.
    fn work<R: Rules>(
        &mut self,
        mut field: Field<R>,
        work: &Mutex<Work>,
        told: &(dyn Fn(&GuidedProgress) + Sync),
    ) {
        let mut n_heard = 0;
        loop {
            // A statement of its own, so that the lock is not held while thinking.
            let task = self.next_task(&mut lock(work), &mut n_heard);
            let Some((reply, spent)) = task else { return };
            let before = self.looked_into;
            self.limit = before + spent.max(FIRST_TURN);
            field.place(reply);
            let id = match self.look(&mut field) {
                Sight::Forced(_) => None,
                Sight::Node(id) => {
                    self.attack(&mut field, id, INFINITE, INFINITE);
                    (self.nodes[id].pn > 0.0).then_some(id)
                }
            };
            field.undo();
            if id.is_some_and(|id| self.nodes[id].dn == 0.0) {
                self.watch.failed.store(true, Ordering::Relaxed);
            }
            if self.watch.stopped() {
                return;
            }
            let mut work = lock(work);
            work.taken.remove(reply);
            match id {
                None => {
                    work.open.retain(|one| one.0 != reply);
                    work.settled += 1;
                }
                Some(_) => {
                    let spent = self.looked_into - before;
                    let this = work.open.iter_mut().filter(|one| one.0 == reply);
                    this.for_each(|one| one.1 += spent.max(1));
                }
            }
            work.decisions.append(&mut self.prover.fresh);
            let hardest = id.map_or(Vec::new(), |id| self.hardest(reply, id));
            told(&GuidedProgress { settled: work.settled, open: work.open.clone(), hardest });
        }
    }

    /// The reply on which least was spent, with what was learned meanwhile.
    fn next_task(&mut self, work: &mut Work, n_heard: &mut usize) -> Option<(Point, u64)> {
        work.decisions[*n_heard..].iter().for_each(|decision| self.prover.remember(decision));
        *n_heard = work.decisions.len();
        let free = work.open.iter().filter(|(reply, _)| !work.taken.contains(*reply));
        let &(reply, spent) = free.min_by_key(|(_, spent)| *spent)?;
        work.taken.insert(reply);
        Some((reply, spent))
    }

    /// The line that the search would go on with.
    fn hardest(&self, reply: Point, mut id: usize) -> Vec<Point> {
        let mut line = vec![reply];
        loop {
            let alive = self.nodes[id].branches.iter().filter(|branch| branch.dn > 0.0);
            let Some(best) = alive.min_by(|a, b| a.pn.total_cmp(&b.pn)) else { return line };
            line.push(best.point);
            let replies = best.replies.iter().flatten();
            let next = replies.min_by(|a, b| self.nodes[a.1].dn.total_cmp(&self.nodes[b.1].dn));
            let Some(&(reply, child)) = next else { return line };
            line.push(reply);
            id = child;
        }
    }

    fn is_over(&self) -> bool {
        self.looked_into >= self.limit || self.watch.stopped()
    }

    /// Goes on below a position, the attacker to move, until a number reaches its limit.
    fn attack<R: Rules>(&mut self, field: &mut Field<R>, id: usize, most_pn: f32, most_dn: f32) {
        if self.prover.known.contains_key(&canonical(field).0) {
            (self.nodes[id].pn, self.nodes[id].dn) = (0.0, INFINITE);
        }
        self.take_up_examples(field, id);
        loop {
            self.look_again(field, id);
            self.back_up(id);
            let node = &self.nodes[id];
            if node.dn == 0.0 && !node.is_wide {
                self.widen(field, id);
                continue;
            }
            let is_settled = node.pn == 0.0 || node.dn == 0.0;
            if is_settled || node.pn >= most_pn || node.dn >= most_dn || self.is_over() {
                return;
            }
            let (best, second) = two_least(node.branches.iter().map(|branch| branch.pn));
            let Branch { point, dn, ref replies, .. } = node.branches[best];
            let is_new = replies.is_none();
            let limits = (most_pn.min(second * 1.25 + 1.0), most_dn - node.dn + dn);
            let before = self.looked_into;
            field.place(point);
            if is_new {
                self.look_into(field, id, best);
            } else {
                self.defend(field, (id, best), limits.0, limits.1);
            }
            field.undo();
            self.nodes[id].work += self.looked_into - before;
            if self.nodes[id].branches[best].pn == 0.0 {
                (self.nodes[id].pn, self.nodes[id].dn) = (0.0, INFINITE);
                let (text, symmetry) = canonical(field);
                if !self.prover.known.contains_key(&text) {
                    self.prover.decide(field, &text, symmetry, point);
                }
                return;
            }
        }
    }

    /// Goes on below a quiet move that was looked into.
    fn defend<R: Rules>(
        &mut self,
        field: &mut Field<R>,
        (id, branch): (usize, usize),
        most_pn: f32,
        most_dn: f32,
    ) {
        loop {
            self.back_up_branch(id, branch);
            let this = &self.nodes[id].branches[branch];
            let is_settled = this.pn == 0.0 || this.dn == 0.0;
            if is_settled || this.pn >= most_pn || this.dn >= most_dn || self.is_over() {
                return;
            }
            let replies = this.replies.as_deref().unwrap_or_default();
            let (first, second) = two_least(replies.iter().map(|&(_, child)| self.nodes[child].dn));
            let (reply, child) = replies[first];
            let others = FURTHER * (replies.len() - 1) as f32;
            field.place(reply);
            self.attack(field, child, most_pn - others, most_dn.min(second * 1.25 + 1.0));
            field.undo();
            if self.nodes[child].dn == 0.0 {
                self.prover.refute(reply);
            }
        }
    }

    /// A position is as easy to prove as its best move, and as hard to give up as its hardest one.
    fn back_up(&mut self, id: usize) {
        for branch in 0..self.nodes[id].branches.len() {
            self.back_up_branch(id, branch);
        }
        let node = &mut self.nodes[id];
        if node.pn == 0.0 {
            return;
        }
        let alive = node.branches.iter().filter(|branch| branch.dn > 0.0);
        let (pn, dn, n) = alive.fold((INFINITE, 0.0_f32, 0.0), |(pn, dn, n), branch| {
            (branch.pn.min(pn), branch.dn.max(dn), n + 1.0)
        });
        (node.pn, node.dn) = (pn, if n == 0.0 { 0.0 } else { dn + FURTHER * (n - 1.0) });
    }

    /// A move is as hard to prove as its hardest reply.
    fn back_up_branch(&mut self, id: usize, branch: usize) {
        let Some(mut replies) = self.nodes[id].branches[branch].replies.take() else { return };
        replies.retain(|&(_, child)| self.nodes[child].pn > 0.0);
        let (pn, dn) = replies.iter().fold((0.0_f32, INFINITE), |(pn, dn), &(_, child)| {
            (self.nodes[child].pn.max(pn), self.nodes[child].dn.min(dn))
        });
        let this = &mut self.nodes[id].branches[branch];
        (this.pn, this.dn) = (pn + FURTHER * replies.len().saturating_sub(1) as f32, dn);
        this.replies = Some(replies);
    }

    /// A quiet move has just been played: which replies have no forced answer?
    fn look_into<R: Rules>(&mut self, field: &mut Field<R>, id: usize, branch: usize) {
        self.looked_into += 1;
        let replies = self.replies_after(field);
        let this = &mut self.nodes[id].branches[branch];
        if replies.is_none() {
            (this.pn, this.dn) = (INFINITE, 0.0);
        }
        this.replies = replies;
        self.back_up_branch(id, branch);
    }

    /// `None` if the move threatens nothing or is refuted at once.
    fn replies_after<R: Rules>(&mut self, field: &mut Field<R>) -> Option<Vec<(Point, usize)>> {
        if field.has(field.to_move(), Threat::Five) {
            return None;
        }
        let default = self.after_a_pass(field)?;
        let open = self.prover.open_replies(field, Some(&default))?;
        self.look_at_replies(field, open)
    }

    fn after_a_pass<R: Rules>(&mut self, field: &mut Field<R>) -> Option<Attack> {
        field.pass();
        let attack = self.prover.forced(field, PASS * self.guidance.nodes, self.watch);
        field.undo();
        attack
    }

    /// The replies that have no forced answer; `None` if one of them was given up before.
    fn look_at_replies<R: Rules>(
        &mut self,
        field: &mut Field<R>,
        mut open: PointSet,
    ) -> Option<Vec<(Point, usize)>> {
        let mut found = Vec::new();
        while let Some(reply) = self.prover.next_reply(&open) {
            open.remove(reply);
            field.place(reply);
            let sight = self.look(field);
            field.undo();
            match sight {
                Sight::Forced(attack) => open = self.prover.not_answered(field, &open, &attack),
                Sight::Node(id) if self.nodes[id].dn == 0.0 => {
                    self.prover.refute(reply);
                    return None;
                }
                Sight::Node(id) => found.push((reply, id)),
            }
        }
        Some(found)
    }

    fn look<R: Rules>(&mut self, field: &mut Field<R>) -> Sight {
        if let Some(&id) = self.by_key.get(&field.key()) {
            return Sight::Node(id);
        }
        let is_known = self.prover.known.contains_key(&canonical(field).0);
        let nodes = self.guidance.nodes;
        let forced = if is_known { None } else { self.prover.forced(field, nodes, self.watch) };
        let (pn, dn) = if is_known || forced.is_some() { (0.0, INFINITE) } else { (1.0, 1.0) };
        let id = self.nodes.len();
        self.by_key.insert(field.key(), id);
        let branches = Vec::new();
        self.nodes.push(Node { pn, dn, branches, work: 0, again: 0, is_wide: false });
        if let Some(attack) = forced {
            return Sight::Forced(attack);
        }
        if !is_known {
            self.ask(field, id, self.guidance.player_nodes, self.guidance.moves);
            self.take_up_examples(field, id);
            if self.nodes[id].branches.is_empty() {
                self.widen(field, id);
            }
            self.back_up(id);
        }
        Sight::Node(id)
    }

    /// Adds the moves that the player likes, or judges them again.
    fn ask<R: Rules>(&mut self, field: &Field<R>, id: usize, nodes: u64, moves: usize) {
        let side = field.to_move();
        if field.has(!side, Threat::Five) {
            forcing::stops(field, !side).iter().for_each(|stop| self.add(field, id, stop, 0.5));
            return;
        }
        let Some(player) = &mut self.prover.player else { return };
        let position = Position::from_board(R::RULE, *field.board(), side);
        let mut task = Task::new(position.clone(), Limits::nodes(nodes));
        task.multi_pv = moves;
        let choice = player.choose(&task, self.watch);
        let policy = player.explain(&position).policy;
        let chance = |score: Option<Score>| score.map_or(0.3, |score| score.win_rate(SCALE));
        for candidate in &choice.candidates {
            self.add(field, id, candidate.point, chance(candidate.score));
        }
        // What it thinks of first may be good, too, though it was not searched.
        let best = chance(choice.score);
        let first = policy.first().map_or(1.0, |one| one.1);
        for &(point, share) in policy.iter().take(2 * moves) {
            self.add_if_new(field, id, point, 0.6 * best * (share / first).sqrt());
        }
    }

    /// What won in positions that differ by little is tried first.
    fn take_up_examples<R: Rules>(&mut self, field: &Field<R>, id: usize) {
        if self.nodes[id].pn > 0.0 && self.nodes[id].dn > 0.0 {
            for point in self.prover.examples.suggest(field.board(), field.to_move()) {
                self.add(field, id, point, 0.95);
            }
        }
    }

    /// Before a position is given up: moves that the player did not think of.
    fn widen<R: Rules>(&mut self, field: &Field<R>, id: usize) {
        self.nodes[id].is_wide = true;
        let Guidance { player_nodes, moves, .. } = self.guidance;
        self.ask(field, id, 4 * player_nodes, 2 * moves);
        let board = field.board();
        let near = board.occupied().grow(field.size()).grow(field.size()) - board.occupied();
        let mut liked: Vec<(u32, Point)> = near.iter().map(|p| (liking(field, p), p)).collect();
        liked.sort_by_key(|&(liking, point)| (std::cmp::Reverse(liking), point.index()));
        for (_, point) in liked.into_iter().take(4 * moves) {
            self.add_if_new(field, id, point, 0.15);
        }
    }

    fn add_if_new<R: Rules>(&mut self, field: &Field<R>, id: usize, point: Point, chance: f64) {
        if !self.nodes[id].branches.iter().any(|branch| branch.point == point) {
            self.add(field, id, point, chance);
        }
    }

    /// Adds a move, or judges it again if it has not been looked into.
    fn add<R: Rules>(&mut self, field: &Field<R>, id: usize, point: Point, chance: f64) {
        let begun = Branch::begin(point, chance);
        let mut others = self.nodes[id].branches.iter_mut();
        if let Some(other) = others.find(|other| other.point == point) {
            if other.replies.is_none() && other.dn > 0.0 {
                *other = begun;
            }
        } else if field.board().is_empty_at(point)
            && forcing::is_legal(field, field.to_move(), point)
        {
            self.nodes[id].branches.push(begun);
        }
    }

    /// A position that costs much deserves another look.
    fn look_again<R: Rules>(&mut self, field: &mut Field<R>, id: usize) {
        let node = &mut self.nodes[id];
        let Some(&(_, factor)) = AGAIN.get(node.again).filter(|(work, _)| node.work >= *work)
        else {
            return;
        };
        if node.pn == 0.0 || node.dn == 0.0 {
            return;
        }
        node.again += 1;
        let Guidance { player_nodes, moves, nodes } = self.guidance;
        if self.prover.forced(field, factor * nodes, self.watch).is_some() {
            (self.nodes[id].pn, self.nodes[id].dn) = (0.0, INFINITE);
        } else {
            self.ask(field, id, factor * player_nodes, moves);
        }
    }
}

/// Where the least of some numbers stands, and the second least.
fn two_least(numbers: impl Iterator<Item = f32>) -> (usize, f32) {
    let start = (0, INFINITE, INFINITE);
    let (at, _, second) = numbers.enumerate().fold(start, |(at, least, second), (i, number)| {
        if number < least { (i, number, least) } else { (at, least, second.min(number)) }
    });
    (at, second)
}
