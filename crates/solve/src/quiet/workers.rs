//! Several provers at one move: they share out its replies and tell each other what they decide.

use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use gomoku::{Field, Point, PointSet, Position, Rules, with_rule};
use player::Watch;

use super::{Decision, Effort, Found, Prover, tree};
use crate::tree::{Attack, Defense, WinTree};

/// What the workers share.
struct Work {
    /// Replies without an answer that nobody is looking at.
    open: PointSet,
    hints: Vec<Point>,
    groups: Vec<(Vec<Point>, Attack)>,
    decisions: Vec<Decision>,
}

/// Stops all workers when one has found a reply without an answer.
pub(super) struct Together<'w> {
    pub(super) watch: &'w dyn Watch,
    pub(super) failed: AtomicBool,
}

impl Watch for Together<'_> {
    fn stopped(&self) -> bool {
        self.failed.load(Ordering::Relaxed) || self.watch.stopped()
    }

    fn elapsed(&self) -> std::time::Duration {
        self.watch.elapsed()
    }
}

impl Prover<'_> {
    /// Like [`prove_move`](Prover::prove_move), with one thread for each prover. Which tree is found
    /// depends on who was faster; that it wins does not.
    ///
    /// # Panics
    /// If there is no prover.
    pub fn prove_move_together(
        provers: &mut [Self],
        position: &Position,
        point: Point,
        efforts: &[Effort],
        watch: &dyn Watch,
    ) -> Option<WinTree> {
        with_rule!(position.rule(), R => {
            let mut field = Field::<R>::from_position(position);
            field.place(point);
            let defense = Self::answers_together(provers, field, efforts, watch)?;
            Some(tree(position, Attack::Move(point, Box::new(defense))))
        })
    }

    fn answers_together<R: Rules>(
        provers: &mut [Self],
        mut field: Field<R>,
        efforts: &[Effort],
        watch: &dyn Watch,
    ) -> Option<Defense> {
        let default = provers[0].after_a_pass(&mut field, efforts, watch);
        let open = provers[0].open_replies(&mut field, default.as_ref())?;
        let work = Work { open, hints: Vec::new(), groups: Vec::new(), decisions: Vec::new() };
        let work = Mutex::new(work);
        let watch = Together { watch, failed: AtomicBool::new(false) };
        std::thread::scope(|scope| {
            for prover in &mut *provers {
                let field = field.clone();
                scope.spawn(|| prover.work(field, &work, efforts, &watch));
            }
        });
        if watch.stopped() {
            return None;
        }
        let mut groups = work.into_inner().unwrap_or_else(PoisonError::into_inner).groups;
        groups.sort_by_key(|(replies, _)| replies[0].index());
        Some(Defense { groups, default })
    }

    /// Answers replies until none is left or one cannot be answered.
    fn work<R: Rules>(
        &mut self,
        mut field: Field<R>,
        work: &Mutex<Work>,
        efforts: &[Effort],
        watch: &Together,
    ) {
        let mut n_heard = 0;
        loop {
            // A statement of its own, so that the lock is not held while thinking.
            let task = self.next_task(&mut lock(work), &mut n_heard);
            let Some((reply, hints)) = task else { return };
            field.place(reply);
            let found =
                efforts.iter().find_map(|&effort| self.attack(&mut field, effort, &hints, watch));
            field.undo();
            let Some(Found { attack, forcing }) = found else {
                watch.failed.store(true, Ordering::Relaxed);
                return;
            };
            let mut replies = vec![reply];
            if forcing {
                let open = lock(work).open;
                let answered = open - self.not_answered(&mut field, &open, &attack);
                let mut work = lock(work);
                replies.extend(work.open & answered);
                work.open -= answered;
            }
            let mut work = lock(work);
            if !forcing {
                work.hints.retain(|&hint| hint != attack.point());
                work.hints.insert(0, attack.point());
            }
            work.decisions.append(&mut self.fresh);
            work.groups.push((replies, attack));
        }
    }

    /// The next reply with what was learned meanwhile.
    fn next_task(&mut self, work: &mut Work, n_heard: &mut usize) -> Option<(Point, Vec<Point>)> {
        work.decisions[*n_heard..].iter().for_each(|decision| self.remember(decision));
        *n_heard = work.decisions.len();
        let reply = self.next_reply(&work.open)?;
        work.open.remove(reply);
        Some((reply, work.hints.clone()))
    }
}

/// A worker that panics takes the others with it, so nothing torn is ever used.
pub(super) fn lock<T>(work: &Mutex<T>) -> MutexGuard<'_, T> {
    work.lock().unwrap_or_else(PoisonError::into_inner)
}
