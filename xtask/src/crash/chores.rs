//! Commands that end by themselves and can be taken up again: matches, tunings, experiments, books,
//! openings, proofs. Whatever happens on the way, the result is that of an undisturbed run.

use std::{
    path::Path,
    process::Output,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::{Fault, Random, Scene, Work, files, flip, process};

/// A command as data. `DIR` in its words is the folder of the round.
pub(super) struct Recipe {
    pub(super) name: &'static str,
    first: &'static [&'static str],
    /// What resumes it once the file below is there; the same words again if there are none.
    again: &'static [&'static str],
    /// What it keeps: once this has a line, it has begun.
    record: &'static str,
    /// What is damaged; lines of text have no checksum, and are left alone.
    damaged: &'static str,
    /// The files that hold the result; without any, what it prints does.
    results: &'static [&'static str],
    /// A command that must then succeed.
    check: &'static [&'static str],
    /// Whether its games are rated; then the result has a line for each.
    is_rated: bool,
}

const NONE: Recipe = Recipe {
    name: "",
    first: &[],
    again: &[],
    record: "",
    damaged: "",
    results: &[],
    check: &[],
    is_rated: false,
};

pub(super) fn all() -> Vec<Recipe> {
    vec![
        Recipe {
            name: "match",
            first: &[
                "match",
                "static-table(depth=1)",
                "greedy",
                "--games",
                "300",
                "--jobs",
                "2",
                "--name",
                "m",
                "--data",
                "DIR",
            ],
            again: &["match", "--resume", "m", "--jobs", "2", "--data", "DIR"],
            record: "runs/m/journal.jsonl",
            damaged: "runs/m/journal.jsonl",
            results: &["runs/m/report/games.log"],
            is_rated: true,
            ..NONE
        },
        Recipe {
            name: "tune",
            first: &[
                "tune",
                "de",
                "--player",
                "static-table",
                "--generations",
                "4",
                "--games",
                "2",
                "--snapshot-games",
                "4",
                "--test-games",
                "20",
                "--depth",
                "1",
                "--jobs",
                "2",
                "--name",
                "t",
                "--data",
                "DIR",
            ],
            again: &["tune", "--resume", "t", "--jobs", "2", "--data", "DIR"],
            record: "runs/t/tune.jsonl",
            damaged: "runs/t/tune.jsonl",
            results: &["runs/t/tune.jsonl", "runs/t/best.toml"],
            ..NONE
        },
        Recipe {
            name: "papers",
            first: &[
                "papers",
                "run",
                "alpha-beta-gain",
                "--quick",
                "--dir",
                "DIR/p",
                "--jobs",
                "2",
            ],
            again: &[
                "papers",
                "run",
                "alpha-beta-gain",
                "--quick",
                "--dir",
                "DIR/p",
                "--jobs",
                "2",
                "--resume",
            ],
            record: "p/papers.json",
            damaged: "p/alpha-beta-gain/depths/rows.jsonl",
            results: &["p/alpha-beta-gain/depths/rows.jsonl"],
            ..NONE
        },
        Recipe {
            name: "book",
            first: &[
                "book",
                "build",
                "--book",
                "DIR/b.redb",
                "--entries",
                "60",
                "--nodes",
                "600",
                "--json",
            ],
            record: "b.redb",
            damaged: "b.redb",
            ..NONE
        },
        Recipe {
            name: "openings",
            first: &[
                "openings",
                "generate",
                "--count",
                "12",
                "--nodes",
                "600",
                "--out",
                "DIR/o.txt",
            ],
            record: "o.txt.log",
            results: &["o.txt"],
            ..NONE
        },
        Recipe {
            name: "prove",
            first: &[
                "prove",
                "h8o15g9a1",
                "--move",
                "j6",
                "--quiet",
                "3",
                "--log",
                "DIR/p.log",
                "--out",
                "DIR/w.proof",
            ],
            record: "p.log",
            damaged: "p.log",
            check: &["verify", "DIR/w.proof"],
            ..NONE
        },
        Recipe {
            name: "selfplay",
            first: &["selfplay", "DIR/s.txt", "--games", "24", "--nodes", "200", "--jobs", "2"],
            record: "s.txt",
            results: &["s.txt"],
            ..NONE
        },
    ]
}

