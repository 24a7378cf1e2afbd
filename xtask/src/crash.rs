//! `cargo xtask check crash`: real processes, killed, stopped, starved of disk and given damaged files at
//! random moments; afterwards nothing may be lost and no result may differ.
//!
//! A round is one piece of work in a folder of its own, disturbed a few times and then let to its end.
//! Rounds follow from the seed, so a failure names the seed that repeats it, as far as the moments at
//! which a machine is interrupted can be repeated.

mod chores;
mod fleet;
mod page;
mod process;

use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use anyhow::{Context, Result, bail};

use crate::run::{build_release, target};

/// What can happen to a process or its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    /// It is killed without warning.
    Kill,
    /// It stands still for a while.
    Stop,
    /// What it writes does not fit on the disk.
    Full,
    /// One bit of a file changes while nobody has it open.
    Flip,
}

impl Fault {
    fn any(random: &mut Random) -> Fault {
        [Fault::Kill, Fault::Kill, Fault::Kill, Fault::Stop, Fault::Full, Fault::Flip]
            [random.below(6) as usize]
    }
}

/// Random numbers from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n.max(1)
    }

    /// A moment within a time.
    fn within(&mut self, time: Duration) -> Duration {
        Duration::from_micros(self.below(time.as_micros() as u64))
    }
}

/// What all rounds share.
struct Scene {
    /// The folder with the programs.
    programs: PathBuf,
    /// Everything is below this folder.
    folder: PathBuf,
    faults: BTreeMap<Fault, u64>,
}

impl Scene {
    fn count(&mut self, fault: Fault) {
        *self.faults.entry(fault).or_default() += 1;
    }

    fn total(&self) -> u64 {
        self.faults.values().sum()
    }

    fn tengen(&self) -> PathBuf {
        self.programs.join("tengen")
    }
}

/// A kind of work that rounds are about.
trait Work {
    fn name(&self) -> &'static str;

    /// Disturbs the work in a new folder and checks what is left.
    fn round(&self, scene: &mut Scene, folder: &Path, random: &mut Random) -> Result<()>;
}

struct Options {
    time: Duration,
    seed: u64,
    only: Option<String>,
}

/// Runs rounds for some minutes.
pub(crate) fn run(args: &[&str]) -> Result<()> {
    let Options { time, seed, only } = options(args)?;
    let programs = build_release()?;
    let folder = target()?.join("crash");
    let _ = std::fs::remove_dir_all(&folder); // it need not exist
    std::fs::create_dir_all(&folder)?;
    let mut scene = Scene { programs, folder, faults: BTreeMap::new() };
    let is_wanted = |name: &str| only.as_deref().is_none_or(|only| only == name);
    let mut works: Vec<Box<dyn Work>> = Vec::new();
    for chore in chores::all().into_iter().filter(|chore| is_wanted(chore.name)) {
        works.push(Box::new(chores::Chore::new(chore, &scene)?));
    }
    if is_wanted("studio") {
        works.push(Box::new(page::Studio));
    }
    if is_wanted("fleet") {
        works.push(Box::new(fleet::Fleet::new(&scene)?));
    }
    if works.is_empty() {
        bail!("There is no such work.");
    }
    eprintln!("crash test with --seed {seed}");
    let mut met: BTreeMap<&str, u64> = BTreeMap::new();
    let began = Instant::now();
    let mut number = 0;
    while began.elapsed() < time {
        let mut random = Random(seed.wrapping_add(number));
        let work = &works[number as usize % works.len()];
        let place = scene.folder.join(format!("round-{number}"));
        std::fs::create_dir_all(&place)?;
        let before = scene.total();
        work.round(&mut scene, &place, &mut random)
            .and_then(|()| no_litter(&place))
            .and_then(|()| process::no_orphans())
            .with_context(|| {
                let (name, seed) = (work.name(), seed.wrapping_add(number));
                let again = format!("cargo xtask check crash --only {name} --seed {seed}");
                format!("round {number} (files in {}), again with: {again}", place.display())
            })?;
        std::fs::remove_dir_all(&place)?;
        *met.entry(work.name()).or_default() += scene.total() - before;
        number += 1;
    }
    println!(
        "{} faults in {number} rounds ({}; {}): nothing lost, nothing wrong, seed {seed}",
        scene.total(),
        listed(&met),
        listed(&scene.faults.iter().map(|(fault, n)| (format!("{fault:?}"), *n)).collect())
    );
    std::fs::remove_dir_all(&scene.folder)?;
    Ok(())
}

fn options(args: &[&str]) -> Result<Options> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    let mut options = Options { time: Duration::from_secs(60), seed: now, only: None };
    let mut rest = args;
    while let [name, value, others @ ..] = rest {
        match *name {
            "--minutes" => {
                let minutes: f64 = value.parse().context("--minutes wants a number")?;
                options.time = Duration::from_secs_f64(60.0 * minutes);
            }
            "--seed" => options.seed = value.parse().context("--seed wants a number")?,
            "--only" => options.only = Some((*value).to_owned()),
            other => bail!("'{other}' is not an option: expected --minutes, --seed or --only"),
        }
        rest = others;
    }
    if !rest.is_empty() {
        bail!("expected --minutes N, --seed S or --only WORK");
    }
    Ok(options)
}

fn listed<K: fmt::Display>(counts: &BTreeMap<K, u64>) -> String {
    counts.iter().map(|(name, n)| format!("{name} {n}")).collect::<Vec<_>>().join(", ")
}

/// Files that were written beside their place must not stay.
fn no_litter(folder: &Path) -> Result<()> {
    for file in files(folder) {
        if file.extension().is_some_and(|kind| kind == "new" || kind == "tmp") {
            bail!("{} is left over", file.display());
        }
    }
    Ok(())
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found = Vec::new();
    for path in entries.map(|entry| entry.path()) {
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Changes one bit of a file, and says how it was.
fn flip(path: &Path, random: &mut Random) -> Result<Vec<u8>> {
    let before = std::fs::read(path)?;
    let mut after = before.clone();
    let at = random.below(after.len() as u64) as usize;
    if let Some(byte) = after.get_mut(at) {
        *byte ^= 1 << random.below(8);
    }
    std::fs::write(path, after)?;
    Ok(before)
}
