//! The interface for other programs: what is described is what is served.

mod support;

use serde_json::{Value, json};
use studio::{Options, Running};
use support::{Folder, http, registry, schema::misfits};

fn start(folder: &Folder) -> Running {
    let options = Options {
        port: Some(0),
        open_browser: false,
        page: false,
        ..Options::new(folder.0.clone(), registry())
    };
    studio::start(options).unwrap()
}

/// Status and body.
fn ask(running: &Running, method: &str, path: &str, kind: &str, body: &str) -> (u16, String) {
    let (host, length) = (running.address(), body.len());
    let answer = http(
        running,
        &format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: \
             {kind}\r\nContent-Length: {length}\r\n\r\n{body}"
        ),
    );
    let status = answer.split(' ').nth(1).and_then(|code| code.parse().ok());
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = status.unwrap_or_else(|| panic!("{method} {path}: {answer}"));
    check_answer(method, path, status, head, body);
    (status, body.to_owned())
}

/// Holds an answer against the description: its status, its kind, and each of its fields.
fn check_answer(method: &str, path: &str, status: u16, head: &str, body: &str) {
    let document = description();
    let asked: Vec<&str> = path.split('?').next().unwrap().split('/').collect();
    let fits = |known: &str| {
        let known: Vec<&str> = known.split('/').collect();
        known.len() == asked.len()
            && known.iter().zip(&asked).all(|(a, b)| a == b || a.starts_with('{') && !b.is_empty())
    };
    let paths = document["paths"].as_object().unwrap();
    let exact = paths.get(path).or_else(|| Some(paths.iter().find(|(known, _)| fits(known))?.1));
    let operation = exact.map_or(&Value::Null, |item| &item[method.to_lowercase()]);
    let error = json!({ "$ref": "#/components/schemas/Error" });
    let kind = head.lines().find_map(|line| line.strip_prefix("content-type: "));
    let schema = match &operation["responses"][status.to_string()] {
        // What is not described is refused.
        _ if operation.is_null() => {
            assert!([403, 404, 405].contains(&status), "{method} {path}: {status}");
            &error
        }
        Value::Null => panic!("{method} {path}: {status} is not described: {body}"),
        response => {
            let target = response["$ref"].as_str().map(|to| to.trim_start_matches('#'));
            let response = target.map_or(response, |to| document.pointer(to).unwrap());
            let content = response["content"].as_object();
            let expected = content.and_then(|content| content.keys().next());
            assert_eq!(kind, expected.map(String::as_str), "{method} {path}");
            &response["content"]["application/json"]["schema"]
        }
    };
    if !schema.is_null() {
        let value = serde_json::from_str(body)
            .unwrap_or_else(|error| panic!("{method} {path}: {status}: {error}: {body}"));
        let wrong = misfits(document, schema, &value);
        assert!(wrong.is_empty(), "{method} {path}: {status}: {wrong:#?}");
    }
}

fn description() -> &'static Value {
    static DOCUMENT: std::sync::LazyLock<Value> = std::sync::LazyLock::new(|| {
        serde_json::from_str(include_str!("../src/server/openapi.json")).unwrap()
    });
    &DOCUMENT
}

/// The sentence of a refusal.
fn sentence((status, body): (u16, String)) -> (u16, String) {
    let body: Value = serde_json::from_str(&body).unwrap();
    (status, body["error"].as_str().unwrap_or_else(|| panic!("{body}")).to_owned())
}

fn post(running: &Running, path: &str, body: &Value) -> (u16, String) {
    ask(running, "POST", path, "application/json", &body.to_string())
}

/// The path with the examples of its parameters, as a request has it.
fn filled(path: &str, parameters: &[Value]) -> String {
    let mut filled = path.to_owned();
    let mut query = Vec::new();
    for parameter in parameters {
        let name = parameter["name"].as_str().unwrap();
        let example = &parameter["example"];
        let example = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
        match parameter["in"].as_str().unwrap() {
            "path" => filled = filled.replace(&format!("{{{name}}}"), &example),
            _ => query.push(format!("{name}={example}")),
        }
    }
    if query.is_empty() { filled } else { format!("{filled}?{}", query.join("&")) }
}

#[test]
fn every_described_request_is_answered_as_described() {
    let folder = Folder::new();
    let running = start(&folder);
    let (status, text) = ask(&running, "GET", "/openapi.json", "text/plain", "");
    assert_eq!(status, 200);
    let document: Value = serde_json::from_str(&text).unwrap();
    for (path, item) in document["paths"].as_object().unwrap() {
        let list = |value: &Value| value["parameters"].as_array().cloned().unwrap_or_default();
        let mut parameters = list(item);
        parameters.extend(item.as_object().unwrap().values().flat_map(list));
        let path = filled(path, &parameters);
        for method in ["get", "post", "put", "delete"] {
            let operation = &item[method];
            assert!(!path.contains('{'), "{path} has a parameter that is not described");
            let content = operation["requestBody"]["content"].as_object();
            let (kind, example) = content.and_then(|content| content.iter().next()).map_or_else(
                || ("application/json".to_owned(), String::new()),
                |(kind, body)| {
                    let example = &body["example"];
                    // The players of this test are others.
                    let text = example.as_str().map_or_else(
                        || example.to_string().replace("greedy", "nearest"),
                        str::to_owned,
                    );
                    (kind.clone(), text)
                },
            );
            let (status, body) = ask(&running, &method.to_uppercase(), &path, &kind, &example);
            if operation.is_null() {
                assert_eq!(status, 405, "{method} {path} is not described");
                continue;
            }
            let responses = operation["responses"].as_object().unwrap();
            assert!(
                responses.contains_key(&status.to_string()),
                "{method} {path}: {status} {body}"
            );
            let can_succeed = !path.contains("g1") && !path.contains("quick-1");
            assert!(status < 300 || !can_succeed, "{method} {path}: {status} {body}");
        }
    }
}

