//! What the papers claim in words (who beats whom, what saves nodes), on the quick version; and that
//! runs repeat and can be gone on with.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, LazyLock},
};

use arena::{Dispatcher, Factory, RunControl, Threads};
use papers::{
    Claim, ClaimReason, ClaimVerdict, Expected, Experiment, Measure, Report, RunContext, Scale,
    Unit,
};
use player::Registry;

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    let mut registry = Registry::default();
    lab::register(&mut registry);
    registry
});

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tengen-papers-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder); // left over from a killed test
    folder
}

/// The named parts of a shipped experiment and the claims about them.
fn only(id: &str, parts: &[&str]) -> Experiment {
    let mut experiment = papers::find(id).unwrap();
    experiment.parts.retain(|part| parts.contains(&part.name()));
    assert_eq!(experiment.parts.len(), parts.len(), "{id}");
    experiment.claims.retain(|claim| parts.contains(&claim.part.get_ref().as_str()));
    experiment
}

fn run(experiment: &Experiment, folder: &Path, jobs: usize) {
    let factory: Factory = Arc::new(|spec| REGISTRY.build(spec).map_err(|error| error.to_string()));
    let control = RunControl::default();
    let dispatcher = |_: &Path| -> Result<Box<dyn Dispatcher>, String> {
        Ok(Box::new(Threads::start(jobs, &factory, &control)))
    };
    let context = RunContext {
        registry: &REGISTRY,
        makes_open_three: lab::shape::makes_open_three,
        control: control.clone(),
        jobs,
        dispatcher: &dispatcher,
        listener: &|_| {},
        build: String::new(),
    };
    papers::run(experiment, folder, Scale::Quick, &context).unwrap();
}

fn report(experiment: &Experiment, folder: &Path) -> Report {
    Report::read(folder, Scale::Quick, "test", std::slice::from_ref(experiment)).unwrap()
}

/// Runs the parts and holds their essential claims.
fn check(id: &str, parts: &[&str]) {
    hold(&only(id, parts), &parts.join("-"));
}

/// Runs an experiment and holds every essential claim to the direction of the estimate itself: a few
/// games have wide intervals, and a claim that only is not contradicted would prove nothing.
fn hold(experiment: &Experiment, name: &str) {
    let id = &experiment.id;
    let folder = folder(&format!("{id}-{name}"));
    run(experiment, &folder, 2);
    let report = report(experiment, &folder);
    let mut n_essential = 0;
    for (_, judged) in report.judged().filter(|(_, judged)| judged.claim.essential) {
        n_essential += 1;
        let measure = judged.measure.expect("essential claims are measured");
        let holds = match *judged.claim.expected.get_ref() {
            Expected::Above(limit) => measure.value > limit,
            Expected::Below(limit) => measure.value < limit,
            other => panic!("essential claims have a bound and not {other:?}"),
        };
        assert!(holds, "{id}: {} Ours: {}", judged.claim.text, measure.shown());
        assert_ne!(judged.verdict, ClaimVerdict::Differs, "{id}: {}", judged.claim.text);
    }
    assert!(n_essential > 0, "{id} has something to check");
    fs::remove_dir_all(&folder).unwrap();
}

/// The measured reasons of an experiment, as claims that must hold.
fn reasons(experiment: &Experiment) -> Vec<Claim> {
    let reason = |claim: &Claim| match claim.why.as_ref()?.get_ref() {
        ClaimReason::Shown(reason) => Some(Claim { essential: true, ..(**reason).clone() }),
        _ => None,
    };
    experiment.claims.iter().filter_map(reason).collect()
}

#[test]
fn a_difference_has_the_cause_that_is_measured() {
    let mut causes = 0;
    for mut experiment in papers::all() {
        experiment.claims = reasons(&experiment);
        let is_used = |name: &str| experiment.claims.iter().any(|one| one.part.get_ref() == name);
        experiment.parts.retain(|part| is_used(part.name()));
        if !experiment.parts.is_empty() {
            causes += experiment.claims.len();
            hold(&experiment, "causes");
        }
    }
    assert!(causes >= 9, "{causes}");
}

