//! Yixin-Board's commands, row by row: thinking, marks, openings, and the database.

mod common;

use common::{Brain, Notes, check};
use gomoku::Rule;
use player::Goal;
use protocol::{Coordinates, serve::Settings};

#[test]
fn the_start_up_of_the_board() {
    let settings = Settings { max_threads: 16, max_hash: 22, ..Settings::default() };
    let mut brain = Brain::with(settings, None);
    brain.follow(
        "> info show_detail 1
         > yxshowinfo
         < MESSAGE INFO MAX_THREAD_NUM 16
         < MESSAGE INFO MAX_HASH_SIZE 22
         > start 15 15
         < OK
         > INFO timeout_turn 2000000
         > INFO timeout_match 100000000
         > INFO time_left 100000000
         > INFO max_node -1
         > INFO max_depth 225
         > INFO time_increment 0
         > INFO caution_factor 3
         > INFO thread_num 4
         > INFO thread_split_depth 8
         > INFO hash_size 1048576
         > INFO pondering 0
         > INFO vcthread 0
         > INFO rule 2
         > info usedatabase 1
         > info nbestsym 0
         > info start_depth 2
         > board
         > 7,7,1
         > 6,7,2
         > done
         < MESSAGE REALTIME REFRESH
         < MESSAGE REALTIME BEST 0,0
         < MESSAGE REALTIME VAL 7
         < MESSAGE REALTIME PV a15",
    );
    // The time of the search is in this line.
    let line = brain.hear_all();
    assert!(line.starts_with("MESSAGE depth 3 ev 7 n 0 tm "), "{line}");
    assert_eq!(brain.hear_all(), "0,0");
    let knobs = brain.knobs.lock().unwrap();
    assert_eq!(knobs.tasks[0].position.rule(), Rule::Renju);
    let last = knobs.made.last().unwrap();
    assert_eq!((last.threads, last.hash), (Some(4), Some(1_048_576)));
}

#[test]
fn starting_again_keeps_what_was_learned() {
    let mut brain = Brain::new();
    brain.check(
        "> yxshowinfo
         < MESSAGE INFO MAX_THREAD_NUM 1
         < MESSAGE INFO MAX_HASH_SIZE 22
         > start 15 15
         < OK
         > board
         > done
         < 0,0
         > start 15 15
         < OK
         > board
         > done
         < 0,0",
    );
    assert_eq!(brain.knobs.lock().unwrap().new_games, 2, "made, and made ready");
    brain.check("> yxhashclear");
    assert_eq!(brain.knobs.lock().unwrap().new_games, 3);
}

#[test]
fn a_turn_follows_yxboard() {
    // After its forbidden points were shown, a human's move comes as a turn.
    check(
        "> start 15 15
         < OK
         > yxboard
         > 7,7,1
         > 6,7,2
         > done
         > yxshowforbid
         < FORBID .
         > turn 8,8
         < 0,0",
    );
}

#[test]
fn row_and_column_are_exchanged_for_the_board() {
    let settings = Settings { coordinates: Coordinates::RowColumn, ..Settings::default() };
    let mut brain = Brain::with(settings, None);
    brain.check(
        "> start 15 15
         < OK
         > yxboard
         > 3,5,1
         > 4,6,2
         > done
         > yxblock
         > 0,0
         > done
         > yxnbest 1
         < MESSAGE (1) +7 b15
         < 0,1",
    );
    assert_eq!(brain.knobs.lock().unwrap().tasks[0].position.to_text(), "f12g11");
}

#[test]
fn nbest_shows_the_best_moves() {
    let mut brain = Brain::new();
    brain.check(
        "> start 15 15
         < OK
         > yxboard
         > done
         > yxnbest 3
         < MESSAGE (1) +7 a15
         < MESSAGE (2) -3 b15
         < MESSAGE (3) -13 c15
         < 0,0
         > turn 1,0
         < 2,0
         > yxnbest 0
         < ERROR Expected the number of moves, at least 1: yxnbest 0",
    );
    assert_eq!(brain.knobs.lock().unwrap().tasks[0].multi_pv, 3);
}

