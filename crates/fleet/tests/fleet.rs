//! A fleet of real processes around a real server, some of which die.
#![cfg(unix)]

use std::{
    collections::BTreeSet,
    env, fs,
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use arena::*;
use fleet::{Access, Fleet, FleetError, Login, Options, Post, Timing, Told, work};
use futures_util::StreamExt;
use gomoku::{Point, Rule};
use player::{Choice, Player, Reason, SplitMix64, Task, Watch};
use serde_json::{Value, json};

const URL: &str = "FLEET_TEST_URL";
const NAME: &str = "FLEET_TEST_NAME";
const SIGNATURE: &str = "build one";
/// Makes games in the fleet last a little.
const PAUSE: Duration = Duration::from_millis(2);
/// The victim gets stuck in the pair after these, so that it is killed in the middle of one.
const VICTIM_PLAYS: u64 = 3;

/// Plays at random, next to another stone.
struct Scatter {
    random: SplitMix64,
    pause: Duration,
}

impl Player for Scatter {
    fn new_game(&mut self, seed: u64) {
        self.random = SplitMix64::new(seed);
    }

    fn choose(&mut self, task: &Task, _watch: &dyn Watch) -> Choice {
        thread::sleep(self.pause);
        let position = &task.position;
        let near = |p: &Point| position.board().occupied().iter().any(|q| p.distance(q) == 1);
        let points: Vec<Point> = position.legal_points().iter().filter(near).collect();
        let point = points[self.random.below(points.len() as u64) as usize];
        Choice::of(point, Reason::Random)
    }
}

fn factory(pause: Duration) -> Factory {
    Arc::new(move |_| Ok(Box::new(Scatter { random: SplitMix64::new(0), pause })))
}

/// Plays quickly at first and then not at all.
fn victim_factory() -> Factory {
    let made = AtomicU64::new(0);
    Arc::new(move |_| {
        let is_stuck = made.fetch_add(1, Ordering::Relaxed) >= 2 * VICTIM_PLAYS;
        let pause = Duration::from_secs(if is_stuck { 3600 } else { 0 });
        Ok(Box::new(Scatter { random: SplitMix64::new(0), pause }))
    })
}

fn plan(second: &str, pairs: u64) -> Plan {
    let contender = |name: &str, spec: &str| Contender {
        name: name.to_owned(),
        spec: spec.to_owned(),
        budget: Budget::default(),
    };
    let positions = (0..15).map(|col| format!("h8{}", Point::new(col, 4))).collect();
    let openings = Openings { name: "row".to_owned(), positions, symmetries: true, repeat: false };
    let players = vec![contender("a", "scatter"), contender("b", second)];
    let duel = Schedule::Duel { pairs };
    let plan = Plan::new("test", Rule::Freestyle, 15, players, duel, openings);
    Plan { seed: "test".to_owned(), ..plan }
}

fn timing(silence: Duration) -> Timing {
    let (progress, hello) = (Duration::from_millis(300), Duration::from_millis(200));
    Timing { silence, progress, hello }
}

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path); // it need not exist
    fs::create_dir_all(&path).unwrap();
    path
}

/// A NATS server of our own on a port of its own.
struct Server {
    folder: PathBuf,
    port: u16,
    /// What else its configuration says.
    more: String,
    child: Option<Child>,
}

impl Server {
    /// One that lets everybody in.
    fn start(folder: &Path) -> Server {
        Server::start_with(folder, "")
    }

