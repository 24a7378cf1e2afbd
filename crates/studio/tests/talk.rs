//! The socket as a page uses it: looking, thinking, stopping, saving.

mod support;

use serde_json::{Value, json};
use support::{Folder, Page, get, position, start};

fn doc(seq: u64, note: &str) -> Value {
    let mut doc = support::game("game-1", seq, "");
    doc["note"] = json!(note);
    doc
}

#[tokio::test]
async fn a_page_is_told_who_won_and_what_is_forbidden() {
    let folder = Folder::new();
    let running = start(&folder);
    let mut page = Page::open(&running).await;

    let won = position("freestyle", 15, "h8 h9 i8 i9 j8 j9 k8 k9 l8");
    page.send(json!({ "t": "look", "rev": 1, "position": won })).await;
    let look = page.expect("look").await;
    assert_eq!(look["result"]["winner"], "black");
    assert_eq!(look["result"]["line"], json!(["h8", "i8", "j8", "k8", "l8"]));

    let threes = position("renju", 15, "g8 a1 i8 c1 h7 e1 h9 g1");
    page.send(json!({ "t": "look", "rev": 2, "position": threes })).await;
    let look = page.expect("look").await;
    assert_eq!(look["rev"], 2);
    assert_eq!(look["forbidden"], json!([["h8", "double-three"]]));

    let wrong = position("freestyle", 15, "h8 h9 h8");
    page.send(json!({ "t": "look", "rev": 3, "position": wrong })).await;
    assert_eq!(page.expect("look").await["bad"]["played"], 2);

    page.send(json!({
        "t": "look", "rev": 4, "position": position("freestyle", 15, "h8"), "player": "nearest",
    }))
    .await;
    let look = page.expect("look").await;
    assert_eq!(look["explain"]["value"], json!({ "v": 1 }));
    assert_eq!(look["explain"]["points"].as_array().unwrap().len(), 224);
}

#[tokio::test]
async fn a_player_answers_reports_and_stops() {
    let folder = Folder::new();
    let running = start(&folder);
    let mut page = Page::open(&running).await;
    let think = |id: u64, player: &str| {
        json!({
            "t": "think", "id": id, "rev": 7, "player": player,
            "position": position("freestyle", 9, "e5"),
        })
    };

    page.send(think(1, "nearest")).await;
    let best = page.expect("best").await;
    assert_eq!((&best["id"], &best["rev"]), (&json!(1), &json!(7)));
    assert_eq!(best["stones"].as_array().unwrap().len(), 1);
    assert_eq!(best["stopped"], false);

    page.send(think(2, "nearest(patient=on)")).await;
    let info = page.expect("info").await;
    assert_eq!(info["cand"][0]["e"], json!({ "v": 7 }));
    assert!(page.expect("iter").await["iteration"]["depth"].as_u64().unwrap() >= 1);
    page.send(json!({ "t": "stop", "id": 2 })).await;
    assert_eq!(page.expect("best").await["stopped"], true);

    page.send(think(3, "nearest(faulty=on)")).await;
    assert_eq!(page.expect("error").await["code"], "crash");
    page.send(think(4, "unknown")).await;
    assert_eq!(page.expect("error").await["code"], "player");
    page.send(think(5, "nearest")).await;
    assert_eq!(page.expect("best").await["id"], 5, "a crash harms nobody else");
}

#[tokio::test]
async fn searches_are_bounded_and_end_with_their_page() {
    let folder = Folder::new();
    let running = start(&folder);
    let mut page = Page::open(&running).await;
    let think = |id: u64| {
        json!({
            "t": "think", "id": id, "rev": 0, "player": "nearest(patient=on)",
            "position": position("freestyle", 9, ""),
        })
    };
    for id in 0..5 {
        page.send(think(id)).await;
    }
    assert_eq!(page.expect("error").await["code"], "busy");
    drop(page);

    // Twelve more would exceed what the server allows if those of a closed page went on.
    for _ in 0..3 {
        let mut page = Page::open(&running).await;
        for id in 0..4 {
            while {
                page.send(think(id)).await;
                page.expect_either(&["info", "error"]).await["code"] == "busy"
            } {}
        }
    }
}

#[tokio::test]
async fn a_game_is_kept_shared_and_restored() {
    let folder = Folder::new();
    let running = start(&folder);
    let mut one = Page::open(&running).await;
    let mut two = Page::open(&running).await;
    one.send(json!({ "t": "hello", "proto": 1 })).await;
    assert_eq!(one.expect("hello").await["doc"], Value::Null);

    one.send(json!({ "t": "doc-put", "doc": doc(1, "first") })).await;
    assert_eq!(one.expect("saved").await["seq"], 1);
    assert_eq!(two.expect("doc").await["doc"]["note"], "first");

    two.send(json!({ "t": "doc-put", "doc": doc(1, "too late") })).await;
    assert_eq!(two.expect("doc").await["doc"]["note"], "first", "the older change loses");
    two.send(json!({ "t": "doc-put", "doc": doc(2, "second") })).await;
    assert_eq!(one.expect("doc").await["doc"]["note"], "second");
    running.stop();

    let running = start(&folder);
    let mut page = Page::open(&running).await;
    page.send(json!({ "t": "hello", "proto": 1 })).await;
    assert_eq!(page.expect("hello").await["doc"]["note"], "second");
    assert!(get(&running, "/api/games", "").contains("\"id\":\"game-1\""));
}

