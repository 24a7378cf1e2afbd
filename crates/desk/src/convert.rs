//! Between the page's games and record files: SGF with everything, other formats with the main line.

use std::collections::{BTreeMap, VecDeque};

use gomoku::{
    Board, Color, Ending, GameResult, Point, Rule,
    record::{
        self, Encoding, Format, Hint, Judgment, Mark, MarkShape, Move, NodeId, Reading,
        RecordedEnd, Tree,
    },
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::documents::MAX_DOC;

/// A file is no larger than this.
pub(crate) const MAX_FILE: usize = 16 << 20;
/// What the nodes of a game that is read may take of its document; the rest is for what is written and
/// analyzed in it later.
const ROOM: usize = MAX_DOC - (1 << 20);
/// Games read from one file.
const MAX_GAMES: usize = 2_000;
/// The kinds of marks between two points.
const ARROW: &str = "arrow";
const LINE: &str = "line";
/// How a game ended whose record does not say it, and whose board does not show it.
const UNKNOWN: &str = "unknown";
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
    /// The character set of the file that the game was read from, unless that is UTF-8.
    #[serde(default)]
    encoding: Option<String>,
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
    /// Arrows and lines: from, to, and which of the two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    y: Option<Vec<(String, String, String)>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    t: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    n: Option<u64>,
}

/// Reads all games of a file as documents for the page, and says what was left out.
pub(crate) fn read(bytes: &[u8], hint: &Hint) -> Result<Value, String> {
    let rule = hint.rule.unwrap_or(Rule::Freestyle);
    let Reading { trees, notes: said, encoding, is_guessed, error, .. } =
        record::salvage(bytes, hint);
    if trees.is_empty() {
        return Err(error.map_or("The file holds no game.".to_owned(), |error| error.to_string()));
    }
    let mut notes = said;
    notes.extend(error.map(|error| error.to_string()));
    if trees.len() > MAX_GAMES {
        let all = trees.len();
        notes.push(format!("Only the first {MAX_GAMES} of {all} games were read."));
    }
    let mut left = Left::default();
    let games: Vec<Value> =
        trees.iter().take(MAX_GAMES).map(|tree| game(tree, rule, &mut left)).collect();
    notes.extend(left.sentences());
    Ok(json!({
        "games": games, "notes": notes, "encoding": encoding.name(), "guessed": is_guessed,
    }))
}

fn game(tree: &Tree, rule: Rule, left: &mut Left) -> Value {
    let stones = |color| tree.set_up(NodeId::ROOT, Some(color)).iter().map(|p| p.to_string());
    let first = tree.main_line().find_map(|id| tree.played(id));
    let side = first.map_or_else(|| tree.to_move(NodeId::ROOT), |played| played.color);
    let has_setup = tree.has_set_up(NodeId::ROOT) || side == Color::White;
    let setup = has_setup.then(|| Setup {
        black: stones(Color::Black).collect(),
        white: stones(Color::White).collect(),
        side: side as u8,
    });
    let end = tree.result().map(|said| {
        let ending = said.ending.or_else(|| shown(tree, rule, said.winner));
        let ending = ending.map_or(UNKNOWN, Ending::name);
        json!({ "winner": said.winner.map(|color| color as u8), "ending": ending })
    });
    let title = tree.text(NodeId::ROOT, "GN").or_else(|| tree.text(NodeId::ROOT, "EV"));
    json!({
        "rule": tree.rule().unwrap_or(rule).name(),
        "size": tree.size(),
        "setup": setup,
        "title": title.unwrap_or_default(),
        "names": Color::ALL.map(|color| tree.name(color).unwrap_or_default()),
        "end": end,
        "encoding": Some(tree.encoding()).filter(|set| *set != Encoding::UTF_8).map(Encoding::name),
        "nodes": nodes(tree, side, left),
    })
}

/// How a game ended, if the last position of the main line shows that this side won, or that nobody did.
fn shown(tree: &Tree, rule: Rule, winner: Option<Color>) -> Option<Ending> {
    let position = tree.position_at(tree.main_line().last()?, rule).ok()?;
    let result = GameResult::from(position.outcome()?);
    (result.winner == winner).then_some(result.ending)
}

