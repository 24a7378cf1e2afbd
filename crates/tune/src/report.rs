//! What a tuning run has shown, as Markdown, JSON and HTML.

use std::{fmt::Write as _, fs, io, path::Path};

use arena::plot::{Curve, Labels, curves};
use serde::Serialize;
use stats::Verdict;

use crate::{
    log::{Fit, Log, Snapshot, Tournament},
    optimizer::Optimizer,
    run::TuningResult,
    setup::SpaceSearch,
    space::{Genome, Space},
};

/// What a run has shown.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Name of the run.
    pub run: String,
    /// Its seed.
    pub seed: String,
    /// The start as it was typed.
    pub start: String,
    /// The tuned player.
    pub best: String,
    /// Each parameter with its value at the start and now.
    pub parameters: Vec<Parameter>,
    /// Generations finished.
    pub generations: u64,
    /// Games that counted in duels.
    pub tuning_games: u64,
    /// Snapshots against the start: Figure 6 of Xie 2022.
    pub snapshots: Vec<Snapshot>,
    /// The tournament that chose among the best snapshot's individuals.
    pub tournament: Option<Tournament>,
    /// The regression, if this was one.
    pub fit: Option<Fit>,
    /// The final test on openings that were not tuned on.
    pub test: Option<arena::Report>,
    #[serde(skip)]
    plots: Vec<String>,
}

/// A parameter before and after.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// At the start.
    pub start: String,
    /// Tuned.
    pub tuned: String,
}

impl Report {
    /// Gathers what the log and the outcome say.
    pub fn new(log: &Log, outcome: &TuningResult) -> Report {
        let setup = log.setup();
        let values = |genome: &Genome| setup.space.decode(genome);
        let before = values(&setup.space.start());
        let parameters =
            before.into_iter().zip(values(&outcome.best)).map(|((name, start), (_, tuned))| {
                Parameter { name, start: start.to_string(), tuned: tuned.to_string() }
            });
        let games = |duels: &[Vec<u8>]| duels.iter().map(|duel| duel.len() as u64).sum::<u64>();
        Report {
            run: match setup.game.title.as_str() {
                "" => setup.game.run.clone(),
                title => title.to_owned(),
            },
            seed: setup.game.seed.clone(),
            start: setup.game.players[0].spec.clone(),
            best: outcome.spec.clone(),
            parameters: parameters.collect(),
            generations: log.generations().count() as u64,
            tuning_games: log.generations().map(|line| games(&line.duels)).sum(),
            snapshots: log.snapshots().copied().collect(),
            tournament: log.tournament().cloned(),
            fit: log.fit().cloned(),
            test: outcome.test.as_ref().map(|(plan, played)| arena::Report::new(plan, played)),
            plots: plots(log),
        }
    }

