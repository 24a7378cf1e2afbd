//! A desk without a server: work is run at once, things are kept in memory, and the clock stands still.

use std::{cell::RefCell, sync::Arc, time::Duration};

use desk::{
    Answer, AnswerResult, Archive, Call, Desk, Host, Memory, Refusal, Route, Store, Verb, Why,
};
use gomoku::{Point, Position};
use player::{
    Candidate, Choice, Explanation, Player, PlayerInfo, Reason, Registry, Score, Task, Watch,
};
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

/// Knows what a position is worth by the number of its stones, and would always play in the corner.
struct Fickle;

impl Player for Fickle {
    fn new_game(&mut self, _seed: u64) {}

    fn choose(&mut self, task: &Task, _watch: &dyn Watch) -> Choice {
        let last = task.position.last_move();
        let score = match task.position.moves().len() {
            _ if last == Some(Point::new(14, 14)) => Score::win_in(1),
            4 => Score::win_in(7),
            8 | 10 | 12 => Score::new(400),
            9 => Score::new(200),
            _ => Score::new(0),
        };
        let corner = Point::new(0, 0);
        let line = vec![corner];
        let candidates = vec![Candidate { score: Some(score), line, ..Candidate::new(corner) }];
        Choice { score: Some(score), candidates, ..Choice::of(corner, Reason::Search) }
    }

    fn explain(&mut self, _position: &Position) -> Explanation {
        Explanation { value: Some(Score::new(440)), ..Explanation::default() }
    }
}

fn desk(store: &Arc<dyn Store>) -> Arc<Desk> {
    let mut registry = Registry::default();
    let info = |name| PlayerInfo {
        name,
        summary: "Is here for the tests.",
        source: "",
        params: Vec::new(),
        tables: Vec::new(),
    };
    registry.add(info("nearest"), Box::new(|_| Ok(Box::new(Nearest))));
    registry.add(info("fickle"), Box::new(|_| Ok(Box::new(Fickle))));
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

/// In this game White's last move is the only one.
const FORCED: &str = "h8 i9 h7 g9 h9 h6 i8 g8 j7 k6 g10 f11";

#[test]
fn a_forced_reply_is_worth_what_comes_after_it_and_is_no_mistake() {
    let session = desk(&memory()).connect(|| {}).unwrap();
    let moves = RefCell::new(FORCED.split(' ').collect::<Vec<_>>());
    let ask = |from: usize| {
        let position = json!({ "rule": "freestyle", "size": 15, "moves": *moves.borrow() });
        let request = json!({ "t": "review", "id": 1, "player": "fickle", "position": position, "from": from });
        session.handle(&request.to_string());
        let text = std::iter::from_fn(|| session.outbox().next());
        text.map(|text| serde_json::from_str(&text).unwrap()).collect::<Vec<Value>>()
    };
    let mut all = ask(1);
    let review = all.pop().unwrap();
    assert_eq!(review["t"], "review");
    let judged = |ply: usize| all.iter().rfind(|one| one["ply"] == ply).unwrap()["best"].clone();
    let (before, after) = (judged(11), judged(12));
    assert_eq!((&before["stones"], &before["why"]), (&json!(["f11"]), &json!("only move")));
    let sum = before["w"].as_f64().unwrap() + after["w"].as_f64().unwrap();
    assert!(
        (sum - 1.0).abs() < 1e-9,
        "the forced reply takes its value from the position after it"
    );
    let of = |ply: usize, key: &str| review["moves"][ply - 1][key].clone();
    assert_eq!((of(12, "kind"), of(12, "loss")), (json!("only"), json!(0.0)));
    assert_eq!((of(11, "kind"), of(11, "loss")), (json!("good"), json!(0.0)));
    assert_eq!((of(9, "kind"), of(9, "turn")), (json!("blunder"), json!(true)));
    assert_eq!(
        (of(5, "kind"), of(5, "plies"), of(5, "line")),
        (json!("missed-win"), json!(7), json!(["a1"]))
    );
    assert_eq!(of(4, "kind"), "missed-block");
    let accuracy = |side: usize| review["accuracy"][side].as_f64().unwrap();
    assert!(accuracy(0) < 0.8 && accuracy(1) < 0.8, "{review}");

    let request = json!({ "t": "review", "id": 2, "player": "nearest", "position": { "rule": "renju", "size": 15 } });
    session.handle(&request.to_string());
    let refused: Value = serde_json::from_str(&session.outbox().next().unwrap()).unwrap();
    assert_eq!(refused["code"], "no-chances");
    assert_eq!(refused["detail"], "The scores of nearest are no chances.");

    // One try is judged alone.
    let mut all = ask(12);
    assert_eq!(all.pop().unwrap()["moves"].as_array().unwrap().len(), 1);
    assert_eq!(all.len(), 2, "the positions before and after it");
    // Another move than the only one loses.
    *moves.borrow_mut().last_mut().unwrap() = "o15";
    let verdict = ask(12).pop().unwrap()["moves"][0].clone();
    assert_eq!(verdict["kind"], "missed-block");
    assert!(verdict["loss"].as_f64().unwrap() > 0.1, "{verdict}");
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
