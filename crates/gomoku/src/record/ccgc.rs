//! The form of the Chinese computer games championships:
//! `{[C5][black][white][who won][time and place][event];B(H,8);W(I,9)...}`, any number of them.

use super::{Format, NodeId, RecordError, Tree, line::Line, text::unexpected};
use crate::{color::Color, point::Point};

const FORMAT: Format = Format::Pos;

/// Whether a text begins like this.
pub(super) fn is_ccgc(text: &[u8]) -> bool {
    text.strip_prefix(b"{").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"["))
}

pub(super) fn read(bytes: &[u8], out: &mut Vec<Tree>) -> Result<(), RecordError> {
    let mut at = bytes.len() - super::text::without_bom(bytes).len();
    loop {
        at = past_spaces(bytes, at);
        if at == bytes.len() {
            return Ok(());
        }
        if bytes[at] != b'{' {
            return Err(unexpected(FORMAT, bytes, at, "'{' and the next game"));
        }
        at = read_game(bytes, at + 1, out)?;
    }
}

/// Reads what follows `{`, and says where the game ends. The last one may lack its `}`.
fn read_game(bytes: &[u8], start: usize, out: &mut Vec<Tree>) -> Result<usize, RecordError> {
    let mut fields = Vec::new();
    let mut at = past_spaces(bytes, start);
    while bytes.get(at) == Some(&b'[') {
        let Some(length) = bytes[at + 1..].iter().position(|&byte| byte == b']') else {
            return Err(unexpected(FORMAT, bytes, bytes.len(), "']' at the end of a field"));
        };
        fields.push(String::from_utf8_lossy(&bytes[at + 1..][..length]));
        at = past_spaces(bytes, at + length + 2);
    }
    let mut tree = Tree::new(15);
    describe(&mut tree, &fields);
    out.push(tree);
    let tree = out.last_mut().expect("a tree was pushed");
    let mut play = Line::new(FORMAT, bytes, tree);
    loop {
        match bytes.get(at) {
            None => return Ok(at),
            Some(b'}') => return Ok(at + 1),
            Some(b';') => {}
            Some(_) => return Err(unexpected(FORMAT, bytes, at, "';' and a move, or '}'")),
        }
        let end = bytes[at + 1..].iter().position(|byte| matches!(byte, b';' | b'}'));
        let end = end.map_or(bytes.len(), |length| at + 1 + length);
        let text = &bytes[at + 1..end];
        // Some end the last move like the others.
        if !text.trim_ascii().is_empty() {
            let expected = "a move such as B(H,8)";
            let told = played(text).ok_or_else(|| unexpected(FORMAT, bytes, at + 1, expected))?;
            let (color, col, row) = told;
            play.add_for(color, Point::try_new(col, row), at + 1)?;
        }
        at = end;
    }
}

fn past_spaces(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// Names, result, place and event.
fn describe(tree: &mut Tree, fields: &[impl AsRef<str>]) {
    let field = |number: usize| fields.get(number).map_or("", |field| field.as_ref().trim());
    for (color, number, side) in [(Color::Black, 1, " B"), (Color::White, 2, " W")] {
        let name = field(number);
        let name = name.strip_suffix(side).unwrap_or(name).trim();
        if !name.is_empty() {
            tree.set_name(color, name);
        }
    }
    let is = |words: [&str; 2]| words.iter().any(|word| field(3).contains(word));
    let result = match () {
        () if is(["先手胜", "黑胜"]) => "B+",
        () if is(["后手胜", "白胜"]) => "W+",
        () if is(["和棋", "平局"]) => "0",
        () => "",
    };
    for (ident, text) in [("RE", result), ("PC", field(4)), ("EV", field(5))] {
        if !text.is_empty() {
            tree.set_text(NodeId::ROOT, ident, text);
        }
    }
}

/// The side of `B(H,8)`, and its column and row, both from 0.
fn played(text: &[u8]) -> Option<(Color, u8, u8)> {
    let text = std::str::from_utf8(text).ok()?.trim();
    let color = match text.as_bytes().first()? {
        b'B' | b'b' => Color::Black,
        b'W' | b'w' => Color::White,
        _ => return None,
    };
    let inner = text[1..].trim().strip_prefix('(')?;
    let (letter, number) = inner.strip_suffix(')')?.split_once(',')?;
    let &[letter] = letter.trim().as_bytes() else { return None };
    let col = letter.to_ascii_lowercase().checked_sub(b'a')?;
    let row: u8 = number.trim().parse().ok()?;
    Some((color, col, row.checked_sub(1)?))
}
