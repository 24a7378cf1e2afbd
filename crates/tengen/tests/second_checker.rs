//! The second checker, `docs/check_proof.py`, agrees with `verify` on proofs and on altered proofs.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use gomoku::{Position, Rule};
use player::{Limits, Unwatched};
use solve::{Prover, efforts};
use verify::{Manner, Sha256};

/// Wins by force, small enough to be altered hundreds of times.
const FORCED: [(&str, Rule); 4] = [
    ("b:h8,i8,g9 w:a1,c1,e1 b", Rule::Freestyle),
    ("b:h8,g9,f8 w:a1,g8,o15 b", Rule::Freestyle),
    ("b:h8,i8,g9 w:a1,c1,e1 b", Rule::Standard),
    ("b:h8,h10,j9 w:a1,c1,e1 b", Rule::Freestyle),
];
/// A win with quiet moves: its answers to many replies have answers to many replies in them.
const QUIET: (&str, &str, u32) = ("h8o15g9a1", "j6", 3);
/// Altered proofs of each forced win, and of the other, which takes longer to check.
const N_ALTERED: [usize; 2] = [60, 12];

fn forced(text: &str, rule: Rule) -> Vec<u8> {
    let position = Position::parse(text, rule, 15).unwrap();
    let answer = solve::solve_position(&position, None, 1, &Limits::nodes(200_000), &Unwatched);
    answer.win().unwrap_or_else(|| panic!("{text} is won")).proof().bytes
}

fn with_quiet_moves() -> Vec<u8> {
    let (text, point, quiet) = QUIET;
    let position = Position::parse(text, Rule::Freestyle, 15).unwrap();
    let point = point.parse().unwrap();
    let tree = Prover::new(16).prove_move(&position, point, &efforts(quiet), &Unwatched);
    tree.expect("a win").proof().bytes
}

/// Where the tree begins: after magic, version, five bytes, stones and shared trees.
fn tree_at(bytes: &[u8]) -> usize {
    let mut at = 13;
    let mut number = || {
        let start = at;
        at += bytes[at..].iter().position(|byte| *byte < 128).unwrap() + 1;
        (bytes[start] & 127, at)
    };
    number();
    for _ in 0..2 {
        for _ in 0..number().0 {
            number();
        }
    }
    number().1
}

/// The numbers that a tree is made of.
fn numbers(bytes: &[u8]) -> Vec<Vec<u8>> {
    let of_one = bytes.split_inclusive(|byte| *byte < 128);
    of_one.map(<[u8]>::to_vec).collect()
}

fn written(mut value: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 127 {
        bytes.push(value as u8 | 128);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn read(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |value, byte| value << 7 | u32::from(byte & 127))
}

/// The same proof with one number of its tree altered, and a checksum that fits.
fn altered(proof: &[u8], seed: u64) -> Vec<u8> {
    let chance = gomoku::zobrist::split_mix(seed);
    let tree = tree_at(proof);
    let mut all = numbers(&proof[tree..proof.len() - 32]);
    let (at, other) = (chance as usize % all.len(), (chance >> 20) as usize % all.len());
    let value = read(&all[at]);
    match (chance >> 40) % 8 {
        // Another cell of the same kind of node, or another kind for the same cell.
        0..3 => all[at] = written(value.wrapping_add(4 * (1 + (chance >> 44) as u32 % 20)) % 900),
        3 => all[at] = written(value ^ 1),
        4 => all[at] = all[other].clone(),
        5 => all.swap(at, other),
        6 => drop(all.remove(at)),
        _ => all.insert(at, all[other].clone()),
    }
    let mut bytes = [&proof[..tree], &all.concat()].concat();
    bytes.extend(Sha256::of(&bytes));
    bytes
}

/// What the second checker says of each file: whether it accepts it, in a line that begins with its
/// name.
fn ask(python: &Path, files: &[PathBuf], more: &[&str]) -> Vec<bool> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/check_proof.py");
    let output = Command::new(python).arg(script).args(more).args(files).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.is_empty(), "{errors}");
    let of_file = |file: &PathBuf| {
        let start = format!("{}: ", file.display());
        let line = said.lines().find_map(|line| line.strip_prefix(&start));
        let line = line.unwrap_or_else(|| panic!("nothing is said of {start}\n{said}"));
        assert_ne!(line.contains(" wins within "), line.starts_with("not accepted."), "{line}");
        line.contains(" wins within ")
    };
    files.iter().map(of_file).collect()
}

fn python() -> Option<PathBuf> {
    let search = std::env::var_os("PATH")?;
    std::env::split_paths(&search).map(|folder| folder.join("python3")).find(|path| path.is_file())
}

#[test]
fn the_second_checker_agrees_on_proofs_and_on_altered_ones() {
    let Some(python) = python() else {
        eprintln!("SKIPPED: there is no python3 on the path.");
        return;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("second_checker");
    fs::create_dir_all(&folder).unwrap();
    let save = |name: String, bytes: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let mut proofs: Vec<Vec<u8>> = FORCED.iter().map(|(text, rule)| forced(text, *rule)).collect();
    proofs.push(with_quiet_moves());
    let originals = proofs.iter().enumerate().map(|(i, bytes)| save(format!("{i}.proof"), bytes));
    let originals: Vec<PathBuf> = originals.collect();
    assert!(proofs.iter().all(|bytes| verify::check(bytes).is_ok()));
    assert!(ask(&python, &originals, &[]).iter().all(|accepted| *accepted));

    let origins = (0..proofs.len())
        .flat_map(|i| vec![i; N_ALTERED[usize::from(i == FORCED.len())]])
        .collect::<Vec<usize>>();
    let n_altered = origins.len();
    let altered: Vec<Vec<u8>> =
        origins.iter().zip(0..).map(|(&origin, seed)| altered(&proofs[origin], seed)).collect();
    let files = altered.iter().enumerate().map(|(i, b)| save(format!("altered-{i}.proof"), b));
    let files: Vec<PathBuf> = files.collect();
    let ours: Vec<bool> = altered.iter().map(|bytes| verify::check(bytes).is_ok()).collect();
    assert_eq!(ask(&python, &files, &[]), ours);
    let n_refused = ours.iter().filter(|accepted| !**accepted).count();
    assert!(n_refused >= 200, "only {n_refused} of {n_altered} altered proofs are refused");
    // What is accepted all the same is right: so say both checkers without any short cut. The larger
    // ones would take too long.
    let is_small = |at: &usize| ours[*at] && altered[*at].len() < 1000;
    let small: Vec<usize> = (0..files.len()).filter(is_small).collect();
    for &at in &small {
        let go_on = &mut |_: &verify::Counts| std::ops::ControlFlow::Continue(());
        let checked = verify::check_stream(&altered[at][..], Manner::Literal, go_on);
        assert!(checked.is_ok(), "{}", files[at].display());
    }
    let small: Vec<PathBuf> = small.iter().map(|&at| files[at].clone()).collect();
    assert!(!small.is_empty() && ask(&python, &small, &["--literal"]).iter().all(|ok| *ok));
}
