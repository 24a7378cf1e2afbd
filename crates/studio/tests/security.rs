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
    let huge = "x".repeat(4 << 20);
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
