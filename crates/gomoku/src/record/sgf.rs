//! Smart Game Format: reading FF[4] (and most of what older programs wrote) into trees.

mod lexer;
mod write;

use lexer::{Lexer, Token};
pub(super) use write::write;

use super::{
    Flag, Format, Hint, Mark, MarkShape, Move, NodeId, Property, RecordError, Tree,
    encoding::Encoding,
    line::size_for,
    text::{unescape, unexpected, utf8},
};
use crate::{
    color::Color,
    point::{MAX_SIZE, MIN_SIZE, Point},
    points::PointSet,
};

/// Reads all games of a file. What stands before, between and after them is skipped.
pub(super) fn read(bytes: &[u8], hint: &Hint, out: &mut Vec<Tree>) -> Result<(), RecordError> {
    let mut lexer = Lexer::new(bytes);
    while lexer.skip_to_game() {
        let preview = Preview::of(lexer, hint);
        out.push(Tree::with_capacity(preview.size, preview.nodes));
        let tree = out.last_mut().expect("a tree was pushed");
        Reader { lexer, tree, at: None }.game(&mut lexer)?;
    }
    if out.is_empty() {
        return Err(unexpected(Format::Sgf, bytes, bytes.len(), "a game that begins with '(;'"));
    }
    Ok(())
}

/// The character set that a file says it is in (`CA`), if it is one that is known.
pub(super) fn declared(bytes: &[u8]) -> Option<Encoding> {
    let mut rest = bytes;
    while let Some(at) = rest.windows(3).position(|window| window == b"CA[") {
        let is_name = at.checked_sub(1).is_none_or(|before| !rest[before].is_ascii_alphabetic());
        rest = &rest[at + 3..];
        let name = rest.split(|&byte| byte == b']').next().filter(|name| name.len() < 40);
        let found = name.and_then(|name| Encoding::from_name(&utf8(name)));
        if is_name && found.is_some() {
            return found;
        }
    }
    None
}

/// What has to be known of a game before its first node is made.
struct Preview {
    size: u8,
    nodes: usize,
}

impl Preview {
    fn of(mut lexer: Lexer, hint: &Hint) -> Preview {
        let (mut depth, mut nodes, mut highest) = (0usize, 0, 0);
        let mut size = None;
        let mut ident = Ident::Other;
        loop {
            match lexer.next().1 {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                Token::Node => nodes += 1,
                Token::Ident(name) => ident = Ident::of(name),
                Token::Value(raw) => match ident {
                    Ident::Size if size.is_none() => size = side(raw),
                    Ident::Move(_) | Ident::Stones(_) => highest = highest.max(highest_of(raw)),
                    _ => {}
                },
                Token::Unclosed | Token::Unknown | Token::End => break,
            }
            if depth == 0 {
                break;
            }
        }
        Preview { size: size.unwrap_or_else(|| size_for(hint.size, 15, highest)), nodes }
    }
}

/// The properties that have a place of their own in the tree.
#[derive(Clone, Copy)]
enum Ident {
    Move(Color),
    Stones(Option<Color>),
    ToMove,
    Comment,
    Shape(MarkShape),
    Label,
    Line,
    Arrow,
    Size,
    Charset,
    Flags,
    /// The version and the game, which are always the same.
    Fixed,
    Other,
}

impl Ident {
    /// Old files spell names out, such as `Black`: only capitals count, if there are any.
    fn of(name: &[u8]) -> Ident {
        let has_capitals = name.iter().any(u8::is_ascii_uppercase);
        let mut short = [0; 2];
        let letters = name.iter().filter(|b| !has_capitals || !b.is_ascii_lowercase());
        for (i, byte) in letters.enumerate() {
            let Some(slot) = short.get_mut(i) else { return Ident::Other };
            *slot = byte.to_ascii_uppercase();
        }
        match &short {
            b"B\0" => Ident::Move(Color::Black),
            b"W\0" => Ident::Move(Color::White),
            b"AB" => Ident::Stones(Some(Color::Black)),
            b"AW" => Ident::Stones(Some(Color::White)),
            b"AE" => Ident::Stones(None),
            b"PL" => Ident::ToMove,
            b"C\0" => Ident::Comment,
            b"LB" => Ident::Label,
            b"LN" => Ident::Line,
            b"AR" => Ident::Arrow,
            b"SZ" => Ident::Size,
            b"CA" => Ident::Charset,
            b"RL" => Ident::Flags,
            b"FF" | b"GM" => Ident::Fixed,
            _ => {
                let shape = MarkShape::ALL.into_iter().find(|s| s.ident().as_bytes() == short);
                shape.map_or(Ident::Other, Ident::Shape)
            }
        }
    }
}

struct Reader<'a, 't> {
    lexer: Lexer<'a>,
    tree: &'t mut Tree,
    /// The node that properties belong to; none before the first semicolon.
    at: Option<NodeId>,
}

