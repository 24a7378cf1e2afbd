//! `cargo xtask check end`: how soon the program is gone after END, told while it thinks.
//! `cargo xtask check overrun`: by how much its moves are late, first moves included.

use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};

use crate::run::build_release;

const BUDGET: Duration = Duration::from_millis(200);

/// Ends a search at random moments and reports how long the program took to leave.
pub(crate) fn end(args: &[&str]) -> Result<()> {
    let times: u32 = match args {
        [] => 100,
        ["--times", times] => times.parse().context("--times wants a number")?,
        _ => bail!("expected --times N"),
    };
    let brain = build_release()?.join("pbrain-tengen");
    let mut taken = Vec::new();
    for i in 0..times {
        // Spread evenly over the first second of thought by the golden ratio.
        let moment = Duration::from_secs_f64((f64::from(i) * 0.618_034).fract());
        taken.push(end_after(&brain, moment, i)?);
    }
    taken.sort();
    let late = taken.iter().filter(|&&time| time > BUDGET).count();
    let show = |time: Duration| time.as_secs_f64() * 1000.0;
    println!(
        "gone after END, {times} times: median {:.1} ms, longest {:.1} ms, {late} over {} ms",
        show(taken[taken.len() / 2]),
        show(taken[taken.len() - 1]),
        BUDGET.as_millis()
    );
    if late > 0 {
        bail!("{late} of {times} were too late");
    }
    Ok(())
}

fn end_after(brain: &Path, moment: Duration, number: u32) -> Result<Duration> {
    let mut child = Command::new(brain)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("pbrain-tengen does not start")?;
    let mut input = child.stdin.take().context("no input")?;
    let mut output = BufReader::new(child.stdout.take().context("no output")?);
    let (size, rule) = ([15, 20][number as usize % 2], [0, 1, 4][number as usize % 3]);
    write!(
        input,
        "START {size}\nINFO rule {rule}\nINFO timeout_turn 100000\nINFO max_memory 367001600\n\
         INFO show_detail 1\nBOARD\n7,7,2\n8,8,1\n7,9,2\nDONE\n"
    )?;
    // An END that is read together with the board is a script's, which is answered. So it waits for
    // the first word of the thinking.
    let mut line = String::new();
    while !line.starts_with("MESSAGE REALTIME") {
        line.clear();
        if output.read_line(&mut line)? == 0 {
            bail!("it leaves before END");
        }
    }
    thread::sleep(moment);
    let begun = Instant::now();
    input.write_all(b"END\n")?;
    let status = child.wait()?;
    let taken = begun.elapsed();
    let rest: Vec<String> = output.lines().collect::<Result<_, _>>()?;
    let answer = rest.iter().find(|line| !line.starts_with("MESSAGE"));
    if !status.success() || answer.is_some() {
        bail!("after END it ends with {status} and says {answer:?}");
    }
    Ok(taken)
}

/// Milliseconds a move.
const LIMITS: [u64; 3] = [5, 30, 100];
/// Moves of a fresh process at most, so that one in so many is a first move.
const MOVES_EACH: usize = 8;
/// How much later than a loop that only watches the clock one move in a hundred may be.
const LATE_MS: f64 = 10.0;

/// Measures how late answers are, on a machine that is idle or has all its cores busy.
pub(crate) fn overrun(args: &[&str]) -> Result<()> {
    let is_busy = args.contains(&"--busy");
    let rest: Vec<&str> = args.iter().copied().filter(|arg| *arg != "--busy").collect();
    let moves: usize = match rest.as_slice() {
        [] => 1000,
        ["--moves", moves] => moves.parse().context("--moves wants a number")?,
        _ => bail!("expected --moves N or --busy"),
    };
    let brain = build_release()?.join("pbrain-tengen");
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let cores =
            if is_busy { thread::available_parallelism().map_or(1, usize::from) } else { 0 };
        for _ in 0..cores {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let measured = LIMITS.iter().try_for_each(|&limit| report_overrun(&brain, limit, moves));
        stop.store(true, Ordering::Relaxed);
        measured
    })
}

