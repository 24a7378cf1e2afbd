//! Tuning over HTTP: from the form to the report, stopped, gone on with, and kept over a restart.

mod support;

use std::sync::Arc;

use player::Registry;
use serde_json::{Value, json};
use studio::{Options, Running};
use support::{Folder, document, get, post, wait_for};

/// A studio with players that have something to tune.
fn start(folder: &Folder) -> Running {
    let mut registry = Registry::default();
    lab::register(&mut registry);
    let options = Options {
        port: Some(0),
        open_browser: false,
        ..Options::new(folder.0.clone(), Arc::new(registry))
    };
    studio::start(options).unwrap()
}

fn form(running: &Running, generations: u64) -> Value {
    let schema = document(running, "/api/schema");
    let players = schema["players"].as_array().unwrap();
    let greedy = players.iter().find(|one| one["name"] == "greedy").unwrap();
    let param = greedy["params"].as_array().unwrap().iter().find(|one| one["min"].is_number());
    let param = param.expect("greedy has a number");
    json!({
        "name": "Small", "rule": "freestyle", "size": 15, "player": "greedy", "method": "spsa",
        "params": [{ "name": param["name"], "low": param["min"], "high": param["max"] }],
        "population": 6, "generations": generations, "games": 2, "snapshot_games": 0, "test_games": 2, "jobs": 1,
    })
}

fn begin(running: &Running, generations: u64) -> String {
    let (status, text) = post(running, "/api/tunes", &form(running, generations));
    assert_eq!(status, 200, "{text}");
    serde_json::from_str::<Value>(&text).unwrap()["id"].as_str().unwrap().to_owned()
}

#[test]
fn a_run_goes_from_the_form_to_the_report() {
    let folder = Folder::new();
    let running = start(&folder);
    let id = begin(&running, 2);
    assert!(id.starts_with("20") && id.ends_with("-small"), "{id}");
    let run = wait_for(&running, &format!("/api/tunes/{id}"), &["done", "failed"]);
    assert_eq!(run["state"], "done", "{run}");
    assert_eq!((&run["generation"], &run["steps"].as_array().unwrap().len()), (&json!(2), &2));
    assert_eq!(
        (&run["name"], &run["members"]),
        (&json!("Small"), &json!(1)),
        "SPSA has no population"
    );
    assert!(run["best"].as_str().unwrap().starts_with("greedy"), "{run}");
    for file in ["report.md", "report.json", "report.html", "best.toml"] {
        let answer = get(&running, &format!("/api/tunes/{id}/report/{file}"), "");
        assert!(answer.starts_with("HTTP/1.1 200"), "{file}: {answer}");
    }
    assert!(get(&running, &format!("/api/tunes/{id}/report/..%2ftune.jsonl"), "").contains("404"));
    assert_eq!(document(&running, "/api/tunes")[0]["state"], "done");
}

#[test]
fn a_run_is_kept_over_a_restart_and_stopped() {
    let folder = Folder::new();
    let running = start(&folder);
    let id = begin(&running, 5000);
    let path = format!("/api/tunes/{id}");
    wait_for(&running, &path, &["running"]);
    let second = post(&running, "/api/tunes", &form(&running, 2));
    assert_eq!(second.0, 422, "one at a time: {}", second.1);
    running.stop();

    let running = start(&folder);
    wait_for(&running, &path, &["running"]);
    assert_eq!(post(&running, &format!("{path}/stop"), &json!({})).0, 204);
    wait_for(&running, &path, &["stopped"]);
    assert_eq!(post(&running, &format!("{path}/stop"), &json!({})).0, 409);
    assert_eq!(post(&running, &format!("{path}/resume"), &json!({})).0, 204);
    wait_for(&running, &path, &["running"]);
    assert_eq!(post(&running, &format!("{path}/dance"), &json!({})).0, 409);
}

#[test]
fn a_wrong_form_is_refused_in_words() {
    let folder = Folder::new();
    let running = start(&folder);
    let change = |key: &str, value: Value| {
        let mut form = form(&running, 2);
        form[key] = value;
        form
    };
    for wrong in [
        change("player", json!("cmd:/bin/true")),
        change("player", json!("nobody")),
        change("method", json!("prayer")),
        change("rule", json!("chess")),
        change("size", json!(3)),
        change("params", json!([])),
        change("params", json!([{ "name": "charm", "low": 0, "high": 1 }])),
    ] {
        let (status, text) = post(&running, "/api/tunes", &wrong);
        assert_eq!(status, 422, "{wrong}");
        let answer: Value = serde_json::from_str(&text).unwrap();
        assert!(answer["error"].as_str().unwrap().ends_with('.'), "{text}");
    }
    assert_eq!(document(&running, "/api/tunes"), json!([]));
}

#[test]
fn the_population_is_as_large_as_asked_for_and_generations_are_counted_in_the_news() {
    let folder = Folder::new();
    let running = start(&folder);
    let mut form = form(&running, 2);
    form["method"] = json!("de");
    let (status, text) = post(&running, "/api/tunes", &form);
    assert_eq!(status, 200, "{text}");
    let id = serde_json::from_str::<Value>(&text).unwrap()["id"].as_str().unwrap().to_owned();
    let run = wait_for(&running, &format!("/api/tunes/{id}"), &["done", "failed"]);
    assert_eq!((&run["members"], &run["population"].as_array().unwrap().len()), (&json!(6), &6));
    assert_eq!((&run["generation"], &run["generations"]), (&json!(2), &json!(2)));
    let again = document(&running, &format!("/api/tunes/{id}"));
    assert_eq!(again["generation"], 2);
}
