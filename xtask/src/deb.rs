//! A package for Debian and its relatives, from what is in the archive.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Context, Result};

use crate::{dist::tell, run::step};

/// Where files of the archive belong.
const PLACES: [(&str, &str); 10] = [
    ("tengen", "usr/bin"),
    ("pbrain-tengen", "usr/bin"),
    ("man", "usr/share/man/man1"),
    ("completions/tengen", "usr/share/bash-completion/completions"),
    ("completions/_tengen", "usr/share/zsh/vendor-completions"),
    ("completions/tengen.fish", "usr/share/fish/vendor_completions.d"),
    ("README.md", "usr/share/doc/tengen"),
    ("CHANGELOG.md", "usr/share/doc/tengen"),
    ("LICENSE-MIT", "usr/share/doc/tengen"),
    ("LICENSE-APACHE", "usr/share/doc/tengen"),
];
const COPYRIGHT: &str = "\
Tengen may be used under the terms of either of two licenses, as you like:
MIT (LICENSE-MIT in this folder) or Apache-2.0 (LICENSE-APACHE in this folder).
";

/// Packs the unpacked archive, where `dpkg-deb` is installed.
pub(crate) fn pack(folder: &Path, archive: &Path) -> Result<()> {
    let Some(architecture) = architecture() else {
        eprintln!("    dpkg-deb is not installed: there is no package for Debian");
        return Ok(());
    };
    let tree = folder.join("deb");
    let _ = fs::remove_dir_all(&tree); // an earlier run may have failed
    for (from, place) in PLACES {
        let (from, place) = (archive.join(from), tree.join(place));
        fs::create_dir_all(&place)?;
        let files = match from.is_dir() {
            true => fs::read_dir(&from)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?,
            false => vec![from],
        };
        for file in files {
            let name = file.file_name().context("a file has a name")?;
            fs::copy(&file, place.join(name))
                .with_context(|| format!("{} cannot be copied", file.display()))?;
        }
    }
    fs::write(tree.join("usr/share/doc/tengen/copyright"), COPYRIGHT)?;
    fs::create_dir_all(tree.join("DEBIAN"))?;
    let version = env!("CARGO_PKG_VERSION");
    let libc = libc_version(&fs::read(archive.join("tengen"))?);
    let control = format!(
        "Package: tengen\nVersion: {version}\nArchitecture: {architecture}\n\
         Maintainer: The maintainers of Tengen\nSection: games\nPriority: optional\n\
         Depends: libc6 (>= 2.{libc}), libgcc-s1\n\
         Description: play, analyze, compare, tune and solve Gomoku\n \
         Tengen is a Gomoku studio, lab, engine, arena and solver in one program.\n \
         Without a command it opens the studio in a browser.\n"
    );
    fs::write(tree.join("DEBIAN/control"), control)?;
    let name = format!("tengen_{version}_{architecture}.deb");
    step(folder, "dpkg-deb", &["--build", "--root-owner-group", "deb", &name])?;
    fs::remove_dir_all(&tree)?;
    tell(&folder.join(name))
}

/// What Debian calls this machine, if it is one of its machines.
fn architecture() -> Option<String> {
    let mut command = Command::new("dpkg");
    let output = command.arg("--print-architecture").stderr(Stdio::null()).output().ok()?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

/// The minor number of the newest version 2 of the C library that a program asks for.
fn libc_version(program: &[u8]) -> u32 {
    let mark = b"GLIBC_2.";
    let after = program.windows(mark.len() + 2).filter_map(|at| at.strip_prefix(mark));
    let numbers = after.filter_map(|digits| {
        let digits: Vec<u8> = digits.iter().copied().take_while(u8::is_ascii_digit).collect();
        String::from_utf8(digits).ok()?.parse().ok()
    });
    numbers.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_newest_version_that_a_program_asks_for() {
        let program = b"..GLIBC_2.2.5\0GLIBC_2.34\0GLIBC_2.9\0GLIBC_2.x..";
        assert_eq!(super::libc_version(program), 34);
    }
}
