//! Thinking on the opponent's time, where the manager allows it with `INFO pondering 1`.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::{Duration, Instant},
};

use player::{Limits, Task, Watch};

use super::{
    control::{Control, Request},
    session::Session,
};
use crate::gomocup::Command;

/// Pondering ends when anything at all is read.
struct Meanwhile<'a> {
    control: &'a Control,
    number: u64,
    started: Instant,
}

impl Watch for Meanwhile<'_> {
    fn stopped(&self) -> bool {
        !self.control.is_idle(self.number)
    }

    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

impl Session<'_> {
    /// Fills the player's memory with what may come, until the manager says something. Nothing is
    /// printed and nothing else changes.
    pub(super) fn ponder(&mut self, request: &Request) {
        let asked_for_move =
            matches!(request.command, Command::Begin | Command::Turn(_) | Command::Board(_));
        if !self.pondering || !asked_for_move || !self.control.is_idle(request.number) {
            return;
        }
        let Ok(position) = self.board().map(|board| board.position(self.rule())) else { return };
        if position.outcome().is_some() {
            return;
        }
        let task = Task::new(position, Limits::nodes(u64::MAX));
        let watch =
            Meanwhile { control: self.control, number: request.number, started: crate::now() };
        let Some(player) = self.player() else { return };
        if catch_unwind(AssertUnwindSafe(|| player.choose(&task, &watch))).is_err() {
            self.drop_player();
        }
    }
}
