//! A player put together from a search, an evaluation and candidates.

use std::time::Duration;

use gomoku::{Color, Point, Position, Rule};
use player::{Candidate, Choice, Explanation, Player, PlayerReply, Reason, Task, Term, Watch};

use crate::{
    book::LineBook,
    eval::Evaluation,
    moves::Candidates,
    search::{Control, Found, Order, Search, candidates, to_score},
    state::State,
    tree::Play,
};

/// What a composed player does besides searching.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlayOptions {
    /// Plies, unless the task says otherwise.
    pub depth: u32,
    /// Time for a move when the task sets no limit at all.
    pub time: Option<Duration>,
    /// Which moves are played before any search.
    pub forced: Forced,
    /// See [`Play::has_end`].
    pub has_end: bool,
}

/// Moves that need no search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Forced {
    /// All are searched.
    #[default]
    Off,
    /// A move that wins at once is played.
    Win,
    /// Also one that stops the opponent from winning at once (Figueira).
    Both,
}

/// A search, an evaluation and candidates working together.
#[derive(Debug)]
pub struct Composed {
    search: Box<dyn Search>,
    play: Play,
    options: PlayOptions,
    book: Option<LineBook>,
    seed: u64,
    /// What is remembered is of this kind of game.
    game: Option<(Rule, u8)>,
}

impl Composed {
    /// Puts a player together.
    pub fn new(
        search: Box<dyn Search>,
        eval: Box<dyn Evaluation>,
        candidates: Candidates,
        options: PlayOptions,
    ) -> Composed {
        let state = State::new(&Position::new(Rule::Freestyle, 15));
        let has_end = options.has_end;
        let play = Play { state, eval, candidates, me: Color::Black, has_end };
        Composed { search, play, options, book: None, seed: 0, game: None }
    }

    /// The same player with an opening book.
    pub fn with_book(mut self, book: Option<LineBook>) -> Composed {
        self.book = book;
        self
    }

    /// Root moves in the order of the candidates, as far as the task allows them.
    fn root_moves(&mut self, task: &Task) -> (Vec<Point>, bool) {
        let mut moves = self.play.list();
        let n_candidates = moves.len();
        moves.retain(|&point| task.allows(point));
        if !task.only.is_empty() {
            let others = task.only.iter().filter(|&&point| task.allows(point));
            let missing: Vec<Point> =
                others.filter(|point| !moves.contains(point)).copied().collect();
            moves.extend(missing);
        }
        if moves.is_empty() {
            let center = Point::center(task.position.size());
            moves.extend(task.position.legal_points().iter().filter(|&point| task.allows(point)));
            moves.sort_by_key(|point| point.distance(center));
        }
        let is_free = task.only.is_empty() && task.exclude.is_empty();
        let is_whole = moves.len() == n_candidates && is_free;
        (moves, is_whole)
    }

    /// A move that wins at once, or else one that stops the opponent from winning at once.
    fn forced(&mut self, task: &Task, moves: &[Point]) -> Option<(Point, Reason)> {
        let state = &self.play.state;
        let allowed = || task.position.board().empty().into_iter().filter(|&p| task.allows(p));
        let (me, board) = (state.to_move(), task.position.board());
        let makes_five = |point: Point, color| board.is_five(task.position.rule(), point, color);
        if let Some(win) = allowed().find(|&point| makes_five(point, me)) {
            return Some((win, Reason::Win));
        }
        if self.options.forced == Forced::Win {
            return None;
        }
        let mut blocks = allowed().filter(|&point| makes_five(point, !me));
        let block = blocks.next()?;
        // Of several points to block, the one that the candidates prefer.
        let preferred = moves.iter().copied().find(|&point| makes_five(point, !me));
        Some((preferred.unwrap_or(block), Reason::Block))
    }

