//! A studio on a free port with a small player, and a page's side of the socket.

#![allow(dead_code, reason = "each test uses part of it")]

pub(crate) mod schema;

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use futures_util::{SinkExt, StreamExt};
use gomoku::{Point, Position};
use player::{
    Candidate, Choice, Explanation, Goal, Iteration, ParamSpec, Player, PlayerInfo, PlayerReply,
    PointValue, Progress, Reason, Registry, Score, Task, Watch,
};
use serde_json::{Value, json};
use studio::{Options, Running};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{Message, client::IntoClientRequest},
};

/// Plays the legal point nearest to the center; can be made to think until it is stopped.
struct Nearest {
    is_patient: bool,
    is_faulty: bool,
    score: Score,
}

impl Player for Nearest {
    fn new_game(&mut self, _seed: u64) {}

    fn choose(&mut self, task: &Task, watch: &dyn Watch) -> Choice {
        assert!(!self.is_faulty, "this player was told to fail");
        let center = Point::center(task.position.size());
        let legal = task.position.legal_points();
        let point = legal.iter().min_by_key(|point| point.distance(center)).unwrap();
        let mut choice = Choice::of(point, Reason::Evaluation);
        if let Goal::Balance { stones: 2, .. } = task.goal {
            choice.reply = PlayerReply::Stones(legal.iter().take(2).collect());
        }
        choice.candidates = vec![Candidate {
            score: Some(self.score),
            probability: Some(0.5),
            ..Candidate::new(point)
        }];
        choice.score = Some(self.score);
        choice.depth = task.limits.turn.map_or(0, |turn| turn.as_secs() as u32);
        let mut progress =
            Progress { candidates: choice.candidates.clone(), ..Progress::default() };
        while self.is_patient && !watch.stopped() {
            progress.depth += 1;
            progress.counters.nodes += 1000;
            progress.finished = progress.depth.is_multiple_of(16).then_some(Iteration {
                depth: progress.depth / 16,
                best: point,
                score: self.score,
                counters: progress.counters,
            });
            watch.progress(&progress);
            std::thread::sleep(Duration::from_millis(3));
        }
        choice
    }

    fn explain(&mut self, position: &Position) -> Explanation {
        assert!(!self.is_faulty, "this player was told to fail");
        let value = |point| PointValue { point, black: 1.0, white: 2.0 };
        Explanation {
            value: Some(Score::new(position.board().len() as i64)),
            points: position.legal_points().iter().map(value).collect(),
            ..Explanation::default()
        }
    }
}

pub(crate) fn registry() -> Arc<Registry> {
    let mut registry = Registry::default();
    let info = PlayerInfo {
        name: "nearest",
        summary: "Plays nearest to the center.",
        source: "",
        params: vec![
            ParamSpec::switch("patient", false, "Think until stopped."),
            ParamSpec::switch("faulty", false, "Fail."),
            ParamSpec::integer("score", 7, -1000, 1000, "What every position is worth."),
        ],
        tables: Vec::new(),
    };
    registry.add(
        info,
        Box::new(|params| {
            Ok(Box::new(Nearest {
                is_patient: params.switch("patient"),
                is_faulty: params.switch("faulty"),
                score: Score::new(params.integer("score")),
            }))
        }),
    );
    Arc::new(registry)
}

/// A data folder of its own that goes away with the value.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("studio-test-{}-{number}", std::process::id());
        Folder(std::env::temp_dir().join(name))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn start(folder: &Folder) -> Running {
    let options = Options {
        port: Some(0),
        open_browser: false,
        ..Options::new(folder.0.clone(), registry())
    };
    studio::start(options).unwrap()
}

