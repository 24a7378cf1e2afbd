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
    assert!(report.contains("# First Run!\n"), "the title is what was typed: {report}");
    let page = get(&running, &format!("/api/runs/{id}/report/report.html?open"), "");
    assert!(
        page.contains("content-type: text/html") && page.contains("<h1>First Run!</h1>"),
        "{page}"
    );
    assert!(page.contains("default-src 'none'") && page.contains("sandbox"), "it can do nothing");
    assert!(!page.contains("content-disposition"));
    let saved = get(&running, &format!("/api/runs/{id}/report/report.html"), "");
    assert!(saved.contains("content-disposition: attachment"), "{saved}");
    let game = body(&get(&running, &format!("/api/runs/{id}/games/0/1"), ""));
    let plies = run["list"][1][5].as_u64().unwrap() as usize;
    assert_eq!(game["nodes"].as_array().unwrap().len(), plies + 1);
    assert!(get(&running, &format!("/api/runs/{id}/report/..%2fgoing"), "").contains("404"));
    let listed = body(&get(&running, "/api/runs", ""))[0].clone();
    assert_eq!((&listed["state"], &listed["name"]), (&json!("done"), &json!("First Run!")));
}

#[test]
fn a_tournament_has_a_table_of_all_meetings() {
    let folder = Folder::new();
    let running = start(&folder);
    let players = vec![json!({ "spec": "nearest" }); 3];
    for (schedule, meetings) in [("round-robin", 3), ("gauntlet", 2)] {
        let form = json!({
            "rule": "freestyle", "size": 9, "games": 2, "openings": "none", "jobs": 1,
            "players": players, "schedule": schedule,
        });
        let id = body(&post(&running, "/api/runs", &form.to_string()))["id"].clone();
        let run = wait(&running, id.as_str().unwrap(), "done");
        assert_eq!((&run["total"], &run["played"]), (&json!(meetings), &json!(meetings)));
        let table = run["meetings"].as_array().unwrap();
        assert_eq!(table.len(), meetings, "{run}");
        for meeting in table {
            let games: u64 = (2..5).map(|i| meeting[i].as_u64().unwrap()).sum();
            assert_eq!(games, 2, "{meeting}");
        }
        for game in run["list"].as_array().unwrap() {
            assert_ne!(game[2], game[8], "who had Black and who had White: {game}");
        }
        let rows = run["ratings"].as_array().unwrap();
        let points: f64 = rows.iter().map(|row| row[2].as_f64().unwrap()).sum();
        assert_eq!((rows.len(), points), (3, 2.0 * meetings as f64));
    }
    // A match is of two.
    let form = json!({ "rule": "freestyle", "size": 9, "games": 2, "players": players });
    assert!(post(&running, "/api/runs", &form.to_string()).starts_with("HTTP/1.1 422"));
}

#[test]
fn an_engine_plays_under_the_name_that_it_was_given_at_the_start() {
    let folder = Folder::new();
    let options = studio::Options {
        port: Some(0),
        open_browser: false,
        engines: vec![("outsider".to_owned(), "/no/such/program".to_owned())],
        ..studio::Options::new(folder.0.clone(), support::registry())
    };
    let running = studio::start(options).unwrap();
    let id = body(&post(&running, "/api/runs", &form(2, "outsider")))["id"].clone();
    let run = wait(&running, id.as_str().unwrap(), "failed");
    assert_eq!(run["players"][0]["name"], "outsider");
    let error = run["error"].as_str().unwrap();
    assert!(error.contains("/no/such/program"), "it was tried: {error}");
    let other = post(&running, "/api/runs", &form(2, "cmd:/no/such/program"));
    assert!(other.starts_with("HTTP/1.1 200"), "the same command, whoever names it: {other}");
    let other = post(&running, "/api/runs", &form(2, "cmd:/bin/true"));
    assert!(other.starts_with("HTTP/1.1 422"), "{other}");
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
