//! The players that come along.

use std::sync::Arc;

use lab::{LabResources, LineBook};
use player::Registry;

/// The engine and the lab's players.
pub(crate) fn registry() -> Arc<Registry> {
    let mut registry = Registry::default();
    engine::register(&mut registry);
    let liao = book::liao().into_iter().map(|opening| (opening.name(), opening.moves)).collect();
    let resources = LabResources {
        book: LineBook::new(15, liao),
        network: Some(engine::evaluate),
        ..LabResources::default()
    };
    lab::register_with(&mut registry, &resources);
    Arc::new(registry)
}
