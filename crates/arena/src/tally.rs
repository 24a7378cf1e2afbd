//! Counting results: by meeting, by player, by color, by ending.

use std::collections::BTreeMap;

use gomoku::{Color, Ending};
use serde::{Deserialize, Serialize};
use stats::{Encounter, Estimate, Pentanomial, RatingOptions, Ratings, Trinomial, bounded, rate};

use crate::record::PairRecord;

/// Results of one player against another, or of a player against all others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Games: losses, draws, wins.
    pub games: Trinomial,
    /// Pairs by half points, from 0 to 4.
    pub pairs: Pentanomial,
}

impl Tally {
    /// Counts a pair for its first player.
    pub fn add(&mut self, pair: &PairRecord) {
        for game in 0..2 {
            self.games.0[pair.games[game].half_points(PairRecord::first_player_color(game))] += 1;
        }
        self.pairs.add(pair.half_points());
    }

    /// The same results seen by the other player.
    pub fn reversed(&self) -> Tally {
        let mut reversed = *self;
        reversed.games.0.reverse();
        reversed.pairs.0.reverse();
        reversed
    }

    /// The sum of two tallies.
    pub fn plus(&self, other: &Tally) -> Tally {
        let mut sum = *self;
        sum.games.0.iter_mut().zip(other.games.0).for_each(|(n, m)| *n += m);
        sum.pairs.0.iter_mut().zip(other.pairs.0).for_each(|(n, m)| *n += m);
        sum
    }

    /// The strength difference these results suggest.
    pub fn estimate(&self) -> Estimate {
        Estimate::of(&self.pairs)
    }
}

/// Everything counted in a run, from the pairs in the order of the schedule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Results of each meeting, seen by the player with the lower place in the plan.
    pub meetings: BTreeMap<(usize, usize), Tally>,
    /// Games won by each color, and drawn: Black, White, nobody.
    pub colors: [u64; 3],
    /// Games by ending.
    pub endings: BTreeMap<Ending, u64>,
    /// Games lost by each player through a fault of its own, by ending.
    pub faults: BTreeMap<(usize, Ending), u64>,
}

impl Count {
    /// Counts a pair.
    pub fn add(&mut self, pair: &PairRecord) {
        let [first, second] = pair.players;
        let mut tally = Tally::default();
        tally.add(pair);
        let (key, tally) = if first < second {
            ((first, second), tally)
        } else {
            ((second, first), tally.reversed())
        };
        let meeting = self.meetings.entry(key).or_default();
        *meeting = meeting.plus(&tally);
        for (number, game) in pair.games.iter().enumerate() {
            self.colors[match game.result.color() {
                Some(Color::Black) => 0,
                Some(Color::White) => 1,
                None => 2,
            }] += 1;
            *self.endings.entry(game.ending).or_default() += 1;
            if let (true, Some(winner)) = (is_fault(game.ending), game.result.color()) {
                *self.faults.entry((pair.player(number, !winner), game.ending)).or_default() += 1;
            }
        }
    }

    /// A player's results against all others.
    pub fn player(&self, player: usize) -> Tally {
        self.meetings.iter().fold(Tally::default(), |sum, (&(a, b), tally)| {
            if a == player {
                sum.plus(tally)
            } else if b == player {
                sum.plus(&tally.reversed())
            } else {
                sum
            }
        })
    }
}

/// Whether an ending is the loser's own doing rather than play.
pub fn is_fault(ending: Ending) -> bool {
    matches!(ending, Ending::Time | Ending::Illegal | Ending::Crash | Ending::Stall)
}

/// Rates the players of some pairs; `None` when there are no games.
pub fn ratings(players: usize, pairs: &[PairRecord]) -> Option<Ratings> {
    rate_clusters(players, &pairs.iter().map(encounters).collect::<Vec<_>>())
}

/// Rates the players of pairs of games. Whoever won or lost everything gets a bound; phantom draws help
/// where groups of players have never met, or never lost to each other.
pub(crate) fn rate_clusters(players: usize, clusters: &[Vec<Encounter>]) -> Option<Ratings> {
    let plain = RatingOptions { advantage: true, phantom_draws: 0.0 };
    let helped = RatingOptions { phantom_draws: 1.0, ..plain };
    let rated = rate(players, clusters, plain)
        .or_else(|_| rate(players, &bounded(players, clusters), plain))
        .or_else(|_| rate(players, clusters, helped));
    rated.ok().filter(|_| !clusters.is_empty())
}

/// The two games of a pair as the rating model sees them.
pub(crate) fn encounters(pair: &PairRecord) -> Vec<Encounter> {
    let encounter = |game: usize| Encounter {
        first: pair.player(game, Color::Black),
        second: pair.player(game, Color::White),
        score: pair.games[game].half_points(Color::Black) as f64 / 2.0,
        games: 1.0,
    };
    vec![encounter(0), encounter(1)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Winner, tests::pair};

    #[test]
    fn a_meeting_is_the_same_from_either_side() {
        let mut count = Count::default();
        count.add(&pair(0, [0, 1], [Winner::Black, Winner::White]));
        count.add(&pair(1, [1, 0], [Winner::Black, Winner::Nobody]));
        let meeting = count.meetings[&(0, 1)];
        assert_eq!(meeting.games, Trinomial::new(2, 1, 1));
        assert_eq!(meeting.pairs, Pentanomial([0, 1, 0, 0, 1]));
        assert_eq!(count.player(1), meeting.reversed());
        assert_eq!(count.colors, [2, 1, 1]);
        assert_eq!(count.endings[&Ending::Five], 3);
    }

    #[test]
    fn faults_are_laid_on_the_loser() {
        let mut record = pair(0, [0, 1], [Winner::White, Winner::White]);
        record.games[0].ending = Ending::Crash;
        let mut count = Count::default();
        count.add(&record);
        assert_eq!(count.faults, BTreeMap::from([((0, Ending::Crash), 1)]));
    }

    #[test]
    fn ratings_survive_perfect_scores() {
        let perfect = [pair(0, [0, 1], [Winner::Black, Winner::White])];
        let rated = ratings(2, &perfect).unwrap();
        let mut tally = Tally::default();
        tally.add(&perfect[0]);
        let bound = tally.estimate().elo_bound.unwrap();
        assert!((rated.elo[0] - rated.elo[1] - bound).abs() < 1e-6);
        assert!(ratings(2, &[]).is_none());
    }
}
