//! The engine as a player: legal under every rule, obedient to its task, and not a fool.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use engine::{Engine, Options};
use gomoku::{Color, Outcome, Point, Position, Rule, zobrist::split_mix};
use player::{
    Choice, Clock, Goal, Limits, Player, PlayerReply, Progress, Registry, Task, Unwatched, Watch,
};

fn engine() -> Engine {
    Engine::new(Options { hash: 1, ..Options::default() })
}

fn position(text: &str, rule: Rule) -> Position {
    Position::parse(text, rule, 15).unwrap()
}

fn choose(text: &str, rule: Rule, nodes: u64) -> Choice {
    engine().choose(&Task::new(position(text, rule), Limits::nodes(nodes)), &Unwatched)
}

/// The points a choice may be.
fn check(text: &str, rule: Rule, nodes: u64, expected: &[&str]) {
    let choice = choose(text, rule, nodes);
    let point = choice.point().unwrap().to_string();
    assert!(expected.contains(&point.as_str()), "{rule} {text}: {point}, not {expected:?}");
}

#[test]
fn it_wins_and_blocks() {
    for rule in Rule::ALL {
        check("h8h9i8i9j8j9k8k9", rule, 500, &["g8", "l8"]);
        check("h8h9i8i9j8a1k8", rule, 500, &["g8", "l8"]);
        // An open three of the opponent is stopped at one of its ends or just beyond.
        check("h8a15i8o15j8", rule, 2_000, &["g8", "k8", "f8", "l8"]);
    }
}

#[test]
fn its_first_thoughts_are_chances_of_legal_moves() {
    for rule in Rule::ALL {
        let position = position("h8i9g7i7h6h7", rule);
        let policy = engine().explain(&position).policy;
        let sum: f64 = policy.iter().map(|(_, chance)| chance).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
        assert!(policy.is_sorted_by(|(_, a), (_, b)| a >= b));
        assert!(policy.iter().all(|&(point, _)| position.board().is_empty_at(point)));
        assert!(policy[0].1 > 2.0 / policy.len() as f64, "it prefers some");
    }
}

#[test]
fn it_plays_legal_games_under_every_rule_and_size() {
    for rule in Rule::ALL {
        for size in [5, 6, 9, 15, 22] {
            let mut engine = engine();
            let mut position = Position::new(rule, size);
            let mut random = size as u64;
            while position.outcome().is_none() && position.moves().len() < 60 {
                random = split_mix(random);
                let task = Task::new(position.clone(), Limits::nodes(60 + random % 100));
                let point = engine.choose(&task, &Unwatched).point().unwrap();
                let stuck = position.legal_points().is_empty();
                assert!(stuck || position.is_legal(point), "{rule} {point} {position:?}");
                position.play(point).unwrap();
            }
            assert_ne!(position.outcome(), Some(Outcome::Forbidden));
        }
    }
}

#[test]
fn it_beats_a_random_player_under_every_rule() {
    for rule in Rule::ALL {
        for color in Color::ALL {
            let mut engine = Engine::new(Options { hash: 1, ..Options::default() });
            let mut position = Position::new(rule, 15);
            let mut random = 7;
            while position.outcome().is_none() {
                let point = if position.to_move() == color {
                    let task = Task::new(position.clone(), Limits::nodes(200));
                    engine.choose(&task, &Unwatched).point().unwrap()
                } else {
                    random = split_mix(random);
                    let legal = position.legal_points();
                    legal.iter().nth(random as usize % legal.len()).unwrap()
                };
                position.play(point).unwrap();
            }
            assert_eq!(position.outcome().and_then(Outcome::winner), Some(color), "{rule}");
        }
    }
}

#[test]
fn the_same_task_costs_the_same_nodes_before_and_after_a_new_game() {
    let mut engine = engine();
    let play = |engine: &mut Engine| {
        engine.new_game(3);
        let mut log = Vec::new();
        for i in 0..20u64 {
            let mut position = position(["h8i9", "h8h9g7"][i as usize % 2], Rule::Renju);
            let limits = Limits::nodes(200 + 137 * i);
            while position.moves().len() < 7 && position.outcome().is_none() {
                let choice = engine.choose(&Task::new(position.clone(), limits), &Unwatched);
                log.push((choice.point(), choice.counters.nodes, choice.score));
                position.play(choice.point().unwrap()).unwrap();
            }
        }
        log
    };
    let first = play(&mut engine);
    assert_eq!(first, play(&mut engine));
    assert_eq!(first, play(&mut Engine::new(Options { hash: 1, ..Options::default() })));
}

#[test]
fn limits_are_kept() {
    for nodes in [1, 2, 10, 100, 1_000, 5_000] {
        let choice = choose("h8i9g9", Rule::Freestyle, nodes);
        assert!(choice.counters.nodes <= nodes + 2, "{nodes}: {}", choice.counters.nodes);
    }
    let task = |limits| Task::new(position("h8i9g9", Rule::Standard), limits);
    assert_eq!(engine().choose(&task(Limits::depth(3)), &Unwatched).depth, 3);
    let by_evaluations = engine().choose(&task(Limits::evaluations(700)), &Unwatched);
    assert!((400..=702).contains(&by_evaluations.counters.evaluations));
}

