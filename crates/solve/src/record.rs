//! Win trees as game records with variations, for SGF and other formats.

use gomoku::{
    Color, PointSet,
    record::{self, Move, NodeId},
};

use crate::tree::{Attack, Defense, Root, WinTree};

impl WinTree {
    /// The tree as a record: the stones are set up at the root, the defender's listed replies are
    /// variations, and the answer to all other replies is shown after one of them, with a comment.
    pub fn record(&self) -> record::Tree {
        let mut out = record::Tree::new(self.board.size());
        for color in Color::ALL {
            out.add_set_up(NodeId::ROOT, Some(color), *self.board.stones(color));
        }
        out.set_to_move(NodeId::ROOT, Some(self.to_move()));
        let comment =
            format!("{} wins within {} plies ({})", self.attacker, self.plies(), self.rule);
        out.set_comment(NodeId::ROOT, comment);
        let mut writer = Writer { out, attacker: self.attacker, empty: self.board.empty() };
        match &self.root {
            Root::Attack(attack) => writer.attack(NodeId::ROOT, attack),
            Root::Defense(defense) => writer.defense(NodeId::ROOT, defense),
        }
        writer.out
    }
}

struct Writer {
    out: record::Tree,
    attacker: Color,
    empty: PointSet,
}

impl Writer {
    fn attack(&mut self, parent: NodeId, attack: &Attack) {
        let point = attack.point();
        let id =
            self.out.add_child(parent, Some(Move { color: self.attacker, point: Some(point) }));
        if let Attack::Move(_, defense) = attack {
            self.empty.remove(point);
            self.defense(id, defense);
            self.empty.insert(point);
        }
    }

    fn defense(&mut self, parent: NodeId, defense: &Defense) {
        let mut others = self.empty;
        for (replies, answer) in &defense.groups {
            for &reply in replies {
                others.remove(reply);
                self.reply(parent, reply, answer);
            }
        }
        if let Some(answer) = &defense.default {
            let example = (others - answer.points()).first();
            if let Some(reply) = example {
                let id = self.reply(parent, reply, answer);
                self.out.set_comment(id, "the same answer to every reply not shown");
            }
        }
    }

    fn reply(&mut self, parent: NodeId, reply: gomoku::Point, answer: &Attack) -> NodeId {
        let id =
            self.out.add_child(parent, Some(Move { color: !self.attacker, point: Some(reply) }));
        self.empty.remove(reply);
        self.attack(id, answer);
        self.empty.insert(reply);
        id
    }
}
