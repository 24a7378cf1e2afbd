//! The book that comes with the program: read, written, and a part of it proved and verified.

use std::collections::BTreeSet;

use gomoku::{Point, Position, Rule, Symmetry};
use player::Unwatched;
use solve::{Decision, Known, Lookup, ProvedBook, ProvedOpening, Prover, book_efforts};

#[test]
fn the_books_are_read_and_written() {
    for book in ProvedBook::shipped() {
        assert_eq!(book.to_string().parse().as_ref(), Ok(book));
        for opening in &book.openings {
            assert_eq!(opening.moves.len(), 2);
            assert!(opening.digest.is_some(), "{} has not been verified", opening.name());
            assert!(opening.decisions(book).len() > 100);
            for symmetry in Symmetry::all() {
                let image = opening.start(book).transformed(symmetry);
                assert_eq!(book.opening(&image), Some(opening));
            }
        }
    }
}

#[test]
fn every_second_move_is_in_the_book_or_open() {
    let book = ProvedBook::of(Rule::Freestyle, 15).unwrap();
    let seconds = book.second_moves();
    assert_eq!(seconds.len(), 35);
    let open: Vec<String> = book.open().iter().map(Point::to_string).collect();
    assert_eq!(open, ["i9"]);
    assert_eq!(book.openings.len() + open.len(), 35);
    // In the order of the book, and every point of the board is an image of one of them.
    assert!(seconds.iter().filter_map(|&(_, opening)| opening).eq(&book.openings));
    let images: BTreeSet<_> = seconds
        .iter()
        .flat_map(|&(second, _)| Symmetry::all().map(move |s| s.apply(second, 15).index()))
        .collect();
    assert_eq!(images.len(), 224);
}

#[test]
fn the_digest_of_all_is_the_one_that_the_documents_say() {
    let text = include_str!("../../../docs/solved.md");
    for book in ProvedBook::shipped() {
        let digest = book.digest().expect("every opening has been verified");
        assert!(text.contains(&digest), "{}: {digest}", book.name());
        let longest = book.longest().expect("a book has openings");
        assert!(book.openings.iter().all(|opening| opening.plies <= longest.plies));
    }
    let mut other = ProvedBook::shipped()[0].clone();
    other.openings.swap(0, 1);
    assert_ne!(other.digest(), ProvedBook::shipped()[0].digest());
    other.openings[0].digest = None;
    assert_eq!(other.digest(), None);
}

#[test]
fn a_subtree_of_the_book_is_proved_and_verified() {
    let book = ProvedBook::of(Rule::Freestyle, 15).unwrap();
    let opening = &book.openings[0];
    let mut prover = Prover::new(16);
    opening.decisions(book).iter().for_each(|decision| prover.remember(decision));
    let mut position = opening.start(book);
    position.play(opening.point).unwrap();
    position.play("a2".parse().unwrap()).unwrap();
    let tree =
        book_efforts().iter().find_map(|&effort| prover.prove(&position, effort, &Unwatched));
    let proof = tree.expect("the book's decisions win").proof();
    assert!(proof.plies + 2 <= opening.plies);
    verify::check(&proof.bytes).unwrap_or_else(|fault| panic!("{fault}"));
}

#[test]
fn every_image_of_a_position_of_the_book_is_looked_up() {
    let text = "tengen proved book 2\nfreestyle 15 16\nh8 o14 : g9 47 : * f8 ( g7 f10 ) a1 -\n";
    let lookup = Lookup::new(&text.parse().unwrap());
    let at = |moves: &str| Position::parse(moves, Rule::Freestyle, 15).unwrap();
    for symmetry in Symmetry::all() {
        let image = |moves: &str| lookup.get(&at(moves).transformed(symmetry));
        let quiet = |point: &str, plies| {
            let point = symmetry.apply(point.parse().unwrap(), 15);
            Some(Known { point: Some(point), plies })
        };
        assert_eq!(image("h8o14"), quiet("g9", 47));
        assert_eq!(image("h8o14g9a2"), quiet("f8", 45));
        assert_eq!(image("h8a2g9o14"), quiet("f8", 45), "another order of the moves");
        assert_eq!(image("h8o14g9a2f8g7"), quiet("f10", 43));
        // What is not written down is forced.
        assert_eq!(image("h8o14g9a1"), Some(Known { point: None, plies: 45 }));
        assert_eq!(image("h8o14g9a2f8o1"), Some(Known { point: None, plies: 43 }));
        // Another move of Black, another side to move, another game.
        assert_eq!(image("h8o14g8a2"), None);
        assert_eq!(image("h8o14g9"), None);
    }
    assert_eq!(lookup.get(&Position::parse("h8o14", Rule::Standard, 15).unwrap()), None);
    assert_eq!(lookup.get(&at("h8")), None);
}

#[test]
fn decisions_are_collected_without_loss() {
    let start = Position::parse("h8o15", Rule::Freestyle, 15).unwrap();
    let texts = ["b:h8,g9 w:o14,o15 b f8", "b:h8,g9 w:o13,o15 b f8", "b:h8,g9 w:n15,o15 b h10"];
    let given: Vec<Decision> = texts
        .iter()
        .map(|text| {
            let decision = Decision::parse(text, Rule::Freestyle, 15).unwrap();
            let (board, symmetry) = decision.position.board().canonical();
            let position = Position::from_board(Rule::Freestyle, board, gomoku::Color::Black);
            Decision { position, point: symmetry.apply(decision.point, 15) }
        })
        .collect();
    let opening = ProvedOpening::collect(&start, "g9".parse().unwrap(), 47, &given);
    let book = ProvedBook { rule: Rule::Freestyle, size: 15, memory: 16, openings: vec![opening] };
    let book: ProvedBook = book.to_string().parse().unwrap();
    let mut found = book.openings[0].decisions(&book);
    // Mirrored replies are the same decision.
    found.sort_by_key(Decision::to_text);
    found.dedup();
    let mut given = given;
    given.sort_by_key(Decision::to_text);
    assert_eq!(found, given);
}

#[test]
fn other_texts_are_no_books() {
    for bad in [
        "",
        "tengen proved book 1\nfreestyle 15 16\n",
        "tengen proved book 2\nfreestyle 15\n",
        "tengen proved book 2\nfreestyle 15 0\n",
        "tengen proved book 2\nfreestyle 15 16\nh8 o15 : g9 47 8f7e :\n",
        "tengen proved book 2\nfreestyle 4 16\n",
        "tengen proved book 2\nfreestyle 15 16\nh8 o15 : g9\n",
        "tengen proved book 2\nfreestyle 15 16\nh8 o15 : h8 47 :\n",
        "tengen proved book 2\nfreestyle 15 16\nh8 o15 : g9 47 : a1\n",
        "tengen proved book 2\nfreestyle 15 16\nh8 o15 : g9 47 : a1 b1 ( c1 d1\n",
    ] {
        assert!(bad.parse::<ProvedBook>().is_err(), "{bad}");
    }
}
