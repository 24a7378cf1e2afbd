//! Game files of every format, and positions as text. The first byte chooses the format.
#![no_main]

use std::slice;

use gomoku::{
    Position, Rule,
    record::{Format, Hint, Move, Tree, read, salvage, write},
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&choice, rest)) = data.split_first() else { return };
    let rule = Rule::ALL[usize::from(choice >> 5) % Rule::ALL.len()];
    let Some(format) = Format::ALL.get(usize::from(choice & 31)) else {
        let text = String::from_utf8_lossy(rest);
        if let Ok(position) = Position::parse(&text, rule, 15) {
            let again = Position::parse(&position.to_text(), rule, 15).expect("what was written");
            assert_eq!(again.to_text(), position.to_text());
        }
        return;
    };
    let hint = Hint { format: Some(*format), rule: Some(rule), size: Some(15), ..Hint::default() };
    let trees = salvage(rest, &hint).trees;
    for tree in trees.iter().take(4) {
        // Not every game fits every format; what is written is read again.
        let (Ok(bytes), [_, ..]) = (write(slice::from_ref(tree), *format), &*moves(tree)) else { continue };
        let hint = Hint { size: Some(tree.size()), ..hint };
        let again = read(&bytes, &hint).expect("what was written");
        assert_eq!(again.first().map(moves), Some(moves(tree)));
    }
});

fn moves(tree: &Tree) -> Vec<Move> {
    tree.main_line().filter_map(|id| tree.played(id)).collect()
}
