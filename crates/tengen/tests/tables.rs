//! The papers' printed tables, typed from the papers, against `tengen players NAME --json`; and one
//! position judged by them, in `tengen analyze`.

use std::process::Command;

use serde_json::{Value, json};

fn tengen(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_tengen")).args(args).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn players(name: &str) -> Value {
    serde_json::from_str(&tengen(&["players", name, "--json"])).unwrap()
}

/// The cells of a table, one row a line, separated by bars.
fn cells(player: &Value, table: &str) -> String {
    let tables = player["tables"].as_array().unwrap();
    let found = tables.iter().find(|found| found["name"] == table).unwrap();
    let row = |row: &Value| -> String {
        let cells = row.as_array().unwrap().iter().map(|cell| cell.as_str().unwrap());
        cells.collect::<Vec<_>>().join("|")
    };
    found["rows"].as_array().unwrap().iter().map(row).collect::<Vec<_>>().join("\n")
}

fn default_of(player: &Value, param: &str) -> f64 {
    let params = player["params"].as_array().unwrap();
    params.iter().find(|found| found["name"] == param).unwrap()["default"].as_f64().unwrap()
}

#[test]
fn liaos_algorithm_3() {
    for name in ["greedy", "minimax", "alpha-beta", "new-heuristic"] {
        let rows = cells(&players(name), "Algorithm 3");
        let points: Vec<&str> = rows.lines().map(|row| row.rsplit('|').next().unwrap()).collect();
        assert_eq!(points, ["100000", "15000", "10000", "5000", "1000", "300", "50"], "{name}");
    }
}

#[test]
fn fan_and_yuans_scores_and_weights() {
    for name in ["compositions", "compositions-d1"] {
        let player = players(name);
        let scores = "WIN|2000000\nH4|10000\nC4|500\nH3|200\nM3|50\nH2|5\nM2|3";
        assert_eq!(cells(&player, "Scores (3.1)"), scores, "{name}");
        let weights = "WIN|1|10\nH4|1|10\nC4|1|10\nH3|1|10\nM3|1|1\nH2|1|1\nM2|1|1\nS4|1|1\n\
                       S3|1|1\nS2|1|1";
        assert_eq!(cells(&player, "Weights (3.1.3)"), weights, "{name}");
    }
}

#[test]
fn figueiras_sets() {
    let printed = "5|-|2000000000|2000000000\n4|2|100000000|50000000\n4|1|100000000|50\n4|0|0|0\n\
                   3|2|10000|50\n3|1|7|5\n3|0|0|0\n2|2|7|7\n2|1|3|3\n2|0|0|0\n1|2|2|2\n1|1|1|1\n\
                   1|0|0|0";
    assert_eq!(cells(&players("open-ends"), "Sets by open ends and turn"), printed);
}

#[test]
fn xies_tables_1_and_3() {
    let table_1 = "OWN0|1\nOWN1|200\nOWN2|400\nOWN3|2000\nOWN4|20000\nOPP0|1\nOPP1|220\nOPP2|420\n\
                   OPP3|2100\nOPP4|10000";
    let table_3 = "OWN0|1|19.9\nOWN1|200|177.6\nOWN2|400|1151.3\nOWN3|2000|1240.2\n\
                   OWN4|20000|20000\nOPP0|1|58.7\nOPP1|220|297.7\nOPP2|420|1163.5\n\
                   OPP3|2100|1200.2\nOPP4|10000|10000\nSleep Two|4|96.6\nLive Two|4|178.9\n\
                   Sleep Three|10|175.3\nLive Three|100|336.7\nDouble Live Three|500|1264.3\n\
                   Sleep Four|2000|2000\nOpp's Sleep Two|4|8.9\nOpp's Live Two|4|130.8\n\
                   Opp's Sleep Three|10|147.2\nOpp's Live Three|400|686.7\n\
                   Opp's Double Live Three|2000|2390.8\nOpp's Sleep Four|2000|2000";
    let words = ["own0", "own1", "own2", "own3", "own4", "opp0", "opp1", "opp2", "opp3", "opp4"]
        .into_iter()
        .chain(["sleep-two", "live-two", "sleep-three", "live-three", "double-live-three"])
        .chain(["sleep-four", "opp-sleep-two", "opp-live-two", "opp-sleep-three"])
        .chain(["opp-live-three", "opp-double-live-three", "opp-sleep-four"]);
    for (name, column) in [("static-table", 1), ("static-table-optimized", 2)] {
        let player = players(name);
        assert_eq!(cells(&player, "Table 1"), table_1);
        assert_eq!(cells(&player, "Table 3"), table_3);
        // What the preset plays with is the column that it is named after.
        for (param, row) in words.clone().zip(table_3.lines()) {
            let printed = row.split('|').nth(column).unwrap();
            assert_eq!(default_of(&player, param).to_string(), printed, "{name} {param}");
        }
    }
}

