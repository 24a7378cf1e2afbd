//! `cargo xtask dist`: release archives in cargo's target folder, under `dist`.
//!
//! `tengen-VERSION-ARCHITECTURE-SYSTEM.tar.gz` is for the machine it is made on, Linux or macOS; where
//! `dpkg-deb` is installed, a package for Debian is made of the same files.
//!
//! Linux on x86-64 also makes what is for Windows, with MinGW, which Debian has; the program carries all
//! it needs. Where Wine is installed, it plays a match of two full games against the Linux program
//! before it is packed; a library that older Wine lacks is put beside it for that, and not packed.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail, ensure};
use flate2::{Compression, Crc, write::DeflateEncoder};

use crate::{
    deb,
    run::{build_release, root, step, target},
    tools,
};

const WINDOWS: &str = "x86_64-pc-windows-gnu";
const COMPILER: &str = "x86_64-w64-mingw32-gcc";
/// Rust programs ask this library of Windows 10 for random numbers; Wine before 9 does not have it.
const RANDOM: &str = "#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID data, ULONG count);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T count) {
    return SystemFunction036(data, (ULONG)count);
}
";
/// Gomocup takes no larger ZIP without asking.
const ZIP_LIMIT: u64 = 8 << 20;
const PROGRAMS: [&str; 2] = ["tengen", "pbrain-tengen"];
const PAPERS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];
/// Shells, and the names under which they look for completions.
const COMPLETIONS: [(&str, &str); 3] =
    [("bash", "tengen"), ("zsh", "_tengen"), ("fish", "tengen.fish")];

/// Builds the archives that this machine can build.
pub(crate) fn run() -> Result<()> {
    if cfg!(windows) {
        bail!("What is for Windows is made on Linux on x86-64, with all that it needs.");
    }
    let folder = target()?.join("dist");
    fs::create_dir_all(&folder)?;
    let built = build_release()?;
    unix(&folder, &built)?;
    if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        tools::install_windows()?;
        step(
            "",
            "cargo",
            &["build", "--locked", "--release", "-p", "tengen", "--target", WINDOWS],
        )?;
        let built = target()?.join(WINDOWS).join("release");
        play_under_wine(&built.join("pbrain-tengen.exe"), &folder)?;
        windows(&folder, &built)?;
    }
    Ok(())
}

/// What an archive for a system is called.
fn named(system: &str) -> String {
    format!("tengen-{}-{}-{system}", env!("CARGO_PKG_VERSION"), std::env::consts::ARCH)
}

fn unix(folder: &Path, built: &Path) -> Result<()> {
    let name = named(std::env::consts::OS);
    let inside = folder.join(&name);
    let _ = fs::remove_dir_all(&inside); // an earlier run may have failed
    fs::create_dir_all(&inside)?;
    let programs = PROGRAMS.map(|name| (built.join(name), name));
    for (from, name) in programs.into_iter().chain(PAPERS.map(|name| (root().join(name), name))) {
        fs::copy(&from, inside.join(name))
            .with_context(|| format!("{} cannot be copied", from.display()))?;
    }
    let program = inside.join("tengen").to_string_lossy().into_owned();
    step(&inside, &program, &["man", "man"])?;
    fs::create_dir_all(inside.join("completions"))?;
    for (shell, file) in COMPLETIONS {
        let output = Command::new(&program).args(["completions", shell]).output()?;
        ensure!(output.status.success(), "there are no completions for {shell}");
        fs::write(inside.join("completions").join(file), output.stdout)?;
    }
    let archive = format!("{name}.tar.gz");
    step(folder, "tar", &["-czf", &archive, &name])?;
    tell(&folder.join(archive))?;
    if cfg!(target_os = "linux") {
        deb::pack(folder, &inside)?;
    }
    fs::remove_dir_all(&inside)?;
    Ok(())
}

