//! Has the solver solve the problems of a suite, each within its time on one core.

use std::time::Duration;

use player::{Limits, Watch};
use solve::{Finding, Kind, Win, solve_position};

use crate::{
    Clock,
    plain::{self, Verdict},
    problem::{self, Problem, SUITE, kind_name},
};

const MEGABYTES: usize = 16;
/// A second opinion may look at so many turns.
const TURNS: u64 = 3_000_000;

#[derive(Default)]
struct Tally {
    times: Vec<Duration>,
    wins: usize,
    long_wins: usize,
    none: usize,
    many_fours: usize,
    late: usize,
    nodes: u64,
}

/// The time for one problem.
fn time_for(kind: Kind) -> Duration {
    match kind {
        Kind::Vcf => Duration::from_secs(1),
        Kind::Vct => Duration::from_secs(10),
    }
}

/// Solves every problem and prints the counts; an error if an answer is wrong.
pub(crate) fn run(options: &[&str]) -> Result<(), String> {
    let (again, path) = match options {
        [] => (false, None),
        ["--again"] => (true, None),
        ["--again", path] => (true, Some(path)),
        [path] => (false, Some(path)),
        _ => return Err(crate::USAGE.to_owned()),
    };
    let text = match path {
        Some(path) => std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?,
        None => SUITE.to_owned(),
    };
    let problems = problem::read(&text)?;
    for kind in [Kind::Vcf, Kind::Vct] {
        let mut tally = Tally::default();
        for problem in problems.iter().filter(|problem| problem.kind == kind) {
            if again {
                decide_again(problem)?;
            }
            solve(problem, &mut tally)?;
        }
        print(kind, &mut tally);
    }
    Ok(())
}

/// Whether the answer in the file is still that of the plain search.
fn decide_again(problem: &Problem) -> Result<(), String> {
    let found = plain::search(&problem.position, problem.kind == Kind::Vct, TURNS, &[]);
    let agrees = match found {
        Verdict::Win(plies) => problem.answer == Some(plies),
        Verdict::None => problem.answer.is_none(),
        Verdict::Unknown => {
            println!("not decided again: {}", problem.to_text());
            return Ok(());
        }
    };
    if agrees { Ok(()) } else { Err(format!("found {found:?}: {}", problem.to_text())) }
}

fn solve(problem: &Problem, tally: &mut Tally) -> Result<(), String> {
    let Problem { kind, answer, position, .. } = problem;
    let limits = Limits::turn(time_for(*kind));
    let clock = Clock::start();
    let found = solve_position(position, Some(*kind), MEGABYTES, &limits, &clock);
    tally.times.push(clock.elapsed());
    tally.nodes += found.nodes;
    match (&found.finding, answer) {
        (Finding::Win(win), Some(plies)) => {
            check(problem, win)?;
            tally.wins += 1;
            tally.long_wins += usize::from(*plies >= 15);
        }
        (Finding::NoWin, None) => {
            tally.none += 1;
            tally.many_fours += usize::from(plain::count_fours(position) >= 8);
        }
        (Finding::Unknown, _) => {
            tally.late += 1;
            println!("not settled in time: {}", problem.to_text());
        }
        _ => return Err(format!("the solver is wrong about {}", problem.to_text())),
    }
    Ok(())
}

/// Whether `verify` accepts the win, and it is a win of this very position.
fn check(problem: &Problem, win: &Win) -> Result<(), String> {
    let told = |what: &str| format!("{what} {}", problem.to_text());
    let verdict = verify::check(&win.proof().bytes).map_err(|f| told(&f.to_string()))?;
    let names = |points: &[verify::Point]| points.iter().map(ToString::to_string).collect();
    let stones: [Vec<String>; 2] = [names(&verdict.claim.black), names(&verdict.claim.white)];
    let board = problem.position.board();
    let asked: [Vec<String>; 2] = gomoku::Color::ALL
        .map(|color| board.stones(color).iter().map(|point| point.to_string()).collect());
    let same = stones == asked
        && verdict.claim.rule.to_string() == problem.position.rule().name()
        && verdict.claim.attacker.to_string().to_lowercase()
            == problem.position.to_move().to_string()
        && verdict.claim.to_move == verdict.claim.attacker;
    let shortest = problem.answer.is_none_or(|plies| plies <= win.plies);
    match () {
        _ if !same => Err(told("the proof is of another position:")),
        _ if !shortest => Err(told(&format!("{} plies are too few for", win.plies))),
        _ => Ok(()),
    }
}

fn print(kind: Kind, tally: &mut Tally) {
    let Tally { times, wins, long_wins, none, many_fours, late, nodes } = tally;
    times.sort();
    let all = times.len();
    let total: Duration = times.iter().sum();
    let speed = *nodes as f64 / total.as_secs_f64().max(1e-9);
    let settled = 100.0 * (all - *late) as f64 / all.max(1) as f64;
    println!(
        "{} {all} problems, {settled:.1} % settled within {} s",
        kind_name(kind),
        time_for(kind).as_secs()
    );
    println!("    {wins} wins, each verified, {long_wins} of them of 15 plies or more");
    println!("    {none} without, {many_fours} of them with eight fours or more");
    if let (Some(median), Some(slowest)) = (times.get(all / 2), times.last()) {
        println!("    median {median:.2?}, slowest {slowest:.2?}, {speed:.0} nodes a second");
    }
}
