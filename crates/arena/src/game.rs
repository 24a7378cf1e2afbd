//! One game as a pure state machine: moves and times go in, the result comes out.
//!
//! Nothing here reads a clock, starts a program or waits. Whoever plays the game measures the
//! time and reports what happened; this file decides what it means.

use std::time::Duration;

use gomoku::{ByColor, Color, Ending, Game, GameResult, Point, Position};
use player::{Limits, PlayerReply, Score};

use crate::plan::{Adjudication, Agreement, Budget};

/// A running game with its clocks.
#[derive(Clone, Debug)]
pub struct GameInProgress {
    game: Game,
    limits: ByColor<Limits>,
    adjudication: Adjudication,
    tolerance: Duration,
    /// What each side thought of its own chances, move by move; `None` where it did not say.
    scores: ByColor<Vec<Option<Score>>>,
    detail: String,
}

/// How a side fails to answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What kind of failure: time, illegal, crash, stall or start-up.
    pub ending: Ending,
    /// What happened, as a sentence.
    pub detail: String,
}

impl Failure {
    /// A failure with its sentence.
    pub fn new(ending: Ending, detail: impl Into<String>) -> Failure {
        Failure { ending, detail: detail.into() }
    }
}

impl GameInProgress {
    /// A game from an undecided position. `tolerance` is by how much an answer may be late.
    pub fn new(
        start: Position,
        budgets: ByColor<Budget>,
        adjudication: Adjudication,
        tolerance: Duration,
    ) -> GameInProgress {
        GameInProgress {
            game: Game::new(start),
            limits: budgets.map(|budget| budget.limits()),
            adjudication,
            tolerance,
            scores: ByColor::default(),
            detail: String::new(),
        }
    }

    /// The game so far.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The side to move.
    pub fn to_move(&self) -> Color {
        self.game.position.to_move()
    }

    /// How the game ended; `None` while it goes on.
    pub fn result(&self) -> Option<GameResult> {
        self.game.result
    }

    /// What happened, when the board does not say it.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// What the side to move may spend now.
    pub fn limits(&self) -> Limits {
        self.limits[self.to_move()]
    }

    /// The latest time at which the side to move may answer; `None` without a time limit.
    pub fn deadline(&self) -> Option<Duration> {
        self.limits().hard_time().map(|time| time + self.tolerance)
    }

    /// The side to move answers after thinking for `used`.
    pub fn answer(&mut self, reply: &PlayerReply, score: Option<Score>, used: Duration) {
        if self.result().is_some() {
            return;
        }
        let late = self.deadline().filter(|deadline| used > *deadline);
        if let Some(deadline) = late {
            let detail = format!(
                "It took {} ms and had {} ms, tolerance included.",
                used.as_millis(),
                deadline.as_millis()
            );
            return self.fail(Failure::new(Ending::Time, detail));
        }
        match reply {
            PlayerReply::Move(point) => self.play(*point, score, used),
            PlayerReply::Resign => self.end(Some(!self.to_move()), Ending::Resign, String::new()),
            PlayerReply::Stones(_) => {
                self.fail(Failure::new(Ending::Illegal, "It played several stones at once."));
            }
        }
    }

    /// The side to move fails, and loses. (A start-up failure has no loser: such a game must not
    /// be counted.)
    pub fn fail(&mut self, failure: Failure) {
        let winner = (failure.ending != Ending::StartUp).then_some(!self.to_move());
        self.end(winner, failure.ending, failure.detail);
    }

    fn play(&mut self, point: Point, score: Option<Score>, used: Duration) {
        let color = self.to_move();
        if let Err(error) = self.game.play(point) {
            return self.fail(Failure::new(Ending::Illegal, error.to_string()));
        }
        if let Some(clock) = &mut self.limits[color].clock {
            clock.left = clock.left.saturating_sub(used) + clock.increment;
        }
        self.scores[color].push(score);
        if self.result().is_none() {
            self.adjudicate();
        }
    }

