//! Hand-made proofs, right and wrong.

use super::{
    builder::{Attack, Defense, Proof, Root, cell},
    check_all_ways,
    reference::longest_line,
};
use crate::{Color, Fault, Flaw, Point, Rule};

const BLACK: Color = Color::Black;
const WHITE: Color = Color::White;

/// Black makes a four on row 8 and a three on column h with h8.
pub(super) fn four_three() -> Proof {
    let stones = ["e8 f8 g8 h9 h10", "d8 a1 a15 o1 o15"];
    Proof::new(Rule::Freestyle, BLACK, stones, "h8 { i8: h11 { h12: h7!; *: h12! }; *: i8! }")
        .within(5)
}

/// Black makes two open threes with h8; the second is kept for the replies that stop the first.
pub(super) fn double_three() -> Proof {
    let tree = "h8 { e8 f8 j8: h6 { h5: h10!; *: h5! }; *: f8 { e8: j8!; *: e8! } }";
    Proof::new(Rule::Freestyle, BLACK, ["g8 i8 h7 h9", "a1 a15 o1 o15"], tree).within(5)
}

/// Black's double four: fives on i8 and h7.
pub(super) fn double_four() -> Proof {
    let stones = ["e8 f8 g8 h9 h10 h11", "d8 h12 a1 a15 o1 o15"];
    Proof::new(Rule::Freestyle, BLACK, stones, "h8 { i8: h7!; *: i8! }").within(3)
}

/// White's four on column h can be stopped only on h8, where Black has a double three.
pub(super) fn into_forbidden() -> Proof {
    let stones = ["g8 i8 g9 i7 h3", "h4 h5 h6 a1 a3"];
    Proof::new(Rule::Renju, WHITE, stones, "h7 { *: h8! }").within(3)
}

/// The double three again, but White has a closed three: its two fours need answers of their own.
pub(super) fn counter_fours() -> Proof {
    let stop = "e8 f8 j8: =0; *: =1";
    let tree = format!("h8 {{ b6: b7 {{ {stop} }}; b7: b6 {{ {stop} }}; {stop} }}");
    Proof::new(Rule::Freestyle, BLACK, ["g8 i8 h7 h9 b2", "b3 b4 b5 a13"], &tree)
        .with_shared("h6 { h5: h10!; *: h5! }")
        .with_shared("f8 { e8: j8!; *: e8! }")
        .within(7)
}

/// White is to move and cannot stop Black's open four.
pub(super) fn open_four() -> Proof {
    let root = Root::Defense(Defense {
        groups: vec![(vec![cell("f8")], Attack::Win(cell("k8")))],
        default: Attack::Win(cell("f8")),
    });
    let shell = Proof::new(Rule::Standard, BLACK, ["g8 h8 i8 j8", "a1 a3 a5"], "a2!").within(2);
    Proof { to_move: WHITE, root, ..shell }
}

fn points(list: &str) -> Vec<Point> {
    list.split(' ').map(|p| Point { col: cell(p) % 15, row: cell(p) / 15 }).collect()
}

fn fault(flaw: Flaw, line: &str) -> Fault {
    let line = if line.is_empty() { vec![] } else { points(line) };
    Fault { flaw, line }
}

fn point(text: &str) -> Point {
    points(text)[0]
}

/// Asserts that a proof holds with this longest line, by all checkers.
fn holds(proof: &Proof, longest: usize) {
    let verdict = check_all_ways(proof).expect("a good proof");
    assert_eq!(verdict.counts.longest, longest);
    assert_eq!(longest_line(proof), Some(longest));
    let tight = proof.clone().within(longest - 1);
    assert!(matches!(check_all_ways(&tight).unwrap_err().flaw, Flaw::TooLong(_)));
}

fn fails(proof: &Proof, flaw: Flaw, line: &str) {
    assert_eq!(longest_line(proof), None);
    assert_eq!(check_all_ways(proof).unwrap_err(), fault(flaw, line));
}

