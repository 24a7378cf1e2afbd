//! Makes the problems of `data/puzzles.txt`: positions from games of the papers' players in which
//! exactly one move wins by force, solved to the shortest win and verified.

use std::{collections::BTreeSet, time::Duration};

use gomoku::{Color, Position, Rule};
use player::{Limits, Player, Task, Unwatched};
use solve::{Kind, Solver};

fn main() {
    let mut registry = player::Registry::default();
    lab::register(&mut registry);
    println!(
        "# Problems with one winning move: rule, board, kind, plies, stones. Made by \
         examples/puzzles.rs."
    );
    let mut all = Vec::new();
    for rule in [Rule::Freestyle, Rule::Renju, Rule::Standard] {
        let wanted = if rule == Rule::Standard { 6 } else { 10 };
        let mut found = Vec::new();
        let set = book::shipped_for(rule, 15).expect("there is a set for 15x15");
        for (number, opening) in set.openings.iter().enumerate() {
            if found.len() >= wanted {
                break;
            }
            let mut seats: Vec<Box<dyn Player>> = ["greedy", "alpha-beta(depth=2)"]
                .iter()
                .map(|spec| registry.build(spec).expect("a player of the papers"))
                .collect();
            seats.rotate_left(number % 2);
            let start = Position::from_moves(rule, 15, opening).expect("an opening can be played");
            let one = problem(start, &mut seats);
            one.iter().for_each(|(_, line)| eprintln!("{line}"));
            found.extend(one);
        }
        all.extend(found);
    }
    all.sort();
    all.iter().for_each(|(_, line)| println!("{line}"));
}

/// Plays a game and gives its first position with exactly one winning move, if that is no trifle.
fn problem(mut position: Position, seats: &mut [Box<dyn Player>]) -> Option<(u32, String)> {
    let mut solver = Solver::new(16);
    for ply in position.moves().len()..60 {
        if position.outcome().is_some() {
            return None;
        }
        if ply >= 10
            && let Some(line) = judge(&mut solver, &position)
        {
            return Some(line);
        }
        let seat = &mut seats[usize::from(position.to_move() == Color::White)];
        let choice = seat.choose(&Task::new(position.clone(), Limits::depth(2)), &Unwatched);
        position.play(choice.point()?).ok()?;
    }
    None
}

fn judge(solver: &mut Solver, position: &Position) -> Option<(u32, String)> {
    let limits =
        Limits { nodes: Some(40_000), turn: Some(Duration::from_secs(5)), ..Limits::default() };
    for kind in [Kind::Vcf, Kind::Vct] {
        let moves = solver.first_moves(position, kind, &limits, &Unwatched);
        let wins: Vec<_> = moves.iter().filter(|(_, answer)| answer.win().is_some()).collect();
        let settled = moves.iter().all(|(_, answer)| answer.win().is_some() || answer.is_no_win());
        if wins.is_empty() && settled {
            continue;
        }
        if wins.len() != 1 || !settled {
            return None;
        }
        let best = solver.shortest(position, position.to_move(), kind, &limits, &Unwatched);
        let win = best.answer.win().filter(|win| win.plies >= 7)?;
        verify::check(&win.proof().bytes).ok()?;
        let distinct: BTreeSet<_> = win.line().into_iter().collect();
        if distinct.len() != win.line().len() {
            return None;
        }
        let name = if kind == Kind::Vcf { "vcf" } else { "vct" };
        let rule = position.rule();
        let stones = Position::from_board(rule, *position.board(), position.to_move()).to_text();
        return Some((win.plies, format!("{rule} 15 {name} {} {stones}", win.plies)));
    }
    None
}
