//! The report as one HTML page with its plots inside: nothing to fetch, works from a disk.

use std::collections::BTreeMap;

use gomoku::Color;
use stats::Estimate;

use super::{
    Report, markdown,
    moves::{Quantity, by_move_number},
};
use crate::{
    plan::Plan,
    plot::{Curve, Labels, RESULTS, curves, escape, histogram, shares},
    record::PairRecord,
    tally::{Tally, ratings},
};

/// Points of a curve over the games: more would not be seen.
const CHECKPOINTS: usize = 60;

const STYLE: &str = "
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; text-align: right; border-bottom: 1px solid #8884; }
th:first-child, td:first-child { text-align: left; }
svg { width: 100%; height: auto; margin: 1rem 0; }
code { overflow-wrap: anywhere; }
";

pub(super) fn page(report: &Report, plan: &Plan, pairs: &[PairRecord]) -> String {
    let title = escape(&markdown::title(report));
    let test = report.test.as_ref().map_or_else(String::new, |test| {
        format!("<p>{}</p>", escape(&markdown::test_sentence(test).replace("**", "")))
    });
    let digest = report.digest.as_ref().map_or_else(String::new, |digest| {
        format!("<p>Digest of the games: <code>{digest}</code></p>")
    });
    let plots = [
        elo_by_games(plan, pairs),
        by_color(report),
        costs(plan, pairs, Quantity::Evaluations),
        costs(plan, pairs, Quantity::Nodes),
        costs(plan, pairs, Quantity::Milliseconds),
        lengths(pairs),
    ];
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\
         <style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n<p>{}</p>\n{test}\n{}\n{}\n{}\n\
         <h2>By opening</h2>\n{}\n{digest}\n</body></html>\n",
        escape(&markdown::summary(report)),
        players(report),
        meetings(report),
        plots.join("\n"),
        openings(pairs),
    )
}

fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut html = String::from("<table><thead><tr>");
    html.extend(head.iter().map(|cell| format!("<th>{}</th>", escape(cell))));
    html += "</tr></thead><tbody>\n";
    for row in rows {
        html += "<tr>";
        html.extend(row.iter().map(|cell| format!("<td>{}</td>", escape(cell))));
        html += "</tr>\n";
    }
    html + "</tbody></table>"
}

fn players(report: &Report) -> String {
    let head = ["Player", "Elo", "±", "Won", "Drawn", "Lost", "Score", "ms/move", "Longest ms"];
    let rows = report.players.iter().map(|line| {
        vec![
            markdown::display_name(line),
            markdown::rating(line),
            markdown::rating_error(line),
            line.wins.to_string(),
            line.draws.to_string(),
            line.losses.to_string(),
            format!("{:.1} %", 100.0 * line.score),
            format!("{:.2}", line.costs.ms),
            format!("{:.2}", line.costs.longest_ms),
        ]
    });
    table(&head, rows)
}

fn meetings(report: &Report) -> String {
    let head = ["Meeting", "W-D-L", "Pairs", "Elo", "95 %", "LOS"];
    let rows = report.meetings.iter().map(|m| {
        let pairs: Vec<String> = m.pairs.0.iter().map(u64::to_string).collect();
        vec![
            format!("{} – {}", m.first, m.second),
            format!("{}-{}-{}", m.games.wins(), m.games.draws(), m.games.losses()),
            pairs.join(" "),
            markdown::difference(&m.estimate),
            markdown::interval(&m.estimate, " to "),
            format!("{:.1} %", 100.0 * m.estimate.los),
        ]
    });
    table(&head, rows)
}

/// Numbers of pairs at which curves over the games have a point.
fn checkpoints(pairs: usize) -> Vec<usize> {
    let mut points: Vec<usize> =
        (1..=CHECKPOINTS).map(|i| (pairs * i).div_ceil(CHECKPOINTS)).filter(|n| *n >= 2).collect();
    points.dedup();
    points
}

/// Elo as the games went by: with its interval for two players, as ratings for more.
fn elo_by_games(plan: &Plan, pairs: &[PairRecord]) -> String {
    let labels = Labels { title: "Elo by games", x: "games", y: "Elo" };
    if plan.players.len() == 2 {
        return curves(labels, &[duel_curve(plan, pairs)]);
    }
    let mut lines: Vec<Curve> = plan
        .players
        .iter()
        .map(|player| Curve { name: player.name.clone(), ..Curve::default() })
        .collect();
    for played in checkpoints(pairs.len()) {
        if let Some(rated) = ratings(plan.players.len(), &pairs[..played]) {
            for (line, elo) in lines.iter_mut().zip(rated.elo) {
                line.points.push((2.0 * played as f64, elo));
            }
        }
    }
    curves(labels, &lines)
}

