//! Wins with quiet moves are accepted by `verify`, and their decisions lead to them again.

use gomoku::{Position, Rule};
use player::Unwatched;
use solve::{Decision, Guidance, GuidedProgress, Prover, book_efforts, efforts};

/// Black, far ahead after White's remote replies, has no forced win yet.
const POSITION: &str = "h8o15g9a1";

#[test]
fn a_quiet_move_wins_and_is_remembered() {
    let position = Position::parse(POSITION, Rule::Freestyle, 15).unwrap();
    let mut decisions: Vec<Decision> = Vec::new();
    let mut prover = Prover::new(8).with_log(|decision| decisions.push(decision.clone()));
    let effort = *efforts(2).last().unwrap();
    let tree = prover.prove(&position, effort, &Unwatched).expect("two quiet moves win");
    drop(prover);
    assert!(!decisions.is_empty(), "no forced win is found there");

    let mut news = 0;
    let mut again = Prover::new(8).with_log(|_| news += 1);
    decisions.iter().for_each(|decision| again.remember(decision));
    let same = again.prove(&position, effort, &Unwatched).expect("the decisions are known");
    drop(again);
    assert_eq!(news, 0, "nothing had to be decided again");
    assert_eq!(same.line().first(), tree.line().first());
}

#[test]
fn what_won_in_one_position_is_tried_in_the_next() {
    let at = |moves| Position::parse(moves, Rule::Freestyle, 15).unwrap();
    let mut decisions: Vec<Decision> = Vec::new();
    let mut prover = Prover::new(8).with_log(|decision| decisions.push(decision.clone()));
    prover
        .prove(&at(POSITION), *efforts(2).last().unwrap(), &Unwatched)
        .expect("two quiet moves win");
    drop(prover);

    // A mirror image with one white stone elsewhere, and no moves to try but those learned.
    let like = at("h8a15i9n1");
    let effort = efforts(2)[1];
    assert_eq!(effort.candidates, 0);
    let mut prover = Prover::new(8);
    assert!(prover.prove(&like, effort, &Unwatched).is_none(), "it has nothing to try");
    let mut prover = Prover::new(8);
    decisions.iter().for_each(|decision| prover.learn(decision));
    let tree = prover.prove(&like, effort, &Unwatched).expect("the same moves win");
    verify::check(&tree.proof().bytes).unwrap_or_else(|fault| panic!("{fault}"));
}

#[test]
fn a_small_quiet_win_is_accepted() {
    let position = Position::parse("b:h8,g9,i9 w:o15,a1,o1 b", Rule::Freestyle, 15).unwrap();
    let mut prover = Prover::new(8);
    let point = "g7".parse().unwrap();
    let tree = prover.prove_move(&position, point, &efforts(1), &Unwatched);
    let proof = tree.expect("the move wins").proof();
    let verdict = verify::check(&proof.bytes).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(verdict.counts.longest, proof.plies as usize);

    // The same proof, written as it is found.
    let mut stream = Vec::new();
    let mut again = Prover::new(8);
    let line = again
        .stream_move(&position, point, &efforts(1), proof.plies, &Unwatched, &mut stream)
        .expect("a vector takes everything")
        .expect("the move wins");
    assert_eq!(line.len(), proof.plies as usize);
    assert_eq!(stream, proof.bytes);
}

#[test]
fn two_workers_prove_the_same() {
    let position = Position::parse("b:h8,g9,i9 w:o15,a1,o1 b", Rule::Freestyle, 15).unwrap();
    let mut provers = [Prover::new(8), Prover::new(8)];
    let point = "g7".parse().unwrap();
    let tree = Prover::prove_move_together(&mut provers, &position, point, &efforts(1), &Unwatched);
    let proof = tree.expect("the move wins").proof();
    let verdict = verify::check(&proof.bytes).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(verdict.counts.longest, proof.plies as usize);

    let start = Position::parse("h8o15", Rule::Freestyle, 15).unwrap();
    let none = Prover::prove_move_together(&mut provers, &start, point, &efforts(0), &Unwatched);
    assert!(none.is_none(), "two stones do not win by force");
}

