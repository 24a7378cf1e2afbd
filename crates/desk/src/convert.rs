//! Between the page's games and record files: SGF with everything, other formats with the main line.

use std::collections::BTreeMap;

use gomoku::{
    Board, Color, Ending, GameResult, Point, Rule,
    record::{self, Format, Hint, Judgment, Mark, MarkShape, Move, NodeId, Tree},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A file is no larger than this.
pub(crate) const MAX_FILE: usize = 16 << 20;
/// Nodes that a game may have: more would not fit a page's document.
const MAX_NODES: usize = 20_000;
/// Games read from one file.
const MAX_GAMES: usize = 2_000;
/// The private property of SGF that holds analysis.
const PRIVATE: &str = "TENGEN";

/// The part of a page's game that records know.
#[derive(Debug, Deserialize)]
pub(crate) struct Doc {
    rule: String,
    size: u8,
    #[serde(default)]
    setup: Option<Setup>,
    #[serde(default)]
    names: Option<(String, String)>,
    nodes: Vec<Node>,
    #[serde(default)]
    end: Option<End>,
}

#[derive(Debug, Deserialize, Serialize)]
struct Setup {
    black: Vec<String>,
    white: Vec<String>,
    side: u8,
}

#[derive(Debug, Deserialize)]
struct End {
    winner: Option<u8>,
    ending: String,
}

/// A node of a page's game; analysis is kept as the page wrote it.
#[derive(Debug, Default, Deserialize, Serialize)]
struct Node {
    p: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    m: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    c: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    a: Option<Value>,
    /// What a review says of the move, as the page wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    r: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    j: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    x: Option<Vec<(String, String)>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    t: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    n: Option<u64>,
}

/// Reads all games of a file as documents for the page, and says what was left out.
pub(crate) fn read(bytes: &[u8], name: &str, rule: Rule, size: u8) -> Result<Value, String> {
    let hint = Hint { name, rule: Some(rule), size: Some(size), ..Hint::default() };
    let (trees, error) = record::salvage(bytes, &hint);
    if trees.is_empty() {
        return Err(error.map_or("The file holds no game.".to_owned(), |error| error.to_string()));
    }
    let mut notes: Vec<String> = error.iter().map(ToString::to_string).collect();
    if trees.len() > MAX_GAMES {
        notes.push(format!("Only the first {MAX_GAMES} games were read."));
    }
    let games: Vec<Value> =
        trees.iter().take(MAX_GAMES).map(|tree| game(tree, rule, &mut notes)).collect();
    Ok(json!({ "games": games, "notes": notes }))
}

fn game(tree: &Tree, rule: Rule, notes: &mut Vec<String>) -> Value {
    let stones = |color| tree.set_up(NodeId::ROOT, Some(color)).iter().map(|p| p.to_string());
    let first = tree.first_child(NodeId::ROOT).and_then(|id| tree.played(id));
    let side = first.map_or_else(|| tree.to_move(NodeId::ROOT), |played| played.color);
    let has_setup = tree.has_set_up(NodeId::ROOT) || side == Color::White;
    let setup = has_setup.then(|| Setup {
        black: stones(Color::Black).collect(),
        white: stones(Color::White).collect(),
        side: side as u8,
    });
    let end = tree.result().map(|result| {
        let ending = result.ending.unwrap_or(Ending::Five);
        json!({ "winner": result.winner.map(|color| color as u8), "ending": ending.name() })
    });
    let title = tree.text(NodeId::ROOT, "GN").or_else(|| tree.text(NodeId::ROOT, "EV"));
    json!({
        "rule": tree.rule().unwrap_or(rule).name(),
        "size": tree.size(),
        "setup": setup,
        "title": title.unwrap_or_default(),
        "names": Color::ALL.map(|color| tree.name(color).unwrap_or_default()),
        "end": end,
        "nodes": nodes(tree, side, notes),
    })
}

/// The nodes in the page's form. A branch ends where sides do not alternate, where a stone stands
/// already, or where stones are set up in mid-game: the page's games have no place for these.
fn nodes(tree: &Tree, first: Color, notes: &mut Vec<String>) -> Vec<Node> {
    let mut out = vec![extras(tree, NodeId::ROOT, -1, None)];
    let mut places: BTreeMap<NodeId, (usize, Color, Board)> = BTreeMap::new();
    let mut board = Board::new(tree.size());
    for color in Color::ALL {
        for point in tree.set_up(NodeId::ROOT, Some(color)).iter() {
            if board.is_empty_at(point) {
                board.place(point, color);
            }
        }
    }
    places.insert(NodeId::ROOT, (0, first, board));
    let mut lost = 0;
    for id in tree.nodes().skip(1) {
        let Some((parent, to_move, mut board)) =
            tree.parent(id).and_then(|parent| places.get(&parent).copied())
        else {
            continue;
        };
        let point = tree.played(id).filter(|played| played.color == to_move).and_then(|p| p.point);
        match point.filter(|&point| board.is_empty_at(point)) {
            Some(point) if out.len() < MAX_NODES && !tree.has_set_up(id) => {
                board.place(point, to_move);
                out.push(extras(tree, id, parent as i64, Some(point)));
                places.insert(id, (out.len() - 1, !to_move, board));
            }
            _ => lost += 1,
        }
    }
    if lost > 0 {
        notes.push(format!("{lost} branches were left out: the board has no place for them."));
    }
    out
}

fn extras(tree: &Tree, id: NodeId, parent: i64, point: Option<Point>) -> Node {
    let labels: Vec<_> = tree
        .marks(id)
        .iter()
        .flat_map(|mark| match mark {
            Mark::Label(point, text) => vec![(point.to_string(), text.to_string())],
            Mark::Shape(shape, points) => {
                let sign = sign_of(*shape);
                points.iter().map(|point| (point.to_string(), sign.to_owned())).collect()
            }
            _ => Vec::new(),
        })
        .collect();
    let private: Value = tree
        .text(id, PRIVATE)
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default();
    Node {
        p: parent,
        m: point.map(|point| point.to_string()),
        c: Some(tree.comment(id).to_owned()).filter(|text| !text.is_empty()),
        a: private.get("a").filter(|a| !a.is_null()).cloned(),
        r: private.get("r").filter(|r| !r.is_null()).cloned(),
        j: tree.judgment(id).map(|judgment| judgment_name(judgment).to_owned()),
        x: Some(labels).filter(|labels| !labels.is_empty()),
        t: tree.milliseconds(id),
        n: private.get("n").and_then(Value::as_u64),
    }
}

/// A shape as the page writes it on a point.
fn sign_of(shape: MarkShape) -> &'static str {
    match shape {
        MarkShape::Triangle => "△",
        MarkShape::Square => "□",
        MarkShape::Circle => "○",
        MarkShape::Cross => "×",
        MarkShape::Selected => "▪",
    }
}

