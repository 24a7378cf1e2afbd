//! What the lab page draws of a run: standing, Elo over the games, cost by move, lengths, games.

use arena::{PairRecord, Plan, Schedule, Scheduler, Standing, Tally};
use gomoku::Color;
use serde_json::{Value, json};

/// Games counted, Elo of the first player with its interval, and the test's likelihood ratio. An end
/// that is not known is missing, as the Elo of a player who has won every game is.
pub(crate) type Step = (u64, Option<f64>, Option<f64>, Option<f64>, Option<f64>);

/// Games listed for the page, the latest of them.
const MAX_LISTED: usize = 2_000;
/// Points of a curve: more than a screen can show.
const MAX_STEPS: usize = 400;

/// Pairs in all.
pub(crate) fn total(plan: &Plan) -> u64 {
    let all = Scheduler::new(plan.schedule, plan.players.len()).total();
    all.unwrap_or_else(|| plan.schedule.pairs())
}

/// Where a run stands.
pub(crate) fn standing(value: &mut Value, plan: &Plan, standing: Option<&Standing>) {
    let players: Vec<_> = plan
        .players
        .iter()
        .map(|one| json!({ "name": one.name, "spec": one.spec, "limit": one.budget.describe() }))
        .collect();
    value["players"] = json!(players);
    value["name"] = json!(plan.title);
    value["rule"] = json!(plan.rule.name());
    value["size"] = json!(plan.size);
    value["seed"] = json!(plan.seed);
    value["openings"] = json!(plan.openings.name);
    value["schedule"] = json!(plan.schedule.name());
    value["total"] = json!(total(plan));
    value["reproducible"] = json!(plan.is_reproducible());
    if let Schedule::Sprt { test, .. } = plan.schedule {
        value["test"] = json!(test);
    }
    let Some(now) = standing else { return };
    let tally = now.count.meetings.get(&(0, 1)).copied().unwrap_or_default();
    let meetings = now.count.meetings.iter().map(|((a, b), tally)| {
        let [losses, draws, wins] = tally.games.0;
        json!([a, b, wins, draws, losses, estimate(tally)])
    });
    value["meetings"] = meetings.collect();
    value["played"] = json!(now.played);
    value["counted"] = json!(now.counted);
    value["games"] = json!(tally.games);
    value["pairs"] = json!(tally.pairs);
    value["estimate"] = estimate(&tally);
    value["colors"] = json!(now.count.colors);
    value["endings"] =
        now.count.endings.iter().map(|(ending, n)| (ending.name().to_owned(), json!(n))).collect();
    if let Some(trial) = &now.trial {
        let (low, high) = trial.bounds();
        value["llr"] = json!([trial.llr(), low, high]);
    }
    let left = total(plan).saturating_sub(now.played);
    if now.played_now > 0 {
        let each = now.elapsed.as_secs_f64() / now.played_now as f64;
        value["eta"] = json!(each * left as f64);
    }
}

fn estimate(tally: &Tally) -> Value {
    let estimate = tally.estimate();
    json!({
        "games": estimate.games, "score": estimate.score, "elo": finite(estimate.elo),
        "low": finite(estimate.elo_low), "high": finite(estimate.elo_high), "los": estimate.los,
        "error": finite(estimate.elo_error), "bound": estimate.elo_bound,
    })
}

/// JSON has no infinity.
fn finite(elo: f64) -> Option<f64> {
    Some(elo).filter(|elo| elo.is_finite())
}

/// One point of the curve of Elo.
pub(crate) fn step(standing: &Standing) -> Option<Step> {
    let tally = standing.count.meetings.get(&(0, 1))?;
    Some(point(tally, standing.trial.as_ref().map(|trial| trial.llr())))
}

fn point(tally: &Tally, llr: Option<f64>) -> Step {
    let estimate = tally.estimate();
    let (elo, low, high) = match estimate.elo_bound {
        Some(bound) if estimate.score > 0.5 => (None, Some(bound), None),
        Some(bound) => (None, None, Some(bound)),
        None => (finite(estimate.elo), finite(estimate.elo_low), finite(estimate.elo_high)),
    };
    (estimate.games, elo, low, high, llr)
}