/// The nodes in the page's form. Of a game that is too large the ends of its lines are left out, and its
/// main line is kept.
fn nodes(tree: &Tree, first: Color, left: &mut Left) -> Vec<Node> {
    let mut whole = Left::default();
    let mut nodes = nodes_in(tree, first, tree.nodes(), &mut whole);
    if whole.nodes > 0 {
        whole = Left::default();
        nodes = nodes_in(tree, first, main_line_first(tree), &mut whole);
    }
    left.add(&whole);
    nodes
}

/// The main line, then all other nodes by the number of nodes before them.
fn main_line_first(tree: &Tree) -> impl Iterator<Item = NodeId> + '_ {
    let mut waiting = VecDeque::from([NodeId::ROOT]);
    let rest = std::iter::from_fn(move || {
        let id = waiting.pop_front()?;
        waiting.extend(tree.children(id));
        Some(id)
    });
    let mut main = vec![false; tree.len()];
    for id in tree.main_line() {
        main[id.index()] = true;
    }
    tree.main_line().chain(rest.filter(move |id| !main[id.index()]))
}

/// The nodes in some order, each after the one before it. What is said at a node without a move belongs
/// to the node before it; a branch ends where the page's games have no place for it, which is counted.
fn nodes_in(
    tree: &Tree,
    first: Color,
    order: impl Iterator<Item = NodeId>,
    left: &mut Left,
) -> Vec<Node> {
    let mut out = vec![extras(tree, NodeId::ROOT, -1, None)];
    let mut board = Board::new(tree.size());
    for color in Color::ALL {
        for point in tree.set_up(NodeId::ROOT, Some(color)).iter() {
            if board.is_empty_at(point) {
                board.place(point, color);
            }
        }
    }
    let mut places = vec![Place { to_move: first, board }];
    // Where each node of the file stands among the page's nodes.
    let mut at: Vec<Result<u32, Reason>> = vec![Ok(0); tree.len()];
    let mut room = ROOM.saturating_sub(length(&out[0]));
    let mut is_cut = false;
    let mut all = 1;
    for id in order.skip(1) {
        all += 1;
        let before = tree.parent(id).map_or(Ok(0), |parent| at[parent.index()]);
        let after = before.and_then(|before| {
            let place = places[before as usize];
            let next = next(tree, id, place)?;
            let node = extras(tree, id, i64::from(before), next);
            room = room.checked_sub(length(&node)).ok_or(Reason::TooMany)?;
            let Some(point) = next else {
                out[before as usize].join(node);
                return Ok(before);
            };
            let mut board = place.board;
            board.place(point, place.to_move);
            out.push(node);
            places.push(Place { to_move: !place.to_move, board });
            // There is room for fewer.
            Ok(out.len() as u32 - 1)
        });
        if let Err(reason) = after {
            left.count(reason, before.is_ok());
            is_cut |= reason == Reason::TooMany;
            // What follows would be smaller, and stand without what is left out.
            room = if reason == Reason::TooMany { 0 } else { room };
        }
        at[id.index()] = after;
    }
    left.nodes += if is_cut { all } else { 0 };
    out
}

/// How much of a game's document a node takes, with the comma after it.
fn length(node: &Node) -> usize {
    serde_json::to_string(node).map_or(0, |text| text.len() + 1)
}

/// What is known at a node of the page's game.
#[derive(Clone, Copy)]
struct Place {
    to_move: Color,
    board: Board,
}

/// The move of a node, if it has one and there is a place for it.
fn next(tree: &Tree, id: NodeId, place: Place) -> Result<Option<Point>, Reason> {
    if tree.has_set_up(id) {
        return Err(Reason::SetUp);
    }
    let Some(played) = tree.played(id) else { return Ok(None) };
    let Some(point) = played.point else { return Err(Reason::Pass) };
    if played.color != place.to_move {
        return Err(Reason::SameSide);
    }
    if place.board.is_empty_at(point) { Ok(Some(point)) } else { Err(Reason::Taken) }
}

/// Why a branch has no place in the page's game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    Pass,
    SameSide,
    Taken,
    SetUp,
    TooMany,
}

/// What was left out of all games of a file.
#[derive(Default)]
struct Left {
    /// For each reason how many branches, and how many nodes in them.
    branches: BTreeMap<Reason, (usize, usize)>,
    /// All nodes of the games that have too many.
    nodes: usize,
}

impl Left {
    /// Counts a node, and a branch if it is the first of one.
    fn count(&mut self, reason: Reason, is_first: bool) {
        let (branches, nodes) = self.branches.entry(reason).or_default();
        *branches += usize::from(is_first);
        *nodes += 1;
    }

