//! Packs the page: every file of `web/` that a browser may ask for, compressed once, with its ETag.

use std::{
    fmt::Write as _,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use flate2::{Compression, write::GzEncoder};

fn main() {
    println!("cargo:rerun-if-changed=web");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let mut files = Vec::new();
    collect(Path::new("web"), &mut files);
    files.sort();

    let mut table = String::from("pub(crate) static FILES: &[Embedded] = &[\n");
    for (index, file) in files.iter().enumerate() {
        let bytes = slim(file, fs::read(file).expect("a file of the page can be read"));
        let mut gz = GzEncoder::new(Vec::new(), Compression::best());
        gz.write_all(&bytes).expect("writing to memory succeeds");
        let packed = out.join(format!("{index}.gz"));
        fs::write(&packed, gz.finish().expect("writing to memory succeeds"))
            .expect("OUT_DIR is writable");
        let name = file.strip_prefix("web").expect("collected below web").to_string_lossy();
        let tag = blake3::hash(&bytes).to_hex();
        writeln!(
            table,
            "    Embedded {{ path: \"/{}\", gz: include_bytes!({:?}), tag: \"\\\"{}\\\"\" }},",
            name.replace('\\', "/"),
            packed,
            &tag[..16]
        )
        .expect("writing to a string succeeds");
    }
    table.push_str("];\n");
    fs::write(out.join("files.rs"), table).expect("OUT_DIR is writable");
}

/// A script without comments and indentation, line for line: what runs is what one reads, and a
/// fifth smaller on the way. Nothing else is changed, so no grammar is needed: no text in the page
/// contains `/**`, and none spans lines.
fn slim(file: &Path, bytes: Vec<u8>) -> Vec<u8> {
    if file.extension().is_none_or(|kind| kind != "js") {
        return bytes;
    }
    let source = String::from_utf8(bytes).expect("scripts are UTF-8");
    let mut code = String::with_capacity(source.len());
    let mut rest = source.as_str();
    while let Some(open) = rest.find("/**") {
        let close = open + rest[open..].find("*/").expect("a comment ends") + 2;
        code.push_str(&rest[..open]);
        code.extend(rest[open..close].chars().filter(|c| *c == '\n'));
        rest = &rest[close..];
    }
    code.push_str(rest);
    let lines = code.lines().map(|line| {
        let line = line.trim();
        if line.starts_with("//") { "" } else { line }
    });
    lines.collect::<Vec<_>>().join("\n").into_bytes()
}

/// Everything but tests and type declarations, which only the checks read.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
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