/// The curve of a run that is read from its journal.
pub(crate) fn history(pairs: &[PairRecord]) -> Vec<Step> {
    let mut tally = Tally::default();
    pairs
        .iter()
        .map(|pair| {
            let mut one = Tally::default();
            one.add(pair);
            let is_first = pair.players[0] <= pair.players[1];
            tally = tally.plus(&if is_first { one } else { one.reversed() });
            point(&tally, None)
        })
        .collect()
}

/// Adds everything that is drawn.
pub(crate) fn add(value: &mut Value, plan: &Plan, pairs: &[PairRecord], history: &[Step]) {
    let stride = history.len().div_ceil(MAX_STEPS).max(1);
    let last = history.len().saturating_sub(1);
    let steps: Vec<_> = history
        .iter()
        .enumerate()
        .filter(|(i, _)| i % stride == 0 || *i == last)
        .map(|(_, step)| step)
        .collect();
    value["history"] = json!(steps);
    let players = 0..plan.players.len();
    value["costs"] = json!(players.map(|player| costs(pairs, player)).collect::<Vec<_>>());
    value["ratings"] = json!(ratings(plan, pairs));
    value["lengths"] = json!(lengths(pairs));
    value["list"] = json!(games(pairs));
    value["sides"] = json!(sides(plan, pairs));
}

/// Elo, half its interval, points and games of each player, for the cross table of a tournament.
fn ratings(plan: &Plan, pairs: &[PairRecord]) -> Vec<Value> {
    let Some(rated) = arena::ratings(plan.players.len(), pairs) else { return Vec::new() };
    let mut points = vec![(0.0, 0u64); plan.players.len()];
    for pair in pairs {
        for (number, game) in pair.games.iter().enumerate() {
            for color in Color::ALL {
                let (sum, games) = &mut points[pair.player(number, color)];
                *sum += game.half_points(color) as f64 / 2.0;
                *games += 1;
            }
        }
    }
    let rows = points.into_iter().zip(rated.elo).zip(rated.error);
    rows.map(|(((points, games), elo), error)| json!([elo, stats::Z95 * error, points, games]))
        .collect()
}

/// Evaluations by move number for one player: mean, and the tenth and ninetieth percentile; and
/// the mean milliseconds.
fn costs(pairs: &[PairRecord], player: usize) -> Vec<(usize, f64, f64, f64, f64)> {
    let mut columns: Vec<(Vec<u64>, Vec<u64>)> = Vec::new();
    for pair in pairs {
        for (number, game) in pair.games.iter().enumerate() {
            let offset = first_to_move(&pair.opening);
            for (ply, time) in game.times.iter().enumerate() {
                let color = Color::of_turn(ply + offset);
                if pair.player(number, color) != player {
                    continue;
                }
                let at = ply / 2;
                if columns.len() <= at {
                    columns.resize_with(at + 1, Default::default);
                }
                columns[at].1.push(*time);
                columns[at].0.extend(game.evaluations.get(ply).copied());
            }
        }
    }
    let fewest = pairs.len().div_ceil(5);
    columns
        .into_iter()
        .enumerate()
        .filter(|(_, (_, times))| times.len() >= fewest)
        .map(|(at, (mut evaluations, times))| {
            evaluations.sort_unstable();
            let (low, high) = (percentile(&evaluations, 0.1), percentile(&evaluations, 0.9));
            (at + 1, mean(&evaluations), low, high, mean(&times) / 1000.0)
        })
        .collect()
}

/// Stones of an opening of moves decide who moves first after it; 0 is Black.
fn first_to_move(opening: &str) -> usize {
    if opening.contains(':') {
        return usize::from(opening.trim().ends_with('w'));
    }
    opening.chars().filter(char::is_ascii_alphabetic).count() % 2
}