impl<'a> Reader<'a, '_> {
    /// Reads the game that begins here and leaves the lexer behind it.
    fn game(mut self, after: &mut Lexer<'a>) -> Result<(), RecordError> {
        let done = self.nodes(after);
        self.free_root();
        done
    }

    fn nodes(&mut self, after: &mut Lexer<'a>) -> Result<(), RecordError> {
        // Where each open bracket returns to when it closes.
        let mut open: Vec<Option<NodeId>> = Vec::new();
        loop {
            let (offset, token) = self.lexer.next();
            if matches!(token, Token::Open | Token::Node) {
                self.free_root();
            }
            match token {
                Token::Open => open.push(self.at),
                Token::Close => {
                    self.at = open.pop().flatten();
                    if open.is_empty() {
                        *after = self.lexer;
                        return Ok(());
                    }
                }
                Token::Node => self.at = Some(self.new_node()),
                Token::Ident(name) if self.at.is_some() => self.property(name)?,
                _ => {
                    let expected = match self.at {
                        None => "';' and a node",
                        Some(_) => "a property, ';', '(' or the ')' that closes the game",
                    };
                    return Err(self.error(offset, expected));
                }
            }
        }
    }

    fn new_node(&mut self) -> NodeId {
        let is_first = self.at.is_none() && self.tree.len() == 1;
        match self.at {
            None if is_first => NodeId::ROOT,
            at => self.tree.add_child(at.unwrap_or(NodeId::ROOT), None),
        }
    }

    fn property(&mut self, name: &'a [u8]) -> Result<(), RecordError> {
        let ident = Ident::of(name);
        let mut first = true;
        let mut kept = None;
        loop {
            let mut ahead = self.lexer;
            let (offset, token) = ahead.next();
            let raw = match token {
                Token::Value(raw) => raw,
                Token::Unclosed => {
                    return Err(self.error(ahead.bytes.len(), "the ']' that closes the value"));
                }
                _ if first => return Err(self.error(offset, "'[' and a value")),
                _ => return Ok(()),
            };
            self.lexer = ahead;
            first = false;
            self.value(ident, name, raw, offset + 1, &mut kept)?;
        }
    }

    fn value(
        &mut self,
        ident: Ident,
        name: &[u8],
        raw: &'a [u8],
        offset: usize,
        kept: &mut Option<NodeId>,
    ) -> Result<(), RecordError> {
        let at = self.at.expect("a property belongs to a node");
        let size = self.tree.size();
        let point_error = |reader: &Self| {
            let column = (b'a' + size - 1) as char;
            let what = format!("a point of the {size}x{size} board from aa to {column}{column}");
            Err(reader.error(offset, what))
        };
        match ident {
            Ident::Move(color) => match move_of(raw, size) {
                Some(point) => self.play(at, Move { color, point }),
                None => return point_error(self),
            },
            Ident::Stones(_) if raw.trim_ascii().is_empty() => {}
            Ident::Stones(color) => match rectangle(raw, size) {
                Some(points) => self.tree.add_set_up(at, color, points),
                None => return point_error(self),
            },
            Ident::ToMove => match raw.trim_ascii().first() {
                Some(b'B' | b'b' | b'1') => self.tree.set_to_move(at, Some(Color::Black)),
                Some(b'W' | b'w' | b'2') => self.tree.set_to_move(at, Some(Color::White)),
                _ => return Err(self.error(offset, "B or W")),
            },
            Ident::Comment => {
                self.tree.append_comment(at, &unescape(&utf8(raw)));
            }
            Ident::Shape(_) | Ident::Label | Ident::Line | Ident::Arrow => {
                match mark_of(ident, raw, size) {
                    Some(mark) => self.mark(at, mark),
                    None => self.keep(at, name, raw, kept),
                }
            }
            Ident::Flags => {
                for flag in Flag::ALL {
                    let word = flag.word().as_bytes();
                    if raw.split(u8::is_ascii_whitespace).any(|found| found == word) {
                        self.tree.set_flag(at, flag, true);
                    }
                }
            }
            Ident::Size if side(raw) != Some(size) => {
                let what = format!("the size of a square board, {MIN_SIZE} to {MAX_SIZE}");
                return Err(self.error(offset, what));
            }
            // The text has been decoded; the tree is Unicode.
            Ident::Size | Ident::Charset | Ident::Fixed => {}
            Ident::Other => self.keep(at, name, raw, kept),
        }
        Ok(())
    }

    /// Two moves in one node are not allowed, but there are such files: the second follows the first.
    fn play(&mut self, at: NodeId, played: Move) {
        if self.tree.played(at).is_none() {
            self.tree.set_played(at, Some(played));
        } else {
            self.free_root();
            let at = self.at.unwrap_or(at);
            self.at = Some(self.tree.add_child(at, Some(played)));
        }
    }

    /// A move in the first node is not allowed either, but many files have one: it gets a node of its
    /// own, so that the root of a tree is always the position before the first move.
    fn free_root(&mut self) {
        if let Some(moved) = self.tree.take_move_from_root()
            && self.at == Some(NodeId::ROOT)
        {
            self.at = Some(moved);
        }
    }

    /// Points of one shape that follow each other in the file make one mark.
    fn mark(&mut self, at: NodeId, mark: Mark) {
        if let (Some(Mark::Shape(last, set)), Mark::Shape(shape, points)) =
            (self.tree.last_mark_mut(at), &mark)
            && last == shape
        {
            *set |= *points;
        } else {
            self.tree.push_mark(at, mark);
        }
    }

    /// Keeps a value as it stands, with the values of its property that were kept before.
    fn keep(&mut self, at: NodeId, name: &[u8], raw: &[u8], kept: &mut Option<NodeId>) {
        let value: Box<str> = utf8(raw).into();
        if *kept == Some(at) {
            self.tree.push_value(at, value);
        } else {
            let ident = String::from_utf8_lossy(name).into();
            self.tree.push_property(at, Property { ident, values: vec![value] });
            *kept = Some(at);
        }
    }

    fn error(
        &self,
        offset: usize,
        expected: impl Into<std::borrow::Cow<'static, str>>,
    ) -> RecordError {
        unexpected(Format::Sgf, self.lexer.bytes, offset, expected)
    }
}