#[test]
fn a_cause_that_is_not_measured_is_a_guess() {
    let experiment = only("gu", &["nodes", "older"]);
    let folder = folder("gu-guess");
    let reason = |experiment: &Experiment| {
        let report = report(experiment, &folder);
        let mut differing = report.judged().map(|(_, judged)| judged);
        let found = differing.find(|judged| judged.verdict == ClaimVerdict::Differs);
        found.expect("depth 6 costs more than depth 3").reason.clone()
    };
    run(&only("gu", &["nodes"]), &folder, 2);
    assert!(reason(&experiment).contains("Guess: "), "{}", reason(&experiment));
    assert!(reason(&experiment).ends_with("(This run has not measured it in `gu/older`.)"));
    run(&experiment, &folder, 2);
    // One game has no interval, and shows nothing.
    assert!(reason(&experiment).contains("(`gu/older` does not show it: "));
    let unmeasured = only("figueira", &["order"]);
    run(&unmeasured, &folder, 2);
    assert!(reason(&unmeasured).contains(" Guess: It does save some nodes here"));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn liao_the_range_near_stones_saves_nodes() {
    check("liao-range", &["nodes"]);
}

#[test]
fn liao_the_new_heuristic_beats_greedy() {
    check("liao-4.2", &["heuristic"]);
}

#[test]
fn liao_the_new_heuristic_beats_minimax() {
    check("liao-4.3", &["balanced"]);
}

#[test]
fn liao_the_deeper_search_wins() {
    check("liao-4.4", &["four-eight"]);
}

#[test]
fn liao_the_best_path_saves_nodes() {
    check("liao-best-path", &["nodes"]);
}

#[test]
fn liao_calculations_grow_with_stones() {
    check("liao-fig-4.1", &["curve"]);
}

#[test]
fn liao_sorted_candidates_save_calculations() {
    check("liao-fig-4.2", &["curve"]);
}

#[test]
fn liao_depth_decides_some_positions() {
    check("liao-example", &["search"]);
}

#[test]
fn liao_and_xie_alpha_beta_saves_and_order_matters() {
    check("alpha-beta-gain", &["depths"]);
}

#[test]
fn fan_and_yuan_local_search_saves() {
    check("fan-yuan", &["savings"]);
}

#[test]
fn fan_and_yuan_compositions_beat_monte_carlo() {
    check("fan-yuan", &["mcts"]);
}

#[test]
fn gu_the_new_depth_beats_the_old() {
    check("gu", &["depth"]);
}

#[test]
fn gu_the_first_twelve_save_nodes() {
    check("gu", &["nodes"]);
}

#[test]
fn figueira_deeper_agents_win_and_filtering_saves() {
    check("figueira", &["depths", "order"]);
}

#[test]
fn xie_the_static_table_saves_nodes() {
    check("xie-table-2", &["depths"]);
}

/// Rows without the times, which no two runs share, and the checksums that cover them.
fn rows(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder).unwrap();
    let mut rows: Vec<String> = text
        .lines()
        .map(|line| {
            let mut value: serde_json::Value = serde_json::from_str(line).unwrap();
            for step in value["steps"].as_array_mut().into_iter().flatten() {
                step["micros"] = 0.into();
            }
            value.as_object_mut().and_then(|row| row.remove("sum"));
            value.to_string()
        })
        .collect();
    rows.sort();
    rows
}

#[test]
fn a_run_that_was_killed_goes_on_to_the_same_rows() {
    let experiment = only("fan-yuan", &["savings"]);
    let (whole, broken) = (folder("whole"), folder("broken"));
    let journal = |folder: &Path| folder.join("fan-yuan/savings/rows.jsonl");
    run(&experiment, &whole, 1);
    run(&experiment, &broken, 2);
    assert_eq!(rows(&journal(&whole)), rows(&journal(&broken)), "two runs give the same rows");
    // A kill leaves the journal anywhere, the middle of a line included.
    let bytes = fs::read(journal(&broken)).unwrap();
    fs::write(journal(&broken), &bytes[..bytes.len() * 2 / 3]).unwrap();
    run(&experiment, &broken, 2);
    assert_eq!(rows(&journal(&whole)), rows(&journal(&broken)));
    for folder in [whole, broken] {
        fs::remove_dir_all(&folder).unwrap();
    }
}

