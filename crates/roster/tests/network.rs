//! The engine's network as an evaluation of the lab.

use gomoku::{Position, Rule};
use player::{Limits, Task, Unwatched};

fn registry() -> player::Registry {
    roster::players(roster::Outside::default())
}

#[test]
fn the_lab_judges_as_the_engine_does() {
    for rule in Rule::ALL {
        for text in ["h8", "h8i9i7g9", "h8h9i8g8j8k8j9i10"] {
            let position = Position::parse(text, rule, 15).unwrap();
            let value = |player: &str| registry().build(player).unwrap().explain(&position).value;
            let ours = value("alpha-beta(eval=network)");
            assert_eq!(ours, value("engine"), "{rule} {text}");
            assert!(ours.is_some());
        }
    }
}

#[test]
fn what_a_network_never_saw_is_not_asked_of_it() {
    let value = |text: &str| {
        let position = Position::parse(text, Rule::Freestyle, 15).unwrap();
        engine::evaluate(position.board(), position.to_move(), Rule::Freestyle)
    };
    let won = value("h8a1i8c1j8e1k8g1"); // Black completes five
    assert!(won >= 4_000);
    assert_eq!(value("h8a1i8c1j8e1"), won, "an open four");
    assert_eq!(value("h8a1i8c1j8e1k8"), -won, "a five cannot be stopped on both sides");
    let stopped = value("h8g8i8c1j8e1k8"); // White must play l8
    let after = value("h8g8i8c1j8e1k8l8");
    assert_eq!(stopped, -after);
    assert!(stopped.abs() < 4_000);
}

#[test]
fn the_papers_searches_agree_with_a_network_too() {
    let task =
        Task::new(Position::parse("h8i9i7g9h7g7", Rule::Freestyle, 15).unwrap(), Limits::default());
    let score = |player: &str| registry().build(player).unwrap().choose(&task, &Unwatched).score;
    let minimax = score("minimax(eval=network, depth=2, moves=near(1)|top(8))");
    let alpha_beta = score("alpha-beta(eval=network, depth=2, moves=near(1)|top(8))");
    assert!(minimax.is_some());
    assert_eq!(minimax, alpha_beta);
}