/// Three black stones in a row, White to move.
const THREE: &str = "b:h8,i8,j8 w:h9,c3 w";

fn explained(player: &str) -> Value {
    let args = ["analyze", THREE, "--player", player, "--nodes", "300", "--json"];
    let mut found: Value = serde_json::from_str(&tengen(&args)).unwrap();
    let explained = found["explain"].take();
    assert_eq!(explained["player"], player);
    explained
}

#[test]
fn an_evaluation_is_taken_apart_by_the_numbers_of_its_paper() {
    for (player, value, color, name, count, weight, points) in [
        ("greedy", -200, "black", "rule: live three, each", 1, 200.0, -200.0),
        ("new-heuristic", -200, "black", "rule: live three, each", 1, 200.0, -200.0),
        // The weight of a live three of the other side is ten.
        ("compositions", -2000, "black", "H3", 1, 2000.0, -2000.0),
        ("open-ends", -52, "black", "3 in a row, 2 open", 1, 50.0, -50.0),
        ("open-ends", -52, "white", "1 in a row, 2 open", 6, 2.0, 12.0),
        ("static-table", -400, "black", "Opp's Live Three", 1, 400.0, -400.0),
        ("static-table-optimized", -686, "black", "Opp's Live Three", 1, 686.7, -686.7),
        ("top12", -20_350, "white", "promising points", 12, 38.75, 465.0),
    ] {
        let explained = explained(player);
        assert_eq!(explained["value"], json!({ "v": value }), "{player}");
        let terms = explained["terms"].as_array().unwrap();
        let is_it = |term: &&Value| term["name"] == name && term["color"] == color;
        let term = terms.iter().find(is_it).unwrap();
        let numbers = [&term["count"], &term["weight"], &term["points"]];
        assert_eq!(numbers, [&json!(count), &json!(weight), &json!(points)], "{player} {name}");
        let sum: f64 = terms.iter().map(|term| term["points"].as_f64().unwrap()).sum();
        assert_eq!(sum.trunc(), f64::from(value), "{player}");
    }
}

#[test]
fn shapes_have_their_cells_points_their_worth_and_candidates_their_chance() {
    let shape = &explained("compositions")["terms"];
    let is_it = |term: &&Value| term["name"] == "H3" && term["color"] == "black";
    let three = shape.as_array().unwrap().iter().find(is_it).unwrap();
    assert_eq!(three["lines"], json!([["h8", "i8", "j8"]]));
    // What the twenty lines through g8 are worth as the other side's, and as the own.
    let black = 1 + 220 + 420 + 2 * 2100 + 5 + 5 + 1;
    let white = 1 + 5 + 5 + 1 + 4 * 200;
    let worth = json!(["g8", f64::from(black), f64::from(white)]);
    let table = explained("static-table");
    let points = table["points"].as_array().unwrap();
    assert_eq!(points.iter().find(|one| one[0] == "g8"), Some(&worth));
    // The paper's point A lies on line 148.
    assert_eq!(table["lines"].as_array().unwrap().len(), 572);
    assert!(table["lines"][148][0].as_str().unwrap().contains("h6"));
    let listed = &explained("new-heuristic")["cand"];
    let chance = |point: &str| {
        let found = listed.as_array().unwrap().iter().find(|one| one["m"] == point);
        found.map(|one| one["p"].clone())
    };
    assert_eq!([chance("g8"), chance("i9")], [Some(json!(0.8)), Some(json!(0.4))]);
}

#[test]
fn the_text_has_the_parts_that_are_there_the_heaviest_first_and_for_black() {
    let said = tengen(&["analyze", THREE, "--player", "open-ends", "--nodes", "300"]);
    let parts = said.split_once("without search +52\n").unwrap().1;
    let expected = "50 black 1 x 3 in a row, 2 open\n14 black 7 x 1 in a row, 2 open\n\
                    -12 white 6 x 1 in a row, 2 open\n-2 white 2 x 1 in a row, 1 open\n\
                    2 black 2 x 1 in a row, 1 open\n";
    let lines: String = parts.lines().map(|line| format!("{}\n", line.trim())).collect();
    assert_eq!(lines, expected);
}