    fn start_with(folder: &Path, more: &str) -> Server {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut server =
            Server { folder: folder.to_owned(), port, more: more.to_owned(), child: None };
        server.restart();
        server
    }

    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Kills the server without warning, if it runs, and starts it on the same port and files.
    fn restart(&mut self) {
        self.kill();
        let (config, store) = (self.folder.join("nats.conf"), self.folder.join("store"));
        let text = format!(
            "listen: 127.0.0.1:{}\njetstream {{ store_dir: {:?} }}\n{}",
            self.port,
            store.display().to_string(),
            self.more
        );
        fs::write(&config, text).unwrap();
        let found = ["nats-server", "/usr/sbin/nats-server"].into_iter().find_map(|program| {
            let mut command = Command::new(program);
            command.arg("-c").arg(&config).stdout(Stdio::null()).stderr(Stdio::null());
            command.spawn().ok()
        });
        let sentence = "nats-server is not installed: 'apt-get install nats-server' or nats.io";
        self.child = Some(found.expect(sentence));
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            let ended = self.child.as_mut().and_then(|child| child.try_wait().unwrap());
            assert!(ended.is_none(), "nats-server ended at once: {ended:?}");
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A worker in a process of its own, killed when dropped.
struct Process(Child);

impl Process {
    fn start(url: &str, name: &str) -> Process {
        let child = Command::new(env::current_exe().unwrap())
            .args(["worker_process", "--exact", "--ignored", "--nocapture"])
            .envs([(URL, url), (NAME, name)])
            .stdout(Stdio::null()) // a panic is told on stderr
            .spawn();
        Process(child.unwrap())
    }

    fn kill(&mut self) {
        self.0.kill().unwrap(); // no error if it is dead already
        self.0.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

fn post(url: &str, name: &str, silence: Duration) -> Post {
    Post {
        access: Access::open(url),
        name: name.to_owned(),
        jobs: 1,
        signature: SIGNATURE.to_owned(),
        allowed: Vec::new(),
        timing: timing(silence),
    }
}

/// Not a test of its own: what a worker process does.
#[test]
#[ignore = "started by the test below, in a process of its own"]
fn worker_process() {
    if let (Ok(url), Ok(name)) = (env::var(URL), env::var(NAME)) {
        let post = post(&url, &name, Duration::from_secs(2));
        let factory = if name == "victim" { victim_factory() } else { factory(PAUSE) };
        work(&post, &factory, &RunControl::default(), &(Arc::new(|_: &Told| {}) as _)).unwrap();
    }
}

fn connect(server: &Server, silence: Duration, control: &RunControl) -> Result<Fleet, FleetError> {
    connect_as(server, None, silence, control)
}

fn connect_as(
    server: &Server,
    login: Option<Login>,
    silence: Duration,
    control: &RunControl,
) -> Result<Fleet, FleetError> {
    let options = Options {
        access: Access { login, ..Access::open(&server.url()) },
        run: "test".to_owned(),
        signature: SIGNATURE.to_owned(),
        timing: timing(silence),
        reproducible: true,
    };
    Fleet::connect(&options, &factory(Duration::ZERO), control)
}

fn play_here(plan: &Plan, folder: &Path) -> RunEnd {
    let mut journal = Journal::create(&folder.join("here.jsonl"), plan).unwrap();
    let control = RunControl::default();
    let mut threads = Threads::start(2, &factory(Duration::ZERO), &control);
    run(plan, Vec::new(), &mut journal, &mut threads, &control, &mut |_| {}).unwrap()
}

/// Messages the server still holds in a stream.
fn messages_in(server: &Server, stream: &str) -> u64 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = async_nats::connect(server.url()).await.unwrap();
        let mut stream = async_nats::jetstream::new(client).get_stream(stream).await.unwrap();
        stream.info().await.unwrap().state.messages
    })
}

/// Has a server lose all messages of a stream.
fn forget(server: &Server, stream: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = async_nats::connect(server.url()).await.unwrap();
        let stream = async_nats::jetstream::new(client).get_stream(stream).await.unwrap();
        stream.purge().await.unwrap();
    });
}

