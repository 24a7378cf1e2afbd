//! `cargo xtask check end`: how soon the program is gone after END, told while it thinks.
//! `cargo xtask check overrun`: by how much its moves are late, first moves included.

use std::{
    collections::BTreeSet,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Command, Stdio},
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
/// Moves of a fresh process, so that one in so many is a first move.
const MOVES_EACH: usize = 8;

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
    let (mut all, mut first) = (Vec::new(), Vec::new());
    while all.len() < moves {
        let late = play_some(brain, limit, all.len() as u64)?;
        first.push(late[0]);
        all.extend(late);
    }
    let show = |late: &mut Vec<f64>| {
        late.sort_by(f64::total_cmp);
        let at = |share: f64| late[((late.len() - 1) as f64 * share) as usize];
        format!("median {:+.1}, p99 {:+.1}, worst {:+.1} ms", at(0.5), at(0.99), at(1.0))
    };
    println!(
        "{limit} ms a move, {} moves: {}; {} first moves: {}",
        all.len(),
        show(&mut all),
        first.len(),
        show(&mut first)
    );
    Ok(())
}

/// Plays a few moves with a fresh process; by how many milliseconds each was late.
fn play_some(brain: &Path, limit: u64, seed: u64) -> Result<Vec<f64>> {
    let mut child = Command::new(brain)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("pbrain-tengen does not start")?;
    let mut input = child.stdin.take().context("no input")?;
    let mut output = BufReader::new(child.stdout.take().context("no output")?);
    let mut answer = move || -> Result<String> {
        loop {
            let mut line = String::new();
            if output.read_line(&mut line)? == 0 {
                bail!("it leaves");
            }
            if !line.starts_with("MESSAGE") && !line.starts_with("DEBUG") {
                return Ok(line.trim().to_owned());
            }
        }
    };
    write!(input, "INFO timeout_turn {limit}\nINFO timeout_match 0\nSTART 15\n")?;
    if answer()? != "OK" {
        bail!("it does not start");
    }
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let (mut late, mut chance) = (Vec::new(), seed);
    for _ in 0..MOVES_EACH {
        let point = loop {
            chance = chance
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let cell = (chance >> 33) % 225;
            let point = format!("{},{}", cell % 15, cell / 15);
            if taken.insert(point.clone()) {
                break point;
            }
        };
        let asked = Instant::now();
        input.write_all(format!("TURN {point}\n").as_bytes())?;
        let reply = answer()?;
        late.push(asked.elapsed().as_secs_f64() * 1e3 - limit as f64);
        if reply.starts_with("ERROR") {
            bail!("it says {reply}");
        }
        taken.insert(reply);
    }
    input.write_all(b"END\n")?;
    child.wait()?;
    Ok(late)
}
