//! What a hostile client may try on a real socket: refused or bounded, while a game goes on.

mod support;

use std::{
    io::{ErrorKind, Read, Write},
    net::{Ipv4Addr, TcpStream},
    time::Duration,
};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use studio::{Options, Running};
use support::{Folder, Page, get, http, position, registry, start};
use tokio_tungstenite::tungstenite::Message;

fn think(id: u64) -> Value {
    json!({
        "t": "think", "id": id, "rev": 0, "player": "nearest(patient=on)",
        "position": position("freestyle", 15, ""),
    })
}

/// A game whose player is thinking.
async fn game_in_progress(running: &Running) -> Page {
    let mut game = Page::open(running).await;
    game.send(think(1)).await;
    game.expect("info").await;
    game
}

/// The player is still thinking, is stopped, and answers.
async fn goes_on(mut game: Page) {
    game.expect("info").await;
    game.send(json!({ "t": "stop" })).await;
    assert_eq!(game.expect("best").await["stopped"], true);
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or("none")
}

fn post(running: &Running, path: &str, kind: &str, body: &str) -> String {
    let host = running.address();
    let length = body.len();
    http(
        running,
        &format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: {kind}\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        ),
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn malformed_http_is_refused() {
    let folder = Folder::new();
    let running = start(&folder);
    let game = game_in_progress(&running).await;
    let host = running.address();
    for request in [
        "\0\0\0\0\r\n\r\n".to_owned(),
        "GET\r\n\r\n".to_owned(),
        format!("GET / HTTP/9.9\r\nHost: {host}\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nHost: {host}\r\nContent-Length: -1\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nHost: {host}\r\nBad Header\r\n\r\n"),
    ] {
        let answer = http(&running, &request);
        assert!(["400", "none", "505"].contains(&status(&answer)), "{request:?}: {answer}");
    }
    // A request that is split in two by a second length must not be smuggled past the guard.
    let twice = format!(
        "POST /api/runs HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\nContent-Length: 44\r\n\r\n\
         GET /api/schema HTTP/1.1\r\nHost: evil.example\r\n\r\n"
    );
    assert_eq!(status(&http(&running, &twice)), "400");
    goes_on(game).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn oversized_http_is_refused() {
    let folder = Folder::new();
    let running = start(&folder);
    let game = game_in_progress(&running).await;
    let long = "x".repeat(1 << 20);
    assert!(["414", "431", "400", "none"].contains(&status(&get(
        &running,
        &format!("/{long}"),
        ""
    ))));
    let header = get(&running, "/", &format!("X-Long: {long}\r\n"));
    assert!(["431", "400", "none"].contains(&status(&header)), "{header}");
    let many = "X-Many: 1\r\n".repeat(5000);
    assert!(["431", "400", "none"].contains(&status(&get(&running, "/", &many))));
    let doc = format!("{{\"x\":\"{}\"}}", "x".repeat(5 << 20));
    let answer = post(&running, "/api/write/sgf", "application/json", &doc);
    assert!(["413", "none"].contains(&status(&answer)), "{answer}");
    let file = "x".repeat(17 << 20);
    let path = "/api/read?rule=freestyle&size=15&name=x.sgf";
    assert!(["413", "none"].contains(&status(&post(&running, path, "text/plain", &file))));
    goes_on(game).await;
}

#[test]
fn malformed_requests_are_answered_in_words() {
    let folder = Folder::new();
    let running = start(&folder);
    let deep = "[".repeat(200_000);
    for body in ["", "x", "{}", "[]", "null", "{\"players\":7}", &deep] {
        let answer = post(&running, "/api/runs", "application/json", body);
        assert!(["400", "422"].contains(&status(&answer)), "{answer}");
    }
    let simple = post(&running, "/api/runs", "text/plain", "{}");
    assert_eq!(status(&simple), "415", "a form of another site cannot send JSON");
    for path in ["/api/runs/x/stop", "/api/runs/..%2f..%2fx/resume", "/api/runs/%00/finish"] {
        assert_eq!(status(&post(&running, path, "application/json", "")), "409", "{path}");
    }
    for path in ["/api/runs/..%2f..%2fcurrent", "/api/runs/x/report/..%2fjournal"] {
        assert_eq!(status(&get(&running, path, "")), "404", "{path}");
    }
    for path in ["/api/read?rule=none&size=15", "/api/read?size=999", "/api/read"] {
        assert_eq!(status(&post(&running, path, "text/plain", "h8")), "400", "{path}");
    }
}

#[tokio::test]
async fn no_request_starts_a_program() {
    let folder = Folder::new();
    let running = start(&folder);
    let mark = folder.0.join("started");
    let player = format!("cmd:touch {}", mark.display());
    let mut page = Page::open(&running).await;
    let mut request = think(1);
    request["player"] = json!(player);
    page.send(request).await;
    assert!(page.expect("error").await["detail"].is_string());
    let form = json!({
        "name": "", "rule": "freestyle", "size": 15, "games": 2, "openings": "none", "jobs": 1,
        "seed": "1", "players": [{ "spec": player, "limit": {} }, { "spec": "nearest", "limit": {} }],
        "sprt": null,
    });
    let answer = post(&running, "/api/runs", "application/json", &form.to_string());
    assert_eq!(status(&answer), "422", "{answer}");
    assert!(!mark.exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn malformed_frames_close_only_their_own_socket() {
    let folder = Folder::new();
    let running = start(&folder);
    let game = game_in_progress(&running).await;
    // Unmasked, of an unknown kind, not UTF-8, longer than any may be, a ping longer than pings are.
    let ping = [b"\x89\xfe\x00\x7e\0\0\0\0".as_slice(), &[b'x'; 126]].concat();
    let frames: [&[u8]; 5] = [
        b"\x81\x02hi",
        b"\x8f\x80\0\0\0\0",
        b"\x81\x82\0\0\0\0\xff\xfe",
        b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0",
        &ping,
    ];
    for frame in frames {
        let host = running.address();
        let mut stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        write!(
            stream,
            "GET /ws HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        .unwrap();
        stream.write_all(frame).unwrap();
        let mut answer = Vec::new();
        // The end of the stream, or a reset: either way the server let go.
        let _ = stream.read_to_end(&mut answer);
        assert!(answer.starts_with(b"HTTP/1.1 101"), "{frame:?}");
    }
    goes_on(game).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_open_requests_do_not_keep_others_out() {
    let folder = Folder::new();
    let running = start(&folder);
    let game = game_in_progress(&running).await;
    let mut idle: Vec<TcpStream> = (0..400)
        .map(|i| {
            let mut stream = TcpStream::connect(running.address()).unwrap();
            if i % 2 == 0 {
                stream.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
            }
            stream
        })
        .collect();
    assert_eq!(status(&get(&running, "/api/schema", "")), "200");
    // Many were let go for others: the server holds only so many, whichever it read from first.
    idle.iter().for_each(|stream| stream.set_nonblocking(true).unwrap());
    let is_closed = |stream: &mut TcpStream| match stream.read(&mut [0]) {
        Ok(n) => n == 0 || panic!("nothing was asked"),
        Err(error) => error.kind() != ErrorKind::WouldBlock,
    };
    while idle.iter_mut().map(is_closed).filter(|closed| *closed).count() < 144 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    goes_on(game).await;
    drop(idle);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_that_nobody_reads_keeps_nobody_waiting() {
    let folder = Folder::new();
    let running = start(&folder);
    let game = game_in_progress(&running).await;
    let host = running.address();
    // Many requests for a large answer in one go, none of whose answers is read.
    let request = format!("GET /style.css HTTP/1.1\r\nHost: {host}\r\n\r\n").repeat(1000);
    let greedy: Vec<TcpStream> = (0..10)
        .map(|_| {
            let mut stream = TcpStream::connect(host).unwrap();
            stream.write_all(request.as_bytes()).unwrap();
            stream
        })
        .collect();
    for _ in 0..20 {
        assert_eq!(status(&get(&running, "/api/puzzles", "")), "200");
    }
    goes_on(game).await;
    drop(greedy);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_that_never_reads_is_let_go() {
    let folder = Folder::new();
    let running = start(&folder);
    let game = game_in_progress(&running).await;
    let (mut sink, stream) = Page::open(&running).await.0.split();
    // Every message is answered with an error of some hundred bytes, which nobody takes.
    let nonsense = format!("{{\"t\":\"{}\"}}", "x".repeat(2000));
    let mut sent = 0;
    while sent < 400_000 && sink.send(Message::text(nonsense.clone())).await.is_ok() {
        sent += 1;
    }
    assert!(sent < 400_000, "the server kept {sent} answers");
    drop(stream);
    goes_on(game).await;
}

#[tokio::test]
async fn a_network_needs_the_token() {
    let folder = Folder::new();
    let options = Options {
        port: Some(0),
        open_browser: false,
        listen: Some(Ipv4Addr::UNSPECIFIED.into()),
        ..Options::new(folder.0.clone(), registry())
    };
    let running = studio::start(options).unwrap();
    let token = running.url().split("token=").nth(1).expect("the address has the token").to_owned();
    assert!(token.len() >= 32);
    let host = format!("Host: 127.0.0.1:{}\r\nConnection: close\r\n", running.address().port());
    let ask = |path: &str, more: &str| {
        let port = running.address().port();
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\n{more}\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    };
    let cookie = format!("Cookie: tengen-token={token}\r\n");
    for path in ["/", "/api/schema", "/ws", "/main.js", "/?token=", "/?token=0000"] {
        assert_eq!(status(&ask(path, &host)), "403", "{path}");
    }
    let wrong = format!("Cookie: tengen-token={}\r\n", "0".repeat(token.len()));
    assert_eq!(status(&ask("/api/schema", &(host.clone() + &wrong))), "403");
    let welcome = ask(&format!("/?token={token}"), &host).to_lowercase();
    assert_eq!(status(&welcome), "303");
    assert!(welcome.contains("httponly; samesite=strict"), "{welcome}");
    assert!(welcome.contains("content-security-policy"), "{welcome}");
    assert_eq!(status(&ask("/api/schema", &(host.clone() + &cookie))), "200");
    let rebound =
        format!("Host: evil.example:{}\r\nConnection: close\r\n", running.address().port());
    assert_eq!(status(&ask("/api/schema", &(rebound + &cookie))), "403");
    let foreign = host + &cookie + "Origin: http://evil.example\r\n";
    assert_eq!(status(&ask("/api/schema", &foreign)), "403");
}

#[test]
fn the_policy_is_strict_on_every_answer() {
    let folder = Folder::new();
    let running = start(&folder);
    let refused = "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    let answers =
        [get(&running, "/", ""), get(&running, "/nothing", ""), get(&running, "/api/schema", "")];
    for answer in answers.into_iter().chain([http(&running, refused)]) {
        let head = answer.split("\r\n\r\n").next().unwrap().to_lowercase();
        let policy = head.lines().find_map(|line| line.strip_prefix("content-security-policy: "));
        let policy = policy.expect("every answer has a policy");
        for part in [
            "default-src 'self'",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.contains(part), "{policy}");
        }
        for lax in ["unsafe", "*", "https:", "http:", "script-src", "evil.example/"] {
            assert!(!policy.contains(lax), "{policy}");
        }
        assert!(head.contains("x-content-type-options: nosniff"));
        assert!(!head.contains("access-control-allow-origin"));
    }
}