#[test]
fn balance_and_defense() {
    let mut brain = Brain::new();
    brain.check(
        "> start 15 15
         < OK
         > yxboard
         > 7,7,2
         > done
         > yxbalanceone
         < 0,0
         > yxboard
         > 7,7,2
         > done
         > yxbalancetwo 20
         < 0,0 1,0
         > yxboard
         > 7,7,2
         > done",
    );
    let goals: Vec<_> = brain.knobs.lock().unwrap().tasks.iter().map(|task| task.goal).collect();
    let balance = |stones, bias| Goal::Balance { stones, bias };
    assert_eq!(goals, [balance(1, 0), balance(2, 20)]);
    brain.say("yxsearchdefend");
    let lines: Vec<_> = (0..50).map(|_| brain.hear()).collect();
    assert_eq!(lines[..2], ["MESSAGE REALTIME POS 0,0", "MESSAGE REALTIME DONE 0,0"]);
    assert_eq!(lines[48..], ["MESSAGE REALTIME BEST 0,0", "0,0"]);
    brain.is_quiet();
    brain.set(|knobs| knobs.scores = vec![-5000]);
    brain.check("> yxboard\n> done");
    brain.say("yxsearchdefend");
    let lines: Vec<_> = (0..50).map(|_| brain.hear()).collect();
    assert_eq!(lines[1], "MESSAGE REALTIME LOSE 0,0");
}

#[test]
fn forbidden_points() {
    check(
        "> yxshowforbid
         < FORBID .
         > start 15 15
         < OK
         > INFO rule 4
         > yxboard
         > 6,7,1
         > 0,0,2
         > 8,7,1
         > 0,2,2
         > 7,6,1
         > 0,4,2
         > 7,8,1
         > 0,12,2
         > done
         > yxshowforbid
         < FORBID 0707.
         > INFO rule 0
         > yxshowforbid
         < FORBID .",
    );
}

#[test]
fn blocked_moves_and_lines() {
    check(
        "> start 15 15
         < OK
         > yxblock
         > 0,0
         > 1,0
         > done
         > begin
         < 2,0
         > start 15 15
         < OK
         > yxblockundo
         > 0,0
         > done
         > begin
         < 0,0
         > start 15 15
         < OK
         > yxblockreset
         > yxblockpath
         > 7,7
         > 0,0
         > done
         > turn 7,7
         < 1,0
         > start 15 15
         < OK
         > turn 8,8
         < 0,0
         > start 15 15
         < OK
         > yxblockpathundo
         > 7,7
         > 0,0
         > done
         > turn 7,7
         < 0,0
         > yxblockpathreset
         > start 15 15
         < OK
         > yxforbid add 0 0 0
         > begin
         < 1,0
         > start 15 15
         < OK
         > yxforbid del 0 0 0
         > yxforbid add 0 0 1
         > begin
         < 0,0
         > yxforbid add 99 0 1
         < ERROR 99,0 is not on the board.
         > yxforbid what
         < ERROR Expected add or del, a, b and a side: yxforbid what",
    );
}

#[test]
fn hash_draw_resign_and_features() {
    let mut brain = Brain::new();
    brain.check(
        "> start 15 15
         < OK
         > yxhashdump
         > C:\\hash.bin
         < ERROR There is no database.
         > yxhashload
         > C:\\hash.bin
         < ERROR There is no database.
         > yxshowhashusage
         < MESSAGE 0 positions searched since the table was cleared
         > yxdraw
         < MESSAGE DRAW REJECT
         > yxprintfeature
         < MESSAGE evaluation +10
         < MESSAGE black three 2 x 5
         > begin
         < 0,0
         > yxdraw
         < MESSAGE DRAW REJECT",
    );
    brain.set(|knobs| knobs.scores = vec![-10]);
    brain.check(
        "> turn 7,7
         < 1,0
         > yxdraw
         < MESSAGE DRAW ACCEPT
         > yxresign
         < MESSAGE DRAW REJECT",
    );
}

