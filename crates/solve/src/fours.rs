//! Short wins by fours, sought move by move with neither table nor numbers.
//!
//! Most wins by fours are short, and most wins by threats end in one. Where a handful of fours
//! decides, this is much quicker than weighing them, and what it misses the search finds: a four
//! with more than one answer (caro) is left out, and of the last fours before a winning point those
//! that make nothing else.

use gomoku::{Point, Rules, Shape, Threat};

use crate::{forcing, search::Search};

/// The fours of a line, at most.
pub(crate) const LONGEST: usize = 8;

/// The fours that lead to a winning point, one after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    points: [Point; LONGEST],
    count: usize,
}

impl Line {
    fn empty() -> Line {
        Line { points: [Point::new(0, 0); LONGEST], count: 0 }
    }

    pub(crate) fn points(&self) -> &[Point] {
        &self.points[..self.count]
    }

    fn push_front(&mut self, point: Point) {
        self.points.copy_within(..self.count, 1);
        self.points[0] = point;
        self.count += 1;
    }
}

impl<R: Rules> Search<'_, '_, R> {
    /// Fours that lead to a winning point: one, or up to so many within so many nodes. The attacker
    /// is to move and has neither a five nor a winning point.
    pub(crate) fn short_fours(&mut self, most: usize, nodes: u64) -> Option<Line> {
        let found = self.one_four();
        if found.is_some() {
            return found;
        }
        let end = self.budget.nodes.saturating_add(nodes).min(self.budget.most);
        for count in 2..=most.min(LONGEST) {
            let found = self.some_fours(count, end);
            if found.is_some() || self.budget.nodes >= end {
                return found;
            }
        }
        None
    }

    /// One four that leads to a winning point.
    pub(crate) fn one_four(&mut self) -> Option<Line> {
        let has = |threat| self.field.has(self.attacker, threat);
        let may = has(Threat::FourThree) || has(Threat::FourPlus);
        if may { self.some_fours(1, u64::MAX) } else { None }
    }

    /// So many fours that lead to a winning point.
    fn some_fours(&mut self, count: usize, end: u64) -> Option<Line> {
        let attacker = self.attacker;
        let mut moves = *self.field.points(attacker, Threat::FourThree)
            | *self.field.points(attacker, Threat::FourPlus);
        if count > 1 {
            moves = forcing::fours(self.field, attacker);
        }
        if self.field.has(!attacker, Threat::Five) {
            moves &= forcing::stops(self.field, !attacker);
        }
        for point in moves {
            if count == 1 && !self.may_lead_to_a_win(point) {
                continue;
            }
            if self.budget.nodes >= end {
                return None;
            }
            self.place(point);
            let found = self.after_a_four(count, end);
            self.field.undo();
            if let Some(mut line) = found {
                line.push_front(point);
                return Some(line);
            }
        }
        None
    }

    /// Whether a four makes something else that can be part of a winning point.
    fn may_lead_to_a_win(&self, point: Point) -> bool {
        let is_three =
            |shape| matches!(shape, Shape::BlockedThree | Shape::OpenThree | Shape::WideThree);
        self.field.shapes(self.attacker, point).count(is_three) > 0
    }

    /// What follows a four that has one answer.
    fn after_a_four(&mut self, count: usize, end: u64) -> Option<Line> {
        let attacker = self.attacker;
        if self.field.has(!attacker, Threat::Five) {
            return None;
        }
        let reply = forcing::stops(self.field, attacker).only()?;
        self.place(reply);
        let counter = self.field.has(!attacker, Threat::Five);
        let found = match count {
            _ if !counter && forcing::has_winning_point(self.field, attacker) => {
                Some(Line::empty())
            }
            1 => None,
            _ => self.some_fours(count - 1, end),
        };
        self.field.undo();
        found
    }
}
