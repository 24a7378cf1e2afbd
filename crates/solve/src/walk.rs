//! Walks a win again and writes down what is seen: the explicit tree.
//!
//! The table only suggests moves. That a move makes a four, that a reply stops nothing, that a five
//! is there: each is looked up on the board as it stands at that moment. Where the table has
//! forgotten the way, the position is searched once more.

use gomoku::{Point, PointSet, Rule, Rules, Threat};

use crate::{
    forcing,
    search::Search,
    solver::{Kind, salt},
    tree::{Attack, Defence, Root},
};

/// Plies of a win that begins with a winning point.
const FINISH: u32 = 3;

/// Nodes spent at each turn of a VCT on finding that fours alone win.
const FOURS_FIRST: u64 = 500;

impl<R: Rules> Search<'_, '_, R> {
    /// The tree of the position on the board, of at most so many plies; `None` if the budget was spent first, or if the table
    /// was wrong.
    pub(crate) fn tree(&mut self, left: u32) -> Option<Root> {
        if self.field.to_move() == self.attacker {
            self.attack_tree(left).map(Root::Attack)
        } else {
            self.defence_tree(left).map(Root::Defence)
        }
    }

    fn attack_tree(&mut self, left: u32) -> Option<Attack> {
        let (attacker, defender) = (self.attacker, !self.attacker);
        if left == 0 {
            return None;
        }
        if let Some(five) = self.field.points(attacker, Threat::Five).first() {
            return Some(Attack::Win(five));
        }
        if left < FINISH {
            return None;
        }
        if !self.field.has(defender, Threat::Five)
            && let Some(point) = forcing::winning_points(self.field, attacker).first()
        {
            return self.finish(point);
        }
        if self.failures.is_some() {
            return self.attack_within(left);
        }
        if self.kind == Kind::Vct
            && let Some(attack) = self.fours_only()
        {
            return Some(attack);
        }
        let hint = self.table.get(self.key()).filter(|entry| entry.numbers.is_proved());
        if let Some(attack) = hint.and_then(|entry| self.attack_with(entry.best?, left)) {
            return Some(attack);
        }
        if self.budget.is_spent() {
            return None;
        }
        let entry = self.run();
        if entry.numbers.is_proved() { self.attack_with(entry.best?, left) } else { None }
    }

    /// The tree that begins with this move.
    fn attack_with(&mut self, point: Point, left: u32) -> Option<Attack> {
        let plausible = self.field.board().is_empty_at(point)
            && forcing::is_legal(self.field, self.attacker, point);
        if !plausible {
            return None;
        }
        self.place(point);
        let defence = self.defence_tree(left - 1);
        self.field.undo();
        Some(Attack::Move(point, Box::new(defence?)))
    }

    /// A win within so many plies, by trying every attacking move.
    fn attack_within(&mut self, left: u32) -> Option<Attack> {
        let key = self.key();
        let disproved = self.table.get(key).is_some_and(|entry| entry.numbers.is_disproved());
        let known = self.failures.as_ref()?.get(&key).is_some_and(|&failed| failed >= left);
        if disproved || known {
            return None;
        }
        for point in self.attacking_moves() {
            if self.budget.is_spent() {
                return None;
            }
            if let Some(attack) = self.attack_with(point, left) {
                return Some(attack);
            }
        }
        if !self.budget.is_spent() {
            self.failures.as_mut()?.insert(key, left);
        }
        None
    }

    /// A win by fours alone, if a short search finds one: its tree is smaller.
    fn fours_only(&mut self) -> Option<Attack> {
        let (kind, old_salt, most) = (self.kind, self.salt, self.budget.most);
        self.kind = Kind::Vcf;
        self.salt = salt(Kind::Vcf, self.attacker, self.field.size());
        self.budget.most = most.min(self.budget.nodes + FOURS_FIRST);
        let proved = self.run().numbers.is_proved();
        self.budget.most = most;
        let attack = if proved { self.attack_tree(u32::MAX) } else { None };
        (self.kind, self.salt) = (kind, old_salt);
        attack
    }

    fn defence_tree(&mut self, left: u32) -> Option<Defence> {
        if self.field.has(!self.attacker, Threat::Five) {
            return None;
        }
        let is_four = self.field.has(self.attacker, Threat::Five);
        match () {
            _ if is_four && left >= 2 => self.answers_to_a_four(left),
            _ if !is_four && left > FINISH => self.answers_to_a_threat(left),
            _ => None,
        }
    }

