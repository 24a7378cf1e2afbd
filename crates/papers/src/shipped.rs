//! The experiments that come with the program.

use crate::experiment::{Experiment, ExperimentError, parse};

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$(include_str!(concat!("../experiments/", $name, ".toml"))),*]
    };
}

const FILES: [&str; 19] = files![
    "liao-4.1",
    "liao-4.2",
    "liao-4.3",
    "liao-4.4",
    "liao-4.5",
    "liao-range",
    "liao-best-path",
    "liao-fig-4.1",
    "liao-fig-4.2",
    "liao-example",
    "alpha-beta-gain",
    "fan-yuan",
    "gu",
    "figueira",
    "xie-table-2",
    "xie-fig-6",
    "xie-table-3",
    "xie-elo",
    "beyond",
];

/// All experiments, in the order of the report.
///
/// # Panics
/// Never: a test reads every file.
pub fn all() -> Vec<Experiment> {
    FILES.iter().map(|text| parse(text).expect("shipped experiments can be read")).collect()
}

/// An experiment by its id.
///
/// # Errors
/// When there is no such experiment.
pub fn find(id: &str) -> Result<Experiment, ExperimentError> {
    let found = all().into_iter().find(|experiment| experiment.id == id);
    found.ok_or_else(|| ExperimentError::Unknown(id.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Part;

    #[test]
    fn every_experiment_can_be_read_and_its_claims_have_a_part() {
        let all = all();
        for experiment in &all {
            assert!(experiment.question.ends_with('?'), "{}", experiment.id);
            assert!(!experiment.claims.is_empty(), "{}", experiment.id);
            for claim in &experiment.claims {
                let (id, part) =
                    claim.part.split_once('/').unwrap_or((experiment.id.as_str(), &claim.part));
                let owner = all.iter().find(|other| other.id == id).expect(&claim.part);
                let part = owner.parts.iter().find(|other| other.name() == part);
                let part = part.unwrap_or_else(|| panic!("{}: {}", experiment.id, claim.part));
                let known = |name: &str| {
                    name.is_empty()
                        || matches!(part, Part::Evolve(_))
                        || part.entrants().iter().any(|entrant| entrant.name == name)
                };
                assert!(known(&claim.of), "{}: {}", experiment.id, claim.of);
                assert!(known(&claim.per), "{}: {}", experiment.id, claim.per);
                let says =
                    claim.count.is_some() || claim.printed.is_some() || claim.holds.is_some();
                assert!(says, "{}: {}", experiment.id, claim.text);
            }
        }
    }

    #[test]
    fn ids_are_different_and_found() {
        let ids: std::collections::BTreeSet<String> = all().into_iter().map(|e| e.id).collect();
        assert_eq!(ids.len(), FILES.len());
        assert!(find("liao-4.3").is_ok());
        assert!(find("nothing").is_err());
    }
}
