//! Moves such as `h8i9g7`, one game in each line, and gomocalc addresses, which hold such a text.
//!
//! People write them in other ways too: `h8-i9-g7`, `1. h8 i9 2. g7`, and `8,8 9,9 7,7` with columns
//! and rows counted from the top left from 1, so that `8,8` alone is the center of a board of 15. Those
//! are read and not written.

use super::{
    Format, Hint, RecordError, Tree, ccgc,
    line::{Line, points_of, size_for},
    no_place,
    text::{lines, unexpected, utf8, without_bom},
};
use crate::{
    notation::{pairs, words},
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
    if format == Format::Pos && ccgc::is_ccgc(without_bom(bytes).trim_ascii_start()) {
        return ccgc::read(bytes, out);
    }
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
    if pairs(text).is_some() {
        return read_pairs(bytes, start, end, (format, hint), out);
    }
    let highest = words(text).filter_map(|word| word.cell);
    let highest = highest.map(|(col, number)| i64::from(col.max(number - 1))).max();
    let size = size_for(hint.size, 15, highest.unwrap_or(0));
    out.push(Tree::with_capacity(size, 1 + words(text).count()));
    let tree = out.last_mut().expect("a tree was pushed");
    let mut play = Line::new(format, bytes, tree);
    for word in words(text) {
        let Some((col, number)) = word.cell else {
            let expected = "a move such as h8";
            return Err(unexpected(format, bytes, start + word.at, expected));
        };
        let row = match format {
            Format::PosFromTop => size.checked_sub(number),
            _ => Some(number - 1),
        };
        play.add(row.and_then(|row| Point::try_new(col, row)), start + word.at)?;
    }
    Ok(())
}

/// Columns and rows from the top left, from 1.
fn read_pairs(
    bytes: &[u8],
    start: usize,
    end: usize,
    (format, hint): (Format, &Hint),
    out: &mut Vec<Tree>,
) -> Result<(), RecordError> {
    let pairs = pairs(&bytes[start..end]).unwrap_or_default();
    let highest = pairs.iter().map(|pair| i64::from(pair.x.max(pair.y)) - 1).max();
    let size = size_for(hint.size, 15, highest.unwrap_or(0));
    out.push(Tree::with_capacity(size, 1 + pairs.len()));
    let tree = out.last_mut().expect("a tree was pushed");
    let mut play = Line::new(format, bytes, tree);
    for pair in pairs {
        play.add(Point::from_xy(pair.x - 1, pair.y - 1, size), start + pair.at)?;
    }
    Ok(())
}

/// Whether each line is pairs. Openings as offsets have a zero, a sign or commas between stones.
pub(super) fn are_pairs(bytes: &[u8]) -> bool {
    let mut filled = lines(bytes).filter(|(_, line)| !line.trim_ascii().is_empty()).peekable();
    filled.peek().is_some() && filled.all(|(_, line)| pairs(line).is_some())
}

/// Whether there is nothing but moves, and at least one.
pub(super) fn are_moves(text: &[u8]) -> bool {
    let mut found = lines(text).flat_map(|(_, line)| words(line)).peekable();
    found.peek().is_some() && found.all(|word| word.cell.is_some())
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
    let text = utf8(&bytes[start..end]);
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

pub(super) fn write(trees: &[Tree], format: Format) -> Result<String, RecordError> {
    let mut out = String::new();
    for tree in trees {
        if format == Format::Gomocalc {
            out.push_str(GOMOCALC);
        }
        let points = points_of(tree, format)?;
        if points.is_empty() && trees.len() > 1 && format != Format::Gomocalc {
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
    Ok(out)
}
