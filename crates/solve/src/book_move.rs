//! Playing by the proved openings that come with the program.

use gomoku::{Board, Color, Point, Position, Rule};
use player::{Candidate, Choice, Counters, Goal, Limits, Reason, Task, Watch};

use crate::{
    lookup::{Known, Lookup},
    solver::{Kind, Solver, Win, solve_position},
    tree::{Attack, Defense, Root, WinTree},
};

/// Nodes to find a win that the book calls forced: what sufficed when the book was proved.
const FORCED_NODES: u64 = 520_000;
/// Megabytes of the table for it.
const MEGABYTES: usize = 16;

/// Wins the proved openings: quiet moves are looked up, and where the book calls the rest forced, the
/// win is found once and then followed, reply by reply, without a search.
#[derive(Debug, Default)]
pub struct BookWinner {
    followed: Option<Followed>,
}

/// A win in the middle of being played: the board after the attacker's move, and the answers to all
/// replies.
#[derive(Debug)]
struct Followed {
    rule: Rule,
    board: Board,
    attacker: Color,
    answers: Defense,
}

impl BookWinner {
    /// The winning move, if there is one that the task allows.
    pub fn choose(&mut self, task: &Task, watch: &dyn Watch) -> Option<Choice> {
        let followed = self.followed.take();
        if task.goal != Goal::Best || task.multi_pv > 1 || task.trace {
            return None;
        }
        if let Some(win) = followed.and_then(|followed| followed.answer(&task.position)) {
            return self.follow(task, win, 0, watch);
        }
        let known = Lookup::shipped(&task.position)?.get(&task.position)?;
        match known.point {
            Some(point) => task.allows(point).then(|| quiet(point, known.plies, watch)),
            None => {
                let (win, nodes) = forced(task, known, watch)?;
                self.follow(task, win, nodes, watch)
            }
        }
    }

    /// Plays the first move of a win, with its proof, and keeps the rest.
    fn follow(&mut self, task: &Task, win: Win, nodes: u64, watch: &dyn Watch) -> Option<Choice> {
        let counters = Counters { nodes, time: watch.elapsed(), ..Counters::default() };
        let choice = win.choice(counters, watch)?;
        choice.point().filter(|&point| task.allows(point))?;
        let WinTree { rule, mut board, attacker, root } = win.tree;
        if let Root::Attack(Attack::Move(point, answers)) = root {
            board.place(point, attacker);
            self.followed = Some(Followed { rule, board, attacker, answers: *answers });
        }
        Some(choice)
    }
}

impl Followed {
    /// The rest of the win, if this position is one reply further.
    fn answer(mut self, position: &Position) -> Option<Win> {
        let is_same_game = (position.rule(), position.size()) == (self.rule, self.board.size());
        let defender = !self.attacker;
        let new = *position.board().stones(defender) - *self.board.stones(defender);
        let reply = new.first().filter(|_| is_same_game && new.len() == 1)?;
        self.board.place(reply, defender);
        if self.board != *position.board() {
            return None;
        }
        let root = Root::Attack(self.answers.answer(reply)?.clone());
        let Followed { rule, board, attacker, .. } = self;
        Some(WinTree { rule, board, attacker, root }.into())
    }
}

/// A quiet move: its proof is too long to be handed over with every move, so there is no score of a
/// win, but anyone can make it again from the book.
fn quiet(point: Point, plies: u32, watch: &dyn Watch) -> Choice {
    let counters = Counters { time: watch.elapsed(), ..Counters::default() };
    let candidate = Candidate { line: vec![point], ..Candidate::new(point) };
    Choice {
        counters,
        candidates: vec![candidate],
        ..Choice::of(point, Reason::Book(format!("proved win, at most {plies} plies")))
    }
}

/// A win by fours and threats, no longer than the book says if there is time to find one, and the
/// nodes that it took.
fn forced(task: &Task, known: Known, watch: &dyn Watch) -> Option<(Win, u64)> {
    let most = task.limits.nodes.unwrap_or(FORCED_NODES).min(FORCED_NODES);
    let limits = Limits { nodes: Some(most), ..task.limits };
    let answer = solve_position(&task.position, None, MEGABYTES, &limits, watch);
    let win = answer.win()?;
    if win.plies <= known.plies {
        return Some((win.clone(), answer.nodes));
    }
    let limits = Limits { nodes: Some(most.saturating_sub(answer.nodes)), ..limits };
    let side = task.position.to_move();
    let shorter =
        Solver::new(MEGABYTES).shortest(&task.position, side, Kind::Vct, &limits, watch).answer;
    let nodes = answer.nodes + shorter.nodes;
    let best = shorter.win().filter(|shorter| shorter.plies < win.plies).unwrap_or(win);
    Some((best.clone(), nodes))
}
