//! The tree of a record: moves, variations, comments, marks, and everything else a file said.
//!
//! Nodes live in one list and name each other by number, so a tree of any depth is built, walked and
//! dropped without recursion. A node is small, and what few nodes have sits behind one box: reading
//! a file never takes much more memory than the file.

use std::fmt;

use super::{
    encoding::Encoding,
    node::{Flag, Judgment, Mark, Move, Property},
    text::{escape, unescape},
};
use crate::{color::Color, point::Point, points::PointSet};

/// Names a node of one tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// The root of every tree.
    pub const ROOT: NodeId = NodeId(0);

    /// The number of the node, for tables beside the tree.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Node {
    parent: u32,
    first_child: u32,
    last_child: u32,
    next: u32,
    played: Option<Move>,
    flags: u8,
    extra: Option<Box<Extra>>,
}

// The shortest node of a file is one byte long.
const _: () = assert!(size_of::<Node>() <= 32);

/// What a node has besides its move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Extra {
    comment: String,
    /// Stones set up (`Some`) and points cleared (`None`), at most one set of each.
    stones: Vec<(Option<Color>, PointSet)>,
    marks: Vec<Mark>,
    other: Vec<Property>,
    to_move: Option<Color>,
}

/// A game record with variations.
///
/// The tree says what a file said; whether the moves can be played is asked of
/// [`Tree::position_at`] or [`Tree::game`].
///
/// ```
/// use gomoku::record::{Format, Hint, Tree, read, write};
/// let tree = read(b"(;GM[4]SZ[15];B[hh];W[hg](;B[ii])(;B[gi]C[or this]))", &Hint::default())
///     .unwrap()
///     .remove(0);
/// assert_eq!(tree.main_line().count(), 4);
/// assert_eq!(tree.leaves().count(), 2);
/// let pos = write(&[tree], Format::Pos).unwrap();
/// assert_eq!(pos, b"h8h9i7\n");
/// ```
#[derive(Clone)]
pub struct Tree {
    size: u8,
    encoding: Encoding,
    nodes: Vec<Node>,
}

impl Tree {
    /// A tree with nothing but a root.
    ///
    /// # Panics
    /// If the size is not 5 to 22.
    pub fn new(size: u8) -> Tree {
        assert!((crate::MIN_SIZE..=crate::MAX_SIZE).contains(&size), "the board size is 5 to 22");
        Tree { size, encoding: Encoding::UTF_8, nodes: vec![Node::new(NONE, None)] }
    }

    /// A tree whose list of nodes has room for this many, so that it never has to be copied.
    pub(super) fn with_capacity(size: u8, nodes: usize) -> Tree {
        let mut tree = Tree { nodes: Vec::with_capacity(nodes.max(1)), ..Tree::new(size) };
        tree.nodes.push(Node::new(NONE, None));
        tree
    }

    /// Board size, in points per side.
    pub fn size(&self) -> u8 {
        self.size
    }

    /// The character set of the file that the tree was read from. The tree itself is Unicode.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// Remembers the character set of a file.
    pub fn set_encoding(&mut self, encoding: Encoding) {
        self.encoding = encoding;
    }

    /// Number of nodes, removed ones included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is only a root and it says nothing.
    pub fn is_empty(&self) -> bool {
        self.nodes[0].first_child == NONE && self.nodes[0].extra.is_none()
    }

    /// The move that leads to a node.
    pub fn played(&self, id: NodeId) -> Option<Move> {
        self.nodes[id.index()].played
    }

    /// Changes the move that leads to a node.
    ///
    /// # Panics
    /// If the point is not on the board.
    pub fn set_played(&mut self, id: NodeId, played: Option<Move>) {
        self.check(played);
        self.nodes[id.index()].played = played;
    }

