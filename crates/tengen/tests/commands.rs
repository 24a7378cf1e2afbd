//! The program as a user meets it: commands in, text and exit codes out.

use std::{
    io::{BufRead, BufReader, Write},
    path::PathBuf,
    process::{Command, Output, Stdio},
};

fn tengen(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tengen")).args(args).output().expect("tengen starts")
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("output is UTF-8")
}

fn json(args: &[&str]) -> serde_json::Value {
    let output = tengen(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(&text(&output)).expect("one JSON document and nothing else")
}

/// A data folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path); // it need not exist
    path
}

#[test]
fn version_names_the_commit_and_help_lists_the_commands() {
    assert!(text(&tengen(&["--version"])).starts_with("tengen 0.1.0 ("));
    let help = text(&tengen(&["--help"]));
    for command in ["studio", "play", "analyze", "match", "tournament", "prove", "gomocup"] {
        assert!(help.contains(&format!("\n  {command}")), "{command} is not in the help");
    }
    assert!(text(&tengen(&["completions", "bash"])).contains("tengen"));
}

#[test]
fn every_command_has_a_page_in_the_manual() {
    let folder = folder("man");
    text(&tengen(&["man", folder.to_str().unwrap()]));
    let page = |name: &str| std::fs::read_to_string(folder.join(format!("{name}.1"))).unwrap();
    assert!(page("tengen").contains("tengen\\-match(1)"));
    assert!(page("tengen-match").contains("\\-\\-sprt"));
    assert!(page("pbrain-tengen").contains("Gomocup protocol"));
}

#[test]
fn exit_codes_tell_failure_from_wrong_usage() {
    let failed = tengen(&["analyze", "h8h8", "--player", "greedy"]);
    assert_eq!(failed.status.code(), Some(1));
    let message = String::from_utf8(failed.stderr).unwrap();
    assert_eq!(message, "tengen: Column 3: h8 is occupied.\n");
    assert_eq!(tengen(&["analyze"]).status.code(), Some(2));
    assert_eq!(tengen(&["analyze", "h8", "--size", "40"]).status.code(), Some(2));
}

#[test]
fn a_player_is_described_with_its_parameters_and_tables() {
    let info = json(&["players", "static-table(depth=4)", "--json"]);
    assert!(info["spec"].as_str().unwrap().contains("depth=4"));
    assert!(info["params"].as_array().unwrap().iter().any(|p| p["name"] == "depth"));
    assert!(!info["tables"].as_array().unwrap().is_empty());
    let unknown = tengen(&["players", "nobody"]);
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("There is no player 'nobody'"));
}

/// What a command that fails says.
fn complaint(args: &[&str]) -> String {
    let output = tengen(args);
    assert!(!output.status.success(), "{args:?}");
    String::from_utf8(output.stderr).expect("output is UTF-8")
}

#[test]
fn mistakes_are_answered_with_what_to_do() {
    let said = complaint(&["players", "gredy"]);
    assert!(said.contains("There is no player 'gredy': did you mean 'greedy'?"), "{said}");
    let said = complaint(&["players", "alpha-beta(dept=4)"]);
    assert!(said.contains("did you mean 'depth'?"), "{said}");
    assert!(!complaint(&["players", "nobody"]).contains("did you mean"));
    for args in [["analyze", "missing.sgf"], ["analyze", "games/missing"]] {
        assert_eq!(complaint(&args), format!("tengen: There is no file {}.\n", args[1]));
    }
    let said = complaint(&["play", "--white", "missing.toml"]);
    assert_eq!(said, "tengen: There is no file missing.toml.\n");

    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let data = folder("taken-port");
    let data = data.to_str().unwrap();
    let said = complaint(&["studio", "--no-open", "--port", &port, "--data", data]);
    assert!(said.contains("Name another port with --port"), "{said}");
}

