//! Networks from files: each is read once.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use engine::{LoadNet, OtherNet};
use net::Network;

/// Reads networks with this.
pub(crate) fn loader(read_file: fn(&str) -> Result<Vec<u8>, String>) -> LoadNet {
    Box::new(move |file| load(file, read_file))
}

fn load(
    file: &str,
    read_file: fn(&str) -> Result<Vec<u8>, String>,
) -> Result<Arc<OtherNet>, String> {
    static KNOWN: Mutex<BTreeMap<String, Arc<OtherNet>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(net) = known.get(file) {
        return Ok(net.clone());
    }
    let bytes = read_file(file).map_err(|why| format!("Cannot read the network {file}: {why}"))?;
    let network = Network::from_bytes(&bytes).map_err(|why| format!("{file}: {why}"))?;
    let net = Arc::new(OtherNet::new(network));
    known.insert(file.to_owned(), net.clone());
    Ok(net)
}