    /// The node before this one; `None` for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        link(self.nodes[id.index()].parent)
    }

    /// The first node after this one: the main continuation.
    pub fn first_child(&self, id: NodeId) -> Option<NodeId> {
        link(self.nodes[id.index()].first_child)
    }

    /// The next variation beside this node.
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        link(self.nodes[id.index()].next)
    }

    /// The continuations of a node, the main one first.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(id), |&child| self.next_sibling(child))
    }

    /// The continuation of a node with this move.
    pub fn child_with(&self, id: NodeId, played: Move) -> Option<NodeId> {
        self.children(id).find(|&child| self.played(child) == Some(played))
    }

    /// Adds a continuation after those that a node has.
    ///
    /// # Panics
    /// If the point is not on the board, or the tree has four billion nodes.
    pub fn add_child(&mut self, parent: NodeId, played: Option<Move>) -> NodeId {
        self.check(played);
        let id = u32::try_from(self.nodes.len()).expect("a tree has fewer than 2^32 nodes");
        assert!(id != NONE, "a tree has fewer than 2^32 nodes");
        self.nodes.push(Node::new(parent.0, played));
        let last = std::mem::replace(&mut self.nodes[parent.index()].last_child, id);
        match link(last) {
            None => self.nodes[parent.index()].first_child = id,
            Some(last) => self.nodes[last.index()].next = id,
        }
        NodeId(id)
    }

    /// Moves the root's move, with what is said about it, into a node of its own. What the root says
    /// about the game stays. Only for trees whose root has no continuation yet.
    pub(super) fn take_move_from_root(&mut self) -> Option<NodeId> {
        let played = self.nodes[0].played.take()?;
        let id = self.add_child(NodeId::ROOT, Some(played));
        let flags = std::mem::take(&mut self.nodes[0].flags);
        self.nodes[id.index()].flags = flags;
        if let Some(root) = &mut self.nodes[0].extra {
            let is_about_move = |property: &mut Property| {
                matches!(&*property.ident, "BM" | "DO" | "IT" | "MS" | "BL" | "WL" | "TENGEN")
            };
            let moved = Extra {
                comment: std::mem::take(&mut root.comment),
                stones: Vec::new(),
                marks: std::mem::take(&mut root.marks),
                other: root.other.extract_if(.., is_about_move).collect(),
                to_move: root.to_move.take(),
            };
            if moved != Extra::default() {
                self.nodes[id.index()].extra = Some(Box::new(moved));
            }
        }
        Some(id)
    }

    /// Takes a node and everything after it out of the tree. The root stays.
    pub fn remove(&mut self, id: NodeId) {
        let Some(parent) = self.parent(id) else { return };
        let before = self.children(parent).take_while(|&child| child != id).last();
        let next = std::mem::replace(&mut self.nodes[id.index()].next, NONE);
        match before {
            None => self.nodes[parent.index()].first_child = next,
            Some(before) => self.nodes[before.index()].next = next,
        }
        if self.nodes[parent.index()].last_child == id.0 {
            self.nodes[parent.index()].last_child = before.map_or(NONE, |before| before.0);
        }
        self.nodes[id.index()].parent = NONE;
    }

    /// Makes a node the main continuation of the node before it.
    pub fn promote(&mut self, id: NodeId) {
        let Some(parent) = self.parent(id) else { return };
        if self.first_child(parent) == Some(id) {
            return;
        }
        self.remove(id);
        self.nodes[id.index()].parent = parent.0;
        self.nodes[id.index()].next = self.nodes[parent.index()].first_child;
        self.nodes[parent.index()].first_child = id.0;
    }

    /// The nodes from the root along the main continuations.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(NodeId::ROOT), |&id| self.first_child(id))
    }

    /// The nodes from the root to a node, both included.
    pub fn path_to(&self, id: NodeId) -> Vec<NodeId> {
        let mut path: Vec<_> = std::iter::successors(Some(id), |&id| self.parent(id)).collect();
        path.reverse();
        path
    }

    /// All nodes, each before those after it, main continuations first.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(NodeId::ROOT), |&id| {
            self.first_child(id).or_else(|| {
                std::iter::successors(Some(id), |&id| self.parent(id))
                    .find_map(|id| self.next_sibling(id))
            })
        })
    }

    /// The ends of all lines.
    pub fn leaves(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.nodes().filter(|&id| self.first_child(id).is_none())
    }

    /// Who moves after a node: the side of `PL` if the node has one, else the other side than the
    /// last that moved, else Black, or White when more black stones than white ones were set up.
    pub fn to_move(&self, id: NodeId) -> Color {
        let known = std::iter::successors(Some(id), |&id| self.parent(id)).find_map(|id| {
            let told = self.extra(id).and_then(|extra| extra.to_move);
            told.or_else(|| self.played(id).map(|played| !played.color))
        });
        let more_black = || {
            let count = |color| self.set_up(NodeId::ROOT, Some(color)).len();
            count(Color::Black) > count(Color::White)
        };
        known.unwrap_or_else(|| if more_black() { Color::White } else { Color::Black })
    }

    /// Declares who moves after a node.
    pub fn set_to_move(&mut self, id: NodeId, color: Option<Color>) {
        self.extra_mut(id).to_move = color;
    }

    pub(super) fn declared_to_move(&self, id: NodeId) -> Option<Color> {
        self.extra(id)?.to_move
    }

    /// The stones of a color that a node sets up, or the points that it clears (`None`).
    pub fn set_up(&self, id: NodeId, color: Option<Color>) -> PointSet {
        let sets = self.extra(id).map_or(&[][..], |extra| &extra.stones);
        sets.iter().find(|(of, _)| *of == color).map_or(PointSet::EMPTY, |(_, set)| *set)
    }

    /// Whether a node sets up or clears anything.
    pub fn has_set_up(&self, id: NodeId) -> bool {
        self.extra(id).is_some_and(|extra| !extra.stones.is_empty())
    }

    /// Sets up stones, or clears points (`None`), besides those the node has already. Points off the
    /// board are left out.
    pub fn add_set_up(&mut self, id: NodeId, color: Option<Color>, points: PointSet) {
        let points = points & PointSet::full(self.size);
        if points.is_empty() {
            return;
        }
        let stones = &mut self.extra_mut(id).stones;
        match stones.iter_mut().find(|(of, _)| *of == color) {
            Some((_, set)) => *set |= points,
            None => push(stones, (color, points)),
        }
    }

    /// The comment on a node; empty if there is none.
    pub fn comment(&self, id: NodeId) -> &str {
        self.extra(id).map_or("", |extra| &extra.comment)
    }

    /// Changes the comment on a node.
    pub fn set_comment(&mut self, id: NodeId, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() || self.extra(id).is_some() {
            self.extra_mut(id).comment = text;
        }
    }

    /// The marks on the board at a node.
    pub fn marks(&self, id: NodeId) -> &[Mark] {
        self.extra(id).map_or(&[], |extra| &extra.marks)
    }

    /// Adds a mark. Points join the set of their shape; a label replaces the point's label. A mark off
    /// the board is left out.
    pub fn add_mark(&mut self, id: NodeId, mut mark: Mark) {
        let is_on = match &mut mark {
            Mark::Shape(_, points) => {
                *points &= PointSet::full(self.size);
                !points.is_empty()
            }
            Mark::Label(point, _) => point.is_on(self.size),
            Mark::Line(from, to) | Mark::Arrow(from, to) => {
                from.is_on(self.size) && to.is_on(self.size)
            }
        };
        if !is_on {
            return;
        }
        let marks = &mut self.extra_mut(id).marks;
        for old in marks.iter_mut() {
            match (old, &mark) {
                (Mark::Shape(of, set), Mark::Shape(shape, points)) if of == shape => {
                    *set |= *points;
                    return;
                }
                (Mark::Label(at, old), Mark::Label(point, text)) if at == point => {
                    old.clone_from(text);
                    return;
                }
                _ => {}
            }
        }
        push(marks, mark);
    }

    /// Adds a mark without looking at those there are, for readers: a label that comes twice stays
    /// twice.
    pub(super) fn push_mark(&mut self, id: NodeId, mark: Mark) {
        push(&mut self.extra_mut(id).marks, mark);
    }

    pub(super) fn last_mark_mut(&mut self, id: NodeId) -> Option<&mut Mark> {
        self.nodes[id.index()].extra.as_mut()?.marks.last_mut()
    }

    /// Removes all marks of a node.
    pub fn clear_marks(&mut self, id: NodeId) {
        if self.extra(id).is_some() {
            self.extra_mut(id).marks.clear();
        }
    }

    /// The label on a point at a node.
    pub fn label(&self, id: NodeId, point: Point) -> Option<&str> {
        self.marks(id).iter().find_map(|mark| match mark {
            Mark::Label(at, text) if *at == point => Some(&**text),
            _ => None,
        })
    }

    /// What a commentator thinks of the move of a node.
    pub fn judgment(&self, id: NodeId) -> Option<Judgment> {
        self.played(id)?;
        Judgment::ALL.into_iter().find(|judgment| {
            let (ident, wanted) = judgment.property();
            let value = self.property(id, ident).and_then(|property| property.values.first());
            value.is_some_and(|value| match &**value {
                "" => matches!(wanted, "" | "1"),
                value => value == wanted,
            })
        })
    }

    /// Changes what a commentator thinks of the move of a node.
    pub fn set_judgment(&mut self, id: NodeId, judgment: Option<Judgment>) {
        for ident in ["TE", "BM", "DO", "IT"] {
            self.remove_property(id, ident);
        }
        if let Some((ident, value)) = judgment.map(Judgment::property) {
            self.set_property(id, ident, value);
        }
    }

    /// Whether a node has a flag.
    pub fn flag(&self, id: NodeId, flag: Flag) -> bool {
        self.nodes[id.index()].flags & flag as u8 != 0
    }

    /// Changes a flag of a node.
    pub fn set_flag(&mut self, id: NodeId, flag: Flag, on: bool) {
        let flags = &mut self.nodes[id.index()].flags;
        *flags = if on { *flags | flag as u8 } else { *flags & !(flag as u8) };
    }

    /// The properties of a node that have no other place in the tree, in the order of the file.
    pub fn properties(&self, id: NodeId) -> &[Property] {
        self.extra(id).map_or(&[], |extra| &extra.other)
    }

    /// A property of a node that has no other place in the tree.
    pub fn property(&self, id: NodeId, ident: &str) -> Option<&Property> {
        self.properties(id).iter().find(|property| &*property.ident == ident)
    }

    /// The text of a property's first value, its escapes resolved.
    pub fn text(&self, id: NodeId, ident: &str) -> Option<String> {
        let value = self.property(id, ident)?.values.first()?;
        Some(unescape(value))
    }

    /// Gives a node a property with one text value, replacing those of this name.
    pub fn set_text(&mut self, id: NodeId, ident: &str, text: &str) {
        self.set_property(id, ident, &escape(text));
    }

    /// Removes the properties of this name.
    pub fn remove_property(&mut self, id: NodeId, ident: &str) {
        if self.property(id, ident).is_some() {
            self.extra_mut(id).other.retain(|property| &*property.ident != ident);
        }
    }

    fn set_property(&mut self, id: NodeId, ident: &str, raw: &str) {
        let other = &mut self.extra_mut(id).other;
        match other.iter_mut().find(|property| &*property.ident == ident) {
            Some(property) => property.values = vec![raw.into()],
            None => push(other, Property { ident: ident.into(), values: vec![raw.into()] }),
        }
    }

    /// Adds a property as it stands in a file, even if there is one of this name.
    pub(super) fn push_property(&mut self, id: NodeId, property: Property) {
        push(&mut self.extra_mut(id).other, property);
    }

    /// Adds a value to the property added last.
    pub(super) fn push_value(&mut self, id: NodeId, raw: Box<str>) {
        if let Some(property) = self.extra_mut(id).other.last_mut() {
            push(&mut property.values, raw);
        }
    }

    /// Appends to the comment of a node, on a new line if it has one.
    pub(super) fn append_comment(&mut self, id: NodeId, text: &str) {
        let comment = &mut self.extra_mut(id).comment;
        if !comment.is_empty() {
            comment.push('\n');
        }
        comment.push_str(text);
    }

    fn check(&self, played: Option<Move>) {
        let point = played.and_then(|played| played.point);
        assert!(point.is_none_or(|point| point.is_on(self.size)), "{point:?} is off the board");
    }

    fn extra(&self, id: NodeId) -> Option<&Extra> {
        self.nodes[id.index()].extra.as_deref()
    }

    fn extra_mut(&mut self, id: NodeId) -> &mut Extra {
        self.nodes[id.index()].extra.get_or_insert_default()
    }
}

