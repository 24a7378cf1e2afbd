//! Commands that end by themselves and can be taken up again: matches, tunings, experiments, books,
//! openings, proofs. Whatever happens on the way, the result is that of an undisturbed run.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};

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
                "b:h8,i8,g9 w:a1,c1,e1 b",
                "--quiet",
                "1",
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
            chore.result(output, &folder).with_context(|| format!("undisturbed {name}"))?;
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

    fn result(&self, output: std::process::Output, folder: &Path) -> Result<String> {
        let printed = process::expect_success(output)?;
        if self.recipe.results.is_empty() && self.recipe.check.is_empty() {
            return Ok(printed);
        }
        let read = |name: &&str| Ok(std::fs::read_to_string(folder.join(name))?);
        Ok(self.recipe.results.iter().map(read).collect::<Result<Vec<_>>>()?.concat())
    }

    /// What was begun comes to its result after one bit of its record has changed, or says that it
    /// cannot.
    fn after_flip(&self, scene: &Scene, folder: &Path, random: &mut Random) -> Result<()> {
        let record = folder.join(self.recipe.damaged);
        if !record.is_file() || record.metadata()?.len() == 0 {
            return Ok(());
        }
        let before = flip(&record, random)?;
        let output = process::run(self.command(scene, folder, None))?;
        if output.status.success() {
            let found = self.result(output, folder)?;
            ensure!(found == self.wanted, "a changed record was believed");
        } else {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            ensure!(!said.contains("panicked"), "a changed record makes it panic: {said}");
            ensure!(!said.trim().is_empty(), "it fails without a word");
            std::fs::write(&record, before)?;
        }
        Ok(())
    }

    /// The ratings are those of the journal.
    fn check_ratings(&self, scene: &Scene, folder: &Path) -> Result<()> {
        let words = words_in(&["ratings", "--json", "--data", "DIR"], folder);
        let output = process::run(process::command(&scene.tengen(), &words))?;
        ensure!(output.stderr.is_empty(), "a journal cannot be read for the ratings");
        let rated: serde_json::Value = serde_json::from_str(&process::expect_success(output)?)?;
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
            let wait = random.within(self.time);
            match fault {
                Fault::Kill => process::kill_after(self.command(scene, folder, None), wait)?,
                Fault::Stop => {
                    let command = self.command(scene, folder, None);
                    let output = process::stop_after(command, wait, random)?;
                    let found = self.result(output, folder)?;
                    ensure!(
                        found == self.wanted,
                        "it comes to another result after standing still"
                    );
                }
                Fault::Full => {
                    let blocks = Some(random.below(self.blocks));
                    let output = process::run(self.command(scene, folder, blocks))?;
                    let said = String::from_utf8_lossy(&output.stderr).into_owned();
                    ensure!(!said.contains("panicked"), "a full disk makes it panic: {said}");
                }
                Fault::Flip => self.after_flip(scene, folder, random)?,
            }
            scene.count(fault);
        }
        let output = process::run(self.command(scene, folder, None))?;
        if self.result(output, folder)? != self.wanted {
            bail!("it comes to another result than undisturbed");
        }
        if !self.recipe.check.is_empty() {
            let words = words_in(self.recipe.check, folder);
            process::expect_success(process::run(process::command(&scene.tengen(), &words))?)?;
        }
        if self.recipe.is_rated {
            self.check_ratings(scene, folder)?;
        }
        Ok(())
    }
}

fn words_in(words: &[&str], folder: &Path) -> Vec<String> {
    words.iter().map(|word| word.replace("DIR", &folder.display().to_string())).collect()
}
