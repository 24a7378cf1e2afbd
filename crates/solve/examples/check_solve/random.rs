//! Asks the solver about random positions of all rules and has every claimed win verified.

use gomoku::{Color, Position, Rule, Rules, with_rule};
use player::{Limits, Unwatched};
use solve::{Finding, Kind, Solver};

use crate::common;

const NODES: u64 = 3_000;

#[derive(Debug, Default)]
struct Tally {
    wins: u64,
    none: u64,
    unknown: u64,
    longest: u32,
}

/// Runs so many calls and prints what they came to.
pub(crate) fn run(options: &[&str]) -> Result<(), String> {
    let (mut calls, mut seed) = (100_000_u64, 1_u64);
    for pair in options.chunks(2) {
        let number = pair.get(1).and_then(|word| word.parse().ok());
        match (pair[0], number) {
            ("--positions", Some(number)) => calls = number,
            ("--seed", Some(number)) => seed = number,
            _ => return Err(crate::USAGE.to_owned()),
        }
    }
    let share = calls.div_ceil(Rule::ALL.len() as u64);
    let mut wins = 0;
    for rule in Rule::ALL {
        let tally = with_rule!(rule, R => run_rule::<R>(share, seed)?);
        println!(
            "{rule:<11} {share} calls: {} wins, all verified, the longest {} plies; {} proved \
             without, {} open",
            tally.wins, tally.longest, tally.none, tally.unknown
        );
        wins += tally.wins;
    }
    println!("{} calls, {wins} wins, none rejected", share * Rule::ALL.len() as u64);
    Ok(())
}

fn run_rule<R: Rules>(calls: u64, seed: u64) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let mut solver = Solver::new(4);
    let kinds = [Kind::Vcf, Kind::Vct];
    for call in 0..calls {
        // Four questions to each position: either color, either kind.
        let number = (seed << 32) | (call / 4);
        let position = position::<R>(number);
        let attacker = Color::of_turn(call as usize & 1);
        let kind = kinds[call as usize >> 1 & 1];
        ask(&mut solver, &position, attacker, kind, &mut tally)?;
    }
    Ok(tally)
}

fn position<R: Rules>(number: u64) -> Position {
    let size = [15, 15, 15, 11, 20, 7][(number % 6) as usize];
    let stones = (8 + (number / 6 % 40) as usize).min(usize::from(size) * usize::from(size) / 3);
    if (number / 240).is_multiple_of(2) {
        common::game::<R>(size, stones, number)
    } else {
        common::scatter::<R>(size, 2 * stones, number)
    }
}

fn ask(
    solver: &mut Solver,
    position: &Position,
    attacker: Color,
    kind: Kind,
    tally: &mut Tally,
) -> Result<(), String> {
    let answer = solver.solve(position, attacker, kind, &Limits::nodes(NODES), &Unwatched);
    match &answer.finding {
        Finding::Win(win) => {
            let told = |what: String| {
                format!(
                    "{what}\n{} {kind:?} for {attacker}: {}",
                    position.rule(),
                    position.to_text()
                )
            };
            let verdict = verify::check(&win.proof().bytes).map_err(|f| told(f.to_string()))?;
            if verdict.counts.longest > win.plies as usize {
                return Err(told(format!("{} plies are claimed, {verdict}", win.plies)));
            }
            tally.wins += 1;
            tally.longest = tally.longest.max(win.plies);
        }
        Finding::NoWin => tally.none += 1,
        Finding::Unknown => tally.unknown += 1,
    }
    Ok(())
}