/// Stops a prover after some decisions, as a killed run would.
struct Killed<'a>(&'a std::sync::Mutex<Vec<Decision>>, usize);

impl player::Watch for Killed<'_> {
    fn stopped(&self) -> bool {
        self.0.lock().unwrap().len() >= self.1
    }

    fn elapsed(&self) -> std::time::Duration {
        std::time::Duration::ZERO
    }
}

#[test]
fn a_stopped_proof_goes_on_from_its_log() {
    let position = Position::parse(POSITION, Rule::Freestyle, 15).unwrap();
    let effort = *efforts(2).last().unwrap();
    let log = std::sync::Mutex::new(Vec::new());
    let mut prover = Prover::new(8).with_log(|d: &Decision| log.lock().unwrap().push(d.clone()));
    assert_eq!(prover.prove(&position, effort, &Killed(&log, 1)), None);
    drop(prover);
    let lines: Vec<String> = log.lock().unwrap().iter().map(Decision::to_text).collect();

    let mut repeated = 0;
    let mut again = Prover::new(8)
        .with_log(|decision| repeated += usize::from(lines.contains(&decision.to_text())));
    for line in &lines {
        again.remember(&Decision::parse(line, Rule::Freestyle, 15).unwrap());
    }
    assert!(again.prove(&position, effort, &Unwatched).is_some());
    drop(again);
    assert_eq!(repeated, 0, "what was decided is not decided again");
}

/// Where Black wins, how, and the guidance of a small search.
fn guided() -> (Position, gomoku::Point, Guidance) {
    let position = Position::parse(POSITION, Rule::Freestyle, 15).unwrap();
    let guidance = Guidance { player_nodes: 100, moves: 3, nodes: 5_000 };
    (position, "j6".parse().unwrap(), guidance)
}

#[test]
fn guided_workers_find_decisions_that_prove_a_win() {
    let (position, point, guidance) = guided();
    for n_workers in [1, 2] {
        let log = std::sync::Mutex::new(Vec::new());
        let append = |decision: &Decision| log.lock().unwrap().push(decision.clone());
        let mut provers: Vec<_> = (0..n_workers).map(|_| Prover::new(8).with_log(append)).collect();
        let last = std::sync::Mutex::new(GuidedProgress::default());
        let told = |progress: &GuidedProgress| *last.lock().unwrap() = progress.clone();
        assert!(Prover::find_decisions(
            &mut provers,
            &position,
            point,
            guidance,
            &Unwatched,
            &told
        ));
        drop(provers);
        let last = last.into_inner().unwrap();
        assert!(last.open.is_empty() && last.settled > 0, "{last:?}");

        // They are all that is needed, and are not found again.
        let decisions = log.into_inner().unwrap();
        assert!(!decisions.is_empty());
        let mut again = Prover::new(8).with_log(|decision| panic!("decided {decision:?} again"));
        decisions.iter().for_each(|decision| again.remember(decision));
        let tree = again.prove_move(&position, point, &book_efforts(), &Unwatched).expect("a win");
        verify::check(&tree.proof().bytes).unwrap_or_else(|fault| panic!("{fault}"));
    }
}

#[test]
fn a_guided_search_gives_up_what_does_not_win_and_stops_when_told() {
    let (position, _, guidance) = guided();
    let find = |point: &str, watch: &dyn player::Watch| {
        let (point, mut provers) = (point.parse().unwrap(), [Prover::new(8)]);
        Prover::find_decisions(&mut provers, &position, point, guidance, watch, &|_| ())
    };
    // In a corner; no reply is looked for in vain for long.
    let small = Position::parse("b:a1 w:e5,e6,e7 b", Rule::Freestyle, 15).unwrap();
    let mut provers = [Prover::new(8)];
    let corner = "o15".parse().unwrap();
    assert!(!Prover::find_decisions(&mut provers, &small, corner, guidance, &Unwatched, &|_| ()));
    let never = std::sync::Mutex::new(Vec::new());
    assert!(!find("j6", &Killed(&never, 0)), "it was stopped before it began");
}