fn report_overrun(brain: &Path, limit: u64, moves: usize) -> Result<()> {
    let (mut all, mut first, mut machine) = (Vec::new(), Vec::new(), Vec::new());
    for seed in 0.. {
        for late in play_game(brain, limit, seed)?.iter().filter(|late| !late.is_empty()) {
            first.push(late[0]);
            all.extend(late);
            machine.extend([watch_clock(limit), watch_clock(limit)]);
        }
        if all.len() >= moves {
            break;
        }
    }
    for (what, late) in [("moves", &mut all), ("first moves", &mut first), ("loops", &mut machine)]
    {
        late.sort_by(f64::total_cmp);
        let at = |share| quantile(late, share);
        println!(
            "{limit:>3} ms  {:>5} {what:<12} median {:>+6.1}  p99 {:>+6.1}  worst {:>+6.1} ms",
            late.len(),
            at(0.5),
            at(0.99),
            at(1.0)
        );
    }
    let late = quantile(&all, 0.99) - quantile(&machine, 0.99).max(0.0);
    if late > LATE_MS {
        bail!("one move in a hundred is {late:.1} ms later than the machine makes it");
    }
    Ok(())
}

fn quantile(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * share) as usize]
}

/// By how many milliseconds a loop is late that only watches the clock: what the machine is to blame for.
fn watch_clock(limit: u64) -> f64 {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_millis(limit) {
        std::hint::spin_loop();
    }
    begun.elapsed().as_secs_f64() * 1e3 - limit as f64
}

/// A running program that is asked for moves.
struct Brain {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Brain {
    fn start(program: &Path, limit: u64) -> Result<Brain> {
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("pbrain-tengen does not start")?;
        let input = child.stdin.take().context("no input")?;
        let output = BufReader::new(child.stdout.take().context("no output")?);
        let mut brain = Brain { child, input, output };
        let greeting = format!("INFO timeout_turn {limit}\nINFO timeout_match 0\nSTART {SIZE}\n");
        if brain.ask(&greeting)? != "OK" {
            bail!("it does not start");
        }
        Ok(brain)
    }

    fn ask(&mut self, words: &str) -> Result<String> {
        self.input.write_all(words.as_bytes())?;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                bail!("it leaves");
            }
            if !line.starts_with("MESSAGE") && !line.starts_with("DEBUG") {
                return Ok(line.trim().to_owned());
            }
        }
    }

    fn end(mut self) -> Result<()> {
        self.input.write_all(b"END\n")?;
        self.child.wait()?;
        Ok(())
    }
}

const SIZE: i64 = 15;

/// Two fresh processes play each other for some moves; by how many milliseconds each move was late.
fn play_game(program: &Path, limit: u64, seed: i64) -> Result<[Vec<f64>; 2]> {
    let mut brains = [Brain::start(program, limit)?, Brain::start(program, limit)?];
    let mut late = [Vec::new(), Vec::new()];
    // A first stone within three of the center, and then it is the other's turn.
    let mut last = (SIZE / 2 - 3 + seed % 7, SIZE / 2 - 3 + seed / 7 % 7);
    let mut stones = [BTreeSet::from([last]), BTreeSet::new()];
    for ply in 1..=2 * MOVES_EACH {
        let side = ply % 2;
        // The first move of the one who began is answered with a board.
        let words = match ply {
            2 => {
                let (first, second) = (stones[0].first(), stones[1].first());
                let lines = [(first, 1), (second, 2)].map(|(stone, who)| {
                    let (x, y) = stone.expect("each side has a stone");
                    format!("{x},{y},{who}\n")
                });
                format!("BOARD\n{}DONE\n", lines.concat())
            }
            _ => format!("TURN {},{}\n", last.0, last.1),
        };
        let asked = Instant::now();
        let reply = brains[side].ask(&words)?;
        late[side].push(asked.elapsed().as_secs_f64() * 1e3 - limit as f64);
        let numbers = reply.split_once(',').map(|(x, y)| (x.parse(), y.parse()));
        let Some((Ok(x), Ok(y))) = numbers else { bail!("it says {reply}") };
        last = (x, y);
        stones[side].insert(last);
        if is_five(&stones[side], last) {
            break;
        }
    }
    brains.into_iter().try_for_each(Brain::end)?;
    Ok(late)
}

fn is_five(stones: &BTreeSet<(i64, i64)>, (x, y): (i64, i64)) -> bool {
    [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(dx, dy)| {
        let run = |sign: i64| {
            let at = |n: i64| (x + sign * n * dx, y + sign * n * dy);
            (1..).take_while(|&n| stones.contains(&at(n))).count()
        };
        run(1) + run(-1) >= 4
    })
}
