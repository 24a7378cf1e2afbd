//! Piskvork's saved games (`psq`) and their older sibling by Gomotur (`rec`).
//!
//! What these files say about players and times has no place of its own in SGF. It is kept in
//! private properties: `MS` the milliseconds of a move, `PSQH` the end of the header, `PSQF` the
//! lines after the names.

use super::{
    Format, Hint, NodeId, RecordError, Tree,
    line::{Line, points_of, size_for},
    text::{Scan, lines, unexpected, utf8},
};
use crate::{
    color::Color,
    point::{MAX_SIZE, MIN_SIZE, Point},
};

pub(super) fn read(bytes: &[u8], out: &mut Vec<Tree>) -> Result<(), RecordError> {
    let mut rows = lines(bytes).peekable();
    let header = loop {
        match rows.next() {
            Some((_, line)) if line.trim_ascii().is_empty() => {}
            Some((start, line)) => break read_header(bytes, start, line)?,
            None => {
                let expected = "the header 'Piskvorky 15x15, 0:0, 0'";
                return Err(unexpected(Format::Psq, bytes, bytes.len(), expected));
            }
        }
    };
    out.push(Tree::new(header.size));
    let tree = out.last_mut().expect("a tree was pushed");
    if !header.rest.is_empty() {
        tree.set_text(NodeId::ROOT, "PSQH", &header.rest);
    }
    let mut play = Line::new(Format::Psq, bytes, tree);
    while let Some(&(start, line)) = rows.peek() {
        let Some((x, y, ms)) = read_move(line) else { break };
        rows.next();
        let point = point_of(x - 1, y - 1, header.size);
        let id = play.add(point, start)?;
        play.tree().set_text(id, "MS", &ms.to_string());
    }
    let footer: Vec<_> = rows.map(|(_, line)| utf8(line.trim_ascii())).collect();
    let mut footer = footer.iter().filter(|line| !line.is_empty()).peekable();
    // Without names the first line is the code.
    if footer.peek().is_some_and(|line| line.parse::<i64>().is_err()) {
        let first = if header.second_began { Color::White } else { Color::Black };
        for color in [first, !first] {
            if let Some(name) = footer.next() {
                tree.set_name(color, name);
            }
        }
    }
    keep_footer(tree, footer.map(|line| &**line));
    Ok(())
}

struct Header {
    size: u8,
    rest: String,
    second_began: bool,
}

fn read_header(bytes: &[u8], start: usize, line: &[u8]) -> Result<Header, RecordError> {
    let error = |at, expected: String| Err(unexpected(Format::Psq, bytes, at, expected));
    let mut scan = Scan::new(&bytes[..start + line.len()], start);
    scan.spaces();
    let word = scan.rest().get(..9).unwrap_or_default();
    if !word.eq_ignore_ascii_case(b"Piskvorky") {
        return error(scan.at, "the word 'Piskvorky'".into());
    }
    scan.at += word.len();
    scan.spaces();
    let at = scan.at;
    let width = scan.integer();
    let has_x = scan.take(b"x") || scan.take(b"X");
    let (Some(width), true, Some(height)) = (width, has_x, scan.integer()) else {
        return error(at, "the size of the board, such as 15x15".into());
    };
    let size = u8::try_from(width).ok().filter(|size| (MIN_SIZE..=MAX_SIZE).contains(size));
    let Some(size) = size.filter(|_| width == height) else {
        return error(at, format!("a square board of size {MIN_SIZE} to {MAX_SIZE}"));
    };
    let rest = utf8(scan.rest().trim_ascii());
    let rest = rest.trim_start_matches([',', ' ']).to_string();
    let second_began = rest.rsplit(',').next().is_some_and(|player| player.trim() == "1");
    Ok(Header { size, rest, second_began })
}

/// `x,y` and the milliseconds, which very old files leave out.
fn read_move(line: &[u8]) -> Option<(i64, i64, i64)> {
    let mut scan = Scan::new(line, 0);
    let x = scan.integer()?;
    scan.spaces();
    let y = scan.take(b",").then(|| scan.integer())??;
    scan.spaces();
    let ms = if scan.take(b",") { scan.integer()? } else { 0 };
    scan.rest().trim_ascii().is_empty().then_some((x, y, ms))
}

fn point_of(x: i64, y: i64, size: u8) -> Option<Point> {
    Point::from_xy(u8::try_from(x).ok()?, u8::try_from(y).ok()?, size)
}

