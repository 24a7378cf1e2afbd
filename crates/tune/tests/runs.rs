//! Whole tuning runs with a small player: the same from one seed, however often it is killed.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use arena::{Contender, Factory, Openings, Plan, RunControl, Schedule, Threads};
use gomoku::{Point, Position, Rule, five_cell_lines};
use player::{Choice, ParamSpec, Player, Reason, Registry, Spec, SplitMix64, Task, Watch};
use stats::Sprt;
use tune::{
    Evolution, Log, Method, Record, Report, Settings, Setup, Space, SpaceSearch, Spsa, Starts,
    TuneError, TuningContext, TuningResult,
};

/// Plays a sensible move as often as it is skilled, else any.
struct Toy {
    skill: f64,
    random: SplitMix64,
}

impl Player for Toy {
    fn new_game(&mut self, seed: u64) {
        self.random = SplitMix64::new(seed);
    }

    fn choose(&mut self, task: &Task, _watch: &dyn Watch) -> Choice {
        let position = &task.position;
        let legal: Vec<_> = position.legal_points().iter().collect();
        let is_skilled = (self.random.below(1000) as f64) < 1000.0 * self.skill;
        let any = legal[self.random.below(legal.len() as u64) as usize];
        if !is_skilled {
            return Choice::of(any, Reason::Random);
        }
        let worth = worths(position);
        let best = legal.iter().copied().max_by_key(|point| worth.get(point).copied());
        Choice::of(best.unwrap_or(any), Reason::Evaluation)
    }
}

/// What each point adds to the five-cell lines of either side.
fn worths(position: &Position) -> BTreeMap<Point, u64> {
    let mut worths = BTreeMap::new();
    for line in five_cell_lines(position.size()) {
        let mut colors = line.iter().filter_map(|point| position.board().get(*point));
        let first = colors.next();
        let mut stones = u32::from(first.is_some());
        let is_pure = colors.all(|color| {
            stones += 1;
            Some(color) == first
        });
        if is_pure {
            line.iter().for_each(|&point| *worths.entry(point).or_default() += 10u64.pow(stones));
        }
    }
    worths
}

fn registry() -> Registry {
    let mut registry = Registry::default();
    let info = player::PlayerInfo {
        name: "toy",
        summary: "a toy",
        source: "",
        params: vec![ParamSpec::real("skill", 0.5, 0.0, 1.0, "share of sensible moves")],
        tables: Vec::new(),
    };
    registry.add(
        info,
        Box::new(|params| {
            Ok(Box::new(Toy { skill: params.real("skill"), random: SplitMix64::new(0) }))
        }),
    );
    registry
}

fn factory() -> Factory {
    let registry = Arc::new(registry());
    Arc::new(move |spec| registry.build(spec).map_err(|error| error.to_string()))
}

fn space() -> Space {
    Space::new(&registry(), "toy(skill=0.5)", &[("skill".to_owned(), None)]).unwrap()
}

fn setup(search: SpaceSearch, starts: Starts, tournament_games: Option<u32>) -> Setup {
    let openings = |texts: &[&str]| Openings {
        name: "test".to_owned(),
        positions: texts.iter().map(|text| (*text).to_owned()).collect(),
        symmetries: true,
        repeat: true,
    };
    let spec = "toy(skill=0.5)".to_owned();
    Setup {
        game: Plan::new(
            "test",
            Rule::Freestyle,
            7,
            vec![Contender { name: "start".to_owned(), spec, budget: Default::default() }],
            Schedule::Sprt { test: Sprt::new(0.0, 100.0).unwrap(), max_pairs: 12 },
            openings(&["d4e5", "d4c3b2", "d4e4"]),
        ),
        space: space(),
        search,
        starts,
        generations: 6,
        every: 3,
        snapshot_games: 6,
        tournament_games,
    }
}

