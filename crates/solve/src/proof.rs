//! Writes proof files (`docs/proof-format.md`).

use gomoku::{Board, Color, Point, PointSet, Rule};
use player::Proof;
use sha2::{Digest, Sha256};

use crate::tree::{Attack, Defence, Root, Tree};

const WIN: u32 = 0;
const MOVE: u32 = 1;
const NONE: u32 = 3;

impl Tree {
    /// The proof file of this tree.
    pub fn proof(&self) -> Proof {
        let plies = self.plies();
        let mut writer = Writer::new(self.board.size());
        writer.header(self.rule, &self.board, self.to_move(), self.attacker, plies);
        match &self.root {
            Root::Attack(attack) => writer.attack(attack),
            Root::Defence(defence) => writer.defence(defence),
        }
        Proof { plies, bytes: writer.finish() }
    }
}

/// Collects the bytes of a proof.
pub(crate) struct Writer {
    size: u32,
    bytes: Vec<u8>,
}

impl Writer {
    pub(crate) fn new(size: u8) -> Writer {
        Writer { size: u32::from(size), bytes: Vec::new() }
    }

    /// Everything before the tree. There are no shared trees.
    pub(crate) fn header(
        &mut self,
        rule: Rule,
        board: &Board,
        to_move: Color,
        attacker: Color,
        plies: u32,
    ) {
        self.bytes.extend_from_slice(b"TENGENPF");
        let rule = rule.gomocup_code() as u8;
        self.bytes.extend([1, rule, board.size(), to_move as u8, attacker as u8]);
        self.number(plies);
        for color in Color::ALL {
            self.stones(board.stones(color));
        }
        self.number(0);
    }

    fn stones(&mut self, stones: &PointSet) {
        self.number(stones.len() as u32);
        for point in *stones {
            let cell = self.cell(point);
            self.number(cell);
        }
    }

    pub(crate) fn attack(&mut self, attack: &Attack) {
        match attack {
            Attack::Win(point) => self.node(WIN, *point),
            Attack::Move(point, defence) => {
                self.node(MOVE, *point);
                self.defence(defence);
            }
        }
    }

    pub(crate) fn defence(&mut self, defence: &Defence) {
        for (replies, answer) in &defence.groups {
            self.replies(replies);
            self.attack(answer);
        }
        self.number(0);
        match &defence.default {
            Some(answer) => self.attack(answer),
            None => self.number(NONE),
        }
    }

    /// The replies of a group.
    pub(crate) fn replies(&mut self, replies: &[Point]) {
        for (i, &reply) in replies.iter().enumerate() {
            let more = u32::from(i + 1 < replies.len());
            let cell = self.cell(reply);
            self.number(1 + 2 * cell + more);
        }
    }

    fn node(&mut self, kind: u32, point: Point) {
        let cell = self.cell(point);
        self.number(4 * cell + kind);
    }

    fn cell(&self, point: Point) -> u32 {
        u32::from(point.row()) * self.size + u32::from(point.col())
    }

    /// Unsigned LEB128.
    fn number(&mut self, mut value: u32) {
        while value > 127 {
            self.bytes.push(value as u8 | 128);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    /// Adds the checksum.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let checksum = Sha256::digest(&self.bytes);
        self.bytes.extend_from_slice(&checksum);
        self.bytes
    }
}
