//! Whatever a manager sends, the next sensible command gets a sensible answer.

mod common;

use common::Brain;
use proptest::{collection::vec, prelude::*, test_runner::RngSeed};

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
}
