//! Times the solver on the wins of a suite, to be compared with other solvers.
//!
//! Every question is asked several times, each time of a new solver. The first time and the shortest
//! are printed, in microseconds, with the making of the board and of the table. The tables of the rule
//! are there before the first.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use gomoku::Rule;
use player::{Limits, Unwatched};
use solve::{Kind, solve_position};

use crate::problem::{self, Problem, SUITE, kind_name};

const MEGABYTES: usize = 16;
/// How often each is asked.
const TIMES: usize = 20;
/// Slow questions are asked less often.
const ENOUGH: Duration = Duration::from_secs(1);

#[derive(Clone, Copy)]
struct Times {
    first: f64,
    best: f64,
}

/// Prints the times of the problems of a rule that are wins and have a move list.
pub(crate) fn run(options: &[&str]) -> Result<(), String> {
    let usage = || crate::USAGE.to_owned();
    let (rule, times) = match options {
        [] => (Rule::Renju, TIMES),
        [rule] => (rule.parse().map_err(|_| usage())?, TIMES),
        [rule, times] => (rule.parse().map_err(|_| usage())?, times.parse().map_err(|_| usage())?),
        _ => return Err(usage()),
    };
    let problems = problem::read(SUITE)?;
    let is_asked = |p: &&Problem| {
        p.position.rule() == rule && p.answer.is_some() && !p.position.moves().is_empty()
    };
    let asked: Vec<&Problem> = problems.iter().filter(is_asked).collect();
    for kind in [Kind::Vcf, Kind::Vct] {
        let mut all = Vec::new();
        for problem in asked.iter().filter(|problem| problem.kind == kind) {
            let told = |error| format!("{error} {}", problem.to_text());
            let (times, nodes) = measure(problem, times).map_err(told)?;
            let Times { first, best } = times;
            let plies = problem.answer.unwrap_or(0);
            let name = kind_name(kind);
            println!("{name} {plies} first {first:.1} best {best:.1} nodes {nodes}");
            all.push(times);
        }
        let median = |of: fn(&Times) -> f64| {
            let mut values: Vec<f64> = all.iter().map(of).collect();
            values.sort_by(f64::total_cmp);
            values.get(values.len() / 2).copied().unwrap_or(0.0)
        };
        println!(
            "== {} {} wins: median of the first {:.1} us, of the best {:.1} us",
            kind_name(kind),
            all.len(),
            median(|times| times.first),
            median(|times| times.best)
        );
    }
    Ok(())
}

fn measure(problem: &Problem, times: usize) -> Result<(Times, u64), String> {
    let Problem { kind, position, .. } = problem;
    let (kind, limits) = (*kind, Limits::default());
    let mut nodes = 0;
    let (first, best) = repeat(times, || {
        let answer = solve_position(position, Some(kind), MEGABYTES, &limits, &Unwatched);
        nodes = answer.nodes;
        answer.win().is_some()
    })?;
    Ok((Times { first, best }, nodes))
}

/// The time of the first call and the shortest, in microseconds; an error if one says no.
fn repeat(most: usize, mut call: impl FnMut() -> bool) -> Result<(f64, f64), String> {
    let begun = Instant::now();
    let mut times = Vec::new();
    while times.len() < most && (times.is_empty() || begun.elapsed() < ENOUGH) {
        let start = Instant::now();
        let is_won = black_box(call());
        times.push(start.elapsed().as_secs_f64() * 1e6);
        if !is_won {
            return Err("A win was not found.".to_owned());
        }
    }
    let best = times.iter().copied().fold(f64::INFINITY, f64::min);
    Ok((times[0], best))
}
