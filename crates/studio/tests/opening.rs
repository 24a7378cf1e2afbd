//! A player in an opening protocol: it takes the side it likes, and if it likes none it adds two
//! stones and lets the other choose.

mod support;

use serde_json::{Value, json};
use support::{Folder, post, start};

#[test]
fn a_player_swaps_stays_or_adds_two_by_what_it_thinks() {
    let folder = Folder::new();
    let running = start(&folder);
    let three = json!({ "a": "place", "points": ["h8", "i9", "k8"] });
    let answer = |actions: Value, score: i64| {
        let question = json!({
            "protocol": "swap2", "rule": "freestyle", "size": 15, "actions": actions,
            "player": format!("nearest(score={score})"), "limits": {}, "seed": 3,
        });
        let (status, text) = post(&running, "/api/opening/choose", &question);
        assert_eq!(status, 200, "{text}");
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let behind = answer(json!([three]), -500);
    assert_eq!(behind["action"]["a"], "swap");
    let ahead = answer(json!([three]), 500);
    assert_eq!(ahead["action"]["a"], "place");
    assert_eq!(ahead["action"]["points"].as_array().unwrap().len(), 1, "White's fourth stone");
    let even = answer(json!([three]), 0);
    assert_eq!(even["action"]["points"].as_array().unwrap().len(), 2, "{even}");
    assert_eq!(even["state"]["ask"]["seat"], 0, "now the first player chooses");
    // With five stones there is nothing left but to choose.
    let last = answer(json!([three, even["action"]]), -1);
    assert_eq!((&last["action"]["a"], &last["state"]["ask"]), (&json!("swap"), &Value::Null));
}
