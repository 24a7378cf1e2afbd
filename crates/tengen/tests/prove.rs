//! Proofs on the command line: two workers, killed and resumed, written as they are found.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::Duration,
};

/// Black has quiet moves to find here, and not many.
const POSITION: [&str; 6] = ["prove", "h8o15g9a1", "--quiet", "3", "--move", "j6"];

fn tengen() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(args: &[&str]) -> Output {
    tengen().args(args).output().expect("tengen starts")
}

fn json(output: &Output) -> serde_json::Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON document and nothing else")
}

fn failure(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A file of its own for a test, not there yet.
fn file(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path); // it need not exist
    path
}

fn lines(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    whole.map(str::to_owned).collect()
}

/// Starts a proof with two workers and kills it when its log has a line. `None` if it was too quick.
fn kill_in_the_middle(log: &Path) -> Option<Vec<String>> {
    let _ = std::fs::remove_file(log); // it need not exist
    let mut args = tengen();
    args.args(POSITION).args(["--jobs", "2", "--log"]).arg(log).stdout(Stdio::null());
    let mut child = args.spawn().expect("tengen starts");
    while lines(log).is_empty() && child.try_wait().expect("a child").is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("the child can be killed");
    let was_killed = child.wait().expect("a child").code().is_none();
    was_killed.then(|| lines(log))
}

#[test]
fn a_killed_proof_goes_on_where_it_was() {
    let log = file("killed.log");
    let before = (0..5).find_map(|_| kill_in_the_middle(&log)).expect("one kill comes in time");
    assert!(!before.is_empty());
    // The kill may as well have come while a line was written.
    let torn = format!("{}b:h8,g9 w:o1", before.concat());
    std::fs::write(&log, torn).expect("the log can be written");

    let proof = file("killed.proof");
    let (log_name, proof_name) = (log.to_str().unwrap(), proof.to_str().unwrap());
    let more = ["--jobs", "2", "--log", log_name, "--out", proof_name, "--json"];
    let found = json(&run(&[&POSITION[..], &more[..]].concat()));
    assert_eq!(found["result"], "win");
    let after = lines(&log);
    assert_eq!(after[..before.len()], before, "the log is only added to");
    let mut distinct = after.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), after.len(), "nothing was decided again");
    let verdict = json(&run(&["verify", proof_name, "--json"]));
    assert_eq!((&verdict["result"], &verdict["plies"]), (&found["result"], &found["plies"]));

    // With everything decided, one worker decides nothing new.
    json(&run(&[&POSITION[..], &["--log", log_name, "--json"]].concat()));
    assert_eq!(lines(&log), after);
}

#[test]
fn wrong_logs_and_openings_are_told() {
    let log = file("wrong.log");
    std::fs::write(&log, "b:h8,g9 w:o15,a1 b f8\nnothing of the kind\n").unwrap();
    let told = failure(&run(&[&POSITION[..], &["--log", log.to_str().unwrap()]].concat()));
    assert!(told.contains("Line 2 of") && told.contains("'nothing of the kind'"), "{told}");
    assert!(told.contains("is no decision"), "{told}");
    let told = failure(&run(&["prove", "h8i9", "--from-book"]));
    assert!(told.contains("The book has no such opening."), "{told}");
    let jobs = run(&["prove", "h8o15g9a1", "--quiet", "3", "--jobs", "2"]);
    assert_eq!(jobs.status.code(), Some(2), "workers share out the replies to one move");
}

#[test]
fn a_player_leads_to_the_decisions() {
    let log = file("guided.log");
    let guided = ["--guided", "--player", "engine(hash=1)", "--jobs", "2"];
    let more = ["--log", log.to_str().unwrap(), "--json"];
    let found = json(&run(&[&POSITION[..], &guided[..], &more[..]].concat()));
    assert_eq!(found["result"], "win");
    assert!(!lines(&log).is_empty());

    // What is not found in time is said to be open.
    let hard = ["prove", "h8i9", "--quiet", "1", "--move", "j7", "--time", "100ms"];
    let stopped = run(&[&hard, &guided[..]].concat());
    let told = String::from_utf8_lossy(&stopped.stderr);
    assert!(
        told.contains("replies are settled. Open, with the quiet moves looked into:"),
        "{told}"
    );
    assert!(told.contains("\n  i7   0\n"), "{told}");
    assert!(String::from_utf8_lossy(&stopped.stdout).contains("unknown"));
    let alone = run(&[&POSITION[..], &["--guided"]].concat());
    assert_eq!(alone.status.code(), Some(2), "it needs a player");
}
