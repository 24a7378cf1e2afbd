//! Opening protocols step by step, and the 26 named openings in every guise.

use gomoku::{
    Color, Point, Position, Rule, Symmetry,
    opening::{
        Action, Allowed, NamedOpening, Opening, OpeningError, Protocol, Seat, are_symmetric,
        name_of,
    },
    zobrist::split_mix,
};

fn p(text: &str) -> Point {
    text.parse().unwrap()
}

fn ps<const N: usize>(text: [&str; N]) -> [Point; N] {
    text.map(p)
}

fn start(protocol: Protocol) -> Opening {
    Opening::new(protocol, Rule::Renju, 15).unwrap()
}

/// Answers in turn, each by the seat that has to be asked.
fn run(protocol: Protocol, answers: &[(Seat, Action)]) -> Opening {
    let mut opening = start(protocol);
    for (seat, action) in answers {
        let ask = opening.ask().unwrap_or_else(|| panic!("{action:?} comes after the opening"));
        assert_eq!(ask.seat, *seat, "{action:?}");
        opening.answer(action).unwrap_or_else(|error| panic!("{action:?}: {error}"));
    }
    opening
}

const FIRST: Seat = Seat::First;
const SECOND: Seat = Seat::Second;

#[test]
fn free_asks_nothing() {
    assert!(start(Protocol::Free).is_over());
    assert_eq!(start(Protocol::Free).answer(&Action::Swap), Err(OpeningError::Over));
}

#[test]
fn swap_and_swap1() {
    let three = Action::PlaceThree(ps(["h8", "a1", "o15"]));
    let swapped = run(Protocol::Swap, &[(FIRST, three.clone()), (SECOND, Action::Swap)]);
    assert!(swapped.is_over());
    assert_eq!((swapped.black(), swapped.position().to_move()), (SECOND, Color::White));
    let kept = run(Protocol::Swap, &[(FIRST, three), (SECOND, Action::Place(p("b2")))]);
    assert!(kept.is_over());
    assert_eq!((kept.black(), kept.position().to_text().as_str()), (FIRST, "h8a1o15b2"));
    let one = [(FIRST, Action::Place(p("a1"))), (SECOND, Action::Swap)];
    let one = run(Protocol::Swap1, &one);
    assert!(one.is_over() && one.seat_of(Color::White) == FIRST);
}

#[test]
fn swap2_has_four_ends() {
    let three = (FIRST, Action::PlaceThree(ps(["h8", "i9", "k8"])));
    let two = (SECOND, Action::PlaceTwo(ps(["a1", "b1"])));
    let ends: [(&[_], Seat, usize); 4] = [
        (&[three.clone(), (SECOND, Action::Swap)], SECOND, 3),
        (&[three.clone(), (SECOND, Action::Place(p("a1")))], FIRST, 4),
        // Swapping after five stones means taking Black, moving means being White.
        (&[three.clone(), two.clone(), (FIRST, Action::Swap)], FIRST, 5),
        (&[three.clone(), two.clone(), (FIRST, Action::Place(p("c1")))], SECOND, 6),
    ];
    for (answers, black, stones) in ends {
        let end = run(Protocol::Swap2, answers);
        assert!(end.is_over());
        assert_eq!((end.black(), end.position().board().len()), (black, stones));
    }
    let mut after_three = run(Protocol::Swap2, std::slice::from_ref(&three));
    assert_eq!(after_three.answer(&three.1), Err(OpeningError::NotAsked));
    let taken = after_three.answer(&Action::Place(p("h8"))).unwrap_err();
    assert_eq!(taken.to_string(), "h8 is not one of the points that the opening allows now.");
    assert_eq!(after_three.position().board().len(), 3, "a refused answer changes nothing");
    let twice = after_three.answer(&Action::PlaceTwo(ps(["a1", "a1"])));
    assert_eq!(twice, Err(OpeningError::Point(p("a1"))));
}

#[test]
fn pro_and_long_pro_keep_the_third_stone_out() {
    for (protocol, inside, outside) in
        [(Protocol::Pro, "j10", "k8"), (Protocol::LongPro, "k11", "l8")]
    {
        let two = [(FIRST, Action::Place(p("h8"))), (SECOND, Action::Place(p("h9")))];
        let mut opening = run(protocol, &two);
        assert_eq!(opening.answer(&Action::Place(p(inside))), Err(OpeningError::Point(p(inside))));
        opening.answer(&Action::Place(p(outside))).unwrap();
        assert!(opening.is_over() && opening.black() == FIRST);
    }
    let off_center = start(Protocol::Pro).answer(&Action::Place(p("h9")));
    assert_eq!(off_center, Err(OpeningError::Point(p("h9"))));
    let small = Opening::new(Protocol::LongPro, Rule::Freestyle, 7).unwrap_err().to_string();
    assert_eq!(small, "The long-pro opening needs a board of 9x9 to 22x22, not 7x7.");
}