#[test]
fn a_worker_and_the_server_die_and_the_games_are_the_same() {
    let folder = folder("deaths");
    let plan = plan("scatter", 50);
    let here = play_here(&plan, &folder);
    let mut server = Server::start(&folder);
    let mut victim = Process::start(&server.url(), "victim");
    let mut others = ["second", "third"].map(|name| Process::start(&server.url(), name));

    let path = folder.join("there.jsonl");
    let mut journal = Journal::create(&path, &plan).unwrap();
    let control = RunControl::default();
    let mut fleet = connect(&server, Duration::from_secs(2), &control).unwrap();
    while fleet.capacity() < 6 {
        // All three are to take part.
        for process in others.iter_mut().chain([&mut victim]) {
            assert_eq!(process.0.try_wait().unwrap(), None, "a worker has ended");
        }
        thread::sleep(Duration::from_millis(10));
    }
    let (mut finished, mut begun, mut orphan, mut restarts) = (0, 0, None, 0);
    let there = run(&plan, Vec::new(), &mut journal, &mut fleet, &control, &mut |event| {
        match event {
            Event::Started { index, worker: "victim", .. } => {
                begun += 1;
                if begun > VICTIM_PLAYS {
                    victim.kill();
                    orphan = Some(index);
                }
            }
            Event::Finished { .. } => finished += 1,
            _ => {}
        }
        if finished >= 20 && orphan.is_some() && restarts == 0 {
            restarts += 1;
            server.restart();
        }
    })
    .unwrap();
    drop(fleet);

    assert_eq!(there.stop, Stop::Complete);
    assert_eq!((finished, restarts), (50, 1));
    assert_eq!(games_log(&there.pairs), games_log(&here.pairs));
    assert_eq!(digest(&there.pairs), digest(&here.pairs));
    let written: Vec<u64> =
        JournalContent::read(&path).unwrap().pairs.iter().map(|p| p.index).collect();
    assert_eq!(written.len(), 50, "a pair was written twice");
    assert_eq!(BTreeSet::from_iter(written), (0..50).collect());
    let orphan = orphan.expect("the victim began a pair") as usize;
    assert!(there.pairs[orphan].worker != "victim", "the dead do not play");
    let workers: BTreeSet<_> = there.pairs.iter().map(|pair| pair.worker.as_str()).collect();
    assert_eq!(workers, BTreeSet::from(["second", "third", "victim"]));
    assert_eq!((messages_in(&server, "JOBS"), messages_in(&server, "RESULTS")), (0, 0));
}

/// Runs a worker in a thread until it has begun a pair, then breaks it off.
fn begin_and_break_off(server: &Server, silence: Duration) -> u64 {
    let control = RunControl::default();
    let (begun, wait) = mpsc::channel();
    let begun = Mutex::new(begun);
    let listener: fleet::Listener = Arc::new(move |told: &Told| {
        if let Told::Started { .. } = told {
            let _ = begun.lock().unwrap().send(()); // only the first is waited for
        }
    });
    let post = post(&server.url(), "hasty", silence);
    let slow = factory(Duration::from_millis(100));
    thread::scope(|scope| {
        let worker = scope.spawn(|| work(&post, &slow, &control, &listener).unwrap());
        wait.recv().unwrap();
        control.stop();
        worker.join().unwrap()
    })
}

#[test]
fn what_a_worker_hands_back_is_played_by_the_next() {
    let folder = folder("handed-back");
    let plan = plan("scatter", 3);
    let server = Server::start(&folder);
    // If the pair were not handed back, nobody would get it for an hour.
    let silence = Duration::from_secs(3600);
    let control = RunControl::default();
    let mut fleet = connect(&server, silence, &control).unwrap();
    let leave = RunControl::default();
    let there = thread::scope(|scope| {
        let patient = scope.spawn(|| {
            assert_eq!(begin_and_break_off(&server, silence), 0);
            let post = post(&server.url(), "patient", silence);
            let quick = factory(Duration::ZERO);
            work(&post, &quick, &leave, &(Arc::new(|_: &Told| {}) as _)).unwrap()
        });
        let mut journal = Journal::create(&folder.join("there.jsonl"), &plan).unwrap();
        let there = run(&plan, Vec::new(), &mut journal, &mut fleet, &control, &mut |_| {});
        leave.interrupt();
        assert_eq!(patient.join().unwrap(), 3);
        there.unwrap()
    });
    assert_eq!(digest(&there.pairs), digest(&play_here(&plan, &folder).pairs));
}

#[test]
fn orders_that_the_server_has_lost_are_given_again() {
    let folder = folder("lost");
    let plan = plan("scatter", 3);
    let server = Server::start(&folder);
    let silence = Duration::from_secs(3600);
    let control = RunControl::default();
    let mut fleet = connect(&server, silence, &control).unwrap();
    let leave = RunControl::default();
    let there = thread::scope(|scope| {
        let late = scope.spawn(|| {
            while messages_in(&server, "JOBS") == 0 {
                thread::sleep(Duration::from_millis(10));
            }
            forget(&server, "JOBS");
            let post = post(&server.url(), "late", silence);
            let quick = factory(Duration::ZERO);
            work(&post, &quick, &leave, &(Arc::new(|_: &Told| {}) as _)).unwrap()
        });
        let mut journal = Journal::create(&folder.join("there.jsonl"), &plan).unwrap();
        let there = run(&plan, Vec::new(), &mut journal, &mut fleet, &control, &mut |_| {});
        leave.interrupt();
        assert_eq!(late.join().unwrap(), 3);
        there.unwrap()
    });
    assert_eq!(digest(&there.pairs), digest(&play_here(&plan, &folder).pairs));
}