#[test]
fn a_four_three_wins_and_is_described() {
    let proof = four_three();
    holds(&proof, 5);
    let verdict = check_all_ways(&proof).expect("a good proof");
    assert_eq!(verdict.claim.black, points("e8 f8 g8 h9 h10"));
    assert_eq!(verdict.claim.white, points("a1 o1 d8 a15 o15"));
    assert_eq!((verdict.claim.rule, verdict.claim.size), (Rule::Freestyle, 15));
    assert_eq!((verdict.claim.to_move, verdict.claim.attacker), (BLACK, BLACK));
    assert_eq!(verdict.first, Some(point("h8")));
    // Turns after h8, after i8 h11; 214 and 212 empty cells.
    assert_eq!((verdict.counts.turns, verdict.counts.replies), (2, 214 + 212));
    assert_eq!(verdict.bytes, proof.encode().len() as u64);
    assert_eq!(verdict.digest_text().len(), 64);
    assert!(verdict.to_string().contains("Black wins within 5 plies (freestyle, 15x15)."));
    // A four and a three is legal in renju too.
    holds(&proof.under(Rule::Renju), 5);
}

#[test]
fn a_double_three_wins_except_for_black_in_renju() {
    holds(&double_three(), 5);
    holds(&double_three().under(Rule::Standard), 5);
    fails(&double_three().under(Rule::Renju), Flaw::Forbidden(point("h8")), "");
    let swapped = Proof {
        black: double_three().white,
        white: double_three().black,
        attacker: WHITE,
        to_move: WHITE,
        ..double_three()
    };
    holds(&swapped.under(Rule::Renju), 5);
}

#[test]
fn a_double_four_wins_except_for_black_in_renju() {
    holds(&double_four(), 3);
    fails(&double_four().under(Rule::Renju), Flaw::Forbidden(point("h8")), "");
}

/// In caro White may shut the five in from both sides: d8 first, then j8.
#[test]
fn caro_shuts_in_the_five() {
    let caro = double_three().under(Rule::Caro);
    let line = "h8 d8 f8 j8";
    fails(&caro, Flaw::NoWin(point("e8")), line);
    fails(&caro.under(Rule::CaroExact), Flaw::NoWin(point("e8")), line);
}

/// A five on the edge is not shut in by the edge, and a six never is in caro.
#[test]
fn caro_ends() {
    let edge = Proof::new(Rule::Caro, BLACK, ["a8 b8 c8 d8", "f8 a1"], "e8!").within(1);
    holds_at_once(&edge);
    holds_at_once(&edge.clone().under(Rule::CaroExact));
    let shut = Proof::new(Rule::Caro, BLACK, ["b8 c8 d8 e8", "a8 g8"], "f8!").within(1);
    fails(&shut, Flaw::NoWin(point("f8")), "");
    let six = Proof::new(Rule::Caro, BLACK, ["b8 c8 d8 e8 g8", "a8 h8"], "f8!").within(1);
    holds_at_once(&six);
    fails(&six.under(Rule::CaroExact), Flaw::NoWin(point("f8")), "");
}

fn holds_at_once(proof: &Proof) {
    assert_eq!(check_all_ways(proof).expect("a good proof").counts.longest, 1);
    assert_eq!(longest_line(proof), Some(1));
}

#[test]
fn six_in_a_row() {
    let six = Proof::new(Rule::Freestyle, BLACK, ["c8 d8 e8 g8 h8", "a1 a3 a5"], "f8!");
    holds_at_once(&six);
    for rule in [Rule::Standard, Rule::Renju] {
        fails(&six.clone().under(rule), Flaw::NoWin(point("f8")), "");
    }
    let white = Proof {
        black: six.white.clone(),
        white: six.black.clone(),
        attacker: WHITE,
        to_move: WHITE,
        ..six.under(Rule::Renju)
    };
    holds_at_once(&white);
}

#[test]
fn white_drives_black_into_a_forbidden_point() {
    holds(&into_forbidden(), 3);
    // Without g9 the block is legal, and the default then plays on a stone.
    let mut open = into_forbidden();
    open.black.retain(|&stone| stone != cell("g9"));
    fails(&open, Flaw::Occupied(point("h8")), "h7 h8");
    // With five in a row Black may block, and wins.
    let mut five = into_forbidden();
    five.black = ["g8", "i8", "g9", "i7", "h3", "f8", "j8"].map(cell).to_vec();
    five.black.sort_unstable();
    fails(&five, Flaw::Lost(point("h8")), "h7");
    // In freestyle nothing is forbidden.
    fails(&into_forbidden().under(Rule::Freestyle), Flaw::Occupied(point("h8")), "h7 h8");
}

#[test]
fn counter_fours_must_be_answered() {
    holds(&counter_fours(), 7);
    holds(&counter_fours().under(Rule::Standard), 7);
    // Left to the default, the open four loses to the five on the other side.
    for (group, line, five) in [(0, "h8 b6 f8", "b7"), (1, "h8 b7 f8", "b6")] {
        let mut proof = counter_fours();
        let Root::Attack(Attack::Move(_, node)) = &mut proof.root else { panic!("a move") };
        node.groups.remove(group);
        fails(&proof, Flaw::Lost(point(five)), line);
    }
}

