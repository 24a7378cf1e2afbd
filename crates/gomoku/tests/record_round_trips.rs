//! Every format gives back what was written, and no reader can be made to panic.

use gomoku::{
    Color, Point, PointSet, Rule,
    record::{
        Flag, Format, Hint, Judgment, Mark, MarkShape, Move, NodeId, Reading, Tree, read, salvage,
        write,
    },
};
use proptest::{collection::vec, prelude::*, test_runner::RngSeed};

/// The same cases every time; `PROPTEST_CASES` asks for more of them.
fn config() -> ProptestConfig {
    let asked = ProptestConfig::default();
    let cases = if asked.cases == 256 { 150 } else { asked.cases };
    ProptestConfig { cases, failure_persistence: None, rng_seed: RngSeed::Fixed(1), ..asked }
}

/// What one random node of a tree says.
#[derive(Clone, Debug)]
struct Said {
    parent: usize,
    point: (u8, u8),
    pass: bool,
    comment: String,
    label: String,
    kind: u8,
}

fn said() -> impl Strategy<Value = Said> {
    let text = "[ -~\n\u{e9}\u{82b1}]{0,12}";
    (any::<usize>(), (0u8..22, 0u8..22), prop::bool::weighted(0.05), text, "[!-~]{1,4}", 0u8..12)
        .prop_map(|(parent, point, pass, comment, label, kind)| Said {
            parent,
            point,
            pass,
            comment,
            label,
            kind,
        })
}

/// A tree of moves with comments and labels, which RenLib can also hold.
fn tree_of(size: u8, nodes: &[Said]) -> Tree {
    let mut tree = Tree::new(size);
    let mut ids = vec![(NodeId::ROOT, Color::Black)];
    for node in nodes {
        let (parent, color) = ids[node.parent % ids.len()];
        let point = Point::new(node.point.0 % size, node.point.1 % size);
        let played = Move { color, point: (!node.pass).then_some(point) };
        let id = tree.add_child(parent, Some(played));
        tree.set_comment(id, node.comment.clone());
        if node.kind == 0 {
            tree.add_mark(id, Mark::Label(point, node.label.as_str().into()));
        }
        tree.set_flag(id, Flag::Marked, node.kind == 10);
        tree.set_flag(id, Flag::Start, node.kind == 11);
        ids.push((id, !color));
    }
    tree
}

/// Adds what only SGF can hold.
fn decorate(tree: &mut Tree, nodes: &[Said]) {
    let ids: Vec<_> = tree.nodes().collect();
    let size = tree.size();
    for (&id, node) in ids.iter().zip(nodes) {
        let point = Point::new(node.point.0 % size, node.point.1 % size);
        let other = Point::new(node.point.1 % size, node.point.0 % size);
        let points: PointSet = [point, other].into_iter().collect();
        match node.kind {
            1 => tree.add_set_up(id, Some(Color::White), points),
            2 => tree.add_set_up(id, None, points),
            3 => tree.set_to_move(id, Some(Color::White)),
            4 => tree.add_mark(id, Mark::Shape(MarkShape::Cross, points)),
            5 => tree.add_mark(id, Mark::Arrow(point, other)),
            6 => tree.add_mark(id, Mark::Line(point, other)),
            7 => tree.set_judgment(id, Some(Judgment::Doubtful)),
            8 => tree.set_text(id, "XY", &node.comment),
            9 => tree.set_text(id, "N", &node.label),
            _ => {}
        }
    }
    tree.set_rule(Rule::Renju);
    tree.set_name(Color::White, "w]\\ :");
}

/// A single line of different points.
fn line_of(size: u8, points: &[(u8, u8)]) -> Tree {
    let mut seen = PointSet::EMPTY;
    let mut tree = Tree::new(size);
    let mut line = Vec::new();
    for &(col, row) in points {
        let point = Point::new(col % size, row % size);
        if !seen.contains(point) {
            seen.insert(point);
            line.push(point);
        }
    }
    tree.add_line(NodeId::ROOT, &line);
    tree
}

