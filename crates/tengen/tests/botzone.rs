//! Plays transcripts of Botzone's protocol against the built program.
//!
//! As in `transcripts.rs`, `TENGEN_BIN=target/release/tengen` names another program.

use std::{
    collections::HashSet,
    io::{BufRead, BufReader, Read, Write},
    process::{Command, Stdio},
};

#[test]
fn botzone() {
    let file = include_str!("transcripts/botzone.txt");
    let transcripts: Vec<_> = file.split("\n== ").skip(1).collect();
    assert!(transcripts.len() > 15);
    transcripts.into_iter().for_each(play);
}

/// One transcript with a program of its own.
fn play(transcript: &str) {
    let (head, lines) = transcript.split_once('\n').expect("a transcript has lines");
    let (args, title) = head.split_once(" # ").expect("a transcript has a title");
    let program = std::env::var_os("TENGEN_BIN");
    let program = program.unwrap_or_else(|| env!("CARGO_BIN_EXE_tengen").into());
    let mut child = Command::new(program)
        .arg("botzone")
        .args(args.split(' ').filter(|arg| !arg.is_empty()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take();
    let mut output = BufReader::new(child.stdout.take().expect("piped")).lines();
    let mut taken = HashSet::new();
    let mut fails = false;
    let steps: Vec<&str> = lines.lines().filter(|line| !line.is_empty()).collect();
    for (number, step) in steps.iter().enumerate() {
        match step.split_once(' ').unwrap_or((step, "")) {
            (">", text) => {
                let numbers = numbers_in(text);
                taken.extend(numbers.chunks_exact(2).map(|xy| (xy[0], xy[1])));
                let input = input.as_mut().expect("the input is open");
                // A program that has gone says so by what is missing.
                let _ = writeln!(input, "{text}").and_then(|()| input.flush());
            }
            ("<", pattern) => {
                let is_last_word = !steps[number..].iter().any(|step| step.starts_with('>'));
                if is_last_word {
                    input = None;
                }
                let heard = output.next().and_then(Result::ok);
                let heard = heard.unwrap_or_else(|| panic!("{title}: nothing is said"));
                let fits = pattern.split(" || ").any(|pattern| fits(pattern, &heard, &mut taken));
                assert!(fits, "{title}: expected '{pattern}', heard '{heard}'");
            }
            ("!", "fails") => fails = true,
            _ => panic!("{title}: a transcript has lines with > < and !"),
        }
    }
    drop(input);
    assert!(output.next().is_none(), "{title}: a line too many");
    let mut errors = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut errors).expect("text");
    let status = child.wait().expect("the program can be waited for");
    assert_eq!(status.success(), !fails, "{title}: {status} {errors}");
    assert_eq!(errors.lines().count(), usize::from(fails), "{title}: {errors}");
}

/// All whole numbers of a text, in order.
fn numbers_in(text: &str) -> Vec<i32> {
    let parts = text.split(|c: char| !c.is_ascii_digit() && c != '-');
    parts.filter_map(|part| part.parse().ok()).collect()
}

/// Whether a line is like a pattern; the point it names has a stone from then on.
fn fits(pattern: &str, line: &str, taken: &mut HashSet<(i32, i32)>) -> bool {
    let (pattern, not) = match pattern.split_once(" not 7 7") {
        Some((before, after)) => (format!("{before}{after}"), Some((7, 7))),
        None => (pattern.to_owned(), None),
    };
    if !pattern.contains("{x}") {
        return pattern == line;
    }
    let [x, y] = numbers_in(line)[..] else { return false };
    let is_free = (0..15).contains(&x) && (0..15).contains(&y) && taken.insert((x, y));
    let filled = pattern.replace("{x}", &x.to_string()).replace("{y}", &y.to_string());
    is_free && filled == line && not != Some((x, y))
}

#[test]
fn patterns_can_fail() {
    let mut taken = HashSet::from([(3, 4)]);
    assert!(fits("{x} {y}", "5 6", &mut taken));
    assert!(!fits("{x} {y}", "5 6", &mut taken), "it has a stone now");
    assert!(!fits("{x} {y}", "3 4", &mut taken) && !fits("{x} {y}", "15 4", &mut taken));
    assert!(!fits("{x} {y}", "1,4", &mut taken) && !fits("{x} {y} not 7 7", "7 7", &mut taken));
    assert_eq!(numbers_in("{\"x\":-1,\"y\":12}"), [-1, 12]);
}
