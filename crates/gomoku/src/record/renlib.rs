//! RenLib's libraries: a tree of variations on 15x15, two bytes for a move.
//!
//! A text on the board belongs to the node whose move stands there; in the tree it is a label of the
//! node before, which is what a reader of the library sees. Extensions that RenLib does not explain are
//! kept in the private property `RX`.

use std::{borrow::Cow, collections::BTreeMap};

use super::{
    Flag, Format, Mark, Move, NodeId, RecordError, Tree,
    encoding::{Encoding, Guess},
    missing, no_place,
    text::found,
};
use crate::{color::Color, point::Point};

const MAGIC: &[u8] = b"\xFFRenLib\xFF";
const HEADER: usize = 20;
/// The newest version, the one that is written.
const VERSION: (u8, u8) = (3, 4);
const SIZE: u8 = 15;

const MORE_SIBLINGS: u8 = 0x80;
const NO_CHILD: u8 = 0x40;
const OLD_COMMENT: u8 = 0x20;
const MARKED: u8 = 0x10;
const COMMENT: u8 = 0x08;
const START: u8 = 0x04;
const NOT_A_MOVE: u8 = 0x02;
const EXTENSION: u8 = 0x01;
const BOARD_TEXT: u16 = 0x0001;
/// Between the first line of a comment and the rest.
const BREAK: u8 = 0x08;

pub(super) fn read(
    bytes: &[u8],
    told: Option<Encoding>,
    out: &mut Vec<Tree>,
) -> Result<usize, RecordError> {
    let start = header(bytes)?;
    // Nothing says which code page the texts are in, so all of them are looked at first.
    let encoding = told.unwrap_or_else(|| {
        let mut guess = Guess::default();
        let mut nodes = Nodes { bytes, at: start, is_first: true, open: 0 };
        while let Some(Ok(raw)) = nodes.next() {
            guess.feed(&raw.comment);
            guess.feed(raw.board_text);
        }
        guess.encoding(None)
    });
    out.push(Tree::new(SIZE));
    let tree = out.last_mut().expect("a tree was pushed");
    tree.set_encoding(encoding);
    let mut reader = Reader { bytes, encoding, tree, broken: 0 };
    let done = reader.nodes(start);
    let broken = reader.broken;
    done.map(|()| broken)
}

/// Where the nodes begin.
fn header(bytes: &[u8]) -> Result<usize, RecordError> {
    if !bytes.starts_with(MAGIC) {
        // The first version had no header and began with the stone in the center.
        let is_old = bytes.first() == Some(&0x78);
        return if is_old { Ok(0) } else { Err(error(bytes, 0, "RenLib's header")) };
    }
    match bytes.get(8..10) {
        Some(&[major, minor]) if (major, minor) <= VERSION => {}
        Some(_) => return Err(error(bytes, 8, "a version up to 3.4")),
        None => return Err(error(bytes, bytes.len(), "the version")),
    }
    if bytes.len() < HEADER {
        return Err(error(bytes, bytes.len(), "a header of 20 bytes"));
    }
    Ok(HEADER)
}

/// A node as the file has it.
struct Raw<'a> {
    offset: usize,
    cell: u8,
    flags: u8,
    extension: u16,
    comment: Cow<'a, [u8]>,
    board_text: &'a [u8],
    /// Whether it is the root, which has no move.
    is_root: bool,
}

/// The nodes of a file in their order, until all branches are closed.
struct Nodes<'a> {
    bytes: &'a [u8],
    at: usize,
    is_first: bool,
    /// How many siblings are still to come.
    open: usize,
}

