//! Altered proofs: every changed byte is caught, and a changed tree with a fresh checksum is
//! accepted only if it still proves its claim.

use super::{
    Random,
    builder::{Attack, Defense, Proof, Root, seal},
    check_all_ways, proofs,
    reference::longest_line,
};
use crate::{Counts, Flaw, Manner, check, check_stream};
use std::ops::ControlFlow;

fn originals() -> Vec<Proof> {
    vec![
        proofs::four_three(),
        proofs::double_three(),
        proofs::double_four(),
        proofs::into_forbidden(),
        proofs::counter_fours(),
        proofs::open_four(),
    ]
}

#[test]
fn every_altered_byte_is_caught() {
    for proof in originals() {
        let bytes = proof.encode();
        for at in 0..bytes.len() {
            for change in 1..=255 {
                let mut altered = bytes.clone();
                altered[at] ^= change;
                assert!(check(&altered).is_err(), "byte {at} changed by {change}");
            }
        }
        for at in 0..bytes.len() {
            // A stream is played before its checksum is seen; it must be looked at all the same.
            let mut altered = bytes.clone();
            altered[at] ^= 1;
            let watch = &mut |_: &Counts| ControlFlow::Continue(());
            assert!(check_stream(&altered[..], Manner::Quick, watch).is_err(), "byte {at}");
            assert!(check(&bytes[..at]).is_err(), "cut at {at}");
            let mut removed = bytes.clone();
            removed.remove(at);
            assert!(check(&removed).is_err(), "byte {at} removed");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(check(&longer).is_err());
        let body = bytes[..bytes.len() - 32].to_vec();
        let sealed_twice = seal(seal(body));
        assert_eq!(check(&sealed_twice).unwrap_err().flaw, Flaw::Trailing);
    }
}

/// Without the group or the default that it needs, a proof is wrong: these have no spare parts.
#[test]
fn every_removed_entry_is_caught() {
    let mut removed = 0;
    for proof in originals() {
        let whole = longest_line(&proof);
        assert!(whole.is_some());
        for site in 0..count_sites(&proof) {
            let drops = (0..3).flat_map(|i| [Change::DropReply(i), Change::DropGroup(i)]);
            for kind in drops.chain([Change::DropDefault]) {
                if let Some(mutant) = change(&proof, site, kind) {
                    assert!(check_all_ways(&mutant).is_err(), "{kind:?} at {site} in {mutant:?}");
                    removed += 1;
                }
            }
        }
    }
    assert!(removed > 20, "only {removed} removals tried");
}

/// Changed moves, replies, kinds and headers: accepted exactly when the reference accepts them.
#[test]
fn altered_trees_are_judged_like_the_reference() {
    let mut random = Random(1);
    let (mut accepted, mut rejected) = (0, 0);
    for proof in originals() {
        for mutant in mutants(&proof, &mut random) {
            let expected = longest_line(&mutant);
            let found = check_all_ways(&mutant).ok().map(|verdict| verdict.counts.longest);
            assert_eq!(found, expected, "{mutant:?}");
            if found.is_some() { accepted += 1 } else { rejected += 1 }
        }
    }
    assert!(accepted > 30 && rejected > 150, "{accepted} accepted, {rejected} rejected");
}

/// What can be done to one node.
#[derive(Debug, Clone, Copy)]
pub(super) enum Change {
    Cell(usize),
    WinOrMove,
    DropReply(usize),
    DropGroup(usize),
    DropDefault,
    Reply(usize),
    MoreReplies(usize),
}

/// A number of altered proofs for each node of a proof, and some with altered headers.
pub(super) fn mutants(proof: &Proof, random: &mut Random) -> Vec<Proof> {
    let cells = proof.size * proof.size;
    let mut all = Vec::new();
    for site in 0..count_sites(proof) {
        for _ in 0..3 {
            all.extend(change(proof, site, Change::Cell(random.below(cells))));
            all.extend(change(proof, site, Change::Reply(random.below(cells))));
            all.extend(change(proof, site, Change::MoreReplies(random.below(cells))));
        }
        all.extend(change(proof, site, Change::WinOrMove));
        all.extend(change(proof, site, Change::DropDefault));
        for index in 0..3 {
            all.extend(change(proof, site, Change::DropGroup(index)));
            all.extend(change(proof, site, Change::DropReply(index)));
        }
    }
    for stones in [0, 1] {
        let mut fewer = proof.clone();
        let list = if stones == 0 { &mut fewer.black } else { &mut fewer.white };
        if !list.is_empty() {
            list.remove(random.below(list.len()));
            all.push(fewer);
        }
        let mut more = proof.clone();
        let cell = random.below(cells);
        if !more.black.contains(&cell) && !more.white.contains(&cell) {
            let list = if stones == 0 { &mut more.black } else { &mut more.white };
            list.push(cell);
            list.sort_unstable();
            all.push(more);
        }
    }
    let (black, white) = (proof.white.clone(), proof.black.clone());
    all.push(Proof { black, white, ..proof.clone() });
    all.push(Proof { plies: proof.plies - 1, ..proof.clone() });
    all
}

fn count_sites(proof: &Proof) -> usize {
    let mut count = 0;
    visit(&mut proof.clone(), &mut |_| count += 1);
    count
}

/// A part of the tree that can be altered.
enum Site<'a> {
    Attack(&'a mut Attack),
    Defense(&'a mut Defense),
}

fn visit(proof: &mut Proof, see: &mut dyn FnMut(Site)) {
    proof.shared.iter_mut().for_each(|tree| visit_attack(tree, see));
    match &mut proof.root {
        Root::Attack(node) => visit_attack(node, see),
        Root::Defense(node) => visit_defense(node, see),
    }
}

fn visit_attack(node: &mut Attack, see: &mut dyn FnMut(Site)) {
    if let Attack::Move(_, next) = node {
        visit_defense(next, see);
    }
    see(Site::Attack(node));
}

fn visit_defense(node: &mut Defense, see: &mut dyn FnMut(Site)) {
    node.groups.iter_mut().for_each(|(_, answer)| visit_attack(answer, see));
    visit_attack(&mut node.default, see);
    see(Site::Defense(node));
}

/// The proof with one change at one site, if it applies there.
pub(super) fn change(proof: &Proof, site: usize, change: Change) -> Option<Proof> {
    let mut mutant = proof.clone();
    let (mut at, mut changed) = (0, false);
    visit(&mut mutant, &mut |node| {
        if at == site {
            changed = apply(node, change);
        }
        at += 1;
    });
    changed.then_some(mutant)
}

fn apply(site: Site, change: Change) -> bool {
    match (site, change) {
        (Site::Attack(Attack::Win(cell) | Attack::Move(cell, _)), Change::Cell(other)) => {
            std::mem::replace(cell, other) != other
        }
        (Site::Attack(node), Change::WinOrMove) => {
            *node = match node {
                Attack::Win(cell) => {
                    let nothing = Defense { groups: vec![], default: Attack::None };
                    Attack::Move(*cell, Box::new(nothing))
                }
                Attack::Move(cell, _) => Attack::Win(*cell),
                _ => return false,
            };
            true
        }
        (Site::Defense(node), Change::DropGroup(index)) if index < node.groups.len() => {
            node.groups.remove(index);
            true
        }
        (Site::Defense(node), Change::DropReply(index)) => match node.groups.get_mut(index) {
            Some((replies, _)) if replies.len() > 1 => {
                replies.remove(0);
                true
            }
            _ => false,
        },
        (Site::Defense(node), Change::DropDefault) => {
            std::mem::replace(&mut node.default, Attack::None) != Attack::None
        }
        (Site::Defense(node), Change::Reply(other)) => match node.groups.first_mut() {
            Some((replies, _)) => std::mem::replace(&mut replies[0], other) != other,
            None => false,
        },
        (Site::Defense(node), Change::MoreReplies(other)) => match node.groups.last_mut() {
            Some((replies, _)) => {
                replies.push(other);
                true
            }
            None => false,
        },
        _ => false,
    }
}
