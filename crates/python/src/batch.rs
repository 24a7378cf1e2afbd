//! Many positions at once, on all cores.

use std::{
    sync::{
        atomic::{AtomicUsize, Ordering::Relaxed},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use player::{Choice, Task, Watch as _};
use pyo3::prelude::*;

use crate::{
    arguments::refuse,
    players::build,
    signals::{Helper, LOOK_EVERY, Signals},
};

/// Has a player answer each task, beginning anew with this seed each time.
pub(crate) fn choose_all(
    py: Python<'_>,
    spec: &str,
    seed: u64,
    tasks: &[Task],
    n_threads: usize,
) -> PyResult<Vec<Choice>> {
    let n_threads = n_threads.min(tasks.len());
    let players: Result<Vec<_>, String> = (0..n_threads).map(|_| build(spec)).collect();
    let players = players.map_err(refuse)?;
    let signals = Signals::start();
    let mut choices: Vec<Option<Choice>> = vec![None; tasks.len()];
    py.detach(|| {
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for mut player in players {
                let (sender, next, signals) = (sender.clone(), &next, &signals);
                scope.spawn(move || {
                    loop {
                        let at = next.fetch_add(1, Relaxed);
                        let watch = Helper::start(signals);
                        let Some(task) = tasks.get(at).filter(|_| !watch.stopped()) else { return };
                        player.new_game(seed);
                        let choice = player.choose(task, &watch);
                        if watch.stopped() || sender.send((at, choice)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            loop {
                match receiver.recv_timeout(Duration::from_millis(LOOK_EVERY)) {
                    Ok((at, choice)) => choices[at] = Some(choice),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                signals.look_if_due();
            }
        });
    });
    let choices: Option<Vec<Choice>> = choices.into_iter().collect();
    let choices = signals.end(choices)?;
    choices.ok_or_else(|| refuse("A player came to grief over one of the positions."))
}
