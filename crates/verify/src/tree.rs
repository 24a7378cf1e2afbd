//! The bytes of a proof: numbers, nodes, and reading them from a stream or again from memory.

use std::{borrow::Cow, io::Read};

use crate::{fault::Flaw, sha256::Sha256};

/// Attacker nodes may be nested this deep.
const DEPTH: usize = 256;

/// The head of an attacker node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Node {
    /// The attacker wins at once on this cell.
    Win(u32),
    /// The attacker plays on this cell and a defender node follows.
    Move(u32),
    /// The shared tree with this index goes here.
    Shared(usize),
    /// No answer.
    None,
}

/// Where trees are read from: the file, or one tree of it kept in memory for `'t`.
pub(crate) trait Source<'t> {
    fn byte(&mut self) -> Result<u8, Flaw>;

    /// The bytes of the attacker node that comes next, without looking into what they mean.
    fn tree(&mut self, shared: usize) -> Result<Cow<'t, [u8]>, Flaw>;
}

pub(crate) fn number<'t>(input: &mut impl Source<'t>) -> Result<u32, Flaw> {
    let mut value = 0u64;
    for shift in [0, 7, 14, 21, 28] {
        let byte = input.byte()?;
        value |= u64::from(byte & 127) << shift;
        if byte < 128 {
            let shortest = byte > 0 || shift == 0;
            let fitting = u32::try_from(value).ok().filter(|_| shortest);
            return fitting.ok_or(Flaw::Malformed("a number is badly written"));
        }
    }
    Err(Flaw::Malformed("a number is badly written"))
}

/// The head of an attacker node in a proof that has this many shared trees to mention.
pub(crate) fn node<'t>(input: &mut impl Source<'t>, shared: usize) -> Result<Node, Flaw> {
    let value = number(input)?;
    let rest = value / 4;
    match value % 4 {
        0 => Ok(Node::Win(rest)),
        1 => Ok(Node::Move(rest)),
        2 if (rest as usize) < shared => Ok(Node::Shared(rest as usize)),
        3 if rest == 0 => Ok(Node::None),
        _ => Err(Flaw::Malformed("no such node")),
    }
}

/// A listed reply of a defender node, and whether another one of its group follows.
pub(crate) fn listed<'t>(input: &mut impl Source<'t>) -> Result<Option<(u32, bool)>, Flaw> {
    let value = number(input)?;
    Ok(value.checked_sub(1).map(|value| (value / 2, value % 2 == 1)))
}

/// The next reply of a group, after one that says that another follows.
pub(crate) fn next_in_group<'t>(input: &mut impl Source<'t>) -> Result<(u32, bool), Flaw> {
    listed(input)?.ok_or(Flaw::Malformed("a group of replies has no end"))
}

/// Reads over an attacker node and all below it.
pub(crate) fn skip<'t>(input: &mut impl Source<'t>, shared: usize) -> Result<(), Flaw> {
    skip_attacker(input, shared, DEPTH)
}

/// Reads over a defender node and all below it.
pub(crate) fn skip_defender<'t>(input: &mut impl Source<'t>, shared: usize) -> Result<(), Flaw> {
    skip_replies(input, shared, DEPTH)
}

fn skip_attacker<'t>(input: &mut impl Source<'t>, shared: usize, depth: usize) -> Result<(), Flaw> {
    match node(input, shared)? {
        Node::Move(_) if depth == 0 => Err(Flaw::Malformed("it is nested too deeply")),
        Node::Move(_) => skip_replies(input, shared, depth - 1),
        Node::Win(_) | Node::Shared(_) | Node::None => Ok(()),
    }
}

fn skip_replies<'t>(input: &mut impl Source<'t>, shared: usize, depth: usize) -> Result<(), Flaw> {
    while let Some((_, mut more)) = listed(input)? {
        while more {
            (_, more) = next_in_group(input)?;
        }
        skip_attacker(input, shared, depth)?;
    }
    skip_attacker(input, shared, depth)
}

impl<'t> Source<'t> for &'t [u8] {
    fn byte(&mut self) -> Result<u8, Flaw> {
        let (&first, rest) = self.split_first().ok_or(Flaw::Truncated)?;
        *self = rest;
        Ok(first)
    }

    fn tree(&mut self, shared: usize) -> Result<Cow<'t, [u8]>, Flaw> {
        let start = *self;
        skip(self, shared)?;
        Ok(Cow::Borrowed(&start[..start.len() - self.len()]))
    }
}

/// The proof file: hashes what it reads, and copies those trees that will be replayed.
pub(crate) struct Stream<R> {
    input: R,
    buffer: Vec<u8>,
    /// What has been read of the buffer.
    read: usize,
    hash: Sha256,
    /// Bytes of the buffers before this one.
    before: u64,
    copy: Option<Vec<u8>>,
    /// How many bytes may still be kept.
    room: usize,
}

impl<R: Read> Stream<R> {
    pub(crate) fn new(input: R, room: usize) -> Stream<R> {
        let hash = Sha256::default();
        Stream { input, buffer: Vec::new(), read: 0, hash, before: 0, copy: None, room }
    }

    /// The next shared tree, to be kept until the end.
    pub(crate) fn shared_tree(&mut self, earlier: usize) -> Result<Vec<u8>, Flaw> {
        let tree = self.tree(earlier)?.into_owned();
        let bytes = tree.len() + size_of::<Vec<u8>>();
        self.room = self.room.checked_sub(bytes).ok_or(Flaw::TooLarge)?;
        // A tree that only names another could start a chain without end on the stack.
        match node(&mut &tree[..], earlier)? {
            Node::Win(_) | Node::Move(_) => Ok(tree),
            _ => Err(Flaw::Malformed("a shared tree starts without a move")),
        }
    }

    /// The digest and length of the whole file, if its checksum fits and nothing follows it.
    pub(crate) fn finish(mut self) -> Result<([u8; 32], u64), Flaw> {
        self.hash.update(&self.buffer[..self.read]);
        let digest = self.hash.clone().finish();
        for expected in digest {
            if self.byte()? != expected {
                return Err(Flaw::Damaged);
            }
        }
        let length = self.before + self.read as u64;
        if self.fill()? { Err(Flaw::Trailing) } else { Ok((digest, length)) }
    }

    /// Makes sure there is a byte to read, unless the input has ended.
    fn fill(&mut self) -> Result<bool, Flaw> {
        if self.read == self.buffer.len() {
            self.hash.update(&self.buffer);
            self.before += self.read as u64;
            self.read = 0;
            self.buffer.clear();
            let result = self.input.by_ref().take(1 << 16).read_to_end(&mut self.buffer);
            result.map_err(|error| Flaw::Input(error.to_string()))?;
        }
        Ok(self.read < self.buffer.len())
    }
}

impl<R: Read> Source<'static> for Stream<R> {
    fn byte(&mut self) -> Result<u8, Flaw> {
        if !self.fill()? {
            return Err(Flaw::Truncated);
        }
        let byte = self.buffer[self.read];
        self.read += 1;
        if let Some(copy) = &mut self.copy {
            if copy.len() == self.room {
                return Err(Flaw::TooLarge);
            }
            copy.push(byte);
        }
        Ok(byte)
    }

    fn tree(&mut self, shared: usize) -> Result<Cow<'static, [u8]>, Flaw> {
        self.copy = Some(Vec::new());
        skip(self, shared)?;
        Ok(Cow::Owned(self.copy.take().unwrap_or_default()))
    }
}