fn judgment_name(judgment: Judgment) -> &'static str {
    match judgment {
        Judgment::Good | Judgment::VeryGood => "good",
        Judgment::Bad | Judgment::VeryBad => "bad",
        Judgment::Doubtful => "doubtful",
        Judgment::Interesting => "interesting",
    }
}

/// Writes a page's game in a format.
pub(crate) fn write(doc: &Doc, format: Format) -> Result<Vec<u8>, String> {
    record::write(&[tree(doc)?], format).map_err(|error| error.to_string())
}

/// A page's game as a tree of records.
fn tree(doc: &Doc) -> Result<Tree, String> {
    let rule: Rule = doc.rule.parse().map_err(|error| format!("{error}"))?;
    Board::try_new(doc.size)
        .ok_or_else(|| format!("A board of {0}x{0} is not possible.", doc.size))?;
    let point = |text: &str| -> Result<Point, String> {
        let point: Point = text.parse().map_err(|error| format!("{error}"))?;
        point.is_on(doc.size).then_some(point).ok_or_else(|| format!("{text} is not on the board."))
    };
    let mut tree = Tree::new(doc.size);
    tree.set_rule(rule);
    head(&mut tree, doc, &point)?;
    let first = if doc.setup.as_ref().is_some_and(|setup| setup.side == 1) {
        Color::White
    } else {
        Color::Black
    };
    let mut places: Vec<(NodeId, Color)> = Vec::with_capacity(doc.nodes.len().min(MAX_NODES));
    for (index, node) in doc.nodes.iter().enumerate().take(MAX_NODES) {
        if index == 0 {
            places.push((NodeId::ROOT, first));
            describe(&mut tree, NodeId::ROOT, node, &point)?;
            continue;
        }
        let parent = usize::try_from(node.p).ok().and_then(|parent| places.get(parent));
        let &(parent, color) = parent.ok_or("A move of the game has no place in its tree.")?;
        let stone = point(node.m.as_deref().unwrap_or_default())?;
        let id = tree.add_child(parent, Some(Move::stone(color, stone)));
        places.push((id, !color));
        describe(&mut tree, id, node, &point)?;
    }
    Ok(tree)
}

