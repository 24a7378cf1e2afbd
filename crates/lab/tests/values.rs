//! Searches against minimax, and incremental values against values from scratch.

mod common;

use common::{build, choose, random_position};
use gomoku::{Color, Point, Position, Rule, renju, zobrist::split_mix};
use lab::{
    State,
    eval::{self, Following},
};
use player::{Limits, Spec};

const EVALUATIONS: [&str; 10] = [
    "liao",
    "liao(style=printed)",
    "compositions",
    "compositions(matching=strings)",
    "points",
    "points(of=max)",
    "open-ends",
    "ratio",
    "shapes",
    "shapes(live-two=178.9, opp-live-two=130.8)",
];

#[test]
fn forbidden_points_are_those_of_the_rule() {
    let mut n_forbidden = 0;
    for seed in 0..400 {
        let size = [5, 8, 15, 22][seed as usize % 4];
        let mut state = State::new(&Position::new(Rule::Renju, size));
        // Every other stone is black, or two of three; from a few stones to nearly all.
        let n_stones = u64::from(size) * u64::from(size) * (1 + seed % 9) / 10;
        for number in 0..n_stones {
            let random = split_mix(1000 * seed + number);
            let empty: Vec<_> = state.empty().into_iter().collect();
            let is_black = random % (2 + seed % 2) < 1 + seed % 2;
            state.set_to_move(if is_black { Color::Black } else { Color::White });
            state.place(empty[(random >> 8) as usize % empty.len()]);
        }
        state.set_to_move(Color::Black);
        for point in state.empty() {
            let is_forbidden = renju::forbidden(state.board(), point).is_some();
            assert_eq!(state.is_forbidden(point), is_forbidden, "{point} {}", state.board());
            n_forbidden += u32::from(is_forbidden);
        }
    }
    assert!(n_forbidden > 1000, "{n_forbidden}");
}

#[test]
fn local_update_equals_full_evaluation() {
    let mut n_winning = 0;
    for (number, text) in EVALUATIONS.iter().enumerate() {
        let spec: Spec = text.parse().unwrap();
        let mut local = eval::build(&spec, Following::FAST, None).unwrap();
        let mut walked =
            eval::build(&spec, Following { local: true, bitboard: false }, None).unwrap();
        let mut full =
            eval::build(&spec, Following { local: false, bitboard: true }, None).unwrap();
        for size in [5, 8, 15, 22] {
            let position = random_position(number as u64, 4, Rule::Freestyle, size);
            let mut state = State::new(&position);
            local.start(&state);
            walked.start(&state);
            let mut seed = split_mix(u64::from(size) + 100 * number as u64);
            let mut played = Vec::new();
            for _ in 0..60 {
                seed = split_mix(seed);
                let empty: Vec<_> = state.empty().into_iter().collect();
                if seed.is_multiple_of(3) && !played.is_empty() || empty.len() < 2 {
                    let point = played.pop().unwrap();
                    state.undo(point);
                    local.undo(&state, point);
                    walked.undo(&state, point);
                } else {
                    let point = empty[(seed >> 8) as usize % empty.len()];
                    let me = position.to_move();
                    let foreseen = local.value_after(&mut state, point, me);
                    let reply = empty[(seed >> 24) as usize % empty.len()];
                    let after_two = (reply != point).then(|| {
                        let value = local.value_after_two(&mut state, point, reply, me);
                        (value, walked.value_after_two(&mut state, point, reply, me))
                    });
                    state.place(point);
                    local.place(&state, point);
                    walked.place(&state, point);
                    assert_eq!(foreseen, local.value(&state, me), "{text} after {point}");
                    if let Some((value, other)) = after_two {
                        let now = full.value_after(&mut state, reply, me);
                        assert_eq!((value, other), (now, now), "{text} {point} {reply}");
                    }
                    played.push(point);
                }
                let mut empty = state.empty().into_iter();
                let can_win = empty.any(|point| state.is_win(point, state.to_move()));
                assert_eq!(state.may_win(), can_win, "{:?}", state.board());
                n_winning += usize::from(can_win);
                for me in gomoku::Color::ALL {
                    let value = local.value(&state, me);
                    assert_eq!(value, full.value(&state, me), "{text} {:?}", state.board());
                    assert_eq!(value, walked.value(&state, me), "{text} {:?}", state.board());
                    assert_eq!(local.score(&state, me), full.score(&state, me));
                }
            }
        }
    }
    assert!(n_winning > 20, "only {n_winning} positions had a five to make");
}

#[test]
fn strings_say_what_bits_say() {
    let build =
        |text: &str| eval::build(&text.parse::<Spec>().unwrap(), Following::FAST, None).unwrap();
    // With numbers that no sum of others makes, equal values are equal counts.
    let numbers = "win=1, h4=13, c4=169, h3=2197, m3=28561, h2=371293, m2=4826809";
    let mut bits = build(&format!("compositions({numbers}, opponent-weight=1)"));
    let mut strings =
        build(&format!("compositions({numbers}, opponent-weight=1, matching=strings)"));
    let mut differ = std::collections::BTreeSet::new();
    for seed in 0..1000 {
        let size = [5, 8, 15, 22][seed as usize % 4];
        let stones = 2 + seed as usize % (2 * usize::from(size));
        let state = State::new(&random_position(seed, stones, Rule::Freestyle, size));
        bits.start(&state);
        strings.start(&state);
        for color in Color::ALL {
            let score = bits.score(&state, color);
            assert_eq!(score, strings.score(&state, color), "{:?}", state.board());
            differ.insert(score);
        }
    }
    assert!(differ.len() > 300, "only {} scores", differ.len());
}

