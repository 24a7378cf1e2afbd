//! The report: our numbers beside the papers', for people who have not read them.

mod board;
mod digest;
mod doc;
mod forest;
mod html;
mod known;
mod markdown;
mod overview;
mod parts;
mod readings;

use std::{collections::BTreeMap, fs, path::Path};

use crate::{
    claim::{Claim, ClaimReason},
    evolve::{self, Evolved},
    experiment::{Experiment, Part},
    find,
    games::{self, Played},
    measure::{Measure, Unit},
    readings as tables,
    run::PapersError,
    scale::Scale,
    spent::{Spent, rough_time},
    verdict::{ClaimVerdict, Judged, judge},
    walk,
};
use doc::{Block, Cell};
use known::Known;

/// What the journals of a folder show.
#[derive(Clone, Debug)]
pub struct Report {
    scale: Scale,
    build: String,
    spent: Spent,
    sections: Vec<Section>,
}

#[derive(Clone, Debug)]
struct Section {
    experiment: Experiment,
    findings: Vec<(Part, Finding)>,
    judged: Vec<Judged>,
}

/// What a part has found.
#[derive(Clone, Debug)]
enum Finding {
    Nothing,
    Games(Box<Played>),
    Walk(Vec<walk::Row>),
    Find(Vec<find::Row>),
    Evolve(Evolved),
    Readings(Vec<tables::Row>),
}

impl Finding {
    fn read(part: &Part, folder: &Path) -> Result<Finding, PapersError> {
        let folder = folder.join(part.name());
        Ok(match part {
            Part::Games(_) => {
                let played = games::read(&folder)?;
                played.map_or(Finding::Nothing, |played| Finding::Games(Box::new(played)))
            }
            Part::Evolve(_) => evolve::read(&folder)?.map_or(Finding::Nothing, Finding::Evolve),
            Part::Walk(_) => match walk::read(&folder)? {
                rows if rows.is_empty() => Finding::Nothing,
                rows => Finding::Walk(rows),
            },
            Part::Find(_) => match walk::read(&folder)? {
                rows if rows.is_empty() => Finding::Nothing,
                rows => Finding::Find(rows),
            },
            Part::Readings(_) => match walk::read(&folder)? {
                rows if rows.is_empty() => Finding::Nothing,
                rows => Finding::Readings(rows),
            },
        })
    }

    fn measure(&self, part: &Part, claim: &Claim) -> Option<Measure> {
        match (self, part) {
            (Finding::Games(played), _) => played.measure(claim),
            (Finding::Walk(rows), Part::Walk(part)) => walk::measure(part, rows, claim),
            (Finding::Find(rows), _) => {
                let found = rows.iter().map(|row| row.examples.len()).sum::<usize>();
                Some(Measure::exact(found as f64, Unit::Number))
            }
            // A shorter evolution says nothing about the generations that the paper names.
            (Finding::Evolve(evolved), Part::Evolve(part))
                if evolved.every * part.snapshots == part.generations.0 =>
            {
                evolved.measure(*claim.what.get_ref())
            }
            _ => None,
        }
    }
}

impl Finding {
    /// What readings of the table that a claim is about say of it.
    fn explain(&self, part: &Part, claim: &Claim) -> Option<readings::Explained> {
        match (self, part) {
            (Finding::Readings(rows), Part::Readings(part)) => readings::explain(part, rows, claim),
            _ => None,
        }
    }
}

impl Report {
    /// Reads the journals of a folder. What is not there is reported as not run.
    ///
    /// # Errors
    /// When a journal is damaged.
    pub fn read(
        folder: &Path,
        scale: Scale,
        build: &str,
        experiments: &[Experiment],
    ) -> Result<Report, PapersError> {
        let known = Known::read(folder, experiments)?;
        let section = |experiment: &Experiment| {
            let id = &experiment.id;
            let judged = experiment.claims.iter().map(|claim| {
                judge(claim, known.measure(id, claim), |why| known.explain(id, claim, why))
            });
            Section {
                experiment: experiment.clone(),
                findings: known.of(experiment),
                judged: judged.collect(),
            }
        };
        let sections = experiments.iter().map(section).collect();
        let spent = Spent::read(folder)?;
        Ok(Report { scale, build: build.to_owned(), spent, sections })
    }

