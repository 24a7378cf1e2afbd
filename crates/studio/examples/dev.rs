//! The studio with the players that exist, reading the page from disk: for work on the page.

use std::{path::Path, sync::Arc};

fn main() -> Result<(), studio::StudioError> {
    let mut registry = player::Registry::default();
    engine::register(&mut registry);
    lab::register(&mut registry);
    let arguments: Vec<String> = std::env::args().collect();
    let data = arguments.get(1).cloned().unwrap_or_else(|| "/tmp/tengen-dev".to_owned());
    let mut options = studio::Options::new(data.into(), Arc::new(registry));
    options.open_browser = false;
    options.port = arguments.get(2).and_then(|port| port.parse().ok());
    options.web_dir = Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("web"));
    studio::serve(options)
}
