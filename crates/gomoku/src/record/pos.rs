//! Moves such as `h8i9g7`, one game in each line, and gomocalc addresses, which hold such a text.

use super::{
    Format, Hint, RecordError, Tree,
    line::{Line, points_of, size_for},
    no_place,
    text::{Charset, lines, unexpected},
};
use crate::{
    point::{MAX_SIZE, Point},
    position::Position,
    rule::Rule,
};

const GOMOCALC: &str = "https://gomocalc.com/#/";

pub(super) fn read(
    bytes: &[u8],
    format: Format,
    hint: &Hint,
    out: &mut Vec<Tree>,
) -> Result<(), RecordError> {
    let mut read_any = false;
    for (start, line) in lines(bytes) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let (mut at, mut end) = (start, start + line.len());
        if format == Format::Gomocalc {
            let address = line.trim_ascii_end();
            let hash = address.iter().position(|&byte| byte == b'#');
            at += hash.map_or(0, |hash| hash + 1);
            at += bytes[at..end].iter().take_while(|byte| **byte == b'/').count();
            end = start + address.len();
        }
        read_any = true;
        read_line(bytes, at, end, format, hint, out)?;
    }
    if !read_any {
        // The empty board has no moves.
        out.push(Tree::new(hint.size.unwrap_or(15)));
    }
    Ok(())
}

fn read_line(
    bytes: &[u8],
    start: usize,
    end: usize,
    format: Format,
    hint: &Hint,
    out: &mut Vec<Tree>,
) -> Result<(), RecordError> {
    let text = &bytes[start..end];
    if text.contains(&b':') {
        return read_set_up(bytes, start, end, format, hint, out);
    }
    let highest = tokens(text).filter_map(|(_, _, point)| point);
    let highest = highest.map(|(col, number)| i64::from(col.max(number - 1))).max();
    let size = size_for(hint.size, 15, highest.unwrap_or(0));
    out.push(Tree::with_capacity(size, 1 + tokens(text).count()));
    let tree = out.last_mut().expect("a tree was pushed");
    let mut play = Line::new(format, bytes, tree);
    for (at, _, point) in tokens(text) {
        let Some((col, number)) = point else {
            let expected = "a move such as h8";
            return Err(unexpected(format, bytes, start + at, expected));
        };
        let row = match format {
            Format::PosFromTop => size.checked_sub(number),
            _ => Some(number - 1),
        };
        play.add(row.and_then(|row| Point::try_new(col, row)), start + at)?;
    }
    Ok(())
}

/// Stones and the side to move, as [`Position::parse`] reads them.
fn read_set_up(
    bytes: &[u8],
    start: usize,
    end: usize,
    format: Format,
    hint: &Hint,
    out: &mut Vec<Tree>,
) -> Result<(), RecordError> {
    let text = Charset::Utf8.decode(&bytes[start..end]);
    let sizes = [15, 20, MAX_SIZE];
    let told = hint.size.as_slice();
    let mut sizes = if told.is_empty() { &sizes } else { told }.iter();
    let position = sizes.find_map(|&size| Position::parse(&text, Rule::Freestyle, size).ok());
    let expected = "stones and the side to move, such as 'b:h8,g9 w:i9 b'";
    let position = position.ok_or_else(|| unexpected(format, bytes, start, expected))?;
    out.push(Tree::from_position(&position));
    let tree = out.last_mut().expect("a tree was pushed");
    // The text does not say a rule; it was only needed to read it.
    tree.remove_property(super::NodeId::ROOT, "RU");
    Ok(())
}

/// Each word of a text: where it begins, how long it is, and the column and row number it names.
fn tokens(text: &[u8]) -> impl Iterator<Item = (usize, usize, Option<(u8, u8)>)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let is_space = |byte: &&u8| matches!(byte, b' ' | b'\t' | b',' | b';' | 0xEF | 0xBB | 0xBF);
        at += text[at..].iter().take_while(is_space).count();
        let letter = text.get(at)?.to_ascii_lowercase();
        let digits = text[at + 1..].iter().take(2).take_while(|byte| byte.is_ascii_digit());
        let (length, number) =
            digits.fold((1, 0), |(length, number), digit| (length + 1, number * 10 + digit - b'0'));
        let start = at;
        at += length;
        let point = (letter.is_ascii_lowercase() && number > 0).then(|| (letter - b'a', number));
        Some((start, length, point))
    })
}

pub(super) fn write(trees: &[Tree], format: Format) -> Result<Vec<u8>, RecordError> {
    let trees = if format == Format::Gomocalc { &trees[..trees.len().min(1)] } else { trees };
    let mut out = String::new();
    for tree in trees {
        if format == Format::Gomocalc {
            out.push_str(GOMOCALC);
        }
        let points = points_of(tree, format)?;
        if points.is_empty() && trees.len() > 1 {
            // An empty line would be skipped when it is read.
            return Err(no_place(format, "an empty board among others"));
        }
        for (_, point) in points {
            let (_, y) = point.to_xy(tree.size());
            let row = if format == Format::PosFromTop { y } else { point.row() };
            out.push((b'a' + point.col()) as char);
            out.push_str(&(row + 1).to_string());
        }
        out.push('\n');
    }
    Ok(out.into_bytes())
}
