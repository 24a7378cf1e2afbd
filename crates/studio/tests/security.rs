//! Strangers, floods and nonsense: refused or bounded, and the game in progress goes on.

mod support;

use futures_util::SinkExt;
use serde_json::json;
use support::{Folder, Page, get, http, position, start};
use tokio_tungstenite::tungstenite::Message;

#[test]
fn foreign_hosts_and_origins_are_refused() {
    let folder = Folder::new();
    let running = start(&folder);
    let own = running.address();
    let page = get(&running, "/", "");
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    assert!(page.to_lowercase().contains("content-security-policy: default-src 'self'"));

    let rebound = "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    assert!(http(&running, rebound).starts_with("HTTP/1.1 403"));
    let nameless = "GET / HTTP/1.0\r\nConnection: close\r\n\r\n";
    assert!(http(&running, nameless).starts_with("HTTP/1.0 403"));
    for origin in ["http://evil.example", "null"] {
        let header = format!("Origin: {origin}\r\n");
        assert!(get(&running, "/api/schema", &header).starts_with("HTTP/1.1 403"), "{origin}");
    }
    let ours = format!("Origin: http://{own}\r\n");
    assert!(get(&running, "/api/schema", &ours).starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn sockets_of_other_sites_are_refused() {
    let folder = Folder::new();
    let running = start(&folder);
    let own = format!("http://{}", running.address());
    assert!(Page::open_as(&running, &[("origin", &own)]).await.is_ok());
    assert!(Page::open_as(&running, &[("origin", "http://evil.example")]).await.is_err());
    assert!(Page::open_as(&running, &[("host", "evil.example")]).await.is_err());
}

#[test]
fn no_path_leaves_the_page() {
    let folder = Folder::new();
    let running = start(&folder);
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/test/tree.test.js",
        "/api/games/..%2f..%2fcurrent",
        "/api/games/%00",
    ] {
        assert!(get(&running, path, "").starts_with("HTTP/1.1 404"), "{path}");
    }
}

#[tokio::test]
async fn nonsense_is_answered_and_forgotten() {
    let folder = Folder::new();
    let running = start(&folder);
    let mut page = Page::open(&running).await;
    let deep = "[".repeat(100_000);
    for text in ["", "x", "{}", "[]", "{\"t\":\"think\"}", "{\"t\":\"run\",\"cmd\":\"ls\"}", &deep]
    {
        page.send_text(text).await;
        assert_eq!(page.expect("error").await["code"], "malformed");
    }
    page.0.send(Message::binary(vec![1, 2, 3])).await.unwrap();
    assert_eq!(page.expect("error").await["code"], "malformed");
    for (size, moves) in [(0, ""), (23, ""), (255, ""), (15, "z99"), (15, "h8h8"), (5, "h8")] {
        page.send(json!({ "t": "look", "rev": 1, "position": position("freestyle", size, moves) }))
            .await;
        assert!(page.expect("look").await["bad"]["text"].is_string(), "{size} {moves}");
    }
    let doc = json!({ "v": 1, "id": "../../x", "seq": 1, "rule": "renju", "size": 15 });
    page.send(json!({ "t": "doc-put", "doc": doc })).await;
    assert_eq!(page.expect("error").await["code"], "malformed");
}

#[tokio::test]
async fn an_oversized_message_closes_only_its_own_socket() {
    let folder = Folder::new();
    let running = start(&folder);
    let mut game = Page::open(&running).await;
    let think = json!({
        "t": "think", "id": 1, "rev": 0, "player": "nearest(patient=on)",
        "position": position("freestyle", 15, ""),
    });
    game.send(think).await;
    game.expect("info").await;

    let mut flood = Page::open(&running).await;
    let huge = "x".repeat(6 << 20);
    // The server may cut the connection while we are still sending.
    let _ = flood.0.send(Message::text(huge)).await;
    let ended = async {
        use futures_util::StreamExt;
        while let Some(Ok(_)) = flood.0.next().await {}
    };
    ended.await;

    game.expect("info").await;
    game.send(json!({ "t": "stop" })).await;
    assert_eq!(game.expect("best").await["stopped"], true);
}

#[tokio::test]
async fn two_hundred_sockets_are_bounded_and_a_game_goes_on() {
    let folder = Folder::new();
    let running = start(&folder);
    let mut game = Page::open(&running).await;
    let mut open = Vec::new();
    let mut refused = 0;
    for _ in 0..200 {
        match Page::open_as(&running, &[]).await {
            Ok(page) => open.push(page),
            Err(_) => refused += 1,
        }
    }
    assert_eq!(open.len() + 1, 64);
    assert_eq!(refused, 200 - open.len());
    game.send(json!({ "t": "look", "rev": 1, "position": position("renju", 15, "h8") })).await;
    assert_eq!(game.expect("look").await["rev"], 1);
}

#[tokio::test]
async fn a_slow_reader_does_not_hold_up_a_search() {
    let folder = Folder::new();
    let running = start(&folder);
    let mut slow = Page::open(&running).await;
    let mut game = Page::open(&running).await;
    for id in 0..3 {
        slow.send(json!({
            "t": "think", "id": id, "rev": 0, "player": "nearest(patient=on)",
            "position": position("freestyle", 15, ""),
        }))
        .await;
    }
    // The slow page asks a great deal and reads nothing.
    for rev in 0..300 {
        slow.send(json!({
            "t": "look", "rev": rev, "player": "nearest",
            "position": position("freestyle", 15, "h8"),
        }))
        .await;
    }
    game.send(json!({ "t": "look", "rev": 9, "position": position("freestyle", 15, "h8") })).await;
    assert_eq!(game.expect("look").await["rev"], 9);
}

#[test]
fn slow_bodies_close_nothing() {
    use std::io::Write as _;
    let folder = Folder::new();
    let running = start(&folder);
    let host = running.address();
    let begun: Vec<_> = (0..80)
        .map(|_| {
            let mut stream = std::net::TcpStream::connect(host).unwrap();
            let head = format!(
                "POST /api/think HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
                 Content-Length: 1000\r\n\r\n{{"
            );
            stream.write_all(head.as_bytes()).unwrap();
            stream
        })
        .collect();
    for _ in 0..20 {
        assert!(get(&running, "/api/games", "").starts_with("HTTP/1.1 200"));
        assert!(get(&running, "/", "").starts_with("HTTP/1.1 200"));
    }
    drop(begun);
}

#[test]
fn head_is_answered_like_get_but_without_a_body() {
    let folder = Folder::new();
    let running = start(&folder);
    let host = running.address();
    for path in ["/", "/api/games", "/main.js"] {
        let ask = |verb: &str| {
            let request =
                format!("{verb} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
            let mut bytes = Vec::new();
            let mut stream = std::net::TcpStream::connect(host).unwrap();
            use std::io::{Read as _, Write as _};
            stream.write_all(request.as_bytes()).unwrap();
            stream.read_to_end(&mut bytes).unwrap();
            let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
            let head = String::from_utf8(bytes[..end].to_vec()).unwrap().to_lowercase();
            let length =
                head.lines().find(|line| line.starts_with("content-length")).unwrap().to_owned();
            (head.lines().next().unwrap().to_owned(), length, bytes.len() - end)
        };
        let (get, head) = (ask("GET"), ask("HEAD"));
        assert_eq!((&get.0, &get.1), (&head.0, &head.1), "{path}");
        assert!(get.2 > 0 && head.2 == 0, "{path}");
    }
}

#[test]
fn a_second_studio_on_a_folder_is_told_where_the_first_is() {
    let folder = Folder::new();
    let running = start(&folder);
    let options = studio::Options {
        port: Some(0),
        open_browser: false,
        ..studio::Options::new(folder.0.clone(), support::registry())
    };
    let refused = studio::start(options).unwrap_err().to_string();
    assert!(refused.contains(running.url()) && refused.contains("--data"), "{refused}");
    running.stop();
    start(&folder).stop();
}

#[test]
fn a_network_is_told_addresses_that_work() {
    let folder = Folder::new();
    let options = studio::Options {
        port: Some(0),
        listen: Some("0.0.0.0".parse().unwrap()),
        open_browser: false,
        ..studio::Options::new(folder.0.clone(), support::registry())
    };
    let running = studio::start(options).unwrap();
    assert!(running.url().starts_with("http://127.0.0.1:"), "{}", running.url());
    for url in [running.url()].into_iter().chain(running.other_urls().iter().map(String::as_str)) {
        let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
        use std::io::{Read as _, Write as _};
        let mut stream = std::net::TcpStream::connect(host).unwrap();
        let request = format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 303"), "{url}: {answer}");
    }
}