#[test]
fn rif() {
    let mut opening = start(Protocol::Rif);
    let unnamed = Action::PlaceThree(ps(["h8", "h10", "a1"]));
    assert_eq!(opening.answer(&unnamed), Err(OpeningError::NotNamed));
    // Kagetsu, which is symmetric in no way once the fourth stone stands aside.
    let opening = run(
        Protocol::Rif,
        &[
            (FIRST, Action::PlaceThree(ps(["h8", "h9", "i9"]))),
            (SECOND, Action::Swap),
            (FIRST, Action::Place(p("j11"))),
            (SECOND, Action::Offer(ps(["g7", "i7"]).to_vec())),
            (FIRST, Action::Pick { fifth: p("i7"), sixth: p("g7") }),
        ],
    );
    assert!(opening.is_over());
    assert_eq!(opening.black(), SECOND);
    assert_eq!(opening.position().to_text(), "h8h9i9j11i7g7");
}

#[test]
fn offers_must_be_different_in_earnest() {
    // Black h8 and h10, White h9: one axis is the column, the other runs through White's stone.
    let mut opening = run(
        Protocol::Rif,
        &[(FIRST, Action::PlaceThree(ps(["h8", "h9", "h10"]))), (SECOND, Action::Place(p("h12")))],
    );
    let offer = |text: &[&str]| Action::Offer(text.iter().map(|text| p(text)).collect());
    let mut error = |text: &[&str]| opening.answer(&offer(text)).unwrap_err().to_string();
    let mirrored = "g8 and i8 are symmetric: they would be the same offer.";
    assert_eq!(error(&["g8", "i8"]), mirrored);
    assert_eq!(error(&["g8"]), "2 different fifth stones must be offered, not 1.");
    assert_eq!(error(&["g8", "g8"]), "2 different fifth stones must be offered, not 1.");
    assert_eq!(error(&["g8", "h9"]), "h9 is not one of the points that the opening allows now.");
    opening.answer(&offer(&["g8", "i10"])).unwrap();
    let picked = opening.answer(&Action::Pick { fifth: p("g9"), sixth: p("a1") });
    assert_eq!(picked, Err(OpeningError::NotOffered(p("g9"))));
    // With the fourth stone on the row of the second, that row is an axis too, off the center.
    let position = Position::parse("h8h9h10j9", Rule::Renju, 15).unwrap();
    assert!(are_symmetric(&position, p("g8"), p("g10")));
    assert!(!are_symmetric(&position, p("g8"), p("i10")));
}

#[test]
fn soosyrv_declares_and_swaps_twice() {
    let three = (FIRST, Action::PlaceThree(ps(["h8", "i9", "i7"])));
    let mut opening = run(Protocol::Soosyrv8, std::slice::from_ref(&three));
    let many = opening.answer(&Action::PlaceAndDeclare(p("a1"), 9)).unwrap_err().to_string();
    assert_eq!(many, "9 fifth stones cannot be declared: 1 to 8 can.");
    assert!(opening.answer(&Action::PlaceAndDeclare(p("a1"), 0)).is_err());
    let opening = run(
        Protocol::Soosyrv8,
        &[
            three,
            (SECOND, Action::PlaceAndDeclare(p("j12"), 3)),
            (FIRST, Action::Swap),
            (SECOND, Action::Offer(ps(["a1", "b1", "c1"]).to_vec())),
            (FIRST, Action::Pick { fifth: p("b1"), sixth: p("o15") }),
        ],
    );
    assert!(opening.is_over() && opening.black() == SECOND);
}

#[test]
fn taraguchi_grows_or_offers_ten() {
    let three = [
        (FIRST, Action::Place(p("h8"))),
        (SECOND, Action::Place(p("i9"))),
        (FIRST, Action::Swap),
        (SECOND, Action::Place(p("j6"))),
        (FIRST, Action::Place(p("k11"))),
    ];
    let opening = run(Protocol::Taraguchi10, &three);
    assert_eq!(opening.black(), SECOND);
    let ask = opening.ask().unwrap();
    assert_eq!((ask.seat, ask.allowed.len()), (SECOND, 3));
    assert!(matches!(ask.allowed[1], Allowed::Place(points) if points.len() == 77));
    // After a swap the stone must be within 9x9, and there are no offers.
    let mut swapped = opening.clone();
    swapped.answer(&Action::Swap).unwrap();
    assert!(matches!(swapped.ask().unwrap().allowed[..], [Allowed::Place(_)]));
    swapped.answer(&Action::Place(p("d4"))).unwrap();
    swapped.answer(&Action::Swap).unwrap();
    assert!(swapped.is_over() && swapped.black() == SECOND);
    let ten = ["a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1", "j1"].map(p).to_vec();
    let mut offered = opening;
    offered.answer(&Action::Offer(ten)).unwrap();
    assert_eq!(offered.ask().unwrap().seat, FIRST);
    offered.answer(&Action::Pick { fifth: p("e1"), sixth: p("e2") }).unwrap();
    assert!(offered.is_over());
    let far = start(Protocol::Taraguchi10).answer(&Action::Place(p("h9")));
    assert!(far.is_err());
}

