//! Where every random number of a run comes from: the run's seed and the index of the pair.
//!
//! Never the worker, the time or the order in which games happen to finish.

use sha2::{Digest, Sha256};

/// One part of what a seed is derived from.
#[derive(Clone, Copy, Debug)]
pub enum SeedPart<'a> {
    /// A text.
    Text(&'a str),
    /// A number.
    Number(u64),
}

/// Derives a seed: the first eight bytes of the SHA-256 of all parts, each with its length.
pub fn derive(parts: &[SeedPart<'_>]) -> u64 {
    let mut hash = Sha256::new();
    for part in parts {
        match part {
            SeedPart::Text(text) => add(&mut hash, text.as_bytes()),
            SeedPart::Number(number) => add(&mut hash, &number.to_le_bytes()),
        }
    }
    let digest = hash.finalize();
    u64::from_le_bytes(digest[..8].try_into().expect("a digest has 32 bytes"))
}

/// The seed of a pair of games.
pub fn of_pair(seed: &str, index: u64) -> u64 {
    derive(&[SeedPart::Text("arena/v1/game"), SeedPart::Text(seed), SeedPart::Number(index)])
}

/// The seed of the order in which openings are played.
pub fn of_openings(seed: &str) -> u64 {
    derive(&[SeedPart::Text("arena/v1/openings"), SeedPart::Text(seed), SeedPart::Number(0)])
}

fn add(hash: &mut Sha256, bytes: &[u8]) {
    hash.update((bytes.len() as u32).to_le_bytes());
    hash.update(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn seeds_are_the_recorded_ones() {
        let text = include_str!("../../stats/tests/data/stats_vectors.json");
        let all: Value = serde_json::from_str(text).unwrap();
        let vectors = all["seed_derivation"]["vectors"].as_array().unwrap();
        assert_eq!(vectors.len(), 5);
        for vector in vectors {
            let parts: Vec<SeedPart<'_>> = vector["parts"]
                .as_array()
                .unwrap()
                .iter()
                .map(|part| match part.as_str() {
                    Some(text) => SeedPart::Text(text),
                    None => SeedPart::Number(part.as_u64().unwrap()),
                })
                .collect();
            let expected = vector["seed"].as_str().unwrap();
            assert_eq!(format!("{:#x}", derive(&parts)), expected);
        }
        assert_eq!(of_pair("run-2026-11-15", 12345), 0x46d2_81de_aaf1_a22d);
        assert_eq!(of_openings("run-2026-11-15"), 0x0cf4_f8af_14e4_ade5);
    }
}