    /// Writes `report.md`, `report.json` and `report.html`.
    ///
    /// # Errors
    /// When the files cannot be written.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        let json = serde_json::to_string_pretty(self).map_err(io::Error::other)?;
        fs::write(folder.join("report.json"), json + "\n")?;
        fs::write(folder.join("report.md"), self.markdown())?;
        fs::write(folder.join("report.html"), self.html())
    }

    /// The report as Markdown.
    pub fn markdown(&self) -> String {
        let mut text =
            format!("# Tuning {}\n\n{}\n\nTuned: `{}`\n\n", self.run, self.summary(), self.best);
        for (title, rows) in self.tables() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "## {title}\n");
            for (number, row) in rows.iter().enumerate() {
                let _ = writeln!(text, "| {} |", row.join(" | "));
                if number == 0 {
                    let _ = writeln!(text, "|{}", "---|".repeat(row.len()));
                }
            }
            text.push('\n');
        }
        text
    }

    /// The report as a page of its own.
    pub fn html(&self) -> String {
        let mut page = format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{0}</title><style>\
             body{{font:16px system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}}\
             table{{border-collapse:collapse}}td,th{{padding:.2rem .8rem;border-bottom:1px solid #ccc;\
             text-align:left}}code{{overflow-wrap:anywhere}}svg{{width:100%}}</style>\
             <h1>Tuning {0}</h1><p>{1}</p><p>Tuned: <code>{2}</code></p>\n",
            escape(&self.run),
            escape(&self.summary()),
            escape(&self.best)
        );
        for (title, rows) in self.tables() {
            let _ = writeln!(page, "<h2>{}</h2><table>", escape(&title));
            for (number, row) in rows.iter().enumerate() {
                let tag = if number == 0 { "th" } else { "td" };
                let cells = row.iter().map(|cell| format!("<{tag}>{}</{tag}>", escape(cell)));
                let _ = writeln!(page, "<tr>{}</tr>", cells.collect::<String>());
            }
            page += "</table>\n";
        }
        page + &self.plots.concat() + "</html>\n"
    }

    /// What was done and what came of it, in two sentences.
    fn summary(&self) -> String {
        let done = format!(
            "{} parameters of {} in {} generations with {} games in duels, seed {}.",
            self.parameters.len(),
            self.start,
            self.generations,
            self.tuning_games,
            self.seed
        );
        match self.test.as_ref().and_then(|test| test.test.as_ref()) {
            Some(line) => {
                let verdict = verdict(line.verdict, line.test.elo0, line.test.elo1);
                format!("{done} The final test on unseen openings: {verdict}.")
            }
            None => done,
        }
    }

    /// Every table: a title, then the head and the rows.
    fn tables(&self) -> Vec<(String, Vec<Vec<String>>)> {
        let mut tables = vec![("Parameters".to_owned(), self.table_3())];
        if !self.snapshots.is_empty() {
            let mut rows = vec![words(&["Generation", "Won", "Drawn", "Lost", "Score"])];
            rows.extend(self.snapshots.iter().map(|s| {
                let counts = [s.wins, s.draws, s.losses].map(|n| n.to_string());
                let score = format!("{:.1} %", 100.0 * s.score());
                [vec![s.generation.to_string()], counts.to_vec(), vec![score]].concat()
            }));
            tables.push(("Snapshots against the start".to_owned(), rows));
        }
        if let Some(tournament) = &self.tournament {
            let title = format!(
                "Elo among generation {}, {} games",
                tournament.generation, tournament.games
            );
            let mut rows = vec![words(&["Individual", "Rating"])];
            let each = (1..).zip(&tournament.ratings);
            rows.extend(
                each.map(|(i, rating): (u32, _)| vec![i.to_string(), format!("{rating:.2}")]),
            );
            tables.push((title, rows));
        }
        if let Some(fit) = &self.fit {
            let title = format!("Fit to {} positions, loss {:.4}", fit.positions, fit.loss);
            let mut rows = vec![words(&["Parameter", "Log odds each"])];
            rows.extend(self.parameters.iter().zip(&fit.weights).map(|(parameter, weight)| {
                let weight = weight.map_or("never seen".to_owned(), |w| format!("{w:.4}"));
                vec![parameter.name.clone(), weight]
            }));
            tables.push((title, rows));
        }
        if let Some(test) = &self.test {
            tables.push(("Tuned against the start, unseen openings".to_owned(), test_rows(test)));
        }
        tables
    }

    /// Two columns of parameters side by side, as in Table 3 of Xie 2022.
    fn table_3(&self) -> Vec<Vec<String>> {
        let mut rows = vec![words(&["Name", "Start", "Tuned", "Name", "Start", "Tuned"])];
        let half = self.parameters.len().div_ceil(2);
        let cells = |parameter: Option<&Parameter>| match parameter {
            Some(p) => vec![p.name.clone(), rounded(&p.start), rounded(&p.tuned)],
            None => words(&["", "", ""]),
        };
        for i in 0..half {
            let (left, right) = (self.parameters.get(i), self.parameters.get(half + i));
            rows.push([cells(left), cells(right)].concat());
        }
        rows
    }
}

