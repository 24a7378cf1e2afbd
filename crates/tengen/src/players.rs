//! All players by name.

use std::sync::LazyLock;

use player::Registry;

static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::default);

/// The players of this program.
pub(crate) fn registry() -> &'static Registry {
    &REGISTRY
}