/// A page.
pub(crate) struct Page(pub(crate) WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Page {
    pub(crate) async fn open(running: &Running) -> Page {
        Page::open_as(running, &[]).await.unwrap()
    }

    pub(crate) async fn open_as(
        running: &Running,
        headers: &[(&'static str, &str)],
    ) -> Result<Page, tokio_tungstenite::tungstenite::Error> {
        let mut request = format!("ws://{}/ws", running.address()).into_client_request()?;
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        let (socket, _) = connect_async(request).await?;
        Ok(Page(socket))
    }

    pub(crate) async fn send(&mut self, message: Value) {
        self.send_text(&message.to_string()).await;
    }

    pub(crate) async fn send_text(&mut self, text: &str) {
        self.0.send(Message::text(text)).await.unwrap();
    }

    /// The next message of this type; others are skipped.
    pub(crate) async fn expect(&mut self, kind: &str) -> Value {
        self.expect_either(&[kind]).await
    }

    /// The next message of one of these types.
    pub(crate) async fn expect_either(&mut self, kinds: &[&str]) -> Value {
        let found = async {
            loop {
                match self.0.next().await {
                    Some(Ok(Message::Text(text))) => {
                        let message: Value = serde_json::from_str(&text).unwrap();
                        if kinds.iter().any(|kind| message["t"] == *kind) {
                            return message;
                        }
                    }
                    Some(Ok(_)) => {}
                    other => panic!("the socket ended while waiting for {kinds:?}: {other:?}"),
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(30), found)
            .await
            .unwrap_or_else(|_| panic!("there was no {kinds:?}"))
    }
}

/// A game as the page writes it, with one line of moves.
pub(crate) fn game(id: &str, seq: u64, moves: &str) -> Value {
    let mut nodes = vec![json!({ "p": -1 })];
    let played = moves.split_whitespace().enumerate();
    nodes.extend(played.map(|(parent, point)| json!({ "p": parent, "m": point })));
    json!({
        "v": 1, "id": id, "seq": seq, "rule": "freestyle", "size": 15,
        "seats": [{ "who": "human" }, { "who": "human" }], "names": ["", ""],
        "at": nodes.len() - 1, "tip": nodes.len() - 1, "nodes": nodes,
    })
}

/// A position as the page writes it.
pub(crate) fn position(rule: &str, size: u8, moves: &str) -> Value {
    let moves: Vec<_> = moves.split_whitespace().collect();
    json!({ "rule": rule, "size": size, "moves": moves })
}

/// One HTTP exchange over a bare connection: status line, headers and body as text.
pub(crate) fn http(running: &Running, request: &str) -> String {
    http_bytes(running, request.as_bytes())
}

/// The same for a request that is not text.
pub(crate) fn http_bytes(running: &Running, request: &[u8]) -> String {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(running.address()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut bytes = Vec::new();
    // A refused request may end with a reset, also before all of it was sent; the answer counts.
    let _ = stream.write_all(request);
    let _ = stream.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

pub(crate) fn get(running: &Running, path: &str, headers: &str) -> String {
    let host = running.address();
    http(
        running,
        &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n"),
    )
}

/// Status and body of a posted document.
pub(crate) fn post(running: &Running, path: &str, body: &Value) -> (u16, String) {
    let (host, body) = (running.address(), body.to_string());
    let answer = http(
        running,
        &format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: \
             application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        ),
    );
    let status = answer.split(' ').nth(1).and_then(|code| code.parse().ok());
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    (status.unwrap_or_else(|| panic!("{path}: {answer}")), body.to_owned())
}

/// A document of the server.
pub(crate) fn document(running: &Running, path: &str) -> Value {
    let answer = get(running, path, "");
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    serde_json::from_str(body).unwrap_or_else(|_| panic!("{path}: {answer}"))
}

/// Waits until a document has a state. The limit only keeps a broken test from hanging.
pub(crate) fn wait_for(running: &Running, path: &str, states: &[&str]) -> Value {
    let began = std::time::Instant::now();
    loop {
        let found = document(running, path);
        if states.iter().any(|state| found["state"] == *state) {
            return found;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "{path} is still {}", found["state"]);
        std::thread::sleep(Duration::from_millis(20));
    }
}
