//! An external engine at the table: a process that speaks the Gomocup protocol.
//!
//! A failure ends the process; the next game begins with a fresh one. What went wrong is told
//! apart: not started, crashed, answered too late, or never answered and had to be killed.

use std::{
    io,
    time::{Duration, Instant},
};

use gomoku::{Ending, Position};
use player::{Choice, Limits, Player, PlayerReply, Reason, Task, Watch};
use protocol::drive::{Driver, Heard};

use crate::{
    control::Turn,
    game::Failure,
    plan::Timeouts,
    process::{Process, Received, split_command},
    seat::Seat,
    wire_log::{Wire, WireLogs},
};

/// How long a program may think on after it has said `ERROR`; some do, and answer then.
const AFTER_ERROR: Duration = Duration::from_secs(20);
/// How long a program may take to answer when it is told to hurry.
const HURRY: Duration = Duration::from_secs(1);
/// How long a program may take to leave when it is told to.
const LEAVE: Duration = Duration::from_millis(500);

/// A Gomocup engine in a process of its own.
#[derive(Debug)]
pub struct External {
    command: String,
    limits: Limits,
    timeouts: Timeouts,
    running: Option<Running>,
    is_new_game: bool,
    failure: Option<Failure>,
    /// Where what is said is written down, and under which name.
    logs: Option<(WireLogs, String)>,
}

/// Who can ask for an end, and whether an answer is still wanted then.
#[derive(Clone, Copy)]
struct Stop<'a> {
    asked: &'a dyn Fn() -> bool,
    wants_answer: bool,
}

#[derive(Debug)]
struct Running {
    process: Process,
    driver: Driver,
}

impl External {
    /// An engine that is started by `command` when its first game begins. `limits` are told to it
    /// at the start of each game.
    pub fn new(command: &str, limits: Limits, timeouts: Timeouts) -> External {
        External {
            command: command.trim().to_owned(),
            limits,
            timeouts,
            running: None,
            is_new_game: true,
            failure: None,
            logs: None,
        }
    }

    /// The same engine with everything that is said written down under a name.
    pub(crate) fn logged(mut self, logs: &WireLogs, name: &str) -> External {
        self.logs = Some((logs.clone(), name.to_owned()));
        self
    }

    /// What went wrong last, if anything did since the game began.
    pub fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    fn begin(&mut self, position: &Position, stopped: &dyn Fn() -> bool) -> Result<(), Failure> {
        self.is_new_game = false;
        self.failure = None;
        let running = match self.running.take() {
            Some(running) => running,
            None => self.launch(position)?,
        };
        // Another game with the same process: the driver forgets, the process is told to.
        let mut running =
            Running { driver: Driver::new(position.rule(), position.size()), ..running };
        self.greet(&mut running, stopped)?;
        self.running = Some(running);
        Ok(())
    }

    fn launch(&self, position: &Position) -> Result<Running, Failure> {
        let words = split_command(&self.command);
        let not_started = |error: String| Failure::new(Ending::StartUp, error);
        let (program, arguments) =
            words.split_first().ok_or_else(|| not_started("The command is empty.".to_owned()))?;
        let log = self.logs.as_ref().and_then(|(logs, name)| logs.of(name));
        if let Some(log) = &log {
            log.write(Wire::Fate, &format!("It is started: {}", self.command));
        }
        let process = Process::start(program, arguments, log)
            .map_err(|error| not_started(format!("{program} cannot be run: {error}.")))?;
        Ok(Running { process, driver: Driver::new(position.rule(), position.size()) })
    }

    /// `START`, and the wait for `OK`.
    fn greet(&self, running: &mut Running, stopped: &dyn Fn() -> bool) -> Result<(), Failure> {
        let Running { process, driver } = running;
        let failed = |detail: String| Err(Failure::new(Ending::StartUp, detail));
        process.discard();
        let deadline = Instant::now() + Duration::from_millis(self.timeouts.start_ms);
        // A broken pipe is found out about by reading.
        let _ = process.send(&driver.start());
        loop {
            match process.receive(deadline, stopped) {
                Received::Line(line, _) => match driver.hear(line.as_bytes()) {
                    Heard::Ready => break,
                    Heard::Refused(text) | Heard::Unknown(text) => {
                        return failed(format!("It refused to start: {text}"));
                    }
                    _ => {}
                },
                Received::Ended(how) => return failed(how),
                Received::Nothing => {
                    let ms = self.timeouts.start_ms;
                    return failed(format!("It did not say OK within {ms} ms."));
                }
                Received::GivenUp => return failed("The run was stopped.".to_owned()),
            }
        }
        let _ = process.send(&driver.settings(&self.limits));
        Ok(())
    }

    /// Asks for a move and waits for it until `deadline`.
    fn ask(
        &mut self,
        task: &Task,
        started: Instant,
        deadline: Duration,
        stop: Stop<'_>,
    ) -> Result<(Choice, Duration), Failure> {
        let Some(mut running) = self.running.take() else {
            return Err(Failure::new(Ending::Crash, "It is not running."));
        };
        let late = Duration::from_millis(self.timeouts.late_ms);
        let answer = running.ask(task, started, deadline, stop);
        let answer = answer.map_err(|failure| match (stop.asked)() {
            true => failure,
            false => running.if_late(failure, started, late),
        });
        match &answer {
            Ok(_) => self.running = Some(running),
            // Whatever it does now, it will not be heard: the process is killed here.
            Err(failure) => self.failure = Some(failure.clone()),
        }
        answer
    }
}

