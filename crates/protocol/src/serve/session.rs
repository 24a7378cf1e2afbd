//! The state of a conversation, and the answer to each command.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::AtomicU32,
    time::{Duration, Instant},
};

use gomoku::{Color, Point, PointSet, Position, Rule};
use player::{Choice, Goal, Limits, Player, Score, Task, Watch};

use super::{
    Make, Resources, Settings,
    book::YixinBook,
    control::{Control, Output, Request},
    manager_board::ManagerBoard,
    think::{Detail, Thinking, summary},
    time::Grants,
};
use crate::{
    gomocup::{Command, Info, InfoKey, Owner, Reply, Stone},
    wire::Coord,
};

/// Why a command gets no other answer: the text after `ERROR`.
pub(super) type Refusal = String;

pub(super) struct Session<'a> {
    pub(super) settings: &'a Settings,
    pub(super) output: &'a Output,
    pub(super) control: &'a Control,
    make: &'a mut Make<'a>,
    player: Option<Box<dyn Player>>,
    made_with: Resources,
    pub(super) board: Option<ManagerBoard>,
    pub(super) grants: Grants,
    rule_code: i64,
    /// Whether a Yixin-Board has shown itself, which changes the meaning of a few things.
    pub(super) is_yixin_board: bool,
    detail: Detail,
    /// Since when the time of the command at hand is running.
    since: Instant,
    /// Whether to think on the opponent's time.
    pub(super) pondering: bool,
    /// The rule under which the player is ready to answer at once.
    prepared: Option<Rule>,
    /// Counts games, so that offers differ.
    pub(super) games: u64,
    pub(super) last_score: Option<Score>,
    pub(super) banned: Banned,
    pub(super) book: Option<Box<dyn YixinBook>>,
    /// Whether what is found goes into the database (`usedatabase`, `database_readonly`).
    writes_database: bool,
    is_readonly: bool,
}

/// Moves that a Yixin-Board does not want to see played.
#[derive(Clone, Debug, Default)]
pub(super) struct Banned {
    pub(super) points: PointSet,
    pub(super) paths: Vec<Vec<Point>>,
    pub(super) by_hand: Vec<(Point, Color)>,
}

