//! Commands and replies: read in every spelling, printed in one, and read back.

use gomoku::{Point, Position, Rule};
use player::{Clock, Limits};
use proptest::{collection::vec, prelude::*, test_runner::RngSeed};
use protocol::{
    Coord, Coordinates, LineSplitter,
    drive::{Driver, Heard},
    gomocup::{Assembler, Command, Info, InfoKey, Owner, Reply, Stone},
    yixin,
};

/// All commands of a stream of bytes.
fn commands(bytes: &[u8]) -> Vec<Command> {
    let (mut lines, mut assembler, mut found) =
        (LineSplitter::default(), Assembler::default(), Vec::new());
    lines.push(bytes, |line| found.extend(assembler.push(line)));
    lines.finish(|line| found.extend(assembler.push(line)));
    found
}

fn one(text: &str) -> Command {
    let mut found = commands(text.as_bytes());
    assert_eq!(found.len(), 1, "{text}: {found:?}");
    found.remove(0)
}

fn stone(a: i32, b: i32, owner: Option<Owner>) -> Stone {
    Stone { at: Coord(a, b), owner }
}

#[test]
fn commands_in_every_spelling() {
    assert_eq!(one("START 15"), Command::Start(15, 15));
    assert_eq!(one("start 15 15\r\n"), Command::Start(15, 15));
    assert_eq!(one("\u{feff}Start 20,20"), Command::Start(20, 20));
    assert_eq!(one("RECTSTART 20,15"), Command::RectStart(20, 15));
    assert_eq!(one("turn 7, 8"), Command::Turn(Coord(7, 8)));
    assert_eq!(one("TURN -1,-1"), Command::Turn(Coord(-1, -1)));
    assert_eq!(
        one("INFO folder C:\\my files\\x"),
        Command::Info(Info { key: InfoKey::Folder, value: "C:\\my files\\x".into() })
    );
    assert_eq!(one("ERROR what?"), Command::Error("what?".into()));
    assert_eq!(one("FOO 1 2"), Command::Unknown("FOO 1 2".into()));
    assert_eq!(commands(b"\r\n\n  \nEND\r"), [Command::End]);
    // Bytes that are no text at all.
    assert_eq!(commands(b"\xFF\xFE\nBEGIN\n").last(), Some(&Command::Begin));
    assert!(matches!(one("TURN x"), Command::Malformed(..)));
    assert!(matches!(one("START"), Command::Malformed(..)));
    assert!(matches!(one("START 1 2 3"), Command::Malformed(..)));
}

#[test]
fn boards_on_one_line_or_many() {
    let stones = vec![stone(7, 7, Some(Owner::Own)), stone(8, 8, Some(Owner::Opponent))];
    let many = commands(b"BOARD\r\n7,7,1\r\n8, 8, 2\r\ndone\r\n");
    assert_eq!(many, [Command::Board(stones.clone())]);
    assert_eq!(one("BOARD 7,7,1 8,8,2 DONE"), Command::Board(stones));
    assert_eq!(one("BOARD\nDONE"), Command::Board(Vec::new()));
    assert!(matches!(one("BOARD\n7,7\nDONE"), Command::Malformed(..)));
    assert!(matches!(one("BOARD\n7,7,4\nDONE"), Command::Malformed(..)));
    assert!(matches!(one("BOARD\nnonsense\nDONE"), Command::Malformed(..)));
    let swap2 = commands(b"SWAP2BOARD\n7,7\n8,7,2\nDONE\n");
    let expected = vec![stone(7, 7, None), stone(8, 7, Some(Owner::Opponent))];
    assert_eq!(swap2, [Command::Swap2Board(expected)]);
    // A command ends a block that was not finished.
    let cut = commands(b"BOARD\n7,7,1\nSTART 15\n");
    assert!(matches!(cut[..], [Command::Malformed(..), Command::Start(15, 15)]), "{cut:?}");
    assert_eq!(commands(b"BOARD\n7,7,1\nEND\n").last(), Some(&Command::End));
}

#[test]
fn numbers_of_any_size() {
    let number = |text: &str| Info::parse(text).as_number();
    assert_eq!(number("time_left -35"), Some(-35));
    assert_eq!(number("time_left 99999999999999999999"), Some(i64::MAX));
    assert_eq!(number("time_left -99999999999999999999"), Some(i64::MIN));
    assert_eq!(number("max_memory 367001600"), Some(367_001_600));
    assert_eq!(number("rule"), None);
    assert_eq!(number("rule x"), None);
}

