//! What players spend: each is asked for a move at the positions of games, and its nodes and
//! evaluations are counted. Without a guide a player plays the games against itself.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::{
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};

use arena::{
    OpeningList, RunControl, Turn,
    seed::{self, SeedPart},
};
use gomoku::{Color, Game, Point, Position};
use player::{Choice, Limits, Player, Task};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    claim::{Claim, Quantity},
    experiment::Walk,
    journal::{self, Rows},
    measure::{Measure, Unit},
    run::{PapersError, RunContext, Tools},
    scale::Scale,
    starts,
};

pub(crate) const JOURNAL: &str = "rows.jsonl";

/// A player's way through one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// Number of the unit of work.
    pub(crate) index: u64,
    /// Number of the game.
    pub(crate) game: u64,
    /// Number of the player.
    pub(crate) player: usize,
    /// The whole game.
    pub(crate) moves: String,
    /// Who won, where the player played itself: B, W or D.
    pub(crate) result: Option<char>,
    /// What was spent, position by position.
    pub(crate) steps: Vec<Step>,
}

/// What a player spent on a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Step {
    /// Stones on the board.
    pub(crate) stones: usize,
    /// The move.
    pub(crate) point: String,
    /// Nodes.
    pub(crate) nodes: u64,
    /// Static evaluations.
    pub(crate) evaluations: u64,
    /// Microseconds.
    pub(crate) micros: u64,
}

/// A seat for each color, so that what a player keeps from move to move is its own.
pub(crate) struct Seats(pub(crate) [Box<dyn Player>; 2]);

impl Seats {
    /// Seats players for Black and White.
    pub(crate) fn new(
        tools: Tools<'_>,
        [black, white]: [&str; 2],
        game_seed: u64,
    ) -> Result<Seats, PapersError> {
        let mut seats = [tools.registry.build(black)?, tools.registry.build(white)?];
        for (number, seat) in seats.iter_mut().enumerate() {
            seat.new_game(game_seed.wrapping_add(number as u64));
        }
        Ok(Seats(seats))
    }

    pub(crate) fn ask(
        &mut self,
        position: &Position,
        limits: Limits,
        control: &RunControl,
    ) -> (Choice, Duration) {
        let started = Instant::now();
        let turn = Turn { started, hard: None, deadline: Duration::MAX, control };
        let seat = &mut self.0[usize::from(position.to_move() == Color::White)];
        let choice = seat.choose(&Task::new(position.clone(), limits), &turn);
        (choice, started.elapsed())
    }
}

/// The seed of game `number`.
pub(crate) fn game_seed(place: &str, number: u64) -> u64 {
    seed::derive(&[SeedPart::Text("papers/game"), SeedPart::Text(place), SeedPart::Number(number)])
}

/// Measures all players on all games, or resumes it.
pub(crate) fn run(
    part: &Walk,
    place: &str,
    folder: &Path,
    scale: Scale,
    context: &RunContext<'_>,
) -> Result<(), PapersError> {
    let games = scale.games(&part.amount);
    let book = starts::book(&part.start, place, games);
    let setting = serde_json::json!({"games": games, "part": part});
    let players = part.players.len() as u64;
    let tools = context.tools();
    units(&folder.join(JOURNAL), &setting, games * players, place, context, |index| {
        let (game, player) = (index / players, (index % players) as usize);
        walk(part, place, &book, (index, game, player), tools)
    })
}

