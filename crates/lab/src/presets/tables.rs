//! The papers' printed tables, made from the numbers the players use.

use player::PaperTable;

use crate::{eval, moves};

pub(super) fn liao() -> Vec<PaperTable> {
    let points = eval::ALGORITHM_3
        .map(|(name, condition, points)| row(&[name, condition, &points.to_string()]));
    let shapes = eval::TWENTY_SHAPES.map(|shape| {
        let (category, picture) = shape.name.rsplit_once(' ').unwrap_or((shape.name, ""));
        row(&[category, picture])
    });
    vec![
        PaperTable {
            name: "Algorithm 3",
            columns: vec!["parameter", "condition", "points"],
            rows: points.into(),
        },
        PaperTable { name: "Figure 2.3", columns: vec!["category", "shape"], rows: shapes.into() },
    ]
}

pub(super) fn fan_and_yuan() -> Vec<PaperTable> {
    let scored = eval::COMPOSITIONS.iter().filter(|c| c.score > 0);
    let scores = scored.map(|c| row(&[c.name, &c.score.to_string()]));
    let weights = eval::COMPOSITIONS
        .iter()
        .map(|c| row(&[c.name, &c.own_weight.to_string(), &c.opponent_weight.to_string()]));
    vec![
        PaperTable {
            name: "Scores (3.1)",
            columns: vec!["composition", "score"],
            rows: scores.collect(),
        },
        PaperTable {
            name: "Weights (3.1.3)",
            columns: vec!["composition", "our weight", "opponent's weight"],
            rows: weights.collect(),
        },
    ]
}

pub(super) fn gu() -> Vec<PaperTable> {
    let rows = eval::POINT_VALUES.map(|(_, name, points)| row(&[name, &points.to_string()]));
    vec![PaperTable {
        name: "Point values (ours; the paper prints none)",
        columns: vec!["shape", "points"],
        rows: rows.into(),
    }]
}

pub(super) fn figueira() -> Vec<PaperTable> {
    runs("Sets by open ends and turn", &eval::FIGUEIRA_TABLE)
}

pub(super) fn public() -> Vec<PaperTable> {
    runs("Runs by open ends and turn (the program's; the paper prints none)", &eval::PUBLIC_TABLE)
}

fn runs(name: &'static str, table: &[eval::RunPoints]) -> Vec<PaperTable> {
    let rows = table.iter().map(|(run, open, me, other)| {
        let open = open.map_or("-".to_owned(), |open| open.to_string());
        row(&[&run.to_string(), &open, &me.to_string(), &other.to_string()])
    });
    vec![PaperTable {
        name,
        columns: vec!["consecutive", "open ends", "me", "other"],
        rows: rows.collect(),
    }]
}

pub(super) fn xie() -> Vec<PaperTable> {
    let table_1 =
        moves::TABLE_1.map(|(_, name, empirical, _)| row(&[name, &empirical.to_string()]));
    let all = moves::TABLE_1.iter().chain(&eval::TABLE_3);
    let table_3 = all.map(|(_, name, empirical, optimized)| {
        row(&[name, &empirical.to_string(), &optimized.to_string()])
    });
    vec![
        PaperTable { name: "Table 1", columns: vec!["name", "value"], rows: table_1.into() },
        PaperTable {
            name: "Table 3",
            columns: vec!["shape", "empirical", "optimized"],
            rows: table_3.collect(),
        },
    ]
}

fn row(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}
