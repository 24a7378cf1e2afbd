//! `tengen papers`: the papers' tables and figures, measured again.

use std::{
    cell::RefCell,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

use anyhow::{Context, Result, bail};
use arena::{Dispatcher, RunControl};
use papers::{ClaimVerdict, Experiment, Report, RunContext, Scale, TimeLog};
use serde::{Deserialize, Serialize};

use crate::{
    args::NatsArgs,
    data,
    players::registry,
    runs::{self, ProgressLine},
    show::outln,
};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// List the experiments
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Run experiments and write the report
    Run(RunArgs),
    /// Write the report again from recorded results (default: those of the latest run)
    Report {
        #[command(flatten)]
        place: Place,
        /// Also print it to report.pdf, with a browser of this machine (Chromium, Chrome or Edge)
        #[arg(long)]
        pdf: bool,
        /// The browser, where it is not found by its usual names
        #[arg(long, value_name = "PROGRAM", requires = "pdf")]
        browser: Option<String>,
    },
}

#[derive(Debug, clap::Args)]
struct Place {
    /// Folder of the run (default: in the data folder, by the size of the run)
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// At most this many games per match, instead of the papers' own numbers
    #[arg(long, value_name = "N", conflicts_with = "quick",
          value_parser = clap::value_parser!(u64).range(2..))]
    games: Option<u64>,
    /// A few games of everything: minutes instead of hours
    #[arg(long)]
    quick: bool,
}

#[derive(Debug, clap::Args)]
struct RunArgs {
    /// Which experiments (see 'tengen papers list')
    #[arg(value_name = "ID", required_unless_present = "all")]
    ids: Vec<String>,
    /// All of them
    #[arg(long, conflicts_with = "ids")]
    all: bool,
    /// With --all, also those that try readings of a paper's text: hours more
    #[arg(long, requires = "all")]
    readings: bool,
    #[command(flatten)]
    place: Place,
    /// Games played at the same time (default: one per core)
    #[arg(long, value_name = "J")]
    jobs: Option<usize>,
    /// Have the games of matches played by 'tengen worker' on other machines, through this server
    #[arg(long, value_name = "URL")]
    dispatch: Option<String>,
    #[command(flatten)]
    nats: NatsArgs,
    /// Resume the run in the folder
    #[arg(long)]
    resume: bool,
}

/// What a folder of runs was made with.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Settings {
    version: u32,
    scale: Scale,
}

const SETTINGS: &str = "papers.json";

pub(crate) fn run(args: &Args) -> Result<()> {
    match &args.action {
        Action::List { json } => list(*json),
        Action::Run(args) => measure(args),
        Action::Report { place, pdf, browser } => {
            let folder = place.to_report()?;
            let settings = folder.join(SETTINGS);
            let text = fs::read_to_string(&settings)
                .with_context(|| format!("There is no run in {}", folder.display()))?;
            let known: Settings = serde_json::from_str(&text)
                .with_context(|| format!("{} is damaged", settings.display()))?;
            report(&folder, known.scale)?;
            if *pdf { print(&folder, browser.as_deref()) } else { Ok(()) }
        }
    }
}

/// Usual names of browsers that print without a window.
const BROWSERS: [&str; 7] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "msedge",
    "microsoft-edge",
];

/// Prints the report to a file that can be sent.
fn print(folder: &Path, browser: Option<&str>) -> Result<()> {
    let folder = folder.canonicalize()?;
    let (html, pdf) = (folder.join("report.html"), folder.join("report.pdf"));
    let names = browser.as_ref().map_or(&BROWSERS[..], std::slice::from_ref);
    for name in names {
        let mut command = Command::new(name);
        // The page is ours, has no scripts and loads nothing; a sandbox would refuse the superuser.
        command.args(["--headless", "--disable-gpu", "--no-sandbox", "--no-pdf-header-footer"]);
        command.arg(format!("--print-to-pdf={}", pdf.display())).arg(&html);
        match command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status() {
            Ok(status) if status.success() && pdf.exists() => {
                outln!("Report {}", pdf.display());
                return Ok(());
            }
            Ok(status) => bail!("{name} did not print the report ({status})."),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => bail!("{name} cannot be started: {error}."),
        }
    }
    bail!(
        "No browser was found ({}). Open {} in one and print it to a file.",
        names.join(", "),
        html.display()
    )
}

fn list(json: bool) -> Result<()> {
    let all = papers::all();
    if json {
        let line = |experiment: &Experiment| {
            serde_json::json!({
                "id": experiment.id, "title": experiment.title, "paper": experiment.paper,
                "question": experiment.question, "claims": experiment.claims.len(),
            })
        };
        let lines: Vec<_> = all.iter().map(line).collect();
        outln!("{}", serde_json::to_string_pretty(&serde_json::json!({ "experiments": lines }))?);
        return Ok(());
    }
    for experiment in all {
        outln!("{:<16} {}", experiment.id, experiment.title);
        outln!("{:<16} {}", "", experiment.question);
    }
    Ok(())
}

impl Place {
    fn find(&self) -> Result<(PathBuf, Scale)> {
        let scale = match (self.quick, self.games) {
            (true, _) => Scale::Quick,
            (_, Some(games)) => Scale::Games(games),
            _ => Scale::Full,
        };
        let name = match scale {
            Scale::Full => "full".to_owned(),
            Scale::Games(games) => format!("games-{games}"),
            Scale::Quick => "quick".to_owned(),
        };
        let folder = match &self.dir {
            Some(folder) => folder.clone(),
            None => all_runs()?.join(name),
        };
        Ok((folder, scale))
    }

