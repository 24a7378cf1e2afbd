//! The player that opens by a book.

use std::sync::Arc;

use ::book::Booked;
use player::{ParamSpec, ParamValues, Player, PlayerInfo, Registry, Spec, SpecError};

use crate::Outside;

/// The choice that means no book.
pub const NONE: &str = "none";
/// The book that comes with the program.
pub const SHIPPED: &str = "shipped";

/// Adds the player `book(name=shipped, player=engine, variety=0)`, which wins the proved openings, plays
/// from a book while it can and then hands over to one of the players that are there.
pub(crate) fn register(registry: &mut Registry, outside: &Outside, others: Arc<Registry>) {
    let mut books = vec![SHIPPED, NONE];
    books.extend(&outside.books);
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
    let load_book = outside.load_book;
    let build = move |params: &ParamValues| {
        let inner = params.component("player").first().map_or("engine".to_owned(), Spec::to_string);
        let inner = others.build(&inner)?;
        let book = match params.choice("name") {
            NONE => return Ok(inner),
            SHIPPED => ::book::shipped_book(),
            name => Arc::new(load_book(name).map_err(SpecError::Other)?),
        };
        let booked = Booked::new(book, inner, params.integer("variety"));
        let mut winner = solve::BookWinner::default();
        let proved: ::book::ProvedMove = Box::new(move |task, watch| winner.choose(task, watch));
        Ok(Box::new(booked.with_proved(proved)) as Box<dyn Player>)
    };
    registry.add(info, Box::new(build));
}
