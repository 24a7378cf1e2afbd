//! The check itself: plays the attacker's moves, and at each defender turn tries every empty cell.

use std::ops::ControlFlow;

use crate::{
    Counts, Manner, WinClaim,
    board::{Board, Color, Point, Rule},
    fault::{Fault, Flaw},
    tree::{self, Node, Source},
};

/// The watcher is asked after about this many replies.
const REPLIES_PER_LOOK: u64 = 1 << 14;

pub(crate) struct Walk<'a> {
    board: Board,
    attacker: Color,
    defender: Color,
    plies: usize,
    shared: &'a [Vec<u8>],
    manner: Manner,
    watch: &'a mut dyn FnMut(&Counts) -> ControlFlow<()>,
    next_look: u64,
    counts: Counts,
    /// The attacker's move in the start position, if it has one there.
    first: Option<Point>,
    /// The moves played from the start position.
    line: Vec<usize>,
}

/// The cells that a defender node lists.
type Listed = [bool; 24 * 24];

impl<'a> Walk<'a> {
    pub(crate) fn new(
        board: Board,
        claim: &WinClaim,
        shared: &'a [Vec<u8>],
        manner: Manner,
        watch: &'a mut dyn FnMut(&Counts) -> ControlFlow<()>,
    ) -> Walk<'a> {
        Walk {
            board,
            attacker: claim.attacker,
            defender: claim.attacker.opponent(),
            plies: claim.plies,
            shared,
            manner,
            watch,
            next_look: REPLIES_PER_LOOK,
            counts: Counts::default(),
            first: None,
            line: Vec::new(),
        }
    }

    /// Checks the whole tree. A flaw leaves its line on the board, which tells where it is.
    pub(crate) fn check<'t>(
        mut self,
        to_move: Color,
        input: &mut impl Source<'t>,
    ) -> Result<(Option<Point>, Counts), Fault> {
        let checked =
            if to_move == self.attacker { self.attack(input) } else { self.defend(input) };
        match checked {
            Ok(()) => Ok((self.first, self.counts)),
            Err(flaw) => {
                let line = self.line.iter().map(|&at| self.board.point(at)).collect();
                Err(Fault { flaw, line })
            }
        }
    }

    /// The attacker is to move: the tree's move must win, now or after every reply.
    fn attack<'t>(&mut self, input: &mut impl Source<'t>) -> Result<(), Flaw> {
        let shared = self.shared.len();
        let (cell, wins_at_once) = match tree::node(input, shared)? {
            Node::Win(cell) => (cell, true),
            Node::Move(cell) => (cell, false),
            Node::Shared(index) => return self.attack(&mut &self.shared[index][..]),
            Node::None => return Err(Flaw::Unanswered),
        };
        self.counts.nodes += 1;
        let at = self.cell(cell)?;
        let point = self.board.point(at);
        if self.line.is_empty() {
            self.first = Some(point);
        }
        if !self.board.is_empty(at) {
            return Err(Flaw::Occupied(point));
        }
        if self.board.wins(at, self.attacker) {
            self.line_ends(1)?;
            return if wins_at_once { Ok(()) } else { tree::skip_defender(input, shared) };
        }
        if wins_at_once {
            return Err(Flaw::NoWin(point));
        }
        if self.board.forbids(at, self.attacker) {
            return Err(Flaw::Forbidden(point));
        }
        self.play(at, self.attacker);
        self.defend(input)?;
        self.take_back();
        Ok(())
    }

    /// The defender is to move: every empty cell must have an answer that wins.
    fn defend<'t>(&mut self, input: &mut impl Source<'t>) -> Result<(), Flaw> {
        if self.board.empty_count() == 0 {
            return Err(Flaw::Draw);
        }
        self.count_turn()?;
        let mut listed: Listed = [false; 24 * 24];
        while let Some((cell, more)) = tree::listed(input)? {
            let first = self.list(cell, &mut listed)?;
            if more {
                self.answer_group(first, input, &mut listed)?;
            } else {
                self.answer(first, input)?;
            }
        }
        self.answer_the_rest(input, &listed)
    }

    /// One answer to several replies, the first of which has been read.
    fn answer_group<'t>(
        &mut self,
        first: usize,
        input: &mut impl Source<'t>,
        listed: &mut Listed,
    ) -> Result<(), Flaw> {
        let mut group = vec![first];
        let mut more = true;
        while more {
            let cell;
            (cell, more) = tree::next_in_group(input)?;
            group.push(self.list(cell, listed)?);
        }
        let tree = input.tree(self.shared.len())?;
        group.into_iter().try_for_each(|reply| self.answer(reply, &mut &tree[..]))
    }

    /// The default answer, to each empty cell that is not listed.
    fn answer_the_rest<'t>(
        &mut self,
        input: &mut impl Source<'t>,
        listed: &Listed,
    ) -> Result<(), Flaw> {
        let tree = input.tree(self.shared.len())?;
        if self.manner == Manner::Quick
            && let Node::Win(cell) = tree::node(&mut &tree[..], self.shared.len())?
            && let Ok(five) = self.cell(cell)
            && self.is_plain_four(five)
        {
            return self.answer_the_rest_with_five(five, &tree, listed);
        }
        let rest: Vec<usize> = self.board.empties().filter(|&reply| !listed[reply]).collect();
        rest.into_iter().try_for_each(|reply| self.answer(reply, &mut &tree[..]))
    }

    /// Whether the attacker wins on this cell unless it is taken, and the defender has no winning
    /// cell. Not said of caro, where a stone elsewhere can shut in a five.
    fn is_plain_four(&self, at: usize) -> bool {
        !matches!(self.board.rule, Rule::Caro | Rule::CaroExact)
            && !self.board.has_four(self.defender)
            && self.board.is_empty(at)
            && self.board.wins(at, self.attacker)
    }

    /// The default answer when it completes a plain four: only a stone on the very cell needs
    /// looking at, and all other replies make lines of the same length.
    fn answer_the_rest_with_five(
        &mut self,
        five: usize,
        tree: &[u8],
        listed: &Listed,
    ) -> Result<(), Flaw> {
        if !listed[five] {
            self.answer(five, &mut &*tree)?;
        }
        let another_legal_reply = (0..self.board.cells.len()).any(|reply| {
            reply != five
                && !listed[reply]
                && self.board.is_empty(reply)
                && !self.board.forbids(reply, self.defender)
        });
        if another_legal_reply {
            self.counts.nodes += 1;
            self.line_ends(2)?;
        }
        Ok(())
    }

    /// The defender plays this reply and the tree answers it.
    fn answer<'t>(&mut self, reply: usize, input: &mut impl Source<'t>) -> Result<(), Flaw> {
        if !self.board.is_empty(reply) {
            return tree::skip(input, self.shared.len());
        }
        let point = self.board.point(reply);
        if self.board.wins(reply, self.defender) {
            return Err(Flaw::Lost(point));
        }
        if self.board.forbids(reply, self.defender) {
            self.line_ends(1)?;
            return tree::skip(input, self.shared.len());
        }
        self.play(reply, self.defender);
        self.attack(input)?;
        self.take_back();
        Ok(())
    }
}

