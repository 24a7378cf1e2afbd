//! Promises of ARCHITECTURE.md that only the whole program can keep.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates lie side by side").to_owned()
}

fn json(args: &[&str]) -> serde_json::Value {
    let output = Command::new(env!("CARGO_BIN_EXE_tengen")).args(args).output().unwrap();
    assert!(output.status.success(), "{args:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A change of the search changes the file with it, and says why.
#[test]
fn the_bench_has_the_nodes_that_the_repository_says() {
    let path = crates().join("engine/bench.txt");
    let kept: u64 = fs::read_to_string(&path).unwrap().trim().parse().unwrap();
    let nodes = json(&["bench", "--json"])["nodes"].as_u64().unwrap();
    assert_eq!(nodes, kept, "'tengen bench' has {nodes} nodes, {} says {kept}", path.display());
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            files.push(path);
        }
    }
}

/// Players are handed over in a registry. The dependency graph keeps types out; this keeps names out.
#[test]
fn no_library_above_the_players_names_one() {
    let players = json(&["players", "--json"]);
    let names = players.as_array().unwrap().iter().map(|player| player["name"].as_str().unwrap());
    // These two are words for other things too.
    let names: Vec<_> = names.filter(|name| !["book", "random"].contains(name)).collect();
    assert!(names.len() > 10, "{names:?}");
    let mut files = Vec::new();
    for name in ["protocol", "book", "arena", "fleet", "tune", "papers", "desk", "studio"] {
        sources(&crates().join(name).join("src"), &mut files);
    }
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        // The tests of a file stand at its end.
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let named = literals(line).map(player_of).find(|name| names.contains(name));
            assert_eq!(named, None, "{}: {line}", path.display());
        }
    }
}

/// The texts in quotation marks on a line.
fn literals(line: &str) -> impl Iterator<Item = &str> {
    line.split('"').skip(1).step_by(2)
}

/// The name in a text that is the spec of a player, alone or in a list: `top12(width=5), ...`.
fn player_of(text: &str) -> &str {
    text.split(['(', ',', '|', '@', '{']).next().unwrap_or_default().trim()
}

#[test]
fn a_name_is_seen_in_any_spec() {
    let line = r#"let seats = ["top12", "engine(level=3)", " minimax, greedy", "engines"];"#;
    let names: Vec<_> = literals(line).map(player_of).collect();
    assert_eq!(names, ["top12", "engine", "minimax", "engines"]);
}
