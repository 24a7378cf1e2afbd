//! Positions kept from game to game save nodes and change nothing else.

mod common;

use std::sync::{Arc, Mutex};

use common::{choose, game, random_position};
use gomoku::Rule;
use lab::{LabResources, search::MemoryStore};
use player::{Limits, Player, PositionStore, Registry, Stored};

/// A database that several players use.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<MemoryStore>>);

impl PositionStore for Shared {
    fn get(&self, key: u64) -> Option<Stored> {
        self.0.lock().unwrap().get(key)
    }

    fn put(&mut self, key: u64, stored: Stored) {
        self.0.lock().unwrap().put(key, stored);
    }

    fn len(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

fn build(spec: &str, database: &Shared) -> Box<dyn Player> {
    let mut registry = Registry::default();
    let database = database.clone();
    let positions = Arc::new(move || Box::new(database.clone()) as Box<dyn PositionStore>);
    lab::register_with(&mut registry, &LabResources { positions, ..LabResources::default() });
    registry.build(spec).unwrap()
}

const SPECS: [&str; 6] = [
    "alpha-beta(depth=4, moves=near(1)|probability|top(8), database=on)",
    "new-heuristic(depth=4, book=off, database=on)",
    "static-table(depth=4, width=8, database=on, deepening=on, shallow=on)",
    "top12(depth=4, width=6, time=0, database=on)",
    "compositions(depth=3, width=6, time=0, database=on)",
    "open-ends(depth=3, database=on, table=on)",
];

#[test]
fn a_known_position_costs_less_and_is_answered_the_same() {
    for (number, spec) in SPECS.iter().enumerate() {
        let database = Shared::default();
        let position = random_position(number as u64, 7, Rule::Freestyle, 15);
        let depth = 3 + number as u32 % 2;
        let first = choose(&mut *build(spec, &database), &position, Limits::depth(depth));
        assert!(!database.is_empty(), "{spec} learned nothing");
        let again = choose(&mut *build(spec, &database), &position, Limits::depth(depth));
        assert_eq!((again.reply, again.score), (first.reply, first.score), "{spec}");
        let (less, more) = (again.counters.nodes, first.counters.nodes);
        assert!(less < more / 2, "{spec} placed {less} stones, and {more} before");
    }
}

#[test]
fn games_do_not_depend_on_what_is_in_the_database() {
    for (number, spec) in SPECS.iter().enumerate() {
        let start = random_position(20 + number as u64, 6, Rule::Freestyle, 11);
        for limits in [Limits::depth(3), Limits::nodes(150), Limits::evaluations(150)] {
            let database = Shared::default();
            let play = |database: &Shared| {
                let (mut black, mut white) = (build(spec, database), build(spec, database));
                black.new_game(1);
                white.new_game(2);
                game(&mut *black, &mut *white, start.clone(), limits).position.to_text()
            };
            let first = play(&database);
            assert_eq!(play(&database), first, "{spec} when it knows its game");
            // What another game left there.
            let other = random_position(40 + number as u64, 8, Rule::Freestyle, 11);
            choose(&mut *build(spec, &database), &other, limits);
            assert_eq!(play(&database), first, "{spec} when it knows another game too");
        }
    }
}

#[test]
fn evaluations_do_not_share_values() {
    let database = Shared::default();
    let position = random_position(3, 7, Rule::Freestyle, 15);
    let specs = ["alpha-beta", "alpha-beta(eval=shapes)", "alpha-beta(eval=shapes(live-two=9))"];
    let ask = |spec: &str, database: &Shared| {
        let spec = match spec.strip_suffix(')') {
            Some(open) => format!("{open}, database=on)"),
            None => format!("{spec}(database=on)"),
        };
        let choice = choose(&mut *build(&spec, database), &position, Limits::depth(3));
        (choice.reply, choice.score, choice.counters.nodes)
    };
    for spec in specs {
        assert_eq!(ask(spec, &database), ask(spec, &Shared::default()), "{spec}");
    }
    let refused = "alpha-beta(database=on, best-path=exclude)";
    assert!(common::registry().build(refused).is_err());
}
