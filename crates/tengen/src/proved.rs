//! A player that plays the proved openings to their end and lets another think everywhere else.

use std::sync::LazyLock;

use gomoku::{Point, Position};
use player::{Candidate, Choice, Counters, Explanation, Goal, Limits, Player, Reason, Task, Watch};
use solve::{Book, Lookup};

/// The openings that come with the program.
static FAR: LazyLock<Lookup> = LazyLock::new(|| Lookup::new(Book::far()));

/// Nodes to find a win that the book calls forced: what sufficed when the book was proved.
const FORCED_NODES: u64 = 520_000;
/// Megabytes of the table for it.
const MEGABYTES: usize = 16;

/// Plays a proved win where the book has one and hands everything else to another player.
pub(crate) struct Proved {
    inner: Box<dyn Player>,
}

impl Proved {
    pub(crate) fn new(inner: Box<dyn Player>) -> Proved {
        Proved { inner }
    }
}

/// The choice of the proved book, if it has one that the task allows.
fn choice(task: &Task, watch: &dyn Watch) -> Option<Choice> {
    let wants_one_move = task.goal == Goal::Best && task.multi_pv <= 1 && !task.trace;
    let known = FAR.get(&task.position).filter(|_| wants_one_move)?;
    let choice = match known.point {
        Some(point) => quiet(point, watch),
        None => forced(task, watch)?,
    };
    choice.point().is_some_and(|point| task.allows(point)).then_some(choice)
}

/// A quiet move: its proof is too long to be handed over with every move, but anyone can make it
/// again from the book. The book's length is not told: it does not come from a certificate.
fn quiet(point: Point, watch: &dyn Watch) -> Choice {
    let counters = Counters { time: watch.elapsed(), ..Counters::default() };
    let candidate = Candidate { line: vec![point], ..Candidate::new(point) };
    Choice {
        counters,
        candidates: vec![candidate],
        ..Choice::of(point, Reason::Book("proved win".to_owned()))
    }
}

/// The first move of a win by fours and threats, with its proof.
fn forced(task: &Task, watch: &dyn Watch) -> Option<Choice> {
    let nodes = task.limits.nodes.unwrap_or(FORCED_NODES).min(FORCED_NODES);
    let limits = Limits { nodes: Some(nodes), ..task.limits };
    let answer = solve::solve_position(&task.position, None, MEGABYTES, &limits, watch);
    let counters = Counters { nodes: answer.nodes, time: watch.elapsed(), ..Counters::default() };
    answer.win()?.choice(counters, watch)
}

impl Player for Proved {
    fn new_game(&mut self, seed: u64) {
        self.inner.new_game(seed);
    }

    fn choose(&mut self, task: &Task, watch: &dyn Watch) -> Choice {
        choice(task, watch).unwrap_or_else(|| self.inner.choose(task, watch))
    }

    fn explain(&mut self, position: &Position) -> Explanation {
        self.inner.explain(position)
    }
}

#[cfg(test)]
mod tests {
    use gomoku::{Rule, Symmetry};
    use player::Unwatched;

    use super::*;
    use crate::players::registry;

    fn ask(player: &str, position: &Position) -> Choice {
        let mut player = registry().build(player).expect("a player");
        player.choose(&Task::new(position.clone(), Limits::nodes(50_000)), &Unwatched)
    }

    #[test]
    fn proved_openings_are_won_by_the_book() {
        let book = Book::far();
        let opening = &book.openings[0];
        for symmetry in Symmetry::all() {
            let start = opening.start(&book).transformed(symmetry);
            let choice = ask("book", &start);
            let mut after = start.clone();
            after.play(choice.point().expect("a move")).expect("a legal move");
            let mut expected = opening.start(&book);
            expected.play(opening.point).expect("the book's move is legal");
            assert_eq!(after.board().canonical().0, expected.board().canonical().0);
            assert_eq!(choice.reason.to_string(), "book: proved win");
        }
    }

    #[test]
    fn without_the_book_and_elsewhere_the_player_thinks() {
        let book = Book::far();
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
        let book = Book::far();
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
