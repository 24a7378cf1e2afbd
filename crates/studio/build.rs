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
        let bytes = fs::read(file).expect("a file of the page can be read");
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