impl Node {
    const fn new(parent: u32, played: Option<Move>) -> Node {
        Node {
            parent,
            first_child: NONE,
            last_child: NONE,
            next: NONE,
            played,
            flags: 0,
            extra: None,
        }
    }
}

fn link(id: u32) -> Option<NodeId> {
    (id != NONE).then_some(NodeId(id))
}

/// Pushes onto a list that usually has one element: the first one takes no spare room.
fn push<T>(list: &mut Vec<T>, value: T) {
    if list.capacity() == 0 {
        list.reserve_exact(1);
    }
    list.push(value);
}

/// Two trees are equal when they say the same in the same order, however they were built.
impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        let mut nodes = self.nodes().zip(other.nodes());
        let empty = Extra::default();
        let same = |(a, b): (NodeId, NodeId)| {
            self.played(a) == other.played(b)
                && Flag::ALL.iter().all(|&flag| self.flag(a, flag) == other.flag(b, flag))
                && self.extra(a).unwrap_or(&empty) == other.extra(b).unwrap_or(&empty)
                && self.first_child(a).is_some() == other.first_child(b).is_some()
                && self.next_sibling(a).is_some() == other.next_sibling(b).is_some()
        };
        self.size == other.size && nodes.all(same)
    }
}

impl Eq for Tree {}

impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Tree {0}x{0}", self.size)?;
        for id in self.nodes() {
            let depth = self.path_to(id).len() - 1;
            writeln!(f, "{:>4} {:?} {:?}", depth, self.played(id), self.extra(id))?;
        }
        Ok(())
    }
}