    fn adjudicate(&mut self) {
        let stones = self.game.position.board().len() as u32;
        if self.adjudication.max_stones.is_some_and(|max| stones >= max) {
            return self.end(
                None,
                Ending::Draw,
                "The agreed number of stones is on the board.".to_owned(),
            );
        }
        let agreed_winner =
            self.adjudication.win.filter(|a| stones >= a.after_stones).and_then(|agreement| {
                Color::ALL.into_iter().find(|&winner| {
                    self.agree(agreement, winner, |score| score >= agreement.score)
                        && self.agree(agreement, !winner, |score| score <= -agreement.score)
                })
            });
        if let Some(winner) = agreed_winner {
            return self.end(
                Some(winner),
                Ending::Adjudicated,
                "Both sides agreed on the winner.".to_owned(),
            );
        }
        let level = |agreement: Agreement, color| {
            self.agree(agreement, color, |score| score.abs() <= agreement.score)
        };
        let agreed_draw = self
            .adjudication
            .draw
            .filter(|a| stones >= a.after_stones)
            .is_some_and(|a| Color::ALL.into_iter().all(|color| level(a, color)));
        if agreed_draw {
            self.end(None, Ending::Adjudicated, "Both sides agreed on a draw.".to_owned());
        }
    }

    /// Whether the last moves of one side all came with a score like this.
    fn agree(&self, agreement: Agreement, color: Color, like: impl Fn(i64) -> bool) -> bool {
        let scores = &self.scores[color];
        let wanted = (agreement.moves as usize).max(1);
        scores.len() >= wanted
            && scores[scores.len() - wanted..].iter().all(|s| s.is_some_and(|s| like(s.value())))
    }

