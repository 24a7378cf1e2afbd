//! Holds ARCHITECTURE.md against the manifests and sources.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

type Graph = BTreeMap<String, BTreeSet<String>>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Rows "| `crate` | a, b | ..." of the table of crates.
fn documented() -> Graph {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let rows = text.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| `")?.split('|');
        let name = cells.next()?.trim().trim_end_matches('`').to_owned();
        let deps = cells.next()?.split(',').map(|dep| dep.trim().to_owned());
        Some((name, deps.filter(|dep| dep != "–").collect()))
    });
    rows.collect()
}

fn manifest(name: &str) -> toml::Table {
    let path = root().join("crates").join(name).join("Cargo.toml");
    fs::read_to_string(path).unwrap().parse().unwrap()
}

fn crate_names() -> BTreeSet<String> {
    let entries = fs::read_dir(root().join("crates")).unwrap().map(Result::unwrap);
    let folders = entries.filter(|entry| entry.path().is_dir());
    folders.map(|entry| entry.file_name().into_string().unwrap()).collect()
}

#[test]
fn the_dependency_graph_is_the_documented_one() {
    let crates = crate_names();
    let actual: Graph = crates
        .iter()
        .map(|name| {
            let manifest = manifest(name);
            let deps = manifest.get("dependencies").and_then(toml::Value::as_table);
            let deps = deps.into_iter().flat_map(|table| table.keys().cloned());
            (name.clone(), deps.filter(|dep| crates.contains(dep)).collect())
        })
        .collect();
    assert_eq!(actual, documented());
}

#[test]
fn verify_depends_on_nothing_at_all() {
    let manifest = manifest("verify");
    let deps = manifest.get("dependencies").and_then(toml::Value::as_table);
    assert!(deps.is_none_or(toml::Table::is_empty));
}

/// Sources of a crate, for the absences that the compiler does not check.
fn sources(name: &str) -> Vec<(PathBuf, String)> {
    let mut folders = vec![root().join("crates").join(name).join("src")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "rs") {
                files.push((path.clone(), fs::read_to_string(path).unwrap()));
            }
        }
    }
    files
}

/// The first lines of a crate: its documentation and what it forbids itself.
fn promises(name: &str) -> String {
    let path = root().join("crates").join(name).join("src/lib.rs");
    let text = fs::read_to_string(path).unwrap();
    text.lines().filter(|line| line.starts_with("#![")).collect()
}

#[test]
fn only_four_crates_may_contain_unsafe_code() {
    for name in crate_names() {
        let is_forbidden = promises(&name).contains("#![forbid(unsafe_code)]");
        let may = ["engine", "net", "site", "train"].contains(&name.as_str());
        assert_eq!(is_forbidden, !may, "{name}");
    }
}

/// What people run: the command line, and the package for Python.
const PROGRAMS: [&str; 2] = ["tengen", "python"];

/// What is disallowed stands in `crates/clippy.toml`, or in the crate's own file of this name.
#[test]
fn every_library_denies_itself_what_its_clippy_file_disallows() {
    let promise =
        "#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]";
    for name in crate_names().iter().filter(|name| !PROGRAMS.contains(&name.as_str())) {
        assert!(promises(name).contains(promise), "{name} does not open with {promise}");
    }
    for name in ["engine", "net"] {
        assert!(promises(name).contains("deny(clippy::float_arithmetic)"), "{name}");
    }
}

/// The crates that may do more than the others, and why their clippy files differ.
#[test]
fn only_the_outer_crates_have_clippy_files_of_their_own() {
    let has_own = |name: &String| root().join("crates").join(name).join("clippy.toml").exists();
    let own: Vec<_> = crate_names().into_iter().filter(has_own).collect();
    assert_eq!(own, ["arena", "book", "fleet", "linelog", "papers", "studio", "tune"]);
}

