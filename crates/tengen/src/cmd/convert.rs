//! `tengen convert`: records from one format or character set to another.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use gomoku::{
    Rule,
    record::{self, Encoding, Format, Hint, RecordError, Tree},
};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The files to read, and last the file to write, a folder, or - for standard output
    #[arg(required = true, num_args = 2.., value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Format of the files to read, if it is not found out
    #[arg(long, value_name = "FORMAT", value_parser = parse_format)]
    from: Option<Format>,
    /// Format to write (default: by the ending of the file): sgf, psq, rec, pos, pos-from-top,
    /// offsets, lib, pos-bytes, sav or gomocalc
    #[arg(long, value_name = "FORMAT", value_parser = parse_format)]
    to: Option<Format>,
    /// Character set of the files to read, such as GBK, if it is not found out
    #[arg(long, value_name = "SET", value_parser = parse_encoding)]
    from_encoding: Option<Encoding>,
    /// Character set to write (default: UTF-8 in SGF, which says so; in other formats the one of the
    /// file that was read)
    #[arg(long, value_name = "SET", value_parser = parse_encoding)]
    to_encoding: Option<Encoding>,
    /// Board size of files that do not say
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(5..=22))]
    size: Option<u8>,
    /// Rule of files that do not say
    #[arg(long, value_name = "RULE")]
    rule: Option<Rule>,
}

fn parse_format(name: &str) -> Result<Format> {
    let known = || Format::ALL.map(Format::name).join(", ");
    Format::from_name(name).with_context(|| format!("known are {}", known()))
}

fn parse_encoding(name: &str) -> Result<Encoding> {
    Encoding::from_name(name).context("expected a character set such as UTF-8, GBK or Shift_JIS")
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let (out, files) = args.files.split_last().context("There is nothing to convert.")?;
    let is_folder = out.is_dir() || out.to_string_lossy().ends_with(['/', '\\']);
    let format = format_of(args, out)?;
    let mut all = Vec::new();
    for file in files {
        let trees = read(args, file)?;
        if is_folder {
            write_into(args, out, file, &trees, format)?;
        } else {
            all.extend(trees);
        }
    }
    match is_folder {
        true => Ok(()),
        false => write(args, out, &all, format),
    }
}

/// The format that was named, or the one of the file's ending.
fn format_of(args: &Args, out: &Path) -> Result<Format> {
    if let Some(format) = args.to {
        return Ok(format);
    }
    let ending = out.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let format = Format::ALL.into_iter().find(|format| format.extension() == ending);
    format.with_context(|| {
        format!("The format of {} is not known; name it with --to.", out.display())
    })
}

fn read(args: &Args, file: &Path) -> Result<Vec<Tree>> {
    let shown = file.display();
    let bytes = fs::read(file).with_context(|| format!("Cannot read {shown}"))?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let (format, encoding) = (args.from, args.from_encoding);
    let hint = Hint { format, name: &name, size: args.size, rule: args.rule, encoding };
    let reading = record::salvage(&bytes, &hint);
    for note in &reading.notes {
        eprintln!("{shown}: {note}");
    }
    match reading.error {
        Some(error) => Err(error).with_context(|| format!("Cannot read {shown}")),
        None if reading.trees.is_empty() => bail!("There is no game in {shown}."),
        None => Ok(reading.trees),
    }
}

/// Writes the games of a file into a folder, each into a file of its own if the format asks for it.
fn write_into(
    args: &Args,
    folder: &Path,
    file: &Path,
    trees: &[Tree],
    format: Format,
) -> Result<()> {
    fs::create_dir_all(folder)
        .with_context(|| format!("The folder {} cannot be created", folder.display()))?;
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let ending = format.extension();
    if format.holds_many() || trees.len() == 1 {
        return write(args, &folder.join(format!("{stem}.{ending}")), trees, format);
    }
    for (tree, number) in trees.iter().zip(1..) {
        let path = folder.join(format!("{stem}-{number}.{ending}"));
        write(args, &path, std::slice::from_ref(tree), format)?;
    }
    Ok(())
}

fn write(args: &Args, out: &Path, trees: &[Tree], format: Format) -> Result<()> {
    let shown = out.display();
    if trees.len() > 1 && !format.holds_many() {
        let count = trees.len();
        bail!(
            "A file of {format} holds one game, and there are {count}: name a folder to write to."
        );
    }
    for note in record::losses(trees, format) {
        eprintln!("{shown}: {note}");
    }
    let bytes = match args.to_encoding {
        Some(encoding) => record::write_in(trees, format, encoding),
        None => in_own(trees, format, |note| eprintln!("{shown}: {note}")),
    };
    let bytes = bytes.with_context(|| format!("Cannot write {shown}"))?;
    if out == Path::new("-") {
        return std::io::stdout().lock().write_all(&bytes).context("Cannot write the games");
    }
    fs::write(out, bytes).with_context(|| format!("Cannot write {shown}"))
}

/// The games in the character set that readers of the format expect, or else in UTF-8, which is told.
fn in_own(
    trees: &[Tree],
    format: Format,
    tell: impl FnOnce(String),
) -> Result<Vec<u8>, RecordError> {
    let own = match format {
        Format::Sgf => Encoding::UTF_8,
        _ => trees.first().map(Tree::encoding).unwrap_or_default(),
    };
    record::write_in(trees, format, own).or_else(|error| {
        let bytes = record::write_in(trees, format, Encoding::UTF_8).map_err(|_| error.clone())?;
        tell(format!("It is written in UTF-8: {error}"));
        Ok(bytes)
    })
}