/// A recipe, and what comes of it undisturbed.
pub(super) struct Chore {
    recipe: Recipe,
    wanted: String,
    time: Duration,
    /// The longest file that it writes, in blocks of 512 bytes.
    blocks: u64,
}

impl Chore {
    pub(super) fn new(recipe: Recipe, scene: &Scene) -> Result<Chore> {
        let folder = scene.folder.join(format!("undisturbed-{}", recipe.name));
        std::fs::create_dir_all(&folder)?;
        let mut chore = Chore { recipe, wanted: String::new(), time: Duration::ZERO, blocks: 0 };
        let began = Instant::now();
        let output = process::run(chore.command(scene, &folder, None))?;
        chore.time = began.elapsed();
        let name = chore.recipe.name;
        chore.wanted =
            chore.result(scene, output, &folder).with_context(|| format!("undisturbed {name}"))?;
        for kept in
            [chore.recipe.record, chore.recipe.damaged].iter().filter(|kept| !kept.is_empty())
        {
            let length = folder.join(kept).metadata().map_or(0, |about| about.len());
            ensure!(length > 0, "{name} leaves nothing in {kept}: there is nothing to disturb");
        }
        let lengths = files(&folder).into_iter().filter_map(|file| file.metadata().ok());
        chore.blocks = lengths.map(|about| about.len()).max().unwrap_or(0) / 512 + 1;
        Ok(chore)
    }

    /// The command that begins or resumes the work, perhaps on a disk with little room.
    fn command(&self, scene: &Scene, folder: &Path, blocks: Option<u64>) -> std::process::Command {
        let record = std::fs::read(folder.join(self.recipe.record)).unwrap_or_default();
        // A first line that is torn is none.
        let is_begun = match self.recipe.record.ends_with(".jsonl") {
            true => record.contains(&b'\n'),
            false => !record.is_empty(),
        };
        let words = match self.recipe.again {
            [] => self.recipe.first,
            again if is_begun => again,
            _ => self.recipe.first,
        };
        let words = words_in(words, folder);
        match blocks {
            Some(blocks) => process::command_on_full_disk(&scene.tengen(), &words, blocks),
            None => process::command(&scene.tengen(), &words),
        }
    }

    /// What a run that has come to its end has brought.
    fn result(&self, scene: &Scene, output: Output, folder: &Path) -> Result<String> {
        let printed = process::expect_success(output)?;
        if !self.recipe.check.is_empty() {
            let words = words_in(self.recipe.check, folder);
            process::expect_success(process::run(process::command(&scene.tengen(), &words))?)?;
            return Ok(String::new());
        }
        if self.recipe.results.is_empty() {
            return Ok(printed);
        }
        let read = |name: &&str| Ok(timeless(&std::fs::read_to_string(folder.join(name))?));
        Ok(self.recipe.results.iter().map(read).collect::<Result<Vec<_>>>()?.concat())
    }

    /// A run has come to its end, and the result is the right one.
    fn expect(&self, scene: &Scene, output: Output, folder: &Path, when: &str) -> Result<()> {
        let found = self.result(scene, output, folder)?;
        ensure!(found == self.wanted, "it comes to another result {when}");
        Ok(())
    }