impl<'a> Iterator for Nodes<'a> {
    type Item = Result<Raw<'a>, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        // RenLib itself takes the end of the file for the end of all branches.
        if self.at >= self.bytes.len() && !self.is_first || self.open == usize::MAX {
            return None;
        }
        let raw = match self.node() {
            Ok(raw) => raw,
            Err(error) => {
                self.open = usize::MAX;
                return Some(Err(error));
            }
        };
        self.open += usize::from(raw.flags & MORE_SIBLINGS != 0 && !raw.is_root);
        if raw.flags & NO_CHILD != 0 {
            self.open = self.open.checked_sub(1).unwrap_or(usize::MAX);
        }
        Some(Ok(raw))
    }
}

impl<'a> Nodes<'a> {
    fn node(&mut self) -> Result<Raw<'a>, RecordError> {
        let offset = self.at;
        let Some(&[cell, flags]) = self.bytes.get(offset..offset + 2) else {
            return Err(error(self.bytes, self.bytes.len(), "a move and its flags"));
        };
        self.at += 2;
        let mut extension = 0;
        if flags & EXTENSION != 0 {
            let Some(&[high, low]) = self.bytes.get(self.at..self.at + 2) else {
                return Err(error(self.bytes, self.bytes.len(), "the extension of a move"));
            };
            extension = u16::from_be_bytes([high, low]);
            self.at += 2;
        }
        let comment = match (flags & COMMENT != 0, flags & OLD_COMMENT != 0) {
            (true, _) => Cow::Borrowed(self.text()?),
            (false, true) => Cow::Owned(self.old_text()?),
            (false, false) => Cow::Borrowed(&[][..]),
        };
        let board_text = if extension & BOARD_TEXT == 0 { &[][..] } else { self.text()? };
        let is_root = std::mem::take(&mut self.is_first) && cell == 0;
        Ok(Raw { offset, cell, flags, extension, comment, board_text, is_root })
    }

    /// A text up to a zero byte, with a second one if that makes the number of bytes even.
    fn text(&mut self) -> Result<&'a [u8], RecordError> {
        let rest = &self.bytes[self.at..];
        let Some(length) = rest.iter().position(|&byte| byte == 0) else {
            return Err(error(self.bytes, self.bytes.len(), "the zero byte that ends a text"));
        };
        self.at = (self.at + length + 1 + (length + 1) % 2).min(self.bytes.len());
        Ok(&rest[..length])
    }

    /// A text whose last character has its highest bit set.
    fn old_text(&mut self) -> Result<Vec<u8>, RecordError> {
        let rest = &self.bytes[self.at..];
        let Some(last) = rest.iter().position(|&byte| byte & 0x80 != 0) else {
            return Err(error(self.bytes, self.bytes.len(), "the last character of a comment"));
        };
        self.at += last + 1;
        Ok(rest[..=last].iter().map(|byte| byte & 0x7F).collect())
    }
}

struct Reader<'a, 't> {
    bytes: &'a [u8],
    encoding: Encoding,
    tree: &'t mut Tree,
    /// Places in texts that are not what the character set has.
    broken: usize,
}

impl Reader<'_, '_> {
    fn nodes(&mut self, start: usize) -> Result<(), RecordError> {
        // The nodes whose next child is still to come, and who moves there.
        let mut open: Vec<(NodeId, Color)> = Vec::new();
        let (mut parent, mut mover) = (NodeId::ROOT, Color::Black);
        for raw in (Nodes { bytes: self.bytes, at: start, is_first: true, open: 0 }) {
            let raw = raw?;
            if raw.flags & MORE_SIBLINGS != 0 && !raw.is_root {
                open.push((parent, mover));
            }
            let id = if raw.is_root { NodeId::ROOT } else { self.add(parent, mover, &raw)? };
            self.describe(id, &raw);
            if raw.flags & NO_CHILD == 0 {
                parent = id;
                mover = self.tree.played(id).map_or(mover, |played| !played.color);
            } else if let Some(back) = open.pop() {
                (parent, mover) = back;
            }
        }
        Ok(())
    }

    fn decode(&mut self, text: &[u8]) -> String {
        let text = text.strip_prefix(&[BREAK]).unwrap_or(text);
        let (text, broken) = self.encoding.decode(text);
        self.broken += broken;
        let text = text.replace(BREAK as char, "\n");
        text.replace("\r\n", "\n").replace('\r', "\n")
    }

