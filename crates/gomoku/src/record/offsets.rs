//! Openings as offsets from the center: `0,0, 1,1, -1,2` in each line, right and down.

use super::{
    Format, Hint, RecordError, Tree,
    line::{Line, points_of, size_for},
    no_place,
    text::{Scan, lines, unexpected},
};
use crate::point::Point;

/// Piskvork takes no offset outside this range.
const RANGE: std::ops::RangeInclusive<i64> = -50..=49;

pub(super) fn read(bytes: &[u8], hint: &Hint, out: &mut Vec<Tree>) -> Result<(), RecordError> {
    // One board for all openings of a file: the first usual one that all of them fit.
    let mut widest = 0;
    for (start, line) in lines(bytes) {
        scan_line(bytes, start, line.len(), |_, offset| {
            // On a board of 15 the center is 7, on one of 20 it is 10: offsets run from -7 or -10.
            widest = widest.max(if offset < 0 { -2 * offset } else { 2 * offset });
            Ok(())
        })?;
    }
    let size = size_for(hint.size, 15, widest);
    for (start, line) in lines(bytes) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let commas = line.iter().filter(|byte| **byte == b',').count();
        out.push(Tree::with_capacity(size, 2 + commas / 2));
        let tree = out.last_mut().expect("a tree was pushed");
        let mut play = Line::new(Format::Offsets, bytes, tree);
        let mut dx = None;
        scan_line(bytes, start, line.len(), |at, offset| {
            let Some((first, dx)) = dx.take() else {
                dx = Some((at, offset));
                return Ok(());
            };
            let center = i64::from(size / 2);
            let cell = |offset| u8::try_from(center + offset).ok();
            let point = cell(dx).zip(cell(offset)).and_then(|(x, y)| Point::from_xy(x, y, size));
            play.add(point, first).map(drop)
        })?;
        if dx.is_some() {
            let end = start + line.len();
            let expected = "',' and the vertical offset of the last stone";
            return Err(unexpected(Format::Offsets, bytes, end, expected));
        }
    }
    Ok(())
}

/// Calls a function with each integer of a line and where it stands.
fn scan_line(
    bytes: &[u8],
    start: usize,
    length: usize,
    mut each: impl FnMut(usize, i64) -> Result<(), RecordError>,
) -> Result<(), RecordError> {
    let end = start + length;
    let mut scan = Scan::new(&bytes[..end], start);
    let error = |at, expected| Err(unexpected(Format::Offsets, bytes, at, expected));
    scan.spaces();
    while scan.at < end {
        let at = scan.at;
        match scan.integer().filter(|offset| RANGE.contains(offset)) {
            Some(offset) => each(at, offset)?,
            None => return error(at, "an offset from -50 to 49"),
        }
        let after = scan.at;
        scan.spaces();
        let separated = scan.take(b",") || scan.at > after;
        scan.spaces();
        if !separated && scan.at < end {
            return error(scan.at, "','");
        }
    }
    Ok(())
}

pub(super) fn write(trees: &[Tree]) -> Result<String, RecordError> {
    let mut out = String::new();
    for tree in trees {
        let center = i32::from(tree.size() / 2);
        let points = points_of(tree, Format::Offsets)?;
        if points.is_empty() {
            return Err(no_place(Format::Offsets, "an empty board"));
        }
        let stones = points.iter().map(|(_, point)| {
            let (x, y) = point.to_xy(tree.size());
            format!("{},{}", i32::from(x) - center, i32::from(y) - center)
        });
        out.push_str(&stones.collect::<Vec<_>>().join(", "));
        out.push('\n');
    }
    Ok(out)
}