#[test]
fn swap2_steps() {
    let mut brain = Brain::new();
    brain.check("> start 15 15\n< OK");
    brain.say("yxswap2step1");
    for i in 1..=3 {
        let line = brain.hear();
        let numbers = line.strip_prefix(&format!("MESSAGE SWAP2 MOVE{i} ")).expect(&line);
        assert_eq!(numbers.split(' ').filter(|n| n.parse::<u8>().is_ok_and(|n| n < 15)).count(), 2);
    }
    let three = "> yxboard\n> 7,7,2\n> 8,8,1\n> 9,9,2\n> done\n";
    brain.check(&format!("{three}> yxswap2step2\n< MESSAGE SWAP2 SWAP1 NO"));
    brain.set(|knobs| knobs.scores = vec![-10]);
    brain.check(&format!("{three}> yxswap2step2\n< MESSAGE SWAP2 SWAP1 YES"));
    let five = "> yxboard\n> 7,7,2\n> 8,8,1\n> 9,9,2\n> 1,1,1\n> 2,2,2\n> done\n";
    brain.check(&format!("{five}> yxswap2step3\n< MESSAGE SWAP2 SWAP2 YES"));
    brain.set(|knobs| knobs.scores = vec![10]);
    brain.check(&format!("{five}> yxswap2step3\n< MESSAGE SWAP2 SWAP2 NO"));
    brain.check("> yxswap2step2\n< ERROR This step of Swap2 has 3 stones, not 5.");
}

#[test]
fn soosorv_steps() {
    let mut brain = Brain::new();
    brain.check("> start 15 15\n< OK\n> INFO rule 4");
    // Three openings are compared: the second is the most even.
    brain.set(|knobs| knobs.scores = vec![90, 5, -40, 7]);
    brain.say("yxsoosorvstep1");
    let stones: Vec<_> = (0..3).map(|_| brain.hear()).collect();
    assert_eq!(stones[0], "MESSAGE SOOSORV MOVE1 7 7");
    let moves = "> 7,7\n> 7,6\n> 8,6\n";
    brain.check(&format!("> yxsoosorvstep2\n{moves}> done\n< MESSAGE SOOSORV SWAP1 NO"));
    brain.set(|knobs| knobs.scores = vec![-7]);
    brain.check(&format!("> yxsoosorvstep2\n{moves}> done\n< MESSAGE SOOSORV SWAP1 YES"));
    // Black's best fifths are worth 22, 12, 2 and so on: with three the worst is nearest to even.
    brain.set(|knobs| knobs.scores = vec![22]);
    brain.check(&format!("> yxsoosorvstep3\n{moves}> done\n< MESSAGE SOOSORV MOVE4 0 0 3"));
    let moves = format!("{moves}> 0,0\n");
    brain.check(&format!("> yxsoosorvstep4 3\n{moves}> done\n< MESSAGE SOOSORV SWAP2 NO"));
    brain.check(&format!("> yxsoosorvstep4 4\n{moves}> done\n< MESSAGE SOOSORV SWAP2 YES"));
    brain.check(&format!(
        "> yxsoosorvstep5 2\n{moves}> done
         < MESSAGE SOOSORV MOVE5 REFRESH
         < MESSAGE SOOSORV MOVE5 1 0
         < MESSAGE SOOSORV MOVE5 2 0
         < MESSAGE SOOSORV MOVE5 DONE"
    ));
    brain.set(|knobs| knobs.scores = vec![1, 3, 2]);
    brain.check(&format!(
        "> yxsoosorvstep6\n{moves}> 9,9\n> 10,10\n> 11,11\n> done
         < MESSAGE SOOSORV MOVE5C 10 10
         > yxsoosorvstep2
         > 7,7
         > done
         < ERROR This step of Soosorv has 3 moves, not 1.
         > yxsoosorvstep4
         < ERROR Expected the number of fifth moves: yxsoosorvstep4"
    ));
}

#[test]
fn details_of_rapfis_kind() {
    let mut brain = Brain::new();
    brain.check("> START 15\n< OK\n> INFO show_detail 2");
    brain.say("yxnbest 2");
    let lines: Vec<_> = (0..22).map(|_| brain.hear()).collect();
    assert_eq!(
        lines[..5],
        ["INFO NUMPV 2", "INFO PV 0", "INFO DEPTH 3", "INFO SELDEPTH 5", "INFO NODES 0"]
    );
    assert_eq!(lines[8..11], ["INFO EVAL 7", "INFO BESTLINE 0,0", "INFO PV DONE"]);
    assert_eq!(lines[11], "INFO PV 1");
    assert_eq!(lines[21], "MESSAGE (1) +7 a15");
}