    /// The folder asked for; if nothing was, that of the run begun or gone on with last.
    fn to_report(&self) -> Result<PathBuf> {
        if self.dir.is_some() || self.games.is_some() || self.quick {
            return Ok(self.find()?.0);
        }
        let runs = all_runs()?;
        let begun = |folder: &PathBuf| fs::metadata(folder.join(SETTINGS))?.modified();
        let folders = fs::read_dir(&runs).into_iter().flatten().flatten().map(|entry| entry.path());
        let dated = folders.filter_map(|folder| Some((begun(&folder).ok()?, folder)));
        let (_, latest) = dated.max().with_context(|| {
            format!("There is no run in {}; 'tengen papers run' makes one.", runs.display())
        })?;
        Ok(latest)
    }
}

fn all_runs() -> Result<PathBuf> {
    Ok(data::folder()?.join("papers"))
}

fn measure(args: &RunArgs) -> Result<()> {
    let (folder, scale) = args.place.find()?;
    let experiments = match args.all {
        true => {
            let mut all = papers::all();
            all.retain(|experiment| args.readings || !experiment.is_about_readings());
            all
        }
        false => with_used(&args.ids)?,
    };
    prepare(&folder, scale, args.resume)?;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.unwrap_or_else(cores).max(1);
    announce(&experiments, scale, jobs);
    let control = RunControl::default();
    runs::interrupt_on_ctrl_c(&control)?;
    let fleet = args.dispatch.as_deref().map(|url| args.nats.access(url)).transpose()?;
    let dispatch = |journal: &Path| -> Result<Box<dyn Dispatcher>, String> {
        // The papers' players are deterministic; pairs with a clock are not played again anyway.
        runs::dispatcher(fleet.clone(), Some(jobs), journal, true, &control)
            .map_err(|error| error.to_string())
    };
    let progress = RefCell::new(ProgressLine::new(false));
    let stopwatch = RefCell::new(TimeLog::start(&folder, jobs)?);
    let context = RunContext {
        registry: registry(),
        makes_open_three: lab::shape::makes_open_three,
        control: control.clone(),
        jobs,
        dispatcher: &dispatch,
        listener: &|news| {
            let (done, total) = (news.done, news.total);
            progress.borrow_mut().bar(&news.place, done, total);
            let (experiment, _) = news.place.split_once('/').unwrap_or((&news.place, ""));
            // A disk that is full stops the run at its games, whose journals must not fail.
            let _ = stopwatch.borrow_mut().running(experiment);
        },
        build: crate::BUILD.to_owned(),
    };
    for experiment in &experiments {
        let began = Instant::now();
        let done = papers::run(experiment, &folder, scale, &context);
        stopwatch.borrow_mut().lap(&experiment.id)?;
        progress.borrow_mut().clear();
        done.with_context(|| format!("{} in {}", experiment.id, folder.display()))?;
        outln!("{:<16} {:>8.1} s", experiment.id, began.elapsed().as_secs_f64());
    }
    report(&folder, scale)
}

/// The experiments named, after those whose measurements they use.
fn with_used(ids: &[String]) -> Result<Vec<Experiment>> {
    let mut chosen: Vec<Experiment> = Vec::new();
    for id in ids {
        let experiment = papers::find(id)?;
        for used in experiment.uses.iter().map(String::as_str).chain([id.as_str()]) {
            if !chosen.iter().any(|known| known.id == used) {
                chosen.push(papers::find(used)?);
            }
        }
    }
    Ok(chosen)
}

/// Makes the folder, and sees to it that two different runs do not mix in it.
fn prepare(folder: &Path, scale: Scale, resume: bool) -> Result<()> {
    fs::create_dir_all(folder)
        .with_context(|| format!("The folder {} cannot be created", folder.display()))?;
    let path = folder.join(SETTINGS);
    let settings = Settings { version: 1, scale };
    if let Ok(text) = fs::read_to_string(&path) {
        let known: Settings = serde_json::from_str(&text)
            .with_context(|| format!("{} is damaged", path.display()))?;
        if known != settings {
            bail!("{} holds a run of another size; name another folder.", folder.display());
        }
        if !resume {
            bail!(
                "{} holds a run; resume it with --resume, or name another folder with --dir.",
                folder.display()
            );
        }
    }
    fs::write(&path, serde_json::to_string(&settings)?)
        .with_context(|| format!("{} cannot be written", path.display()))
}

/// Says how long it may take and how seconds of the papers are converted.
fn announce(experiments: &[Experiment], scale: Scale, jobs: usize) {
    let parts = || experiments.iter().flat_map(|experiment| &experiment.parts);
    let seconds: f64 = parts().map(|part| scale.seconds(part)).sum();
    outln!(
        "{}; about {} on {jobs} cores like those it was estimated on.",
        scale.describe(),
        papers::rough_time(seconds / jobs as f64)
    );
    let mut said: Vec<String> = Vec::new();
    for line in parts().flat_map(|part| part.entrants()).filter_map(|e| e.conversion()) {
        if !said.contains(&line) {
            outln!("{line}");
            said.push(line);
        }
    }
}

fn report(folder: &Path, scale: Scale) -> Result<()> {
    let build = crate::BUILD.to_owned();
    let report = Report::read(folder, scale, &build, &papers::all())?;
    report
        .write(folder)
        .with_context(|| format!("The report cannot be written to {}", folder.display()))?;
    for (id, judged) in report.judged().filter(|(_, judged)| judged.verdict != ClaimVerdict::NotRun)
    {
        let ours = judged.measure.map_or("–".to_owned(), |measure| measure.shown());
        outln!("{:<13} {id:<16} {}", judged.verdict.word(), judged.claim.text);
        outln!("{:<13} {:<16} paper {}, ours {ours}. {}", "", "", judged.printed, judged.reason);
    }
    outln!("Report {}", folder.join("report.html").display());
    Ok(())
}
