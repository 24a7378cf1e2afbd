//! Walks a win again and writes down what is seen: the explicit tree.
//!
//! The table only suggests moves. That a move makes a four, that a reply stops nothing, that a five
//! is there: each is looked up on the board as it stands at that moment. Where the table has
//! forgotten the way, the position is searched once more.

use gomoku::{Color, Field, Point, PointSet, Rule, Rules, Threat};

use crate::{
    forcing,
    search::Search,
    solver::Kind,
    tree::{Attack, Defense, Root},
};

/// Plies of a win that begins with a winning point.
const FINISH: u32 = 3;

/// Fours tried at each turn of a VCT before its own move, and the nodes for that.
const FOURS: usize = 4;
const FOURS_NODES: u64 = 60;

impl<R: Rules> Search<'_, '_, R> {
    /// The tree of the position on the board, of at most so many plies; `None` if the budget was
    /// spent first, or if the table was wrong.
    pub(crate) fn tree(&mut self, left: u32) -> Option<Root> {
        if self.field.to_move() == self.attacker {
            self.attack_tree(left).map(Root::Attack)
        } else {
            self.defense_tree(left).map(Root::Defense)
        }
    }

    /// The tree of a win that the search claims.
    pub(crate) fn explain(&mut self) -> Option<Root> {
        // What the table has lost must be found again, and what is met twice is written twice.
        if self.budget.most < u64::MAX {
            self.budget.most = self.budget.nodes.saturating_mul(4).saturating_add(1 << 16);
        }
        self.tree(u32::MAX)
    }

    /// The tree of a win by a few fours, the attacker to move, if there is one.
    pub(crate) fn few_fours(&mut self) -> Option<Root> {
        let is_attackers_turn = self.field.to_move() == self.attacker;
        if is_attackers_turn { self.fours_only().map(Root::Attack) } else { None }
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
        let defense = self.defense_tree(left - 1);
        self.field.undo();
        Some(Attack::Move(point, Box::new(defense?)))
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

    /// A win by a few fours alone, if there is one: its tree is smaller.
    fn fours_only(&mut self) -> Option<Attack> {
        let line = self.short_fours(FOURS, FOURS_NODES)?;
        self.follow(line.points())
    }

    /// The tree of these fours, each of which has one answer, and a winning point.
    fn follow(&mut self, fours: &[Point]) -> Option<Attack> {
        let Some((&point, rest)) = fours.split_first() else {
            let point = forcing::winning_points(self.field, self.attacker).first()?;
            return self.finish(point);
        };
        self.place(point);
        let defense = self.follow_after(rest);
        self.field.undo();
        Some(Attack::Move(point, Box::new(defense?)))
    }

    fn follow_after(&mut self, fours: &[Point]) -> Option<Defense> {
        let mut defense = fives(self.field, self.attacker)?;
        for reply in forcing::stops(self.field, self.attacker) {
            self.place(reply);
            let answer = self.follow(fours);
            self.field.undo();
            defense.groups.push((vec![reply], answer?));
        }
        Some(defense)
    }

    fn defense_tree(&mut self, left: u32) -> Option<Defense> {
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
    fn answers_to_a_four(&mut self, left: u32) -> Option<Defense> {
        let mut defense = fives(self.field, self.attacker)?;
        for reply in forcing::stops(self.field, self.attacker) {
            let answer = self.answer_to(reply, left)?;
            defense.groups.push((vec![reply], answer));
        }
        Some(defense)
    }

    /// The attack after a reply.
    fn answer_to(&mut self, reply: Point, left: u32) -> Option<Attack> {
        self.place(reply);
        let answer = self.attack_tree(left - 1);
        self.field.undo();
        answer
    }

    /// A winning point, played: no reply stops all fives. `None` if one does.
    fn finish(&mut self, point: Point) -> Option<Attack> {
        let attacker = self.attacker;
        if !forcing::is_legal(self.field, attacker, point) {
            return None;
        }
        self.budget.nodes += 1;
        let defense = forcing::after(self.field, attacker, point, |field| {
            let wins =
                field.has(attacker, Threat::Five) && forcing::stops(field, attacker).is_empty();
            if wins { fives(field, attacker) } else { None }
        });
        Some(Attack::Move(point, Box::new(defense?)))
    }

    /// The attacker has winning points: he plays one unless the reply is a four or stops them all.
    fn answers_to_a_threat(&mut self, left: u32) -> Option<Defense> {
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
        Some(Defense { groups, default: Some(default) })
    }

    /// The replies besides the searched ones to which the default may be no answer.
    ///
    /// A stone that makes no four and stands on none of the points the default uses cannot take its
    /// fives away: they are there or not whatever the defender does elsewhere. Only where ends
    /// matter or points are forbidden a stone can do harm from further away, but still only in a
    /// line through the winning point, unless the win rests on what is forbidden.
    fn unsearched(&self, searched: &PointSet, default: &Attack) -> PointSet {
        let others = self.field.board().empty() - *searched;
        let mut matter = default.points();
        if !matches!(R::RULE, Rule::Freestyle | Rule::Standard) {
            let point = default.point();
            let plain = !R::HAS_FORBIDDEN
                || self.field.threat(self.attacker, point) == Threat::OpenFour
                    && default.has_two_fives();
            matter |= if plain { forcing::in_line_with(point, self.field.size()) } else { others };
        }
        let legal = |&reply: &Point| forcing::is_legal(self.field, !self.attacker, reply);
        (matter & others).iter().filter(legal).collect()
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

/// The five for each reply that leaves one, as groups and default.
fn fives<R: Rules>(field: &Field<R>, attacker: Color) -> Option<Defense> {
    let fives = *field.points(attacker, Threat::Five);
    let first = fives.first()?;
    let mut groups = Vec::new();
    for reply in field.defenses(attacker, first) {
        let other = fives.iter().find(|&five| !field.defenses(attacker, five).contains(reply));
        groups.extend(other.map(|five| (vec![reply], Attack::Win(five))));
    }
    Some(Defense { groups, default: Some(Attack::Win(first)) })
}

impl Attack {
    /// Whether this move is answered in two or more ways, each time with a five.
    fn has_two_fives(&self) -> bool {
        matches!(self, Attack::Move(_, defense) if !defense.groups.is_empty())
    }

    /// Every point the tree mentions.
    pub(crate) fn points(&self) -> PointSet {
        let mut found = PointSet::EMPTY;
        found.insert(self.point());
        if let Attack::Move(_, defense) = self {
            for (replies, answer) in &defense.groups {
                found |= replies.iter().copied().collect::<PointSet>() | answer.points();
            }
            found |= defense.default.as_ref().map_or(PointSet::EMPTY, Attack::points);
        }
        found
    }
}
