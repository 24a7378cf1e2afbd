//! What is kept of a pair of games: enough to replay, count and draw it.

use std::fmt::Write as _;

use gomoku::{Color, Ending, GameResult};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::text;

/// Two games from one opening; the first player has Black in the first game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairRecord {
    /// Place in the schedule.
    pub index: u64,
    /// The two players, by their place in the plan.
    pub players: [usize; 2],
    /// The opening as text.
    pub opening: String,
    /// The seed the players were given.
    pub seed: u64,
    /// The two games.
    pub games: [GameRecord; 2],
    /// Who played it: a thread, or a machine of the fleet.
    #[serde(default)]
    pub worker: String,
    /// How many starts it took; more than one means a program failed to start.
    pub attempts: u32,
    /// Milliseconds it took.
    pub wall_ms: u64,
}

/// One game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The moves after the opening.
    pub moves: String,
    /// Who won.
    pub result: Winner,
    /// How it ended.
    #[serde(with = "text::ending")]
    pub ending: Ending,
    /// What happened, where the board does not say it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// Microseconds of each move.
    pub times: Vec<u64>,
    /// Nodes of each move; empty when no player counts them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<u64>,
    /// Evaluations of each move; empty when no player counts them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evaluations: Vec<u64>,
    /// Depth of each move; empty when no player says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depths: Vec<u32>,
    /// What each mover believed, in its own units; empty when no player says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<Option<i64>>,
}

/// Who won a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Winner {
    /// Black.
    #[serde(rename = "B")]
    Black,
    /// White.
    #[serde(rename = "W")]
    White,
    /// Nobody.
    #[serde(rename = "D")]
    Nobody,
}

impl Winner {
    /// The letter in records.
    pub const fn letter(self) -> char {
        match self {
            Winner::Black => 'B',
            Winner::White => 'W',
            Winner::Nobody => 'D',
        }
    }

    /// The color that won, if one did.
    pub const fn color(self) -> Option<Color> {
        match self {
            Winner::Black => Some(Color::Black),
            Winner::White => Some(Color::White),
            Winner::Nobody => None,
        }
    }
}

impl From<Option<Color>> for Winner {
    fn from(winner: Option<Color>) -> Winner {
        match winner {
            Some(Color::Black) => Winner::Black,
            Some(Color::White) => Winner::White,
            None => Winner::Nobody,
        }
    }
}

impl GameRecord {
    /// Who won and how.
    pub fn game_result(&self) -> GameResult {
        GameResult { winner: self.result.color(), ending: self.ending }
    }

    /// Moves played after the opening.
    pub fn plies(&self) -> usize {
        self.times.len()
    }

    /// What one color scored in half points.
    pub fn half_points(&self, color: Color) -> usize {
        match self.result.color() {
            None => 1,
            Some(winner) => 2 * usize::from(winner == color),
        }
    }
}

impl PairRecord {
    /// The place in the plan of the player who had `color` in game `game` (0 or 1).
    pub fn player(&self, game: usize, color: Color) -> usize {
        let first_has_black = game == 0;
        let is_black = color == Color::Black;
        self.players[usize::from(first_has_black != is_black)]
    }

    /// The color the first player had in game `game`.
    pub const fn first_player_color(game: usize) -> Color {
        if game == 0 { Color::Black } else { Color::White }
    }

    /// What the first player scored in both games, in half points: 0 to 4.
    pub fn half_points(&self) -> usize {
        let score = |game: usize| self.games[game].half_points(Self::first_player_color(game));
        score(0) + score(1)
    }

    /// The games as text, one line each, and nothing that changes from one run to the next.
    pub fn canonical(&self) -> String {
        let mut text = String::new();
        for (number, game) in self.games.iter().enumerate() {
            let (black, white) =
                (self.player(number, Color::Black), self.player(number, Color::White));
            let opening = if self.opening.is_empty() { "-" } else { &self.opening };
            let moves = if game.moves.is_empty() { "-" } else { &game.moves };
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{} {} {} {} {} {} {} {}",
                self.index,
                number,
                black,
                white,
                opening.replace(' ', "/"),
                moves,
                game.result.letter(),
                game.ending.name(),
            );
        }
        text
    }

    /// SHA-256 of the canonical text, in hexadecimal.
    pub fn digest(&self) -> String {
        hex(&Sha256::digest(self.canonical()))
    }
}

/// The games of many pairs as text, in the order given: the file whose SHA-256 is the digest.
pub fn games_log<'a>(pairs: impl IntoIterator<Item = &'a PairRecord>) -> String {
    pairs.into_iter().map(PairRecord::canonical).collect()
}

/// SHA-256 of [`games_log`], in hexadecimal.
pub fn digest<'a>(pairs: impl IntoIterator<Item = &'a PairRecord>) -> String {
    let mut hash = Sha256::new();
    for pair in pairs {
        hash.update(pair.canonical());
    }
    hex(&hash.finalize())
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A pair with these results for Black and White, for tests of counting.
    pub(crate) fn pair(index: u64, players: [usize; 2], results: [Winner; 2]) -> PairRecord {
        let game = |result| GameRecord {
            moves: "h8h9".to_owned(),
            result,
            ending: if result == Winner::Nobody { Ending::Draw } else { Ending::Five },
            detail: String::new(),
            times: vec![1, 1],
            nodes: Vec::new(),
            evaluations: Vec::new(),
            depths: Vec::new(),
            scores: Vec::new(),
        };
        PairRecord {
            index,
            players,
            opening: "a1".to_owned(),
            seed: 1,
            games: results.map(game),
            worker: String::new(),
            attempts: 1,
            wall_ms: 1,
        }
    }

    #[test]
    fn points_of_a_pair_are_the_first_players() {
        use Winner::*;
        for (results, points) in [
            ([Black, White], 4),
            ([Black, Black], 2),
            ([White, Black], 0),
            ([Nobody, Black], 1),
            ([Nobody, Nobody], 2),
            ([Black, Nobody], 3),
        ] {
            assert_eq!(pair(0, [0, 1], results).half_points(), points, "{results:?}");
        }
    }

    #[test]
    fn colors_are_swapped_in_the_second_game() {
        let pair = pair(0, [7, 9], [Winner::Black; 2]);
        assert_eq!((pair.player(0, Color::Black), pair.player(0, Color::White)), (7, 9));
        assert_eq!((pair.player(1, Color::Black), pair.player(1, Color::White)), (9, 7));
    }

    #[test]
    fn digests_depend_on_games_and_not_on_times() {
        let one = pair(3, [0, 1], [Winner::Black, Winner::White]);
        let mut other = one.clone();
        other.wall_ms = 999;
        other.worker = "elsewhere".to_owned();
        other.games[0].times = vec![5, 6];
        assert_eq!(one.digest(), other.digest());
        other.games[0].moves = "h8h10".to_owned();
        assert_ne!(one.digest(), other.digest());
        assert_eq!(one.canonical(), "3 0 0 1 a1 h8h9 B five\n3 1 1 0 a1 h8h9 W five\n");
        assert_eq!(digest([&one]), hex(&Sha256::digest(games_log([&one]))));
    }
}
