//! Solving over HTTP: the answers, proofs that are walked, checked, saved and taken, and puzzles.

mod support;

use serde_json::{Value, json};
use studio::Running;
use support::{Folder, document, get, http, post, start, wait_for};

fn stones(setup: &str) -> Value {
    json!({ "rule": "freestyle", "size": 15, "setup": setup, "moves": [] })
}

fn won() -> Value {
    stones("b:h8,i8,g9 w:a1,c1,e1 b")
}

/// Asks, and waits for the answer.
fn solve(running: &Running, form: &Value) -> Value {
    let (status, text) = post(running, "/api/solve", form);
    assert_eq!(status, 200, "{text}");
    let id = serde_json::from_str::<Value>(&text).unwrap()["id"].clone();
    let ends = ["win", "no-win", "unknown", "stopped", "failed"];
    wait_for(running, &format!("/api/solve/{id}"), &ends)
}

#[test]
fn the_answers_are_told_apart() {
    let folder = Folder::new();
    let running = start(&folder);
    let win = solve(&running, &json!({ "position": won(), "mode": "any" }));
    assert_eq!(win["state"], "win");
    assert!(win["proof"].is_string() && win["line"][0].is_string(), "{win}");
    let quiet = json!({ "rule": "freestyle", "size": 15, "moves": ["h8", "i9"] });
    let none = solve(&running, &json!({ "position": quiet, "mode": "vcf" }));
    assert_eq!((&none["state"], &none["proof"]), (&json!("no-win"), &Value::Null));
    let hard = stones("b:h8,g9 w:o14,o15 b");
    let form = json!({ "position": hard, "mode": "any", "quiet": 8, "nodes": 1000 });
    assert_eq!(solve(&running, &form)["state"], "unknown");
    let list = document(&running, "/api/solve");
    assert_eq!(list.as_array().unwrap().len(), 3);
}

#[test]
fn a_long_question_is_stopped() {
    let folder = Folder::new();
    let running = start(&folder);
    let form = json!({ "position": stones("b:h8,g9 w:o14,o15 b"), "mode": "any", "quiet": 8 });
    let (_, text) = post(&running, "/api/solve", &form);
    let id = serde_json::from_str::<Value>(&text).unwrap()["id"].clone();
    assert_eq!(document(&running, &format!("/api/solve/{id}"))["state"], "running");
    assert_eq!(post(&running, &format!("/api/solve/{id}/stop"), &json!({})).0, 204);
    wait_for(&running, &format!("/api/solve/{id}"), &["stopped"]);
    assert_eq!(post(&running, &format!("/api/solve/{id}/stop"), &json!({})).0, 409);
}

#[test]
fn an_open_question_is_asked_again_after_a_restart() {
    let folder = Folder::new();
    let running = start(&folder);
    let form = json!({ "position": stones("b:h8,g9 w:o14,o15 b"), "mode": "any", "quiet": 8, "ms": 600_000 });
    let (_, text) = post(&running, "/api/solve", &form);
    let id = serde_json::from_str::<Value>(&text).unwrap()["id"].clone();
    let answered = solve(&running, &json!({ "position": won(), "mode": "any" }));
    running.stop();
    let running = start(&folder);
    let list = document(&running, "/api/solve");
    assert_eq!(list.as_array().unwrap().len(), 1, "{answered} is not asked again");
    assert_eq!((&list[0]["id"], &list[0]["state"]), (&id, &json!("running")));
    assert_eq!(list[0]["asked"]["setup"], "b:h8,g9 w:o14,o15 b");
    let other = solve(&running, &json!({ "position": won(), "mode": "any" }));
    assert_ne!(other["id"], id);
    assert_eq!(post(&running, &format!("/api/solve/{id}/stop"), &json!({})).0, 204);
    wait_for(&running, &format!("/api/solve/{id}"), &["stopped"]);
    running.stop();
    let running = start(&folder);
    assert_eq!(document(&running, "/api/solve"), json!([]), "a stopped question stays stopped");
}

