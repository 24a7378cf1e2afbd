//! All players by name: the one place in the program that knows them.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use anyhow::{Context, Result, bail};
use arena::{COMMAND_PREFIX, External, Factory, Timeouts};
use engine::OtherNet;
use net::Network;
use player::{Limits, Player, Registry};
use serde::Deserialize;

static REGISTRY: LazyLock<Arc<Registry>> = LazyLock::new(|| {
    let mut registry = thinkers();
    crate::book::register(&mut registry, Arc::new(thinkers()));
    Arc::new(registry)
});

/// The players that find their moves themselves.
fn thinkers() -> Registry {
    let mut registry = Registry::default();
    engine::register_with(&mut registry, Box::new(load_net));
    let liao = ::book::liao().into_iter().map(|opening| (opening.name(), opening.moves)).collect();
    let resources = lab::LabResources {
        book: lab::LineBook::new(15, liao),
        positions: Arc::new(|| Box::new(crate::positions::Shared)),
    };
    lab::register_with(&mut registry, &resources);
    registry
}

/// A network from a file, which is read once.
fn load_net(file: &str) -> Result<Arc<OtherNet>, String> {
    static KNOWN: Mutex<BTreeMap<String, Arc<OtherNet>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(net) = known.get(file) {
        return Ok(net.clone());
    }
    let bytes =
        std::fs::read(file).map_err(|why| format!("Cannot read the network {file}: {why}"))?;
    let network = Network::from_bytes(&bytes).map_err(|why| format!("{file}: {why}"))?;
    let net = Arc::new(OtherNet::new(network));
    known.insert(file.to_owned(), net.clone());
    Ok(net)
}

/// The players of this program.
pub(crate) fn registry() -> &'static Arc<Registry> {
    &REGISTRY
}

/// A player kept in a file, as the tuner writes them.
#[derive(Debug, Deserialize)]
struct Preset {
    /// The spec.
    player: String,
}

/// The spec behind what was typed: a spec as it is, or the one in a preset file.
pub(crate) fn resolve(text: &str) -> Result<String> {
    if !text.ends_with(".toml") {
        return Ok(text.to_owned());
    }
    if !Path::new(text).is_file() {
        bail!("There is no file {text}.");
    }
    let content = std::fs::read_to_string(text).with_context(|| format!("Cannot read {text}"))?;
    let preset: Preset =
        toml::from_str(&content).with_context(|| format!("{text} is not a preset file"))?;
    Ok(preset.player)
}

/// Makes the player that was typed, an external engine included.
pub(crate) fn build(text: &str) -> Result<Box<dyn Player>> {
    let spec = resolve(text)?;
    match spec.strip_prefix(COMMAND_PREFIX) {
        Some(command) => {
            Ok(Box::new(External::new(command, Limits::default(), Timeouts::default())))
        }
        None => Ok(registry().build(&spec)?),
    }
}

/// How the arena makes its players.
pub(crate) fn factory() -> Factory {
    Arc::new(|spec| registry().build(spec).map_err(|error| error.to_string()))
}