#[test]
fn a_game_in_the_terminal_knows_help_hint_and_undo() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["play", "--white", "human", "--nodes", "2000", "--from", "h8a1i8a2j8a3"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("tengen starts");
    child.stdin.take().unwrap().write_all(b"help\nhint\nundo\nquit\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let said = text(&output);
    assert_eq!(
        said.matches("hint, undo, resign").count(),
        2,
        "at the start and when asked: {said}"
    );
    assert!(said.contains("Black wins in 3 (proved)."), "{said}");
    assert_eq!(said.matches("white to move>").count(), 1, "one move was taken back: {said}");
    assert!(said.contains('+'), "star points");
}

#[test]
fn analysis_says_whose_view_it_has_and_who_wins() {
    let said = text(&tengen(&["analyze", "h8a1i8a2j8", "--depth", "4"]));
    assert!(said.contains("scores for Black, White to move"), "{said}");
    assert!(!said.contains("loss in") && !said.contains("win in"), "{said}");
}

#[test]
fn a_proved_win_is_said_once_and_to_be_proved() {
    let said = text(&tengen(&["analyze", "h8a1i8b3j8c5", "--nodes", "20000"]));
    assert!(said.contains(" Black wins in 3 (proved)"), "{said}");
    assert!(!said.contains("claimed") && !said.contains('#'), "{said}");
}

#[test]
fn the_view_turns_scores_around_and_is_said() {
    let said = |view| {
        text(&tengen(&["analyze", "h8i9", "--nodes", "3000", "--multipv", "2", "--view", view]))
    };
    let scores = |said: &str| -> Vec<i64> {
        let best = said.lines().filter(|line| line.starts_with(" 1. ") || line.starts_with(" 2. "));
        best.map(|line| line.split_whitespace().nth(2).unwrap().parse().unwrap()).collect()
    };
    let (black, white, mover) = (said("black"), said("white"), said("mover"));
    assert!(black.contains("scores for Black, Black to move"), "{black}");
    assert!(white.contains("scores for White, Black to move"), "{white}");
    assert!(mover.contains("scores for the side to move, Black to move"), "{mover}");
    let turned: Vec<i64> = scores(&white).iter().map(|score| -score).collect();
    assert_eq!((scores(&black).len(), scores(&black)), (2, scores(&mover)));
    assert_eq!(scores(&black), turned);
    let all = text(&tengen(&["analyze", "h8i9", "--all", "--nodes", "500", "--view", "white"]));
    assert!(all.lines().next().unwrap().contains("scores for White"), "{all}");
}

#[test]
fn analysis_finds_the_five_and_lists_forbidden_points() {
    let found = json(&["analyze", "h8h9i8i9j8j9k8k9", "--depth", "2", "--json"]);
    assert!(["g8", "l8"].contains(&found["move"].as_str().unwrap()));
    let args = ["analyze", "b:g8,i8,h7,h9 w:a1,a3,a5,a13 b", "--rule", "renju"];
    let found = json(&[&args[..], &["--depth", "2", "--json"]].concat());
    assert_eq!(found["forbidden"], serde_json::json!(["h8"]));
}

#[test]
fn any_position_of_a_record_is_analyzed() {
    let folder = folder("analyze-record");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("two.sgf");
    let won = "(;GM[4]SZ[15];B[hh];W[hg];B[ih];W[ig];B[jh];W[jg];B[kh];W[kg];B[lh])";
    std::fs::write(&path, format!("{won}(;GM[4]SZ[15];B[hh];W[ii])")).unwrap();
    let file = path.to_str().unwrap();
    let analyze =
        |more: &[&str]| json(&[&["analyze", file, "--player", "greedy", "--json"], more].concat());
    assert_eq!(analyze(&[])["position"], "h8h9i8i9j8j9k8k9", "the last that is open");
    assert_eq!(analyze(&["--move", "3"])["position"], "h8h9i8");
    assert_eq!(analyze(&["--game", "2"])["position"], "h8i7");
    let all = analyze(&["--all"]);
    let played: Vec<_> = all.as_array().unwrap().iter().map(|one| &one["played"]).collect();
    assert_eq!(played, ["h8", "h9", "i8", "i9", "j8", "j9", "k8", "k9", "l8"]);
    let table = text(&tengen(&["analyze", file, "--player", "greedy", "--all", "--game", "2"]));
    assert_eq!(table.lines().count(), 4, "{table}");
    let refused = |more: &[&str]| complaint(&[&["analyze", file], more].concat());
    assert_eq!(refused(&["--game", "3"]), format!("tengen: There are 2 games in {file}.\n"));
    assert_eq!(refused(&["--move", "9"]), "tengen: The game is over: black has won.\n");
    assert_eq!(refused(&["--move", "10"]), "tengen: The game has 9 moves, not 10.\n");
}

#[test]
fn records_are_converted() {
    let folder = folder("convert");
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let gbk = b"(;GM[4]SZ[15]CA[GBK]PB[\xcd\xf5];B[hh];W[hg](;B[ii])(;B[gi]))";
    std::fs::write(path("one.sgf"), gbk).unwrap();
    std::fs::write(path("two.txt"), "h8i9\nh8h9g7\n").unwrap();
    let convert = |args: &[&str]| {
        let output = tengen(&[&["convert"], args].concat());
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    // Several files into one, in Unicode unless something else is asked for.
    convert(&[&path("one.sgf"), &path("two.txt"), &path("all.sgf")]);
    let all = std::fs::read_to_string(path("all.sgf")).unwrap();
    assert!(all.contains("PB[王]") && all.matches("GM[4]").count() == 3, "{all}");
    convert(&[&path("all.sgf"), &path("gbk.sgf"), "--to-encoding", "gbk"]);
    let back = std::fs::read(path("gbk.sgf")).unwrap();
    assert!(back.windows(2).any(|pair| pair == b"\xcd\xf5"));
    // What a format cannot hold is told.
    let said = convert(&[&path("one.sgf"), &path("one.pos"), "--to", "pos"]);
    assert!(said.contains("1 variation"), "{said}");
    assert_eq!(std::fs::read_to_string(path("one.pos")).unwrap(), "h8h9i7\n");
    // A file for an old program stays in its character set, and what fits into none is told.
    let psq = b"Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n\xcd\xf5\r\nBob\r\n-1\r\n".as_slice();
    std::fs::write(path("one.psq"), psq).unwrap();
    let set = ["--from-encoding", "gbk"];
    assert_eq!(convert(&[&[&*path("one.psq"), &path("same.psq")], &set[..]].concat()), "");
    assert_eq!(std::fs::read(path("same.psq")).unwrap(), psq);
    let said = convert(&[&[&*path("one.psq"), &path("one.lib")], &set[..]].concat());
    assert_eq!(
        said.matches("2 names of players are left out: RenLib has no place").count(),
        1,
        "{said}"
    );
    std::fs::write(path("two.psq"), psq).unwrap();
    let set = ["--from-encoding", "shift_jis", "--to-encoding", "gbk"];
    let said = complaint(&[&["convert", &*path("two.psq"), &path("three.psq")], &set[..]].concat());
    assert!(said.contains("has no place for the character"), "{said}");
    // One game a file: into a folder, numbered.
    convert(&[&path("two.txt"), &path("psq/"), "--to", "psq"]);
    assert!(folder.join("psq/two-1.psq").is_file() && folder.join("psq/two-2.psq").is_file());
    let printed = text(&tengen(&["convert", &path("psq/two-2.psq"), "-", "--to", "pos"]));
    assert_eq!(printed, "h8h9g7\n");
    let said = complaint(&["convert", &path("two.txt"), &path("two.psq")]);
    assert!(said.contains("one game") && said.contains("folder"), "{said}");
    let said = complaint(&["convert", "missing.sgf", "out.psq"]);
    assert!(said.starts_with("tengen: Cannot read missing.sgf"), "{said}");
    let said = complaint(&["convert", &path("one.sgf"), "out.doc"]);
    assert_eq!(said, "tengen: The format of out.doc is not known; name it with --to.\n");
}

#[test]
fn an_import_tells_which_lines_are_no_games() {
    let folder = folder("import");
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let sgf = "(;GM[4]SZ[15];B[hh](;W[hg](;B[ii])(;B[hg]))(;W[ii]))(;GM[4]SZ[15]AB[aa];W[hh])";
    std::fs::write(path("four.sgf"), sgf).unwrap();
    let output = tengen(&["book", "import", &path("four.sgf"), "--book", &path("b.redb")]);
    assert!(text(&output).starts_with("0 entries, 2 games, digest "), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("four.sgf: 2 of 4 lines were left out: "), "{said}");
}

#[test]
fn a_match_is_the_same_at_any_number_of_jobs_and_after_resuming() {
    let data = folder("match");
    let data = data.to_str().unwrap();
    let play = |name: &str, games: &str, jobs: &str| {
        json(&[
            "match",
            "static-table(depth=1)",
            "greedy",
            "--games",
            games,
            "--jobs",
            jobs,
            "--name",
            name,
            "--data",
            data,
            "--json",
        ])
    };
    let one = play("one", "12", "1");
    let two = play("two", "12", "2");
    assert_eq!(one["games"], 12);
    assert_eq!(one["digest"], two["digest"]);
    let journal = std::fs::read_to_string(format!("{data}/runs/two/journal.jsonl")).unwrap();
    let header = journal.find('\n').unwrap();
    let torn = &journal[..header + (journal.len() - header) / 2];
    std::fs::create_dir_all(format!("{data}/runs/torn")).unwrap();
    std::fs::write(format!("{data}/runs/torn/journal.jsonl"), torn).unwrap();
    let resumed = json(&["match", "--resume", "torn", "--data", data, "--json"]);
    assert_eq!(resumed["digest"], one["digest"]);
    let ratings = json(&["ratings", "--data", data, "--json"]);
    assert_eq!(ratings.as_array().unwrap().len(), 2);
    // Nobody has to guess what an interval means.
    for command in [&["ratings"][..], &["match", "--resume", "one"]] {
        let said = text(&tengen(&[command, &["--data", data]].concat()));
        assert!(said.contains("95 %"), "{said}");
    }
}

#[test]
fn a_database_outlives_the_program_and_saves_nodes() {
    let data = folder("database");
    let data = data.to_str().unwrap();
    let ask = |data: &str| {
        let player = "new-heuristic(depth=4, book=off, database=on)";
        let found = json(&[
            "analyze", "h8i9g9i8", "--player", player, "--depth", "4", "--data", data, "--json",
        ]);
        let nodes = found["nodes"].as_u64().unwrap();
        ((found["move"].clone(), found["score"].clone()), nodes)
    };
    let (first, nodes) = ask(data);
    assert!(first.0.is_string() && !first.1.is_null(), "{first:?}");
    let (again, fewer) = ask(data);
    assert_eq!(again, first);
    assert!(fewer < nodes / 2, "{fewer} nodes, and {nodes} the first time");
    // A file that is none is left alone, and what is wrong is told.
    let other = folder("no-database");
    std::fs::create_dir_all(&other).unwrap();
    std::fs::write(other.join("positions.redb"), "nonsense").unwrap();
    assert_eq!(ask(other.to_str().unwrap()), (first, nodes));
    let player = ["--player", "alpha-beta(database=on)", "--depth", "2"];
    let place = ["--data", other.to_str().unwrap()];
    let said = tengen(&[&["analyze", "h8i9"][..], &player, &place].concat());
    let said = String::from_utf8_lossy(&said.stderr).into_owned();
    assert!(said.contains("cannot be used") && said.lines().count() == 1, "{said}");
    assert_eq!(std::fs::read(other.join("positions.redb")).unwrap(), b"nonsense");
}

#[test]
fn a_match_is_the_same_whatever_its_players_have_in_their_database() {
    let data = folder("database-match");
    let data = data.to_str().unwrap();
    let play = |name: &str, jobs: &str| {
        json(&[
            "match",
            "alpha-beta(depth=2, database=on)",
            "new-heuristic(depth=3, width=6, book=off, database=on)",
            "--games",
            "4",
            "--depth",
            "3",
            "--jobs",
            jobs,
            "--name",
            name,
            "--data",
            data,
            "--json",
        ])["digest"]
            .clone()
    };
    let first = play("one", "2");
    assert!(first.is_string());
    assert!(std::fs::metadata(format!("{data}/positions.redb")).unwrap().len() > 0);
    assert_eq!(play("two", "2"), first);
    assert_eq!(play("three", "1"), first);
}

#[test]
fn games_of_other_programs_are_rated() {
    let data = folder("import");
    std::fs::create_dir_all(&data).unwrap();
    let path = |name: &str| data.join(name).to_str().unwrap().to_owned();
    let pgn = |black: &str, white: &str, result: &str| {
        format!(
            "[Event \"1\"]\n[Black \"{black}\"]\n[White \"{white}\"]\n[Result \"{result}\"]\n\n"
        )
    };
    let games =
        [pgn("a", "b", "0-1"), pgn("b", "a", "1-0"), pgn("a", "b", "1-0"), pgn("b", "a", "*")];
    std::fs::write(path("games.pgn"), games.concat()).unwrap();
    std::fs::write(path("game.sgf"), "(;GM[4]SZ[15]PB[b]PW[c]RE[B+1];B[hh])").unwrap();
    let files = [path("games.pgn"), path("game.sgf")];
    let args =
        ["ratings", "--json", "--data", data.to_str().unwrap(), "--import", &files[0], &files[1]];
    let output = tengen(&args);
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(
        said.contains("games.pgn: 3 games; 1 left out") && said.contains("game.sgf: 1 game."),
        "{said}"
    );
    let rated: serde_json::Value = serde_json::from_str(&text(&output)).unwrap();
    let names: Vec<_> = rated.as_array().unwrap().iter().map(|line| &line["player"]).collect();
    assert_eq!(names, ["a", "b", "c"]);
    assert_eq!((&rated[0]["games"], &rated[1]["games"]), (&3.into(), &4.into()));
    assert_eq!(
        json(&["ratings", "--json", "--data", args[3]]).as_array().unwrap().len(),
        0,
        "once"
    );
    let said = complaint(&["ratings", "--import", "missing.sgf"]);
    assert!(said.starts_with("tengen: Cannot read missing.sgf"), "{said}");
}

#[test]
fn a_front_end_of_go_plays_a_game() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["gtp", "--rule", "renju", "--nodes", "500"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let said = b"1 name\nboardsize 15\nclear_board\nplay b H8\n2 genmove w\n3 genmove b\nquit\n";
    child.stdin.take().unwrap().write_all(said).unwrap();
    let heard = text(&child.wait_with_output().unwrap());
    let answers: Vec<_> = heard.split_terminator("\n\n").collect();
    assert_eq!((answers.len(), answers[0], answers[6]), (7, "=1 Tengen", "="), "{heard}");
    let is_vertex = |answer: &str, number: &str| {
        answer.strip_prefix(number).is_some_and(|vertex| (2..=3).contains(&vertex.len()))
    };
    assert!(is_vertex(answers[4], "=2 ") && is_vertex(answers[5], "=3 "), "{heard}");
}

#[test]
fn a_game_is_played_in_the_terminal() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(["play", "--white", "human"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let moves = b"h8\nh8\nzz\nh9\ni8\ni9\nj8\nj9\nk8\nundo\nk8\nk9\nl8\n";
    child.stdin.take().unwrap().write_all(moves).unwrap();
    let output = text(&child.wait_with_output().unwrap());
    assert!(output.contains("h8 is occupied."));
    assert!(output.contains("'zz' is not a point"));
    assert!(output.contains("black wins (five)."));
}

#[test]
fn a_paper_is_measured_and_its_report_found_again() {
    let data = folder("papers");
    let papers = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
        for variable in ["XDG_DATA_HOME", "HOME", "APPDATA"] {
            command.env(variable, &data);
        }
        command.arg("papers").args(args).output().unwrap()
    };
    let none = papers(&["report"]);
    assert!(String::from_utf8_lossy(&none.stderr).contains("'tengen papers run' makes one"));
    let run = text(&papers(&["run", "liao-range", "--quick"]));
    let report = |output: &str| output.lines().last().unwrap().to_owned();
    assert!(report(&run).ends_with("report.html"), "{run}");
    std::fs::remove_file(report(&run).trim_start_matches("Report ")).unwrap();
    let again = text(&papers(&["report"]));
    assert_eq!(report(&run), report(&again));
    assert!(PathBuf::from(report(&run).trim_start_matches("Report ")).is_file());
    assert_eq!(papers(&["report", "--games", "50"]).status.code(), Some(1), "not that one");
    let second = papers(&["run", "liao-range", "--quick"]);
    assert!(String::from_utf8_lossy(&second.stderr).contains("resume it with --resume"));
}

#[test]
fn pbrain_says_what_it_is() {
    let said = |option: &str| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_pbrain-tengen")).arg(option).output().unwrap();
        assert!(output.status.success());
        text(&output)
    };
    assert!(said("--help").contains("Gomocup protocol"));
    assert!(said("--version").starts_with("pbrain-tengen 0."));
}

#[test]
fn pbrain_speaks_gomocup() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_pbrain-tengen"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let script = "ABOUT\r\nSTART 15\r\nINFO timeout_turn 200\r\nINFO rule 0\r\nBOARD\r\n7,7,1\r\n\
                  7,6,2\r\n8,7,1\r\n8,6,2\r\n9,7,1\r\n9,6,2\r\n10,7,1\r\n10,6,2\r\nDONE\r\n";
    input.write_all(script.as_bytes()).unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.next().unwrap().starts_with("name=\"Tengen\""));
    assert_eq!(lines.next().unwrap(), "OK");
    let answer = lines.find(|line| !line.starts_with("MESSAGE")).unwrap();
    assert!(["6,7", "11,7"].contains(&answer.as_str()), "{answer}");
    input.write_all(b"END\r\n").unwrap();
    assert!(lines.next().is_none(), "nothing is printed after END");
    let output = child.wait_with_output().unwrap();
    assert!(output.stderr.is_empty() && output.status.success());
}

