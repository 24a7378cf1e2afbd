//! The report as Markdown, for terminals, commits and issue trackers.

use std::fmt::Write as _;

use stats::{Estimate, Verdict, rating_text};

use super::{PlayerLine, Report, TestLine};
use crate::plan::Schedule;

// Writing to a string cannot fail, so the results of `writeln!` are not looked at.

pub(super) fn page(report: &Report) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "# {}\n", title(report));
    let _ = writeln!(text, "{}\n", summary(report));
    if let Some(test) = &report.test {
        let _ = writeln!(text, "{}\n", test_sentence(test));
    }
    players(&mut text, report);
    meetings(&mut text, report);
    endings(&mut text, report);
    if let Some(ladder) = &report.ladder {
        let _ = writeln!(text, "\nLadder from the top: {}.", ladder.join(", "));
    }
    if let Some(digest) = &report.digest {
        let _ = writeln!(text, "\nDigest of the games: `{digest}`.");
    }
    text
}

/// The name that the run was given, or what was played, in one line.
pub(super) fn title(report: &Report) -> String {
    if !report.title.is_empty() {
        return report.title.clone();
    }
    let kind = match report.schedule {
        Schedule::Duel { .. } => "Match",
        Schedule::Gauntlet { .. } => "Gauntlet",
        Schedule::RoundRobin { .. } => "Round robin",
        Schedule::Ladder { .. } => "Ladder",
        Schedule::Sprt { .. } => "Sequential test",
    };
    format!("{kind} {}", report.run)
}

/// How much was played and why it ended.
pub(super) fn summary(report: &Report) -> String {
    let mut text = format!(
        "{} games in {} pairs, {} on {}x{}, openings: {}, seed {}. {}",
        report.games,
        report.pairs,
        report.rule,
        report.size,
        report.size,
        report.openings,
        report.seed,
        report.stop.sentence(),
    );
    if report.uncounted_pairs > 0 {
        let _ = write!(
            text,
            " {} more pairs were in flight when it ended; they are kept but not counted.",
            report.uncounted_pairs
        );
    }
    if !report.reproducible {
        text += " Not reproducible: time or threads have a say.";
    }
    text
}

/// What a sequential test says.
pub(super) fn test_sentence(test: &TestLine) -> String {
    let verdict = match test.verdict {
        Verdict::AcceptH1 => "passed",
        Verdict::AcceptH0 => "failed",
        Verdict::Undecided => "undecided",
    };
    format!(
        "Test of {} against {} ({}): **{verdict}**, LLR {:.3} in ({:.3}, {:.3}); \
         Elo corrected for the stopping rule {:.1} [{:.1}, {:.1}].",
        test.test.elo0,
        test.test.elo1,
        match test.test.model {
            stats::EloModel::Logistic => "logistic Elo",
            stats::EloModel::Normalized => "normalized Elo",
        },
        test.llr,
        test.lower,
        test.upper,
        test.unbiased.elo,
        test.unbiased.low,
        test.unbiased.high,
    )
}

fn players(text: &mut String, report: &Report) {
    *text += "| Player | Elo | ± | Games | W-D-L | Score | ms/move | Evaluations/move |\n";
    *text += "|---|---:|---:|---:|---:|---:|---:|---:|\n";
    for line in &report.players {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {}-{}-{} | {:.1} % | {:.2} | {} |",
            cell(&display_name(line)),
            rating(line),
            rating_error(line),
            line.wins + line.draws + line.losses,
            line.wins,
            line.draws,
            line.losses,
            100.0 * line.score,
            line.costs.ms,
            plain(line.costs.evaluations),
        );
    }
    *text += "\nElo is relative to the mean of these players; ± is half the 95 % interval";
    match report.first_move {
        Some((elo, error)) => {
            let _ = writeln!(text, ". Moving first was worth {elo:+.0} ± {error:.0} Elo.");
        }
        None => *text += ".\n",
    }
}

fn meetings(text: &mut String, report: &Report) {
    *text += "\n| Meeting | W-D-L | Pairs 0, ½, 1, 1½, 2 | Elo | 95 % | LOS | Normalized Elo |\n";
    *text += "|---|---:|---:|---:|---:|---:|---:|\n";
    for m in &report.meetings {
        let e = &m.estimate;
        let pairs: Vec<String> = m.pairs.0.iter().map(u64::to_string).collect();
        let nelo = match (e.nelo, e.nelo_error) {
            (Some(nelo), Some(error)) => format!("{nelo:+.1} ± {error:.1}"),
            _ => "–".to_owned(),
        };
        let _ = writeln!(
            text,
            "| {} – {} | {}-{}-{} | {} | {} | {} | {:.1} % | {nelo} |",
            cell(&m.first),
            cell(&m.second),
            m.games.wins(),
            m.games.draws(),
            m.games.losses(),
            pairs.join(" "),
            difference(e),
            interval(e, ", "),
            100.0 * e.los,
        );
    }
}

fn endings(text: &mut String, report: &Report) {
    let [black, white, drawn] = report.colors;
    let endings: Vec<String> = report.endings.iter().map(|(e, n)| format!("{e} {n}")).collect();
    let _ = writeln!(
        text,
        "\nBlack won {black}, White {white}, {drawn} drawn. Endings: {}.",
        if endings.is_empty() { "none".to_owned() } else { endings.join(", ") },
    );
    for line in report.players.iter().filter(|line| !line.faults.is_empty()) {
        let faults: Vec<String> = line.faults.iter().map(|(e, n)| format!("{e} {n}")).collect();
        let _ = writeln!(text, "Lost by its own fault: {}: {}.", line.name, faults.join(", "));
    }
}

/// The name, with the budget where there is one.
pub(super) fn display_name(line: &PlayerLine) -> String {
    match line.budget.describe() {
        budget if budget.is_empty() => line.name.clone(),
        budget => format!("{} ({budget})", line.name),
    }
}

/// A player's rating, or the bound of one who has won or lost every game.
pub(super) fn rating(line: &PlayerLine) -> String {
    let rated = line.elo.zip(line.elo_error);
    let text = rated.map(|(elo, error)| rating_text(line.score, elo, error, 1));
    // The error has a column of its own.
    text.map_or_else(dash, |text| text.split(" ± ").next().unwrap_or_default().to_owned())
}

/// Half the width of the rating's interval, where it has two ends.
pub(super) fn rating_error(line: &PlayerLine) -> String {
    plain(line.elo_error.filter(|_| line.score > 0.0 && line.score < 1.0))
}

/// The difference of a meeting, or its bound.
pub(super) fn difference(estimate: &Estimate) -> String {
    match estimate.elo_bound {
        Some(_) => estimate.elo_text(1),
        None if estimate.elo_error.is_finite() => format!("{:+.1}", estimate.elo),
        None => dash(),
    }
}

/// The interval of a difference, where it has two ends.
pub(super) fn interval(estimate: &Estimate, between: &str) -> String {
    match estimate.elo_bound {
        None if estimate.elo_error.is_finite() => {
            format!("{:+.1}{between}{:+.1}", estimate.elo_low, estimate.elo_high)
        }
        _ => dash(),
    }
}

fn dash() -> String {
    "–".to_owned()
}

/// A value, or a dash.
pub(super) fn plain(value: Option<f64>) -> String {
    value.filter(|v| v.is_finite()).map_or_else(dash, |v| format!("{v:.1}"))
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