#[test]
fn no_program_is_started_and_no_stranger_plays() {
    let folder = folder("refused");
    let mark = folder.join("mark");
    let plan = plan(&format!("cmd:touch {}", mark.display()), 20);
    let server = Server::start(&folder);
    let silence = Duration::from_secs(60);
    let control = RunControl::default();
    let mut fleet = connect(&server, silence, &control).unwrap();
    let leave = RunControl::default();
    let mut notes = Vec::new();
    thread::scope(|scope| {
        let stranger =
            Post { signature: "build two".to_owned(), ..post(&server.url(), "stranger", silence) };
        for post in [stranger, post(&server.url(), "careful", silence)] {
            let leave = &leave;
            let nobody: fleet::Listener = Arc::new(|_: &Told| {});
            scope.spawn(move || work(&post, &factory(PAUSE), leave, &nobody).unwrap());
        }
        let mut journal = Journal::create(&folder.join("there.jsonl"), &plan).unwrap();
        let there = run(&plan, Vec::new(), &mut journal, &mut fleet, &control, &mut |event| {
            if let Event::Note(text) = event {
                notes.push(text.to_owned());
            }
            let refused = |what: &str| notes.iter().any(|note| note.contains(what));
            if refused("careful may not start 'touch") && refused("stranger takes no part") {
                control.stop();
            }
        });
        leave.stop();
        let there = there.unwrap();
        assert_eq!((there.stop, there.pairs.len()), (Stop::Interrupted, 0));
    });
    drop(fleet);
    assert!(!mark.exists(), "a program named by a job was started");
    assert_eq!(messages_in(&server, "JOBS"), 0, "nothing is left for later workers");
}

#[test]
fn a_missing_server_is_named() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let nowhere = Server { folder: PathBuf::new(), port, more: String::new(), child: None };
    let error = connect(&nowhere, Duration::from_secs(1), &RunControl::default()).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with(&format!("No NATS server lets us in at nats://127.0.0.1:{port}"))
    );
}

/// Runs something async to its end.
fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// Reads every order and answers it at once, as this worker, with what `change` makes of a game in
/// which nobody moves.
async fn answer_everything(client: async_nats::Client, name: &str, change: fn(&mut Value)) {
    let mut orders = client.subscribe("jobs.>").await.unwrap();
    let hello = json!({ "signature": SIGNATURE, "jobs": 8 });
    client.publish(format!("fleet.hello.{name}"), hello.to_string().into()).await.unwrap();
    client.flush().await.unwrap();
    while let Some(message) = orders.next().await {
        let order: Value = serde_json::from_slice(&message.payload).unwrap();
        let (job, session) = (&order["job"], order["session"].as_str().unwrap());
        let game = json!({ "moves": "", "result": "W", "ending": "resign", "times": [] });
        let mut pair = json!({
            "index": job["index"], "players": job["players"], "opening": job["spec"]["opening"],
            "seed": job["spec"]["seed"], "games": [game, game], "attempts": 1, "wall_ms": 1,
        });
        change(&mut pair);
        let mut answer = json!({ "index": job["index"], "result": { "Ok": pair } });
        for key in ["version", "serial", "secret", "id"] {
            answer[key] = order[key].clone();
        }
        let subject = format!("results.{session}.{}.{name}", job["index"]);
        client.publish(subject, answer.to_string().into()).await.unwrap();
    }
}

/// What becomes of a run whose only worker is such a liar.
fn run_with_liar(name: &str, change: fn(&mut Value)) -> (RunError, JournalContent) {
    let folder = folder(name);
    let plan = plan("scatter", 20);
    let server = Server::start(&folder);
    let url = server.url();
    let (ready, wait) = mpsc::channel();
    thread::spawn(move || {
        block_on(async {
            let client = async_nats::connect(url).await.unwrap();
            ready.send(()).unwrap();
            answer_everything(client, "mallory", change).await;
        });
    });
    wait.recv().unwrap();
    let control = RunControl::default();
    let mut fleet = connect(&server, Duration::from_secs(60), &control).unwrap();
    let path = folder.join("there.jsonl");
    let mut journal = Journal::create(&path, &plan).unwrap();
    let there = run(&plan, Vec::new(), &mut journal, &mut fleet, &control, &mut |_| {});
    (there.unwrap_err(), JournalContent::read(&path).unwrap())
}