#[test]
fn the_defender_may_be_to_move() {
    holds(&open_four(), 2);
    assert_eq!(check_all_ways(&open_four()).expect("a good proof").first, None);
    let wrong_turn = Proof { to_move: BLACK, ..open_four() };
    assert!(check_all_ways(&wrong_turn).is_err());
}

/// An answer to several replies is tried with each of them, also the last.
#[test]
fn every_reply_of_a_group_is_tried() {
    let with = |replies: &str| {
        let tree = "h6 { h5: h10!; *: h5! }; *: f8 { e8: j8!; *: e8! }";
        let tree = format!("h8 {{ {replies}: {tree} }}");
        Proof::new(Rule::Freestyle, BLACK, ["g8 i8 h7 h9", "a1 a15 o1 o15"], &tree)
    };
    holds(&with("e8 f8 j8"), 5);
    fails(&with("e8 f8 j8 h6"), Flaw::Occupied(point("h6")), "h8 h6");
    fails(&with("e8 h10 f8 j8"), Flaw::Occupied(point("h10")), "h8 h10 h6 h5");
}

#[test]
fn every_reply_needs_an_answer() {
    let mut proof = open_four();
    let Root::Defense(node) = &mut proof.root else { panic!("a defender node") };
    node.default = Attack::None;
    fails(&proof, Flaw::Unanswered, "b1");
    let mut proof = open_four();
    let Root::Defense(node) = &mut proof.root else { panic!("a defender node") };
    node.groups.clear();
    fails(&proof, Flaw::Occupied(point("f8")), "f8");
}

/// Black wins only by leaving no cell: with the last one filled, nobody has won.
#[test]
fn a_full_board_is_a_draw() {
    let color_of = |cell: usize| (cell % 15 + 2 * (cell / 15)) % 4 < 2;
    let (black, white): (Vec<usize>, Vec<usize>) = (1..225).partition(|&cell| color_of(cell));
    let node = Defense { groups: vec![], default: Attack::None };
    let root = Root::Attack(Attack::Move(0, Box::new(node)));
    let shell = Proof::new(Rule::Freestyle, BLACK, ["", ""], "a1!");
    fails(&Proof { black, white, root, ..shell }, Flaw::Draw, "a1");
}

#[test]
fn a_decided_position_is_refused() {
    let five = "a1 b1 c1 d1 e1";
    let proof = Proof::new(Rule::Freestyle, BLACK, ["h8", five], "h9!");
    fails(&proof, Flaw::Decided(WHITE), "");
    let six = Proof::new(Rule::Standard, BLACK, ["h8 i8 j8 k8", "a1 b1 c1 d1 e1 f1"], "g8!");
    holds_at_once(&six);
}

#[test]
fn illegal_moves_are_faults() {
    let on_stone = Proof::new(Rule::Freestyle, BLACK, ["h8 i8 j8 k8", ""], "h8!");
    fails(&on_stone, Flaw::Occupied(point("h8")), "");
    let off = Proof { root: Root::Attack(Attack::Win(225)), ..on_stone.clone() };
    fails(&off, Flaw::OffBoard(225), "");
    let mut twice = open_four();
    let Root::Defense(node) = &mut twice.root else { panic!("a defender node") };
    node.groups.push((vec![cell("b2"), cell("f8")], Attack::Win(cell("k8"))));
    fails(&twice, Flaw::ListedTwice(point("f8")), "");
}

/// A move that wins at once ends the line, whatever the tree goes on to say.
#[test]
fn a_winning_move_ends_the_line() {
    let tree = "g8 { *: h8! }";
    let proof = Proof::new(Rule::Freestyle, BLACK, ["h8 i8 j8 k8", ""], tree).within(1);
    holds_at_once(&proof);
}

/// A reply listed deeper in a replayed tree is ignored where the extra stone already lies on it.
#[test]
fn replays_ignore_listed_replies_on_stones() {
    let tree = "h8 { *: f8 { e8 a2: j8!; *: e8! }; e8 f8 j8: h6 { h5: h10!; *: h5! } }";
    let stones = ["g8 i8 h7 h9", "a1 a15 o1 o15"];
    holds(&Proof::new(Rule::Freestyle, BLACK, stones, tree), 5);
}
