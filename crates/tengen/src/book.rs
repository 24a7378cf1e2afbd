//! The books of the data folder, and the player that opens by one of them.

use std::{
    path::PathBuf,
    sync::{Arc, LazyLock},
};

use ::book::Booked;
use anyhow::Result;
use player::{ParamSpec, PlayerInfo, Registry, Spec, SpecError};

use crate::{data, proved::Proved};

/// The choice that means no book.
const NONE: &str = "none";

/// The book that comes with the program.
pub(crate) const SHIPPED: &str = "shipped";

/// Where books are kept.
pub(crate) fn folder() -> Result<PathBuf> {
    Ok(data::folder(None)?.join("books"))
}

/// The names of the books in the folder, in order. They live as long as the program, as the
/// parameters of players do.
fn names() -> Vec<&'static str> {
    static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
        let Some(files) = folder().ok().and_then(|folder| std::fs::read_dir(folder).ok()) else {
            return Vec::new();
        };
        let mut names: Vec<String> = files
            .filter_map(|file| Some(file.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|ending| ending == "redb"))
            .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
            .filter(|name| name != NONE && name != SHIPPED)
            .collect();
        names.sort();
        names
    });
    NAMES.iter().map(String::as_str).collect()
}

/// Adds the player `book(name=shipped, player=engine, variety=0)`, which wins the proved openings, plays
/// from a book while it can and then hands over to one of the players that are there.
pub(crate) fn register(registry: &mut Registry, others: Arc<Registry>) {
    let mut books = vec![SHIPPED, NONE];
    books.extend(names());
    let players: Vec<&'static str> = others.players().map(|info| info.name).collect();
    let info = PlayerInfo {
        name: "book",
        summary: "Wins the proved openings, opens by a book of positions searched before, then lets \
                  another player think.",
        source: "",
        params: vec![
            ParamSpec::choice(
                "name",
                &books,
                "the book: the shipped one, or one of those in the data folder",
            ),
            ParamSpec::component(
                "player",
                "engine",
                "player",
                &players,
                "who plays after the book",
            ),
            ParamSpec::integer(
                "variety",
                0,
                0,
                1000,
                "how much a move may lose against the best one and still be chosen",
            ),
        ],
        tables: Vec::new(),
    };
    let build = move |params: &player::Params| {
        let inner = params.component("player").first().map_or("engine".to_owned(), Spec::to_string);
        let inner = others.build(&inner)?;
        let name = params.choice("name");
        if name == NONE {
            return Ok(inner);
        }
        let book = match name {
            SHIPPED => ::book::shipped_book(),
            name => {
                let folder = folder().map_err(|error| SpecError::Other(format!("{error:#}")))?;
                let book = ::book::load_book(&folder.join(format!("{name}.redb")));
                Arc::new(book.map_err(|error| SpecError::Other(error.to_string()))?)
            }
        };
        let booked = Booked::new(book, inner, params.integer("variety"));
        Ok(Box::new(Proved::new(Box::new(booked))) as Box<dyn player::Player>)
    };
    registry.add(info, Box::new(build));
}