#[test]
fn every_switch_returns_the_value_of_minimax() {
    let switches = [
        "",
        "deepening=on",
        "table=on",
        "cache=on",
        "best-path=order",
        "shallow=on",
        "win-first=on",
        "history=on",
        "database=on",
        "scout=on",
        "search=fail-hard",
        "search=fail-hard, deepening=on, table=on, best-path=order, scout=on",
        "deepening=on, best-path=order, win-first=on",
        "deepening=on, table=on, cache=on, best-path=order, shallow=on, win-first=on, history=on, database=on",
        "deepening=on, table=on, best-path=order, win-first=on, history=on, scout=on",
        "update=full",
        "bitboard=off",
    ];
    let parts = [
        "eval=liao, moves=near(1)|probability|top(6)",
        "eval=compositions, moves=near(1)|utility|top(5)",
        "eval=shapes, moves=near(1)|static-table|top(6)",
        "eval=points, moves=near(1)|point-value|top(5)",
        "eval=open-ends, moves=near(1)|near-own|top(6)",
        "eval=ratio, moves=box(1)|center|top(6)",
        "eval=liao, moves=near(1)|probability|top(6), terminal=off",
        "eval=compositions, moves=near(1)|utility|reverse|top(5), terminal=off",
    ];
    for (number, parts) in parts.iter().enumerate() {
        for depth in 1..=4 {
            let seed = 10 * number as u64 + u64::from(depth);
            let position = random_position(seed, 6 + number, Rule::ALL[number % 5], 11);
            let limits = Limits::depth(depth);
            let reference = choose(&mut *build(&format!("minimax({parts})")), &position, limits);
            for switch in switches {
                let spec = format!(
                    "alpha-beta({parts}{}{switch})",
                    if switch.is_empty() { "" } else { ", " }
                );
                let choice = choose(&mut *build(&spec), &position, limits);
                assert_eq!(choice.score, reference.score, "{spec} depth {depth}");
                if switch.is_empty() {
                    assert_eq!(choice.reply, reference.reply, "{spec} depth {depth}");
                    assert!(choice.counters.nodes <= reference.counters.nodes);
                }
            }
        }
    }
}

/// A position with stones all over the board and no five anywhere.
fn crowded_position(seed: u64, n_stones: usize, rule: Rule) -> Position {
    let is_black = |point: &Point| (point.col() + 2 * (point.row() % 2)) % 4 < 2;
    let (mut black, mut white): (Vec<_>, Vec<_>) = Point::all(15).partition(is_black);
    for points in [&mut black, &mut white] {
        points.sort_by_key(|point| split_mix(seed ^ (point.index() as u64) << 20));
    }
    let mut position = Position::new(rule, 15);
    for (black, white) in black.into_iter().zip(white).take(n_stones / 2) {
        assert_eq!(position.play(black), Ok(None));
        assert_eq!(position.play(white), Ok(None));
    }
    position
}

/// Picking and ranking at once lists what the stages list one after the other, which a second `top`
/// makes them do.
#[test]
fn candidates_made_at_once_are_those_of_the_stages() {
    let mut n_wide = 0;
    for seed in 0..120 {
        let rule = [Rule::Freestyle, Rule::Standard, Rule::Renju][seed % 3];
        let position = match seed % 4 {
            3 => crowded_position(seed as u64, 150, rule),
            few => random_position(seed as u64, 1 + 8 * few, rule, [8, 15][seed / 4 % 2]),
        };
        for range in 1..=3 {
            let listed = |stages: &str| -> Vec<Point> {
                let spec = format!("alpha-beta(moves=near({range})|probability|{stages})");
                let candidates = build(&spec).explain(&position).candidates;
                candidates.iter().map(|candidate| candidate.point).collect()
            };
            let at_once = listed("top(15)");
            assert_eq!(at_once, listed("top(500)|top(15)"), "{range} {}", position.to_text());
            let is_beside = |point: &Point| State::new(&position).has_neighbor(*point);
            n_wide += usize::from(!at_once.iter().all(is_beside));
        }
    }
    assert!(n_wide > 20, "{n_wide}");
}

/// Replies that are tried before any are listed must be among the candidates, which the search
/// itself asserts in tests, and nothing may change by them.
#[test]
fn scouting_changes_no_value() {
    let mut saved = 0;
    for seed in 0..120 {
        let moves = ["near(1)|probability|top(15)", "near(2)|probability|top(11)"][seed % 2];
        let rule = [Rule::Freestyle, Rule::Standard][seed / 2 % 2];
        let position = match seed % 5 {
            0 => random_position(seed as u64, 10, rule, 15),
            1 => random_position(seed as u64, 10, Rule::Renju, 15),
            crowd => crowded_position(seed as u64, 50 * crowd, rule),
        };
        let depth = if seed % 12 < 2 { 4 } else { 3 };
        let spec = |switches: &str| {
            format!(
                "alpha-beta(moves={moves}, depth={depth}, deepening=on, best-path=order, \
                 table=on, history=on, win-first=on{switches})"
            )
        };
        let plain = choose(&mut *build(&spec("")), &position, Limits::default());
        let scouted = choose(&mut *build(&spec(", scout=on")), &position, Limits::default());
        assert_eq!(scouted.score, plain.score, "{moves} depth {depth} {}", position.to_text());
        saved += plain.counters.nodes as i64 - scouted.counters.nodes as i64;
    }
    assert!(saved > 0, "{saved}");
}
