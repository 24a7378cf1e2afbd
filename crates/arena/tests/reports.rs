//! Reports and the index of games, from real runs.

mod common;

use std::{collections::BTreeSet, fs};

use arena::*;
use common::*;
use sha2::{Digest, Sha256};
use stats::Sprt;

fn round_robin(name: &str) -> (Plan, RunEnd) {
    let players = [("a", "scatter:20"), ("b, \"the best\"", "scatter:90"), ("<c>", "scatter:50")];
    let mut plan = plan(&players, Schedule::RoundRobin { pairs: 6 });
    plan.run = name.to_owned();
    let outcome = play(&plan, name, 2).unwrap();
    (plan, outcome)
}

#[test]
fn a_report_adds_up() {
    let (plan, outcome) = round_robin("report-adds-up");
    let report = Report::new(&plan, &outcome);
    assert_eq!((report.games, report.pairs), (36, 18));
    assert_eq!(report.players[0].name, "b, \"the best\"");
    assert!(report.players.windows(2).all(|w| w[0].elo >= w[1].elo));
    for line in &report.players {
        assert_eq!(line.wins + line.draws + line.losses, 24);
        assert_eq!(line.as_black.iter().sum::<u64>(), 12);
        assert_eq!(line.as_white.iter().sum::<u64>(), 12);
        assert!(line.costs.evaluations.unwrap() > 1.0);
    }
    assert_eq!(report.meetings.len(), 3);
    assert_eq!(report.colors.iter().sum::<u64>(), 36);
    assert_eq!(report.endings.values().sum::<u64>(), 36);
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!((&json["version"], &json["schedule"]["kind"]), (&1.into(), &"round-robin".into()));
}

#[test]
fn all_files_of_a_report_are_written() {
    let (plan, outcome) = round_robin("report-files");
    let report = Report::new(&plan, &outcome);
    let folder = folder("report-files-out");
    report.write(&plan, &outcome.pairs, &folder).unwrap();
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();

    let log = read("games.log");
    let digest: String = Sha256::digest(&log).iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(report.digest.as_deref(), Some(digest.as_str()));
    assert_eq!(log.lines().count(), 36);

    let html = read("report.html");
    assert!(html.contains("Elo by games") && html.contains("Evaluations per move"));
    assert!(html.contains("Length of games") && html.contains("Results by color"));
    assert!(html.contains("Time per move") && html.contains("By opening"));
    assert!(html.contains("&lt;c&gt;") && !html.contains("<c>"), "names are escaped");
    assert!(!html.contains("NaN") && !html.contains("inf\""));
    assert!(
        !html.contains("http://")
            || html.matches("http://").count()
                == html.matches("http://www.w3.org/2000/svg").count()
    );

    let sgf = fs::read(folder.join("games.sgf")).unwrap();
    let trees = gomoku::record::read(&sgf, &Default::default()).unwrap();
    assert_eq!(trees.len(), 36);
    let game = trees[1].game(plan.rule).unwrap();
    let (pair, record) = (&outcome.pairs[0], &outcome.pairs[0].games[1]);
    assert_eq!(game.position.to_text(), format!("{}{}", pair.opening, record.moves));
    assert_eq!(game.result, Some(record.game_result()));
    assert_eq!(game.names.black, plan.players[pair.players[1]].name);

    let csv = read("games.csv");
    assert_eq!(csv.lines().count(), 37);
    assert!(csv.contains("\"b, \"\"the best\"\"\""));
    assert_eq!(read("players.csv").lines().count(), 4);
    assert_eq!(read("meetings.csv").lines().count(), 4);
    let markdown = read("report.md");
    assert!(markdown.contains("| Player | Elo |") && markdown.contains(&digest), "{markdown}");
    let json: serde_json::Value = serde_json::from_str(&read("report.json")).unwrap();
    assert_eq!(json["digest"], digest);
}