#[test]
fn a_proof_is_walked_checked_saved_and_taken_back_and_damage_is_seen() {
    let folder = Folder::new();
    let running = start(&folder);
    let win = solve(&running, &json!({ "position": won(), "mode": "any" }));
    let id = win["proof"].as_str().unwrap().to_owned();
    let at = |line: &str| document(&running, &format!("/api/proofs/{id}/at?line={line}"));
    let first = at("");
    assert_eq!(first["turn"], "attack");
    let reply = at(first["move"].as_str().unwrap());
    assert_eq!(reply["turn"], "defense");
    let (status, text) = post(&running, &format!("/api/proofs/{id}/check"), &json!({}));
    let checked: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((status, &checked["ok"]), (200, &json!(true)));
    assert_eq!(checked["digest"].as_str().unwrap().len(), 64);
    assert!(get(&running, &format!("/api/proofs/{id}/sgf"), "").contains("(;"));

    // The bytes on disk are what is served; with one of them changed they prove nothing.
    let mut bytes = std::fs::read(folder.0.join("proofs").join(format!("{id}.proof"))).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    let host = running.address();
    let mut request = format!(
        "POST /api/proofs?name=damaged HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n",
        bytes.len()
    )
    .into_bytes();
    request.extend(&bytes);
    let answer = support::http_bytes(&running, &request);
    let taken: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
    let damaged = taken["id"].as_str().unwrap();
    let (_, text) = post(&running, &format!("/api/proofs/{damaged}/check"), &json!({}));
    let checked: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(checked["ok"], false, "{checked}");

    let gone =
        format!("DELETE /api/proofs/{id} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    assert!(http(&running, &gone).starts_with("HTTP/1.1 204"));
    assert!(http(&running, &gone).starts_with("HTTP/1.1 404"));
}

#[test]
fn puzzles_judge_moves() {
    let folder = Folder::new();
    let running = start(&folder);
    assert!(document(&running, "/api/puzzles").as_array().unwrap().len() >= 500);
    let four = stones("b:e8,f8,g8,h8 w:a1,c1,e1,g1 b");
    let judge = |point: &str| {
        post(&running, "/api/solve/try", &json!({ "position": four, "point": point }))
    };
    let (status, text) = judge("i8");
    let right: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((status, &right["right"], &right["over"]), (200, &json!(true), &json!(true)));
    assert_eq!(judge("h8").0, 422, "there is a stone already");
    assert_eq!(judge("z99").0, 422);
    // White must stop the four: elsewhere Black wins, and the answer says how.
    let hold = |point: &str, goal: &str| {
        let four = stones("b:e8,f8,g8,h8 w:a1,c1,i8 w");
        let form = json!({ "position": four, "point": point, "goal": goal });
        let (status, text) = post(&running, "/api/solve/try", &form);
        (status, serde_json::from_str::<Value>(&text).unwrap_or_default())
    };
    let (_, lost) = hold("a8", "hold");
    assert_eq!((&lost["right"], &lost["line"]), (&json!(false), &json!(["d8"])), "{lost}");
    assert_eq!(hold("d8", "hold").1["right"], true);
    assert_eq!(hold("d8", "draw").0, 422);
}

#[test]
fn nonsense_is_refused_in_words() {
    let folder = Folder::new();
    let running = start(&folder);
    for form in [
        json!({ "position": won(), "mode": "magic" }),
        json!({ "position": stones("b:h8 w:h8 b"), "mode": "any" }),
        json!({ "position": { "rule": "chess", "size": 15, "moves": [] }, "mode": "any" }),
        json!({ "position": { "rule": "freestyle", "size": 99, "moves": [] }, "mode": "any" }),
    ] {
        let (status, text) = post(&running, "/api/solve", &form);
        assert_eq!(status, 422, "{form}");
        let answer: Value = serde_json::from_str(&text).unwrap();
        assert!(answer["error"].as_str().unwrap().ends_with('.'), "{text}");
    }
    for path in ["/api/solve/999", "/api/proofs/..%2f..%2fcurrent", "/api/proofs/x/file"] {
        assert!(get(&running, path, "").starts_with("HTTP/1.1 404"), "{path}");
    }
}