fn keep_footer<'a>(tree: &mut Tree, footer: impl Iterator<Item = &'a str>) {
    let footer: Vec<_> = footer.collect();
    if !footer.is_empty() {
        tree.set_text(NodeId::ROOT, "PSQF", &footer.join("\n"));
    }
}

pub(super) fn read_rec(bytes: &[u8], hint: &Hint, out: &mut Vec<Tree>) -> Result<(), RecordError> {
    let format = Format::Rec;
    let mut rows = lines(bytes);
    let mut names = Vec::new();
    for what in ["the name of the first player", "the name of the second player"] {
        let (_, name) = rows.next().ok_or_else(|| unexpected(format, bytes, bytes.len(), what))?;
        names.push(utf8(name.trim_ascii()).into_owned());
    }
    let moves: Vec<_> = rows.clone().map_while(|(at, line)| Some((at, read_move(line)?))).collect();
    let highest = moves.iter().map(|(_, (x, y, _))| *x.max(y)).max().unwrap_or(0);
    let size = size_for(hint.size, 20, highest);
    out.push(Tree::new(size));
    let tree = out.last_mut().expect("a tree was pushed");
    for (color, name) in Color::ALL.into_iter().zip(&names) {
        tree.set_name(color, name);
    }
    let mut play = Line::new(format, bytes, tree);
    for (at, (x, y, ms)) in &moves {
        let id = play.add(point_of(*x, *y, size), *at)?;
        play.tree().set_text(id, "MS", &ms.to_string());
    }
    let footer: Vec<_> = rows
        .skip(moves.len())
        .map(|(_, line)| utf8(line.trim_ascii()))
        .filter(|line| !line.is_empty())
        .collect();
    keep_footer(tree, footer.iter().map(|line| &**line));
    Ok(())
}

pub(super) fn write(tree: &Tree) -> Result<String, RecordError> {
    let root = NodeId::ROOT;
    let rest = tree.text(root, "PSQH").map_or("11:11, 0".into(), |rest| one_line(&rest));
    let mut out = format!("Piskvorky {0}x{0}, {rest}\r\n", tree.size());
    write_moves(tree, Format::Psq, 1, &mut out)?;
    let names = Color::ALL.map(|color| tree.name(color));
    if names.iter().any(Option::is_some) {
        let second_began = rest.rsplit(',').next().is_some_and(|player| player.trim() == "1");
        let [black, white] = names.map(|name| name_line(name.as_deref()));
        let (first, second) = if second_began { (white, black) } else { (black, white) };
        out += &format!("{first}\r\n{second}\r\n");
    }
    write_footer(tree, &mut out);
    Ok(out)
}

pub(super) fn write_rec(tree: &Tree) -> Result<String, RecordError> {
    let mut out = String::new();
    for color in Color::ALL {
        out += &format!("{}\r\n", name_line(tree.name(color).as_deref()));
    }
    write_moves(tree, Format::Rec, 0, &mut out)?;
    write_footer(tree, &mut out);
    Ok(out)
}

fn write_moves(
    tree: &Tree,
    format: Format,
    first: u8,
    out: &mut String,
) -> Result<(), RecordError> {
    for (id, point) in points_of(tree, format)? {
        let (x, y) = point.to_xy(tree.size());
        let ms = tree.text(id, "MS").and_then(|ms| ms.parse::<i64>().ok()).unwrap_or(0);
        *out += &format!("{},{},{ms}\r\n", x + first, y + first);
    }
    Ok(())
}

fn write_footer(tree: &Tree, out: &mut String) {
    let footer = tree.text(NodeId::ROOT, "PSQF").unwrap_or("-1".into());
    let mut lines = footer.lines().map(one_line).peekable();
    // A blank line ends the moves before a footer that looks like one.
    if lines.peek().is_some_and(|line| read_move(line.as_bytes()).is_some()) {
        *out += "\r\n";
    }
    for line in lines {
        *out += &format!("{line}\r\n");
    }
}

/// A name as a line of its own, which must not look like a number or a move.
fn name_line(name: Option<&str>) -> String {
    let name = one_line(name.unwrap_or("?"));
    match name.as_str() {
        "" => "?".into(),
        _ if name.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+')) => {
            format!("_{name}")
        }
        _ => name,
    }
}

fn one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ").trim().to_string()
}
