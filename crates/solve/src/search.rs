//! Depth-first proof-number search for a forced win.
//!
//! A node where the attacker is to move is proved by one move, a node where the defender is to move
//! by all replies. The search always goes to the leaf that looks cheapest to settle and comes back
//! when another looks cheaper (Nagai's df-pn), but not at once: the limit of the best child is the
//! number of the second best and an eighth more (Pawlewicz and Lew, 1+epsilon), which saves walking
//! up and down. Where numbers would be added up, the largest is taken and one added for each other
//! child (weak proof numbers): the many transpositions of threat sequences are then not counted
//! again and again.
//!
//! Stones are only ever added, so no position repeats along a line, and its numbers do not depend
//! on how it was reached.

use std::{collections::HashMap, time::Duration};

use gomoku::{Color, Field, Point, PointSet, Rules, Threat, zobrist};
use player::Watch;

use crate::{
    forcing,
    solver::Kind,
    table::{Entry, INFINITE, Numbers, Table},
};

/// The watch is asked after about this many nodes.
const NODES_PER_LOOK: u64 = 1024;

/// A question is hard after so many nodes.
const HARD: u64 = 4_000;
/// The nodes that may be spent on two fours in a row wherever a hard question leads.
const TWO_FOURS_NODES: u64 = 20;

/// What a search may cost, and what it has cost.
pub(crate) struct Budget<'a> {
    pub(crate) nodes: u64,
    pub(crate) most: u64,
    pub(crate) watch: &'a dyn Watch,
    pub(crate) deadline: Option<Duration>,
    next_look: u64,
    stopped: bool,
}

impl<'a> Budget<'a> {
    pub(crate) fn new(most: u64, time: Option<Duration>, watch: &'a dyn Watch) -> Budget<'a> {
        let deadline = time.map(|time| watch.elapsed().saturating_add(time));
        Budget { nodes: 0, most, watch, deadline, next_look: 0, stopped: false }
    }

    /// Whether to stop now.
    #[inline]
    pub(crate) fn is_spent(&mut self) -> bool {
        if self.nodes >= self.next_look && !self.stopped {
            self.next_look = self.nodes + NODES_PER_LOOK;
            self.stopped = self.watch.stopped()
                || self.deadline.is_some_and(|deadline| self.watch.elapsed() >= deadline);
        }
        self.stopped || self.nodes >= self.most
    }
}

/// A move with what is known about the position behind it.
#[derive(Clone, Copy, Debug)]
struct Child {
    point: Point,
    numbers: Numbers,
}

/// The children of all nodes on the current line, kept between searches for their memory.
#[derive(Debug, Default)]
pub(crate) struct Stack(Vec<Child>);

pub(crate) struct Search<'a, 'w, R: Rules> {
    pub(crate) field: &'a mut Field<R>,
    pub(crate) table: &'a mut Table,
    pub(crate) stack: &'a mut Stack,
    pub(crate) budget: &'a mut Budget<'w>,
    pub(crate) attacker: Color,
    pub(crate) kind: Kind,
    /// Tells the questions apart in the table.
    pub(crate) salt: u64,
    /// While the shortest win is sought: positions without a win in so many plies.
    pub(crate) failures: Option<HashMap<u64, u32>>,
}

impl<R: Rules> Search<'_, '_, R> {
    fn is_attackers_turn(&self) -> bool {
        self.field.to_move() == self.attacker
    }

    pub(crate) fn key(&self) -> u64 {
        self.field.key() ^ self.salt
    }

    /// Searches the position until it is settled or the budget is spent.
    pub(crate) fn run(&mut self) -> Entry {
        let numbers = self.glance();
        if numbers.is_settled() {
            return Entry { numbers, best: None };
        }
        self.node(Numbers { proof: INFINITE, disproof: INFINITE })
    }

    /// What can be said of the position on the board without search.
    pub(crate) fn glance(&mut self) -> Numbers {
        if self.is_attackers_turn() { self.glance_at_attack() } else { self.glance_at_defense() }
    }