impl<'a> Session<'a> {
    pub(super) fn new<'m: 'a>(
        settings: &'a Settings,
        make: &'a mut Make<'m>,
        book: Option<Box<dyn YixinBook>>,
        output: &'a Output,
        control: &'a Control,
    ) -> Session<'a> {
        Session {
            settings,
            output,
            control,
            make,
            player: None,
            made_with: Resources::default(),
            board: None,
            grants: Grants::default(),
            rule_code: 0,
            is_yixin_board: false,
            detail: Detail::default(),
            since: crate::now(),
            pondering: false,
            prepared: None,
            games: 0,
            last_score: None,
            banned: Banned::default(),
            book,
            writes_database: false,
            is_readonly: false,
        }
    }

    /// Carries out a command and prints what there is to say.
    pub(super) fn handle(&mut self, request: &Request) {
        // A command that had to wait for the one before it has its time from then on.
        self.since = request.at.max(self.since);
        let answer = match &request.command {
            Command::Info(info) => {
                // Nothing answers an INFO, and no answer to anything else is given up for it.
                if let Err(complaint) = self.take_info(info) {
                    self.say(request, &Reply::Message(format!("{complaint} It is ignored.")));
                }
                self.prepare();
                return;
            }
            Command::End | Command::Error(_) => return,
            Command::Yixin(command) => self.yixin(request, command),
            command => self.gomocup(request, command).map(|reply| vec![reply]),
        };
        self.since = crate::now();
        match answer {
            Ok(replies) => replies.iter().for_each(|reply| self.say(request, reply)),
            Err(refusal) => self.say(request, &Reply::Error(refusal)),
        }
    }

    pub(super) fn say(&self, request: &Request, reply: &Reply) {
        self.output.say(request.chunk, reply);
    }

    fn gomocup(&mut self, request: &Request, command: &Command) -> Result<Reply, Refusal> {
        match command {
            Command::RectStart(width, height) if width != height => {
                self.board = None;
                Err(format!("rectangular board is not supported ({width}x{height})"))
            }
            Command::Start(width, height) | Command::RectStart(width, height) => {
                self.start(*width, *height)
            }
            Command::Restart => {
                let size = i32::from(self.board()?.size());
                self.start(size, size)
            }
            Command::Begin => match self.board()?.len() {
                0 => self.answer(request),
                _ => Err("The board is not empty.".into()),
            },
            Command::Turn(at) => {
                let point = self.free_point(*at)?;
                self.board_mut()?.play(point);
                self.answer(request)
            }
            Command::Board(stones) => {
                let board = self.set_up(stones)?;
                self.board = Some(board);
                self.answer(request)
            }
            Command::Takeback(at) => {
                let point = self.point(*at)?;
                match self.board_mut()?.take_back(point) {
                    true => Ok(Reply::Ok),
                    false => Err(format!("There is no stone on {at}.")),
                }
            }
            Command::Play(at) => {
                let point = self.free_point(*at)?;
                self.board_mut()?.play(point);
                Ok(Reply::Move(*at))
            }
            Command::Swap2Board(stones) => self.swap2(request, stones),
            Command::About => Ok(Reply::About(self.settings.about.clone())),
            Command::Malformed(text, expected) => Err(format!("Expected {expected}: {text}")),
            Command::Unknown(text) => Ok(Reply::Unknown(format!("command: {text}"))),
            Command::Info(_) | Command::End | Command::Error(_) | Command::Yixin(_) => {
                unreachable!("handled before")
            }
        }
    }

    fn take_info(&mut self, info: &Info) -> Result<(), Refusal> {
        match (&info.key, info.as_number()) {
            (InfoKey::Rule, Some(code)) => self.rule_code = code,
            (InfoKey::Rule, None) => {
                return Err(format!("INFO rule: expected a number, found '{}'.", info.value));
            }
            (InfoKey::Pondering, Some(code)) => self.pondering = code != 0,
            (InfoKey::UseDatabase, Some(code)) => self.writes_database = code != 0,
            (InfoKey::DatabaseReadonly, Some(code)) => self.is_readonly = code != 0,
            (InfoKey::ShowDetail, Some(code)) => {
                self.detail = Detail::from_code(code);
                self.is_yixin_board |= code > 0;
            }
            _ => self.grants.take(info)?,
        }
        Ok(())
    }

    /// Has the player do once what is done once, such as building tables for a rule, before the first
    /// move is timed: it thinks for as long as it takes to see that it is to stop.
    fn prepare(&mut self) {
        let (rule, Some(board)) = (self.rule(), &self.board) else { return };
        if self.prepared == Some(rule) {
            return;
        }
        let center = Point::center(board.size());
        // If it cannot be made or fails, that shows again when it is asked for a move.
        let Ok(position) = Position::from_moves(rule, board.size(), &[center]) else { return };
        if self.make_player().is_err() {
            return;
        }
        if let Some(player) = &mut self.player {
            let task = Task::new(position, Limits::default());
            let ready = catch_unwind(AssertUnwindSafe(|| {
                player.explain(&task.position);
                player.choose(&task, &AtOnce)
            }));
            if ready.is_err() {
                self.drop_player();
            }
        }
        self.forget();
        self.prepared = Some(rule);
    }

    /// The rule in force. Boards of Yixin's kind have codes of their own.
    pub(super) fn rule(&self) -> Rule {
        match self.rule_code {
            2 if self.is_yixin_board => Rule::Renju,
            // Rapfi's freestyle with an opening protocol.
            5 | 6 if self.is_yixin_board => Rule::Freestyle,
            code => Rule::from_gomocup_code(u32::try_from(code).unwrap_or(0)),
        }
    }

    fn start(&mut self, width: i32, height: i32) -> Result<Reply, Refusal> {
        self.board = None;
        if width != height {
            return Err(format!("Unsupported size {width}x{height}: boards are square."));
        }
        let refused = || format!("Unsupported board size {width}: expected 5 to 22.");
        self.board = Some(ManagerBoard::new(width).ok_or_else(refused)?);
        self.games += 1;
        self.grants.new_game();
        self.last_score = None;
        // A Yixin-Board starts before every move, and wants to keep what has been learned.
        if !self.is_yixin_board {
            self.forget();
        }
        self.prepare();
        Ok(Reply::Ok)
    }

    /// Makes the player forget.
    pub(super) fn forget(&mut self) {
        let seed = self.seed();
        if let Some(player) = &mut self.player
            && catch_unwind(AssertUnwindSafe(|| player.new_game(seed))).is_err()
        {
            self.player = None;
        }
    }

    pub(super) fn seed(&self) -> u64 {
        self.settings.seed.wrapping_add(self.games)
    }

    /// The stones of `BOARD` or `yxboard` on a board of the present size.
    pub(super) fn set_up(&self, stones: &[Stone]) -> Result<ManagerBoard, Refusal> {
        let size = self.board()?.size();
        let mut board = ManagerBoard::new(size.into()).ok_or("No game has been started.")?;
        let count = |owner| stones.iter().filter(|stone| stone.owner == Some(owner)).count();
        let own = match (count(Owner::Own), count(Owner::Opponent)) {
            (own, opponent) if own == opponent => Color::Black,
            (own, opponent) if own + 1 == opponent => Color::White,
            (own, opponent) => {
                return Err(format!(
                    "The board has {own} own and {opponent} opposing stones: it cannot be our turn."
                ));
            }
        };
        for stone in stones {
            let point = self.point(stone.at)?;
            let is_free = match stone.owner {
                Some(Owner::Own) => board.put(point, own),
                Some(Owner::Opponent) => board.put(point, !own),
                Some(Owner::Dead) | None => board.kill(point),
            };
            if !is_free {
                return Err(format!("{} is listed twice.", stone.at));
            }
        }
        board.set_to_move(own);
        Ok(board)
    }

    /// Thinks, plays the move and says it.
    fn answer(&mut self, request: &Request) -> Result<Reply, Refusal> {
        let began = self.since;
        let (point, choice) = self.best(request, 1)?;
        if let (true, Some(choice)) = (self.detail.summary, choice) {
            let text = summary(&choice, self.since.saturating_duration_since(began));
            self.say(request, &Reply::Message(text));
        }
        self.board_mut()?.play(point);
        Ok(Reply::Move(self.coord(point)?))
    }

    /// The best move, which can be played whatever the player says, and the player's choice.
    pub(super) fn best(
        &mut self,
        request: &Request,
        multi_pv: usize,
    ) -> Result<(Point, Option<Choice>), Refusal> {
        let rule = self.rule();
        let any = self.board()?.any_move(rule).ok_or("The board is full.")?;
        let position = self.board()?.position(rule);
        if position.outcome().is_some() {
            // Managers stop here; one that goes on shall have its move.
            return Ok((any, None));
        }
        let mut task = Task::new(position.clone(), self.limits());
        task.multi_pv = multi_pv.max(1);
        let choice = self.choose(request, task)?;
        let free = self.board()?.free();
        let said = choice.as_ref().and_then(Choice::point);
        let point = said.filter(|&point| position.is_legal(point) && free.contains(point));
        Ok((point.unwrap_or(any), choice))
    }

    /// Asks the player; `None` if it failed.
    pub(super) fn choose(
        &mut self,
        request: &Request,
        mut task: Task,
    ) -> Result<Option<Choice>, Refusal> {
        self.make_player()?;
        task.exclude = self.excluded(&task.position)?;
        let watch = Thinking {
            request,
            control: self.control,
            output: self.output,
            started: self.since,
            hard: task.limits.hard_time(),
            detail: self.detail,
            coordinates: self.settings.coordinates,
            size: task.position.size(),
            shown: AtomicU32::new(0),
        };
        watch.begin();
        let Some(player) = &mut self.player else { return Ok(None) };
        let choice = catch_unwind(AssertUnwindSafe(|| player.choose(&task, &watch)));
        self.grants.spend(watch.started.elapsed());
        self.since = crate::now();
        match choice {
            Ok(choice) => {
                watch.conclude(&choice);
                self.last_score = choice.score;
                // With moves left out, what was found is not the value of the position.
                if let (Some(book), Goal::Best, true) =
                    (&mut self.book, task.goal, task.exclude.is_empty())
                {
                    let in_database = self.writes_database && !self.is_readonly;
                    book.learn(&task.position, &choice, in_database);
                }
                Ok(Some(choice))
            }
            Err(_) => {
                self.drop_player();
                Ok(None)
            }
        }
    }

    /// What the manager grants for the next answer.
    pub(super) fn limits(&self) -> Limits {
        self.grants.limits(self.is_yixin_board)
    }

    /// What must not be played at the root: dead points, and what a Yixin-Board has banned.
    fn excluded(&self, position: &Position) -> Result<Vec<Point>, Refusal> {
        let mut points = self.banned.points | self.board()?.dead();
        for (point, color) in &self.banned.by_hand {
            if *color == position.to_move() {
                points.insert(*point);
            }
        }
        for path in &self.banned.paths {
            if let Some((last, before)) = path.split_last()
                && before == position.moves()
            {
                points.insert(*last);
            }
        }
        let all_banned = (position.legal_points() - points).is_empty();
        Ok(if all_banned { Vec::new() } else { points.iter().collect() })
    }

    /// Makes the player, or another one when the manager grants something else.
    pub(super) fn make_player(&mut self) -> Result<(), Refusal> {
        let positive = |value: Option<i64>| value.filter(|value| *value > 0).map(|v| v as u64);
        let granted = Resources {
            memory: self.grants.memory(),
            threads: positive(self.grants.threads).map(|threads| threads.min(1024) as u32),
            hash: positive(self.grants.hash),
        };
        if self.player.is_none() || self.made_with != granted {
            // The old one goes first, so that its memory can be used again.
            self.player = None;
            self.player = Some((self.make)(&granted)?);
            self.made_with = granted;
            self.forget();
        }
        Ok(())
    }

    pub(super) fn player(&mut self) -> Option<&mut Box<dyn Player>> {
        self.player.as_mut()
    }

    /// Lets go of a player that has failed: whatever state it is in, it is not to be trusted.
    pub(super) fn drop_player(&mut self) {
        self.player = None;
    }

    pub(super) fn board(&self) -> Result<&ManagerBoard, Refusal> {
        self.board.as_ref().ok_or_else(|| "No game has been started.".into())
    }

    pub(super) fn board_mut(&mut self) -> Result<&mut ManagerBoard, Refusal> {
        self.board.as_mut().ok_or_else(|| "No game has been started.".into())
    }

    pub(super) fn coord(&self, point: Point) -> Result<Coord, Refusal> {
        Ok(self.settings.coordinates.coord(point, self.board()?.size()))
    }

    pub(super) fn point(&self, at: Coord) -> Result<Point, Refusal> {
        let size = self.board()?.size();
        let point = self.settings.coordinates.point(at, size);
        point.ok_or_else(|| format!("{at} is not on the board."))
    }

    fn free_point(&self, at: Coord) -> Result<Point, Refusal> {
        let point = self.point(at)?;
        match self.board()?.free().contains(point) {
            true => Ok(point),
            false => Err(format!("{at} is not empty.")),
        }
    }
}

/// The watch of a search that is to end before it begins.
struct AtOnce;

impl Watch for AtOnce {
    fn stopped(&self) -> bool {
        true
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}
