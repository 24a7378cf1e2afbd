//! Writes proof files (`docs/proof-format.md`).

use std::io;

use gomoku::{Board, Color, Point, PointSet, Rule};
use player::Proof;
use sha2::{Digest, Sha256};

use crate::tree::{Attack, Defense, Root, WinTree};

const WIN: u32 = 0;
const MOVE: u32 = 1;
const NONE: u32 = 3;

impl WinTree {
    /// The proof file of this tree.
    pub fn proof(&self) -> Proof {
        let plies = self.plies();
        let mut writer = Writer::new(self.board.size());
        writer.header(self.rule, &self.board, self.to_move(), self.attacker, plies);
        match &self.root {
            Root::Attack(attack) => writer.attack(attack),
            Root::Defense(defense) => writer.defense(defense),
        }
        Proof { plies, bytes: writer.finish() }
    }
}

/// A proof file whose first turns are written as they become known: one move of the attacker, then
/// group after group of its answers.
pub(crate) struct ProofStream<'w> {
    writer: Writer,
    out: &'w mut dyn io::Write,
    checksum: Sha256,
    /// The attacker's first move, and a reply with the longest answer so far.
    first: Option<Point>,
    longest: Option<(Point, Attack)>,
    start: WinTree,
}

impl<'w> ProofStream<'w> {
    /// A proof that the side to move wins within so many plies.
    pub(crate) fn start(
        out: &'w mut dyn io::Write,
        rule: Rule,
        board: &Board,
        attacker: Color,
        claim: u32,
    ) -> ProofStream<'w> {
        let mut writer = Writer::new(board.size());
        writer.header(rule, board, attacker, attacker, claim);
        let root = Root::Defense(Defense { groups: Vec::new(), default: None });
        let start = WinTree { rule, board: *board, attacker, root };
        let checksum = Sha256::new();
        ProofStream { writer, out, checksum, first: None, longest: None, start }
    }

    /// The attacker's move.
    pub(crate) fn first(&mut self, point: Point) {
        self.first = Some(point);
        self.writer.node(MOVE, point);
    }

    /// An answer and the replies that it serves.
    pub(crate) fn group(&mut self, replies: &[Point], answer: &Attack) -> io::Result<()> {
        self.writer.replies(replies);
        self.writer.attack(answer);
        let is_longer = |(_, old): &(Point, Attack)| answer.plies() > old.plies();
        if self.longest.as_ref().is_none_or(is_longer) {
            self.longest = replies.first().map(|&reply| (reply, answer.clone()));
        }
        self.flush()
    }

    /// The answer to all other replies, and the end of the file. Returns a longest line.
    pub(crate) fn finish(mut self, default: Option<&Attack>) -> io::Result<Vec<Point>> {
        self.writer.default(default);
        self.flush()?;
        self.out.write_all(&self.checksum.finalize())?;
        self.out.flush()?;
        let Some(first) = self.first else { return Ok(Vec::new()) };
        let groups = self.longest.into_iter().map(|(reply, answer)| (vec![reply], answer));
        let defense = Defense { groups: groups.collect(), default: default.cloned() };
        let root = Root::Attack(Attack::Move(first, Box::new(defense)));
        Ok(WinTree { root, ..self.start }.line())
    }

    fn flush(&mut self) -> io::Result<()> {
        let bytes = std::mem::take(&mut self.writer.bytes);
        self.checksum.update(&bytes);
        self.out.write_all(&bytes)
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
            Attack::Move(point, defense) => {
                self.node(MOVE, *point);
                self.defense(defense);
            }
        }
    }

    pub(crate) fn defense(&mut self, defense: &Defense) {
        for (replies, answer) in &defense.groups {
            self.replies(replies);
            self.attack(answer);
        }
        self.default(defense.default.as_ref());
    }

    /// The end of the groups, and the answer to all other replies.
    fn default(&mut self, default: Option<&Attack>) {
        self.number(0);
        match default {
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
