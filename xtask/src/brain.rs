//! `cargo xtask check end`: how soon the program is gone after END, told while it thinks.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Command, Stdio},
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