fn words(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// A number to one decimal, as the paper prints them, or to four if it is small.
fn rounded(value: &str) -> String {
    let Ok(number) = value.parse::<f64>() else { return value.to_owned() };
    let grain = if number.abs() >= 10.0 { 10.0 } else { 10_000.0 };
    ((number * grain).round() / grain).to_string()
}

fn test_rows(test: &arena::Report) -> Vec<Vec<String>> {
    let mut rows = vec![words(&["What", "Value"])];
    let mut add = |what: &str, value: String| rows.push(vec![what.to_owned(), value]);
    for meeting in &test.meetings {
        let [lost, drawn, won] = meeting.games.0;
        add("Games", format!("{won} won, {drawn} drawn, {lost} lost"));
        let (elo, error) = (meeting.estimate.elo, meeting.estimate.elo_error);
        add("Elo", format!("{elo:+.1} ± {error:.1}"));
    }
    if let Some(line) = &test.test {
        let (worse, better) = (line.test.elo0, line.test.elo1);
        add("Test", format!("{worse} Elo or {better}? (sequential, 5 % error)"));
        let bounds = format!("{:.2} to {:.2}", line.lower, line.upper);
        add("Log-likelihood ratio", format!("{:.2}, decided outside {bounds}", line.llr));
        add("Verdict", verdict(line.verdict, worse, better));
    }
    add("End", test.stop.sentence().to_owned());
    rows
}

fn verdict(verdict: Verdict, worse: f64, better: f64) -> String {
    match verdict {
        Verdict::Undecided => "open: too few games to tell".to_owned(),
        Verdict::AcceptH0 => format!("rejected: rather {worse} Elo than {better}"),
        Verdict::AcceptH1 => format!("accepted: rather {better} Elo than {worse}"),
    }
}

fn plots(log: &Log) -> Vec<String> {
    let mut plots = Vec::new();
    let snapshots: Vec<&Snapshot> = log.snapshots().collect();
    if !snapshots.is_empty() {
        let points = snapshots.iter().map(|s| (s.generation as f64, 100.0 * s.score())).collect();
        let band = snapshots.iter().map(|s| {
            let (p, n) = (s.score(), f64::from(s.games().max(1)));
            let error = 196.0 * libm::sqrt(p * (1.0 - p) / n);
            (100.0 * p - error, 100.0 * p + error)
        });
        let name = "score with the noise to expect (95 %)".to_owned();
        let curve = Curve { name, points, band: band.collect() };
        let labels =
            Labels { title: "Snapshots against the start", x: "generation", y: "score in %" };
        plots.push(curves(labels, &[curve]));
    }
    if log.generations().next().is_some() {
        plots.extend(traces(log));
        plots.push(spread(log));
    }
    plots
}

/// The recommended value of each parameter by generation, a few in each plot.
fn traces(log: &Log) -> Vec<String> {
    const IN_ONE_PLOT: usize = 5;
    let setup = log.setup();
    let space: &Space = &setup.space;
    let start = space.start();
    let trace = |j: usize| Curve {
        name: space.genes[j].name.clone(),
        points: std::iter::once((0.0, start.0[j]))
            .chain(log.generations().map(|line| (line.generation as f64, line.answer.0[j])))
            .collect(),
        band: Vec::new(),
    };
    let all: Vec<Curve> = (0..space.len()).map(trace).collect();
    let y = "share of the range";
    let labels = Labels { title: "Parameters recommended", x: "generation", y };
    all.chunks(IN_ONE_PLOT).map(|some| curves(labels, some)).collect()
}

/// How far the population lies apart: the mean of the genes' standard deviations.
fn spread(log: &Log) -> String {
    let deviation = |population: &[Genome]| {
        let (n, d) = (population.len() as f64, population[0].0.len());
        let gene = |j: usize| {
            let mean = population.iter().map(|g| g.0[j]).sum::<f64>() / n;
            let squares = population.iter().map(|g| (g.0[j] - mean) * (g.0[j] - mean));
            libm::sqrt(squares.sum::<f64>() / n)
        };
        (0..d).map(gene).sum::<f64>() / d.max(1) as f64
    };
    let first = match &log.setup().search {
        SpaceSearch::Duels(method) => Some((0.0, deviation(&method.population()))),
        SpaceSearch::Regression { .. } => None,
    };
    let later =
        log.generations().map(|line| (line.generation as f64, deviation(&line.state.population())));
    let points = first.into_iter().chain(later).collect();
    let name = "standard deviation, mean of all parameters".to_owned();
    let curve = Curve { name, points, band: Vec::new() };
    let y = "share of the range";
    curves(Labels { title: "Spread of the population", x: "generation", y }, &[curve])
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