#[test]
fn matches_repeat_and_the_report_is_one_file() {
    // The digest is the last cell of the experiment's row.
    let digest = |markdown: &str, id: &str| -> String {
        let start = format!("| [{id}]");
        let row = markdown.lines().find(|line| line.starts_with(&start)).unwrap();
        row.trim_end_matches(" |").rsplit(' ').next().unwrap().to_owned()
    };
    let experiment = only("xie-table-3", &["printed-set"]);
    let folders = [folder("first"), folder("second")];
    let shown: Vec<Vec<String>> = folders
        .iter()
        .map(|folder| {
            run(&experiment, folder, 2);
            run(&experiment, folder, 2); // goes on with what is complete: nothing to do
            let report = report(&experiment, folder);
            report.write(folder).unwrap();
            report.judged().map(|(_, judged)| judged.measure.unwrap().shown()).collect()
        })
        .collect();
    assert_eq!(shown[0], shown[1]);
    let html = fs::read_to_string(folders[0].join("report.html")).unwrap();
    assert!(html.contains("static-table-optimized") && html.contains("<svg"));
    assert!(!html.contains("src=") && !html.contains("<link"), "nothing is loaded");
    let markdown = |folder: &Path| fs::read_to_string(folder.join("report.md")).unwrap();
    assert!(markdown(&folders[0]).contains("| verdict |"));
    let digests = folders.each_ref().map(|folder| digest(&markdown(folder), "xie-table-3"));
    assert_eq!(digests[0], digests[1]);
    // Another name is another seed, and so other games.
    let other = Experiment { id: "other".to_owned(), ..experiment };
    run(&other, &folders[1], 2);
    report(&other, &folders[1]).write(&folders[1]).unwrap();
    assert_ne!(digests[0], digest(&markdown(&folders[1]), "other"));
    assert!(digests[0].len() == 8 && u32::from_str_radix(&digests[0], 16).is_ok(), "{digests:?}");
    for folder in folders {
        fs::remove_dir_all(&folder).unwrap();
    }
}

#[test]
fn every_player_of_the_experiments_can_be_made() {
    for experiment in papers::all() {
        for spec in experiment.parts.iter().flat_map(papers::Part::specs) {
            // The engine is not in the lab; the command line knows it.
            if spec != "engine" {
                let made = REGISTRY.build(spec).map(|_| ());
                assert!(made.is_ok(), "{}: {:?}", experiment.id, made);
            }
        }
    }
}

#[test]
fn the_printed_parameters_are_those_of_the_player() {
    let experiment = papers::find("xie-fig-6").unwrap();
    let printed = REGISTRY.params("static-table-optimized").unwrap();
    let [papers::Part::Evolve(part)] = &experiment.parts[..] else { panic!("one evolution") };
    assert_eq!(part.params.len(), part.printed.len());
    for (name, value) in part.params.iter().zip(&part.printed) {
        assert_eq!(printed.real(name), *value, "{name}");
    }
}

/// A table that was never printed, with two readings: `random` is beaten by `greedy`.
const TABLE: &str = r#"
id = "table"
title = "A table"
paper = "Nobody"
question = "Who wins?"

[[part]]
kind = "readings"
name = "rows"
about = "Two players."
players = { "A" = "random", "B" = "greedy" }
amount = { games = 200, quick = 40 }

[[part.row]]
black = "A"
white = "B"
printed = [990, 10, 0]

[[part.reading]]
name = "as it is"
about = "A is random."

[[part.reading]]
name = "the other way round"
about = "A is greedy."
players = { "A" = "greedy", "B" = "random" }

