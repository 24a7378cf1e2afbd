//! The public program of Liao's tables: every answer that we hold of it, and its habits by hand.

mod common;

use common::{build, choose, position};
use gomoku::{Position, Rule};
use lab::{
    Candidates, State,
    eval::{self, Following},
    search::{Control, PublicMinimax},
    tree::Play,
};
use player::{Limits, Reason, Spec, Unwatched};

/// The player's parts, standing at a position.
fn at(position: &Position) -> Play {
    let eval = eval::build(&"ratio".parse().unwrap(), Following::FAST, None).unwrap();
    let moves = Spec::parse_pipeline("near(1)|rows").unwrap();
    let state = State::new(position);
    let (candidates, me) = (Candidates::build(&moves).unwrap(), state.to_move());
    let mut play = Play { state: state.clone(), eval, candidates, me, has_end: false };
    play.start(state);
    play
}

/// The quotient that the search answers with.
fn quotient(position: &Position, depth: u32) -> f64 {
    let mut play = at(position);
    let moves = play.list();
    let mut control = Control::new(&Limits::default(), None, &Unwatched);
    PublicMinimax::default().solve(&mut play, &moves, depth, &mut control).quotient
}

#[test]
fn all_150_answers_are_the_same_in_move_score_and_evaluations() {
    let text = include_str!("data/public_minimax.txt");
    let answers: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(answers.len(), 150);
    for answer in answers {
        let [stones, point, score, evaluations] =
            answer.split(' ').collect::<Vec<_>>().try_into().expect("four words a line");
        let position = position(stones);
        let choice = choose(&mut *build("public-minimax"), &position, Limits::default());
        assert_eq!(choice.point().unwrap().to_string(), point, "{answer}");
        assert_eq!(choice.counters.evaluations, evaluations.parse::<u64>().unwrap(), "{answer}");
        assert_eq!(choice.reason == Reason::Win, score == "win", "{answer}");
        if score != "win" {
            assert_eq!(quotient(&position, 3), score.parse::<f64>().unwrap(), "{answer}");
        }
    }
}

#[test]
fn a_root_that_is_cut_plays_the_answer_of_its_child() {
    // a1 makes fours along the edge and up the side, and whatever White answers, Black has a five on
    // a full board where White's stones count for nothing: 100,000,000, which is cut. What is played
    // is a5, the first answer of White's list, and that gives the win away.
    let black = "b1,c1,d1,a2,b2,d2,e2,a3,d3,a4,b4,c4,e4,b5,d5,e5";
    let white = "c2,b3,c3,e3,d4,c5";
    for stones in [format!("b:{black} w:{white} b"), format!("b:{white} w:{black} w")] {
        let position = Position::parse(&stones, Rule::Freestyle, 5).unwrap();
        assert_eq!(quotient(&position, 3), 100_000_000.0);
        let choice = choose(&mut *build("public-minimax"), &position, Limits::default());
        assert_eq!(choice.point().unwrap().to_string(), "a5", "{stones}");
    }
}

#[test]
fn six_in_a_row_are_two_fives_whatever_the_ends() {
    let sum = |stones: &str| {
        let play = &mut at(&Position::parse(stones, Rule::Freestyle, 6).unwrap());
        play.eval.score(&play.state, play.me)
    };
    // White's stones above and below, and the edges, block every run but the one that counts.
    let blocked = "w:a2,b2,c2,d2,e2,f2,a4,b4,c4,d4,e4,f4";
    assert_eq!(sum(&format!("b:a3,b3,c3,d3,e3 {blocked},f3 b")), 100_000_000);
    assert_eq!(sum(&format!("b:a3,b3,c3,d3,e3,f3 {blocked} b")), 200_000_000);
}