/// Does numbered units of work on several threads, and writes down each as it is finished. Units
/// that the journal has are not done again.
pub(crate) fn units<T: Numbered>(
    path: &Path,
    setting: &serde_json::Value,
    total: u64,
    place: &str,
    context: &RunContext<'_>,
    work: impl Fn(u64) -> Result<Option<T>, PapersError> + Sync,
) -> Result<(), PapersError> {
    let (mut journal, rows) = Rows::open::<T>(path, setting)?;
    let known: BTreeSet<u64> = rows.iter().map(Numbered::index).collect();
    let open: Vec<u64> = (0..total).filter(|index| !known.contains(index)).collect();
    let next = AtomicU64::new(0);
    let (sender, finished) = mpsc::channel();
    let control = &context.control;
    std::thread::scope(|scope| {
        for _ in 0..context.jobs.max(1) {
            let (sender, next, open, work) = (sender.clone(), &next, &open, &work);
            scope.spawn(move || {
                while !control.is_finishing() {
                    let place = next.fetch_add(1, Ordering::Relaxed) as usize;
                    let Some(&index) = open.get(place) else { break };
                    if sender.send(work(index)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut done = known.len() as u64;
        for row in finished {
            // Units that were broken off are done again another time.
            let Some(row) = row? else { continue };
            journal.append(&row)?;
            done += 1;
            context.tell(place, done, total);
        }
        if done < total { Err(PapersError::Interrupted) } else { Ok(()) }
    })
}

/// A row with the number of its unit of work.
pub(crate) trait Numbered: Serialize + DeserializeOwned + Send {
    fn index(&self) -> u64;
}

impl Numbered for Row {
    fn index(&self) -> u64 {
        self.index
    }
}

fn walk(
    part: &Walk,
    place: &str,
    book: &OpeningList,
    (index, number, player): (u64, u64, usize),
    tools: Tools<'_>,
) -> Result<Option<Row>, PapersError> {
    let entrant = &part.players[player];
    let limits = entrant.budget().limits();
    let seed = game_seed(place, number);
    let mut measured = Seats::new(tools, [&entrant.spec; 2], seed)?;
    let mut guide = match &part.guide {
        Some(spec) => Some(Seats::new(tools, [spec; 2], seed)?),
        None => None,
    };
    let start = book.get(number).cloned().unwrap_or_else(|| part.start.empty_board());
    let mut game = Game::new(start);
    let mut steps = Vec::new();
    let mut ply = 0;
    while game.result.is_none() {
        let position = game.position.clone();
        let stones = position.board().len();
        if part.most_stones.is_some_and(|most| stones >= most) {
            break;
        }
        let mut reply: Option<Point> = None;
        if guide.is_none() || ply % part.every == 0 {
            let (choice, time) = measured.ask(&position, limits, tools.control);
            reply = choice.point();
            steps.push(Step {
                stones,
                point: reply.map(|point| point.to_string()).unwrap_or_default(),
                nodes: choice.counters.nodes,
                evaluations: choice.counters.evaluations,
                micros: time.as_micros() as u64,
            });
        }
        if let Some(guide) = &mut guide {
            reply = guide.ask(&position, Limits::default(), tools.control).0.point();
        }
        if tools.control.is_stopped() {
            return Ok(None);
        }
        let Some(point) = reply else { break };
        if game.play(point).is_err() {
            break;
        }
        ply += 1;
    }
    let result = game.result.filter(|_| guide.is_none()).map(|result| match result.winner {
        Some(Color::Black) => 'B',
        Some(Color::White) => 'W',
        None => 'D',
    });
    let moves = game.position.to_text();
    Ok(Some(Row { index, game: number, player, moves, result, steps }))
}

/// Reads the rows of units of work, in the order of the units.
pub(crate) fn read<T: Numbered>(folder: &Path) -> Result<Vec<T>, PapersError> {
    let mut rows: Vec<T> = journal::read(&folder.join(JOURNAL))?;
    rows.sort_by_key(Numbered::index);
    Ok(rows)
}

/// What is spent on a step.
fn spent(step: &Step, what: Quantity) -> f64 {
    match what {
        Quantity::Evaluations => step.evaluations as f64,
        Quantity::Ms => step.micros as f64 / 1000.0,
        _ => step.nodes as f64,
    }
}

/// What a claim is about.
pub(crate) fn measure(part: &Walk, rows: &[Row], claim: &Claim) -> Option<Measure> {
    let place = |name: &Option<String>| {
        part.players.iter().position(|player| Some(&player.name) == name.as_ref())
    };
    let of = place(&claim.of)?;
    let results = || rows.iter().filter(|row| row.player == of).filter_map(|row| row.result);
    let won = |wanted: char| results().filter(|result| *result == wanted).count() as u64;
    let result = |wanted: char| Measure::share(won(wanted), results().count() as u64);
    match *claim.what.get_ref() {
        Quantity::BlackWins => result('B'),
        Quantity::WhiteWins => result('W'),
        Quantity::Draws => result('D'),
        Quantity::BlackShare => Measure::share(won('B'), won('B') + won('W')),
        Quantity::Growth => growth(rows, of),
        Quantity::SameMoves => same_moves(rows, of, place(&claim.per)?),
        Quantity::Knuth(depth) => knuth(rows, of, place(&claim.per)?, depth),
        Quantity::Saving => {
            let clusters = clusters(rows, of, place(&claim.per)?, Quantity::Nodes);
            let ratio = Measure::ratio(&clusters, Unit::Percent)?;
            let (value, low, high) = (1.0 - ratio.value, 1.0 - ratio.high, 1.0 - ratio.low);
            Some(Measure { value, low, high, ..ratio })
        }
        what @ (Quantity::Nodes | Quantity::Evaluations | Quantity::Ms) => match &claim.per {
            None => mean(rows, of, what),
            per => Measure::ratio(&clusters(rows, of, place(per)?, what), Unit::Factor),
        },
        // Claims are held against the kind of their part when they are read.
        _ => None,
    }
}

/// Mean of what a player spends, over all positions.
pub(crate) fn mean(rows: &[Row], of: usize, what: Quantity) -> Option<Measure> {
    let clusters: Vec<(f64, f64)> = rows
        .iter()
        .filter(|row| row.player == of)
        .map(|row| (row.steps.iter().map(|step| spent(step, what)).sum(), row.steps.len() as f64))
        .collect();
    Measure::ratio(&clusters, Unit::Number)
}

/// Sums of what two players spend, game by game.
fn clusters(rows: &[Row], of: usize, per: usize, what: Quantity) -> Vec<(f64, f64)> {
    let sums = |player: usize| -> BTreeMap<u64, f64> {
        rows.iter()
            .filter(|row| row.player == player)
            .map(|row| {
                // Games of a player against itself differ in length.
                let scale = if row.result.is_some() { row.steps.len().max(1) as f64 } else { 1.0 };
                (row.game, row.steps.iter().map(|step| spent(step, what)).sum::<f64>() / scale)
            })
            .collect()
    };
    let (top, bottom) = (sums(of), sums(per));
    top.iter().filter_map(|(game, top)| Some((*top, *bottom.get(game)?))).collect()
}

/// Evaluations in the later half of each game for one in the earlier half.
fn growth(rows: &[Row], of: usize) -> Option<Measure> {
    let clusters: Vec<(f64, f64)> = rows
        .iter()
        .filter(|row| row.player == of && row.steps.len() >= 4)
        .map(|row| {
            let half = row.steps.len() / 2;
            let mean = |steps: &[Step]| {
                steps.iter().map(|s| s.evaluations as f64).sum::<f64>() / steps.len() as f64
            };
            (mean(&row.steps[half..]), mean(&row.steps[..half]))
        })
        .collect();
    Measure::ratio(&clusters, Unit::Factor)
}

/// Share of positions at which two players choose the same move.
fn same_moves(rows: &[Row], of: usize, per: usize) -> Option<Measure> {
    let (mut same, mut all) = (0, 0);
    for row in rows.iter().filter(|row| row.player == of) {
        let Some(other) = rows.iter().find(|r| r.player == per && r.game == row.game) else {
            continue;
        };
        for (ours, theirs) in row.steps.iter().zip(&other.steps) {
            same += u64::from(ours.point == theirs.point);
            all += 1;
        }
    }
    Measure::share(same, all)
}

/// Evaluations of alpha-beta for each one of the fewest possible (Knuth and Moore 1975): with b
/// moves a node and depth d, b^ceil(d/2) + b^floor(d/2) - 1, where b^d is what minimax evaluates.
fn knuth(rows: &[Row], of: usize, minimax: usize, depth: u32) -> Option<Measure> {
    let d = f64::from(depth.max(1));
    let mut clusters = Vec::new();
    for row in rows.iter().filter(|row| row.player == of) {
        let full = rows.iter().find(|r| r.player == minimax && r.game == row.game)?;
        let bound = |step: &Step| {
            let branching = (step.evaluations.max(1) as f64).powf(1.0 / d);
            branching.powf((d / 2.0).ceil()) + branching.powf((d / 2.0).floor()) - 1.0
        };
        let spent = row.steps.iter().map(|step| step.evaluations as f64).sum();
        clusters.push((spent, full.steps.iter().map(bound).sum()));
    }
    Measure::ratio(&clusters, Unit::Factor)
}
