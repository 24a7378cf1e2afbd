//! A few letters that tell whether two runs found the same: times are left out.

use sha2::{Digest, Sha256};

use super::{Finding, Section};
use crate::{experiment::Part, walk};

/// The digest of an experiment's parts; `None` if there is nothing that a second run must repeat.
pub(super) fn of(section: &Section) -> Option<String> {
    let mut hash = Sha256::new();
    let mut is_empty = true;
    for (part, finding) in &section.findings {
        if let Some(text) = canonical(part, finding) {
            hash.update(format!("{}\n{text}\n", part.name()));
            is_empty = false;
        }
    }
    (!is_empty).then(|| format!("{:.8x}", hash.finalize()))
}

/// What a part has found, as text, unless a clock has limited its players.
fn canonical(part: &Part, finding: &Finding) -> Option<String> {
    if part.entrants().iter().any(|entrant| entrant.ms.is_some()) {
        return None;
    }
    let value = match finding {
        Finding::Nothing => return None,
        Finding::Games(played) => return Some(arena::digest(&played.pairs)),
        Finding::Walk(rows) => {
            let mut rows = rows.clone();
            let steps = rows.iter_mut().flat_map(|row: &mut walk::Row| &mut row.steps);
            steps.for_each(|step| step.micros = 0);
            serde_json::json!(rows)
        }
        Finding::Find(rows) => serde_json::json!(rows),
        Finding::Readings(rows) => serde_json::json!(rows),
        Finding::Evolve(found) => {
            serde_json::json!([found.snapshots, found.tournament, found.parameters])
        }
    };
    Some(value.to_string())
}