fn head(
    tree: &mut Tree,
    doc: &Doc,
    point: &impl Fn(&str) -> Result<Point, String>,
) -> Result<(), String> {
    if let Some((black, white)) = &doc.names {
        for (color, name) in [(Color::Black, black), (Color::White, white)] {
            if !name.is_empty() {
                tree.set_name(color, name);
            }
        }
    }
    if let Some(setup) = &doc.setup {
        for (color, stones) in [(Color::Black, &setup.black), (Color::White, &setup.white)] {
            let points = stones.iter().map(|text| point(text)).collect::<Result<_, _>>()?;
            tree.add_set_up(NodeId::ROOT, Some(color), points);
        }
        let side = if setup.side == 1 { Color::White } else { Color::Black };
        tree.set_to_move(NodeId::ROOT, Some(side));
    }
    if let Some(end) = &doc.end {
        let winner = end.winner.map(|side| Color::of_turn(usize::from(side)));
        let ending = Ending::from_name(&end.ending).unwrap_or(Ending::Adjudicated);
        tree.set_result(GameResult { winner, ending });
    }
    Ok(())
}

fn describe(
    tree: &mut Tree,
    id: NodeId,
    node: &Node,
    point: &impl Fn(&str) -> Result<Point, String>,
) -> Result<(), String> {
    if let Some(comment) = &node.c {
        tree.set_comment(id, comment.as_str());
    }
    if let Some(ms) = node.t {
        tree.set_milliseconds(id, ms);
    }
    let named = |name: &str| Judgment::ALL.into_iter().find(|one| judgment_name(*one) == name);
    if let Some(judgment) = node.j.as_deref().and_then(named) {
        tree.set_judgment(id, Some(judgment));
    }
    for (place, text) in node.x.iter().flatten() {
        let place = point(place)?;
        let shape = MarkShape::ALL.into_iter().find(|&shape| sign_of(shape) == text);
        tree.add_mark(
            id,
            match shape {
                Some(shape) => Mark::Shape(shape, [place].into_iter().collect()),
                None => Mark::Label(place, text.as_str().into()),
            },
        );
    }
    if node.a.is_some() || node.n.is_some() || node.r.is_some() {
        let private = json!({ "a": node.a, "n": node.n, "r": node.r });
        tree.set_text(id, PRIVATE, &private.to_string());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doc(text: &str) -> Doc {
        serde_json::from_str(text).unwrap()
    }

    const GAME: &str = r#"{"rule":"renju","size":15,"names":["ann","bob"],
        "end":{"winner":1,"ending":"resign"},
        "nodes":[{"p":-1,"c":"start"},{"p":0,"m":"h8"},{"p":1,"m":"i9","c":"a ] b","j":"good"},
        {"p":1,"m":"h9","n":12,"a":{"by":"x","w":0.5},"r":{"k":"blunder","l":0.4},"x":[["a1","A"],["b2","△"]],"t":3}]}"#;

    #[test]
    fn a_tree_survives_sgf_with_everything_written_on_it() {
        let bytes = write(&doc(GAME), Format::Sgf).unwrap();
        let back = read(&bytes, "game.sgf", Rule::Freestyle, 19).unwrap();
        let original: Value = serde_json::from_str(GAME).unwrap();
        assert_eq!(back["notes"], json!([]));
        for key in ["rule", "size", "names", "nodes", "end"] {
            assert_eq!(back["games"][0][key], original[key], "{key}");
        }
    }

    #[test]
    fn other_formats_keep_the_main_line() {
        let text = String::from_utf8(write(&doc(GAME), Format::Pos).unwrap()).unwrap();
        assert_eq!(text.trim(), "h8i9");
        let psq = write(&doc(GAME), Format::Psq).unwrap();
        let back = read(&psq, "game.psq", Rule::Renju, 15).unwrap();
        assert_eq!(back["games"][0]["nodes"].as_array().unwrap().len(), 3);
    }

    #[test]
    fn set_up_stones_and_the_side_to_move_survive() {
        let set = doc(
            r#"{"rule":"freestyle","size":9,"setup":{"black":["a1"],"white":["b2","c3"],"side":1},
            "nodes":[{"p":-1},{"p":0,"m":"e5"}]}"#,
        );
        let back = read(&write(&set, Format::Sgf).unwrap(), "x.sgf", Rule::Renju, 15).unwrap();
        let game = &back["games"][0];
        assert_eq!(game["setup"], json!({ "black": ["a1"], "white": ["b2", "c3"], "side": 1 }));
        assert_eq!(game["size"], 9);
        assert_eq!(game["nodes"][1]["m"], "e5");
    }

    #[test]
    fn what_is_no_game_is_refused_with_a_sentence() {
        assert!(read(b"\x00\xff nonsense", "x", Rule::Renju, 15).unwrap_err().ends_with('.'));
        for bad in [
            r#"{"rule":"chess","size":15,"nodes":[]}"#,
            r#"{"rule":"renju","size":99,"nodes":[]}"#,
            r#"{"rule":"renju","size":15,"nodes":[{"p":-1},{"p":7,"m":"h8"}]}"#,
            r#"{"rule":"renju","size":15,"nodes":[{"p":-1},{"p":0,"m":"z8"}]}"#,
        ] {
            assert!(write(&doc(bad), Format::Sgf).is_err(), "{bad}");
        }
    }
}