    fn add(&mut self, parent: NodeId, color: Color, raw: &Raw<'_>) -> Result<NodeId, RecordError> {
        let point = point_of(raw.cell);
        if point.is_none() && raw.cell != 0 {
            return Err(error(self.bytes, raw.offset, "a point of the board, 0x01 to 0xef"));
        }
        if let Some(point) = point
            && !raw.board_text.is_empty()
        {
            let text = self.decode(raw.board_text);
            self.tree.push_mark(parent, Mark::Label(point, text.into()));
        }
        if raw.flags & NOT_A_MOVE != 0 {
            let says_nothing = raw.flags & NO_CHILD != 0 && raw.comment.is_empty();
            // A text on the board is all there is to it: the label has been made.
            return Ok(if says_nothing { parent } else { self.tree.add_child(parent, None) });
        }
        Ok(self.tree.add_child(parent, Some(Move { color, point })))
    }

    fn describe(&mut self, id: NodeId, raw: &Raw<'_>) {
        if !raw.comment.is_empty() {
            let text = self.decode(&raw.comment);
            self.tree.set_comment(id, text);
        }
        if raw.flags & NOT_A_MOVE != 0 {
            return;
        }
        self.tree.set_flag(id, Flag::Marked, raw.flags & MARKED != 0);
        self.tree.set_flag(id, Flag::Start, raw.flags & START != 0);
        if raw.extension & !BOARD_TEXT != 0 {
            self.tree.set_text(id, "RX", &format!("{:04x}", raw.extension & !BOARD_TEXT));
        }
    }
}

/// Sixteen times the row from the top, from 0, plus the column, from 1.
fn point_of(cell: u8) -> Option<Point> {
    Point::from_xy((cell % 16).checked_sub(1)?, cell / 16, SIZE)
}

fn cell_of(point: Option<Point>) -> u8 {
    point.map_or(0, |point| {
        let (x, y) = point.to_xy(SIZE);
        y * 16 + x + 1
    })
}

fn error(bytes: &[u8], offset: usize, expected: &'static str) -> RecordError {
    let found = match bytes.get(offset) {
        Some(byte) => format!("byte {byte:#04x}"),
        None => found(&[]),
    };
    RecordError::Binary { format: Format::RenLib, offset, expected: expected.into(), found }
}

pub(super) fn write(tree: &Tree, encoding: Encoding) -> Result<Vec<u8>, RecordError> {
    if tree.size() != SIZE {
        return Err(no_place(Format::RenLib, "a board that is not 15x15"));
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend([VERSION.0, VERSION.1]);
    bytes.resize(HEADER, 0xFF);
    let mut writer = Writer { tree, encoding, bytes };
    writer.nodes()?;
    Ok(writer.bytes)
}

struct Writer<'a> {
    tree: &'a Tree,
    encoding: Encoding,
    bytes: Vec<u8>,
}

/// A node to be written.
struct Step<'a> {
    id: NodeId,
    /// Whether another sibling follows.
    more: bool,
    mover: Color,
    board_text: &'a str,
}