/// A board side: `15`, or `15:15` as some programs write it.
fn side(raw: &[u8]) -> Option<u8> {
    let text = std::str::from_utf8(raw).ok()?.trim();
    let side = match text.split_once(':') {
        None => text,
        Some((width, height)) if width.trim() == height.trim() => width.trim(),
        Some(_) => return None,
    };
    side.parse().ok().filter(|side| (MIN_SIZE..=MAX_SIZE).contains(side))
}

/// The point or pass of a move.
fn move_of(raw: &[u8], size: u8) -> Option<Option<Point>> {
    match raw.trim_ascii() {
        b"" => Some(None),
        b"tt" | b"TT" if size <= 19 => Some(None),
        raw => point_of(raw, size).map(Some),
    }
}

/// A point: column and row as letters from the top left, or a label such as `h8`.
fn point_of(raw: &[u8], size: u8) -> Option<Point> {
    let raw = raw.trim_ascii();
    if let [col @ (b'a'..=b'z' | b'A'..=b'Z'), row @ (b'a'..=b'z' | b'A'..=b'Z')] = raw {
        let number = |letter: &u8| letter.to_ascii_lowercase() - b'a';
        return Point::from_xy(number(col), number(row), size);
    }
    let label: Point = std::str::from_utf8(raw).ok()?.parse().ok()?;
    label.is_on(size).then_some(label)
}

/// One point, or all points of a rectangle given by two corners.
fn rectangle(raw: &[u8], size: u8) -> Option<PointSet> {
    let Some((from, to)) = split(raw) else {
        return Some([point_of(raw, size)?].into_iter().collect());
    };
    let (from, to) = (point_of(from, size)?, point_of(to, size)?);
    let cols = from.col().min(to.col())..=from.col().max(to.col());
    let rows = from.row().min(to.row())..=from.row().max(to.row());
    Some(rows.flat_map(|row| cols.clone().map(move |col| Point::new(col, row))).collect())
}

fn mark_of(ident: Ident, raw: &[u8], size: u8) -> Option<Mark> {
    if let Ident::Shape(shape) = ident {
        return Some(Mark::Shape(shape, rectangle(raw, size)?));
    }
    let (first, second) = split(raw)?;
    let point = point_of(first, size)?;
    let other = point_of(second, size);
    match ident {
        Ident::Line => Some(Mark::Line(point, other?)),
        Ident::Arrow => Some(Mark::Arrow(point, other?)),
        _ => Some(Mark::Label(point, unescape(&utf8(second)).into())),
    }
}

/// The two parts of a composed value.
fn split(raw: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = raw.iter().position(|&byte| byte == b':')?;
    Some((&raw[..colon], &raw[colon + 1..]))
}

/// The highest column or row (from 0) that a point value needs, for games that do not give a size.
fn highest_of(raw: &[u8]) -> i64 {
    match move_of(raw, MAX_SIZE) {
        _ if matches!(raw, b"tt") => 0,
        Some(Some(point)) if raw.iter().any(u8::is_ascii_digit) => {
            i64::from(point.col().max(point.row()))
        }
        Some(Some(point)) => i64::from(point.col().max(MAX_SIZE - 1 - point.row())),
        _ => 0,
    }
}