#[test]
fn there_is_no_page_and_no_socket() {
    let folder = Folder::new();
    let running = start(&folder);
    for path in ["/", "/main.js", "/ws", "/api/nothing"] {
        assert_eq!(ask(&running, "GET", path, "text/plain", "").0, 404, "{path}");
    }
}

#[test]
fn a_program_can_look_and_think() {
    let folder = Folder::new();
    let running = start(&folder);
    let won = json!({ "rule": "freestyle", "size": 15,
                      "moves": ["h8", "a1", "h9", "a2", "h10", "a3", "h11", "a4", "h12"] });
    let (status, text) = post(&running, "/api/look", &json!({ "position": won }));
    let look: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((status, &look["result"]["winner"]), (200, &json!("black")));
    assert_eq!((&look["legal"], &look["to_move"]), (&json!([]), &json!("white")));
    let refused = post(&running, "/api/think", &json!({ "position": won, "player": "nearest" }));
    assert_eq!(sentence(refused), (422, "The game is over.".to_owned()));
    let begun = json!({ "rule": "renju", "size": 15, "moves": ["h8"] });
    let (status, text) =
        post(&running, "/api/think", &json!({ "position": begun, "player": "nearest" }));
    let best: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(status, 200);
    assert_eq!(best["stones"].as_array().unwrap().len(), 1);
    for player in ["nobody", "cmd:/bin/true", "nearest(faulty=on)"] {
        let request = json!({ "position": begun, "player": player });
        assert_eq!(post(&running, "/api/think", &request).0, 422, "{player}");
    }
}

#[test]
fn legal_moves_are_told_and_nobody_need_name_a_player() {
    let folder = Folder::new();
    let running = start(&folder);
    let doubled = json!({ "rule": "renju", "size": 15, "setup": "b:g8,i8,h7,h9 w:a1,a3,a5,a13 b" });
    let request = json!({ "position": doubled, "rev": 7 });
    let (_, text) = post(&running, "/api/look", &request);
    let look: Value = serde_json::from_str(&text).unwrap();
    let legal = look["legal"].as_array().unwrap();
    assert_eq!((legal.len(), &look["rev"]), (225 - 8 - 1, &json!(7)));
    assert!(!legal.contains(&json!("h8")) && look["forbidden"] == json!([["h8", "double-three"]]));
    let begun = json!({ "position": { "rule": "freestyle", "size": 15, "moves": ["h8"] } });
    let (status, text) = post(&running, "/api/think", &begun);
    assert_eq!(status, 200, "{text}");
    let named = json!({ "position": begun["position"], "player": "nearest" });
    // This player tells its seconds as its depth.
    let depth = |text: &str| serde_json::from_str::<Value>(text).unwrap()["depth"].clone();
    assert_eq!(depth(&text), 1, "without a limit a second is the limit");
    let mut limited = named.clone();
    limited["limits"] = json!({ "nodes": 10 });
    assert_eq!(depth(&post(&running, "/api/think", &limited).1), 0);
    let stones = |text: &str| serde_json::from_str::<Value>(text).unwrap()["stones"].clone();
    assert_eq!(stones(&text), stones(&post(&running, "/api/think", &named).1));
}

#[test]
fn many_positions_are_answered_in_their_order() {
    let folder = Folder::new();
    let running = start(&folder);
    let moves = ["h8", "i9", "g7", "j10"];
    let position = |n: usize| json!({ "rule": "freestyle", "size": 15, "moves": moves[..n] });
    let requests: Vec<_> = (0..40)
        .map(|i| json!({ "position": position(i % 5), "id": i, "rev": i, "player": "nearest" }))
        .collect();
    let looks: Vec<Value> =
        serde_json::from_str(&post(&running, "/api/look/batch", &json!(requests)).1).unwrap();
    let free = |look: &Value| look["legal"].as_array().unwrap().len();
    assert!(
        looks.iter().enumerate().all(|(i, look)| look["rev"] == i && free(look) == 225 - i % 5)
    );
    let mut wrong = requests.clone();
    wrong[3] = json!({ "position": { "rule": "freestyle", "size": 15, "moves": ["h8", "h8"] } });
    wrong[4]["player"] = json!("nearest(faulty=on)");
    let (status, text) = post(&running, "/api/think/batch", &json!(wrong));
    let all: Vec<Value> = serde_json::from_str(&text).unwrap();
    assert_eq!((status, all.len()), (200, 40));
    for (i, one) in all.iter().enumerate() {
        match i {
            3 => assert_eq!(one["error"], "h8 is occupied."),
            4 => assert_eq!(one["error"], "The player nearest(faulty=on) failed."),
            _ => assert_eq!((&one["id"], one["stones"].as_array().unwrap().len()), (&json!(i), 1)),
        }
    }
    let many = json!(vec![requests[0].clone(); 257]);
    for path in ["/api/look/batch", "/api/think/batch"] {
        let (status, text) = sentence(post(&running, path, &many));
        assert_eq!((status, text.as_str()), (422, "A batch has at most 256 positions, not 257."));
        assert_eq!(post(&running, path, &json!([])), (200, "[]".to_owned()));
    }
}

