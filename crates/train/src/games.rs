//! Games to learn from, one a line: rule, size, moves, the score of each move, the result.

use std::{fmt, str::FromStr};

use gomoku::{Point, Position, Rule};

/// A game of the engine against itself.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfplayGame {
    /// The rule.
    pub rule: Rule,
    /// Board size.
    pub size: u8,
    /// All moves from the empty board.
    pub moves: Vec<Point>,
    /// For each move, what the search that chose it said, for the side that plays it; `None` for
    /// moves that no search chose.
    pub scores: Vec<Option<i16>>,
    /// The result for Black, in halves: 2, 1 or 0.
    pub result: u8,
}

/// Why a line is not a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a game of the engine against itself: {1}.")]
pub struct ParseGameError(String, &'static str);

impl FromStr for SelfplayGame {
    type Err = ParseGameError;

    fn from_str(line: &str) -> Result<SelfplayGame, ParseGameError> {
        let error = |why| ParseGameError(line.chars().take(60).collect(), why);
        let words: Vec<&str> = line.split_whitespace().collect();
        let &[rule, size, moves, scores, result] = words.as_slice() else {
            return Err(error("it has not five words"));
        };
        let rule: Rule = rule.parse().map_err(|_| error("the rule is unknown"))?;
        let size = size.parse().map_err(|_| error("the size is not a number"))?;
        let position =
            Position::parse(moves, rule, size).map_err(|_| error("the moves cannot be played"))?;
        let score = |text: &str| match text {
            "-" => Ok(None),
            text => text.parse().map(Some).map_err(|_| error("a score is not a number")),
        };
        let scores: Vec<_> = scores.split(',').map(score).collect::<Result<_, _>>()?;
        let moves = position.moves().to_vec();
        if scores.len() != moves.len() {
            return Err(error("moves and scores differ in number"));
        }
        let result = match result {
            "1" => 2,
            "0.5" => 1,
            "0" => 0,
            _ => return Err(error("the result is not 1, 0.5 or 0")),
        };
        Ok(SelfplayGame { rule, size, moves, scores, result })
    }
}

impl fmt::Display for SelfplayGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} ", self.rule, self.size)?;
        self.moves.iter().try_for_each(|point| write!(f, "{point}"))?;
        let score = |score: &Option<i16>| score.map_or("-".to_owned(), |score| score.to_string());
        let scores: Vec<String> = self.scores.iter().map(score).collect();
        let result = ["0", "0.5", "1"][usize::from(self.result.min(2))];
        write!(f, " {} {result}", scores.join(","))
    }
}