fn duel_curve(plan: &Plan, pairs: &[PairRecord]) -> Curve {
    let mut curve = Curve { name: plan.players[0].name.clone(), ..Curve::default() };
    let mut tally = Tally::default();
    let mut wanted = checkpoints(pairs.len()).into_iter().peekable();
    for (played, pair) in (1..).zip(pairs) {
        tally.add(pair);
        if wanted.next_if_eq(&played).is_none() {
            continue;
        }
        let Estimate { elo, elo_low, elo_high, elo_bound, .. } = tally.estimate();
        // The first few games say nearly nothing; their intervals would flatten the rest.
        if let Some(bound) = elo_bound {
            // Beyond a bound there is no end: the curve is the bound.
            curve.points.push((2.0 * played as f64, bound));
            curve.band.push((bound, bound));
        } else if elo_high - elo_low < 1200.0 {
            curve.points.push((2.0 * played as f64, elo));
            curve.band.push((elo_low, elo_high));
        }
    }
    curve
}

fn by_color(report: &Report) -> String {
    let as_numbers = |counts: [u64; 3]| counts.map(|n| n as f64).to_vec();
    let rows: Vec<(String, Vec<f64>)> = report
        .players
        .iter()
        .flat_map(|line| {
            [
                (format!("{} as Black", line.name), as_numbers(line.as_black)),
                (format!("{} as White", line.name), as_numbers(line.as_white)),
            ]
        })
        .collect();
    shares("Results by color", &RESULTS, &rows)
}

/// A quantity over the game, one curve for each player; nothing when nobody counts it.
fn costs(plan: &Plan, pairs: &[PairRecord], quantity: Quantity) -> String {
    let labels = match quantity {
        Quantity::Evaluations => {
            Labels { title: "Evaluations per move", x: "move after the opening", y: "evaluations" }
        }
        Quantity::Nodes => {
            Labels { title: "Nodes per move", x: "move after the opening", y: "nodes" }
        }
        Quantity::Milliseconds => {
            Labels { title: "Time per move", x: "move after the opening", y: "ms" }
        }
    };
    let lines: Vec<Curve> = plan
        .players
        .iter()
        .enumerate()
        .map(|(player, contender)| Curve {
            name: contender.name.clone(),
            points: by_move_number(pairs, player, quantity),
            band: Vec::new(),
        })
        .collect();
    let counted = lines.iter().any(|line| line.points.iter().any(|point| point.1 > 0.0));
    if counted { curves(labels, &lines) } else { String::new() }
}

fn lengths(pairs: &[PairRecord]) -> String {
    const BIN: usize = 5;
    let mut counts: BTreeMap<usize, u64> = BTreeMap::new();
    for game in pairs.iter().flat_map(|pair| &pair.games) {
        *counts.entry(game.plies() / BIN).or_default() += 1;
    }
    let bars: Vec<(f64, f64, f64)> = counts
        .iter()
        .map(|(bin, count)| ((bin * BIN) as f64, ((bin + 1) * BIN) as f64, *count as f64))
        .collect();
    let labels = Labels { title: "Length of games", x: "moves after the opening", y: "games" };
    histogram(labels, &bars)
}

/// How each opening went: for the colors, and for the first player of its pairs.
fn openings(pairs: &[PairRecord]) -> String {
    let mut by_opening: BTreeMap<&str, ([u64; 3], Tally)> = BTreeMap::new();
    for pair in pairs {
        let (colors, tally) = by_opening.entry(&pair.opening).or_default();
        tally.add(pair);
        for game in &pair.games {
            colors[2 - game.half_points(Color::Black)] += 1;
        }
    }
    let head = ["Opening", "Games", "Black won", "Drawn", "White won", "First player"];
    let rows = by_opening.iter().map(|(opening, (colors, tally))| {
        vec![
            if opening.is_empty() { "empty board".to_owned() } else { (*opening).to_owned() },
            colors.iter().sum::<u64>().to_string(),
            colors[0].to_string(),
            colors[1].to_string(),
            colors[2].to_string(),
            format!("{:.0} %", 100.0 * Estimate::of(&tally.games).score),
        ]
    });
    table(&head, rows)
}