impl Walk<'_> {
    fn play(&mut self, at: usize, color: Color) {
        self.board.place(at, color);
        self.line.push(at);
    }

    fn take_back(&mut self) {
        if let Some(at) = self.line.pop() {
            self.board.remove(at);
        }
    }

    /// The current line ends, won, after this many more plies.
    fn line_ends(&mut self, more: usize) -> Result<(), Flaw> {
        let length = self.line.len() + more;
        self.counts.longest = self.counts.longest.max(length);
        if length > self.plies { Err(Flaw::TooLong(length)) } else { Ok(()) }
    }

    fn count_turn(&mut self) -> Result<(), Flaw> {
        self.counts.turns += 1;
        self.counts.replies += self.board.empty_count() as u64;
        if self.counts.replies >= self.next_look {
            self.next_look = self.counts.replies + REPLIES_PER_LOOK;
            if (self.watch)(&self.counts).is_break() {
                return Err(Flaw::Stopped);
            }
        }
        Ok(())
    }

    /// Notes that a defender node lists this cell.
    fn list(&self, cell: u32, listed: &mut Listed) -> Result<usize, Flaw> {
        let at = self.cell(cell)?;
        if listed[at] {
            return Err(Flaw::ListedTwice(self.board.point(at)));
        }
        listed[at] = true;
        Ok(at)
    }

    fn cell(&self, number: u32) -> Result<usize, Flaw> {
        self.board.cell(number as usize).ok_or(Flaw::OffBoard(number))
    }
}
