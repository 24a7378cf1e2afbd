//! The order of the pairs: which players meet in pair number so-and-so, and from which opening.
//!
//! Pairs are asked for one after the other, and results come back in the same order, so that a
//! ladder, whose later meetings depend on earlier ones, is as reproducible as a duel.

use crate::plan::Schedule;

/// What to play next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// These players meet with this opening (by number).
    Pair {
        /// Who has Black first.
        players: [usize; 2],
        /// The opening's number in the order of the run.
        opening: u64,
    },
    /// Nothing until more results are in.
    Wait,
    /// The schedule is over.
    End,
}

/// Deals out the pairs of a schedule.
#[derive(Clone, Debug)]
pub struct Scheduler {
    schedule: Schedule,
    meetings: Vec<[usize; 2]>,
    ladder: Option<Ladder>,
    dealt: u64,
}

impl Scheduler {
    /// A schedule for this many players.
    pub fn new(schedule: Schedule, players: usize) -> Scheduler {
        let meetings = match schedule {
            Schedule::Duel { .. } | Schedule::Sprt { .. } => vec![[0, 1]],
            Schedule::Gauntlet { .. } => (1..players).map(|other| [0, other]).collect(),
            Schedule::RoundRobin { .. } => {
                (0..players).flat_map(|a| (a + 1..players).map(move |b| [a, b])).collect()
            }
            Schedule::Ladder { .. } => Vec::new(),
        };
        let ladder = match schedule {
            Schedule::Ladder { pairs } => Some(Ladder::new(players, pairs)),
            _ => None,
        };
        Scheduler { schedule, meetings, ladder, dealt: 0 }
    }

    /// The next pair; its index is the number of pairs dealt before.
    pub fn deal(&mut self) -> Next {
        let next = match &mut self.ladder {
            Some(ladder) => ladder.deal(),
            None => self.static_pair(),
        };
        self.dealt += u64::from(matches!(next, Next::Pair { .. }));
        next
    }

    /// Takes the result of the earliest pair that has not been fed yet: half points (0 to 4) of
    /// the pair's first player.
    pub fn feed(&mut self, half_points: usize) {
        if let Some(ladder) = &mut self.ladder {
            ladder.feed(half_points);
        }
    }

    /// Pairs in all, at most for a sequential test; `None` where it depends on results.
    pub fn total(&self) -> Option<u64> {
        self.ladder.is_none().then(|| self.schedule.pairs() * self.meetings.len() as u64)
    }

    /// The ladder from top to foot, if this is one.
    pub fn ladder(&self) -> Option<&[usize]> {
        self.ladder.as_ref().map(|ladder| ladder.order.as_slice())
    }

    /// All meetings of a round, then all of the next with the next opening: stopping at any time
    /// leaves everyone with nearly the same number of games, from the same openings.
    fn static_pair(&self) -> Next {
        let meetings = self.meetings.len() as u64;
        if self.dealt >= self.schedule.pairs() * meetings {
            return Next::End;
        }
        let players = self.meetings[(self.dealt % meetings) as usize];
        Next::Pair { players, opening: self.dealt / meetings }
    }
}

/// Who stands where, and who is climbing.
#[derive(Clone, Debug)]
struct Ladder {
    /// Players on the ladder, the best first.
    order: Vec<usize>,
    /// Place of the climber.
    climber: usize,
    players: usize,
    pairs: u64,
    dealt: u64,
    fed: u64,
    half_points: u64,
}

impl Ladder {
    fn new(players: usize, pairs: u64) -> Ladder {
        let order = vec![0, 1];
        Ladder { order, climber: 1, players, pairs, dealt: 0, fed: 0, half_points: 0 }
    }

    fn deal(&mut self) -> Next {
        if self.climber >= self.order.len() {
            return Next::End;
        }
        if self.dealt == self.pairs {
            return Next::Wait;
        }
        self.dealt += 1;
        let players = [self.order[self.climber], self.order[self.climber - 1]];
        Next::Pair { players, opening: self.dealt - 1 }
    }

    fn feed(&mut self, half_points: usize) {
        self.fed += 1;
        self.half_points += half_points as u64;
        if self.fed == self.pairs {
            let climbed = self.half_points > 2 * self.pairs;
            (self.dealt, self.fed, self.half_points) = (0, 0, 0);
            self.settle(climbed);
        }
    }

    /// The climber goes up a rung, or stays and the next player enters at the foot.
    fn settle(&mut self, climbed: bool) {
        if climbed {
            self.order.swap(self.climber, self.climber - 1);
            self.climber -= 1;
        }
        if !climbed || self.climber == 0 {
            let entering = self.order.len();
            self.climber = entering;
            if entering < self.players {
                self.order.push(entering);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut scheduler: Scheduler) -> Vec<([usize; 2], u64)> {
        std::iter::from_fn(|| match scheduler.deal() {
            Next::Pair { players, opening } => Some((players, opening)),
            _ => None,
        })
        .collect()
    }

    #[test]
    fn meetings_of_a_round_share_the_opening() {
        let gauntlet = Scheduler::new(Schedule::Gauntlet { pairs: 2 }, 3);
        assert_eq!(gauntlet.total(), Some(4));
        assert_eq!(all(gauntlet), [([0, 1], 0), ([0, 2], 0), ([0, 1], 1), ([0, 2], 1)]);
        let round_robin = Scheduler::new(Schedule::RoundRobin { pairs: 1 }, 4);
        assert_eq!(all(round_robin).len(), 6);
        let duel = Scheduler::new(Schedule::Duel { pairs: 3 }, 2);
        assert_eq!(all(duel), [([0, 1], 0), ([0, 1], 1), ([0, 1], 2)]);
    }

    /// Plays a ladder in which the player with the larger strength wins every game.
    fn climb(strengths: &[u32]) -> (Vec<usize>, usize) {
        let mut scheduler = Scheduler::new(Schedule::Ladder { pairs: 2 }, strengths.len());
        let mut waiting = Vec::new();
        let mut played = 0;
        loop {
            match scheduler.deal() {
                Next::Pair { players: [a, b], .. } => {
                    played += 1;
                    waiting.push(if strengths[a] > strengths[b] { 4 } else { 0 });
                }
                Next::Wait => waiting.drain(..).for_each(|points| scheduler.feed(points)),
                Next::End => return (scheduler.ladder().unwrap().to_vec(), played),
            }
        }
    }

    #[test]
    fn a_ladder_sorts_players() {
        assert_eq!(climb(&[1, 2, 3]), (vec![2, 1, 0], 2 * 3));
        assert_eq!(climb(&[3, 2, 1]), (vec![0, 1, 2], 2 * 2));
        assert_eq!(climb(&[5, 1, 4, 2, 3]).0, [0, 2, 4, 3, 1]);
    }

    #[test]
    fn a_ladder_waits_for_the_rung_to_be_decided() {
        let mut scheduler = Scheduler::new(Schedule::Ladder { pairs: 2 }, 2);
        assert!(matches!(scheduler.deal(), Next::Pair { players: [1, 0], opening: 0 }));
        assert!(matches!(scheduler.deal(), Next::Pair { players: [1, 0], opening: 1 }));
        assert_eq!(scheduler.deal(), Next::Wait);
        scheduler.feed(2);
        assert_eq!(scheduler.deal(), Next::Wait);
        scheduler.feed(2);
        assert_eq!(scheduler.deal(), Next::End, "a level rung is not climbed");
        assert_eq!(scheduler.ladder().unwrap(), [0, 1]);
    }
}
