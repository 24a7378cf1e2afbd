//! Records as programs write them, with their oddities, and errors that say where and what.

use gomoku::{
    Color, Ending, Game, GameResult, Point, Position, Rule,
    record::{
        Encoding, Flag, Format, Hint, Judgment, Mark, MarkShape, Move, NodeId, Reading, Tree,
        losses, read, salvage, write, write_in,
    },
};

fn one(bytes: &[u8]) -> Tree {
    let mut trees = read(bytes, &Hint::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(trees.len(), 1);
    trees.remove(0)
}

fn error(bytes: &[u8], format: Format) -> String {
    let hint = Hint { format: Some(format), ..Hint::default() };
    read(bytes, &hint).expect_err("the input is broken").to_string()
}

fn moves(tree: &Tree) -> String {
    let points = tree.main_line().filter_map(|id| tree.played(id)?.point);
    points.map(|point| point.to_string()).collect()
}

fn p(text: &str) -> Point {
    text.parse().unwrap()
}

#[test]
fn sgf_of_c_gomoku_cli() {
    let tree = one(b"(;FF[4]GM[4]GN[1]EV[foo x bar]DT[2026.1.31 12:00:00]RO[1.1]RU[0]SZ[15]\
        PB[foo]PW[bar]RE[B+1]TE[Black win by five connection]\n\
        ;B[hh]C[opening move];W[ig]C[123ms];B[gg])");
    assert_eq!(moves(&tree), "h8i9g9");
    assert_eq!(tree.rule(), Some(Rule::Freestyle));
    assert_eq!(tree.name(Color::White).as_deref(), Some("bar"));
    assert_eq!(tree.text(NodeId::ROOT, "DT").as_deref(), Some("2026.1.31 12:00:00"));
    let result = tree.result().unwrap();
    assert_eq!((result.winner, result.ending), (Some(Color::Black), None));
    let second = tree.main_line().nth(2).unwrap();
    assert_eq!(tree.comment(second), "123ms");
    assert_eq!(tree.judgment(NodeId::ROOT), None, "the reason is not a judgment");
}

#[test]
fn sgf_with_variations_marks_and_set_up() {
    let tree = one(b"(;GM[4]SZ[15]AB[hh][gg:hg]AW[ii]PL[W]\
        TR[aa][bb]LB[cc:1][dd:a:b]LN[aa:cc]AR[cc:aa]XX[keep\\]me][two]\
        (;W[hi]BM[1];B[jj])(;W[ij]TE[2]N[better]C[a \\] b\\\\ c]))");
    assert_eq!(tree.set_up(NodeId::ROOT, Some(Color::Black)).len(), 3);
    let marks = tree.marks(NodeId::ROOT);
    assert_eq!(
        marks[0],
        Mark::Shape(MarkShape::Triangle, [p("a15"), p("b14")].into_iter().collect())
    );
    assert_eq!(marks[1], Mark::Label(p("c13"), "1".into()));
    assert_eq!(marks[2], Mark::Label(p("d12"), "a:b".into()));
    assert_eq!(marks[3], Mark::Line(p("a15"), p("c13")));
    assert_eq!(marks[4], Mark::Arrow(p("c13"), p("a15")));
    let kept = tree.property(NodeId::ROOT, "XX").unwrap();
    assert_eq!(kept.values.iter().map(|v| &**v).collect::<Vec<_>>(), ["keep\\]me", "two"]);
    let children: Vec<_> = tree.children(NodeId::ROOT).collect();
    assert_eq!(tree.judgment(children[0]), Some(Judgment::Bad));
    assert_eq!(tree.judgment(children[1]), Some(Judgment::VeryGood));
    assert_eq!(tree.text(children[1], "N").as_deref(), Some("better"));
    assert_eq!(tree.comment(children[1]), "a ] b\\ c");
    let position = tree.position_at(children[0], Rule::Renju).unwrap();
    assert_eq!(position.to_text(), "b:h8,g9,h9 w:h7,i7 b");
    assert_eq!(one(&write(std::slice::from_ref(&tree), Format::Sgf).unwrap()), tree);
}

#[test]
fn a_move_in_the_first_node_is_a_move_like_any_other() {
    let tree = one(b"(;GM[4]SZ[15]B[hh]C[first]TR[aa]PB[ann];W[ii];B[hi])");
    assert_eq!(moves(&tree), "h8i7h7");
    assert_eq!(tree.played(NodeId::ROOT), None);
    assert_eq!(tree.comment(NodeId::ROOT), "");
    let first = tree.first_child(NodeId::ROOT).unwrap();
    assert_eq!(tree.comment(first), "first");
    assert_eq!(tree.marks(first).len(), 1);
    assert_eq!(tree.name(Color::Black).as_deref(), Some("ann"));
    assert_eq!(write(&[tree], Format::Pos).unwrap(), b"h8i7h7\n");
    // Before the size, beside variations, beside stones, twice, alone, and in a file that breaks off.
    assert_eq!(moves(&one(b"(;B[hh]SZ[15]PB[ann];W[ii])")), "h8i7");
    let tree = one(b"(;SZ[15]B[hh](;W[ii])(;W[gg]))");
    assert_eq!((moves(&tree).as_str(), tree.leaves().count()), ("h8i7", 2));
    let tree = one(b"(;SZ[15]AB[hh]W[ii];B[hi])");
    assert_eq!(tree.game(Rule::Renju).unwrap().position.to_text(), "b:h7,h8 w:i7 w");
    assert_eq!(moves(&one(b"(;SZ[15]B[hh]W[ii];B[gg])")), "h8i7g9");
    assert_eq!(moves(&one(b"(;SZ[15]B[hh])")), "h8");
    let Reading { trees, error, .. } = salvage(b"(;SZ[15]B[hh]C[", &Hint::default());
    assert!(error.is_some());
    assert_eq!(moves(&trees[0]), "h8");
}

#[test]
fn sgf_oddities_are_read() {
    // A byte order mark, line ends of Windows, soft line breaks, text before and after the game.
    let tree = one(b"\xEF\xBB\xBF(;GM[4]SZ[15]\r\nC[one\\\r\ntwo\r\nthree];B[hh]\r\n)\r\n\x1A");
    assert_eq!(tree.comment(NodeId::ROOT), "onetwo\nthree");
    assert_eq!(moves(&one(b"From: me\nSubject: a game\n\n(;SZ[15];B[hh])")), "h8");
    // Names spelled out, lower case, labels for points, capitals for points, two moves in a node.
    assert_eq!(moves(&one(b"(;SiZe[15];Black[hh];White[gg])")), "h8g9");
    assert_eq!(moves(&one(b"(;SZ[15];b[hh];w[gg])")), "h8g9");
    assert_eq!(moves(&one(b"(;SZ[15];B[h8];W[ O15 ])")), "h8o15");
    assert_eq!(moves(&one(b"(;SZ[15];B[HH]W[GG])")), "h8g9");
    // A size written twice, none at all, and none with a point that needs more than 15.
    assert_eq!(one(b"(;SZ[15:15];B[hh])").size(), 15);
    assert_eq!(one(b"(;GM[4];B[hh])").size(), 15);
    assert_eq!(moves(&one(b"(;GM[4];B[ss])")), "s1");
    // Passes in both spellings.
    let passes = one(b"(;SZ[15];B[];W[tt])");
    let pass = |color| Some(Move::pass(color));
    assert_eq!(passes.played(passes.leaves().next().unwrap()), pass(Color::White));
    // RenLib's private property begins with a digit.
    assert!(one(b"(;SZ[15];B[hh]5A[gg])").properties(NodeId::ROOT).is_empty());
    // Stray control characters, and marks off the board, which stay as they are.
    let tree = one(b"(;\0SZ[15]LB[zz:1][aa:2];B[hh])");
    assert_eq!(tree.label(NodeId::ROOT, p("a15")), Some("2"));
    assert_eq!(&*tree.property(NodeId::ROOT, "LB").unwrap().values[0], "zz:1");
}

#[test]
fn old_character_sets_become_unicode() {
    // GBK: the second byte of the second character is a bracket, that of the third a backslash.
    let gbk = b"(;FF[4]GM[4]SZ[15]CA[GBK]PB[\xC0\xEE\x81\x5D]C[\x81\x5C];B[hh])\n";
    let tree = one(gbk);
    assert_eq!(moves(&tree), "h8");
    assert_eq!(tree.name(Color::Black).as_deref(), Some("李乚"));
    assert_eq!(tree.comment(NodeId::ROOT), "乗");
    assert_eq!(tree.encoding().name(), "GBK");
    let again = write(std::slice::from_ref(&tree), Format::Sgf).unwrap();
    assert_eq!(String::from_utf8(again.clone()).unwrap().find("CA[UTF-8]"), Some(12));
    assert_eq!(one(&again), tree);
    // On demand it is written in a set, unless that lacks a character.
    let set = |name| Encoding::from_name(name).unwrap();
    let back = write_in(std::slice::from_ref(&tree), Format::Sgf, set("gb2312")).unwrap();
    assert_eq!(one(&back), tree);
    let lacking = write_in(std::slice::from_ref(&tree), Format::Sgf, set("cp1251")).unwrap_err();
    assert_eq!(lacking.to_string(), "SGF has no place for the character '李' in windows-1251.");
    // Shift-JIS without a declaration, where a character ends like a backslash.
    let sjis = b"(;SZ[15]PB[\x95\x5C\x82\xCC\x8F\x9F\x82\xBF];B[hh])";
    assert_eq!(one(sjis).name(Color::Black).as_deref(), Some("表の勝ち"));
    // Told beats declared, and UTF-8 that declares something else is what it is.
    let hint = Hint { encoding: Some(set("shift_jis")), ..Hint::default() };
    let told = read(b"(;SZ[15]CA[GBK]PB[\x89\xD4\x8C\x8E])", &hint).unwrap().remove(0);
    assert_eq!(told.name(Color::Black).as_deref(), Some("花月"));
    let wrong = one("(;SZ[15]CA[GB2312]PB[花月];B[hh])".as_bytes());
    assert_eq!(wrong.name(Color::Black).as_deref(), Some("花月"));
    // Western letters; UTF-8 that is taken for what it is and declared; two bytes for each letter.
    let latin = one(b"(;SZ[15]PB[Andr\xE9];B[hh])");
    assert_eq!(latin.name(Color::Black).as_deref(), Some("Andr\u{e9}"));
    let text = write(&[one("(;SZ[15]PB[花月];B[hh])".as_bytes())], Format::Sgf).unwrap();
    assert!(String::from_utf8(text).unwrap().contains("CA[UTF-8]SZ[15]PB[花月]"));
    let wide: Vec<u8> =
        "\u{feff}(;SZ[15]PB[花月];B[hh])".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(one(&wide).name(Color::Black).as_deref(), Some("花月"));
    // UTF-8 with a name that was cut off in the middle of a character: a note, and no garbage.
    let cut = b"(;SZ[15]CA[UTF-8]PB[\xE8\x8A\xB1\xE6\x9C\x88\xE8\x8A\xB1\xE6\x9C\x88\xE8\x8A\xB1\xE6\x9C\x88\xE8\x8A\xB1\xE6\x9C\x88\xE8\x8A];B[hh])";
    let Reading { trees, notes, error, .. } = salvage(cut, &Hint::default());
    assert_eq!(trees[0].name(Color::Black).as_deref(), Some("花月花月花月花月\u{fffd}"));
    assert_eq!(notes, ["One place is not UTF-8 and shown as \u{fffd}."]);
    assert_eq!(error, None);
}

#[test]
fn libraries_and_piskvork_files_keep_their_code_page() {
    let set = |name| Encoding::from_name(name).unwrap();
    for (name, text) in [
        ("GBK", "黑必胜"),
        ("Shift_JIS", "黒の勝ち"),
        ("Big5", "這是必勝的開局"),
        ("EUC-KR", "흑이 이기는 수순이다"),
        ("windows-1251", "Чёрные выигрывают"),
    ] {
        let mut tree = Tree::new(15);
        let first = tree.add_line(NodeId::ROOT, &[p("h8")]);
        tree.set_comment(first, text);
        tree.add_mark(NodeId::ROOT, Mark::Label(p("h8"), text.into()));
        let bytes = write_in(std::slice::from_ref(&tree), Format::RenLib, set(name)).unwrap();
        let again = one(&bytes);
        assert_eq!((again.encoding().name(), &again), (name, &tree));
        assert_eq!(write(&[again], Format::RenLib).unwrap(), bytes);
        tree.clear_marks(NodeId::ROOT);
        tree.set_comment(first, "");
        tree.set_name(Color::Black, text);
        tree.set_name(Color::White, text);
        let bytes = write_in(std::slice::from_ref(&tree), Format::Psq, set(name)).unwrap();
        let again = one(&bytes);
        assert_eq!(again.name(Color::White).as_deref(), Some(text));
        assert_eq!(write(&[again], Format::Psq).unwrap(), bytes);
    }
}

#[test]
fn several_games_in_one_sgf() {
    let trees = read(b"(;SZ[15];B[hh]) (;SZ[20];B[aa])", &Hint::default()).unwrap();
    assert_eq!(trees.iter().map(Tree::size).collect::<Vec<_>>(), [15, 20]);
    assert_eq!(read(&write(&trees, Format::Sgf).unwrap(), &Hint::default()).unwrap(), trees);
}

#[test]
fn broken_sgf_says_where_and_what() {
    let check = |bytes: &[u8], message: &str| assert_eq!(error(bytes, Format::Sgf), message);
    check(
        b"(;SZ[15];B[hh]\n;W[hg",
        "SGF, line 2, column 6: expected the ']' that closes the value, found the end of the file.",
    );
    check(
        b"(;SZ[15];B[hh]",
        "SGF, line 1, column 15: expected a property, ';', '(' or the ')' that closes the game, \
         found the end of the file.",
    );
    check(
        b"(;SZ[15]\r\n;B[zz])",
        "SGF, line 2, column 4: expected a point of the 15x15 board from aa to oo, found 'zz])'.",
    );
    check(
        b"(;SZ[30];B[hh])",
        "SGF, line 1, column 6: expected the size of a square board, 5 to 22, found '30];B[hh])'.",
    );
    check(b"(;SZ[15];B)", "SGF, line 1, column 11: expected '[' and a value, found ')'.");
    check(
        b"no game",
        "SGF, line 1, column 8: expected a game that begins with '(;', found the end of the file.",
    );
    check(
        "(;C[é花]?)".as_bytes(),
        "SGF, line 1, column 8: expected a property, ';', '(' or the ')' that closes the game, \
         found '?)'.",
    );
}

#[test]
fn a_truncated_file_gives_what_there_is() {
    let Reading { trees, error, .. } = salvage(b"(;SZ[15];B[hh];W[hg](;B[ii", &Hint::default());
    assert_eq!(moves(&trees[0]), "h8h9");
    assert!(error.unwrap().to_string().contains("found the end of the file"));
    let Reading { trees, error, .. } = salvage(&LIBRARY[..27], &Hint::default());
    assert_eq!(moves(&trees[0]), "h8");
    assert!(error.unwrap().to_string().contains("byte 27"));
}

const PSQ: &[u8] = b"Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n9,8,0\r\n9,9,412\r\n7,7,1530\r\n\
    pbrain-foo.exe\r\npbrain-bar.exe\r\n0\r\n";

#[test]
fn psq_of_piskvork_and_of_the_judge() {
    let tree = one(PSQ);
    assert_eq!(moves(&tree), "h8i8i7g9");
    assert_eq!(tree.milliseconds(tree.leaves().next().unwrap()), Some(1530));
    assert_eq!(tree.name(Color::White).as_deref(), Some("pbrain-bar.exe"));
    assert_eq!(write(&[tree], Format::Psq).unwrap(), PSQ);
    // The second player began: Black is the second name.
    let began = one(b"Piskvorky 15x15, 0:3, 1\n8,8,0\nfoo\nbar\n0\n");
    assert_eq!(began.name(Color::Black).as_deref(), Some("bar"));
    // No footer, no moves at all, no times, a result line of the judge, no last line end.
    assert_eq!(moves(&one(b"Piskvorky 20x20, 11:11, 0\n1,1,5")), "a20");
    assert_eq!(moves(&one(b"Piskvorky 15x15, 0:0, 0\n")), "");
    assert_eq!(moves(&one(b"piskvorky 15X15\n8,8\n")), "h8");
    let judge = one(b"Piskvorky 15x15, 11:11, 0\n8,8,0\nA\nB\n-1\n1,Freestyle\n");
    assert_eq!(judge.text(NodeId::ROOT, "PSQF").as_deref(), Some("-1\n1,Freestyle"));
}

#[test]
fn broken_psq_says_where_and_what() {
    let check = |bytes: &[u8], message: &str| assert_eq!(error(bytes, Format::Psq), message);
    check(
        b"Piskvorky 15x16, 0:0, 0\n",
        "Piskvork psq, line 1, column 11: expected a square board of size 5 to 22, \
         found '15x16,'.",
    );
    check(
        b"Piskvorky 15x15, 0:0, 0\n8,8,0\n16,1,0\n",
        "Piskvork psq, line 3, column 1: expected a point of the 15x15 board, found '16,1,0'.",
    );
    check(
        b"Piskvorky 15x15, 0:0, 0\n8,8,0\n8,8,0\n",
        "Piskvork psq, line 3, column 1: expected an empty point, found '8,8,0'.",
    );
    check(
        b"\n",
        "Piskvork psq, line 2, column 1: expected the header 'Piskvorky 15x15, 0:0, 0', \
         found the end of the file.",
    );
}

#[test]
fn rec_of_gomotur() {
    let text = b"pbrain-a.exe\r\npbrain-b.exe\r\n10,10,0\r\n11,11,350\r\n0\r\n";
    let tree = one(text);
    assert_eq!((tree.size(), moves(&tree)), (20, "k10l9".into()));
    assert_eq!(write(&[tree], Format::Rec).unwrap(), text);
    let hint = Hint { size: Some(15), name: "2004x.REC", ..Hint::default() };
    assert_eq!(moves(&read(b"a\nb\n7,7,0\n", &hint).unwrap()[0]), "h8");
    assert_eq!(
        error(b"a", Format::Rec),
        "Gomotur rec, line 1, column 2: expected the name of the second player, \
         found the end of the file."
    );
}

#[test]
fn a_footer_that_looks_like_a_move_is_none() {
    let hint = Hint { format: Some(Format::Rec), ..Hint::default() };
    for footer in ["9,9,100", "\u{85}2,1"] {
        let file = format!("a\r\nb\r\n8,8,100\r\n9,9,100\r\n\r\n{footer}\r\n");
        let trees = read(file.as_bytes(), &hint).unwrap();
        let again = read(&write(&trees, Format::Rec).unwrap(), &hint).unwrap();
        assert_eq!(moves(&again[0]), moves(&trees[0]));
    }
}

#[test]
fn pos_with_both_row_conventions() {
    let top = Hint { format: Some(Format::PosFromTop), ..Hint::default() };
    assert_eq!(moves(&one(b"h8i9g7")), "h8i9g7");
    assert_eq!(moves(&read(b"h8i9g7", &top).unwrap()[0]), "h8i7g9");
    assert_eq!(moves(&one(b"H8 i9, G7\r\n")), "h8i9g7");
    assert_eq!(one(b"h8t20").size(), 20);
    assert_eq!(read(b"h8i9\n\nh8h9\n", &Hint::default()).unwrap().len(), 2);
    let set_up = one(b"b:h8,g9 w:i9 b").position_at(NodeId::ROOT, Rule::Renju).unwrap();
    assert_eq!(set_up.to_text(), "b:h8,g9 w:i9 b");
    let check = |bytes: &[u8], message: &str| assert_eq!(error(bytes, Format::Pos), message);
    check(b"h8i9h8", "pos, line 1, column 5: expected an empty point, found 'h8'.");
    check(b"h8\nh8?9", "pos, line 2, column 3: expected a move such as h8, found '?9'.");
    check(b"h8i0", "pos, line 1, column 3: expected a move such as h8, found 'i0'.");
    check(b"h8z9", "pos, line 1, column 3: expected a point of the 22x22 board, found 'z9'.");
}

#[test]
fn gomocalc_addresses() {
    assert_eq!(moves(&one(b"https://gomocalc.com/#/h8i9g7")), "h8i9g7");
    assert_eq!(moves(&one(b"gomocalc.com/#/h8\n")), "h8");
    let empty = one(b"https://gomocalc.com/#/");
    assert_eq!(moves(&empty), "");
    assert_eq!(write(&[empty], Format::Gomocalc).unwrap(), b"https://gomocalc.com/#/\n");
    assert_eq!(write(&[one(PSQ)], Format::Gomocalc).unwrap(), b"https://gomocalc.com/#/h8i8i7g9\n");
}

#[test]
fn opening_offsets() {
    let trees = read(b"0,0, 1,1, -1,2\r\n\r\n0,0,0,1\n", &Hint::default()).unwrap();
    assert_eq!(trees.iter().map(moves).collect::<Vec<_>>(), ["h8i7g6", "h8h7"]);
    let twenty = Hint { size: Some(20), ..Hint::default() };
    assert_eq!(moves(&read(b"0,0, 1,1", &twenty).unwrap()[0]), "k10l9");
    assert_eq!(write(&trees, Format::Offsets).unwrap(), b"0,0, 1,1, -1,2\n0,0, 0,1\n");
    let check = |bytes: &[u8], message: &str| assert_eq!(error(bytes, Format::Offsets), message);
    let start = "opening offsets, line 1, column";
    check(
        b"0,0, 1",
        &format!(
            "{start} 7: expected ',' and the vertical offset of the last stone, \
             found the end of the file."
        ),
    );
    check(b"0,x", &format!("{start} 3: expected an offset from -50 to 49, found 'x'."));
    check(b"0,0, 0,0", &format!("{start} 6: expected an empty point, found '0,0'."));
    check(b"0,49", &format!("{start} 1: expected a point of the 22x22 board, found '0,49'."));
}

/// Root, h8, and under it h9 with the comment "hi" and i9 with the text "A".
const LIBRARY: &[u8] = b"\xFFRenLib\xFF\x03\x04\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\
    \x00\x00\x78\x00\x68\xC8hi\0\0\x69\x41\x00\x01A\0";

#[test]
fn renlib_library() {
    let tree = one(LIBRARY);
    let h8 = tree.first_child(NodeId::ROOT).unwrap();
    let children: Vec<_> = tree.children(h8).collect();
    let point = |id| tree.played(id).unwrap().point.unwrap().to_string();
    assert_eq!(children.iter().map(|&id| point(id)).collect::<Vec<_>>(), ["h9", "i9"]);
    assert_eq!(tree.comment(children[0]), "hi");
    assert_eq!(tree.label(h8, p("i9")), Some("A"));
    let again = write(std::slice::from_ref(&tree), Format::RenLib).unwrap();
    assert_eq!(one(&again), tree);
}

#[test]
fn renlib_oddities_are_read() {
    // No header: the first version. The end of the file ends all branches.
    assert_eq!(moves(&one(b"\x78\x00\x68\x00")), "h8h9");
    // A header without a null root; an old comment; a marked start position; a two-part comment.
    let head = b"\xFFRenLib\xFF\x03\x00\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF";
    let tree = one(&[&head[..], b"\x78\x34ol\xE4\x68\x48a\x08b\0"].concat());
    assert_eq!(moves(&tree), "h8h9");
    let h8 = tree.first_child(NodeId::ROOT).unwrap();
    assert_eq!(tree.comment(h8), "old");
    assert!(tree.flag(h8, Flag::Marked) && tree.flag(h8, Flag::Start));
    assert_eq!(tree.comment(tree.leaves().next().unwrap()), "a\nb");
    // A text on the board without a move, and text in the author's code page.
    let tree = one(&[&head[..], b"\x00\x00\x68\xC3\x00\x01\xE9\0\x78\x40"].concat());
    assert_eq!(tree.label(NodeId::ROOT, p("h9")), Some("\u{e9}"));
    assert_eq!(moves(&tree), "h8");
    let again = write(std::slice::from_ref(&tree), Format::RenLib).unwrap();
    assert_eq!(one(&again), tree);
}

#[test]
fn broken_renlib_says_where_and_what() {
    let check = |bytes: &[u8], message: &str| assert_eq!(error(bytes, Format::RenLib), message);
    check(b"", "RenLib, byte 0: expected RenLib's header, found the end of the file.");
    check(&LIBRARY[..9], "RenLib, byte 9: expected the version, found the end of the file.");
    let mut newer = LIBRARY.to_vec();
    newer[9] = 5;
    check(&newer, "RenLib, byte 8: expected a version up to 3.4, found byte 0x03.");
    check(
        &LIBRARY[..21],
        "RenLib, byte 21: expected a move and its flags, found the end of the file.",
    );
    let mut off = LIBRARY.to_vec();
    off[24] = 0xF1;
    check(&off, "RenLib, byte 24: expected a point of the board, 0x01 to 0xef, found byte 0xf1.");
}

#[test]
fn yixin_sav_and_pos_bytes() {
    let tree = one(b"15\n15\n3\n7 7\n6 8\n8 6\n");
    assert_eq!(moves(&tree), "h8i9g7");
    assert_eq!(write(&[tree], Format::Sav).unwrap(), b"15\n15\n3\n7 7\n6 8\n8 6\n");
    let old = one(b"15\r\n2\r\n1\r\n7 7\r\n");
    assert_eq!((moves(&old).as_str(), old.rule()), ("h8", Some(Rule::Renju)));
    assert_eq!(
        error(b"15\n15\n3\n7 7\n6", Format::Sav),
        "Yixin sav, line 5, column 2: expected the column of a stone, found the end of the file."
    );
    let tree = one(&[3, 112, 98, 126]);
    assert_eq!(moves(&tree), "h8i9g7");
    assert_eq!(write(&[tree], Format::PosBytes).unwrap(), [3, 112, 98, 126]);
    assert_eq!(
        error(&[2, 112], Format::PosBytes),
        "pos bytes, byte 2: expected a stone, found the end of the file."
    );
    assert_eq!(
        error(&[2, 112, 112], Format::PosBytes),
        "pos bytes, byte 2: expected an empty point of the board, 0 to 224, found 112."
    );
}

#[test]
fn formats_are_told_apart() {
    let check = |bytes: &[u8], name: &str, size: u8, line: &str| {
        let trees = read(bytes, &Hint { name, ..Hint::default() }).unwrap();
        assert_eq!((trees[0].size(), moves(&trees[0])), (size, line.to_string()), "{name}");
    };
    check(b"h8h9", "x.pos", 15, "h8h9");
    check(&[1, 112], "x.POS", 15, "h8");
    check(&[1, 112], "", 15, "h8");
    check(b"a\nb\n7,7,0\n", "", 20, "h13");
    check(b"(;SZ[15];B[hh])", "wrong.psq", 15, "h8");
    let unknown = read(b"hello there", &Hint::default()).unwrap_err().to_string();
    assert!(unknown.starts_with("Line 1, column 1: expected SGF"), "{unknown}");
    assert!(unknown.ends_with("found 'hello'."), "{unknown}");
    assert!(read(b"", &Hint::default()).is_err());
}

#[test]
fn what_has_no_place_is_said() {
    let set_up = one(b"(;SZ[15]AB[hh])");
    let message = |format| write(std::slice::from_ref(&set_up), format).unwrap_err().to_string();
    assert_eq!(message(Format::Psq), "Piskvork psq has no place for set-up stones.");
    assert_eq!(message(Format::RenLib), "RenLib has no place for set-up stones.");
    let big = Tree::new(20);
    let refused = write(&[big], Format::RenLib).unwrap_err().to_string();
    assert_eq!(refused, "RenLib has no place for a board that is not 15x15.");
    let pass = one(b"(;SZ[15];B[hh];W[])");
    let refused = write(&[pass], Format::Pos).unwrap_err().to_string();
    assert_eq!(refused, "pos has no place for a pass.");
}

#[test]
fn games_become_records_and_return() {
    let start = Position::parse("h8h9i10", Rule::Renju, 15).unwrap();
    let mut game = Game::new(start);
    game.names.black = "left]".into();
    game.play(p("g7")).unwrap();
    game.result = Some(GameResult { winner: Some(Color::Black), ending: Ending::Time });
    let tree = Tree::from_game(&game);
    let again = one(&write(&[tree], Format::Sgf).unwrap()).game(Rule::Freestyle).unwrap();
    assert_eq!(again.position, game.position);
    assert_eq!((again.result, &again.names), (game.result, &game.names));

    let set_up = Position::parse("b:h8 w:i9,g7 w", Rule::Caro, 15).unwrap();
    let mut later = set_up.clone();
    later.play(p("a1")).unwrap();
    let tree = Tree::from_position(&later);
    let again = tree.game(Rule::Freestyle).unwrap();
    assert_eq!((&again.start, &again.position), (&set_up, &later));
    assert_eq!(again.moves(), [p("a1")]);
}

#[test]
fn unplayable_moves_are_named() {
    let tree = one(b"(;SZ[15];B[hh];W[hh])");
    let error = tree.game(Rule::Freestyle).unwrap_err().to_string();
    assert_eq!(error, "Move 2: h8 is occupied.");
}

#[test]
fn variations_are_added_promoted_and_removed() {
    let mut tree = Tree::new(15);
    let first = tree.add_line(NodeId::ROOT, &[p("h8")]);
    let h9 = tree.add_line(first, &[p("h9"), p("h10")]);
    let i9 = tree.add_line(first, &[p("i9")]);
    let g9 = tree.add_line(first, &[p("g9")]);
    tree.promote(i9);
    assert_eq!(moves(&tree), "h8i9");
    tree.remove(tree.parent(h9).unwrap());
    assert_eq!(tree.children(first).collect::<Vec<_>>(), [i9, g9]);
    tree.remove(g9);
    let last = tree.add_line(first, &[p("a1")]);
    assert_eq!(tree.children(first).collect::<Vec<_>>(), [i9, last]);
    assert_eq!(tree.path_to(last), [NodeId::ROOT, first, last]);
    assert_eq!(tree.child_with(first, Move::stone(Color::White, p("a1"))), Some(last));
}

/// The ways in which people write moves, besides `h8i9g7`.
#[test]
fn moves_are_read_as_people_write_them() {
    for text in [
        "h8-i9-g7",
        "1. h8 i9 2. g7",
        "1.h8 2.i9 3.g7",
        "1... h8\ti9; g7\r\n",
        "8,8 9,7 7,9",
        "{[C5][Ann B][Bob W][先手胜][2024.08.10 Harbin][Finals];B(H,8);W(I,9);B(G,7)}",
        "{ [C5][Ann; of Harbin B][Bob W][先手胜][2024;08;10][Finals] ; B(H,8) ;W(I,9);B(G,7);\r\n",
    ] {
        let trees =
            read(text.as_bytes(), &Hint::default()).unwrap_or_else(|e| panic!("{text}: {e}"));
        let game = trees[0].game(Rule::Freestyle).unwrap();
        assert_eq!((trees.len(), game.position.to_text().as_str()), (1, "h8i9g7"), "{text}");
    }
    let text = "{[C5][Ann B][Bob W][后手胜][2024.08.10 Harbin][Finals];B(H,8)}".as_bytes();
    let tree = &read(text, &Hint::default()).unwrap()[0];
    assert_eq!(tree.name(Color::White).as_deref(), Some("Bob"));
    assert_eq!(tree.result().and_then(|end| end.winner), Some(Color::White));
    assert_eq!(tree.text(NodeId::ROOT, "EV").as_deref(), Some("Finals"));
    // A pair alone is the center, counted from 1, and so is one in each line.
    assert_eq!(moves(&one(b"8,8\n")), "h8");
    let first = |text: &[u8]| -> Vec<String> {
        read(text, &Hint::default()).unwrap().iter().map(moves).collect()
    };
    assert_eq!(first(b"8,8\n1,1\n"), ["h8", "a15"]);
    assert_eq!(first(b"1,1\n0,-1\n"), ["i7", "h9"]);
    // Opening offsets are not mistaken for such moves.
    let offsets = read(b"0,0 1,1 -1,2", &Hint::default()).unwrap();
    assert_eq!(offsets[0].game(Rule::Freestyle).unwrap().moves().len(), 3);
    for (text, words) in [
        ("{[C5];B(H,8);X}", "column 14: expected a move such as B(H,8)"),
        ("{[C5];B(H,8)};X", "column 14: expected '{' and the next game"),
        ("{[C5];B(H,8)}\n{[C5", "line 2, column 5: expected ']' at the end of a field"),
        ("{[C5]B(H,8)}", "column 6: expected ';' and a move, or '}'"),
        ("{[C5];B(H,8);W(H,8)}", "expected an empty point"),
        ("{[C5];B(Z,8)}", "expected a point of the 15x15 board"),
        ("8,8 8,8", "expected an empty point"),
        ("1. h8 h8", "expected an empty point"),
    ] {
        let error = read(text.as_bytes(), &Hint::default()).unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
}

#[test]
fn ccgc_files_hold_sides_and_several_games() {
    let text =
        "{[C5][Ann B][Bob W][和棋];B(H,8);B(I,9);W(G,7)}\r\n {[C5][Bob B][Cid W][黑胜];B(A,1)}";
    let trees = read(text.as_bytes(), &Hint::default()).unwrap();
    assert_eq!(trees.len(), 2);
    let sides: Vec<_> =
        trees[0].main_line().filter_map(|id| Some(trees[0].played(id)?.color)).collect();
    assert_eq!(sides, [Color::Black, Color::Black, Color::White]);
    assert_eq!((moves(&trees[0]), moves(&trees[1])), ("h8i9g7".into(), "a1".into()));
    assert_eq!(trees[0].result().map(|end| end.winner), Some(None));
    assert_eq!(trees[1].name(Color::White).as_deref(), Some("Cid"));
    // What stands before a mistake is kept.
    let Reading { trees, error, .. } =
        salvage(&text.as_bytes()[..text.len() - 5], &Hint::default());
    assert_eq!((trees.len(), error.is_some()), (2, true));
}

/// Nodes that are no moves carry comments, and moves may follow them.
#[test]
fn renlib_nodes_without_moves_are_written_again() {
    let mut tree = Tree::new(15);
    let h8 = tree.add_line(NodeId::ROOT, &[p("h8")]);
    let note = tree.add_child(h8, None);
    tree.set_comment(note, "either of these");
    tree.add_child(note, Some(Move::stone(Color::White, p("h9"))));
    tree.add_child(note, Some(Move::stone(Color::White, p("i9"))));
    let pass = tree.add_child(h8, Some(Move::pass(Color::White)));
    tree.add_child(pass, Some(Move::stone(Color::Black, p("a1"))));
    let bytes = write(std::slice::from_ref(&tree), Format::RenLib).unwrap();
    assert_eq!(one(&bytes), tree);
    // A file with such a node comes back as it was.
    let library = b"\xFFRenLib\xFF\x03\x04\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\
        \x00\x00\x78\x00\x00\x0A\x08note\0\x88\x40";
    let tree = one(library);
    assert_eq!(tree.nodes().count(), 4);
    assert_eq!(write(&[tree], Format::RenLib).unwrap(), library);
}

#[test]
fn all_games_become_addresses() {
    let trees = [one(b"h8i9"), one(b"a1"), Tree::new(15)];
    let bytes = write(&trees, Format::Gomocalc).unwrap();
    assert_eq!(read(&bytes, &Hint::default()).unwrap(), trees);
}

/// Positions on the command line are written like records of one line.
#[test]
fn positions_are_read_as_people_write_them() {
    let parse = |text: &str| Position::parse(text, Rule::Freestyle, 15);
    for text in ["h8i9g7", "h8-i9-g7", "1. h8 i9 2. g7", "1.H8 2.I9;3.g7", "8,8 9,7 7,9"] {
        assert_eq!(parse(text).unwrap().to_text(), "h8i9g7", "{text}");
    }
    assert_eq!(parse("8,8").unwrap().to_text(), "h8");
    for (text, message) in [
        ("8,8 16,1", "Column 5: expected a move such as h8, found '16,1'."),
        ("8,8 8,8", "Column 5: h8 is occupied."),
        ("0,0 1,1", "Column 1: expected a move such as h8, found '0'."),
        ("1. h8 \u{82b1}1", "Column 7: expected a move such as h8, found '\u{82b1}1'."),
    ] {
        assert_eq!(parse(text).unwrap_err().to_string(), message, "{text}");
    }
}

#[test]
fn what_is_left_out_is_counted() {
    let tree =
        one(b"(;GM[4]SZ[15]RU[renju]PB[ann]PW[bob]RE[B+R]EV[cup]C[one];B[hh]LB[aa:1]TR[bb][cc]\
        AR[aa:bb]LN[aa:bb];W[ii]BM[1]MS[70](;B[ij]C[two])(;B[jj]C[three]))");
    let said = |format| {
        let said = losses(std::slice::from_ref(&tree), format).into_iter();
        said.map(|text| text.split(" left out").next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(said(Format::Sgf), [""; 0]);
    let everywhere = ["2 marks on points are", "2 arrows and lines are", "1 judgment of a move is"];
    let game = ["1 result is", "1 rule is"];
    let line = ["1 variation is", "2 comments are", "1 label is"];
    let (time, names, other) =
        ("1 time of a move is", "2 names of players are", "1 other property is");
    assert_eq!(said(Format::RenLib), [&everywhere[..], &[time, names], &game, &[other]].concat());
    assert_eq!(said(Format::Psq), [&line[..], &everywhere, &game, &[other]].concat());
    let all = [&line[..], &everywhere, &[time, names], &game, &[other]].concat();
    for format in [Format::Pos, Format::Offsets, Format::PosBytes, Format::Sav, Format::Gomocalc] {
        assert_eq!(said(format), all, "{format}");
    }
    let text = losses(std::slice::from_ref(&tree), Format::Sav).pop().unwrap();
    assert_eq!(text, "1 other property is left out: Yixin sav has no place for it.");
    let big = one(b"(;SZ[19];B[hh])");
    assert_eq!(losses(&[big.clone(), big], Format::Pos).len(), 1);
}