#[test]
fn resignations_without_a_move_are_not_believed() {
    let (error, journal) = run_with_liar("resigned", |_| {});
    assert!(matches!(&error, RunError::Disputed { worker, .. } if worker == "mallory"), "{error}");
    assert_eq!(journal.pairs, []);
}

#[test]
fn records_that_cannot_be_never_reach_the_journal() {
    let (error, journal) = run_with_liar("impossible", |pair| pair["seed"] = json!(7));
    assert!(matches!(&error, RunError::Disputed { worker, .. } if worker == "mallory"), "{error}");
    assert_eq!(journal.pairs, []);
    assert!(journal.notes.iter().any(|note| note.contains("belongs to another pair")));
}

/// Users as `docs/fleet.md` advises.
fn users() -> String {
    let document = include_str!("../../../docs/fleet.md");
    let (_, block) = document.split_once("```\nauthorization").unwrap();
    let (block, _) = block.split_once("```").unwrap();
    format!("authorization{block}")
}

fn login(name: &str) -> Login {
    Login::parse(&format!("{name} secret-of-{name}")).unwrap()
}

#[test]
fn strangers_stay_outside_and_nobody_speaks_for_another() {
    let folder = folder("users");
    let plan = plan("scatter", 6);
    let server = Server::start_with(&folder, &users());
    let silence = Duration::from_secs(60);
    let control = RunControl::default();
    let refused = connect(&server, silence, &control).unwrap_err().to_string();
    assert!(refused.starts_with("No NATS server lets us in"), "{refused}");
    let wrong = Login::parse("worker-a guessed").unwrap();
    assert!(connect_as(&server, Some(wrong), silence, &control).is_err());

    let mut fleet = connect_as(&server, Some(login("coordinator")), silence, &control).unwrap();
    // A worker that tries what it may not: to speak for another, to give orders, to read along, to
    // delete the queue.
    let heard = block_on(async {
        let options = async_nats::ConnectOptions::with_user_and_password(
            "worker-b".to_owned(),
            "secret-of-worker-b".to_owned(),
        );
        let (told, mut heard) = tokio::sync::mpsc::unbounded_channel();
        let client = options
            .custom_inbox_prefix("_INBOX.worker-b")
            .event_callback(move |event| {
                let told = told.clone();
                async move { drop(told.send(event.to_string())) }
            })
            .connect(server.url())
            .await
            .unwrap();
        let forbidden = ["results.s.0.worker-a", "jobs.x.y.z.0", "$JS.API.STREAM.DELETE.JOBS"];
        for subject in forbidden {
            client.publish(subject, "{}".into()).await.unwrap();
        }
        for subject in ["jobs.>", "results.>", "_INBOX.>"] {
            drop(client.subscribe(subject).await.unwrap());
        }
        client.flush().await.unwrap();
        let mut refusals = Vec::new();
        while refusals.len() < 6 {
            let event = heard.recv().await.unwrap();
            refusals
                .extend(event.to_lowercase().contains("permissions violation").then_some(event));
        }
        refusals
    });
    assert_eq!(heard.len(), 6);

    let leave = RunControl::default();
    let there = thread::scope(|scope| {
        let access = Access { login: Some(login("worker-a")), ..Access::open(&server.url()) };
        let post = Post { access, ..post(&server.url(), "any name", silence) };
        let leave = &leave;
        scope.spawn(move || {
            work(&post, &factory(PAUSE), leave, &(Arc::new(|_: &Told| {}) as _)).unwrap()
        });
        let mut journal = Journal::create(&folder.join("there.jsonl"), &plan).unwrap();
        let there = run(&plan, Vec::new(), &mut journal, &mut fleet, &control, &mut |_| {});
        leave.interrupt();
        there.unwrap()
    });
    assert_eq!(digest(&there.pairs), digest(&play_here(&plan, &folder).pairs));
    assert!(there.pairs.iter().all(|pair| pair.worker == "worker-a"));
}
