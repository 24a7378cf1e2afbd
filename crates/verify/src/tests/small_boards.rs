//! Proofs made by exhaustive search on boards with few empty cells, and what becomes of the claim
//! when they are altered.

use super::{
    Random,
    builder::{Attack, Defense, Proof, Root},
    check_all_ways,
    mutations::mutants,
    reference::{Exhaustive, Grid, longest_line},
};
use crate::{Color, Rule, check};

const RULES: [Rule; 5] =
    [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro, Rule::CaroExact];

/// Writes out the win that an exhaustive search has found.
struct Prover {
    search: Exhaustive,
}

impl Prover {
    fn attack(&mut self, grid: &mut Grid) -> Attack {
        let attacker = self.search.attacker;
        let moves = grid.empties().into_iter();
        let best = moves
            .filter_map(|cell| Some((self.search.after(grid, cell, attacker)?, cell)))
            .min()
            .expect("a win");
        let cell = best.1;
        if best.0 == 1 {
            return Attack::Win(cell);
        }
        grid.cells[cell] = Some(attacker);
        let next = self.defend(grid);
        grid.cells[cell] = None;
        Attack::Move(cell, Box::new(next))
    }

    /// Replies with equal answers form a group; the largest group becomes the default.
    fn defend(&mut self, grid: &mut Grid) -> Defense {
        let defender = self.search.attacker.opponent();
        let mut groups: Vec<(Vec<usize>, Attack)> = Vec::new();
        for reply in grid.empties() {
            if grid.forbids(reply, defender) {
                continue;
            }
            grid.cells[reply] = Some(defender);
            let answer = self.attack(grid);
            grid.cells[reply] = None;
            match groups.iter_mut().find(|group| group.1 == answer) {
                Some(group) => group.0.push(reply),
                None => groups.push((vec![reply], answer)),
            }
        }
        let largest = (0..groups.len()).max_by_key(|&i| (groups[i].0.len(), i));
        let default = largest.map_or(Attack::None, |i| groups.remove(i).1);
        Defense { groups, default }
    }
}

/// A random position with this many empty cells that nobody has won.
fn position(rule: Rule, size: usize, empty: usize, random: &mut Random) -> Option<Grid> {
    let mut grid = Grid::new(rule, size, &[], &[]);
    let mut cells: Vec<usize> = (0..size * size).collect();
    let mut color = Color::Black;
    while cells.len() > empty {
        let cell = cells.swap_remove(random.below(cells.len()));
        if grid.wins(cell, color) {
            return None;
        }
        grid.cells[cell] = Some(color);
        color = color.opponent();
    }
    Some(grid)
}

fn stones(grid: &Grid, color: Color) -> Vec<usize> {
    (0..grid.cells.len()).filter(|&cell| grid.cells[cell] == Some(color)).collect()
}

/// Random won positions with their proofs, under every rule and for both colors.
fn proofs(count: usize, random: &mut Random) -> Vec<Proof> {
    let mut all = Vec::new();
    while all.len() < count {
        let rule = RULES[random.below(5)];
        let size = 5 + random.below(3);
        let attacker = [Color::Black, Color::White][random.below(2)];
        let to_move = [Color::Black, Color::White][random.below(2)];
        let empty = 5 + random.below(4);
        let Some(mut grid) = position(rule, size, empty, random) else { continue };
        let mut prover = Prover { search: Exhaustive::new(attacker) };
        let Some(plies) = prover.search.plies(&mut grid, to_move) else { continue };
        if plies < 5 && random.below(plies * plies) < 8 {
            continue; // mostly not the short ones
        }
        let root = if to_move == attacker {
            Root::Attack(prover.attack(&mut grid))
        } else {
            Root::Defense(prover.defend(&mut grid))
        };
        let (black, white) = (stones(&grid, Color::Black), stones(&grid, Color::White));
        let shared = vec![];
        all.push(Proof { rule, size, to_move, attacker, plies, black, white, shared, root });
    }
    all
}

fn truth(proof: &Proof) -> bool {
    let mut grid = Grid::new(proof.rule, proof.size, &proof.black, &proof.white);
    let plies = Exhaustive::new(proof.attacker).plies(&mut grid, proof.to_move);
    plies.is_some_and(|plies| plies <= proof.plies)
}

#[test]
fn exhaustive_wins_are_accepted_and_their_mutants_judged() {
    let mut random = Random(2);
    let (mut accepted, mut rejected, mut false_claims, mut long) = (0, 0, 0, 0);
    for proof in proofs(50, &mut random) {
        let verdict = check_all_ways(&proof).expect("a good proof");
        // The search finds the shortest win, so the claim is exact.
        assert_eq!(verdict.counts.longest, proof.plies);
        long += usize::from(proof.plies >= 5);
        let mut altered = mutants(&proof, &mut random);
        altered.extend(RULES.map(|rule| Proof { rule, ..proof.clone() }));
        while altered.len() > 80 {
            altered.swap_remove(random.below(altered.len()));
        }
        for mutant in altered {
            let found = check_all_ways(&mutant).ok().map(|verdict| verdict.counts.longest);
            assert_eq!(found, longest_line(&mutant), "{mutant:?}");
            let same_claim = mutant.rule == proof.rule
                && mutant.black == proof.black
                && mutant.white == proof.white
                && mutant.plies == proof.plies;
            let true_claim = same_claim || truth(&mutant);
            assert!(true_claim || found.is_none(), "a false claim accepted: {mutant:?}");
            false_claims += usize::from(!true_claim);
            if found.is_some() { accepted += 1 } else { rejected += 1 }
        }
    }
    assert!(long > 12, "only {long} wins of five plies or more");
    assert!(accepted > 60 && rejected > 600, "{accepted} accepted, {rejected} rejected");
    assert!(false_claims > 50, "only {false_claims} false claims");
}

/// Random bytes in place of some of a proof's, with a fresh checksum: whatever is still accepted is
/// true.
#[test]
fn altered_bytes_never_make_a_false_claim() {
    let mut random = Random(3);
    let mut accepted = 0;
    for proof in proofs(25, &mut random) {
        let encoded = proof.encode();
        for _ in 0..200 {
            let mut body = encoded[..encoded.len() - 32].to_vec();
            for _ in 0..1 + random.below(3) {
                let at = 9 + random.below(body.len() - 9);
                body[at] =
                    [random.below(256), random.below(4), random.below(64)][random.below(3)] as u8;
            }
            let Ok(verdict) = check(&super::builder::seal(body)) else { continue };
            accepted += 1;
            let claim = verdict.claim;
            let number = |point: &crate::Point| point.row * claim.size + point.col;
            let claimed = Proof {
                rule: claim.rule,
                size: claim.size,
                to_move: claim.to_move,
                attacker: claim.attacker,
                plies: verdict.counts.longest,
                black: claim.black.iter().map(number).collect(),
                white: claim.white.iter().map(number).collect(),
                ..proof.clone()
            };
            assert!(truth(&claimed), "{claimed:?}");
        }
    }
    assert!(accepted > 60, "only {accepted} altered proofs accepted");
}
