//! Runs of the lab: from a form to a report, stopped, resumed, and taken up after a crash.

mod support;

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use studio::Running;
use support::{Folder, get, http, start};

fn post(running: &Running, path: &str, body: &str) -> String {
    let (host, length) = (running.address(), body.len());
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: \
         application/json\r\nContent-Length: {length}\r\n\r\n"
    );
    http(running, &(head + body))
}

fn body(answer: &str) -> Value {
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
}

fn form(games: u64, spec: &str) -> String {
    json!({
        "name": "First Run!", "rule": "freestyle", "size": 9, "games": games, "openings": "none",
        "players": [{ "spec": spec }, { "spec": "nearest" }], "jobs": 1,
    })
    .to_string()
}

/// Waits until a run is in a state. The limit only keeps a broken test from hanging.
fn wait(running: &Running, id: &str, state: &str) -> Value {
    let began = Instant::now();
    loop {
        let run = body(&get(running, &format!("/api/runs/{id}"), ""));
        if run["state"] == state {
            return run;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "still {}", run["state"]);
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_run_goes_from_the_form_to_the_report() {
    let folder = Folder::new();
    let running = start(&folder);
    let id = body(&post(&running, "/api/runs", &form(6, "nearest")))["id"].clone();
    let id = id.as_str().unwrap();
    assert!(id.starts_with("20") && id.ends_with("-first-run"), "{id}");
    let run = wait(&running, id, "done");
    assert_eq!(run["counted"], 3);
    assert_eq!(
        run["games"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum::<u64>(),
        6
    );
    assert_eq!(run["list"].as_array().unwrap().len(), 6);
    assert_eq!(run["history"].as_array().unwrap().len(), 3);
    let report = get(&running, &format!("/api/runs/{id}/report/report.md"), "");
    assert!(report.contains("nearest"), "{report}");
    let game = body(&get(&running, &format!("/api/runs/{id}/games/0/1"), ""));
    let plies = run["list"][1][5].as_u64().unwrap() as usize;
    assert_eq!(game["nodes"].as_array().unwrap().len(), plies + 1);
    assert!(get(&running, &format!("/api/runs/{id}/report/..%2fgoing"), "").contains("404"));
    assert_eq!(body(&get(&running, "/api/runs", ""))[0]["state"], "done");
}

#[test]
fn no_form_can_start_a_program_or_an_unknown_player() {
    let folder = Folder::new();
    let running = start(&folder);
    for spec in ["cmd:/bin/sh -c true", "unknown", "nearest(depth=9)"] {
        let answer = post(&running, "/api/runs", &form(2, spec));
        assert!(answer.starts_with("HTTP/1.1 422"), "{spec}: {answer}");
    }
    assert!(post(&running, "/api/runs", "{}").starts_with("HTTP/1.1 422"));
    assert_eq!(body(&get(&running, "/api/runs", "")), json!([]));
}

#[test]
fn a_run_is_stopped_and_taken_up_again_after_a_restart() {
    let folder = Folder::new();
    let running = start(&folder);
    let id = body(&post(&running, "/api/runs", &form(2000, "nearest")))["id"].clone();
    let id = id.as_str().unwrap().to_owned();
    let journal = folder.0.join("runs").join(&id);
    assert!(journal.join("going").is_file());
    running.stop();

    // The mark is still there, so the next server goes on by itself; then it is told to stop.
    let running = start(&folder);
    wait(&running, &id, "running");
    assert!(post(&running, &format!("/api/runs/{id}/stop"), "").starts_with("HTTP/1.1 204"));
    let stopped = wait(&running, &id, "stopped");
    assert!(!journal.join("going").exists());
    assert!(stopped["total"] == 1000);
    assert!(post(&running, &format!("/api/runs/{id}/stop"), "").starts_with("HTTP/1.1 409"));
    assert!(post(&running, &format!("/api/runs/{id}/resume"), "").starts_with("HTTP/1.1 204"));
    wait(&running, &id, "running");
}