    fn glance_at_attack(&mut self) -> Numbers {
        let (attacker, defender) = (self.attacker, !self.attacker);
        if self.field.has(attacker, Threat::Five) {
            return Numbers::PROVED;
        }
        if !self.field.has(defender, Threat::Five)
            && forcing::has_winning_point(self.field, attacker)
        {
            return Numbers::PROVED;
        }
        if self.kind == Kind::Vct && self.has_few_fours() {
            return Numbers::PROVED;
        }
        let moves = match self.field.has(defender, Threat::Five) {
            true => self.attacking_moves().len(),
            false => forcing::count_attacks(self.field, attacker, self.kind == Kind::Vct),
        };
        match moves {
            0 => Numbers::DISPROVED,
            moves => Numbers { proof: 1, disproof: moves as u32 },
        }
    }

    /// Whether one four leads to a winning point, or two where the question is hard.
    fn has_few_fours(&mut self) -> bool {
        match self.budget.nodes {
            ..HARD => self.one_four().is_some(),
            HARD.. => self.short_fours(2, TWO_FOURS_NODES).is_some(),
        }
    }

    fn glance_at_defense(&mut self) -> Numbers {
        if self.field.has(!self.attacker, Threat::Five) {
            return Numbers::DISPROVED;
        }
        match self.replies().map(|replies| replies.len()) {
            None => Numbers::DISPROVED,
            Some(0) => Numbers::PROVED,
            Some(count) => Numbers { proof: count as u32, disproof: 1 },
        }
    }

    /// The moves of this kind of attack. The attacker has no five.
    pub(crate) fn attacking_moves(&mut self) -> PointSet {
        let (attacker, defender) = (self.attacker, !self.attacker);
        if self.field.has(defender, Threat::Five) {
            let stops = forcing::stops(self.field, defender);
            return match self.kind {
                Kind::Vcf => stops & forcing::fours(self.field, attacker),
                Kind::Vct => stops,
            };
        }
        match self.kind {
            Kind::Vcf => forcing::fours(self.field, attacker),
            Kind::Vct => forcing::threats(self.field, attacker),
        }
    }

    /// The replies that might stop the attack; `None` if nothing is threatened.
    pub(crate) fn replies(&mut self) -> Option<PointSet> {
        if self.field.has(self.attacker, Threat::Five) {
            return Some(forcing::stops(self.field, self.attacker));
        }
        if self.kind == Kind::Vcf {
            return None;
        }
        let winning = forcing::winning_points(self.field, self.attacker);
        if winning.is_empty() {
            return None;
        }
        Some(forcing::replies(self.field, self.attacker, &winning))
    }

    /// Searches a node that a glance has not settled, until one of its numbers reaches its limit.
    fn node(&mut self, limits: Numbers) -> Entry {
        let nodes_before = self.budget.nodes;
        let attacking = self.is_attackers_turn();
        let moves =
            if attacking { self.attacking_moves() } else { self.replies().unwrap_or_default() };
        let entry = match moves.only() {
            Some(point) => self.only_move(point, limits),
            None => self.best_of(moves, attacking, limits),
        };
        let cost = self.budget.nodes - nodes_before;
        self.table.put(self.key(), entry, cost);
        entry
    }

    /// A node with one move has the numbers of what follows it.
    fn only_move(&mut self, point: Point, limits: Numbers) -> Entry {
        self.place(point);
        let known = self.table.get(self.key());
        let mut numbers = known.map_or_else(|| self.glance(), |entry| entry.numbers);
        let reached = numbers.proof >= limits.proof || numbers.disproof >= limits.disproof;
        if !numbers.is_settled() && !reached && !self.budget.is_spent() {
            numbers = self.node(limits).numbers;
        }
        self.field.undo();
        Entry { numbers, best: Some(point) }
    }

