//! Writing trees as SGF.

use std::fmt::Write;

use super::super::{Flag, Mark, NodeId, Tree, encoding::Encoding, text::escape};
use crate::{color::Color, point::Point, points::PointSet};

/// Lines are broken between nodes when they are longer than this.
const WIDTH: usize = 76;

/// Writes each tree as a game, in UTF-8 but declared as what it is to become.
pub(in super::super) fn write(trees: &[Tree], encoding: Encoding) -> String {
    let mut out = String::new();
    for tree in trees {
        let mut writer = Writer { tree, line_start: out.len(), out, encoding };
        writer.game();
        out = writer.out;
    }
    out
}

struct Writer<'a> {
    tree: &'a Tree,
    out: String,
    line_start: usize,
    encoding: Encoding,
}

enum Step {
    Node(NodeId),
    /// A node that opens a variation.
    Variation(NodeId),
    Close,
}

impl Writer<'_> {
    fn game(&mut self) {
        let mut steps = vec![Step::Close, Step::Node(NodeId::ROOT)];
        self.out.push('(');
        while let Some(step) = steps.pop() {
            let id = match step {
                Step::Close => {
                    self.out.push(')');
                    continue;
                }
                Step::Variation(id) => {
                    self.new_line();
                    self.out.push('(');
                    id
                }
                Step::Node(id) => id,
            };
            self.node(id);
            let children: Vec<_> = self.tree.children(id).collect();
            match children[..] {
                [only] => steps.push(Step::Node(only)),
                _ => steps.extend(
                    children.into_iter().rev().flat_map(|id| [Step::Close, Step::Variation(id)]),
                ),
            }
        }
        self.out.push('\n');
    }

    fn node(&mut self, id: NodeId) {
        if self.out.len() - self.line_start > WIDTH {
            self.new_line();
        }
        self.out.push(';');
        if id == NodeId::ROOT {
            self.header();
        }
        if let Some(played) = self.tree.played(id) {
            let ident = if played.color == Color::Black { 'B' } else { 'W' };
            self.out.push(ident);
            let point = played.point.map(|point| self.point(point)).unwrap_or_default();
            self.bracket(&point);
        }
        for (ident, color) in [("AB", Some(Color::Black)), ("AW", Some(Color::White)), ("AE", None)]
        {
            self.points(ident, &self.tree.set_up(id, color));
        }
        if let Some(color) = self.tree.declared_to_move(id) {
            self.out.push_str(if color == Color::Black { "PL[B]" } else { "PL[W]" });
        }
        let words = Flag::ALL.into_iter().filter(|&flag| self.tree.flag(id, flag)).map(Flag::word);
        let words: Vec<_> = words.collect();
        if !words.is_empty() {
            let _ = write!(self.out, "RL[{}]", words.join(" "));
        }
        self.properties(id);
        self.marks(id);
        let comment = self.tree.comment(id);
        if !comment.is_empty() {
            self.out.push('C');
            let escaped = escape(comment);
            self.bracket(&escaped);
        }
    }

    fn header(&mut self) {
        self.out.push_str("FF[4]GM[4]");
        if !self.is_ascii() {
            let _ = write!(self.out, "CA[{}]", self.encoding);
        }
        let _ = write!(self.out, "SZ[{}]", self.tree.size());
    }

    fn is_ascii(&self) -> bool {
        let tree = self.tree;
        tree.nodes().all(|id| {
            let labels = |mark: &Mark| !matches!(mark, Mark::Label(_, text) if !text.is_ascii());
            let mut values = tree.properties(id).iter().flat_map(|property| &property.values);
            tree.comment(id).is_ascii()
                && values.all(|value| value.is_ascii())
                && tree.marks(id).iter().all(labels)
        })
    }

    fn properties(&mut self, id: NodeId) {
        for property in self.tree.properties(id) {
            self.out.push_str(&property.ident);
            for value in &property.values {
                self.bracket(value);
            }
        }
    }

    fn marks(&mut self, id: NodeId) {
        let mut last_ident = "";
        for mark in self.tree.marks(id) {
            let ident = match mark {
                Mark::Shape(shape, points) => {
                    self.points(shape.ident(), points);
                    last_ident = "";
                    continue;
                }
                Mark::Label(..) => "LB",
                Mark::Line(..) => "LN",
                Mark::Arrow(..) => "AR",
            };
            if ident != std::mem::replace(&mut last_ident, ident) {
                self.out.push_str(ident);
            }
            let value = match mark {
                Mark::Label(point, text) => {
                    format!("{}:{}", self.point(*point), escape(text))
                }
                Mark::Line(from, to) | Mark::Arrow(from, to) => {
                    format!("{}:{}", self.point(*from), self.point(*to))
                }
                Mark::Shape(..) => continue,
            };
            self.bracket(&value);
        }
    }

    fn points(&mut self, ident: &str, points: &PointSet) {
        if points.is_empty() {
            return;
        }
        self.out.push_str(ident);
        for point in *points {
            let point = self.point(point);
            self.bracket(&point);
        }
    }

    fn point(&self, point: Point) -> String {
        let (x, y) = point.to_xy(self.tree.size());
        [x, y].map(|number| (b'a' + number) as char).iter().collect()
    }

    fn bracket(&mut self, value: &str) {
        self.out.push('[');
        self.out.push_str(value);
        self.out.push(']');
    }

    fn new_line(&mut self) {
        self.out.push('\n');
        self.line_start = self.out.len();
    }
}
