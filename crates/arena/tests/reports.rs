//! Reports and ratings, from real runs.

mod common;

use std::fs;

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
fn a_one_sided_match_says_how_much_it_shows_at_least() {
    let plan = Plan {
        title: "Twenty <nil>".to_owned(),
        ..plan(&[("a", "scatter:95"), ("b", "scatter:1")], Schedule::Duel { pairs: 10 })
    };
    let outcome = play(&plan, "report-one-sided", 2).unwrap();
    let report = Report::new(&plan, &outcome);
    assert_eq!((report.players[0].wins, report.players[1].wins), (20, 0), "{report:?}");
    let text = report.to_markdown();
    assert!(text.starts_with("# Twenty <nil>\n"), "{text}");
    assert!(text.contains("| ≥ +138.7 | – |") && text.contains("| ≤ -138.7 | – |"), "{text}");
    assert!(text.contains("| ≥ +277.4 | – |") && !text.contains('∞'), "{text}");
    let folder = folder("report-one-sided-out");
    report.write(&plan, &outcome.pairs, &folder).unwrap();
    let html = fs::read_to_string(folder.join("report.html")).unwrap();
    assert!(html.contains("<h1>Twenty &lt;nil&gt;</h1>") && html.contains("≥ +277.4"));
    let plot = |title: &str| html.split("</svg>").find(|part| part.contains(title)).unwrap();
    let curve = plot("Elo by games");
    assert!(curve.contains("<polyline points=\"") && !curve.contains("points=\"\""), "{curve}");
    let won = plot("Results by color");
    let legend =
        |name: &str| won.split(&format!(">{name}<")).next().unwrap().rsplit("fill=\"").next();
    assert!(legend("won").unwrap().starts_with("#009e73"), "won is green");
    assert!(!legend("lost").unwrap().starts_with("#009e73"), "lost is not");
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
    let line = RunLine::new(&journal_path("report-sprt"), recorded);
    assert_eq!(line.digest, report.digest);
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
fn journals_rate_players_across_runs() {
    let runs = folder("rated-runs");
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

    let mut lines = Vec::new();
    let unreadable = read_runs(&runs, |path, run| lines.push(RunLine::new(path, run))).unwrap();
    assert_eq!(unreadable.len(), 1, "the broken journal is named");
    let lines: Vec<_> = lines.iter().map(|line| (line.run.as_str(), line.pairs)).collect();
    assert_eq!(lines, [("one", 8), ("two", 8)]);

    let rate = |filter| rate_runs(&runs, &filter).unwrap().0;
    let ratings = rate(GameFilter::default());
    let order: Vec<&str> = ratings.iter().map(|line| line.player.as_str()).collect();
    assert_eq!(order, ["scatter:90", "scatter:40", "scatter:0"]);
    assert_eq!(ratings[1].games, 32, "both runs count for the player they share");
    assert_eq!(ratings[1].name, "yy", "the name it was given last");
    assert!(ratings[0].score > 0.5 && ratings[2].score < 0.5, "{ratings:?}");

    let one = rate(GameFilter { run: Some("one".to_owned()), ..GameFilter::default() });
    assert_eq!(one.iter().map(|line| line.games).collect::<Vec<_>>(), [16, 16]);
    assert!(
        rate(GameFilter { rule: Some(gomoku::Rule::Renju), ..GameFilter::default() }).is_empty()
    );
    assert!(rate(GameFilter { size: Some(19), ..GameFilter::default() }).is_empty());

    // A copy of a run counts once, and so does a pair that was written twice.
    let journal = fs::read_to_string(runs.join("one/journal.jsonl")).unwrap();
    let last = journal.lines().last().unwrap();
    fs::create_dir_all(runs.join("other")).unwrap();
    fs::write(runs.join("other/journal.jsonl"), &journal).unwrap();
    fs::write(runs.join("one/journal.jsonl"), format!("{journal}{last}\n")).unwrap();
    assert_eq!(rate(GameFilter::default()), ratings);
    assert_eq!(rate_runs(&runs.join("nowhere"), &GameFilter::default()).unwrap().0, []);
}

#[test]
fn a_journal_with_a_player_of_no_plan_is_refused() {
    let plan = plan(&[("a", "scatter:20"), ("b", "scatter:90")], Schedule::Duel { pairs: 1 });
    play(&plan, "report-stranger", 1).unwrap();
    let path = journal_path("report-stranger");
    let journal = fs::read_to_string(&path).unwrap();
    // Without its checksums, as the first version wrote it.
    let bare = |line: &str| line[..line.len() - r#","sum":"00000000"}"#.len()].to_owned() + "}\n";
    let journal: String = journal.lines().map(bare).collect();
    fs::write(&path, journal.replace("\"players\":[0,1]", "\"players\":[0,7]")).unwrap();
    let error = JournalContent::read(&path).unwrap_err().to_string();
    assert!(error.ends_with("pair 0 has a player that the plan does not name."), "{error}");
}