impl<'a> Writer<'a> {
    fn nodes(&mut self) -> Result<(), RecordError> {
        if self.tree.played(NodeId::ROOT).is_some() {
            return Err(no_place(Format::RenLib, "a move in the first node"));
        }
        let (id, mover) = (NodeId::ROOT, Color::White);
        let mut steps = vec![Step { id, more: false, mover, board_text: "" }];
        while let Some(step) = steps.pop() {
            let Step { id, mover, .. } = step;
            self.check(id, mover)?;
            let children: Vec<_> = self.tree.children(id).collect();
            let mut labels = self.labels(id);
            let mut last = true;
            let first_step = steps.len();
            for &child in &children {
                let played = self.tree.played(child);
                let point = played.and_then(|played| played.point);
                let board_text = point.and_then(|point| labels.remove(&point)).unwrap_or("");
                // After a node without a move it is still the same side's turn.
                let mover = if played.is_some() { !mover } else { mover };
                steps.push(Step { id: child, more: true, mover, board_text });
            }
            for step in steps[first_step..].iter_mut().rev() {
                step.more = !std::mem::take(&mut last);
            }
            steps[first_step..].reverse();
            self.node(&step, !children.is_empty() || !labels.is_empty())?;
            // Texts where no move follows come before the moves.
            while let Some((point, text)) = labels.pop_first() {
                let more = !labels.is_empty() || !children.is_empty();
                let flags = NOT_A_MOVE | NO_CHILD | if more { MORE_SIBLINGS } else { 0 };
                self.raw(cell_of(Some(point)), flags, "", text, 0)?;
            }
        }
        Ok(())
    }

    fn check(&self, id: NodeId, mover: Color) -> Result<(), RecordError> {
        if self.tree.has_set_up(id) {
            return Err(no_place(Format::RenLib, "set-up stones"));
        }
        match self.tree.played(id) {
            _ if id == NodeId::ROOT => Ok(()),
            None => Ok(()),
            Some(played) if played.color != mover => {
                Err(no_place(Format::RenLib, "two moves in a row by one side"))
            }
            Some(_) => Ok(()),
        }
    }

    /// The labels of a node, one for each point: the last one counts.
    fn labels(&self, id: NodeId) -> BTreeMap<Point, &'a str> {
        let labels = self.tree.marks(id).iter().filter_map(|mark| match mark {
            Mark::Label(point, text) if !text.is_empty() => Some((*point, &**text)),
            _ => None,
        });
        labels.collect()
    }

    fn node(&mut self, step: &Step, has_child: bool) -> Result<(), RecordError> {
        let point = self.tree.played(step.id).and_then(|played| played.point);
        let kept = self.tree.text(step.id, "RX");
        let extension = kept.and_then(|kept| u16::from_str_radix(&kept, 16).ok()).unwrap_or(0);
        let mut flags = if step.more { MORE_SIBLINGS } else { 0 };
        flags |= if self.tree.flag(step.id, Flag::Marked) { MARKED } else { 0 };
        flags |= if self.tree.flag(step.id, Flag::Start) { START } else { 0 };
        flags |= if has_child { 0 } else { NO_CHILD };
        let is_move = step.id == NodeId::ROOT || self.tree.played(step.id).is_some();
        flags |= if is_move { 0 } else { NOT_A_MOVE };
        self.raw(
            cell_of(point),
            flags,
            self.tree.comment(step.id),
            step.board_text,
            extension & !BOARD_TEXT,
        )
    }

    fn raw(
        &mut self,
        cell: u8,
        mut flags: u8,
        comment: &str,
        board_text: &str,
        extension: u16,
    ) -> Result<(), RecordError> {
        let extension = extension | if board_text.is_empty() { 0 } else { BOARD_TEXT };
        flags |= if extension == 0 { 0 } else { EXTENSION };
        flags |= if comment.is_empty() { 0 } else { COMMENT };
        self.bytes.extend([cell, flags]);
        if extension != 0 {
            self.bytes.extend(extension.to_be_bytes());
        }
        if !comment.is_empty() {
            // RenLib shows what follows the break as several lines.
            let text = format!("{}{}", BREAK as char, comment.replace('\n', "\r\n"));
            self.text(&text)?;
        }
        if !board_text.is_empty() {
            self.text(board_text)?;
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<(), RecordError> {
        let text = text.replace('\0', " ");
        let text =
            self.encoding.encode(&text).map_err(|c| missing(Format::RenLib, c, self.encoding))?;
        self.bytes.extend(&*text);
        self.bytes.extend(if text.len().is_multiple_of(2) { &[0, 0][..] } else { &[0] });
        Ok(())
    }
}