#[test]
fn only_studio_and_fleet_depend_on_async_crates() {
    for name in crate_names() {
        let manifest = manifest(&name);
        let deps = manifest.get("dependencies").and_then(toml::Value::as_table);
        let mut names = deps.into_iter().flat_map(toml::Table::keys);
        let is_async = |dep: &&String| {
            ["tokio", "futures", "async", "axum", "hyper", "smol"].iter().any(|n| dep.contains(n))
        };
        let found = names.find(is_async);
        let may_be = ["studio", "fleet"].contains(&&*name);
        assert!(may_be || found.is_none(), "{name} depends on {found:?}");
    }
}

#[test]
fn the_desk_has_no_socket_thread_file_or_clock() {
    let absent =
        ["std::thread", "thread::", "std::net", " fs,", " fs::", "(fs::", "Instant", "SystemTime"];
    for (path, text) in sources("desk") {
        for absent in absent.iter().chain(&["tokio", "axum", "async "]) {
            assert!(!text.contains(absent), "{} mentions {absent}", path.display());
        }
    }
}

#[test]
fn every_file_says_what_it_is_for() {
    for name in crate_names() {
        for (path, text) in sources(&name) {
            assert!(text.starts_with("//!"), "{} does not open with a //! line", path.display());
        }
    }
}

/// Hops "1. `file`: `function`, then `function` ..." of the walks in ARCHITECTURE.md.
#[test]
fn the_walks_lead_through_functions_that_exist() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let hops = text.lines().filter_map(|line| line.split_once(". `crates/"));
    let mut count = 0;
    for (_, hop) in hops {
        let (file, rest) = hop.split_once("`: `").unwrap();
        let source = fs::read_to_string(root().join("crates").join(file)).unwrap();
        let names = format!("`{rest}");
        let first = names.split('`').nth(1).unwrap();
        let defined =
            [format!("fn {first}("), format!("fn {first}<"), format!("function {first}(")];
        assert!(defined.iter().any(|text| source.contains(text)), "{file} has no {first}");
        count += 1;
    }
    assert!(count >= 20, "only {count} hops were read");
}

/// Conventional names, and what `verify` must not share with anyone.
const SHARED_NAMES: [&str; 6] = ["Options", "Settings", "Report", "Color", "Point", "Rule"];

#[test]
fn a_public_type_name_means_one_thing() {
    let mut homes: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for name in crate_names() {
        for (_, text) in sources(&name) {
            for line in text.lines().filter_map(|line| line.trim_start().strip_prefix("pub ")) {
                let (kind, rest) = line.split_once(' ').unwrap_or_default();
                if ["struct", "enum", "trait", "type"].contains(&kind) {
                    let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
                    homes.entry(rest[..end].to_owned()).or_default().insert(name.clone());
                }
            }
        }
    }
    homes.retain(|name, crates| crates.len() > 1 && !SHARED_NAMES.contains(&name.as_str()));
    assert!(homes.is_empty(), "{homes:?}");
}

/// Every line of the table of `SECURITY.md` that says what somebody cannot do names tests that exist.
#[test]
fn the_threat_model_names_its_tests() {
    let text = fs::read_to_string(root().join("SECURITY.md")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| who "));
    let mut count = 0;
    for row in rows {
        let tests = row.rsplit('|').nth(1).unwrap();
        let named = tests.split('`').filter(|part| part.contains("::"));
        let mut is_tested = false;
        for named in named {
            let (path, test) = named.split_once("::").unwrap();
            let source = fs::read_to_string(root().join(path));
            let source = source.unwrap_or_else(|_| panic!("there is no {path}"));
            let is_there = source.contains(&format!("fn {test}("))
                || source.contains(&format!("test(\"{test}\""));
            assert!(is_there, "{path} has no test '{test}'");
            is_tested = true;
        }
        assert!(is_tested, "no test stands for: {row}");
        count += 1;
    }
    assert!(count >= 15, "{count} rows");
}
