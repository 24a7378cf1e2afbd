//! Answers to Yixin-Board's commands.

use std::panic::{AssertUnwindSafe, catch_unwind};

use gomoku::{
    Color, Point, Position, Rule,
    opening::{Action, Allowed},
    renju,
};
use player::{Choice, Goal, Score, Task};

use super::{
    book::{Exchange, YixinBook, YixinBound, YixinEntry, YixinFilter},
    control::Request,
    session::{Refusal, Session},
};
use crate::{
    gomocup::Reply,
    wire::Coord,
    yixin::{Command, Database, PathCommand},
};

/// How many moves `yxsearchdefend` looks at.
const DEFENSES: usize = 24;
/// The most fifth stones that Soosyrv-8 lets White ask for.
const MAX_FIFTHS: u8 = 8;

impl Session<'_> {
    pub(super) fn yixin(
        &mut self,
        request: &Request,
        command: &Command,
    ) -> Result<Vec<Reply>, Refusal> {
        match command {
            Command::ShowInfo => {
                self.is_yixin_board = true;
                let Self { settings, .. } = self;
                Ok(vec![
                    message(format!("INFO MAX_THREAD_NUM {}", settings.max_threads)),
                    message(format!("INFO MAX_HASH_SIZE {}", settings.max_hash)),
                ])
            }
            Command::Board(stones) => {
                self.board = Some(self.set_up(stones)?);
                Ok(Vec::new())
            }
            // Seen by the reading thread; by now the thinking is over.
            Command::Stop => Ok(Vec::new()),
            Command::NBest(count) => self.best_moves(request, *count),
            Command::SearchDefend => self.defenses(request),
            Command::BalanceOne(bias) => self.balance(request, 1, *bias),
            Command::BalanceTwo(bias) => self.balance(request, 2, *bias),
            Command::ShowForbid => Ok(vec![self.forbidden()?]),
            Command::HashClear => {
                self.forget();
                if let Some(book) = &mut self.book {
                    book.forget_learned();
                }
                Ok(Vec::new())
            }
            Command::ShowHashUsage => {
                let learned = self.book.as_ref().map_or(0, |book| book.n_learned());
                Ok(vec![message(format!(
                    "{learned} positions searched since the table was cleared"
                ))])
            }
            Command::Block(..)
            | Command::BlockReset
            | Command::BlockPath(..)
            | Command::BlockPathReset
            | Command::Forbid { .. } => self.ban(command).map(|()| Vec::new()),
            Command::Draw => {
                Ok(vec![agreement(self.last_score.is_some_and(|s| s <= Score::default()))])
            }
            Command::Resign => Ok(vec![agreement(self.is_lost())]),
            Command::PrintFeature => self.features(),
            Command::Swap2(step) => self.swap2_step(request, *step),
            Command::Soosorv(step, count, moves) => {
                self.soosorv_step(request, *step, *count, moves)
            }
            Command::Database(what, moves) => self.database(what, moves),
            Command::SaveDatabase => {
                let saved = self.with_book(|book, _| book.save())?;
                Ok(vec![
                    message(format!("DATABASE SAVE START {saved}")),
                    message("DATABASE SAVE DONE"),
                ])
            }
            Command::CheckDatabase { fix } => {
                let text = self.with_book(|book, _| book.check(*fix))?;
                Ok(vec![message(text)])
            }
            Command::Path(command, path) => self.path(*command, path),
        }
    }

    /// The best moves as messages, then the best one, which is played.
    fn best_moves(&mut self, request: &Request, count: usize) -> Result<Vec<Reply>, Refusal> {
        let (point, choice) = self.best(request, count)?;
        let mut replies = Vec::new();
        for (i, candidate) in choice.iter().flat_map(Choice::considered).take(count).enumerate() {
            let score = candidate.score.map_or_else(String::new, |score| score.to_string());
            let line: Vec<_> = candidate.line.iter().map(Point::to_string).collect();
            replies.push(message(format!("({}) {score} {}", i + 1, line.join(" "))));
        }
        replies.push(Reply::Move(self.coord(point)?));
        self.board_mut()?.play(point);
        Ok(replies)
    }

    /// How each defense fares: those that lose are marked, the best one is played.
    fn defenses(&mut self, request: &Request) -> Result<Vec<Reply>, Refusal> {
        let (point, choice) = self.best(request, DEFENSES)?;
        let mut replies = Vec::new();
        for candidate in choice.iter().flat_map(Choice::considered) {
            let at = self.coord(candidate.point)?;
            let loses = candidate.score.and_then(Score::decisive_in).is_some_and(|plies| plies < 0);
            replies.push(message(format!("REALTIME POS {at}")));
            replies.push(message(format!("REALTIME {} {at}", if loses { "LOSE" } else { "DONE" })));
        }
        let at = self.coord(point)?;
        replies.push(message(format!("REALTIME BEST {at}")));
        replies.push(Reply::Move(at));
        self.board_mut()?.play(point);
        Ok(replies)
    }

    fn balance(&mut self, request: &Request, stones: u8, bias: i64) -> Result<Vec<Reply>, Refusal> {
        let mut board = self.board()?.clone();
        let wanted = usize::from(stones);
        if board.free().len() < wanted {
            return Err("The board is full.".into());
        }
        let position = board.position(self.rule());
        let mut said = Vec::new();
        if position.outcome().is_none() {
            let mut task = Task::new(position, self.limits());
            task.goal = Goal::Balance { stones, bias };
            said = self.choose(request, task)?.iter().flat_map(Choice::stones).collect();
        }
        let mut moves = Vec::new();
        for i in 0..wanted {
            let own = said.get(i).copied().filter(|point| board.free().contains(*point));
            let point = own.or_else(|| board.any_move(self.rule())).ok_or("The board is full.")?;
            board.play(point);
            moves.push(self.coord(point)?);
        }
        self.board = Some(board);
        Ok(vec![if wanted == 1 { Reply::Move(moves[0]) } else { Reply::Moves(moves) }])
    }

    fn forbidden(&self) -> Result<Reply, Refusal> {
        let points = match self.rule() {
            Rule::Renju => renju::forbidden_points(self.board()?.board()),
            _ => Default::default(),
        };
        let mut cells = self.coords(&points.iter().collect::<Vec<_>>())?;
        cells.sort_by_key(|cell| (cell.0, cell.1));
        Ok(Reply::Forbid(cells))
    }

    fn ban(&mut self, command: &Command) -> Result<(), Refusal> {
        let points = |moves: &[Coord]| -> Result<Vec<Point>, Refusal> {
            moves.iter().map(|&at| self.point(at)).collect()
        };
        match command {
            Command::Block(add, moves) => {
                let points = points(moves)?;
                for point in points {
                    match add {
                        true => self.banned.points.insert(point),
                        false => self.banned.points.remove(point),
                    }
                }
            }
            Command::BlockReset => self.banned.points = Default::default(),
            Command::BlockPath(add, moves) => {
                let path = points(moves)?;
                self.banned.paths.retain(|old| *old != path);
                if *add {
                    self.banned.paths.push(path);
                }
            }
            Command::BlockPathReset => self.banned.paths.clear(),
            Command::Forbid { add, at, side } => {
                let color = if *side == 0 { Color::Black } else { Color::White };
                let ban = (self.point(*at)?, color);
                self.banned.by_hand.retain(|old| *old != ban);
                if *add {
                    self.banned.by_hand.push(ban);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn is_lost(&self) -> bool {
        self.last_score.and_then(Score::decisive_in).is_some_and(|plies| plies < 0)
    }

    fn features(&mut self) -> Result<Vec<Reply>, Refusal> {
        let position = self.board()?.position(self.rule());
        self.make_player()?;
        let explained = self
            .player()
            .and_then(|player| catch_unwind(AssertUnwindSafe(|| player.explain(&position))).ok());
        let Some(explained) = explained else { return Err("The player failed.".into()) };
        let value = explained.value.map_or("unknown".into(), |value| value.to_string());
        let mut replies = vec![message(format!("evaluation {value}"))];
        replies.extend(explained.terms.iter().map(|term| {
            message(format!("{} {} {} x {}", term.color, term.name, term.count, term.weight))
        }));
        Ok(replies)
    }

    fn swap2_step(&mut self, request: &Request, step: u8) -> Result<Vec<Reply>, Refusal> {
        let wanted = [0, 3, 5][usize::from(step) - 1];
        let stones = self.board()?.len();
        if stones != wanted {
            return Err(format!("This step of Swap2 has {wanted} stones, not {stones}."));
        }
        if step == 1 {
            let three = self.answer_opening(request, &[Allowed::PlaceThree { named: false }])?;
            self.board = Some(self.placed(&three)?);
            return self.numbered("SWAP2 MOVE", &three.stones());
        }
        Ok(vec![self.swaps(request, &format!("SWAP2 SWAP{}", step - 1))?])
    }

    /// Says whether the player would rather have the other side.
    fn swaps(&mut self, request: &Request, name: &str) -> Result<Reply, Refusal> {
        let allowed = [Allowed::Swap, Allowed::Place(self.board()?.free())];
        let action = self.answer_opening(request, &allowed)?;
        Ok(yes_or_no(name, action == Action::Swap))
    }

    fn soosorv_step(
        &mut self,
        request: &Request,
        step: u8,
        count: u8,
        moves: &[Coord],
    ) -> Result<Vec<Reply>, Refusal> {
        let known = [0, 3, 3, 4, 4, 4][usize::from(step) - 1];
        if moves.len() < known || step != 6 && moves.len() != known {
            return Err(format!("This step of Soosorv has {known} moves, not {}.", moves.len()));
        }
        self.board = Some(self.in_order(&moves[..known])?);
        let allowed = match step {
            1 => vec![Allowed::PlaceThree { named: true }],
            2 => return Ok(vec![self.swaps(request, "SOOSORV SWAP1")?]),
            3 => vec![Allowed::PlaceAndDeclare(MAX_FIFTHS)],
            4 => vec![Allowed::Swap, Allowed::Offer(count)],
            5 => vec![Allowed::Offer(count)],
            _ => vec![Allowed::Pick(self.offered(&moves[known..])?)],
        };
        let action = self.answer_opening(request, &allowed)?;
        let stones = self.coords(&action.stones())?;
        let text = |name: &str, at: Coord| format!("SOOSORV {name} {} {}", at.0, at.1);
        Ok(match (step, action) {
            (1, action) => self.numbered("SOOSORV MOVE", &action.stones())?,
            (4, action) => vec![yes_or_no("SOOSORV SWAP2", action == Action::Swap)],
            (3, Action::PlaceAndDeclare(_, count)) => {
                vec![message(format!("{} {count}", text("MOVE4", stones[0])))]
            }
            (5, _) => {
                let mut replies = vec![message("SOOSORV MOVE5 REFRESH")];
                replies.extend(stones.iter().map(|at| message(text("MOVE5", *at))));
                replies.push(message("SOOSORV MOVE5 DONE"));
                replies
            }
            _ => vec![message(text("MOVE5C", stones[0]))],
        })
    }

    /// The offered fifth moves, each on an empty point.
    fn offered(&self, moves: &[Coord]) -> Result<Vec<Point>, Refusal> {
        let free = self.board()?.free();
        let points: Vec<_> = moves.iter().map(|&at| self.point(at)).collect::<Result<_, _>>()?;
        match points.iter().all(|point| free.contains(*point)) {
            true if points.is_empty() => Err("No fifth moves are offered.".into()),
            true => Ok(points),
            false => Err("An offered fifth move is not on an empty point.".into()),
        }
    }

    /// `SWAP2 MOVE1 7 7` and so on.
    fn numbered(&self, name: &str, stones: &[Point]) -> Result<Vec<Reply>, Refusal> {
        let coords = self.coords(stones)?;
        let lines = coords.iter().enumerate();
        Ok(lines.map(|(i, at)| message(format!("{name}{} {} {}", i + 1, at.0, at.1))).collect())
    }

    fn database(&mut self, what: &Database, moves: &[Coord]) -> Result<Vec<Reply>, Refusal> {
        let position = self.in_order(moves)?.position(self.rule());
        match what {
            Database::QueryAll => self.query_all(&position),
            Database::QueryOne => {
                let entry = self.entry(&position).unwrap_or_default();
                let text = format!("DATABASE ONE {} {}", numbers(&entry), entry.board_text);
                Ok(vec![message(text.trim_end())])
            }
            Database::QueryText => Ok(vec![self.query_text(&position)]),
            Database::QueryAllAndText => {
                let mut replies = self.query_all(&position)?;
                replies.push(self.query_text(&position));
                Ok(replies)
            }
            Database::Edit { mask, label, value, depth } => self.edit(&position, |entry| {
                if mask & 1 != 0 {
                    entry.label = u8::try_from(*label).ok().filter(|label| *label != 0);
                }
                if mask & 2 != 0 {
                    entry.value = i32::try_from(*value).unwrap_or(0);
                }
                if mask & 4 != 0 {
                    entry.depth = i32::try_from(*depth).unwrap_or(0);
                    entry.bound = YixinBound::Exact;
                }
                if mask & 8 != 0 {
                    entry.comment.clear();
                }
            }),
            Database::EditText(text) => {
                self.edit(&position, |entry| entry.comment.clone_from(text))
            }
            Database::EditLabel(at, text) => {
                let mut child = position;
                child.play(self.point(*at)?).map_err(|error| error.to_string())?;
                self.edit(&child, |entry| entry.board_text.clone_from(text))
            }
            Database::SetBestMove => self.edit(&position, |entry| entry.label = Some(b'!')),
            Database::ClearBestMove => self.edit(&position, |entry| entry.label = None),
            Database::DeleteOne => {
                self.with_book(|book, _| book.delete(&position, YixinFilter::All, false))?;
                Ok(Vec::new())
            }
            Database::DeleteAll(text) => {
                let (filter, _) = YixinFilter::parse(text)
                    .ok_or_else(|| format!("Expected a filter such as wl or nonwl: {text}"))?;
                let gone = self.with_book(|book, _| book.delete(&position, filter, true))?;
                Ok(vec![message(format!("{gone} entries deleted"))])
            }
        }
    }

    fn query_all(&self, position: &Position) -> Result<Vec<Reply>, Refusal> {
        let mut replies = vec![message("DATABASE REFRESH")];
        let children = self.book.as_ref().map(|book| book.children(position)).unwrap_or_default();
        for (point, entry) in children {
            let at = self.coord(point)?;
            let has_comment = u8::from(!entry.comment.is_empty());
            let text = format!(
                "DATABASE {} {} {} {has_comment} {}",
                at.0,
                at.1,
                numbers(&entry),
                entry.board_text
            );
            replies.push(message(text.trim_end()));
        }
        replies.push(message("DATABASE DONE"));
        Ok(replies)
    }

    fn query_text(&self, position: &Position) -> Reply {
        let comment = self.entry(position).unwrap_or_default().comment.replace('\n', "\\n");
        message(format!("DATABASE TEXT \"{comment}\""))
    }

    fn entry(&self, position: &Position) -> Option<YixinEntry> {
        self.book.as_ref()?.get(position)
    }

    fn edit(
        &mut self,
        position: &Position,
        change: impl FnOnce(&mut YixinEntry),
    ) -> Result<Vec<Reply>, Refusal> {
        self.with_book(|book, _| {
            let mut entry = book.get(position).unwrap_or_default();
            change(&mut entry);
            book.put(position, entry)
        })?;
        Ok(Vec::new())
    }

    fn with_book<T>(
        &mut self,
        run: impl FnOnce(&mut dyn YixinBook, &Position) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let rule = self.rule();
        let position = match &self.board {
            Some(board) => board.position(rule),
            None => Position::new(rule, 15),
        };
        match &mut self.book {
            Some(book) => run(&mut **book, &position),
            None => Err("There is no database.".into()),
        }
    }

    fn path(&mut self, command: PathCommand, path: &str) -> Result<Vec<Reply>, Refusal> {
        let exchange = match command {
            PathCommand::HashDump => {
                return Ok(vec![message(self.with_book(|book, _| book.dump(path))?)]);
            }
            PathCommand::HashLoad => {
                return Ok(vec![message(self.with_book(|book, _| book.load(path))?)]);
            }
            PathCommand::SetDatabase => {
                self.with_book(|book, _| book.open(path))?;
                return Ok(vec![
                    message(format!("DATABASE LOAD START {path}")),
                    message("DATABASE LOAD DONE"),
                ]);
            }
            PathCommand::ToPos => Exchange::ToPos,
            PathCommand::ToText => Exchange::ToText,
            PathCommand::ToTextAll => Exchange::ToTextAll,
            PathCommand::FromText => Exchange::FromText,
            PathCommand::FromLibrary => Exchange::FromLibrary,
            PathCommand::ToLibrary => Exchange::ToLibrary,
            PathCommand::Split => Exchange::Split,
            PathCommand::Merge => Exchange::Merge,
        };
        let done = self.with_book(|book, position| book.exchange(exchange, path, position))?;
        Ok(vec![message(done)])
    }
}

fn message(text: impl Into<String>) -> Reply {
    Reply::Message(text.into())
}

fn yes_or_no(what: &str, yes: bool) -> Reply {
    message(format!("{what} {}", if yes { "YES" } else { "NO" }))
}

fn agreement(yes: bool) -> Reply {
    message(if yes { "DRAW ACCEPT" } else { "DRAW REJECT" })
}

/// Label, value, depth and bound.
fn numbers(entry: &YixinEntry) -> String {
    let label = entry.label.map_or(-1, i32::from);
    format!("{label} {} {} {}", entry.value, entry.depth, entry.bound as u8)
}
