//! Packs the page: every file of `web/` that a browser may ask for, compressed once, with its ETag.

mod pack;

use std::{
    fmt::Write as _,
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use flate2::{Compression, Crc, write::GzEncoder};

fn main() {
    println!("cargo:rerun-if-changed=web");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let mut files = Vec::new();
    pack::collect(Path::new("web"), &mut files);
    files.sort();

    let mut table = String::from("pub(crate) static FILES: &[Embedded] = &[\n");
    for (index, file) in files.iter().enumerate() {
        let bytes = pack::slim(file, fs::read(file).expect("a file of the page can be read"));
        let mut gz = GzEncoder::new(Vec::new(), Compression::best());
        gz.write_all(&bytes).expect("writing to memory succeeds");
        let packed = out.join(format!("{index}.gz"));
        fs::write(&packed, gz.finish().expect("writing to memory succeeds"))
            .expect("OUT_DIR is writable");
        let name = file.strip_prefix("web").expect("collected below web").to_string_lossy();
        let mut sum = Crc::new();
        sum.update(&bytes);
        writeln!(
            table,
            "    Embedded {{ path: \"/{}\", gz: include_bytes!({:?}), tag: \"\\\"{:x}-{:x}\\\"\" }},",
            name.replace('\\', "/"),
            packed,
            sum.sum(),
            bytes.len()
        )
        .expect("writing to a string succeeds");
    }
    table.push_str("];\n");
    fs::write(out.join("files.rs"), table).expect("OUT_DIR is writable");
}
