//! Wins with quiet moves are accepted by `verify`, and their decisions lead to them again.

use gomoku::{Field, Freestyle, Position, Rule};
use player::Unwatched;
use solve::{Decision, Prover, efforts};

/// Black, far ahead after White's remote replies, has no forced win yet.
const POSITION: &str = "h8o15g9a1";

#[test]
fn a_quiet_move_wins_and_is_remembered() {
    let position = Position::parse(POSITION, Rule::Freestyle, 15).unwrap();
    let mut field = Field::<Freestyle>::from_position(&position);
    let mut decisions: Vec<Decision> = Vec::new();
    let mut prover =
        Prover::<Freestyle>::new(8).with_log(|decision| decisions.push(decision.clone()));
    let effort = efforts(2)[2];
    let tree = prover.prove(&mut field, effort, &Unwatched).expect("two quiet moves win");
    drop(prover);
    assert!(!decisions.is_empty(), "no forced win is found there");

    let mut news = 0;
    let mut again = Prover::<Freestyle>::new(8).with_log(|_| news += 1);
    decisions.iter().for_each(|decision| again.remember(decision));
    let same = again.prove(&mut field, effort, &Unwatched).expect("the decisions are known");
    drop(again);
    assert_eq!(news, 0, "nothing had to be decided again");
    assert_eq!(same.line().first(), tree.line().first());
}

#[test]
fn a_small_quiet_win_is_accepted() {
    let position = Position::parse("b:h8,g9,i9 w:o15,a1,o1 b", Rule::Freestyle, 15).unwrap();
    let mut field = Field::<Freestyle>::from_position(&position);
    let mut prover = Prover::<Freestyle>::new(8);
    let point = "g7".parse().unwrap();
    let tree = prover.prove_move(&mut field, point, &efforts(1), &Unwatched);
    let proof = tree.expect("the move wins").proof();
    let verdict = verify::check(&proof.bytes).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(verdict.counts.longest, proof.plies as usize);
}
