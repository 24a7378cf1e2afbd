//! One game as the page writes it: what must hold so that it can be shown, and how two versions of it
//! become one.
//!
//! The page owns the document; the server reads what it needs and keeps what it does not know. Nodes are
//! one list, parents before children.

use std::collections::HashMap;

use gomoku::{Board, Point, Rule};
use serde::Deserialize;
use serde_json::{Map, Value};

/// The version of documents.
const VERSION: u32 = 1;

/// What the page relies on; more may be there.
#[derive(Debug, Deserialize)]
struct Shape {
    v: u32,
    rule: String,
    size: u8,
    nodes: Vec<Node>,
    at: usize,
    tip: usize,
    seats: (Seat, Seat),
    setup: Option<Setup>,
    opening: Option<Opening>,
    // The rest is only looked at for its type.
    #[serde(rename = "title")]
    _title: Option<String>,
    #[serde(rename = "names")]
    _names: (String, String),
    #[serde(rename = "result")]
    _result: Option<String>,
    #[serde(rename = "end")]
    _end: Option<End>,
    #[serde(rename = "clock")]
    _clock: Option<Clock>,
}

#[derive(Debug, Deserialize)]
struct Node {
    p: i64,
    m: Option<String>,
    x: Option<Vec<(String, String)>>,
    y: Option<Vec<(String, String, String)>>,
    #[serde(rename = "a")]
    _a: Option<Analysis>,
    #[serde(rename = "c")]
    _c: Option<String>,
    #[serde(rename = "j")]
    _j: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Analysis {
    #[serde(rename = "cand")]
    _cand: Vec<Candidate>,
}

#[derive(Debug, Deserialize)]
struct Candidate {
    #[serde(rename = "m")]
    _m: String,
    #[serde(rename = "pv")]
    _pv: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Seat {
    who: String,
    #[serde(rename = "spec")]
    _spec: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Setup {
    black: Vec<String>,
    white: Vec<String>,
    side: u8,
}

#[derive(Debug, Deserialize)]
struct Opening {
    #[serde(rename = "protocol")]
    _protocol: String,
    #[serde(rename = "actions")]
    _actions: Vec<Value>,
    seats: (Seat, Seat),
}

#[derive(Debug, Deserialize)]
struct End {
    #[serde(rename = "winner")]
    _winner: Option<u8>,
    #[serde(rename = "ending")]
    _ending: String,
}

#[derive(Debug, Deserialize)]
struct Clock {
    #[serde(rename = "left")]
    _left: (f64, f64),
}

/// Whether the page can show a document.
///
/// # Errors
/// A sentence that says why not.
pub(crate) fn check(text: &str) -> Result<(), String> {
    let shape: Shape = serde_json::from_str(text).map_err(|error| format!("{error}."))?;
    if shape.v != VERSION {
        return Err(format!("It has version {} and not {VERSION}.", shape.v));
    }
    shape.rule.parse::<Rule>().map_err(|error| error.to_string())?;
    if Board::try_new(shape.size).is_none() {
        return Err(format!("A board of {0}x{0} is not possible.", shape.size));
    }
    let seats = [Some(&shape.seats), shape.opening.as_ref().map(|opening| &opening.seats)];
    let known = |seat: &Seat| matches!(seat.who.as_str(), "human" | "player");
    if !seats.into_iter().flatten().all(|(black, white)| known(black) && known(white)) {
        return Err("A side belongs neither to a human nor to a player.".to_owned());
    }
    shape.check_points()?;
    shape.check_tree()
}

impl Shape {
    fn check_points(&self) -> Result<(), String> {
        let moves = self.nodes.iter().filter_map(|node| node.m.as_ref());
        let labels = self.nodes.iter().flat_map(|node| &node.x).flatten().map(|(point, _)| point);
        let arrows = self.nodes.iter().flat_map(|node| &node.y).flatten();
        let ends = arrows.flat_map(|(from, to, _)| [from, to]);
        let stones = self.setup.iter().flat_map(|setup| setup.black.iter().chain(&setup.white));
        let is_here = |text: &String| {
            text.parse::<Point>().is_ok_and(|p| p.col() < self.size && p.row() < self.size)
        };
        match moves.chain(labels).chain(ends).chain(stones).find(|text| !is_here(text)) {
            Some(text) => Err(format!("'{text}' is not a point of the board.")),
            None if self.setup.as_ref().is_some_and(|setup| setup.side > 1) => {
                Err("The side to move is neither Black nor White.".to_owned())
            }
            None => Ok(()),
        }
    }

    /// Parents stand before their children, and no line is longer than the board is large.
    fn check_tree(&self) -> Result<(), String> {
        let most = usize::from(self.size) * usize::from(self.size);
        let mut depths = Vec::with_capacity(self.nodes.len());
        for (number, node) in self.nodes.iter().enumerate() {
            let parent = usize::try_from(node.p).ok().and_then(|parent| depths.get(parent));
            match (number, parent) {
                (0, None) if node.p == -1 => depths.push(0),
                (1.., Some(depth)) if *depth < most && node.m.is_some() => depths.push(depth + 1),
                _ => return Err(format!("Node {number} has no place in the tree.")),
            }
        }
        let last = self.at.max(self.tip);
        if last >= depths.len() {
            return Err(format!("There is no node {last}."));
        }
        Ok(())
    }
}

/// What became of two versions of a game.
#[derive(Debug, PartialEq)]
pub(crate) enum Merged {
    /// The stored one holds everything that the other does.
    Stored,
    /// The other holds everything that the stored one does.
    Other(Map<String, Value>),
    /// Each holds something that the other lacks: here are both.
    Both(Map<String, Value>),
    /// They do not begin with the same stones under the same rule.
    Apart,
}

/// Brings a stored game and another version of it together. Both have been [checked](check).
pub(crate) fn merge(stored: Map<String, Value>, other: Map<String, Value>) -> Merged {
    if ["rule", "size", "setup"].iter().any(|key| field(&stored, key) != field(&other, key)) {
        return Merged::Apart;
    }
    let (with_other, stored_grows) = join(&stored, &other);
    let (with_stored, other_grows) = join(&other, &stored);
    match (stored_grows, other_grows) {
        (false, _) => Merged::Stored,
        (true, false) => Merged::Other(other),
        // Whoever has gone on along the same line leads; else the one that came first.
        (true, true) if line(&other).strip_prefix(&*line(&stored)).is_some() => {
            Merged::Both(with_stored)
        }
        (true, true) => Merged::Both(with_other),
    }
}

fn field<'a>(doc: &'a Map<String, Value>, key: &str) -> &'a Value {
    doc.get(key).unwrap_or(&Value::Null)
}

fn nodes(doc: &Map<String, Value>) -> &[Value] {
    field(doc, "nodes").as_array().map_or(&[], Vec::as_slice)
}

fn parent(node: &Value) -> Option<usize> {
    node["p"].as_u64().map(|parent| parent as usize)
}

/// The moves that were played, from the root to the tip.
fn line(doc: &Map<String, Value>) -> Vec<&Value> {
    let nodes = nodes(doc);
    let mut at = field(doc, "tip").as_u64().and_then(|tip| nodes.get(tip as usize));
    let mut moves = Vec::new();
    while let Some(node) = at {
        let above = parent(node);
        moves.extend(above.map(|_| &node["m"]));
        at = above.and_then(|above| nodes.get(above));
    }
    moves.reverse();
    moves
}

/// Adds to the first tree what only the second has, and says whether that was anything. Nodes of the
/// first keep their numbers.
fn join(doc: &Map<String, Value>, other: &Map<String, Value>) -> (Map<String, Value>, bool) {
    let mut joined = nodes(doc).to_vec();
    let mut children: HashMap<(usize, String), usize> = HashMap::new();
    let key = |parent: usize, node: &Value| (parent, node["m"].to_string());
    for (number, node) in joined.iter().enumerate() {
        if let Some(parent) = parent(node) {
            children.entry(key(parent, node)).or_insert(number);
        }
    }
    let mut grows = false;
    let mut places = Vec::new();
    for node in nodes(other) {
        let above = parent(node).map(|parent| places[parent]);
        let known = above.map_or(Some(0), |above| children.get(&key(above, node)).copied());
        let place = known.unwrap_or_else(|| {
            let above = above.unwrap_or(0);
            let mut copy = node.clone();
            copy["p"] = above.into();
            joined.push(copy);
            children.insert(key(above, node), joined.len() - 1);
            joined.len() - 1
        });
        grows |= known.is_none() || annotate(&mut joined[place], node);
        places.push(place);
    }
    let mut joined_doc = doc.clone();
    joined_doc.insert("nodes".to_owned(), joined.into());
    (joined_doc, grows)
}

/// Adds what is written at a node of another version, and says whether that was anything.
fn annotate(node: &mut Value, other: &Value) -> bool {
    let (Some(node), Some(other)) = (node.as_object_mut(), other.as_object()) else { return false };
    let mut grows = false;
    for (key, theirs) in other {
        match node.get_mut(key) {
            None => {
                node.insert(key.clone(), theirs.clone());
                grows = true;
            }
            Some(Value::String(ours)) if key == "c" => {
                let theirs = theirs.as_str().unwrap_or_default();
                if !ours.contains(theirs) {
                    *ours = if theirs.contains(&**ours) {
                        theirs.to_owned()
                    } else {
                        format!("{ours}\n\n{theirs}")
                    };
                    grows = true;
                }
            }
            Some(_) => {}
        }
    }
    grows
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::json;

    use super::*;

    /// A game with these nodes: parent and move.
    pub(crate) fn game(id: &str, seq: u64, moves: &[(i64, &str)]) -> Value {
        let node = |(p, m): &(i64, &str)| json!({ "p": p, "m": m });
        let mut nodes = vec![json!({ "p": -1 })];
        nodes.extend(moves.iter().map(node));
        json!({
            "v": 1, "id": id, "seq": seq, "rule": "renju", "size": 15, "setup": null,
            "seats": [{ "who": "human" }, { "who": "player", "spec": "somebody" }],
            "names": ["", "somebody"], "at": moves.len(), "tip": moves.len(), "nodes": nodes,
        })
    }

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn what_cannot_be_shown_is_refused() {
        let good = game("a", 1, &[(0, "h8"), (1, "i9"), (1, "g9")]);
        assert_eq!(check(&good.to_string()), Ok(()));
        for (path, value) in [
            ("/v", json!(2)),
            ("/rule", json!("chess")),
            ("/size", json!(23)),
            ("/nodes", json!([])),
            ("/nodes", json!({})),
            ("/nodes/0/p", json!(0)),
            ("/nodes/1/p", json!(1)),
            ("/nodes/2/p", json!(99)),
            ("/nodes/2/p", json!(-1)),
            ("/nodes/2/m", json!("z9")),
            ("/nodes/2/m", json!("h16")),
            ("/nodes/2/m", json!(null)),
            ("/nodes/2/m", json!(7)),
            ("/at", json!(4)),
            ("/tip", json!(-1)),
            ("/seats", json!([{ "who": "human" }])),
            ("/seats/0/who", json!("robot")),
            ("/seats/1/spec", json!({})),
            ("/names", json!([1, 2])),
            ("/setup", json!({ "black": ["h8"], "white": [], "side": 2 })),
            ("/setup", json!({ "black": ["w9"], "white": [], "side": 0 })),
        ] {
            let mut bad = good.clone();
            *bad.pointer_mut(path).unwrap() = value;
            assert!(check(&bad.to_string()).is_err(), "{bad}");
        }
        for (key, value) in [
            ("title", json!(1)),
            ("end", json!("five")),
            ("clock", json!({ "left": 3 })),
            ("opening", json!({ "protocol": "swap2" })),
        ] {
            let mut bad = good.clone();
            bad[key] = value;
            assert!(check(&bad.to_string()).is_err(), "{bad}");
        }
        for (key, value) in [
            ("c", json!(1)),
            ("x", json!([["h8"]])),
            ("x", json!([["w1", "A"]])),
            ("y", json!([["h8", "w1", "arrow"]])),
            ("y", json!([["h8", "i9"]])),
            ("a", json!({ "cand": [{}] })),
        ] {
            let mut bad = good.clone();
            bad["nodes"][1][key] = value;
            assert!(check(&bad.to_string()).is_err(), "{bad}");
        }
        let endless: Vec<_> = (0..226).map(|parent| (parent, "h8")).collect();
        assert!(check(&game("a", 1, &endless).to_string()).is_err(), "longer than the board");
    }

    #[test]
    fn a_tree_takes_both_lines() {
        let stored = game("a", 9, &[(0, "h8"), (1, "i9"), (2, "j10")]);
        let other = game("a", 4, &[(0, "h8"), (1, "g7")]);
        let Merged::Both(both) = merge(object(stored.clone()), object(other)) else { panic!() };
        assert_eq!(both["nodes"][4], json!({ "p": 1, "m": "g7" }));
        assert_eq!((&both["tip"], &both["seq"]), (&json!(3), &json!(9)));
        assert_eq!(check(&Value::from(both).to_string()), Ok(()));

        let part = game("a", 4, &[(0, "h8"), (1, "i9")]);
        assert_eq!(merge(object(stored.clone()), object(part.clone())), Merged::Stored);
        let whole = object(stored.clone());
        assert_eq!(merge(object(part), whole.clone()), Merged::Other(whole));
        let mut elsewhere = stored.clone();
        elsewhere["size"] = json!(19);
        assert_eq!(merge(object(stored), object(elsewhere)), Merged::Apart);
    }

    #[test]
    fn who_went_on_leads_and_words_are_kept() {
        let mut stored = game("a", 9, &[(0, "h8"), (1, "i9"), (1, "g9")]);
        stored["tip"] = json!(2);
        stored["nodes"][1]["c"] = json!("a fine move");
        let mut other = game("a", 4, &[(0, "h8"), (1, "i9"), (2, "j10")]);
        other["nodes"][1]["c"] = json!("or not?");
        let Merged::Both(both) = merge(object(stored), object(other)) else { panic!() };
        assert_eq!(both["tip"], 3);
        assert_eq!(both["nodes"][3]["m"], "j10");
        assert_eq!(both["nodes"][4], json!({ "p": 1, "m": "g9" }));
        assert_eq!(both["nodes"][1]["c"], "or not?\n\na fine move");
    }
}