    /// Every claim with its verdict, by experiment.
    pub fn judged(&self) -> impl Iterator<Item = (&str, &Judged)> {
        self.sections.iter().flat_map(|section| {
            section.judged.iter().map(|judged| (section.experiment.id.as_str(), judged))
        })
    }

    /// Writes `report.html`, which needs nothing else, and `report.md` with its plots beside it.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), PapersError> {
        let blocks = self.blocks();
        let plots = folder.join("plots");
        fs::create_dir_all(&plots)?;
        for block in &blocks {
            if let Block::Svg { name, svg, .. } = block {
                fs::write(plots.join(format!("{name}.svg")), svg)?;
            }
        }
        fs::write(folder.join("report.md"), markdown::render(&blocks))?;
        fs::write(folder.join("report.html"), html::render("The papers, reproduced", &blocks))?;
        Ok(())
    }

    fn duration(&self) -> String {
        match self.spent.jobs {
            0 => "its time not measured".to_owned(),
            1 => format!("in {}, one game at a time", rough_time(self.spent.total())),
            n => format!("in {}, {n} games at a time", rough_time(self.spent.total())),
        }
    }

    fn time_of(&self, experiment: &str) -> String {
        self.spent.seconds.get(experiment).map_or("–".to_owned(), |&seconds| rough_time(seconds))
    }

    fn count(&self, verdict: ClaimVerdict) -> usize {
        self.judged().filter(|(_, judged)| judged.verdict == verdict).count()
    }

    fn blocks(&self) -> Vec<Block> {
        let mut blocks =
            vec![Block::Heading(1, "The papers, reproduced".to_owned(), String::new())];
        blocks.extend(self.overview());
        blocks.push(Block::Heading(2, "Every experiment".to_owned(), "experiments".to_owned()));
        blocks.extend(self.introduction());
        for section in &self.sections {
            blocks.extend(section.blocks());
            if section.experiment.is_about_readings() {
                blocks.extend(self.explained());
            }
        }
        blocks
    }

    /// The numbers of Liao's tables that differ, and the readings that give them.
    fn explained(&self) -> Vec<Block> {
        let found = |by: &str| {
            let (id, name) = by.split_once('/')?;
            let section = self.sections.iter().find(|section| section.experiment.id == id)?;
            section.findings.iter().find(|(part, _)| part.name() == name)
        };
        let (mut rows, mut numbers) = (Vec::new(), BTreeMap::new());
        for (id, judged) in self.judged().filter(|(_, j)| j.verdict == ClaimVerdict::Differs) {
            let Some(ClaimReason::Readings(by)) =
                judged.claim.why.as_ref().map(|why| why.get_ref())
            else {
                continue;
            };
            let explained =
                found(by).and_then(|(part, finding)| finding.explain(part, &judged.claim));
            let Some(explained) = explained else { continue };
            let ours =
                judged.measure.map_or("–".to_owned(), |measure| measure.plain(measure.value));
            let claim = [Cell::link(id), Cell::text(&judged.claim.text), Cell::number(ours)];
            // Two claims may be about one number of a table: it is counted once.
            numbers.insert((by, explained.cell), explained.is_met);
            rows.push([claim, explained.cells()].concat());
        }
        if rows.is_empty() {
            return Vec::new();
        }
        let met = numbers.values().filter(|is_met| **is_met).count();
        let text = format!(
            "Of the {} numbers of the tables that differ above, {met} are given by a reading that was \
             tried, and {} stay open. Different readings may give the numbers of one table; how many \
             a single one gives stands under each map.",
            numbers.len(),
            numbers.len() - met
        );
        let head = ["experiment", "what the paper says", "ours", "", "reading", "there"];
        vec![
            Block::Heading(3, "What the readings explain".to_owned(), String::new()),
            Block::Text(text),
            Block::table(&head, rows),
        ]
    }

    fn introduction(&self) -> Vec<Block> {
        let text = |text: &str| Block::Text(text.to_owned());
        let mut blocks = vec![
            text(
                "Five papers describe programs that play Gomoku (five in a row) by searching ahead \
                 and judging positions by the shapes of stones. Their tables and figures are \
                 measured here again with players rebuilt from the papers' text, from the same \
                 binary you can play against.",
            ),
            Block::Text(format!(
                "This run: {}, {}. Report by {}. Numbers in brackets are 95 % intervals. Games come in \
                 pairs with colors swapped, from openings that are fair to both sides, unless the \
                 part says otherwise. A *calculation* or *evaluation* is one static judgment of a \
                 position; a *node* is one stone placed in search.",
                self.scale.describe(),
                self.duration(),
                self.build
            )),
            text(
                "Verdicts are computed from the intervals. A printed number *agrees* when ours does \
                 not exclude it and our interval is narrow: at most 20 points wide for a share \
                 (about a hundred games), at most 40 % of the number itself for any other. A claim \
                 such as \"the deeper search is stronger\" *agrees* when our whole interval bears \
                 it out. What the interval excludes *differs*. A claim is *undecided* when the \
                 games would allow both. A reason names the experiment that shows it, or is called a guess.",
            ),
            Block::Text(format!(
                "Of {} claims, {} agree, {} differ, {} are undecided, {} were not run.",
                self.judged().count(),
                self.count(ClaimVerdict::Agrees),
                self.count(ClaimVerdict::Differs),
                self.count(ClaimVerdict::Undecided),
                self.count(ClaimVerdict::NotRun),
            )),
        ];
        let row = |section: &Section| {
            let count = |verdict| {
                let matching = section.judged.iter().filter(|judged| judged.verdict == verdict);
                match matching.count() {
                    0 => Cell::number("–"),
                    n => Cell::number(n),
                }
            };
            vec![
                Cell::link(&section.experiment.id),
                Cell::text(&section.experiment.paper),
                Cell::text(&section.experiment.question),
                count(ClaimVerdict::Agrees),
                count(ClaimVerdict::Differs),
                count(ClaimVerdict::Undecided),
                Cell::number(self.time_of(&section.experiment.id)),
                Cell::text(&digest::of(section).unwrap_or_else(|| "–".to_owned())),
            ]
        };
        let verdicts = ["agrees", "differs", "undecided"];
        let head =
            [&["experiment", "where", "question"], &verdicts[..], &["time", "digest"]].concat();
        blocks.push(Block::table(&head, self.sections.iter().map(row).collect()));
        blocks.push(text(
            "The *digest* stands for every move, node count and result of an experiment but its \
             times and its games by the clock: a second run of the same size has the same.",
        ));
        blocks
    }
}