fn published() -> Setup {
    let method = Method::De(Evolution::new(&space(), Settings::published(), 1));
    setup(SpaceSearch::Duels(method), Starts::Random, Some(4))
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tengen-tune-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// Goes on with a run, or begins it; stops after some news if told to.
fn go(folder: &Path, setup: &Setup, news: Option<u32>) -> Result<(Log, TuningResult), TuneError> {
    let path = folder.join("tune.jsonl");
    let mut log = if path.exists() { Log::resume(&path) } else { Log::create(&path, setup) }?;
    let control = RunControl::default();
    let mut threads = Threads::start(2, &factory(), &control);
    let mut context = TuningContext { dispatcher: &mut threads, control: &control };
    let mut heard = 0;
    let mut listener = |_: &tune::TuningProgress| {
        heard += 1;
        if Some(heard) == news {
            control.stop();
        }
    };
    let outcome = tune::tune(&mut log, folder, &registry(), &mut context, &mut listener)?;
    Ok((log, outcome))
}

#[test]
fn a_run_broken_off_ten_times_writes_the_same_log() {
    let (whole, broken) = (folder("whole"), folder("broken"));
    let (log, outcome) = go(&whole, &published(), None).unwrap();
    let mut stops = 0;
    let (_, resumed) = loop {
        // A generation has 24 pairs, so each attempt gets a little further.
        let after = (stops < 10).then_some(30);
        match go(&broken, &published(), after) {
            Ok(done) => break done,
            Err(TuneError::Interrupted) => {
                stops += 1;
                // A kill may also leave half a line.
                let mut bytes = fs::read(broken.join("tune.jsonl")).unwrap();
                bytes.extend(b"{\"kind\":\"gener");
                fs::write(broken.join("tune.jsonl"), bytes).unwrap();
            }
            Err(error) => panic!("{error}"),
        }
    };
    assert_eq!(stops, 10);
    let read = |folder: &Path| fs::read_to_string(folder.join("tune.jsonl")).unwrap();
    assert_eq!(read(&whole), read(&broken));
    assert_eq!(outcome.spec, resumed.spec);
    let digest = |outcome: &TuningResult| arena::digest(&outcome.test.as_ref().unwrap().1.pairs);
    assert_eq!(digest(&outcome), digest(&resumed));

    // The log is still open, which keeps out another writer and no reader.
    let path = whole.join("tune.jsonl");
    assert!(Log::resume(&path).is_err());
    assert_eq!(Record::read(&path).unwrap().lines(), log.lines());

    // What the published method must have left behind.
    assert_eq!(log.generations().count(), 6);
    assert!(log.generations().all(|line| line.duels.len() == 8));
    assert!(log.generations().all(|line| line.duels.iter().all(|duel| duel.len() == 5)));
    let snapshots: Vec<u64> = log.snapshots().map(|s| s.generation).collect();
    assert_eq!(snapshots, [0, 3, 6]);
    let tournament = log.tournament().unwrap();
    assert_eq!((tournament.games, tournament.ratings.len()), (28 * 4, 8));
    assert!((tournament.ratings.iter().sum::<f64>() - 12_000.0).abs() < 1e-6);
    let preset = fs::read_to_string(whole.join("best.toml")).unwrap();
    assert_eq!(preset, format!("player = \"{}\"\n", outcome.spec));
    let report = Report::new(&log, &outcome);
    report.write(&whole.join("report")).unwrap();
    let html = fs::read_to_string(whole.join("report/report.html")).unwrap();
    assert_eq!(html.matches("</svg>").count(), 3);
    assert!(report.markdown().contains("| skill | 0.5 |"), "{}", report.markdown());
    for folder in [whole, broken] {
        fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn spsa_finds_that_skill_helps() {
    let folder = folder("spsa");
    let spsa = Spsa::new(&space(), 30, 4, 1).with_end(0.2, 0.1);
    let mut setup = setup(SpaceSearch::Duels(Method::Spsa(spsa)), Starts::Random, None);
    (setup.generations, setup.every, setup.snapshot_games) = (30, 30, 0);
    setup.game.schedule = Schedule::Duel { pairs: 0 };
    let (log, outcome) = go(&folder, &setup, None).unwrap();
    assert_eq!(log.generations().count(), 30);
    assert!(outcome.best.0[0] > 0.6, "skill went from 0.5 to {}", outcome.best.0[0]);
    assert!(outcome.test.is_none());
    let spec: Spec = outcome.spec.parse().unwrap();
    assert_eq!(spec.name, "toy");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn players_that_do_not_explain_themselves_cannot_be_fitted() {
    let folder = folder("fit");
    let setup = setup(SpaceSearch::Regression { games: 2 }, Starts::Random, None);
    assert!(matches!(go(&folder, &setup, None), Err(TuneError::NotLinear)));
    fs::remove_dir_all(folder).unwrap();
}