#[test]
fn without_a_database_there_is_nothing_in_it() {
    check(
        "> START 15
         < OK
         > yxquerydatabaseall
         > 7,7
         > done
         < MESSAGE DATABASE REFRESH
         < MESSAGE DATABASE DONE
         > yxquerydatabaseone
         > done
         < MESSAGE DATABASE ONE -1 0 0 0
         > yxedittextdatabase \"x\"
         > done
         < ERROR There is no database.
         > yxsetdatabase
         > C:\\x.db
         < ERROR There is no database.",
    );
}

#[test]
fn database_commands() {
    let mut brain = Brain::with(Settings::default(), Some(Box::<Notes>::default()));
    brain.check(
        "> START 15
         < OK
         > yxsetdatabase
         > C:\\my book.db
         < MESSAGE DATABASE LOAD START C:\\my book.db
         < MESSAGE DATABASE LOAD DONE
         > yxsetdatabase
         > missing.db
         < ERROR There is no file missing.db.
         > YXEDITTVDDATABASE 7 119 120 9
         > 7,7
         > 7,6
         > DONE
         > yxedittextdatabase \"hi there\"
         > 7,7
         > 7,6
         > done
         > yxeditlabeldatabase 8,6 A
         > 7,7
         > done
         > YXQUERYDATABASEALL
         > 7,7
         > DONE
         < MESSAGE DATABASE REFRESH
         < MESSAGE DATABASE 7 6 119 120 9 3 1
         < MESSAGE DATABASE 8 6 -1 0 0 0 0 A
         < MESSAGE DATABASE DONE
         > yxquerydatabaseone
         > 7,7
         > 7,6
         > done
         < MESSAGE DATABASE ONE 119 120 9 3
         > yxquerydatabasetext
         > 7,7
         > 7,6
         > done
         < MESSAGE DATABASE TEXT \"hi there\"
         > yxquerydatabaseallt
         > 7,7
         > 7,6
         > done
         < MESSAGE DATABASE REFRESH
         < MESSAGE DATABASE DONE
         < MESSAGE DATABASE TEXT \"hi there\"
         > yxsetbestmovedatabase
         > 7,7
         > 7,6
         > done
         > yxquerydatabaseone
         > 7,7
         > 7,6
         > done
         < MESSAGE DATABASE ONE 33 120 9 3
         > yxclearbestmovedatabase
         > 7,7
         > 7,6
         > done
         > yxdeletedatabaseone
         > 7,7
         > 7,6
         > done
         > yxquerydatabaseone
         > 7,7
         > 7,6
         > done
         < MESSAGE DATABASE ONE -1 0 0 0
         > yxdeletedatabaseall nonwl
         > done
         < MESSAGE 0 entries deleted
         > yxdeletedatabaseall
         > done
         < MESSAGE 1 entries deleted
         > yxdeletedatabaseall everything
         > done
         < ERROR Expected a filter such as wl or nonwl: everything
         > yxsavedatabase
         < MESSAGE DATABASE SAVE START C:\\my book.db
         < MESSAGE DATABASE SAVE DONE
         > yxdbtolib
         > out.lib
         < MESSAGE ToLibrary out.lib 0
         > yxlibtodb
         > in.lib
         < MESSAGE FromLibrary in.lib 0
         > yxdbtopos
         > a.pos
         < MESSAGE ToPos a.pos 0
         > yxdbtotxt
         > a.txt
         < MESSAGE ToText a.txt 0
         > yxdbtotxtall
         > a.txt
         < MESSAGE ToTextAll a.txt 0
         > yxtxttodb
         > a.txt
         < MESSAGE FromText a.txt 0
         > yxdbsplit
         > b.db
         < MESSAGE Split b.db 0
         > yxdbmerge
         > b.db
         < MESSAGE Merge b.db 0
         > yxdbcheck
         < MESSAGE sound
         > yxdbfix
         < MESSAGE mended
         > yxquerydatabaseall
         > 7,7
         > 7,7
         > done
         < ERROR 7,7 is listed twice.
         > yxedittvddatabase 1 2
         < ERROR Expected mask, label, value and depth: yxedittvddatabase 1 2",
    );
}
