//! Explicit win trees: every attacker move, and an answer to every reply.

use gomoku::{Board, Color, Point, PointSet, Rule};

/// A win, move by move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinTree {
    /// The rule it is won under.
    pub rule: Rule,
    /// The stones at its start.
    pub board: Board,
    /// Who wins.
    pub attacker: Color,
    /// The first turn.
    pub root: Root,
}

/// The first turn of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// The attacker is to move.
    Attack(Attack),
    /// The defender is to move.
    Defense(Defense),
}

/// What the attacker does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attack {
    /// Plays here, which wins at once.
    Win(Point),
    /// Plays here, and answers whatever comes.
    Move(Point, Box<Defense>),
}

/// The answers to every reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defense {
    /// Answers to some replies, each to one or more of them.
    pub groups: Vec<(Vec<Point>, Attack)>,
    /// The answer to all other replies; `None` if none needs one.
    pub default: Option<Attack>,
}

impl Attack {
    /// The attacker's move.
    pub fn point(&self) -> Point {
        match *self {
            Attack::Win(point) | Attack::Move(point, _) => point,
        }
    }

    /// The most plies until the win, this move included.
    pub fn plies(&self) -> u32 {
        match self {
            Attack::Win(_) => 1,
            Attack::Move(_, defense) => 1 + defense.plies(),
        }
    }

    /// How many attacker moves the tree holds.
    pub fn move_count(&self) -> usize {
        match self {
            Attack::Win(_) => 1,
            Attack::Move(_, defense) => 1 + defense.move_count(),
        }
    }
}

impl Defense {
    /// The most plies until the win, the reply included.
    pub fn plies(&self) -> u32 {
        1 + self.answers().map(Attack::plies).max().unwrap_or(0)
    }

    fn move_count(&self) -> usize {
        self.answers().map(Attack::move_count).sum()
    }

    fn answers(&self) -> impl Iterator<Item = &Attack> {
        self.groups.iter().map(|(_, answer)| answer).chain(&self.default)
    }

    /// The answer to a reply.
    pub fn answer(&self, reply: Point) -> Option<&Attack> {
        let listed = self.groups.iter().find(|(replies, _)| replies.contains(&reply));
        listed.map(|(_, answer)| answer).or(self.default.as_ref())
    }

    /// The reply that holds out longest, listed replies before others.
    fn longest(&self, empty: &PointSet) -> Option<(Point, &Attack)> {
        let mut unlisted = *empty;
        let mut best: Option<(Point, &Attack)> = None;
        for (replies, answer) in &self.groups {
            replies.iter().for_each(|&reply| unlisted.remove(reply));
            if best.is_none_or(|(_, old)| answer.plies() > old.plies()) {
                best = replies.first().map(|&reply| (reply, answer));
            }
        }
        if let Some(answer) = &self.default
            && best.is_none_or(|(_, old)| answer.plies() > old.plies())
        {
            unlisted.remove(answer.point());
            best = unlisted.first().map(|reply| (reply, answer)).or(best);
        }
        best
    }
}

impl WinTree {
    /// The side to move at the start.
    pub fn to_move(&self) -> Color {
        match self.root {
            Root::Attack(_) => self.attacker,
            Root::Defense(_) => !self.attacker,
        }
    }

    /// The most plies until the win.
    pub fn plies(&self) -> u32 {
        match &self.root {
            Root::Attack(attack) => attack.plies(),
            Root::Defense(defense) => defense.plies(),
        }
    }

    /// How many attacker moves the tree holds.
    pub fn move_count(&self) -> usize {
        match &self.root {
            Root::Attack(attack) => attack.move_count(),
            Root::Defense(defense) => defense.move_count(),
        }
    }

    /// A longest line, from the start to the stone that wins.
    pub fn line(&self) -> Vec<Point> {
        let mut empty = self.board.empty();
        let mut line = Vec::new();
        let mut attack = match &self.root {
            Root::Attack(attack) => attack,
            Root::Defense(defense) => {
                let Some((reply, answer)) = defense.longest(&empty) else { return line };
                line.push(reply);
                empty.remove(reply);
                answer
            }
        };
        loop {
            line.push(attack.point());
            empty.remove(attack.point());
            let Attack::Move(_, defense) = attack else { return line };
            let Some((reply, answer)) = defense.longest(&empty) else { return line };
            line.push(reply);
            empty.remove(reply);
            attack = answer;
        }
    }
}
