//! A desk without a server: work is run at once, things are kept in memory, and the clock stands still.

use std::{sync::Arc, time::Duration};

use desk::{
    Answer, AnswerResult, Archive, Call, Desk, Host, Memory, Refusal, Route, Store, Verb, Why,
};
use gomoku::{Point, Position};
use player::{Choice, Explanation, Player, PlayerInfo, Reason, Registry, Task, Watch};
use serde_json::{Value, json};

#[derive(Debug)]
struct Alone;

impl Host for Alone {
    fn spawn(&self, _name: &'static str, work: Box<dyn FnOnce() + Send>) -> Result<(), String> {
        work();
        Ok(())
    }

    fn clock(&self) -> Duration {
        Duration::ZERO
    }

    fn date(&self) -> Duration {
        Duration::from_secs(1)
    }

    fn cores(&self) -> usize {
        1
    }
}

#[derive(Debug)]
struct Shipped;

impl Archive for Shipped {}

/// Plays the free point nearest to the center.
struct Nearest;

impl Player for Nearest {
    fn new_game(&mut self, _seed: u64) {}

    fn choose(&mut self, task: &Task, _watch: &dyn Watch) -> Choice {
        let center = Point::center(task.position.size());
        let legal = task.position.legal_points();
        let point = legal.iter().min_by_key(|point| point.distance(center)).unwrap();
        Choice::of(point, Reason::Evaluation)
    }

    fn explain(&mut self, _position: &Position) -> Explanation {
        Explanation::default()
    }
}

fn desk(store: &Arc<dyn Store>) -> Arc<Desk> {
    let mut registry = Registry::default();
    let info = PlayerInfo {
        name: "nearest",
        summary: "Plays nearest to the center.",
        source: "",
        params: Vec::new(),
        tables: Vec::new(),
    };
    registry.add(info, Box::new(|_| Ok(Box::new(Nearest))));
    Desk::new(Arc::new(registry), Arc::new(Alone), Arc::clone(store), Box::new(Shipped))
}

fn memory() -> Arc<dyn Store> {
    Arc::new(Memory::default())
}

fn ask(routes: &[Route], verb: Verb, path: &str, names: &[&str], body: &Value) -> AnswerResult {
    let route = routes.iter().find(|route| route.verb == verb && route.path == path).unwrap();
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    (route.answer)(&Call { names, body: body.to_string().into_bytes(), ..Call::default() })
}

fn document(reply: AnswerResult) -> Value {
    match reply {
        Ok(Answer::Json(text)) => serde_json::from_str(&text).unwrap(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_page_talks_to_the_desk_and_finds_its_game_again() {
    let store = memory();
    let session = desk(&store).connect(|| {}).unwrap();
    let next = || -> Value { serde_json::from_str(&session.outbox().next().unwrap()).unwrap() };
    session.handle(r#"{"t":"hello","proto":1}"#);
    let hello = next();
    assert_eq!(
        (&hello["t"], &hello["cores"], &hello["doc"]),
        (&json!("hello"), &json!(1), &Value::Null)
    );
    session.handle(r#"{"t":"look","rev":7,"position":{"rule":"renju","size":15,"moves":["h8"]}}"#);
    let look = next();
    assert_eq!((&look["t"], &look["rev"]), (&json!("look"), &json!(7)));
    let think = json!({
        "t": "think", "id": 3, "player": "nearest",
        "position": { "rule": "freestyle", "size": 15, "moves": [] },
    });
    session.handle(&think.to_string());
    let best = next();
    assert_eq!(
        (&best["t"], &best["id"], &best["stones"]),
        (&json!("best"), &json!(3), &json!(["h8"]))
    );
    session.handle("nonsense");
    assert_eq!(next()["code"], "malformed");
    let doc = json!({
        "v": 1, "id": "a", "seq": 1, "rule": "renju", "size": 15, "nodes": [{ "p": -1 }], "at": 0,
        "tip": 0, "seats": [{ "who": "human" }, { "who": "human" }], "names": ["", ""],
    });
    session.handle(&json!({ "t": "doc-put", "doc": doc }).to_string());
    assert_eq!(next()["t"], "saved");

    let session = desk(&store).connect(|| {}).unwrap();
    session.handle(r#"{"t":"hello","proto":1}"#);
    let hello: Value = serde_json::from_str(&session.outbox().next().unwrap()).unwrap();
    assert_eq!(hello["doc"], doc);
}

#[test]
fn a_win_is_solved_proved_and_walked() {
    let desk = desk(&memory());
    let routes = desk.page_routes();
    let stones = "b:h8,i8,g9 w:a1,c1,e1 b";
    let position = json!({ "rule": "freestyle", "size": 15, "setup": stones, "moves": [] });
    let form = json!({ "position": position, "mode": "any" });
    let id = document(ask(&routes, Verb::Post, "/api/solve", &[], &form))["id"].to_string();
    let solved = document(ask(&routes, Verb::Get, "/api/solve/{id}", &[&id], &Value::Null));
    assert_eq!(solved["state"], "win", "{solved}");
    let proof = solved["proof"].as_str().unwrap();
    let checked =
        document(ask(&routes, Verb::Post, "/api/proofs/{id}/check", &[proof], &Value::Null));
    assert_eq!(checked["ok"], true);
    let first = document(ask(&routes, Verb::Get, "/api/proofs/{id}/at", &[proof], &Value::Null));
    assert_eq!(first["move"], solved["line"][0]);
    let stop = ask(&routes, Verb::Post, "/api/solve/{id}/{action}", &[&id, "stop"], &Value::Null);
    assert!(matches!(stop, Err(Refusal { why: Why::Conflict, .. })), "{stop:?}");
    assert!(desk.is_idle());
}

#[test]
fn what_cannot_be_is_refused_with_its_kind() {
    let desk = desk(&memory());
    let routes: Vec<_> = desk.routes().into_iter().chain(desk.program_routes()).collect();
    let why = |verb, path: &str, names: &[&str], body: &Value| match ask(
        &routes, verb, path, names, body,
    ) {
        Err(refusal) => refusal.why,
        Ok(answer) => panic!("{answer:?}"),
    };
    assert_eq!(why(Verb::Get, "/api/games/{id}", &["../x"], &Value::Null), Why::Missing);
    assert_eq!(why(Verb::Delete, "/api/games/{id}", &["a"], &Value::Null), Why::Conflict);
    assert_eq!(why(Verb::Post, "/api/think", &[], &json!({})), Why::Wrong);
    assert_eq!(why(Verb::Post, "/api/read", &[], &Value::Null), Why::Malformed);
    assert_eq!(why(Verb::Post, "/api/write/{format}", &["chess"], &Value::Null), Why::Missing);
}
