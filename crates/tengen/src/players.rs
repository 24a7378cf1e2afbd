//! All players by name, with the files of this machine.

use std::{
    path::Path,
    sync::{Arc, LazyLock},
};

use anyhow::{Context, Result, bail};
use arena::{COMMAND_PREFIX, External, Factory, Timeouts};
use player::{Limits, ParamValues, Player, PlayerInfo, Registry, SpecError};
use roster::Outside;
use serde::Deserialize;

static REGISTRY: LazyLock<Arc<Registry>> = LazyLock::new(|| Arc::new(all()));

/// Every player of this program.
fn all() -> Registry {
    roster::players(Outside {
        read_file: |file| std::fs::read(file).map_err(|why| why.to_string()),
        positions: Arc::new(|| Box::new(crate::positions::Shared)),
        books: crate::book::names(),
        load_book: crate::book::load,
    })
}

/// The players of this program, and programs of others under the names that they were given.
pub(crate) fn with_engines(engines: &[(String, String)]) -> Result<Arc<Registry>> {
    if engines.is_empty() {
        return Ok(Arc::clone(registry()));
    }
    let mut registry = all();
    for (name, command) in engines {
        if registry.info(name).is_some() {
            bail!("There is a player named '{name}' already; call the engine something else.");
        }
        let info = PlayerInfo {
            // Players are named once, when the program starts.
            name: Box::leak(name.clone().into_boxed_str()),
            summary: "A Gomocup engine that was named when the studio was started",
            source: "",
            params: Vec::new(),
            tables: Vec::new(),
        };
        let command = command.clone();
        let build = move |_: &ParamValues| -> Result<Box<dyn Player>, SpecError> {
            Ok(Box::new(External::new(&command, Limits::default(), Timeouts::default())))
        };
        registry.add(info, Box::new(build));
    }
    Ok(Arc::new(registry))
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