#[test]
fn whatever_is_wrong_is_said_in_a_sentence() {
    let folder = Folder::new();
    let running = start(&folder);
    let asked = |method: &str, path: &str, kind: &str, body: &str| {
        let (status, text) = sentence(ask(&running, method, path, kind, body));
        assert!(text.ends_with('.') && !text.contains('\n'), "{method} {path}: {text}");
        (status, text)
    };
    let json = "application/json";
    assert_eq!(asked("POST", "/api/look", json, "{").0, 400);
    assert_eq!(asked("POST", "/api/look", json, "").0, 400);
    assert_eq!(asked("POST", "/api/look", json, "{}").0, 422);
    assert_eq!(asked("POST", "/api/look", "text/plain", "{}").0, 415);
    assert_eq!(asked("POST", "/api/look", json, &" ".repeat(6 << 20)).0, 413);
    assert_eq!(asked("POST", "/api/read?rule=draughts&size=15", json, "h8").0, 400);
    assert_eq!(asked("POST", "/api/read?rule=renju&size=15", json, "nothing").0, 422);
    assert_eq!(asked("POST", "/api/write/docx", json, "{}").0, 404);
    assert_eq!(asked("GET", "/api/games/none", json, "").0, 404);
    assert_eq!(asked("DELETE", "/api/games/none", json, "").0, 409);
    assert_eq!(asked("POST", "/api/runs/none/stop", json, "").0, 409);
    assert_eq!(asked("GET", "/api/nothing", json, "").0, 404);
    assert_eq!(asked("GET", "/nothing", json, "").0, 404);
    assert_eq!(asked("PUT", "/api/look", json, "").0, 405);
    let stranger = "GET /api/schema HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    let answer = http(&running, stranger);
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    check_answer("GET", "/api/schema", 403, head, body);
}

#[test]
fn players_that_fail_take_no_place_from_others() {
    let folder = Folder::new();
    let running = start(&folder);
    let position = json!({ "rule": "freestyle", "size": 15, "moves": ["h8"] });
    let faulty = json!({ "position": position, "player": "nearest(faulty=on)" });
    for _ in 0..10 {
        let (status, text) = sentence(post(&running, "/api/think", &faulty));
        assert_eq!((status, text.as_str()), (422, "The player nearest(faulty=on) failed."));
    }
    let (_, text) = post(&running, "/api/look", &faulty);
    assert!(text.contains("failed"), "{text}");
    assert_eq!(post(&running, "/api/think", &json!({ "position": position })).0, 200);
}

#[test]
fn a_match_and_its_games_are_as_described() {
    let folder = Folder::new();
    let running = start(&folder);
    let form = json!({
        "name": "short", "rule": "freestyle", "size": 15, "games": 2, "openings": "none", "jobs": 1,
        "players": [{ "spec": "nearest" }, { "spec": "nearest(score=5)" }],
    });
    let (_, text) = post(&running, "/api/runs", &form);
    let id = serde_json::from_str::<Value>(&text).unwrap()["id"].as_str().unwrap().to_owned();
    support::wait_for(&running, &format!("/api/runs/{id}"), &["done"]);
    let get = |path: &str| ask(&running, "GET", path, "text/plain", "");
    for path in ["", "/games/0/0", "/games/0/1", "/report/report.md", "/report/games.csv"] {
        assert_eq!(get(&format!("/api/runs/{id}{path}")).0, 200, "{path}");
    }
    assert!(get("/api/runs").1.contains(&id));
    // Each format is written, and read again.
    let game: Value = serde_json::from_str(&get(&format!("/api/runs/{id}/games/0/0")).1).unwrap();
    for format in ["sgf", "psq", "pos", "lib"] {
        assert_eq!(post(&running, &format!("/api/write/{format}"), &game).0, 200, "{format}");
    }
    for file in ["(;GM[4]SZ[15]PB[a]C[b]RE[B+];B[hh]C[good];W[ii](;B[hi])(;B[gg]))", "h8i9"] {
        let path = "/api/read?rule=freestyle&size=15&name=a";
        assert_eq!(ask(&running, "POST", path, "application/octet-stream", file).0, 200, "{file}");
    }
}
