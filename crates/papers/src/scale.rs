//! How much is run: the papers' own numbers of games, fewer, or a few.

use serde::{Deserialize, Serialize};

use crate::experiment::{Amount, Part};

/// The size of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// The papers' own numbers of games.
    Full,
    /// At most so many games a match.
    Games(u64),
    /// A few of each, to see that everything works.
    Quick,
}

impl Scale {
    /// The games of a part; none means that it is skipped.
    pub fn games(self, amount: &Amount) -> u64 {
        match self {
            Scale::Full => amount.games,
            Scale::Quick => amount.quick.min(amount.games),
            Scale::Games(games) => {
                let wanted = (games as f64 * amount.weight).round() as u64;
                wanted.clamp(2, amount.games.max(2)).min(amount.games)
            }
        }
    }

    /// The generations of an evolution.
    pub fn generations(self, generations: (u64, u64)) -> u64 {
        if self == Scale::Quick { generations.1 } else { generations.0 }
    }

    /// Core seconds that a part is expected to take.
    pub fn seconds(self, part: &Part) -> f64 {
        let amount = part.amount();
        let games = self.games(&amount) as f64;
        let meetings = match part {
            Part::Games(part) => {
                let players = part.players.len() as f64;
                match part.schedule {
                    crate::experiment::Meetings::Duel => 1.0,
                    crate::experiment::Meetings::Gauntlet => players - 1.0,
                    crate::experiment::Meetings::League => players * (players - 1.0) / 2.0,
                }
            }
            // Six games decide each of eight selections; snapshots and the tournament add to them.
            Part::Evolve(part) => {
                let selections = 48.0 * self.generations(part.generations) as f64;
                let tournament = 28.0 * f64::from(part.tournament);
                let snapshots = games * (part.snapshots + 1) as f64;
                return (selections + tournament + snapshots) * amount.cost;
            }
            Part::Readings(part) => part.meetings().len() as f64,
            Part::Walk(_) | Part::Find(_) => 1.0,
        };
        games * meetings * amount.cost
    }

    /// The scale in words.
    pub fn describe(self) -> String {
        match self {
            Scale::Full => "the papers' own numbers of games".to_owned(),
            Scale::Games(games) => format!("at most {games} games a match"),
            Scale::Quick => "the quick version, a few games of each".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_follow_the_scale() {
        let amount = Amount { games: 2000, quick: 4, weight: 0.2, cost: 1.0 };
        assert_eq!(Scale::Full.games(&amount), 2000);
        assert_eq!(Scale::Quick.games(&amount), 4);
        assert_eq!(Scale::Games(100).games(&amount), 20);
        assert_eq!(Scale::Games(1).games(&amount), 2);
        let few = Amount { games: 10, ..amount };
        assert_eq!(Scale::Games(1000).games(&few), 10);
        let never = Amount { quick: 0, ..amount };
        assert_eq!(Scale::Quick.games(&never), 0);
    }
}
