//! Whatever a manager sends, the next sensible command gets a sensible answer.

mod common;

use std::sync::Arc;

use common::{Brain, First, Shared};
use player::Player;
use proptest::{collection::vec, prelude::*, test_runner::RngSeed};
use protocol::gtp::{GtpOptions, run};

const PIECES: [&str; 40] = [
    "START",
    "15",
    "20",
    "BEGIN",
    "TURN",
    "7,7",
    "0,0",
    "19,19",
    "-1,-1",
    "BOARD",
    "DONE",
    "7,7,1",
    "8,8,2",
    "3,3,3",
    "INFO",
    "rule",
    "4",
    "timeout_turn",
    "0",
    "time_left",
    "TAKEBACK",
    "PLAY",
    "SWAP2BOARD",
    "RESTART",
    "RECTSTART",
    "ABOUT",
    "yxboard",
    "yxnbest",
    "2",
    "yxshowforbid",
    "yxblock",
    "yxsoosorvstep5",
    "yxsetdatabase",
    "yxbalancetwo",
    "yxquerydatabaseall",
    ",",
    "\u{e9}",
    "99999999999",
    "show_detail",
    "5",
];

const WORDS: [&str; 30] = [
    "play",
    "genmove",
    "reg_genmove",
    "b",
    "w",
    "black",
    "H8",
    "j9",
    "I5",
    "A1",
    "T19",
    "Z99",
    "pass",
    "undo",
    "boardsize",
    "5",
    "22",
    "-1",
    "99999999999",
    "clear_board",
    "time_settings",
    "time_left",
    "1e300",
    "nan",
    "komi",
    "showboard",
    "final_score",
    "12",
    "\u{e9}",
    "gogui-rules_board",
];

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 150,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..Default::default()
    })]

    #[test]
    fn the_next_command_is_answered(
        lines in vec((vec(0..PIECES.len(), 1..5), vec(any::<u8>(), 0..3)), 0..25),
    ) {
        let mut brain = Brain::new();
        for (words, bytes) in &lines {
            let words: Vec<_> = words.iter().map(|&word| PIECES[word]).collect();
            let mut line = words.join(" ").into_bytes();
            line.extend(bytes.iter().filter(|byte| !matches!(byte, b'\n' | b'\r')));
            line.push(b'\n');
            brain.send(&line);
        }
        // All that was said has been answered when this line has.
        brain.say("START 9");
        brain.say("INFO show_detail 0");
        brain.say("MARK");
        while brain.hear() != "UNKNOWN command: MARK" {}
        brain.say("INFO rule 0");
        brain.say("yxblockreset");
        brain.say("yxblockpathreset");
        // A setting without a number is reported once.
        brain.say("RESTART");
        let first = brain.hear();
        if first.starts_with("ERROR") {
            brain.say("RESTART");
            prop_assert_eq!(brain.hear(), "OK");
        } else {
            prop_assert_eq!(first, "OK");
        }
        brain.say("BOARD 4,4,2 DONE");
        let answer = brain.hear();
        let (x, y) = answer.split_once(',').unwrap_or_else(|| panic!("{answer}"));
        prop_assert!(x.parse::<u8>().unwrap() < 9 && y.parse::<u8>().unwrap() < 9);
        prop_assert_eq!(brain.leave(Some("END")), "");
    }

    #[test]
    fn each_line_of_gtp_has_one_answer(
        lines in vec((vec(0..WORDS.len(), 1..5), vec(any::<u8>(), 0..3)), 0..25),
    ) {
        let mut said = Vec::new();
        for (words, bytes) in &lines {
            said.extend(words.iter().map(|&word| WORDS[word]).collect::<Vec<_>>().join(" ").bytes());
            said.extend(bytes.iter().filter(|byte| !matches!(byte, b'\n' | b'\r' | b'#')));
            said.push(b'\n');
        }
        said.extend(b"boardsize 9\nclear_board\nplay b E5\n17 genmove w\n");
        let mut heard = Vec::new();
        let shared = Shared::default();
        let mut make = || Ok(Box::new(First(Arc::clone(&shared))) as Box<dyn Player>);
        run(&said[..], &mut heard, &mut make, &GtpOptions::default()).unwrap();
        let heard = String::from_utf8(heard).unwrap();
        let answers: Vec<_> = heard.split_terminator("\n\n").collect();
        prop_assert_eq!(answers.len(), lines.len() + 4, "{}", heard);
        prop_assert!(answers.iter().all(|answer| answer.starts_with(['=', '?'])));
        prop_assert_eq!(&answers[lines.len()..], ["=", "=", "=", "=17 A9"]);
    }
}