    fn end(&mut self, winner: Option<Color>, ending: Ending, detail: String) {
        self.game.result = Some(GameResult { winner, ending });
        self.detail = detail;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gomoku::Rule;

    const MOMENT: Duration = Duration::from_millis(1);

    fn running(budget: Budget, adjudication: Adjudication) -> GameInProgress {
        let start = Position::new(Rule::Freestyle, 15);
        let budgets = ByColor { black: budget, white: budget };
        GameInProgress::new(start, budgets, adjudication, Duration::from_millis(100))
    }

    fn plain() -> GameInProgress {
        running(Budget::default(), Adjudication::default())
    }

    fn play(running: &mut GameInProgress, moves: &str, score: impl Fn(Color) -> Option<i64>) {
        for text in moves.split_whitespace() {
            let reply = PlayerReply::Move(text.parse().unwrap());
            let score = score(running.to_move()).map(Score::new);
            running.answer(&reply, score, MOMENT);
        }
    }

    fn result(running: &GameInProgress) -> (Option<Color>, Ending) {
        let result = running.result().expect("the game is over");
        (result.winner, result.ending)
    }

    #[test]
    fn five_wins() {
        let mut game = plain();
        play(&mut game, "a1 a2 b1 b2 c1 c2 d1 d2", |_| None);
        assert_eq!(game.result(), None);
        play(&mut game, "e1", |_| None);
        assert_eq!(result(&game), (Some(Color::Black), Ending::Five));
    }

    #[test]
    fn a_forbidden_point_loses() {
        // The sixth stone in a row is an overline.
        let mut game = GameInProgress::new(
            Position::parse("b:a8,b8,c8,e8,f8 w:a1,c1,e1,g1,i1 b", Rule::Renju, 15).unwrap(),
            ByColor::default(),
            Adjudication::default(),
            MOMENT,
        );
        play(&mut game, "d8", |_| None);
        assert_eq!(result(&game), (Some(Color::White), Ending::Forbidden));
    }

    #[test]
    fn resigning_an_occupied_point_and_two_stones_lose() {
        let mut game = plain();
        play(&mut game, "h8", |_| None);
        game.answer(&PlayerReply::Resign, None, MOMENT);
        assert_eq!(result(&game), (Some(Color::Black), Ending::Resign));

        let mut game = plain();
        play(&mut game, "h8 h8", |_| None);
        assert_eq!(result(&game), (Some(Color::Black), Ending::Illegal));
        assert!(game.detail().contains("h8 is occupied"), "{}", game.detail());

        let mut game = plain();
        game.answer(&PlayerReply::Stones(Vec::new()), None, MOMENT);
        assert_eq!(result(&game), (Some(Color::White), Ending::Illegal));
    }

    #[test]
    fn lateness_is_tolerated_up_to_the_tolerance() {
        let budget = Budget { turn_ms: Some(50), ..Budget::default() };
        let mut game = running(budget, Adjudication::default());
        let answer = PlayerReply::Move("h8".parse().unwrap());
        game.answer(&answer, None, Duration::from_millis(150));
        assert_eq!(game.result(), None);
        game.answer(&PlayerReply::Move("h9".parse().unwrap()), None, Duration::from_millis(151));
        assert_eq!(result(&game), (Some(Color::Black), Ending::Time));
        assert_eq!(game.detail(), "It took 151 ms and had 150 ms, tolerance included.");
    }

    #[test]
    fn a_clock_runs_down_and_is_incremented() {
        let budget = Budget { game_ms: Some(1000), increment_ms: Some(10), ..Budget::default() };
        let mut game = running(budget, Adjudication::default());
        game.answer(&PlayerReply::Move("h8".parse().unwrap()), None, Duration::from_millis(700));
        game.answer(&PlayerReply::Move("h9".parse().unwrap()), None, MOMENT);
        let clock = game.limits().clock.unwrap();
        assert_eq!(clock.left, Duration::from_millis(310));
        assert_eq!(game.deadline(), Some(Duration::from_millis(410)));
        game.answer(&PlayerReply::Move("a1".parse().unwrap()), None, Duration::from_millis(420));
        assert_eq!(result(&game), (Some(Color::White), Ending::Time));
    }

    #[test]
    fn agreement_ends_a_game() {
        let agreement = Agreement { score: 500, moves: 2, after_stones: 0 };
        let win = Adjudication { win: Some(agreement), ..Adjudication::default() };
        let mut game = running(Budget::default(), win);
        let black_wins = |color| Some(if color == Color::Black { 600 } else { -900 });
        play(&mut game, "h8 h9 a1", black_wins);
        assert_eq!(game.result(), None, "White has said so only once");
        play(&mut game, "a3", black_wins);
        assert_eq!(result(&game), (Some(Color::Black), Ending::Adjudicated));

        let mut game = running(Budget::default(), win);
        play(&mut game, "h8 h9 a1 a3 c1 c3", |_| Some(600));
        assert_eq!(game.result(), None, "both believe to win");

        let draw = Adjudication {
            draw: Some(Agreement { score: 5, moves: 1, after_stones: 4 }),
            ..Adjudication::default()
        };
        let mut game = running(Budget::default(), draw);
        play(&mut game, "h8 h9 a1", |_| Some(-5));
        assert_eq!(game.result(), None, "too early");
        play(&mut game, "a3", |_| Some(0));
        assert_eq!(result(&game), (None, Ending::Adjudicated));
    }

    #[test]
    fn the_agreed_number_of_stones_draws() {
        let rules = Adjudication { max_stones: Some(3), ..Adjudication::default() };
        let mut game = running(Budget::default(), rules);
        play(&mut game, "h8 h9 a1", |_| None);
        assert_eq!(result(&game), (None, Ending::Draw));
    }

    #[test]
    fn failures_lose_but_a_failed_start_has_no_loser() {
        for ending in [Ending::Crash, Ending::Stall, Ending::Time, Ending::Illegal] {
            let mut game = plain();
            game.fail(Failure::new(ending, "It broke."));
            assert_eq!(result(&game), (Some(Color::White), ending));
            assert_eq!(game.detail(), "It broke.");
        }
        let mut game = plain();
        game.fail(Failure::new(Ending::StartUp, "It did not start."));
        assert_eq!(result(&game), (None, Ending::StartUp));
    }

    #[test]
    fn nothing_counts_after_the_end() {
        let mut game = plain();
        game.answer(&PlayerReply::Resign, None, MOMENT);
        play(&mut game, "h8", |_| None);
        assert_eq!(result(&game), (Some(Color::White), Ending::Resign));
        assert!(game.game().moves().is_empty());
    }
}
