//! The experiments that come with the program.

use crate::experiment::{Experiment, ExperimentError, read};

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$((concat!($name, ".toml"), include_str!(concat!("../experiments/", $name, ".toml")))),*]
    };
}

const FILES: [(&str, &str); 20] = files![
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
    "liao-readings",
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
    read(&FILES).unwrap_or_else(|error| panic!("shipped experiments can be read: {error}"))
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

    #[test]
    fn every_experiment_asks_something_and_has_claims() {
        for experiment in all() {
            assert!(experiment.question.ends_with('?'), "{}", experiment.id);
            let has_claims = !experiment.claims.is_empty();
            assert_ne!(has_claims, experiment.is_about_readings(), "{}", experiment.id);
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
