//! `tengen book`: positions searched beforehand, kept in a file.

mod build;
mod measure;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use book::{PositionBook, Store, load_book};
use clap::Subcommand;
use gomoku::{Color, record};
use serde_json::json;

use crate::{args::GameArgs, show::outln};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Search positions and put them into a book; goes on where it was when it was killed
    Build(build::Build),
    /// Say what a book knows of a position
    Show {
        /// The position
        #[arg(default_value = "")]
        position: String,
        #[command(flatten)]
        game: GameArgs,
        #[command(flatten)]
        book: BookFile,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Write a book as SGF, RenLib or text (by the ending: .sgf, .lib, .txt)
    Export {
        /// The file to write
        file: PathBuf,
        #[command(flatten)]
        game: GameArgs,
        #[command(flatten)]
        book: BookFile,
    },
    /// Take in the text of a book, or games of any known format
    Import {
        /// The files to read
        #[arg(required = true)]
        files: Vec<PathBuf>,
        #[command(flatten)]
        game: GameArgs,
        #[command(flatten)]
        book: BookFile,
    },
    /// Put several books into one; the order does not matter
    Merge {
        /// The books to read
        #[arg(required = true)]
        books: Vec<String>,
        /// The book to write
        #[arg(long, value_name = "BOOK")]
        out: String,
    },
    /// Say how many entries and games a book has, and its digest
    Digest {
        #[command(flatten)]
        book: BookFile,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Search entries again and compare
    Verify(build::Verify),
    /// Compare the thinking time of two players in the first moves of a match
    Time(measure::Time),
}

/// Which book.
#[derive(Debug, clap::Args)]
struct BookFile {
    /// The book: a file that ends in .redb, or a name in the data folder
    #[arg(long, default_value = "main", value_name = "BOOK")]
    book: String,
}

impl BookFile {
    fn path(&self) -> Result<PathBuf> {
        path_of(&self.book)
    }

    fn load(&self) -> Result<PositionBook> {
        load(&self.path()?)
    }
}

fn path_of(name: &str) -> Result<PathBuf> {
    if name.ends_with(".redb") {
        return Ok(name.into());
    }
    let folder = crate::book::folder()?;
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("{} cannot be made", folder.display()))?;
    Ok(folder.join(format!("{name}.redb")))
}

fn load(path: &Path) -> Result<PositionBook> {
    if !path.is_file() {
        bail!("There is no book {}; 'tengen book build' makes one.", path.display());
    }
    Ok(load_book(path)?)
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.what {
        What::Build(args) => build::build(args),
        What::Show { position, game, book, json } => show(position, game, book, *json),
        What::Export { file, game, book } => export(file, game, book),
        What::Import { files, game, book } => import(files, game, book),
        What::Merge { books, out } => merge(books, out),
        What::Digest { book, json } => print_digest(&book.load()?, *json),
        What::Verify(args) => build::verify(args),
        What::Time(args) => measure::run(args),
    }
}

fn show(position: &str, game: &GameArgs, book: &BookFile, as_json: bool) -> Result<()> {
    let position = game.position(position)?;
    let Some(look) = book.load()?.look(&position) else {
        bail!("The book knows nothing of this position.");
    };
    let results = |r: &book::Results| json!({"games": r.games(), "black": r.black, "draws": r.draws, "white": r.white});
    if as_json {
        let moves: Vec<_> = look
            .moves
            .iter()
            .map(|m| {
                json!({"move": m.point.to_string(), "value": m.value.map(|v| v.value()),
                       "shown": m.value.map(|v| v.to_string()), "results": results(&m.results),
                       "depth": m.entry.as_ref().map(|e| e.depth),
                       "nodes": m.entry.as_ref().map(|e| e.nodes),
                       "decided": m.entry.as_ref().map(|e| e.decided.name()),
                       "proved": m.is_proved(), "name": m.name})
            })
            .collect();
        let document = json!({"name": look.name, "value": look.value.map(|v| v.value()),
            "results": results(&look.results), "moves": moves,
            "depth": look.entry.as_ref().map(|e| e.depth),
            "nodes": look.entry.as_ref().map(|e| e.nodes),
            "decided": look.entry.as_ref().map(|e| e.decided.name())});
        outln!("{}", serde_json::to_string_pretty(&document)?);
        return Ok(());
    }
    let side = if position.to_move() == Color::Black { "Black" } else { "White" };
    let name = look.name.unwrap_or("no name");
    let value = look.value.map_or("not searched".to_owned(), |value| value.to_string());
    outln!("{name}, {side} to move: {value}; {} games", look.results.games());
    if let Some(entry) = &look.entry {
        outln!(
            "{} at depth {}, {} nodes, by {}",
            entry.decided,
            entry.depth,
            entry.nodes,
            entry.by
        );
    }
    outln!("move    value  depth  decided   games  black  draws  white  name");
    for m in &look.moves {
        let (depth, decided) = match &m.entry {
            Some(entry) => (entry.depth.to_string(), entry.decided.name()),
            None => ("-".to_owned(), "-"),
        };
        let value = m.value.map_or("-".to_owned(), |value| value.to_string());
        let (r, name) = (&m.results, m.name.unwrap_or_default());
        outln!(
            "{:<5} {value:>7}  {depth:>5}  {decided:<8} {:>6} {:>6} {:>6} {:>6}  {name}",
            m.point.to_string(),
            r.games(),
            r.black,
            r.draws,
            r.white
        );
    }
    Ok(())
}

fn export(file: &Path, game: &GameArgs, book: &BookFile) -> Result<()> {
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

fn import(files: &[PathBuf], game: &GameArgs, book: &BookFile) -> Result<()> {
    let store = Store::open(&book.path()?)?;
    let mut all = store.book()?;
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
        all.extend([], trees.iter().flat_map(|tree| book::games_of(tree, game.rule)));
    }
    store.save(&all)?;
    print_digest(&all, false)
}

fn merge(books: &[String], out: &str) -> Result<()> {
    let store = Store::open(&path_of(out)?)?;
    let mut all = store.book()?;
    for name in books {
        all.merge(&load(&path_of(name)?)?);
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