#[test]
fn a_test_is_reported_with_its_verdict() {
    let test = Sprt::new(0.0, 100.0).unwrap();
    let players = [("strong", "scatter:90"), ("weak", "scatter:30")];
    let plan = plan(&players, Schedule::Sprt { test, max_pairs: 100 });
    let outcome = play(&plan, "report-sprt", 2).unwrap();
    let report = Report::new(&plan, &outcome);
    let recorded = JournalContent::read(&journal_path("report-sprt")).unwrap();
    let replayed = replay(&recorded.plan, recorded.pairs.clone()).unwrap();
    assert_eq!(Report::new(&plan, &replayed), report, "the journal alone gives the same report");
    let mut index = Index::in_memory().unwrap();
    index.add(&recorded, &journal_path("report-sprt")).unwrap();
    assert_eq!(index.runs().unwrap()[0].digest, report.digest);
    let line = report.test.unwrap();
    assert!(line.llr >= line.upper, "{line:?}");
    assert!(line.unbiased.low < line.unbiased.elo && line.unbiased.elo < line.unbiased.high);
    assert!(report.to_markdown().contains("**passed**"), "{}", report.to_markdown());
}

#[test]
fn timed_runs_have_no_digest() {
    let mut plan = plan(&[("a", "scatter:20"), ("b", "scatter:90")], Schedule::Duel { pairs: 2 });
    plan.players[0].budget.turn_ms = Some(5000);
    let outcome = play(&plan, "report-timed", 1).unwrap();
    let report = Report::new(&plan, &outcome);
    assert_eq!((report.reproducible, report.digest), (false, None));
}

#[test]
fn the_index_is_made_from_journals_and_rates_across_runs() {
    let runs = folder("index-runs");
    for (name, players) in [
        ("one", [("x", "scatter:90"), ("y", "scatter:40")]),
        ("two", [("weak", "scatter:0"), ("yy", "scatter:40")]),
    ] {
        let mut plan = plan(&players, Schedule::Duel { pairs: 8 });
        plan.run = name.to_owned();
        let path = runs.join(name).join("journal.jsonl");
        let mut journal = Journal::create(&path, &plan).unwrap();
        let control = RunControl::default();
        let mut threads = Threads::start(2, &factory(), &control);
        run(&plan, Vec::new(), &mut journal, &mut threads, &control, &mut |_| {}).unwrap();
    }
    fs::create_dir_all(runs.join("broken")).unwrap();
    fs::write(runs.join("broken/journal.jsonl"), "nonsense\n").unwrap();

    let file = runs.join("index.sqlite");
    let mut index = Index::open(&file).unwrap();
    assert_eq!(index.rebuild(&runs).unwrap().len(), 1, "the broken journal is named");
    let names: BTreeSet<String> = index.runs().unwrap().into_iter().map(|r| r.run).collect();
    assert_eq!(names, BTreeSet::from(["one".to_owned(), "two".to_owned()]));
    assert_eq!(index.run("one").unwrap().unwrap().pairs, 8);

    let ratings = index.ratings(&GameFilter::default()).unwrap();
    let order: Vec<&str> = ratings.iter().map(|line| line.player.as_str()).collect();
    assert_eq!(order, ["scatter:90", "scatter:40", "scatter:0"]);
    assert_eq!(ratings[1].games, 32, "both runs count for the player they share");
    assert_eq!(ratings[1].name, "yy", "the name it was given last");

    let one = GameFilter { run: Some("one".to_owned()), ..GameFilter::default() };
    assert_eq!(index.games(&one, 0, 100).unwrap().len(), 16);
    assert_eq!(index.games(&one, 10, 100).unwrap().len(), 6);
    let renju = GameFilter { rule: Some(gomoku::Rule::Renju), ..GameFilter::default() };
    assert!(index.games(&renju, 0, 10).unwrap().is_empty());
    assert!(index.ratings(&renju).unwrap().is_empty());

    // Adding a run again changes nothing.
    let path = runs.join("one/journal.jsonl");
    index.add(&JournalContent::read(&path).unwrap(), &path).unwrap();
    let again = index.ratings(&GameFilter::default()).unwrap();
    let numbers = |lines: &[RatingLine]| lines.iter().map(|l| (l.elo, l.games)).collect::<Vec<_>>();
    assert_eq!(numbers(&again), numbers(&ratings));
    drop(index);
    assert_eq!(Index::open(&file).unwrap().runs().unwrap().len(), 2);
}