fn again(trees: &[Tree], format: Format) -> Vec<Tree> {
    let hint = Hint { format: Some(format), size: Some(trees[0].size()), ..Hint::default() };
    let bytes = write(trees, format).unwrap();
    read(&bytes, &hint).unwrap_or_else(|error| panic!("{error}\n{:?}", bytes.escape_ascii()))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn sgf(size in 5u8..=22, nodes in vec(said(), 0..40)) {
        let mut tree = tree_of(size, &nodes);
        decorate(&mut tree, &nodes);
        prop_assert_eq!(&again(std::slice::from_ref(&tree), Format::Sgf)[0], &tree);
        let bytes = write(&[tree.clone(), tree.clone()], Format::Sgf).unwrap();
        prop_assert_eq!(read(&bytes, &Hint::default()).unwrap(), [tree.clone(), tree]);
    }

    #[test]
    fn renlib(nodes in vec(said(), 0..40)) {
        let tree = tree_of(15, &nodes);
        let mut read = again(std::slice::from_ref(&tree), Format::RenLib).remove(0);
        // Labels of a node come back in another order.
        let sorted = |tree: &Tree| {
            let mut tree = tree.clone();
            for id in tree.nodes().collect::<Vec<_>>() {
                let mut marks = tree.marks(id).to_vec();
                marks.sort_by_key(|mark| match mark { Mark::Label(at, _) => at.index(), _ => 0 });
                tree.clear_marks(id);
                marks.into_iter().for_each(|mark| tree.add_mark(id, mark));
            }
            tree
        };
        read = sorted(&read);
        prop_assert_eq!(read, sorted(&tree));
    }

    #[test]
    fn lines(size in 5u8..=22, points in vec((0u8..22, 0u8..22), 1..60)) {
        let mut tree = line_of(size, &points);
        for format in [Format::Pos, Format::PosFromTop, Format::Offsets, Format::Sav, Format::Gomocalc] {
            prop_assert_eq!(&again(std::slice::from_ref(&tree), format)[0], &tree);
        }
        let fifteen = line_of(15, &points);
        prop_assert_eq!(&again(std::slice::from_ref(&fifteen), Format::PosBytes)[0], &fifteen);
        // These also keep names, times and the lines after them.
        for id in tree.main_line().skip(1).collect::<Vec<_>>() {
            tree.set_milliseconds(id, id.index() as u64 * 7);
        }
        let names = [(Color::Black, "a b"), (Color::White, "c")];
        names.iter().for_each(|(color, name)| tree.set_name(*color, name));
        tree.set_text(NodeId::ROOT, "PSQF", "-1\n0,x");
        prop_assert!(same_line(&again(std::slice::from_ref(&tree), Format::Rec)[0], &tree));
        prop_assert!(same_line(&again(std::slice::from_ref(&tree), Format::Psq)[0], &tree));
    }

    #[test]
    fn no_reader_panics_on_noise(bytes in vec(any::<u8>(), 0..200)) {
        no_panic(&bytes);
    }

    #[test]
    fn no_reader_panics_on_mutations(
        nodes in vec(said(), 0..12),
        edits in vec((any::<usize>(), any::<u8>()), 1..6),
        cut in any::<usize>(),
    ) {
        let tree = tree_of(15, &nodes);
        let line = line_of(15, &nodes.iter().map(|node| node.point).collect::<Vec<_>>());
        for format in Format::ALL {
            let tree = if format.holds_variations() { &tree } else { &line };
            let Ok(mut bytes) = write(std::slice::from_ref(tree), format) else { continue };
            for &(at, value) in &edits {
                let length = bytes.len();
                bytes[at % length] = value;
            }
            bytes.truncate(cut % (bytes.len() + 1));
            no_panic(&bytes);
        }
    }
}

/// Equal but for the rest of the header, which one of the two formats lacks.
fn same_line(a: &Tree, b: &Tree) -> bool {
    let strip = |tree: &Tree| {
        let mut tree = tree.clone();
        tree.remove_property(NodeId::ROOT, "PSQH");
        let names = Color::ALL.map(|color| tree.name(color));
        let footer = tree.text(NodeId::ROOT, "PSQF");
        for ident in ["PB", "PW", "PSQF"] {
            tree.remove_property(NodeId::ROOT, ident);
        }
        (tree, names, footer)
    };
    strip(a) == strip(b)
}

/// Reads bytes as every format; what was read can be written, asked and walked.
fn no_panic(bytes: &[u8]) {
    for format in Format::ALL.map(Some).into_iter().chain([None]) {
        let hint = Hint { format, ..Hint::default() };
        let Reading { trees, error, .. } = salvage(bytes, &hint);
        if let Some(error) = error {
            assert!(error.to_string().len() < 400);
        }
        for tree in &trees {
            let _ = (tree.game(Rule::Renju), tree.result(), tree.rule());
        }
        if !trees.is_empty() {
            for format in Format::ALL {
                let _ = write(&trees, format);
            }
            let sgf = write(&trees, Format::Sgf).unwrap();
            let again = read(&sgf, &Hint::default()).unwrap();
            assert_eq!(again.len(), trees.len());
        }
    }
}
