//! Further questions: the shortest win, every winning first move, and which replies hold.

use std::collections::HashMap;

use gomoku::{Color, Field, Point, PointSet, Rules, Threat};
use player::{Limits, Watch};

use crate::{
    forcing, replay,
    search::Budget,
    solver::{Finding, Kind, Solver, SolverAnswer, Win},
    tree::{Root, WinTree},
};

/// The best win found, and whether it is known that none is shorter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortest {
    /// The answer; a win is the shortest found.
    pub answer: SolverAnswer,
    /// No win of this kind takes fewer plies. Proved by trying everything.
    pub is_shortest: bool,
}

/// What each reply to a threat comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Defenses {
    /// What happens after a pass; `None` if no win was found, and then no reply was looked at.
    pub threat: Option<Win>,
    /// Replies after which there is no win of this kind.
    pub hold: Vec<Point>,
    /// Replies that lose, with the plies until then counted from the reply's answer.
    pub lose: Vec<(Point, u32)>,
    /// Replies not settled within the limits.
    pub unknown: Vec<Point>,
    /// Stones placed in search.
    pub nodes: u64,
}

impl<R: Rules> Solver<R> {
    /// Looks for a win, then for ever longer ones from the shortest possible until one is found.
    pub fn shortest(
        &mut self,
        field: &mut Field<R>,
        attacker: Color,
        kind: Kind,
        limits: &Limits,
        watch: &dyn Watch,
    ) -> Shortest {
        let mut answer = self.solve(field, attacker, kind, limits, watch);
        let Finding::Win(win) = &mut answer.finding else {
            return Shortest { answer, is_shortest: false };
        };
        let most = limits.nodes.unwrap_or(u64::MAX).saturating_sub(answer.nodes);
        let mut budget = Budget::new(most, limits.hard_time(), watch);
        let first = if field.to_move() == attacker { 1 } else { 2 };
        let mut is_shortest = true;
        for plies in (first..win.plies).step_by(2) {
            let mut search = self.search(field, attacker, kind, &mut budget);
            search.failures = Some(HashMap::new());
            let root = search.tree(plies);
            let board = *field.board();
            if let Some(root) = root {
                **win = Win::of(WinTree { rule: R::RULE, board, attacker, root });
                break;
            }
            if budget.is_spent() {
                is_shortest = false;
                break;
            }
        }
        answer.nodes += budget.nodes;
        Shortest { answer, is_shortest }
    }

    /// Every first move of this kind of attack, with what it comes to. The attacker is to move; the
    /// limits hold for each move.
    pub fn first_moves(
        &mut self,
        field: &mut Field<R>,
        kind: Kind,
        limits: &Limits,
        watch: &dyn Watch,
    ) -> Vec<(Point, SolverAnswer)> {
        let attacker = field.to_move();
        let moves = self.moves_of(field, attacker, kind);
        moves
            .iter()
            .map(|point| {
                let board = *field.board();
                if field.is_five(attacker, point) {
                    let root = Root::Attack(crate::Attack::Win(point));
                    let win = Win::of(WinTree { rule: R::RULE, board, attacker, root });
                    return (
                        point,
                        SolverAnswer { finding: Finding::Win(Box::new(win)), nodes: 0 },
                    );
                }
                field.place(point);
                let mut answer = self.solve(field, attacker, kind, limits, watch);
                field.undo();
                if let Finding::Win(win) = &mut answer.finding
                    && let Root::Defense(defense) = win.tree.root.clone()
                {
                    let root = Root::Attack(crate::Attack::Move(point, Box::new(defense)));
                    **win = Win::of(WinTree { rule: R::RULE, board, attacker, root });
                }
                (point, answer)
            })
            .collect()
    }

    fn moves_of(&mut self, field: &mut Field<R>, attacker: Color, kind: Kind) -> PointSet {
        if field.has(attacker, Threat::Five) {
            return *field.points(attacker, Threat::Five);
        }
        let unwatched = player::Unwatched;
        let mut budget = Budget::new(0, None, &unwatched);
        self.search(field, attacker, kind, &mut budget).attacking_moves()
    }

    /// What each reply of the side to move comes to, if the other side threatens to win. The limits
    /// hold for each reply.
    pub fn defenses(
        &mut self,
        field: &mut Field<R>,
        kind: Kind,
        limits: &Limits,
        watch: &dyn Watch,
    ) -> Defenses {
        let (defender, attacker) = (field.to_move(), !field.to_move());
        let mut found = Defenses::default();
        field.pass();
        let answer = self.solve(field, attacker, kind, limits, watch);
        field.undo();
        found.nodes = answer.nodes;
        let Finding::Win(threat) = answer.finding else { return found };
        let mut trees = vec![threat.tree.root.clone()];
        for reply in field.board().empty() {
            if !forcing::is_legal(field, defender, reply) {
                continue;
            }
            if field.is_five(defender, reply) {
                found.hold.push(reply);
                continue;
            }
            field.place(reply);
            let known = trees.iter().find_map(|root| match root {
                Root::Attack(attack) if replay::wins(field, attacker, attack) => {
                    Some(attack.plies())
                }
                _ => None,
            });
            match known {
                Some(plies) => found.lose.push((reply, plies)),
                None => {
                    let answer = self.solve(field, attacker, kind, limits, watch);
                    found.nodes += answer.nodes;
                    match answer.finding {
                        Finding::Win(win) => {
                            found.lose.push((reply, win.plies));
                            trees.push(win.tree.root);
                        }
                        Finding::NoWin => found.hold.push(reply),
                        Finding::Unknown => found.unknown.push(reply),
                    }
                }
            }
            field.undo();
        }
        found.threat = Some(*threat);
        found
    }
}
