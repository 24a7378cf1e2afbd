//! Answers of the player in opening protocols.

use gomoku::{
    Point,
    opening::{Action, Allowed, Opening, Protocol},
};
use player::{OpeningOptions, answer_opening};

use super::{
    control::Request,
    manager_board::ManagerBoard,
    session::{Refusal, Session},
};
use crate::{
    gomocup::{Reply, Stone},
    wire::Coord,
};

impl Session<'_> {
    /// Answers `SWAP2BOARD` with 0, 3 or 5 stones.
    pub(super) fn swap2(&mut self, request: &Request, stones: &[Stone]) -> Result<Reply, Refusal> {
        let moves: Vec<Coord> = stones.iter().map(|stone| stone.at).collect();
        let board = self.in_order(&moves)?;
        let points: Vec<_> = moves.iter().map(|&at| self.point(at)).collect::<Result<_, _>>()?;
        let earlier = match points[..] {
            [] => vec![],
            [a, b, c] => vec![Action::PlaceThree([a, b, c])],
            [a, b, c, d, e] => vec![Action::PlaceThree([a, b, c]), Action::PlaceTwo([d, e])],
            _ => {
                let count = points.len();
                return Err(format!("A Swap2 opening has 0, 3 or 5 stones, not {count}."));
            }
        };
        let opening = Opening::new(Protocol::Swap2, self.rule(), board.size());
        let mut opening = opening.map_err(|error| error.to_string())?;
        for action in &earlier {
            opening.answer(action).map_err(|error| error.to_string())?;
        }
        self.board = Some(board);
        let ask = opening.ask().ok_or("The opening is over.")?;
        let action = self.answer_opening(request, &ask.allowed)?;
        self.board = Some(self.placed(&action)?);
        let coords = self.coords(&action.stones())?;
        Ok(match coords[..] {
            [] => Reply::Swap,
            [at] => Reply::Move(at),
            _ => Reply::Moves(coords),
        })
    }

    /// What the player answers to a question of an opening protocol about the board as it is.
    pub(super) fn answer_opening(
        &mut self,
        request: &Request,
        allowed: &[Allowed],
    ) -> Result<Action, Refusal> {
        let position = self.board()?.position(self.rule());
        let options = OpeningOptions {
            limits: self.limits(),
            seed: self.seed(),
            ..OpeningOptions::default()
        };
        answer_opening(&position, allowed, options, &mut |task| self.choose(request, task))
    }

    /// The board with the stones of an answer.
    pub(super) fn placed(&self, action: &Action) -> Result<ManagerBoard, Refusal> {
        let mut board = self.board()?.clone();
        action.stones().iter().for_each(|&point| {
            board.play(point);
        });
        Ok(board)
    }

    /// Stones of alternating colors on a board of the present size.
    pub(super) fn in_order(&self, moves: &[Coord]) -> Result<ManagerBoard, Refusal> {
        let size = self.board()?.size();
        let mut board = ManagerBoard::new(size.into()).ok_or("No game has been started.")?;
        for &at in moves {
            if !board.play(self.point(at)?) {
                return Err(format!("{at} is listed twice."));
            }
        }
        Ok(board)
    }

    pub(super) fn coords(&self, points: &[Point]) -> Result<Vec<Coord>, Refusal> {
        points.iter().map(|&point| self.coord(point)).collect()
    }
}
