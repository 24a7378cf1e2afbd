//! Proofs as data: written as text, changed as trees, encoded as the format says.

use crate::{Color, Rule, Sha256};

/// An attacker node; cells are numbered as in the file.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Attack {
    Win(usize),
    Move(usize, Box<Defense>),
    Shared(usize),
    None,
}

/// A defender node.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Defense {
    pub(super) groups: Vec<(Vec<usize>, Attack)>,
    pub(super) default: Attack,
}

#[derive(Debug, Clone)]
pub(super) enum Root {
    Attack(Attack),
    Defense(Defense),
}

#[derive(Debug, Clone)]
pub(super) struct Proof {
    pub(super) rule: Rule,
    pub(super) size: usize,
    pub(super) to_move: Color,
    pub(super) attacker: Color,
    pub(super) plies: usize,
    pub(super) black: Vec<usize>,
    pub(super) white: Vec<usize>,
    pub(super) shared: Vec<Attack>,
    pub(super) root: Root,
}

impl Proof {
    /// A proof on 15x15 from lists of points and the text of a tree. The attacker is to move.
    ///
    /// ```text
    /// h8!                                     play h8 and win
    /// h8 { i8: h7!; j8 k8: g8 {...}; *: i8! } play h8, answer the listed replies and the rest
    /// =0                                      go on with the first shared tree
    /// ```
    pub(super) fn new(rule: Rule, attacker: Color, stones: [&str; 2], tree: &str) -> Proof {
        let [black, white] = stones.map(|list| {
            let mut cells: Vec<usize> = list.split_whitespace().map(cell).collect();
            cells.sort_unstable();
            cells
        });
        let mut text = Text::new(tree);
        let root = Root::Attack(text.attack());
        assert_eq!(text.next(), None, "text after the tree");
        let (size, to_move, shared) = (15, attacker, vec![]);
        Proof { rule, size, to_move, attacker, plies: 225, black, white, shared, root }
    }

    pub(super) fn with_shared(mut self, tree: &str) -> Proof {
        self.shared.push(Text::new(tree).attack());
        self
    }

    pub(super) fn within(self, plies: usize) -> Proof {
        Proof { plies, ..self }
    }

    pub(super) fn under(self, rule: Rule) -> Proof {
        Proof { rule, ..self }
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = b"TENGENPF\x01".to_vec();
        out.push(match self.rule {
            Rule::Freestyle => 0,
            Rule::Standard => 1,
            Rule::Renju => 4,
            Rule::Caro => 8,
            Rule::CaroExact => 9,
        });
        out.extend([self.size as u8, self.to_move as u8, self.attacker as u8]);
        number(self.plies, &mut out);
        for stones in [&self.black, &self.white] {
            number(stones.len(), &mut out);
            stones.iter().for_each(|&cell| number(cell, &mut out));
        }
        number(self.shared.len(), &mut out);
        self.shared.iter().for_each(|tree| attack(tree, &mut out));
        match &self.root {
            Root::Attack(node) => attack(node, &mut out),
            Root::Defense(node) => defense(node, &mut out),
        }
        seal(out)
    }
}

/// Adds the checksum.
pub(super) fn seal(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(Sha256::of(&bytes));
    bytes
}

fn number(mut value: usize, out: &mut Vec<u8>) {
    while value >= 128 {
        out.push(value as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
}

fn attack(node: &Attack, out: &mut Vec<u8>) {
    match node {
        Attack::Win(cell) => number(4 * cell, out),
        Attack::Move(cell, next) => {
            number(4 * cell + 1, out);
            defense(next, out);
        }
        Attack::Shared(index) => number(4 * index + 2, out),
        Attack::None => number(3, out),
    }
}

fn defense(node: &Defense, out: &mut Vec<u8>) {
    for (replies, answer) in &node.groups {
        for (i, cell) in replies.iter().enumerate() {
            let more = usize::from(i + 1 < replies.len());
            number(1 + 2 * cell + more, out);
        }
        attack(answer, out);
    }
    number(0, out);
    attack(&node.default, out);
}

/// The number of a point such as `h8` on 15x15.
pub(super) fn cell(point: &str) -> usize {
    let col = point.as_bytes()[0] - b'a';
    let row: usize = point[1..].parse().expect("a row");
    (row - 1) * 15 + usize::from(col)
}

struct Text {
    words: Vec<String>,
    at: usize,
}

impl Text {
    fn new(text: &str) -> Text {
        let mut spaced = text.to_string();
        for sign in ["{", "}", ":", ";", "!", "="] {
            spaced = spaced.replace(sign, &format!(" {sign} "));
        }
        Text { words: spaced.split_whitespace().map(str::to_string).collect(), at: 0 }
    }

    fn next(&mut self) -> Option<String> {
        self.at += 1;
        self.words.get(self.at - 1).cloned()
    }

    fn attack(&mut self) -> Attack {
        let word = self.next().expect("a node");
        if word == "=" {
            return Attack::Shared(self.next().expect("an index").parse().expect("an index"));
        }
        match self.next().expect("! or {").as_str() {
            "!" => Attack::Win(cell(&word)),
            "{" => Attack::Move(cell(&word), Box::new(self.defense())),
            other => panic!("{other} after {word}"),
        }
    }

    fn defense(&mut self) -> Defense {
        let mut node = Defense { groups: vec![], default: Attack::None };
        loop {
            let mut replies = Vec::new();
            loop {
                match self.next().expect("a reply or }").as_str() {
                    "}" => return node,
                    ";" => {}
                    ":" => break,
                    reply => replies.push(reply.to_string()),
                }
            }
            let answer = self.attack();
            if replies == ["*"] {
                node.default = answer;
            } else {
                node.groups.push((replies.iter().map(|reply| cell(reply)).collect(), answer));
            }
        }
    }
}
