//! Which format a file has, by what stands in it and how its name ends.

use super::{
    Format,
    ccgc::is_ccgc,
    pos,
    text::{Scan, lines, without_bom},
};

/// The format of a file: by a signature if it has one, else by its name, else by its looks.
pub(super) fn format_of(bytes: &[u8], name: &str) -> Option<Format> {
    by_signature(bytes).or_else(|| by_name(bytes, name)).or_else(|| by_looks(bytes))
}

fn by_signature(bytes: &[u8]) -> Option<Format> {
    let text = without_bom(bytes).trim_ascii_start();
    let after_bracket = text.strip_prefix(b"(").map(<[u8]>::trim_ascii_start);
    if bytes.starts_with(b"\xFFRenLib") {
        Some(Format::RenLib)
    } else if text.get(..9).is_some_and(|word| word.eq_ignore_ascii_case(b"Piskvorky")) {
        Some(Format::Psq)
    } else if after_bracket.is_some_and(|rest| rest.starts_with(b";") || rest.starts_with(b"(")) {
        Some(Format::Sgf)
    } else if is_ccgc(text) {
        Some(Format::Pos)
    } else if contains(&text[..text.len().min(200)], b"gomocalc") {
        Some(Format::Gomocalc)
    } else {
        None
    }
}

fn by_name(bytes: &[u8], name: &str) -> Option<Format> {
    let (_, ending) = name.rsplit_once('.')?;
    match ending.to_ascii_lowercase().as_str() {
        "sgf" => Some(Format::Sgf),
        "psq" => Some(Format::Psq),
        "rec" => Some(Format::Rec),
        "lib" => Some(Format::RenLib),
        "sav" => Some(Format::Sav),
        // Some programs write moves as text under this name.
        "pos" => Some(if looks_like_moves(bytes) { Format::Pos } else { Format::PosBytes }),
        _ => None,
    }
}

fn by_looks(bytes: &[u8]) -> Option<Format> {
    let is_count = bytes.first().is_some_and(|&count| usize::from(count) + 1 == bytes.len());
    if looks_like_moves(bytes) || pos::are_pairs(bytes) {
        Some(Format::Pos)
    } else if looks_like_numbers(bytes, b" \t\r\n") {
        Some(Format::Sav)
    } else if looks_like_numbers(bytes, b"-, \t\r\n") {
        Some(Format::Offsets)
    } else if is_count && bytes[1..].iter().all(|&cell| cell < 225) {
        Some(Format::PosBytes)
    } else if bytes.starts_with(b"\x78") && bytes.get(1).is_some_and(|flags| flags & 0xC0 == 0) {
        // RenLib's first files have no header and always begin with a stone in the center.
        Some(Format::RenLib)
    } else if is_rec(bytes) {
        Some(Format::Rec)
    } else if contains(bytes, b"(;") {
        // Mail headers and the like before the game.
        Some(Format::Sgf)
    } else {
        None
    }
}

/// Letters each followed by one or two digits, in either case, with separators and move numbers.
fn looks_like_moves(bytes: &[u8]) -> bool {
    let text = without_bom(bytes);
    text.starts_with(b"b:") || text.starts_with(b"w:") || pos::are_moves(text)
}

fn looks_like_numbers(bytes: &[u8], between: &[u8]) -> bool {
    let text = without_bom(bytes);
    text.iter().any(u8::is_ascii_digit)
        && text.iter().all(|byte| byte.is_ascii_digit() || between.contains(byte))
}

/// Two names, then `x,y,ms`.
fn is_rec(bytes: &[u8]) -> bool {
    lines(bytes).nth(2).is_some_and(|(_, line)| {
        let mut scan = Scan::new(line, 0);
        scan.integer().is_some() && scan.take(b",") && scan.integer().is_some()
    })
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}
