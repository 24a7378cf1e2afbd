//! The books of the data folder, and the player that opens by one of them.

use std::{
    path::PathBuf,
    sync::{Arc, LazyLock},
};

use ::book::Booked;
use anyhow::Result;
use player::{ParamSpec, PlayerInfo, Registry, Spec, SpecError};

use crate::data;

/// The choice that means no book.
const NONE: &str = "none";

/// The book that comes with the program.
pub(crate) const SHIPPED: &str = "shipped";

/// Where books are kept.
pub(crate) fn folder() -> Result<PathBuf> {
    Ok(data::folder()?.join("books"))
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
                "the book: the built-in one, or one in the data folder",
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
    let build = move |params: &player::ParamValues| {
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
        Ok(Box::new(booked.with_proved(solve::choice_by_book)) as Box<dyn player::Player>)
    };
    registry.add(info, Box::new(build));
}

#[cfg(test)]
mod tests {
    use gomoku::{Position, Rule, Symmetry};
    use player::{Choice, Limits, Reason, Task, Unwatched};
    use solve::{Lookup, ProvedBook};

    use crate::players::registry;

    fn ask(player: &str, position: &Position) -> Choice {
        let mut player = registry().build(player).expect("a player");
        player.choose(&Task::new(position.clone(), Limits::nodes(50_000)), &Unwatched)
    }

    #[test]
    fn proved_openings_are_won_by_the_book() {
        let book = ProvedBook::shipped();
        let opening = &book.openings[0];
        for symmetry in Symmetry::all() {
            let start = opening.start(&book).transformed(symmetry);
            let choice = ask("book", &start);
            assert_eq!(ask("engine", &start).point(), choice.point(), "the engine knows it too");
            let mut after = start.clone();
            after.play(choice.point().expect("a move")).expect("a legal move");
            let mut expected = opening.start(&book);
            expected.play(opening.point).expect("the book's move is legal");
            assert_eq!(after.board().canonical().0, expected.board().canonical().0);
            let said = format!("book: proved win, at most {} plies", opening.plies);
            assert_eq!(choice.reason.to_string(), said);
        }
    }

    #[test]
    fn without_the_book_and_elsewhere_the_player_thinks() {
        let book = ProvedBook::shipped();
        let start = book.openings[0].start(&book);
        assert!(!matches!(ask("book(name=none,player=greedy)", &start).reason, Reason::Book(_)));
        let moves = start.moves();
        let other = Position::from_moves(Rule::Standard, 15, moves).expect("the same moves");
        let said = ask("book(player=greedy)", &other).reason.to_string();
        assert!(!said.contains("proved"), "{said}");
        let mut task = Task::new(start.clone(), Limits::nodes(1_000));
        task.exclude = vec![book.openings[0].point];
        let mut player = registry().build("book(player=greedy)").expect("a player");
        assert_ne!(player.choose(&task, &Unwatched).point(), Some(book.openings[0].point));
    }

    #[test]
    fn a_forced_reply_of_the_book_comes_with_its_proof() {
        let book = ProvedBook::shipped();
        let lookup = Lookup::new(book.clone());
        let mut position = book.openings[0].start(&book);
        // Follows the book, White playing the first point that is free.
        let choice = loop {
            let choice = ask("book(player=greedy)", &position);
            if lookup.get(&position).is_some_and(|known| known.point.is_none()) {
                break choice;
            }
            position.play(choice.point().expect("a move")).expect("a legal move");
            let reply = position.board().empty().first().expect("the board is not full");
            position.play(reply).expect("a free point");
        };
        let proof = choice.proof.expect("a proof");
        verify::check(&proof.bytes).unwrap_or_else(|fault| panic!("{fault}"));
    }
}
