//! Named parts of players with parameters of their own.

use player::{ParamSpec, Spec, SpecError};

/// A part that a spec can name: an evaluation, or a stage that picks or orders candidate moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    /// The name in specs.
    pub name: &'static str,
    /// One line for people.
    pub help: &'static str,
    /// Its parameters.
    pub params: Vec<ParamSpec>,
}

/// The component that a spec names.
pub(crate) fn find<'a>(
    kind: &str,
    all: &'a [Component],
    spec: &Spec,
) -> Result<&'a Component, SpecError> {
    all.iter().find(|component| component.name == spec.name).ok_or_else(|| SpecError::UnknownName {
        kind: kind.to_owned(),
        name: spec.name.clone(),
        known: all.iter().map(|component| component.name).collect::<Vec<_>>().join(", "),
    })
}