    fn finish(&self, found: Found, control: &Control<'_>) -> Choice {
        let scale = self.play.eval.scale();
        let candidates = candidates(&found, &self.play, scale);
        let best = found.moves.first();
        let point = best.map(|best| best.point);
        let score = best.and_then(|best| best.value).map(|value| to_score(value, scale));
        let wins = point.is_some_and(|point| self.play.state.wins(point));
        let reason = found.reason.unwrap_or(if wins { Reason::Win } else { Reason::Search });
        Choice {
            reply: point.map_or(PlayerReply::Resign, PlayerReply::Move),
            score,
            reason,
            candidates,
            depth: found.depth,
            counters: control.spent(),
            iterations: found.iterations,
            proof: None,
            trace: found.trace,
        }
    }

    fn at_once(&self, point: Point, reason: Reason, control: &Control<'_>) -> Choice {
        let mut candidate = Candidate::new(point);
        candidate.probability = self.play.candidates.probability(point);
        Choice {
            candidates: vec![candidate],
            counters: control.spent(),
            ..Choice::of(point, reason)
        }
    }

    /// Trees deeper than this are not recorded.
    const MAX_TRACE_DEPTH: u32 = 4;
}

impl Player for Composed {
    fn new_game(&mut self, seed: u64) {
        self.seed = seed;
        self.search.forget(seed);
        self.game = None;
    }

    fn choose(&mut self, task: &Task, watch: &dyn Watch) -> Choice {
        let mut control = Control::new(&task.limits, self.options.time, watch);
        let game = (task.position.rule(), task.position.size());
        if self.game.replace(game).is_some_and(|before| before != game) {
            self.search.forget(self.seed);
        }
        self.play.start(State::new(&task.position));
        if let player::Goal::Balance { stones, bias } = task.goal {
            return crate::balance::choose(&mut self.play, task, stones, bias, &mut control);
        }
        let center = Point::center(task.position.size());
        if task.position.board().is_empty() && task.allows(center) {
            return self.at_once(center, Reason::Opening, &control);
        }
        let (moves, is_whole) = self.root_moves(task);
        control.evaluations(self.play.candidates.evaluations());
        if let Some(book) = &self.book
            && let Some((point, name)) = book.look_up(&task.position, self.seed)
            && task.allows(point)
        {
            return self.at_once(point, Reason::Book(name), &control);
        }
        if self.options.forced != Forced::Off
            && let Some((point, reason)) = self.forced(task, &moves)
        {
            return self.at_once(point, reason, &control);
        }
        if let [only] = moves[..]
            && !task.trace
        {
            return self.at_once(only, Reason::Only, &control);
        }
        let depth = task.limits.depth.unwrap_or(self.options.depth).max(1);
        let order = Order {
            moves,
            is_whole,
            depth: depth.min(task.position.board().empty().len() as u32),
            multi_pv: task.multi_pv.max(1),
            may_stop: control.is_limited(),
            trace: task.trace && depth <= Composed::MAX_TRACE_DEPTH,
        };
        let found = self.search.search(&mut self.play, &order, &mut control);
        self.finish(found, &control)
    }

    fn explain(&mut self, position: &Position) -> Explanation {
        self.play.start(State::new(position));
        let play = &mut self.play;
        let me = play.me;
        let moves = play.list();
        let scale = play.eval.scale();
        let value = to_score(play.eval.value(&play.state, me), scale);
        let terms: Vec<Term> = play.eval.terms(&play.state, me);
        let mut points = play.candidates.points(&play.state);
        if points.is_empty() {
            points = play.eval.points(&play.state);
        }
        let candidates = moves
            .into_iter()
            .map(|point| Candidate {
                probability: play.candidates.probability(point),
                ..Candidate::new(point)
            })
            .collect();
        Explanation {
            value: (!terms.is_empty()).then_some(value),
            terms,
            points,
            candidates,
            lines: play.candidates.lines(&play.state),
            ..Explanation::default()
        }
    }
}
