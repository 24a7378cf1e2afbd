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

/// Nodes spent at each turn of a VCT on finding that fours alone win.
const FOURS_FIRST: u64 = 500;

impl<R: Rules> Search<'_, '_, R> {
    /// The tree of the position on the board; `None` if the budget was spent first, or if the table
    /// was wrong.
    pub(crate) fn tree(&mut self) -> Option<Root> {
        if self.field.to_move() == self.attacker {
            self.attack_tree().map(Root::Attack)
        } else {
            self.defence_tree().map(Root::Defence)
        }
    }

    fn attack_tree(&mut self) -> Option<Attack> {
        let (attacker, defender) = (self.attacker, !self.attacker);
        if let Some(five) = self.field.points(attacker, Threat::Five).first() {
            return Some(Attack::Win(five));
        }
        if !self.field.has(defender, Threat::Five)
            && let Some(point) = forcing::winning_points(self.field, attacker).first()
        {
            return self.finish(point);
        }
        if self.kind == Kind::Vct
            && let Some(attack) = self.fours_only()
        {
            return Some(attack);
        }
        let hint = self.table.get(self.key()).filter(|entry| entry.numbers.is_proved());
        if let Some(attack) = hint.and_then(|entry| self.attack_with(entry.best?)) {
            return Some(attack);
        }
        if self.budget.is_spent() {
            return None;
        }
        let entry = self.run();
        if entry.numbers.is_proved() { self.attack_with(entry.best?) } else { None }
    }

    /// The tree that begins with this move.
    fn attack_with(&mut self, point: Point) -> Option<Attack> {
        let plausible = self.field.board().is_empty_at(point)
            && forcing::is_legal(self.field, self.attacker, point);
        if !plausible {
            return None;
        }
        self.place(point);
        let defence = self.defence_tree();
        self.field.undo();
        Some(Attack::Move(point, Box::new(defence?)))
    }

    /// A win by fours alone, if a short search finds one: its tree is smaller.
    fn fours_only(&mut self) -> Option<Attack> {
        let (kind, old_salt, most) = (self.kind, self.salt, self.budget.most);
        self.kind = Kind::Vcf;
        self.salt = salt(Kind::Vcf, self.attacker, self.field.size());
        self.budget.most = most.min(self.budget.nodes + FOURS_FIRST);
        let proved = self.run().numbers.is_proved();
        self.budget.most = most;
        let attack = if proved { self.attack_tree() } else { None };
        (self.kind, self.salt) = (kind, old_salt);
        attack
    }

    fn defence_tree(&mut self) -> Option<Defence> {
        if self.field.has(!self.attacker, Threat::Five) {
            return None;
        }
        if self.field.has(self.attacker, Threat::Five) {
            self.answers_to_a_four()
        } else {
            self.answers_to_a_threat()
        }
    }

    /// The attacker has a five: he makes it unless the reply stops it.
    fn answers_to_a_four(&mut self) -> Option<Defence> {
        let attacker = self.attacker;
        let stops = forcing::stops(self.field, attacker);
        let mut defence = self.fives()?;
        for reply in stops {
            self.place(reply);
            let answer = self.attack_tree();
            self.field.undo();
            defence.groups.push((vec![reply], answer?));
        }
        Some(defence)
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
    fn answers_to_a_threat(&mut self) -> Option<Defence> {
        let attacker = self.attacker;
        if self.kind == Kind::Vcf {
            return None;
        }
        let winning = forcing::winning_points(self.field, attacker);
        let default = self.finish(winning.first()?)?;
        let mut searched = forcing::replies(self.field, attacker, &winning);
        let mut groups: Vec<(Vec<Point>, Attack)> = Vec::new();
        for reply in self.unsearched(&searched, &default) {
            match self.answer_at_once(&winning, reply) {
                None => searched.insert(reply),
                Some(answer) if answer == default => {}
                Some(answer) => match groups.iter_mut().find(|(_, other)| *other == answer) {
                    Some((replies, _)) => replies.push(reply),
                    None => groups.push((vec![reply], answer)),
                },
            }
        }
        for reply in searched {
            self.place(reply);
            let answer = self.attack_tree();
            self.field.undo();
            groups.push((vec![reply], answer?));
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
