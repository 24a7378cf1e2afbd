//! Repository chores, run as `cargo xtask NAME`: tests with their set-up, budgets, fuzzing, archives.

mod brain;
mod crash;
mod deb;
mod dist;
mod fuzz;
mod interface;
mod perf;
mod python;
mod run;
mod site;
mod test;
mod tools;

use anyhow::{Result, bail};

const HELP: &str = "\
cargo xtask test                         everything the gate runs; installs what is missing
cargo xtask test rust|wasm|python|interface|page|browser|crash
                                         one part of it
cargo xtask perf [--soak SECONDS]        timed budgets of the release binary, on an idle machine
cargo xtask perf --load MINUTES [--pages N]
                                         the studio with 50 pages, a match and a tuning at once
cargo xtask dist                         release archives for this machine in target/dist
cargo xtask wheel                        the Python package for this machine in target/dist
cargo xtask site [FOLDER]                the studio as static files that need no server, in target/www
cargo xtask setup                        only install what the tests need
cargo xtask fuzz NAME [--seconds N]      feed a parser with mutated input ('list' names them)
cargo xtask fuzz protocol [--seconds N]  the same for gomocup, yixin and botzone, with the engine
cargo xtask fuzz learn NAME|all [--minutes N]
                                         libFuzzer, which learns what reaches new code
cargo xtask check end [--times N]        how soon the program is gone after END
cargo xtask check overrun [--moves N] [--busy]
                                         by how much moves are late, first moves included
cargo xtask check crash [--minutes N] [--seed S] [--only WORK]
                                         kill, stop and starve everything; nothing may be lost
cargo xtask check forbidden [--positions N]
                                         fast against slow forbidden-point detector
cargo xtask check solve [--positions N]  no win claimed on random positions is rejected by verify
cargo xtask check suite [--again]        the solver's problems: right, verified, in time
cargo xtask check times [RULE [N]]       how long the wins of the suite take, one by one
cargo xtask check puzzles [verify|levels|mine FILE...]
                                         every puzzle verified; who finds it; new ones from games
cargo xtask check collect GAME MOVES MOVE LOG
                                         the line of a book of proved wins for the log of a proof
cargo xtask check small                  small boards against a search of everything
";

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["test"] => test::all(),
        ["test", part] => test::part(part),
        ["perf", rest @ ..] => perf::run(rest),
        ["dist"] => dist::run(),
        ["wheel"] => python::wheel(),
        ["site"] => site::run(None).map(drop),
        ["site", folder] => site::run(Some(folder)).map(drop),
        ["setup"] => tools::install_all(),
        ["fuzz", "learn", rest @ ..] => fuzz::learn(rest),
        ["fuzz", "protocol" | "gomocup" | "yixin" | "botzone", ..] => {
            run::example("tengen", "fuzz_protocol", &words[1..])
        }
        ["check", "end", rest @ ..] => brain::end(rest),
        ["check", "overrun", rest @ ..] => brain::overrun(rest),
        ["check", "crash", rest @ ..] => crash::run(rest),
        ["fuzz", rest @ ..] => run::example("gomoku", "fuzz", rest),
        ["check", "puzzles", rest @ ..] => run::example("desk", "puzzles", rest),
        ["check", "solve" | "suite" | "times" | "collect" | "small" | "gather", ..] => {
            run::example("solve", "check_solve", &words[1..])
        }
        ["check", rest @ ..] => run::example("gomoku", "check", rest),
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        _ => bail!("'{}' is not a chore.\n{HELP}", words.join(" ")),
    }
}
