//! Spec texts, parameters and the registry.

use gomoku::Point;
use player::{
    Choice, ParamSpec, Player, PlayerInfo, Reason, Registry, Score, Spec, SpecError, Task, Watch,
};

struct Center;

impl Player for Center {
    fn new_game(&mut self, _seed: u64) {}

    fn choose(&mut self, task: &Task, _watch: &dyn Watch) -> Choice {
        Choice::of(Point::center(task.position.size()), Reason::Opening)
    }
}

fn registry() -> Registry {
    let mut registry = Registry::default();
    let params = vec![
        ParamSpec::integer("depth", 3, 1, 20, "plies"),
        ParamSpec::switch("table", false, "remember positions"),
        ParamSpec::choice("style", &["calm", "wild"], "how it plays"),
        ParamSpec::component("moves", "near(1)", "candidates", &["near", "top"], "moves"),
    ];
    let info = PlayerInfo { name: "center", summary: "", source: "", params, tables: Vec::new() };
    registry.add(info, Box::new(|_| Ok(Box::new(Center))));
    registry
}

#[test]
fn specs_read_and_print_alike() {
    for text in ["greedy", "a(1, x=2)", "alpha-beta(depth=6, moves=near(1)|top(12), eval=b(c(d)))"]
    {
        assert_eq!(text.parse::<Spec>().unwrap().to_string(), text);
    }
    assert_eq!(" a ( 1 ,x = 2 ) ".parse::<Spec>().unwrap().to_string(), "a(1, x=2)");
}

#[test]
fn broken_specs_say_where() {
    let message = |text: &str| text.parse::<Spec>().unwrap_err().to_string();
    assert_eq!(message("a(1"), "Column 4 of 'a(1': expected ',' or ')'.");
    assert_eq!(message(""), "Column 1 of '': expected a name or a value.");
    assert_eq!(message("a)"), "Column 2 of 'a)': expected the end.");
    assert!(matches!("a(".repeat(50).parse::<Spec>(), Err(SpecError::Syntax { .. })));
}

#[test]
fn parameters_have_defaults_ranges_and_kinds() {
    let registry = registry();
    let params = registry.params("center(5, moves=near(2)|top(4))").unwrap();
    assert_eq!(params.integer("depth"), 5);
    assert_eq!(params.component("moves").len(), 2);
    let full = params.to_spec().to_string();
    assert_eq!(full, "center(depth=5, table=off, style=calm, moves=near(2)|top(4))");
    assert_eq!(registry.params(&full).unwrap().to_spec().to_string(), full);
    for bad in ["center(depth=0)", "center(table=maybe)", "center(style=x)", "center(moves=far)"] {
        assert!(matches!(registry.params(bad), Err(SpecError::BadValue { .. })), "{bad}");
    }
    assert!(matches!(registry.params("center(x=1)"), Err(SpecError::UnknownParam { .. })));
    assert!(matches!(registry.params("nobody"), Err(SpecError::UnknownName { .. })));
}

#[test]
fn scores_order_wins_before_evaluations_before_losses() {
    assert!(Score::win_in(1) > Score::win_in(3));
    assert!(Score::win_in(99) > Score::new(2_000_000_000));
    assert!(Score::loss_in(2) < Score::loss_in(4));
    assert_eq!(-Score::win_in(3), Score::loss_in(3));
    assert_eq!(Score::loss_in(4).to_string(), "loss in 4");
    assert_eq!(Score::new(-7).decisive_in(), None);
}
