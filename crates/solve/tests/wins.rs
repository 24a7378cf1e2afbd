//! Every claimed win is accepted by `verify`.

mod common;

use gomoku::{Color, Position, Rule, with_rule};
use player::{Limits, Unwatched};
use solve::{Finding, Kind, Solver};

#[derive(Debug, Default)]
struct Tally {
    wins: usize,
    none: usize,
    unknown: usize,
    nodes: u64,
    longest: u32,
    largest: usize,
}

fn solve(solver: &mut Solver, position: &Position, kind: Kind, tally: &mut Tally) {
    for attacker in Color::ALL {
        let answer = solver.solve(position, attacker, kind, &Limits::nodes(5_000), &Unwatched);
        tally.nodes += answer.nodes;
        match &answer.finding {
            Finding::Win(win) => {
                let proof = win.proof();
                let verdict = verify::check(&proof.bytes).unwrap_or_else(|fault| {
                    panic!(
                        "{fault}\n{} {kind:?} {attacker} {}\n{position}",
                        position.rule(),
                        position.to_text()
                    )
                });
                assert_eq!(verdict.claim.plies, proof.plies as usize);
                tally.wins += 1;
                tally.longest = tally.longest.max(win.plies);
                tally.largest = tally.largest.max(win.tree.move_count());
            }
            Finding::NoWin => tally.none += 1,
            Finding::Unknown => tally.unknown += 1,
        }
    }
}

#[test]
fn every_win_is_accepted() {
    let rounds: u64 = std::env::var("WIN_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    for rule in Rule::ALL {
        with_rule!(rule, R => {
            let mut solver = Solver::new(4);
            for kind in [Kind::Vcf, Kind::Vct] {
                let mut tally = Tally::default();
                for seed in 0..rounds {
                    let stones = 8 + (seed % 40) as usize;
                    let size = [15, 15, 11, 20][(seed % 4) as usize];
                    solve(&mut solver, &common::game::<R>(size, stones, seed), kind, &mut tally);
                    solve(&mut solver, &common::scatter::<R>(size, 2 * stones, seed), kind, &mut tally);
                }
                println!("{rule} {kind:?} {tally:?}");
                assert!(tally.wins > 0 && tally.none > 0);
            }
        });
    }
}