#[test]
fn yixin_commands() {
    let yx = |text: &str| match one(text) {
        Command::Yixin(command) => command,
        other => panic!("{other:?}"),
    };
    assert_eq!(yx("yxshowinfo"), yixin::Command::ShowInfo);
    assert_eq!(yx("STOP"), yixin::Command::Stop);
    assert_eq!(yx("yxnbest 3"), yixin::Command::NBest(3));
    assert_eq!(yx("yxbalancetwo"), yixin::Command::BalanceTwo(0));
    assert_eq!(
        yx("yxblock\n7,7\n8,8\ndone"),
        yixin::Command::Block(true, vec![Coord(7, 7), Coord(8, 8)])
    );
    let step = yixin::Command::Soosorv(5, 3, vec![Coord(1, 2)]);
    assert_eq!(yx("yxsoosorvstep5 3\n1,2\ndone"), step);
    let path = yixin::Command::Path(yixin::PathCommand::SetDatabase, "C:\\a b.db".into());
    assert_eq!(yx("yxsetdatabase\nC:\\a b.db"), path);
    let text = yixin::Database::EditText("a b".into());
    assert_eq!(
        yx("yxedittextdatabase \"a b\"\n7,7\ndone"),
        yixin::Command::Database(text, vec![Coord(7, 7)])
    );
    assert!(matches!(one("yxnbest 0"), Command::Malformed(..)));
    assert!(matches!(one("yxfoo"), Command::Unknown(..)));
    // A path that never comes does not swallow the next command.
    assert_eq!(commands(b"yxhashdump\nEND\n").last(), Some(&Command::End));
}

#[test]
fn replies_in_every_spelling() {
    assert_eq!(Reply::parse(b"7,8"), Reply::Move(Coord(7, 8)));
    assert_eq!(Reply::parse(b" 7 , 8 \r"), Reply::Move(Coord(7, 8)));
    let three = vec![Coord(7, 7), Coord(8, 7), Coord(9, 9)];
    assert_eq!(Reply::parse(b"7,7 8,7 9,9"), Reply::Moves(three));
    assert_eq!(Reply::parse(b"ok"), Reply::Ok);
    assert_eq!(Reply::parse(b"OK fine"), Reply::Noise("OK fine".into()));
    assert_eq!(Reply::parse(b"swap"), Reply::Swap);
    assert_eq!(Reply::parse(b"message hi"), Reply::Message("hi".into()));
    assert_eq!(Reply::parse(b"FORBID 07070810."), Reply::Forbid(vec![Coord(7, 7), Coord(8, 10)]));
    assert_eq!(Reply::parse(b"FORBID ."), Reply::Forbid(Vec::new()));
    let about = Reply::About(vec![("name".into(), "Foo".into()), ("version".into(), "1.0".into())]);
    assert_eq!(Reply::parse(b"name=\"Foo\", version=\"1.0\""), about);
    assert_eq!(Reply::parse(about.to_string().as_bytes()), about);
    assert!(matches!(Reply::parse(b"\xFF\xFE"), Reply::Noise(_)));
    assert_eq!(Reply::Message("a\nb\u{e9}".into()).to_string(), "MESSAGE a?b?");
}

#[test]
fn coordinates_in_four_orders() {
    let h9: Point = "h9".parse().unwrap();
    let written = Coordinates::ALL.map(|order| order.coord(h9, 15).to_string());
    assert_eq!(written, ["7,6", "6,7", "7,8", "8,7"]);
    for order in Coordinates::ALL {
        assert_eq!(order.point(order.coord(h9, 15), 15), Some(h9));
        assert_eq!(order.point(Coord(15, 0), 15), None);
        assert_eq!(order.point(Coord(0, -1), 15), None);
        assert_eq!(order.name().parse(), Ok(order));
    }
}

#[test]
fn a_driver_speaks_like_a_manager() {
    let mut driver = Driver::new(Rule::Standard, 15);
    let clock = Clock { left: std::time::Duration::from_secs(120), increment: Default::default() };
    let limits = Limits {
        clock: Some(clock),
        memory: Some(367_001_600),
        ..Limits::turn(std::time::Duration::from_secs(5))
    };
    assert_eq!(driver.start(), "START 15\n");
    assert_eq!(driver.hear(b"7,7"), Heard::Noise("7,7".into()), "nothing was asked yet");
    assert_eq!(driver.hear(b"OK\r\n"), Heard::Ready);
    assert_eq!(
        driver.settings(&limits),
        "INFO rule 1\nINFO timeout_turn 5000\nINFO timeout_match 120000\n\
         INFO max_memory 367001600\nINFO game_type 1\n"
    );
    let opening = Position::parse("h8h9i9", Rule::Standard, 15).unwrap();
    assert_eq!(
        driver.request(&opening, &limits),
        "INFO time_left 120000\nBOARD\n7,7,2\n7,6,1\n8,6,2\nDONE\n"
    );
    assert_eq!(driver.hear(b"MESSAGE deep thought"), Heard::Remark("deep thought".into()));
    assert_eq!(driver.hear(b"15,0"), Heard::OffBoard(Coord(15, 0)));
    assert_eq!(driver.hear(b"0,14"), Heard::Move("a1".parse().unwrap()));
    let later = Position::parse("h8h9i9a1b1", Rule::Standard, 15).unwrap();
    assert_eq!(driver.request(&later, &Limits::default()), "TURN 1,14\n");
    // Another game than the brain knows is sent whole.
    let other = Position::parse("h8h9i9c1d1", Rule::Standard, 15).unwrap();
    assert!(driver.request(&other, &Limits::default()).starts_with("BOARD\n"));
    let set_up = Position::parse("b:h8 w:h9 b", Rule::Standard, 15).unwrap();
    assert_eq!(driver.request(&set_up, &Limits::default()), "BOARD\n7,7,1\n7,6,2\nDONE\n");
    let mut boards = Driver::new(Rule::Standard, 15).board_only(true);
    let empty = Position::new(Rule::Standard, 15);
    assert_eq!(boards.request(&empty, &Limits::default()), "BOARD\nDONE\n");
    assert_eq!(boards.swap2(&[], &Limits::default()), "SWAP2BOARD\nDONE\n");
    assert!(matches!(boards.hear(b"7,7 8,8 9,9"), Heard::Stones(stones) if stones.len() == 3));
    boards.swap2(&[], &Limits::default());
    assert_eq!(boards.hear(b"swap"), Heard::Swap);
    assert_eq!(boards.hear(b"ERROR no"), Heard::Refused("no".into()));
    assert_eq!((boards.hurry(), boards.end()), ("YXSTOP\n".into(), "END\n".into()));
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 200,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..Default::default()
    }
}

