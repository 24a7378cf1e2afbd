//! The papers' printed tables, typed from the papers, against `tengen players NAME --json`.

use std::process::Command;

use serde_json::Value;

fn players(name: &str) -> Value {
    let program = env!("CARGO_BIN_EXE_tengen");
    let output = Command::new(program).args(["players", name, "--json"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
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
