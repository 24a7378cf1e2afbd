//! Tables for spreadsheets and scripts: one row per player, meeting and game.

use gomoku::Color;

use super::Report;
use crate::{plan::Plan, record::PairRecord};

pub(super) fn players(report: &Report) -> String {
    let head = [
        "name",
        "spec",
        "budget",
        "elo",
        "elo_error",
        "games",
        "wins",
        "draws",
        "losses",
        "score",
        "ms_per_move",
        "nodes_per_move",
        "evaluations_per_move",
    ];
    let rows = report.players.iter().map(|p| {
        vec![
            p.name.clone(),
            p.spec.clone(),
            p.budget.describe(),
            number(p.elo),
            number(p.elo_error),
            (p.wins + p.draws + p.losses).to_string(),
            p.wins.to_string(),
            p.draws.to_string(),
            p.losses.to_string(),
            format!("{:.4}", p.score),
            format!("{:.3}", p.costs.ms),
            number(p.costs.nodes),
            number(p.costs.evaluations),
        ]
    });
    table(&head, rows)
}

pub(super) fn meetings(report: &Report) -> String {
    let head = [
        "first",
        "second",
        "wins",
        "draws",
        "losses",
        "ll",
        "ld",
        "dd_wl",
        "wd",
        "ww",
        "score",
        "elo",
        "elo_low",
        "elo_high",
        "los",
        "nelo",
        "nelo_error",
    ];
    let rows = report.meetings.iter().map(|m| {
        let mut row = vec![
            m.first.clone(),
            m.second.clone(),
            m.games.wins().to_string(),
            m.games.draws().to_string(),
            m.games.losses().to_string(),
        ];
        row.extend(m.pairs.0.iter().map(u64::to_string));
        row.extend([
            format!("{:.4}", m.estimate.score),
            number(Some(m.estimate.elo)),
            number(Some(m.estimate.elo_low)),
            number(Some(m.estimate.elo_high)),
            format!("{:.5}", m.estimate.los),
            number(m.estimate.nelo),
            number(m.estimate.nelo_error),
        ]);
        row
    });
    table(&head, rows)
}

pub(super) fn games(plan: &Plan, pairs: &[PairRecord]) -> String {
    let head = [
        "pair",
        "game",
        "black",
        "white",
        "opening",
        "moves",
        "result",
        "ending",
        "plies",
        "ms",
        "nodes",
        "evaluations",
        "detail",
    ];
    let rows = pairs.iter().flat_map(|pair| {
        pair.games.iter().enumerate().map(move |(number, game)| {
            let name = |color| plan.players[pair.player(number, color)].name.clone();
            vec![
                pair.index.to_string(),
                number.to_string(),
                name(Color::Black),
                name(Color::White),
                pair.opening.clone(),
                game.moves.clone(),
                game.result.letter().to_string(),
                game.ending.to_string(),
                game.plies().to_string(),
                format!("{:.3}", game.times.iter().sum::<u64>() as f64 / 1000.0),
                game.nodes.iter().sum::<u64>().to_string(),
                game.evaluations.iter().sum::<u64>().to_string(),
                game.detail.clone(),
            ]
        })
    });
    table(&head, rows)
}

fn number(value: Option<f64>) -> String {
    value.filter(|v| v.is_finite()).map_or_else(String::new, |v| format!("{v:.3}"))
}

fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut text = head.join(",") + "\n";
    for row in rows {
        let fields: Vec<String> = row.iter().map(|field| quote(field)).collect();
        text += &(fields.join(",") + "\n");
    }
    text
}

/// Quotes a field where RFC 4180 asks for it.
fn quote(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_where_needed() {
        assert_eq!(quote("plain"), "plain");
        assert_eq!(quote("a,b"), "\"a,b\"");
        assert_eq!(quote("say \"x\""), "\"say \"\"x\"\"\"");
    }
}