fn mean(values: &[u64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    values.iter().map(|v| *v as f64).sum::<f64>() / values.len() as f64
}

fn percentile(sorted: &[u64], share: f64) -> f64 {
    let at = (sorted.len().saturating_sub(1) as f64 * share).round() as usize;
    sorted.get(at).map_or(0.0, |value| *value as f64)
}

/// How many games had this many moves, in steps of five.
fn lengths(pairs: &[PairRecord]) -> Vec<u64> {
    let mut bins = Vec::new();
    for game in pairs.iter().flat_map(|pair| &pair.games) {
        let bin = game.plies() / 5;
        if bins.len() <= bin {
            bins.resize(bin + 1, 0);
        }
        bins[bin] += 1;
    }
    bins
}

/// The papers' summary for each player: wins as Black and White, draws, mean milliseconds a move,
/// evaluations in all.
fn sides(plan: &Plan, pairs: &[PairRecord]) -> Vec<Value> {
    (0..plan.players.len())
        .map(|player| {
            let (mut black, mut white, mut draws, mut ms, mut moves, mut evaluations) =
                (0, 0, 0, 0.0, 0u64, 0u64);
            for pair in pairs {
                let offset = first_to_move(&pair.opening);
                for (number, game) in pair.games.iter().enumerate() {
                    match game.result.color() {
                        None => draws += 1,
                        Some(color) if pair.player(number, color) != player => {}
                        Some(Color::Black) => black += 1,
                        Some(Color::White) => white += 1,
                    }
                    for (ply, time) in game.times.iter().enumerate() {
                        if pair.player(number, Color::of_turn(ply + offset)) == player {
                            ms += *time as f64 / 1000.0;
                            moves += 1;
                            evaluations += game.evaluations.get(ply).copied().unwrap_or(0);
                        }
                    }
                }
            }
            json!({
                "name": plan.players[player].name, "black": black, "white": white, "draws": draws,
                "ms": ms, "msPerMove": ms / moves.max(1) as f64, "evaluations": evaluations,
            })
        })
        .collect()
}

/// Pair, game, who had Black, result, ending, moves, evaluations, opening, who had White.
fn games(pairs: &[PairRecord]) -> Vec<Value> {
    let skip = pairs.len().saturating_sub(MAX_LISTED / 2);
    let list = pairs.iter().skip(skip).flat_map(|pair| {
        pair.games.iter().enumerate().map(move |(number, game)| {
            json!([
                pair.index,
                number,
                pair.player(number, Color::Black),
                game.result.letter().to_string(),
                game.ending.name(),
                game.plies(),
                game.evaluations.iter().sum::<u64>(),
                pair.opening,
                pair.player(number, Color::White),
            ])
        })
    });
    list.collect()
}

/// A game of a run in the form that the page opens.
pub(crate) fn game_document(plan: &Plan, pair: &PairRecord, number: usize) -> Option<Value> {
    let game = pair.games.get(number)?;
    let mut nodes = vec![json!({ "p": -1 })];
    let opening = gomoku::Position::parse(&pair.opening, plan.rule, plan.size).ok()?;
    let before = opening.moves().iter().map(ToString::to_string);
    for (index, point) in before.chain(split_moves(&game.moves)).enumerate() {
        let ply = index.checked_sub(opening.moves().len());
        nodes.push(json!({
            "p": index, "m": point,
            "t": ply.and_then(|ply| game.times.get(ply)).map(|micros| micros / 1000),
            "n": ply.and_then(|ply| game.evaluations.get(ply)),
        }));
    }
    let names = Color::ALL.map(|color| plan.players[pair.player(number, color)].name.clone());
    let winner = game.result.color().map(|color| color as u8);
    // A run is named by a person, and by the time it began so that there is only one.
    let run = plan.run.rsplit_once('-').map_or(plan.run.as_str(), |(name, _)| name);
    Some(json!({
        "rule": plan.rule.name(), "size": plan.size, "names": names, "nodes": nodes,
        "title": format!("{run} · {}.{}", pair.index + 1, number + 1),
        "end": { "winner": winner, "ending": game.ending.name() },
    }))
}

/// `h8i9` as its moves.
fn split_moves(text: &str) -> impl Iterator<Item = String> {
    let starts: Vec<_> =
        text.char_indices().filter(|(_, c)| c.is_ascii_alphabetic()).map(|(i, _)| i).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]).collect::<Vec<_>>();
    let text = text.to_owned();
    starts.into_iter().zip(ends).map(move |(from, to)| text[from..to].trim().to_owned())
}