/// Has stopped before anything began.
struct Stopped;

impl Watch for Stopped {
    fn stopped(&self) -> bool {
        true
    }

    fn elapsed(&self) -> std::time::Duration {
        std::time::Duration::from_secs(5)
    }
}

#[test]
fn a_stopped_search_still_answers() {
    for limits in [Limits::default(), Limits::depth(50), Limits::nodes(1 << 50)] {
        let task = Task::new(position("h8i9g9", Rule::Renju), limits);
        let choice = engine().choose(&task, &Stopped);
        assert!(task.allows(choice.point().unwrap()));
    }
}

/// A clock that goes on by a tenth of a second whenever it is read, and the news that came.
#[derive(Default)]
struct Listener {
    reads: AtomicU32,
    news: Mutex<Vec<Progress>>,
}

impl Watch for Listener {
    fn stopped(&self) -> bool {
        false
    }

    fn elapsed(&self) -> Duration {
        self.reads.fetch_add(1, Ordering::Relaxed) * Duration::from_millis(101)
    }

    fn progress(&self, progress: &Progress) {
        self.news.lock().unwrap().push(progress.clone());
    }
}

#[test]
fn a_long_iteration_is_told_of_and_changes_nothing() {
    let mut task = Task::new(position("h8i9g9", Rule::Freestyle), Limits::nodes(20_000));
    task.multi_pv = 3;
    let listener = Listener::default();
    let told = engine().choose(&task, &listener);
    let alone = engine().choose(&task, &Unwatched);
    assert_eq!((told.point(), told.score), (alone.point(), alone.score));
    let news = listener.news.into_inner().unwrap();
    let within: Vec<_> = news.iter().filter(|one| one.finished.is_none()).collect();
    assert!(within.len() > 10, "{} reports within iterations", within.len());
    for one in within {
        assert_eq!(one.candidates.len(), 3);
        assert!(one.depth >= 1 && one.candidates.iter().all(|line| line.score.is_some()));
    }
    assert!(news.windows(2).all(|two| two[0].counters.nodes <= two[1].counters.nodes));
}

#[test]
fn no_time_left_is_no_excuse() {
    let zero = std::time::Duration::ZERO;
    let clock = Limits { clock: Some(Clock { left: zero, increment: zero }), ..Limits::default() };
    for limits in [Limits::turn(zero), clock] {
        let choice = engine().choose(&Task::new(position("h8i9", Rule::Caro), limits), &Unwatched);
        assert!(choice.point().is_some());
    }
}

#[test]
fn several_lines_are_different_and_sorted() {
    // Limits end a search anywhere, also in the middle of a line.
    let limits = (1..30).map(|i| Limits::nodes(700 * i)).chain([Limits::depth(5)]);
    let texts = ["h8i9", "h8i9g9"];
    for (limits, text) in limits.flat_map(|limits| texts.map(|text| (limits, text))) {
        let mut task = Task::new(position(text, Rule::Freestyle), limits);
        task.multi_pv = 4;
        let choice = engine().choose(&task, &Unwatched);
        assert_eq!(choice.candidates.len(), 4);
        assert_eq!(choice.point(), Some(choice.candidates[0].point));
        for pair in choice.candidates.windows(2) {
            assert_ne!(pair[0].point, pair[1].point);
            assert_eq!(pair[0].line[0], pair[0].point);
        }
        // A depth that was cut short may not have come to the last lines, and may have refuted the best
        // one, which then no longer stands first.
        let is_cut = limits.nodes.is_some();
        for pair in choice.candidates[usize::from(is_cut)..].windows(2) {
            let worth = [&pair[0], &pair[1]].map(|line| (line.depth, line.score));
            assert!(worth[0] >= worth[1], "{text} {limits:?}: {worth:?}");
        }
    }
}

#[test]
fn only_and_exclude_are_obeyed() {
    let mut task = Task::new(position("h8h9i8i9j8j9k8k9", Rule::Freestyle), Limits::nodes(500));
    task.exclude = vec!["g8".parse().unwrap(), "l8".parse().unwrap()];
    let excluded = engine().choose(&task, &Unwatched).point().unwrap();
    assert!(!task.exclude.contains(&excluded));
    task.exclude.clear();
    task.only = vec!["a1".parse().unwrap(), "o15".parse().unwrap()];
    assert!(task.only.contains(&engine().choose(&task, &Unwatched).point().unwrap()));
}

#[test]
fn every_level_plays() {
    let mut registry = Registry::default();
    engine::register(&mut registry);
    for level in 1..=10 {
        let mut player = registry.build(&format!("engine(level={level}, hash=1)")).unwrap();
        player.new_game(level);
        let task = Task::new(position("h8i9g9", Rule::Freestyle), Limits::nodes(2_000));
        assert!(task.allows(player.choose(&task, &Unwatched).point().unwrap()));
    }
}