impl Section {
    fn blocks(&self) -> Vec<Block> {
        let experiment = &self.experiment;
        let title = format!("{}: {}", experiment.id, experiment.title);
        let mut blocks = vec![
            Block::Heading(2, title, experiment.id.clone()),
            Block::Text(format!("{}. {}", experiment.paper, experiment.question)),
        ];
        if !experiment.background.is_empty() {
            blocks.push(Block::Text(experiment.background.clone()));
        }
        if !self.judged.is_empty() {
            blocks.push(self.verdicts());
            blocks.extend(self.intervals());
        }
        for quoted in &experiment.context {
            blocks.push(Block::Text(format!("*Quoted, cannot be repeated:* {quoted}")));
        }
        for (part, finding) in &self.findings {
            blocks.push(Block::Heading(3, part.name().replace('-', " "), String::new()));
            blocks.push(Block::Text(part.about().to_owned()));
            blocks.extend(parts::blocks(&experiment.id, part, finding));
        }
        blocks
    }

    fn intervals(&self) -> Option<Block> {
        let svg = forest::draw(&self.judged)?;
        let caption = "Green agrees, orange differs, gray is undecided.".to_owned();
        Some(Block::Svg { name: format!("{}-claims", self.experiment.id), svg, caption })
    }

    fn verdicts(&self) -> Block {
        let row = |judged: &Judged| {
            let ours = judged.measure.map_or("–".to_owned(), |measure| measure.shown());
            vec![
                Cell::text(&judged.claim.text),
                Cell::number(&judged.printed),
                Cell::number(&ours),
                Cell::verdict(judged.verdict),
                Cell::text(&judged.reason),
            ]
        };
        let head = ["what the paper says", "paper", "ours", "verdict", "reason"];
        Block::table(&head, self.judged.iter().map(row).collect())
    }
}