fn coord() -> impl Strategy<Value = Coord> + Clone {
    (-3..30i32, -3..30i32).prop_map(|(a, b)| Coord(a, b))
}

fn command() -> impl Strategy<Value = Command> {
    let owner = prop_oneof![Just(Owner::Own), Just(Owner::Opponent), Just(Owner::Dead)];
    let stones = vec((coord(), owner), 0..8);
    let stones = stones.prop_map(|stones| -> Vec<Stone> {
        stones.into_iter().map(|(at, owner)| Stone { at, owner: Some(owner) }).collect()
    });
    let free = vec(coord(), 0..6).prop_map(|stones| -> Vec<Stone> {
        stones.into_iter().map(|at| Stone { at, owner: None }).collect()
    });
    let stones = stones.boxed();
    prop_oneof![
        (0..40i32, 0..40i32).prop_map(|(w, h)| Command::Start(w, h)),
        (0..40i32, 0..40i32).prop_map(|(w, h)| Command::RectStart(w, h)),
        Just(Command::Restart),
        Just(Command::Begin),
        coord().prop_map(Command::Turn),
        coord().prop_map(Command::Takeback),
        coord().prop_map(Command::Play),
        stones.clone().prop_map(Command::Board),
        free.prop_map(Command::Swap2Board),
        stones.prop_map(|stones| Command::Yixin(yixin::Command::Board(stones))),
        any::<i64>().prop_map(|n| Command::Info(Info::number(InfoKey::TimeLeft, n))),
        "[a-z]{1,5}( [a-z]{1,4}){0,2}"
            .prop_map(|value| Command::Info(Info { key: InfoKey::Folder, value })),
        Just(Command::About),
        Just(Command::End),
        (1..9usize).prop_map(|n| Command::Yixin(yixin::Command::NBest(n))),
        any::<i32>().prop_map(|n| Command::Yixin(yixin::Command::BalanceTwo(n.into()))),
        (any::<bool>(), vec(coord(), 0..4))
            .prop_map(|(add, at)| Command::Yixin(yixin::Command::BlockPath(add, at))),
        (4..=5u8, 1..9u8, vec(coord(), 0..4))
            .prop_map(|(step, n, at)| Command::Yixin(yixin::Command::Soosorv(step, n, at))),
        (0..16u32, any::<i32>(), any::<i32>(), vec(coord(), 0..4)).prop_map(
            |(mask, value, depth, at)| {
                let (label, value, depth) = (-1, value.into(), depth.into());
                let edit = yixin::Database::Edit { mask, label, value, depth };
                Command::Yixin(yixin::Command::Database(edit, at))
            }
        ),
        (coord(), vec(coord(), 0..4)).prop_map(|(at, moves)| {
            let edit = yixin::Database::EditLabel(at, "x y".into());
            Command::Yixin(yixin::Command::Database(edit, moves))
        }),
        Just(Command::Yixin(yixin::Command::Path(yixin::PathCommand::ToLibrary, "a b".into()))),
    ]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn commands_come_back(list in vec(command(), 1..6), crlf in any::<bool>()) {
        let text: String = list.iter().map(|command| format!("{command}\n")).collect();
        let text = if crlf { text.replace('\n', "\r\n") } else { text };
        prop_assert_eq!(commands(text.as_bytes()), list);
    }

    #[test]
    fn noise_is_survived(noise in vec(any::<u8>(), 0..300), words in vec(0..12usize, 0..20)) {
        commands(&noise);
        Reply::parse(&noise);
        const WORDS: [&str; 12] = [
            "BOARD", "7,7,1", "DONE", "yxboard", "\n", " ", "START", "15", "yxsetdatabase", ",", "END", "-1",
        ];
        let text: String = words.iter().map(|&word| WORDS[word]).collect();
        commands(text.as_bytes());
        // Whatever came before, the next command on its own line is understood.
        let mut after = text.into_bytes();
        after.extend(b"\nBEGIN\n");
        prop_assert_eq!(commands(&after).pop(), Some(Command::Begin));
    }
}