#[test]
fn beginners_overlook_open_threes_but_no_five() {
    let mut registry = Registry::default();
    engine::register(&mut registry);
    let reply = |level: u64, text: &str, seed: u64| {
        let mut player = registry.build(&format!("engine(level={level}, hash=1)")).unwrap();
        player.new_game(seed);
        let task = Task::new(position(text, Rule::Freestyle), Limits::nodes(2_000));
        player.choose(&task, &Unwatched).point().unwrap().to_string()
    };
    let n_stopped = |replies: [String; 30]| {
        replies.iter().filter(|point| ["f8", "g8", "k8", "l8"].contains(&point.as_str())).count()
    };
    let open_three = "h8c3i8m13j8";
    let beginner = n_stopped(std::array::from_fn(|seed| reply(1, open_three, seed as u64)));
    assert!((3..=24).contains(&beginner), "level 1 stopped {beginner} of 30");
    assert_eq!(n_stopped(std::array::from_fn(|seed| reply(4, open_three, seed as u64))), 30);
    for seed in 0..30 {
        assert_eq!(reply(1, "g8h8c3i8m13j8c10k8", seed), "l8", "the only way to stop the five");
        assert_eq!(reply(1, "h8g8i8c3j8m13k8c10", seed), "l8", "a five");
    }
}

#[test]
fn threads_agree_on_a_forced_win() {
    let mut engine = Engine::new(Options { hash: 1, threads: 3, ..Options::default() });
    let position = position("h8h9i8i9j8", Rule::Freestyle);
    let choice = engine.choose(&Task::new(position.clone(), Limits::nodes(3_000)), &Unwatched);
    assert!(position.is_legal(choice.point().unwrap()));
    let mut winning = position;
    winning.play("a1".parse().unwrap()).unwrap();
    let choice = engine.choose(&Task::new(winning, Limits::nodes(3_000)), &Unwatched);
    assert!(choice.score.unwrap().decisive_in().unwrap() > 0);
}

#[test]
fn threads_that_follow_each_other_miss_no_depth() {
    let mut engine = Engine::new(Options { hash: 1, threads: 3, ..Options::default() });
    for text in ["h8i9g9", "h8i8j9h10", "h8k5f6"] {
        engine.new_game(1);
        let task = Task::new(position(text, Rule::Freestyle), Limits::depth(9));
        let choice = engine.choose(&task, &Unwatched);
        let depths: Vec<u32> = choice.iterations.iter().map(|done| done.depth).collect();
        assert_eq!(depths, (1..=9).collect::<Vec<_>>());
        let best = &choice.candidates[0];
        assert_eq!((choice.depth, best.depth), (9, 9));
        assert_eq!(Some(best.point), choice.point());
        assert_eq!(best.line[0], best.point);
        assert_eq!(choice.iterations[8].best, best.point);
    }
}

#[test]
fn claims_of_wins_come_true() {
    let mut engine = engine();
    for (seed, rule) in (0..2).flat_map(|seed| Rule::ALL.map(|rule| (seed, rule))) {
        let mut position = scattered(seed, rule);
        engine.new_game(seed);
        let mut claim = None;
        while position.outcome().is_none() {
            // Who claims a win gets the nodes to find it again.
            let nodes = if claim == Some(position.to_move()) { 5_000 } else { 300 };
            let task = Task::new(position.clone(), Limits::nodes(nodes));
            let choice = engine.choose(&task, &Unwatched);
            let decisive = choice.score.and_then(|score| score.decisive_in());
            if decisive.is_some_and(|plies| plies > 0) {
                claim.get_or_insert(position.to_move());
            }
            position.play(choice.point().unwrap()).unwrap();
        }
        let winner = position.outcome().and_then(Outcome::winner);
        assert!(claim.is_none() || claim == winner, "{rule} {seed} {position:?}");
    }
}

/// Five stones in the middle.
fn scattered(seed: u64, rule: Rule) -> Position {
    let mut position = Position::new(rule, 15);
    let mut random = split_mix(seed);
    while position.moves().len() < 5 {
        random = split_mix(random);
        let point = Point::new(5 + (random % 5) as u8, 5 + (random >> 20) as u8 % 5);
        if position.is_legal(point) {
            position.play(point).unwrap();
        }
    }
    position
}

#[test]
fn balance_offers_even_positions() {
    for rule in Rule::ALL {
        for stones in [1, 2] {
            let start = position("h8i9f6", rule);
            let mut task = Task::new(start.clone(), Limits::nodes(6_000));
            task.goal = Goal::Balance { stones, bias: 0 };
            let choice = engine().choose(&task, &Unwatched);
            let PlayerReply::Stones(offer) = &choice.reply else { panic!("{choice:?}") };
            assert_eq!(offer.len(), usize::from(stones));
            let mut offered = start;
            offer.iter().for_each(|&point| assert!(offered.play(point).unwrap().is_none()));
            assert!(choice.score.unwrap().value().abs() < 60, "{rule} {choice:?}");
            let check = engine().choose(&Task::new(offered, Limits::nodes(3_000)), &Unwatched);
            assert!(check.score.unwrap().value().abs() < 400, "{rule} {:?}", check.score);
        }
    }
}
