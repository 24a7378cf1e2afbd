//! From whose point of view scores are shown.

use clap::ValueEnum;
use gomoku::Color;
use player::Score;

/// The side that a score above zero is good for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum View {
    /// Scores for Black
    #[default]
    Black,
    /// Scores for White
    White,
    /// Scores for the side to move
    Mover,
}

/// The option that chooses the view.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct ViewArg {
    /// Whose scores to show
    #[arg(long, value_enum, default_value_t, value_name = "VIEW")]
    pub(crate) view: View,
}

impl View {
    /// `scores for Black`.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            View::Black => "scores for Black",
            View::White => "scores for White",
            View::Mover => "scores for the side to move",
        }
    }

    /// What a score of the side to move is worth. A win says whose it is, and whether it was proved.
    pub(crate) fn worth(self, score: Score, to_move: Color, is_proved: bool) -> String {
        match score.decisive_in() {
            Some(plies) => {
                let winner = name(if plies >= 0 { to_move } else { !to_move });
                let word = if is_proved { "proved" } else { "claimed" };
                format!("{winner} wins in {} ({word})", plies.abs())
            }
            None if self.is_of(to_move) => score.to_string(),
            None => (-score).to_string(),
        }
    }

    /// Whether scores of the side to move are shown as they are.
    pub(crate) fn is_of(self, to_move: Color) -> bool {
        match self {
            View::Black => to_move == Color::Black,
            View::White => to_move == Color::White,
            View::Mover => true,
        }
    }
}

/// A color at the beginning of a sentence.
pub(crate) const fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_view_turns_scores_and_none_turns_wins() {
        let worth = |view: View, score| Color::ALL.map(|to_move| view.worth(score, to_move, false));
        assert_eq!(worth(View::Black, Score::new(35)), ["+35", "-35"]);
        assert_eq!(worth(View::White, Score::new(35)), ["-35", "+35"]);
        assert_eq!(worth(View::Mover, Score::new(35)), ["+35", "+35"]);
        for view in [View::Black, View::White, View::Mover] {
            let won = ["Black wins in 7 (claimed)", "White wins in 7 (claimed)"];
            assert_eq!(worth(view, Score::win_in(7)), won);
        }
        let lost = View::default().worth(Score::loss_in(6), Color::White, true);
        assert_eq!(lost, "Black wins in 6 (proved)");
    }
}