    /// Adds what was left out of another game.
    fn add(&mut self, other: &Left) {
        for (&reason, (branches, nodes)) in &other.branches {
            let sum = self.branches.entry(reason).or_default();
            *sum = (sum.0 + branches, sum.1 + nodes);
        }
        self.nodes += other.nodes;
    }

    fn sentences(&self) -> impl Iterator<Item = String> + '_ {
        self.branches.iter().map(|(reason, &(branches, nodes))| {
            let why = match reason {
                Reason::Pass => "begins with a pass",
                Reason::SameSide => "begins with a second move by the same side",
                Reason::Taken => "begins on a point that is taken",
                Reason::SetUp => "begins with stones set up or taken off in mid-game",
                Reason::TooMany => {
                    let all = self.nodes;
                    let most = ROOM >> 20;
                    return format!(
                        "{nodes} of {all} nodes were left out, the ends of lines: a game is \
                         read up to {most} MiB."
                    );
                }
            };
            match (branches, nodes) {
                (1, 1) => format!("One node was left out: it {why}."),
                (1, _) => format!("A branch of {nodes} nodes was left out: it {why}."),
                _ => format!("{branches} branches with {nodes} nodes were left out: each {why}."),
            }
        })
    }
}

impl Node {
    /// Takes in what is said at another node.
    fn join(&mut self, other: Node) {
        match (&mut self.c, other.c) {
            (Some(first), Some(second)) => {
                first.push('\n');
                first.push_str(&second);
            }
            (first, second) => *first = first.take().or(second),
        }
        self.a = self.a.take().or(other.a);
        self.r = self.r.take().or(other.r);
        if let Some(labels) = other.x {
            self.x.get_or_insert_default().extend(labels);
        }
        if let Some(arrows) = other.y {
            self.y.get_or_insert_default().extend(arrows);
        }
    }
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
    let arrows: Vec<_> = tree
        .marks(id)
        .iter()
        .filter_map(|mark| match mark {
            Mark::Arrow(from, to) => Some((from.to_string(), to.to_string(), ARROW.to_owned())),
            Mark::Line(from, to) => Some((from.to_string(), to.to_string(), LINE.to_owned())),
            _ => None,
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
        y: Some(arrows).filter(|arrows| !arrows.is_empty()),
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
    if let Some(encoding) = doc.encoding.as_deref().and_then(Encoding::from_name) {
        tree.set_encoding(encoding);
    }
    let mut places: Vec<(NodeId, Color)> = Vec::with_capacity(doc.nodes.len());
    for (index, node) in doc.nodes.iter().enumerate() {
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
        tree.set_result(RecordedEnd { winner, ending: Ending::from_name(&end.ending) });
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
    for (from, to, kind) in node.y.iter().flatten() {
        let (from, to) = (point(from)?, point(to)?);
        tree.add_mark(id, if kind == LINE { Mark::Line(from, to) } else { Mark::Arrow(from, to) });
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

    fn hint(name: &str, rule: Rule, size: u8) -> Hint<'_> {
        Hint { name, rule: Some(rule), size: Some(size), ..Hint::default() }
    }

    const GAME: &str = r#"{"rule":"renju","size":15,"names":["ann","bob"],
        "end":{"winner":1,"ending":"resign"},
        "nodes":[{"p":-1,"c":"start"},{"p":0,"m":"h8"},{"p":1,"m":"i9","c":"a ] b","j":"good"},
        {"p":1,"m":"h9","n":12,"a":{"by":"x","w":0.5},"r":{"k":"blunder","l":0.4},"x":[["a1","A"],["b2","△"]],
        "y":[["a1","b2","arrow"],["c3","a1","line"]],"t":3}]}"#;

    #[test]
    fn a_tree_survives_sgf_with_everything_written_on_it() {
        let bytes = write(&doc(GAME), Format::Sgf).unwrap();
        let back = read(&bytes, &hint("game.sgf", Rule::Freestyle, 19)).unwrap();
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
        let back = read(&psq, &hint("game.psq", Rule::Renju, 15)).unwrap();
        assert_eq!(back["games"][0]["nodes"].as_array().unwrap().len(), 3);
    }

    #[test]
    fn set_up_stones_and_the_side_to_move_survive() {
        let set = doc(
            r#"{"rule":"freestyle","size":9,"setup":{"black":["a1"],"white":["b2","c3"],"side":1},
            "nodes":[{"p":-1},{"p":0,"m":"e5"}]}"#,
        );
        let back =
            read(&write(&set, Format::Sgf).unwrap(), &hint("x.sgf", Rule::Renju, 15)).unwrap();
        let game = &back["games"][0];
        assert_eq!(game["setup"], json!({ "black": ["a1"], "white": ["b2", "c3"], "side": 1 }));
        assert_eq!(game["size"], 9);
        assert_eq!(game["nodes"][1]["m"], "e5");
    }

    #[test]
    fn a_move_in_the_first_node_is_played() {
        let sgf = b"(;GM[4]SZ[15]B[hh];W[ii];B[hi])";
        let back = read(sgf, &hint("x.sgf", Rule::Freestyle, 15)).unwrap();
        let game = &back["games"][0];
        let moves: Vec<_> = game["nodes"].as_array().unwrap().iter().map(|n| &n["m"]).collect();
        assert_eq!(moves, [&json!(null), &json!("h8"), &json!("i7"), &json!("h7")]);
        assert_eq!((&game["setup"], &back["notes"]), (&json!(null), &json!([])));
    }

    #[test]
    fn an_end_says_what_the_record_or_the_board_says() {
        const FIVE: &str = "B[hh];W[aa];B[hg];W[ac];B[hf];W[ae];B[he];W[ag];B[hd]";
        let check = |result: &str, moves: &str, winner: Option<u8>, ending: &str| {
            let sgf = format!("(;GM[4]SZ[15]{result};{moves})");
            let back = read(sgf.as_bytes(), &hint("x.sgf", Rule::Renju, 15)).unwrap();
            let end = json!({ "winner": winner, "ending": ending });
            assert_eq!(back["games"][0]["end"], end, "{sgf}");
            let mut game = back["games"][0].clone();
            game["names"] = json!(["", ""]);
            let bytes = write(&serde_json::from_value(game).unwrap(), Format::Sgf).unwrap();
            let again = read(&bytes, &hint("x.sgf", Rule::Renju, 15)).unwrap();
            assert_eq!(again["games"][0]["end"], end, "{sgf}, written and read again");
        };
        check("RE[B+]", "B[hh]", Some(0), "unknown");
        check("RE[B+3.5]", "B[hh]", Some(0), "unknown");
        check("RE[W+1]", "B[hh]", Some(1), "unknown");
        check("RE[B+R]", "B[hh]", Some(0), "resign");
        check("RE[W+T]", FIVE, Some(1), "time");
        check("RE[B+]", FIVE, Some(0), "five");
        check("RE[W+]", FIVE, Some(1), "unknown");
        check("RE[0]", "B[hh]", None, "unknown");
        check("RE[Draw]TE[draw]", "B[hh]", None, "draw");
        // Six stones in a row are forbidden to Black in renju.
        let six = "B[hh];W[aa];B[hg];W[ac];B[hf];W[ae];B[hd];W[ag];B[hc];W[ai];B[he]";
        check("RU[renju]RE[W+]", six, Some(1), "forbidden");
    }

    #[test]
    fn what_is_left_out_is_counted_with_its_reason() {
        let notes = |sgf: &str| {
            read(sgf.as_bytes(), &hint("x.sgf", Rule::Freestyle, 15)).unwrap()["notes"].clone()
        };
        assert_eq!(
            notes(
                "(;GM[4]SZ[15];B[hh](;W[];B[ii];W[ij])(;W[hh])(;B[aa];W[bb])(;AW[cc]))(;GM[4];W[])"
            ),
            json!([
                "2 branches with 4 nodes were left out: each begins with a pass.",
                "A branch of 2 nodes was left out: it begins with a second move by the same side.",
                "One node was left out: it begins on a point that is taken.",
                "One node was left out: it begins with stones set up or taken off in mid-game.",
            ])
        );
    }

    #[test]
    fn a_game_that_is_too_large_is_cut_and_the_true_count_told() {
        let count = MAX_DOC / 16;
        let many = "(;B[ii])".repeat(count);
        let main = ";B[hh](;W[aa];B[bb];W[cc];B[oo])";
        let sgf = format!("(;GM[4]SZ[15]{main}(;W[gg]{many})(;W[dd];B[ee]))");
        let back = read(sgf.as_bytes(), &hint("x", Rule::Renju, 15)).unwrap();
        let kept = back["games"][0]["nodes"].as_array().unwrap();
        let (left, all) = (count + 9 - kept.len(), count + 9);
        let text = format!(
            "{left} of {all} nodes were left out, the ends of lines: a game is read up to 3 MiB."
        );
        assert_eq!(back["notes"], json!([text]));
        // The main line is whole, and the last variation has lost only its end.
        let has = |point: &str| kept.iter().any(|node| node["m"] == point);
        assert_eq!(["o1", "d12", "e11"].map(has), [true, true, false]);
        let length = back["games"][0].to_string().len();
        assert!(length < ROOM + 1_000 && length > ROOM - 1_000, "{length}");
    }

    #[test]
    fn what_is_said_without_a_move_stays() {
        let white = b"(;GM[4]SZ[15];C[White begins];W[hh];B[ii])";
        let back = read(white, &hint("x.sgf", Rule::Freestyle, 15)).unwrap();
        assert_eq!((&back["notes"], &back["games"][0]["setup"]["side"]), (&json!([]), &json!(1)));
        let sgf = b"(;GM[4]SZ[15]C[one];C[two];B[hh];C[three]LB[aa:1];W[ii];B[jj])";
        let back = read(sgf, &hint("x.sgf", Rule::Freestyle, 15)).unwrap();
        assert_eq!(back["notes"], json!([]));
        let nodes = json!([
            { "p": -1, "c": "one\ntwo" }, { "p": 0, "m": "h8", "c": "three", "x": [["a15", "1"]] },
            { "p": 1, "m": "i7" }, { "p": 2, "m": "j6" },
        ]);
        assert_eq!(back["games"][0]["nodes"], nodes);
    }

    #[test]
    fn no_game_is_cut_short_when_it_is_written() {
        let mut nodes = vec![json!({ "p": -1 }), json!({ "p": 0, "m": "h8" })];
        nodes.extend((0..100_000).map(|_| json!({ "p": 1, "m": "i9" })));
        let whole = json!({ "rule": "renju", "size": 15, "nodes": nodes });
        let written = tree(&serde_json::from_value(whole).unwrap()).unwrap();
        assert_eq!(written.nodes().count(), 100_002);
    }

    #[test]
    fn a_file_is_written_in_the_character_set_it_came_in() {
        let psq = b"Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n\xd5\xc5\xc8\xfd\r\n\xba\xda\xcf\xc8\xca\xa4\r\n-1\r\n";
        let back = read(psq, &hint("x.psq", Rule::Freestyle, 15)).unwrap();
        let game = &back["games"][0];
        assert_eq!((&game["encoding"], &back["encoding"]), (&json!("GBK"), &json!("GBK")));
        assert_eq!(back["guessed"], true);
        // Whoever knows better says so.
        let told =
            Hint { encoding: Encoding::from_name("Big5"), ..hint("x.psq", Rule::Freestyle, 15) };
        let other = read(psq, &told).unwrap();
        assert_eq!((&other["encoding"], &other["guessed"]), (&json!("Big5"), &json!(false)));
        assert_ne!(other["games"][0]["names"], game["names"]);
        let declared = b"(;GM[4]SZ[15]CA[GBK]PB[\xd5\xc5];B[hh])";
        let declared = read(declared, &hint("x.sgf", Rule::Freestyle, 15)).unwrap();
        assert_eq!((&declared["encoding"], &declared["guessed"]), (&json!("GBK"), &json!(false)));
        let kept: Doc = serde_json::from_value(game.clone()).unwrap();
        assert_eq!(write(&kept, Format::Psq).unwrap(), psq);
        let rec = write(&kept, Format::Rec).unwrap();
        assert!(rec.starts_with(b"\xd5\xc5\xc8\xfd\r\n"));
        // SGF says what it is in.
        let sgf = String::from_utf8(write(&kept, Format::Sgf).unwrap()).unwrap();
        assert!(sgf.contains("CA[UTF-8]") && sgf.contains("PB[\u{5f20}\u{4e09}]"), "{sgf}");
        let plain = read(b"h8i9", &hint("x.txt", Rule::Freestyle, 15)).unwrap();
        assert_eq!(plain["games"][0]["encoding"], json!(null));
    }

    #[test]
    fn what_is_no_game_is_refused_with_a_sentence() {
        assert!(
            read(b"\x00\xff nonsense", &hint("x", Rule::Renju, 15)).unwrap_err().ends_with('.')
        );
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
