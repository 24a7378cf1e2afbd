//! A document: the few kinds of blocks that reports are made of.

use crate::verdict::ClaimVerdict;

/// A piece of a document. Texts may hold `code` and *emphasis*.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Block {
    /// Level, text, and a name to link to.
    Heading(u8, String, String),
    /// A paragraph.
    Text(String),
    /// Points.
    List(Vec<String>),
    /// A table.
    Table { head: Vec<String>, rows: Vec<Vec<Cell>> },
    /// A picture.
    Svg { name: String, svg: String, caption: String },
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    /// Text.
    Text(String),
    /// A number, set to the right.
    Number(String),
    /// A link to a heading of this document.
    Link(String),
    /// A verdict.
    Verdict(ClaimVerdict),
}

impl Cell {
    pub(crate) fn text(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }

    pub(crate) fn number(text: impl ToString) -> Cell {
        Cell::Number(text.to_string())
    }

    pub(crate) fn link(name: &str) -> Cell {
        Cell::Link(name.to_owned())
    }

    pub(crate) fn verdict(verdict: ClaimVerdict) -> Cell {
        Cell::Verdict(verdict)
    }
}

impl Block {
    pub(crate) fn table(head: &[&str], rows: Vec<Vec<Cell>>) -> Block {
        Block::Table { head: head.iter().map(|text| (*text).to_owned()).collect(), rows }
    }
}