[[part.reading]]
name = "short games"
about = "No game is decided."
cap = 8

[[part]]
kind = "games"
name = "match"
about = "The same, with colors swapped."
players = [{ name = "A", spec = "random" }, { name = "B", spec = "greedy" }]
amount = { games = 40, quick = 40 }

[[claim]]
text = "A wins as Black."
part = "match"
of = "A"
per = "B"
what = "wins-as-black"
expected = { count = [990, 1000] }
why.readings = "table/rows"
"#;

#[test]
fn readings_are_played_and_say_which_gives_a_number() {
    let experiment = papers::read(&[("table.toml", TABLE)]).unwrap().remove(0);
    let folder = folder("readings");
    let reason = || {
        let report = report(&experiment, &folder);
        let (_, judged) = report.judged().next().unwrap();
        assert_eq!(judged.verdict, ClaimVerdict::Differs);
        judged.reason.clone()
    };
    let [rows, played] = &experiment.parts[..] else { panic!("two parts") };
    let with = |part: &papers::Part| Experiment { parts: vec![part.clone()], ..experiment.clone() };
    run(&with(played), &folder, 2);
    assert!(reason().contains(" Guess: "), "before the readings are played: {}", reason());
    run(&with(rows), &folder, 2);
    run(&with(rows), &folder, 2); // goes on with what is complete: nothing to do
    let given = "The reading *the other way round* gives it: 100.0 % (`table/rows`).";
    assert!(reason().ends_with(given), "{}", reason());
    // Two readings share their games.
    let journal = fs::read_to_string(folder.join("table/rows/rows.jsonl")).unwrap();
    assert_eq!(journal.lines().count(), 1 + 2 * 40);
    report(&experiment, &folder).write(&folder).unwrap();
    let markdown = fs::read_to_string(folder.join("report.md")).unwrap();
    assert!(markdown.contains("Nearest is *the other way round*"), "{markdown}");
    assert!(markdown.contains("Each number is given by one reading or another."), "{markdown}");
    let counted = "Of the 1 numbers of the tables that differ above, 1 are given";
    assert!(markdown.contains(counted), "{markdown}");
    assert!(folder.join("plots/table-rows.svg").exists());
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn no_reason_is_without_an_experiment_or_the_word_guess() {
    let parts: Vec<String> = papers::all()
        .iter()
        .flat_map(|experiment| {
            let place = |part: &papers::Part| format!("`{}/{}`", experiment.id, part.name());
            experiment.parts.iter().map(place).collect::<Vec<_>>()
        })
        .collect();
    let mut n_reasons = 0;
    for experiment in papers::all() {
        for claim in &experiment.claims {
            // A measure that no claim can agree with.
            let off = match claim.expected.get_ref() {
                Expected::Above(limit) => limit - 1.0,
                other => other.printed().unwrap_or(1.0) * 10.0 + 10.0,
            };
            let measure = Measure::exact(off, Unit::Number);
            let bare = papers::Claim { why: None, note: None, ..claim.clone() };
            let claim = papers::Claim { note: None, ..claim.clone() };
            let computed = papers::judge(&bare, Some(measure), |_| String::new()).reason;
            let judged = papers::judge(&claim, Some(measure), |why| match why {
                ClaimReason::Guess(guess) => format!("Guess: {guess}"),
                ClaimReason::Readings(by) => format!("(`{by}`)"),
                ClaimReason::Shown(reason) => {
                    format!("(`{}/{}`)", experiment.id, reason.part.get_ref())
                }
            });
            assert_eq!(judged.verdict, ClaimVerdict::Differs, "{}", claim.text);
            let why = judged.reason.strip_prefix(&computed).unwrap();
            n_reasons += usize::from(!why.is_empty());
            let is_named = why.contains("Guess: ") || parts.iter().any(|part| why.contains(part));
            assert!(why.is_empty() || is_named, "{}: {why}", claim.text);
        }
    }
    assert!(n_reasons > 30, "{n_reasons}");
}