#[tokio::test]
async fn a_page_that_was_away_loses_nothing_and_takes_nothing_away() {
    let folder = Folder::new();
    let running = start(&folder);
    let mut away = Page::open(&running).await;
    let mut here = Page::open(&running).await;
    let put = |seq: u64, moves: &str, base: u64| json!({ "t": "doc-put", "doc": support::game("game-1", seq, moves), "base": base });
    away.send(put(3, "h8 i9 j10", 0)).await;
    away.expect("saved").await;
    here.send(put(13, "h8 i9 j10 a1 b2 c3 d4 e5 f6 g7 h9 i8 a9", 3)).await;
    here.expect("saved").await;
    here.send(json!({ "t": "doc-put", "doc": support::game("game-2", 1, "") })).await;
    here.expect("saved").await;

    away.send(put(4, "h8 i9 j10 k11", 3)).await;
    let both = loop {
        let told = away.expect("doc").await;
        if told["answer"] == true {
            break told;
        }
    };
    assert_eq!(away.expect("error").await["code"], "merged");
    let nodes = both["doc"]["nodes"].as_array().unwrap();
    assert_eq!(nodes.len(), 1 + 13 + 1);
    assert_eq!(nodes[14], json!({ "p": 3, "m": "k11" }));
    let stored = std::fs::read(folder.0.join("games/game-1.json")).unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&stored).unwrap(), both["doc"]);
}

#[tokio::test]
async fn a_damaged_game_is_set_aside_and_the_page_starts_fresh() {
    let folder = Folder::new();
    std::fs::create_dir_all(folder.0.join("games")).unwrap();
    std::fs::write(folder.0.join("current"), "bad").unwrap();
    let bad = support::game("bad", 3, "h8").to_string().replace("h8", "z99");
    std::fs::write(folder.0.join("games/bad.json"), &bad).unwrap();
    let running = start(&folder);
    let mut page = Page::open(&running).await;
    page.send(json!({ "t": "hello", "proto": 1 })).await;
    assert_eq!(page.expect("hello").await["doc"], Value::Null);
    let told = page.expect("error").await;
    assert_eq!(told["code"], "damaged");
    assert!(told["detail"].as_str().unwrap().contains("damaged-games/bad.json"), "{told}");
    let aside = std::fs::read_to_string(folder.0.join("damaged-games/bad.json")).unwrap();
    assert_eq!(aside, bad);
    page.send(json!({ "t": "doc-put", "doc": serde_json::from_str::<Value>(&bad).unwrap() })).await;
    assert_eq!(page.expect("error").await["code"], "malformed");
}

#[tokio::test]
async fn the_schema_describes_every_player() {
    let folder = Folder::new();
    let running = start(&folder);
    let answer = get(&running, "/api/schema", "");
    let body = answer.split_once("\r\n\r\n").unwrap().1;
    let schema: Value = serde_json::from_str(body).unwrap();
    assert_eq!(schema["players"][0]["name"], "nearest");
    assert_eq!(schema["players"][0]["params"][0]["kind"], "switch");
    assert_eq!(schema["rules"].as_array().unwrap().len(), 5);
}

#[test]
fn files_are_read_and_written_by_the_server() {
    let folder = Folder::new();
    let running = start(&folder);
    let post = |path: &str, body: &str| {
        let host = running.address();
        let length = body.len();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: \
             application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        support::http(&running, &(head + body))
    };
    let sgf = "(;GM[4]SZ[15];B[hh](;W[ig])(;W[gg]C[or here]))";
    let answer = post("/api/read?name=a.sgf&rule=renju&size=15", sgf);
    let body: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
    let mut doc = body["games"][0].clone();
    assert_eq!(doc["nodes"].as_array().unwrap().len(), 4);
    assert_eq!(doc["nodes"][3]["c"], "or here");
    doc["extra"] = json!("ignored");
    let written = post("/api/write/sgf", &doc.to_string());
    assert!(written.contains("C[or here]"), "{written}");
    assert!(post("/api/write/docx", &doc.to_string()).starts_with("HTTP/1.1 404"));
    assert!(post("/api/read?rule=renju&size=15", "\u{1}").starts_with("HTTP/1.1 422"));
    assert!(post("/api/write/sgf", "{}").starts_with("HTTP/1.1 422"));
}
