//! The interface for other programs: what is described is what is served.

mod support;

use serde_json::{Value, json};
use studio::{Options, Running};
use support::{Folder, http, registry};

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
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    (status.unwrap_or_else(|| panic!("{method} {path}: {answer}")), body.to_owned())
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
    let (status, text) =
        post(&running, "/api/think", &json!({ "position": won, "player": "nearest" }));
    assert_eq!((status, text.as_str()), (422, "The game is over."));
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
