//! `tengen book`: positions searched beforehand, kept in a file.

mod build;
mod measure;
mod show;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, Result, bail};
use book::{BookFile, PositionBook, load_book};
use clap::Subcommand;
use gomoku::record;
use serde_json::json;

use crate::{args::GameArgs, show::outln};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Search positions and add them to a book; an interrupted build is resumed
    Build(build::Build),
    /// Show what is known about a position: its moves with games, results, value, proof and name
    Show(show::Show),
    /// Write a book as SGF, RenLib or text (by the ending: .sgf, .lib, .txt)
    Export {
        /// The file to write
        file: PathBuf,
        #[command(flatten)]
        game: GameArgs,
        #[command(flatten)]
        book: BookArg,
    },
    /// Add the text of a book, or games in any known format
    Import {
        /// The files to read
        #[arg(required = true)]
        files: Vec<PathBuf>,
        #[command(flatten)]
        game: GameArgs,
        #[command(flatten)]
        book: BookArg,
    },
    /// Merge several books into one; the order does not matter
    Merge {
        /// The books to read
        #[arg(required = true)]
        books: Vec<String>,
        /// The book to write
        #[arg(long, value_name = "BOOK")]
        out: String,
    },
    /// Print how many entries and games a book has, and its digest
    Digest {
        #[command(flatten)]
        book: BookArg,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Search entries again and compare the results
    Verify(build::Verify),
    /// Compare the thinking time of two players in the first moves of a match
    Time(measure::Time),
}

/// Which book.
#[derive(Debug, clap::Args)]
pub(super) struct BookArg {
    /// The book: a file that ends in .redb, a name in the data folder, or "shipped" for the built-in
    /// one, which also stands in for "main" until there is one
    #[arg(long, default_value = MAIN, value_name = "BOOK")]
    book: String,
}

/// The book that is meant when none is named.
const MAIN: &str = "main";

impl BookArg {
    fn path(&self) -> Result<PathBuf> {
        path_of(&self.book)
    }

    pub(super) fn load(&self) -> Result<Arc<PositionBook>> {
        load(&self.book)
    }
}

/// The file of a book that may be written.
fn path_of(name: &str) -> Result<PathBuf> {
    if name.ends_with(".redb") {
        return Ok(name.into());
    }
    if name == roster::SHIPPED {
        bail!("The built-in book cannot be changed; give your own another name.");
    }
    let folder = crate::book::folder()?;
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("{} cannot be created", folder.display()))?;
    Ok(folder.join(format!("{name}.redb")))
}

fn load(name: &str) -> Result<Arc<PositionBook>> {
    if name == roster::SHIPPED {
        return Ok(book::shipped_book());
    }
    let path = path_of(name)?;
    match path.is_file() {
        true => Ok(Arc::new(load_book(&path)?)),
        false if name == MAIN => Ok(book::shipped_book()),
        false => bail!("There is no book {}; 'tengen book build' makes one.", path.display()),
    }
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.what {
        What::Build(args) => build::build(args),
        What::Show(args) => show::run(args),
        What::Export { file, game, book } => export(file, game, book),
        What::Import { files, game, book } => import(files, game, book),
        What::Merge { books, out } => merge(books, out),
        What::Digest { book, json } => print_digest(book.load()?.as_ref(), *json),
        What::Verify(args) => build::verify(args),
        What::Time(args) => measure::run(args),
    }
}

fn export(file: &Path, game: &GameArgs, book: &BookArg) -> Result<()> {
    let book = book.load()?;
    let ending = file.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    let format = match ending.as_str() {
        "txt" => None,
        "sgf" => Some(record::Format::Sgf),
        "lib" => Some(record::Format::RenLib),
        _ => bail!("A book is written as .sgf, .lib or .txt, not as '{}'.", file.display()),
    };
    let bytes = match format {
        None => book.to_text().into_bytes(),
        Some(format) => record::write(&[book::book_tree(&book, game.rule, game.size)], format)?,
    };
    std::fs::write(file, bytes).with_context(|| format!("Cannot write {}", file.display()))
}

fn import(files: &[PathBuf], game: &GameArgs, book: &BookArg) -> Result<()> {
    let (store, mut all) = BookFile::open_and_read(&book.path()?)?;
    for file in files {
        let shown = file.display();
        let bytes = std::fs::read(file).with_context(|| format!("Cannot read {shown}"))?;
        let text = std::str::from_utf8(&bytes).unwrap_or_default();
        if text.starts_with("# tengen-book") {
            let other =
                PositionBook::parse(text).with_context(|| format!("Cannot read {shown}"))?;
            all.merge(&other);
            continue;
        }
        let name = file.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let hint = record::Hint { name: &name, size: Some(game.size), ..record::Hint::default() };
        let trees = record::read(&bytes, &hint).with_context(|| format!("Cannot read {shown}"))?;
        let lines: usize = trees.iter().map(|tree| tree.leaves().count()).sum();
        let games: Vec<_> = trees.iter().flat_map(|tree| book::games_of(tree, game.rule)).collect();
        let left = lines - games.len();
        if left > 0 {
            eprintln!(
                "{shown}: {left} of {lines} lines were left out: they have no moves, do not begin on \
                 the empty board, or cannot be played."
            );
        }
        all.extend([], games);
    }
    store.save(&all)?;
    print_digest(&all, false)
}

fn merge(books: &[String], out: &str) -> Result<()> {
    let (store, mut all) = BookFile::open_and_read(&path_of(out)?)?;
    for name in books {
        all.merge(load(name)?.as_ref());
    }
    store.save(&all)?;
    print_digest(&all, false)
}

fn print_digest(book: &PositionBook, as_json: bool) -> Result<()> {
    let (entries, games, digest) = (book.len(), book.games().count(), book.digest());
    if as_json {
        let document = json!({"entries": entries, "games": games, "digest": digest});
        outln!("{}", serde_json::to_string_pretty(&document)?);
    } else {
        outln!("{entries} entries, {games} games, digest {digest}");
    }
    Ok(())
}