/// A short match in a data folder; what it prints, and what it complains of.
fn short_match(data: &str, more: &[&str]) -> (String, String) {
    let args = ["match", "greedy", "random", "--games", "4", "--jobs", "1", "--data", data];
    let output = tengen(&[&args[..], more].concat());
    let errors = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(output.status.success(), "{more:?}: {errors}");
    (text(&output), errors)
}

fn names_in(path: &std::path::Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_damaged_journal_hides_no_other_run() {
    let data = folder("damaged-journal");
    let place = data.to_str().unwrap();
    let (first, _) = short_match(place, &["--name", "one"]);
    let (second, _) = short_match(place, &["--name", "two"]);
    let digest =
        |text: &str| text.lines().find(|line| line.starts_with("Digest")).unwrap().to_owned();
    assert_eq!(digest(&first), digest(&second));
    let ratings = || {
        let output = tengen(&["ratings", "--json", "--data", place]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let errors = String::from_utf8(output.stderr.clone()).unwrap();
        (serde_json::from_str::<serde_json::Value>(&text(&output)).unwrap(), errors)
    };
    assert_eq!(ratings().0[0]["games"], 8);
    let journal = data.join("runs/one/journal.jsonl");
    let whole = std::fs::read_to_string(&journal).unwrap();
    // A line that is changed, and players that the plan does not have.
    let at = whole.find("\"moves\":\"").unwrap() + 9;
    let mut changed = whole.clone().into_bytes();
    changed[at] ^= 1;
    std::fs::write(&journal, changed).unwrap();
    let (left, errors) = ratings();
    assert_eq!(left[0]["games"], 4);
    assert!(errors.contains("Line 2 of ") && errors.contains("its checksum is wrong"), "{errors}");
    let bare = |line: &str| line[..line.len() - r#","sum":"00000000"}"#.len()].to_owned() + "}\n";
    let foreign: String = whole.lines().map(bare).collect();
    let foreign = foreign.replace("\"players\":[0,1]", "\"players\":[0,7]");
    std::fs::write(&journal, foreign).unwrap();
    let (left, errors) = ratings();
    assert_eq!(left[0]["games"], 4);
    assert!(errors.contains("has a player that the plan does not name"), "{errors}");
}

#[test]
fn runs_have_names_of_their_own_that_stay_in_their_folder() {
    let data = folder("names");
    let place = data.to_str().unwrap();
    let quick = ["--games", "2"];
    let args = ["match", "greedy", "random", "--jobs", "1", "--data", place];
    let started: Vec<_> = (0..3)
        .map(|_| {
            Command::new(env!("CARGO_BIN_EXE_tengen"))
                .args([&args[..], &quick].concat())
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut child in started {
        assert!(child.wait().unwrap().success(), "runs begun at the same time do not collide");
    }
    let names = names_in(&data.join("runs"));
    assert_eq!(names.len(), 3, "{names:?}");
    for name in &names {
        assert!(name.starts_with("20") && name.contains("-greedy-vs-random"), "{name}");
    }
    let help = text(&tengen(&["match", "--help"]));
    assert!(help.contains("the date and time in UTC and who plays"), "{help}");
    for name in ["", "..", "../escaped", "a/b", "/tmp/escaped", ".hidden"] {
        let refused = tengen(&[&args[..], &["--name", name]].concat());
        assert_eq!(refused.status.code(), Some(1), "{name:?}");
        let message = String::from_utf8(refused.stderr).unwrap();
        assert!(message.contains("cannot be the name of a run"), "{message}");
    }
    assert_eq!(names_in(&data.join("runs")), names, "nothing was left behind");
    assert!(!data.join("escaped").exists());
}

#[test]
fn the_data_folder_holds_for_books_of_players_too() {
    let data = folder("own-books");
    let place = data.to_str().unwrap();
    let build =
        ["book", "build", "--book", "mine", "--entries", "2", "--nodes", "200", "--data", place];
    let built = tengen(&build);
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    assert!(data.join("books/mine.redb").is_file());
    let player = "book(name=mine, player=greedy)";
    let found = tengen(&["analyze", "h8", "--player", player, "--data", place]);
    assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stderr));
    short_match(place, &["--limits-a", "nodes=10"]);
    let played = tengen(&["match", player, "random", "--games", "2", "--data", place]);
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    let elsewhere = folder("other-books");
    let missing =
        tengen(&["analyze", "h8", "--player", player, "--data", elsewhere.to_str().unwrap()]);
    assert_eq!(missing.status.code(), Some(1), "another folder has no such book");
}

#[cfg(unix)]
#[test]
fn a_second_studio_says_where_the_first_is() {
    let data = folder("two-studios");
    let place = data.to_str().unwrap();
    let args = ["studio", "--no-open", "--port", "0", "--data", place];
    let mut first = Command::new(env!("CARGO_BIN_EXE_tengen"))
        .args(args)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(first.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let url = line.trim().strip_prefix("Tengen is at ").unwrap();
    let second = tengen(&args);
    assert!(second.status.success());
    let said = text(&second);
    assert!(said.contains(url) && said.contains("--data"), "{said}");
    let serve = tengen(&["serve", "--port", "0", "--data", place]);
    assert_eq!(serve.status.code(), Some(1));
    first.kill().unwrap();
    first.wait().unwrap();
}
