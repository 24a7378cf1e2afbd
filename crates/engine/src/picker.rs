//! Hands out the moves of a node, the most promising first, doing no work before it is needed.

use gomoku::{Color, Point, PointSet, Rules, Threat};

use crate::{
    history::Before,
    moves::{self, Danger},
    params::Step,
    search::Worker,
};

/// A move and how promising it looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub(crate) point: Point,
    /// What the move looks like without knowing the game, by the evaluation's tables.
    pub(crate) policy: i32,
    /// The policy with what the histories say.
    score: i32,
}

impl Move {
    pub(crate) fn new(point: Point, policy: i32) -> Move {
        Move { point, policy, score: policy }
    }
}

/// Where the picker is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Table,
    Generate,
    Rest,
    /// All candidates are forbidden to Black: anything else on the board.
    Anywhere,
    Done,
}

/// The moves of one node. They live in the worker's list, from `start` on.
#[derive(Debug)]
pub(crate) struct Picker {
    stage: Stage,
    table_move: Option<Point>,
    danger: Danger,
    before: Before,
    start: usize,
    next: usize,
    is_any_given: bool,
    fours_only: bool,
}

impl Picker {
    /// The moves of the node the worker stands on.
    pub(crate) fn new<R: Rules>(
        worker: &Worker<'_, R>,
        table_move: Option<Point>,
        danger: Danger,
    ) -> Picker {
        let field = &worker.field;
        let table_move = table_move.filter(|&point| field.board().is_empty_at(point));
        Picker {
            stage: Stage::Table,
            table_move,
            danger,
            before: [field.last_move(0), field.last_move(1)],
            start: worker.moves.len(),
            next: worker.moves.len(),
            is_any_given: false,
            fours_only: false,
        }
    }

    /// The moves of the root, in the order they have there.
    pub(crate) fn of_root<R: Rules>(worker: &mut Worker<'_, R>) -> Picker {
        let mut picker = Picker::new(worker, None, Danger::None);
        let (roots, from) = (&worker.root_moves, worker.pv_index);
        let points = roots.iter().map(|root| root.point).collect();
        worker.judge.look_at(&worker.field, &points);
        for (i, root) in roots[from..].iter().enumerate() {
            let policy = worker.judge.policy(&worker.field, root.point);
            worker.moves.push(Move { point: root.point, policy, score: -(i as i32) });
        }
        picker.is_any_given = true;
        picker.stage = Stage::Rest;
        picker
    }

    /// The moves that came before this node.
    pub(crate) fn before(&self) -> Before {
        self.before
    }

    /// The next move that is not forbidden.
    pub(crate) fn next<R: Rules>(
        &mut self,
        worker: &mut Worker<'_, R>,
        ply: usize,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::Generate;
                    if let Some(point) = self.table_move.filter(|&p| worker.is_allowed(p)) {
                        self.is_any_given = true;
                        let policy = worker.judge.policy_alone(&worker.field, point);
                        return Some(Move::new(point, policy));
                    }
                }
                Stage::Generate => {
                    self.generate(worker, ply);
                    self.stage = Stage::Rest;
                }
                Stage::Rest => {
                    while let Some(found) = self.take_best(worker) {
                        if worker.is_allowed(found.point) {
                            self.is_any_given = true;
                            return Some(found);
                        }
                    }
                    let is_stuck = !self.is_any_given && self.danger == Danger::None;
                    self.stage = if is_stuck { Stage::Anywhere } else { Stage::Done };
                }
                Stage::Anywhere => {
                    let empty = worker.field.board().empty();
                    self.is_any_given = true;
                    self.fill(worker, ply, empty);
                    self.stage = Stage::Rest;
                }
                Stage::Done => return None,
            }
        }
    }

    /// From now on hands out nothing but fours.
    pub(crate) fn skip_quiet<R: Rules>(&mut self, worker: &mut Worker<'_, R>) {
        self.fours_only = true;
        let (us, next) = (worker.field.to_move(), self.next);
        let mut kept = next;
        for i in next..worker.moves.len() {
            if moves::is_four(worker.field.threat(us, worker.moves[i].point)) {
                worker.moves.swap(kept, i);
                kept += 1;
            }
        }
        worker.moves.truncate(kept);
    }

    /// Gives the list back.
    pub(crate) fn finish<R: Rules>(self, worker: &mut Worker<'_, R>) {
        worker.moves.truncate(self.start);
    }

    fn generate<R: Rules>(&mut self, worker: &mut Worker<'_, R>, ply: usize) {
        let field = &worker.field;
        let candidates = || worker.stack[ply].near - field.board().occupied();
        let points = match self.danger {
            Danger::Five => moves::five_stops(field),
            Danger::OpenFour if worker.params.has(Step::DefenceCells) => {
                moves::open_four_stops(field)
            }
            _ if self.fours_only => field.points_at_least(field.to_move(), Threat::Four),
            _ => candidates(),
        };
        self.fill(worker, ply, points);
    }

    fn fill<R: Rules>(&mut self, worker: &mut Worker<'_, R>, ply: usize, points: PointSet) {
        let us = worker.field.to_move();
        let params = worker.params;
        let weight = |step, weight| if params.has(step) { weight } else { 0 };
        let main_weight = weight(Step::MainHistory, params.history_order);
        let continuation_weight = weight(Step::ContinuationHistory, params.continuation_order);
        let counter = worker.histories.counter(us, self.before);
        worker.judge.look_at(&worker.field, &points);
        for point in points {
            if Some(point) == self.table_move {
                continue;
            }
            let policy = worker.judge.policy(&worker.field, point);
            let threat = worker.field.threat(us, point);
            let main = worker.histories.main(us, point, threat);
            let continuation = worker.histories.continuation(us, self.before, point);
            let history = main * main_weight + continuation * continuation_weight;
            let score = policy + history / 1024;
            worker.moves.push(Move { point, policy, score });
        }
        let special = [
            (counter, weight(Step::CounterMove, params.counter_order)),
            (worker.stack[ply].killers[0], weight(Step::Killers, params.killer_order)),
            (worker.stack[ply].killers[1], weight(Step::Killers, params.killer_order)),
        ];
        for (point, bonus) in special {
            let mut found = worker.moves[self.start..].iter_mut();
            if let Some(found) = found.find(|found| Some(found.point) == point) {
                found.score += bonus;
            }
        }
    }

    /// The best of what is left; among equals the one generated first.
    fn take_best<R: Rules>(&mut self, worker: &mut Worker<'_, R>) -> Option<Move> {
        let left = worker.moves.get_mut(self.next..).filter(|left| !left.is_empty())?;
        let mut best = 0;
        for i in 1..left.len() {
            if left[i].score > left[best].score {
                best = i;
            }
        }
        left.swap(0, best);
        self.next += 1;
        Some(left[0])
    }
}

impl<R: Rules> Worker<'_, R> {
    /// Whether the side to move may play on an empty point.
    #[inline(always)]
    pub(crate) fn is_allowed(&self, point: Point) -> bool {
        !(R::HAS_FORBIDDEN
            && self.field.to_move() == Color::Black
            && self.field.is_forbidden(point))
    }
}
