//! A part of the problem suite. The whole of it, timed: `cargo xtask check suite`.

#[path = "../examples/check_solve/plain.rs"]
#[allow(dead_code, reason = "the suite's maker uses more of it")]
mod plain;
#[path = "../examples/check_solve/problem.rs"]
#[allow(dead_code, reason = "the suite's maker uses more of it")]
mod problem;

use player::{Limits, Unwatched};
use solve::{Finding, Kind, solve_position};

use plain::Verdict;
use problem::{Problem, SUITE};

const NODES: u64 = 100_000;

fn part(step: usize) -> Vec<Problem> {
    let problems = problem::read(SUITE).unwrap_or_else(|error| panic!("{error}"));
    problems.into_iter().step_by(step).collect()
}

#[test]
fn the_solver_is_never_wrong() {
    let problems = part(9);
    let mut open = 0;
    for problem in &problems {
        let Problem { kind, answer, position, .. } = problem;
        let found = solve_position(position, Some(*kind), 1, &Limits::nodes(NODES), &Unwatched);
        let text = problem.to_text();
        match (found.finding, answer) {
            (Finding::Win(win), Some(plies)) => {
                assert!(win.plies >= *plies, "{} plies are too few for {text}", win.plies);
                verify::check(&win.proof().bytes).unwrap_or_else(|f| panic!("{f} {text}"));
            }
            (Finding::NoWin, None) => {}
            (Finding::Unknown, _) => open += 1,
            (finding, _) => panic!("{finding:?}: {text}"),
        }
    }
    assert!(open * 20 <= problems.len(), "{open} of {} are open", problems.len());
}

#[test]
fn the_answers_are_those_of_the_plain_search() {
    let mut decided = 0;
    for problem in part(11) {
        let threats = problem.kind == Kind::Vct;
        let found = plain::search(&problem.position, threats, 1_000, &[]);
        let text = problem.to_text();
        match found {
            Verdict::Win(plies) => assert_eq!(problem.answer, Some(plies), "{text}"),
            Verdict::None => assert_eq!(problem.answer, None, "{text}"),
            Verdict::Unknown => continue,
        }
        decided += 1;
    }
    assert!(decided > 10, "only {decided} were decided");
}

#[test]
fn the_suite_is_large_enough() {
    let problems = part(1);
    let of = |kind: Kind| problems.iter().filter(|p| p.kind == kind).count();
    assert!(of(Kind::Vcf) >= 300, "{} VCF", of(Kind::Vcf));
    assert!(of(Kind::Vct) >= 150, "{} VCT", of(Kind::Vct));
    let long = problems.iter().filter(|p| p.answer.is_some_and(|plies| plies >= 15)).count();
    assert!(long >= 100, "{long} long wins");
    let many = |p: &&Problem| {
        p.kind == Kind::Vcf && p.answer.is_none() && plain::count_fours(&p.position) >= 8
    };
    let many = problems.iter().filter(many).count();
    assert!(many >= 50, "{many} positions with many fours and no win by them");
}
