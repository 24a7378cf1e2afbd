//! The three kinds of nodes of a search, told apart at compile time.

/// What kind of node is searched.
pub(crate) trait NodeType {
    /// Whether an exact value is wanted, rather than a comparison with one.
    const PV: bool;
    /// Whether this is the root.
    const ROOT: bool;
}

/// The root.
pub(crate) enum Root {}
/// A node that may be part of the principal variation.
pub(crate) enum Pv {}
/// A node that is expected to prove that a move is not better.
pub(crate) enum Scout {}

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeType for Scout {
    const PV: bool = false;
    const ROOT: bool = false;
}