    /// The attacker has a five: he makes it unless the reply stops it.
    fn answers_to_a_four(&mut self, left: u32) -> Option<Defence> {
        let mut defence = self.fives()?;
        for reply in forcing::stops(self.field, self.attacker) {
            let answer = self.answer_to(reply, left)?;
            defence.groups.push((vec![reply], answer));
        }
        Some(defence)
    }

    /// The attack after a reply.
    fn answer_to(&mut self, reply: Point, left: u32) -> Option<Attack> {
        self.place(reply);
        let answer = self.attack_tree(left - 1);
        self.field.undo();
        answer
    }

    /// The five for each reply that leaves one, as groups and default.
    fn fives(&self) -> Option<Defence> {
        let attacker = self.attacker;
        let fives = *self.field.points(attacker, Threat::Five);
        let first = fives.first()?;
        let mut groups = Vec::new();
        for reply in self.field.defences(attacker, first) {
            let other = fives.iter().find(|&f| !self.field.defences(attacker, f).contains(reply));
            groups.extend(other.map(|five| (vec![reply], Attack::Win(five))));
        }
        Some(Defence { groups, default: Some(Attack::Win(first)) })
    }

    /// A winning point, played: no reply stops all fives.
    fn finish(&mut self, point: Point) -> Option<Attack> {
        let attacker = self.attacker;
        if !forcing::is_winning(self.field, attacker, point) {
            return None;
        }
        let passed = self.field.to_move() != attacker;
        if passed {
            self.field.pass();
        }
        self.place(point);
        let defence = self.fives();
        self.field.undo();
        if passed {
            self.field.undo();
        }
        Some(Attack::Move(point, Box::new(defence?)))
    }

    /// The attacker has winning points: he plays one unless the reply is a four or stops them all.
    fn answers_to_a_threat(&mut self, left: u32) -> Option<Defence> {
        let attacker = self.attacker;
        if self.kind == Kind::Vcf {
            return None;
        }
        let winning = forcing::winning_points(self.field, attacker);
        let default = self.finish(winning.first()?)?;
        let searched = forcing::replies(self.field, attacker, &winning);
        let mut groups: Vec<(Vec<Point>, Attack)> = Vec::new();
        for reply in searched {
            groups.push((vec![reply], self.answer_to(reply, left)?));
        }
        let first_at_once = groups.len();
        for reply in self.unsearched(&searched, &default) {
            let answer = match self.answer_at_once(&winning, reply) {
                None => self.answer_to(reply, left)?,
                Some(answer) => answer,
            };
            let same = groups[first_at_once..].iter_mut().find(|(_, other)| *other == answer);
            match same {
                _ if answer == default => {}
                Some((replies, _)) => replies.push(reply),
                None => groups.push((vec![reply], answer)),
            }
        }
        Some(Defence { groups, default: Some(default) })
    }

    /// The replies besides the searched ones to which the default may be no answer.
    fn unsearched(&self, searched: &PointSet, default: &Attack) -> PointSet {
        let others = self.field.board().empty() - *searched;
        if !matches!(R::RULE, Rule::Freestyle | Rule::Standard) {
            let legal = |&reply: &Point| forcing::is_legal(self.field, !self.attacker, reply);
            return others.iter().filter(legal).collect();
        }
        // A stone that makes no four and stands on none of the points the default uses cannot
        // change it: its fives are there or not whatever the defender does elsewhere.
        default.points() & others
    }

    /// The winning point to play after a reply that makes no four; `None` if there is none.
    fn answer_at_once(&mut self, winning: &PointSet, reply: Point) -> Option<Attack> {
        self.place(reply);
        let answer = if self.field.has(!self.attacker, Threat::Five) {
            None
        } else {
            let mut left = winning.iter().filter(|&point| point != reply);
            left.find_map(|point| self.finish(point))
        };
        self.field.undo();
        answer
    }
}

impl Attack {
    /// Every point the tree mentions.
    pub(crate) fn points(&self) -> PointSet {
        let mut found = PointSet::EMPTY;
        found.insert(self.point());
        if let Attack::Move(_, defence) = self {
            for (replies, answer) in &defence.groups {
                found |= replies.iter().copied().collect::<PointSet>() | answer.points();
            }
            found |= defence.default.as_ref().map_or(PointSet::EMPTY, Attack::points);
        }
        found
    }
}
