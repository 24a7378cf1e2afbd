//! Which files of `web/` a browser may ask for, and what is sent of them.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// A script or style without comments, indentation, empty lines and breaks where a line goes on or has
/// said where it ends: what runs is what one reads, and a quarter smaller on the way. Nothing else is
/// changed, so no grammar is needed: no text in the page contains `/**`, and none spans lines.
pub(crate) fn slim(file: &Path, bytes: Vec<u8>) -> Vec<u8> {
    let kind = file.extension().and_then(|kind| kind.to_str()).unwrap_or_default();
    let (comment, open, close, spare) = match kind {
        "js" => (
            "/**",
            &["(", "[", "{", ",", ";", "=>", "&&", "||", "=", ":"][..],
            &[")", "]", "}", ".", "?", ":"][..],
            &[","][..],
        ),
        "css" => ("/*", &["{", ";", "}", ","][..], &["}"][..], &[",", ";"][..]),
        _ => return bytes,
    };
    let source = String::from_utf8(bytes).expect("the page is UTF-8");
    let mut bare = String::with_capacity(source.len());
    let mut rest = source.as_str();
    while let Some(start) = rest.find(comment) {
        let end = start + rest[start..].find("*/").expect("a comment ends") + 2;
        bare.push_str(&rest[..start]);
        rest = &rest[end..];
    }
    bare.push_str(rest);
    let mut code = String::with_capacity(bare.len());
    let mut last = "";
    for line in bare.lines().map(str::trim) {
        if line.is_empty() || line.starts_with("//") {
            continue;
        }
        let ends_with = |signs: &[&str]| signs.iter().any(|sign| last.ends_with(sign));
        let closes = close.iter().any(|sign| line.starts_with(sign));
        // A comment at the end of a line goes as far as the line does.
        if last.contains("//") || !(ends_with(open) || closes) {
            code.push('\n');
        } else if closes && ends_with(spare) && !line.starts_with('.') {
            code.pop(); // What separates is not needed at the end; before `...` it is.
        }
        code.push_str(line);
        last = line;
    }
    code.trim_start().to_owned().into_bytes()
}

/// Everything but tests and type declarations, which only the checks read.
pub(crate) fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder web exists") {
        let path = entry.expect("a folder can be listed").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if name != "test" {
                collect(&path, files);
            }
        } else if ["html", "css", "js", "svg", "webmanifest"]
            .iter()
            .any(|kind| path.extension().is_some_and(|found| found == *kind))
        {
            files.push(path);
        }
    }
}