impl Running {
    fn ask(
        &mut self,
        task: &Task,
        started: Instant,
        deadline: Duration,
        stop: Stop<'_>,
    ) -> Result<(Choice, Duration), Failure> {
        self.process.discard();
        let request = self.driver.request(&task.position, &task.limits);
        if let Err(error) = self.process.send(&request) {
            return Err(self.not_listening(&error));
        }
        let mut until = started + deadline;
        let mut last_words = String::new();
        let mut hurried = false;
        loop {
            match self.process.receive(until, || !hurried && (stop.asked)()) {
                Received::Line(line, arrived) => match self.driver.hear(line.as_bytes()) {
                    Heard::Move(point) => {
                        let used = arrived.saturating_duration_since(started);
                        let mut choice = Choice::of(point, Reason::Search);
                        choice.counters.time = used;
                        return Ok((choice, used));
                    }
                    Heard::OffBoard(at) => {
                        let detail = format!("It played {at}, which is not on the board.");
                        return Err(Failure::new(Ending::Illegal, detail));
                    }
                    Heard::Refused(text) | Heard::Unknown(text) => {
                        last_words = format!(" It said: ERROR {text}");
                        until = until.min(Instant::now() + AFTER_ERROR);
                    }
                    Heard::Noise(text) => last_words = format!(" It said: {}", cut(&text)),
                    _ => {}
                },
                Received::Ended(how) => return Err(Failure::new(Ending::Crash, how)),
                Received::Nothing => {
                    let ms = until.saturating_duration_since(started).as_millis();
                    let detail =
                        format!("It did not answer within {ms} ms and was killed.{last_words}");
                    return Err(Failure::new(Ending::Stall, detail));
                }
                Received::GivenUp if stop.wants_answer => {
                    hurried = true;
                    until = until.min(Instant::now() + HURRY);
                    // If it does not listen, the wait for its answer ends soon.
                    let _ = self.process.send(&self.driver.hurry());
                }
                Received::GivenUp => {
                    return Err(Failure::new(Ending::Stall, "The run was stopped."));
                }
            }
        }
    }

    fn not_listening(&mut self, error: &io::Error) -> Failure {
        self.process.wait_for_end(Duration::from_millis(200));
        match self.process.receive(Instant::now() + Duration::from_millis(200), || false) {
            Received::Ended(how) => Failure::new(Ending::Crash, how),
            _ => Failure::new(Ending::Crash, format!("It does not read its input: {error}.")),
        }
    }

    /// Waits a little more after a stall, to tell a late answer from none.
    fn if_late(&mut self, failure: Failure, started: Instant, late: Duration) -> Failure {
        if failure.ending != Ending::Stall {
            return failure;
        }
        let deadline = Instant::now() + late;
        while let Received::Line(line, arrived) = self.process.receive(deadline, || false) {
            if let Heard::Move(point) = self.driver.hear(line.as_bytes()) {
                let ms = arrived.saturating_duration_since(started).as_millis();
                return Failure::new(
                    Ending::Time,
                    format!("It played {point} only after {ms} ms."),
                );
            }
        }
        failure
    }
}

/// The beginning of a text.
fn cut(text: &str) -> String {
    text.chars().take(80).collect()
}

impl Seat for External {
    fn start(
        &mut self,
        _seed: u64,
        position: &Position,
        stopped: &dyn Fn() -> bool,
    ) -> Result<(), Failure> {
        self.begin(position, stopped)
    }

    fn choose(&mut self, task: &Task, turn: &Turn<'_>) -> Result<(Choice, Duration), Failure> {
        let asked = || turn.control.is_stopped();
        self.ask(task, turn.started, turn.deadline, Stop { asked: &asked, wants_answer: false })
    }
}

/// Outside of matches a failure is a resignation, and [`External::failure`] says why.
impl Player for External {
    fn new_game(&mut self, _seed: u64) {
        self.is_new_game = true;
    }

    fn choose(&mut self, task: &Task, watch: &dyn Watch) -> Choice {
        let started = Instant::now();
        let stall = Duration::from_millis(self.timeouts.stall_ms);
        let tolerance = Duration::from_millis(self.timeouts.tolerance_ms);
        let deadline = task.limits.hard_time().map_or(stall, |time| time + tolerance);
        let stopped = || watch.stopped();
        let mut answer = Ok(());
        if self.is_new_game || self.running.is_none() {
            self.limits = task.limits;
            answer = self.begin(&task.position, &stopped);
        }
        let answer = answer.and_then(|()| {
            let stop = Stop { asked: &stopped, wants_answer: true };
            self.ask(task, started, deadline, stop)
        });
        answer.map_or_else(
            |failure| {
                self.failure = Some(failure);
                let nowhere = gomoku::Point::center(task.position.size());
                Choice { reply: PlayerReply::Resign, ..Choice::of(nowhere, Reason::Only) }
            },
            |(choice, _)| choice,
        )
    }
}

impl Drop for External {
    fn drop(&mut self) {
        if let Some(Running { process, driver }) = &mut self.running {
            // It may be gone already; what is left is killed when the process is dropped.
            let _ = process.send(&driver.end());
            process.wait_for_end(LEAVE);
        }
    }
}
