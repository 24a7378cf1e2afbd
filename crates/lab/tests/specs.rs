//! Players named by text: what can be composed, what is refused, and what presets declare.

mod common;

use common::{build, position, random_position, registry};
use gomoku::{Point, Rule, zobrist::split_mix};
use lab::{
    eval,
    faster::MoveList,
    moves,
    shape::{Pattern, PatternSet, makes_open_three},
};
use player::{Goal, Limits, PlayerReply, Task, Unwatched};

#[test]
fn every_evaluation_goes_with_every_search() {
    for evaluation in eval::components().iter().filter(|e| e.name != "network") {
        for search in ["greedy", "minimax", "public-minimax", "alpha-beta"] {
            build(&format!("{search}(eval={}, moves=near(1)|top(3))", evaluation.name));
        }
    }
    for stage in moves::components().iter().filter(|s| !["all", "near", "box"].contains(&s.name)) {
        build(&format!("alpha-beta(moves=all|{})", stage.name));
    }
    build("alpha-beta(depth=6, eval=compositions, moves=near(1)|top(12))");
}

#[test]
fn wrong_compositions_are_refused_in_a_sentence() {
    let refused = |spec: &str| match registry().build(spec) {
        Ok(_) => panic!("{spec} was accepted"),
        Err(error) => error.to_string(),
    };
    assert!(refused("alpha-beta(moves=top(3))").contains("wrong place"));
    assert!(refused("alpha-beta(moves=near(1)|all)").contains("wrong place"));
    assert!(refused("alpha-beta(eval=network)").contains("There is no network here"));
    assert!(refused("alpha-beta(eval=liao|ratio)").contains("not a pipeline"));
    assert!(refused("alpha-beta(eval=liao(seven=7))").contains("no parameter 'seven'"));
    assert!(refused("static-table(own1=-3)").contains("cannot be '-3'"));
}

#[test]
fn written_out_specs_make_the_same_player() {
    let registry = registry();
    let crowded = random_position(9, 9, Rule::Freestyle, 15);
    let task = Task::new(crowded, Limits::nodes(400));
    for info in registry.players() {
        let full = registry.params(info.name).unwrap().to_spec().to_string();
        let short = build(info.name).choose(&task, &Unwatched);
        assert_eq!(build(&full).choose(&task, &Unwatched).reply, short.reply, "{full}");
    }
    // What journals and files of earlier versions say.
    for (former, now) in [
        ("new-heuristic(swift=on)", "new-heuristic(scout=on)"),
        ("new-heuristic(optimised=off)", "new-heuristic(optimized=off)"),
        ("static-table-optimised", "static-table-optimized"),
    ] {
        assert_eq!(registry.params(former), registry.params(now));
        assert!(registry.build(former).is_ok());
    }
    // What a tuner does: one number changed in a spec that is written out changes the values.
    let full = registry.params("static-table(live-two=900)").unwrap().to_spec().to_string();
    let value = |spec: &str| build(spec).explain(&position("h8a1i8a3")).value;
    assert_eq!(value(&full), value("static-table(live-two=900)"));
    assert_ne!(value(&full), value("static-table"));
}

#[test]
fn every_preset_of_a_paper_names_its_section() {
    let registry = registry();
    for info in registry.players().filter(|info| !["random", "mcts"].contains(&info.name)) {
        assert!(!info.source.is_empty() && !info.params.is_empty(), "{}", info.name);
    }
    assert_eq!(
        registry
            .params("static-table")
            .unwrap()
            .iter()
            .filter(|(name, _)| {
                eval::TABLE_3.iter().any(|row| row.0 == *name)
                    || moves::TABLE_1.iter().any(|row| row.0 == *name)
            })
            .count(),
        22
    );
}

#[test]
fn a_higher_shape_claims_its_stones() {
    let shapes = PatternSet::new(&[
        Pattern { name: "four", pictures: &["10111"], class: 0 },
        Pattern { name: "three", pictures: &["01110"], class: 1 },
    ]);
    let count = |cells: &str| {
        let bits = |wanted| {
            let set = cells.bytes().enumerate().filter(|(_, cell)| *cell == wanted);
            set.fold(0u32, |bits, (i, _)| bits | 1 << i)
        };
        let mut found = [0; 2];
        shapes.count_bits(bits(b'1'), bits(b'2'), cells.len() as u32, |shape, n| found[shape] += n);
        let mut walked = [0; 2];
        let cells: Vec<u8> = cells.bytes().map(|cell| cell - b'0').collect();
        shapes.count_cells(&cells, |shape, n| walked[shape] += n);
        assert_eq!(found, walked);
        found
    };
    assert_eq!(count("0111010"), [1, 0]);
    assert_eq!(count("0111000"), [0, 1]);
    assert_eq!(count("1011101"), [2, 0]);
    assert_eq!(count("2111002"), [0, 0]);
}

#[test]
fn open_threes_have_room_on_both_sides() {
    let makes =
        |stones: &str, point: &str| makes_open_three(&position(stones), point.parse().unwrap());
    assert!(makes("h8a1i8a3", "j8"));
    assert!(makes("h8a1j8a3", "i8"));
    assert!(makes("h8a1i9a3", "j10"));
    assert!(makes("h8a1i8a3l8a5", "j8"), "a four with a gap is an open three too");
    assert!(!makes("h8g8i8a3", "j8"), "blocked on one side");
    assert!(!makes("h8a1i8a3", "k8"), "not in a row");
    assert!(!makes("a1h8a2h9", "a3"), "no room at the edge");
}

#[test]
fn a_list_of_moves_comes_out_sorted_however_far_it_is_read() {
    let points: Vec<Point> = Point::all(7).collect();
    let key = |seed: u64, point: Point| (split_mix(seed ^ point.index() as u64) % 9) as i64;
    for seed in 0..20 {
        let mut wanted = points.clone();
        wanted.sort_by_key(|&point| -key(seed, point));
        wanted.truncate(15);
        let list = || {
            let mut list = MoveList::of(&points);
            list.rank(|point| key(seed, point));
            list.truncate(15);
            list
        };
        let read =
            |list: &mut MoveList| -> Vec<Point> { (0..20).map_while(|i| list.get(i)).collect() };
        assert_eq!(read(&mut list()), wanted);
        // A move that counts comes first when asked for, before or after some were read; the others
        // keep their order. One that does not count stays out.
        for (place, n_read) in [(0, 0), (1, 0), (9, 0), (14, 0), (9, 1), (14, 2), (3, 5)] {
            let mut list = list();
            (0..n_read).for_each(|i| assert_eq!(list.get(i), Some(wanted[i])));
            assert_eq!(list.promote(wanted[place]), Some(place));
            let mut first = wanted.clone();
            first[..=place].rotate_right(1);
            assert_eq!(read(&mut list), first, "place {place} after {n_read}");
            let out = points.iter().find(|point| !wanted.contains(point)).unwrap();
            assert_eq!(list.promote(*out), None);
            assert_eq!(read(&mut list), first);
        }
    }
}

#[test]
fn balanced_stones_are_legal_and_as_many_as_asked() {
    for stones in [1, 2] {
        let mut task = Task::new(position("h8h9i7"), Limits::default());
        task.goal = Goal::Balance { stones, bias: 0 };
        let choice = build("alpha-beta").choose(&task, &Unwatched);
        let PlayerReply::Stones(points) = choice.reply else { panic!("stones were asked for") };
        assert_eq!(points.len(), stones as usize);
        let mut after = task.position.clone();
        for point in points {
            assert!(after.is_legal(point));
            after.play(point).unwrap();
        }
    }
}