/// Packs the Windows programs in a folder.
fn windows(folder: &Path, built: &Path) -> Result<()> {
    let brain = (built.join("pbrain-tengen.exe"), "pbrain-tengen64.exe".to_owned());
    let program = (built.join("tengen.exe"), "tengen.exe".to_owned());
    let papers = PAPERS.map(|name| (root().join(name), name.to_owned()));
    let name = format!("{}.zip", named("windows"));
    zip(&folder.join(&name), &[&[program, brain.clone()], &papers[..]].concat())?;
    tell(&folder.join(name))?;
    // What Gomocup wants: the brain alone, in the root of a ZIP named after it.
    let entry = folder.join("tengen.zip");
    zip(&entry, &[brain])?;
    tell(&entry)?;
    if fs::metadata(&entry)?.len() > ZIP_LIMIT {
        bail!("{} is larger than {} MB.", entry.display(), ZIP_LIMIT >> 20);
    }
    Ok(())
}

/// Two games of the Windows program against the Linux one, which has been built before.
fn play_under_wine(brain: &Path, dist: &Path) -> Result<()> {
    if Command::new("wine").arg("--version").output().is_err() {
        eprintln!("    wine is not installed: the Windows program is untested");
        return Ok(());
    }
    let folder = brain.parent().context("a file lies in a folder")?;
    fs::write(folder.join("random.c"), RANDOM)?;
    let library = folder.join("bcryptprimitives.dll");
    let (library, source) = (library.to_string_lossy(), folder.join("random.c"));
    let source = source.to_string_lossy();
    step("", COMPILER, &["-shared", "-O1", "-o", &library, &source, "-ladvapi32"])?;
    let data = dist.join("wine-match");
    let _ = fs::remove_dir_all(&data); // the first time there is none
    let player = format!("cmd:wine \"{}\"", brain.display());
    let data = data.to_string_lossy();
    let program = target()?.join("release/tengen");
    step(
        "",
        &program.to_string_lossy(),
        &[
            "match", "engine", &player, "--games", "2", "--nodes", "2000", "--jobs", "1", "--data",
            &data,
        ],
    )
}

pub(crate) fn tell(archive: &Path) -> Result<()> {
    let bytes = fs::metadata(archive)?.len();
    println!("{}: {:.2} MB", archive.display(), bytes as f64 / 1e6);
    Ok(())
}

/// Writes files into a ZIP archive.
fn zip(archive: &Path, files: &[(PathBuf, String)]) -> Result<()> {
    let mut out = Vec::new();
    let mut directory = Vec::new();
    for (path, name) in files {
        let content = fs::read(path).with_context(|| format!("{} is missing", path.display()))?;
        let mut crc = Crc::new();
        crc.update(&content);
        let mut deflate = DeflateEncoder::new(Vec::new(), Compression::best());
        deflate.write_all(&content)?;
        let packed = deflate.finish()?;
        let at = u32::try_from(out.len())?;
        let entry = entry_of(name, crc.sum(), packed.len(), content.len())?;
        out.extend(b"PK\x03\x04");
        out.extend(&entry);
        out.extend(name.as_bytes());
        out.extend(&packed);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&entry);
        // No comment, first disk, no attributes.
        directory.extend([0; 10]);
        directory.extend(at.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let count = u16::try_from(files.len())?.to_le_bytes();
    let (start, length) = (u32::try_from(out.len())?, u32::try_from(directory.len())?);
    out.extend(&directory);
    out.extend(b"PK\x05\x06\x00\x00\x00\x00");
    out.extend([count, count].concat());
    out.extend(length.to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0; 2]);
    fs::write(archive, out).with_context(|| format!("{} cannot be written", archive.display()))
}

/// The part that the two headers of a file share. All files are from the first day of 1980.
fn entry_of(name: &str, crc: u32, packed: usize, content: usize) -> Result<Vec<u8>> {
    let mut entry = Vec::new();
    // Version 2.0, no flags, deflated, midnight, 1 January 1980.
    entry.extend([20, 0, 0, 0, 8, 0, 0, 0, 0x21, 0]);
    entry.extend(crc.to_le_bytes());
    entry.extend(u32::try_from(packed)?.to_le_bytes());
    entry.extend(u32::try_from(content)?.to_le_bytes());
    entry.extend(u16::try_from(name.len())?.to_le_bytes());
    entry.extend([0; 2]);
    Ok(entry)
}
