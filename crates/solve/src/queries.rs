//! Further questions: the shortest win, and every winning first move.

use std::collections::HashMap;

use gomoku::{Color, Field, Point, PointSet, Position, Rules, Threat, with_rule};
use player::{Limits, Watch};

use crate::{
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

impl Solver {
    /// Looks for a win, then for ever longer ones from the shortest possible until one is found.
    pub fn shortest(
        &mut self,
        position: &Position,
        attacker: Color,
        kind: Kind,
        limits: &Limits,
        watch: &dyn Watch,
    ) -> Shortest {
        with_rule!(position.rule(), R => {
            let mut field = Field::<R>::from_position(position);
            self.shortest_of(&mut field, attacker, kind, limits, watch)
        })
    }

    fn shortest_of<R: Rules>(
        &mut self,
        field: &mut Field<R>,
        attacker: Color,
        kind: Kind,
        limits: &Limits,
        watch: &dyn Watch,
    ) -> Shortest {
        let mut answer = self.solve_field(field, attacker, kind, limits, watch);
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
        position: &Position,
        kind: Kind,
        limits: &Limits,
        watch: &dyn Watch,
    ) -> Vec<(Point, SolverAnswer)> {
        with_rule!(position.rule(), R => {
            self.moves_from(&mut Field::<R>::from_position(position), kind, limits, watch)
        })
    }

    fn moves_from<R: Rules>(
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
                let mut answer = self.solve_field(field, attacker, kind, limits, watch);
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

    fn moves_of<R: Rules>(
        &mut self,
        field: &mut Field<R>,
        attacker: Color,
        kind: Kind,
    ) -> PointSet {
        if field.has(attacker, Threat::Five) {
            return *field.points(attacker, Threat::Five);
        }
        let unwatched = player::Unwatched;
        let mut budget = Budget::new(0, None, &unwatched);
        self.search(field, attacker, kind, &mut budget).attacking_moves()
    }
}
