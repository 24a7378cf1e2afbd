//! Yixin-Board's saved positions (`sav`), and stones as bytes (`pos`), which RenLib also writes.

use super::{
    Format, RecordError, Tree,
    line::{Line, points_of},
    no_place,
    text::{Scan, unexpected},
};
use crate::{
    point::{MAX_SIZE, MIN_SIZE, Point},
    rule::Rule,
};

/// Reads a count and one byte for each stone: fifteen times the row from the top plus the column.
pub(super) fn read_bytes(bytes: &[u8], out: &mut Vec<Tree>) -> Result<(), RecordError> {
    let error = |offset: usize, expected: &'static str| RecordError::Binary {
        format: Format::PosBytes,
        offset,
        expected: expected.into(),
        found: bytes.get(offset).map_or("the end of the file".into(), |byte| byte.to_string()),
    };
    let count = *bytes.first().ok_or_else(|| error(0, "the number of stones"))?;
    out.push(Tree::new(15));
    let tree = out.last_mut().expect("a tree was pushed");
    let mut play = Line::new(Format::PosBytes, bytes, tree);
    for offset in 1..=usize::from(count) {
        let cell = *bytes.get(offset).ok_or_else(|| error(offset, "a stone"))?;
        let added = play.add(Point::from_xy(cell % 15, cell / 15, 15), offset);
        added.map_err(|_| error(offset, "an empty point of the board, 0 to 224"))?;
    }
    Ok(())
}

pub(super) fn write_bytes(tree: &Tree) -> Result<Vec<u8>, RecordError> {
    if tree.size() != 15 {
        return Err(no_place(Format::PosBytes, "a board that is not 15x15"));
    }
    let points = points_of(tree, Format::PosBytes)?;
    let cells = points.iter().map(|(_, point)| {
        let (x, y) = point.to_xy(15);
        y * 15 + x
    });
    // 225 points fit the count.
    Ok(std::iter::once(points.len() as u8).chain(cells).collect())
}

/// Reads height, width, the number of stones, and for each its row from the top and its column.
/// The first versions had the rule in the place of the width.
pub(super) fn read_sav(bytes: &[u8], out: &mut Vec<Tree>) -> Result<(), RecordError> {
    let mut scan = Scan::new(bytes, bytes.len() - super::text::without_bom(bytes).len());
    let mut number = |expected: &'static str| {
        let blank = |byte: &&u8| byte.is_ascii_whitespace();
        scan.at += scan.rest().iter().take_while(blank).count();
        let at = scan.at;
        let value = scan.integer();
        value.map(|value| (at, value)).ok_or_else(|| unexpected(Format::Sav, bytes, at, expected))
    };
    let (at, height) = number("the height of the board")?;
    let size = u8::try_from(height).ok().filter(|size| (MIN_SIZE..=MAX_SIZE).contains(size));
    let (_, width) = number("the width of the board")?;
    let is_rule = (0..i64::from(MIN_SIZE)).contains(&width);
    let Some(size) = size.filter(|_| is_rule || width == height) else {
        let expected = format!("a square board of size {MIN_SIZE} to {MAX_SIZE}");
        return Err(unexpected(Format::Sav, bytes, at, expected));
    };
    let (_, count) = number("the number of stones")?;
    out.push(Tree::new(size));
    let tree = out.last_mut().expect("a tree was pushed");
    if is_rule {
        tree.set_rule(rule_of(width));
    }
    let mut play = Line::new(Format::Sav, bytes, tree);
    for _ in 0..count {
        let (at, row) = number("the row of a stone")?;
        let (_, col) = number("the column of a stone")?;
        let cell = u8::try_from(col).ok().zip(u8::try_from(row).ok());
        play.add(cell.and_then(|(x, y)| Point::from_xy(x, y, size)), at)?;
    }
    Ok(())
}

/// The rules in the menu of the first versions: 3 is renju with an opening rule, 4 freestyle with one.
fn rule_of(code: i64) -> Rule {
    match code {
        1 => Rule::Standard,
        2 | 3 => Rule::Renju,
        _ => Rule::Freestyle,
    }
}

pub(super) fn write_sav(tree: &Tree) -> Result<String, RecordError> {
    let points = points_of(tree, Format::Sav)?;
    let mut out = format!("{0}\n{0}\n{1}\n", tree.size(), points.len());
    for (_, point) in points {
        let (x, y) = point.to_xy(tree.size());
        out += &format!("{y} {x}\n");
    }
    Ok(out)
}
