//! What the parts of all experiments have found, for claims and the reasons of differences.

use std::{collections::BTreeMap, path::Path};

use super::Finding;
use crate::{
    claim::{Claim, ClaimReason},
    experiment::{Experiment, Part},
    measure::Measure,
    run::PapersError,
    verdict,
};

/// Findings by experiment and part.
pub(super) struct Known<'a>(BTreeMap<(&'a str, &'a str), (&'a Part, Finding)>);

impl<'a> Known<'a> {
    pub(super) fn read(folder: &Path, experiments: &'a [Experiment]) -> Result<Self, PapersError> {
        let mut known = BTreeMap::new();
        for experiment in experiments {
            for part in &experiment.parts {
                let finding = Finding::read(part, &folder.join(&experiment.id))?;
                known.insert((experiment.id.as_str(), part.name()), (part, finding));
            }
        }
        Ok(Known(known))
    }

    /// The parts of an experiment with what they have found.
    pub(super) fn of(&self, experiment: &Experiment) -> Vec<(Part, Finding)> {
        let found = |part: &Part| {
            let (part, finding) = self.0.get(&(experiment.id.as_str(), part.name()))?;
            Some(((*part).clone(), finding.clone()))
        };
        experiment.parts.iter().filter_map(found).collect()
    }

    /// What a claim of an experiment comes to.
    pub(super) fn measure(&self, own: &str, claim: &Claim) -> Option<Measure> {
        let (part, finding) = self.0.get(&claim.place(own))?;
        finding.measure(part, claim)
    }

    /// Why a number differs, as far as it is known.
    pub(super) fn explain(&self, own: &str, claim: &Claim, why: &ClaimReason) -> String {
        match why {
            ClaimReason::Guess(guess) => format!("Guess: {guess}"),
            ClaimReason::Shown(reason) => {
                verdict::shown(reason, reason.place(own), self.measure(own, reason))
            }
            ClaimReason::Readings(by) => {
                let place = by.split_once('/').and_then(|place| self.0.get(&place));
                match place.and_then(|(part, finding)| finding.explain(part, claim)) {
                    Some(explained) => explained.sentence(by),
                    None => format!(
                        "Guess: the paper means something else; this run has not tried the \
                         readings (`{by}`)."
                    ),
                }
            }
        }
    }
}
