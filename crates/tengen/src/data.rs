//! Where runs, games and books are kept.

use std::{path::PathBuf, sync::OnceLock};

use anyhow::{Context, Result};

/// The folder that was named on the command line.
static NAMED: OnceLock<PathBuf> = OnceLock::new();

/// Names the folder that this program works with, before anything asks for it.
pub(crate) fn name(folder: Option<PathBuf>) {
    if let Some(folder) = folder {
        NAMED.get_or_init(|| folder);
    }
}

/// The data folder: the one named, or the platform's. It is made if it does not exist.
pub(crate) fn folder() -> Result<PathBuf> {
    let folder = match NAMED.get() {
        Some(path) => path.clone(),
        None => platform_folder().context("There is no home folder; name a folder with --data.")?,
    };
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("The data folder {} cannot be created", folder.display()))?;
    Ok(folder)
}

fn platform_folder() -> Option<PathBuf> {
    let variable =
        |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = if cfg!(windows) {
        variable("APPDATA")
    } else if cfg!(target_os = "macos") {
        variable("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        variable("XDG_DATA_HOME").or_else(|| variable("HOME").map(|home| home.join(".local/share")))
    };
    base.map(|base| base.join("tengen"))
}