/// Takes every kind of answer at random, and checks what has to hold for all protocols.
#[test]
fn every_walk_ends_and_alternates() {
    let mut state = 1u64;
    let mut random = move |below: usize| {
        state = split_mix(state);
        (state >> 33) as usize % below
    };
    for protocol in Protocol::ALL {
        for round in 0..60 {
            let size = [15, 9, 20, 22][round % 4];
            // Only a board with a middle point has the named openings.
            let named = matches!(protocol, Protocol::Rif | Protocol::Soosyrv8);
            let size = if named && size % 2 == 0 { 15 } else { size };
            let mut opening = Opening::new(protocol, Rule::Renju, size).unwrap();
            let mut steps = 0;
            while let Some(ask) = opening.ask() {
                assert!(steps < 16, "{protocol} does not end");
                steps += 1;
                let empty: Vec<_> = opening.position().board().empty().iter().collect();
                let mut any = || empty[random(empty.len())];
                let action = match ask.allowed[round % ask.allowed.len()].clone() {
                    Allowed::Swap => Action::Swap,
                    Allowed::Place(points) => {
                        let points: Vec<_> = points.iter().collect();
                        Action::Place(points[random(points.len())])
                    }
                    Allowed::PlaceTwo => Action::PlaceTwo([any(), any()]),
                    Allowed::PlaceThree { named: true } => {
                        let opening = NamedOpening::ALL[random(26)];
                        Action::PlaceThree(opening.stones(size))
                    }
                    Allowed::PlaceThree { .. } => Action::PlaceThree([any(), any(), any()]),
                    Allowed::PlaceAndDeclare(max) => {
                        let point = any();
                        Action::PlaceAndDeclare(point, 1 + random(usize::from(max)) as u8)
                    }
                    Allowed::Offer(count) => {
                        let count = usize::from(count);
                        Action::Offer((0..count).map(|_| any()).collect())
                    }
                    Allowed::Pick(offers) => Action::Pick { fifth: offers[0], sixth: any() },
                };
                // Random points may collide: then nothing may have changed.
                let before = opening.clone();
                if opening.answer(&action).is_err() {
                    assert_eq!(opening, before);
                    steps -= 1;
                }
                let stones = opening.position().board().len();
                assert_eq!(opening.position().to_move(), Color::of_turn(stones));
            }
            assert!(opening.position().outcome().is_none());
        }
    }
}

#[test]
fn protocols_have_names() {
    for protocol in Protocol::ALL {
        assert_eq!(protocol.name().to_uppercase().parse(), Ok(protocol));
    }
    assert!("chess".parse::<Protocol>().is_err());
}

#[test]
fn all_openings_are_known_in_every_guise() {
    for opening in &NamedOpening::ALL {
        let position = opening.position(Rule::Renju, 15);
        for symmetry in Symmetry::all() {
            let image = position.transformed(symmetry);
            assert_eq!(name_of(&image), Some(opening));
            // Black's stones in the other order, and with moves after them.
            let [first, second, third] = opening.stones(15).map(|p| symmetry.apply(p, 15));
            let mut other = Position::from_moves(Rule::Renju, 15, &[third, second, first]).unwrap();
            assert_eq!(name_of(&other), Some(opening));
            other.play(p("a1")).unwrap();
            assert_eq!(name_of(&other), Some(opening));
        }
        assert_eq!(NamedOpening::find(opening.romaji), Some(opening));
        assert_eq!(NamedOpening::find(&opening.id.to_lowercase()), Some(opening));
        assert_eq!(NamedOpening::find(opening.kanji), Some(opening));
    }
    // All points of the central 5x5 but h8 itself lead to a named opening.
    for second in [p("h9"), p("i9")] {
        let thirds = Point::all(15).filter(|point| {
            let stones = [p("h8"), second, *point];
            let position = Position::from_moves(Rule::Renju, 15, &stones);
            position.is_ok_and(|position| name_of(&position).is_some())
        });
        assert_eq!(thirds.count(), 23);
    }
    let names: std::collections::BTreeSet<_> = NamedOpening::ALL.iter().map(|o| o.romaji).collect();
    assert_eq!(names.len(), 26);
}

#[test]
fn other_positions_have_no_name() {
    for text in ["h8", "h8h9", "h8h10h9", "g8h8i8", "h8h9k8", "b:h8,h9,i9 w: w", "b:h8 w:h9,i9 b"] {
        let position = Position::parse(text, Rule::Renju, 15).unwrap();
        assert_eq!(name_of(&position), None, "{text}");
    }
    let even = Position::parse("h8h9i9", Rule::Renju, 16).unwrap();
    assert_eq!(name_of(&even), None);
}