    fn best_of(&mut self, moves: PointSet, attacking: bool, limits: Numbers) -> Entry {
        let start = self.stack.0.len();
        self.add_children(moves, attacking);
        let entry = loop {
            let choice = choose(&self.stack.0[start..], attacking);
            let Numbers { proof, disproof } = choice.numbers;
            let settled = choice.numbers.is_settled();
            let best = choice.best.map(|best| self.stack.0[start + best].point);
            let entry = Entry { numbers: choice.numbers, best };
            let reached = proof >= limits.proof || disproof >= limits.disproof;
            if settled || reached || self.budget.is_spent() {
                break entry;
            }
            let (Some(best), Some(point)) = (choice.best, best) else { break entry };
            self.place(point);
            let child = self.node(choice.child_limits(limits, attacking));
            self.field.undo();
            self.stack.0[start + best].numbers = child.numbers;
        };
        self.stack.0.truncate(start);
        entry
    }

    pub(crate) fn place(&mut self, point: Point) {
        self.budget.nodes += 1;
        self.field.place(point);
    }

    /// Puts the moves of the node on the stack, each with its numbers from the table or a glance.
    /// Stops early at a move that settles the node.
    fn add_children(&mut self, moves: PointSet, attacking: bool) {
        let side = self.field.to_move();
        let key = self.key() ^ zobrist::WHITE_TO_MOVE;
        for point in moves {
            let key = key ^ zobrist::stone(point, side);
            let numbers = match self.table.get(key) {
                Some(entry) => entry.numbers,
                // The one reply to a four will be looked at when its turn comes.
                None if attacking && forcing::is_plain_four(self.field, side, point) => {
                    Numbers { proof: 1, disproof: 1 }
                }
                None => {
                    self.place(point);
                    let numbers = self.glance();
                    self.field.undo();
                    self.table.put(key, Entry { numbers, best: None }, 1);
                    numbers
                }
            };
            self.stack.0.push(Child { point, numbers });
            let settles = if attacking { numbers.is_proved() } else { numbers.is_disproved() };
            if settles {
                break;
            }
        }
    }
}

/// The numbers of a node from those of its children, and where to go on.
struct Choosing {
    numbers: Numbers,
    best: Option<usize>,
    /// The best child's number that is minimized, and the same of the second best.
    second: u32,
    /// How many children are still open, besides the best.
    others: u32,
}

/// Weighs the children. For the attacker the proof number is the least of the children's and the
/// disproof number the largest plus one for each other child; for the defender the other way round.
fn choose(children: &[Child], attacking: bool) -> Choosing {
    let view = |numbers: Numbers| {
        if attacking {
            (numbers.proof, numbers.disproof)
        } else {
            (numbers.disproof, numbers.proof)
        }
    };
    let mut best = None;
    let (mut least, mut tie, mut second) = (INFINITE, INFINITE, INFINITE);
    let (mut largest, mut open) = (0, 0);
    for (i, child) in children.iter().enumerate() {
        let (own, other) = view(child.numbers);
        if other > 0 {
            open += 1;
            largest = largest.max(other);
        }
        if (own, other) < (least, tie) {
            second = least;
            (best, least, tie) = (Some(i), own, other);
        } else {
            second = second.min(own);
        }
    }
    let others = u32::saturating_sub(open, 1);
    let sum = if least == 0 { INFINITE } else { (largest + others).min(INFINITE) };
    let numbers = if attacking {
        Numbers { proof: least, disproof: sum }
    } else {
        Numbers { proof: sum, disproof: least }
    };
    Choosing { numbers, best, second, others }
}

impl Choosing {
    /// How far the best child may be searched before another node looks better.
    fn child_limits(&self, limits: Numbers, attacking: bool) -> Numbers {
        let patience = self.second.saturating_add(self.second / 8).saturating_add(1);
        let least = |limit: u32| limit.min(patience).min(INFINITE);
        let sum = |limit: u32| if limit >= INFINITE { limit } else { limit - self.others };
        if attacking {
            Numbers { proof: least(limits.proof), disproof: sum(limits.disproof) }
        } else {
            Numbers { proof: sum(limits.proof), disproof: least(limits.disproof) }
        }
    }
}