    /// Lets one thing happen to the work, begun or resumed. How far that has brought it.
    fn disturb(
        &self,
        fault: Fault,
        scene: &Scene,
        folder: &Path,
        random: &mut Random,
    ) -> Result<State> {
        let wait = random.within(self.time);
        match fault {
            Fault::Kill => {
                let is_hit = process::kill_after(self.command(scene, folder, None), wait)?;
                return Ok(if is_hit { State::Disturbed } else { State::Missed });
            }
            Fault::Stop => {
                let command = self.command(scene, folder, None);
                let (output, is_hit) = process::stop_after(command, wait, random)?;
                self.expect(scene, output, folder, "after standing still")?;
                return Ok(if is_hit { State::Ended } else { State::Missed });
            }
            Fault::Full => {
                let blocks = Some(random.below(self.blocks));
                let output = process::run(self.command(scene, folder, blocks))?;
                if output.status.success() {
                    self.expect(scene, output, folder, "on a small disk")?;
                    return Ok(State::Missed);
                }
                told(&output, "a full disk")?;
            }
            Fault::Flip => {
                let record = folder.join(self.recipe.damaged);
                if !record.metadata().is_ok_and(|about| about.is_file() && about.len() > 0) {
                    return Ok(State::Missed);
                }
                let before = flip(&record, random)?;
                let output = process::run(self.command(scene, folder, None))?;
                if output.status.success() {
                    self.expect(scene, output, folder, "from a changed record")?;
                    return Ok(State::Ended);
                }
                told(&output, "a changed record")?;
                std::fs::write(&record, before)?;
            }
        }
        Ok(State::Disturbed)
    }

    /// The ratings are those of the journal.
    fn check_ratings(&self, scene: &Scene, folder: &Path) -> Result<()> {
        let words = words_in(&["ratings", "--json", "--data", "DIR"], folder);
        let output = process::run(process::command(&scene.tengen(), &words))?;
        ensure!(output.stderr.is_empty(), "a journal cannot be read for the ratings");
        let rated: Value = serde_json::from_str(&process::expect_success(output)?)?;
        let games = self.wanted.lines().count();
        ensure!(rated[0]["games"] == games, "the ratings are not of all {games} games: {rated}");
        Ok(())
    }
}

impl Work for Chore {
    fn name(&self) -> &'static str {
        self.recipe.name
    }

    fn round(&self, scene: &mut Scene, folder: &Path, random: &mut Random) -> Result<()> {
        for _ in 0..2 + random.below(4) {
            let fault = Fault::any(random);
            let state = self.disturb(fault, scene, folder, random)?;
            if state != State::Missed {
                scene.count(fault);
            }
            // What has ended cannot be disturbed, so it begins anew.
            if state == State::Ended {
                std::fs::remove_dir_all(folder)?;
                std::fs::create_dir_all(folder)?;
            }
        }
        let output = process::run(self.command(scene, folder, None))?;
        self.expect(scene, output, folder, "than undisturbed")?;
        if self.recipe.is_rated {
            self.check_ratings(scene, folder)?;
        }
        Ok(())
    }
}

/// What a fault has done to a piece of work.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing: the work was done before.
    Missed,
    /// It is to be taken up again.
    Disturbed,
    /// It came to its end all the same.
    Ended,
}

/// It has failed in words.
fn told(output: &Output, why: &str) -> Result<()> {
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(!said.contains("panicked"), "{why} makes it panic: {said}");
    ensure!(!said.trim().is_empty(), "{why} makes it fail without a word");
    Ok(())
}

/// The lines without what no two runs have alike: times taken, and the order in which jobs end.
fn timeless(text: &str) -> String {
    let mut lines: Vec<String> = text
        .lines()
        .map(|line| match serde_json::from_str(line) {
            Ok(mut value) => {
                strip(&mut value);
                format!("{value}\n")
            }
            Err(_) => format!("{line}\n"),
        })
        .collect();
    lines.sort();
    lines.concat()
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !["micros", "sum"].contains(&name.as_str()));
            fields.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

fn words_in(words: &[&str], folder: &Path) -> Vec<String> {
    words.iter().map(|word| word.replace("DIR", &folder.display().to_string())).collect()
}
