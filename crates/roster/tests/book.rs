//! The player that wins the proved openings and opens by a book.

use gomoku::{Position, Rule, Symmetry};
use player::{Choice, Limits, Reason, Task, Unwatched};
use roster::Outside;
use solve::{Lookup, ProvedBook};

fn ask(player: &str, position: &Position) -> Choice {
    let mut player = roster::players(Outside::default()).build(player).expect("a player");
    player.choose(&Task::new(position.clone(), Limits::nodes(50_000)), &Unwatched)
}

#[test]
fn proved_openings_are_won_by_the_book() {
    let book = ProvedBook::of(Rule::Freestyle, 15).expect("a shipped book");
    let opening = &book.openings[0];
    for symmetry in Symmetry::all() {
        let start = opening.start(book).transformed(symmetry);
        let choice = ask("book", &start);
        assert_eq!(ask("engine", &start).point(), choice.point(), "the engine knows it too");
        let mut after = start.clone();
        after.play(choice.point().expect("a move")).expect("a legal move");
        let mut expected = opening.start(book);
        expected.play(opening.point).expect("the book's move is legal");
        assert_eq!(after.board().canonical().0, expected.board().canonical().0);
        let said = format!("book: proved win, at most {} plies", opening.plies);
        assert_eq!(choice.reason.to_string(), said);
    }
}

#[test]
fn without_the_book_and_elsewhere_the_player_thinks() {
    let book = ProvedBook::of(Rule::Freestyle, 15).expect("a shipped book");
    let start = book.openings[0].start(book);
    assert!(!matches!(ask("book(name=none,player=greedy)", &start).reason, Reason::Book(_)));
    let moves = start.moves();
    let other = Position::from_moves(Rule::Renju, 15, moves).expect("the same moves");
    let said = ask("book(player=greedy)", &other).reason.to_string();
    assert!(!said.contains("proved"), "{said}");
    let mut task = Task::new(start.clone(), Limits::nodes(1_000));
    task.exclude = vec![book.openings[0].point];
    let mut player =
        roster::players(Outside::default()).build("book(player=greedy)").expect("a player");
    assert_ne!(player.choose(&task, &Unwatched).point(), Some(book.openings[0].point));
}

#[test]
fn a_forced_reply_of_the_book_comes_with_its_proof() {
    let book = ProvedBook::of(Rule::Freestyle, 15).expect("a shipped book");
    let lookup = Lookup::new(book);
    let mut position = book.openings[0].start(book);
    // Follows the book, White playing the first point that is free.
    let choice = loop {
        let choice = ask("book(player=greedy)", &position);
        if lookup.get(&position).is_some_and(|known| known.point.is_none()) {
            break choice;
        }
        position.play(choice.point().expect("a move")).expect("a legal move");
        let reply = position.board().empty().first().expect("the board is not full");
        position.play(reply).expect("a free point");
    };
    let proof = choice.proof.expect("a proof");
    verify::check(&proof.bytes).unwrap_or_else(|fault| panic!("{fault}"));
}
