//! Do several sources of results (machines, say) tell the same story?

use crate::distribution::chi_square_tail;
use crate::math::square;
use serde::{Deserialize, Serialize};

/// A chi-square test of independence between source and result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Homogeneity {
    /// The test's statistic.
    pub chi2: f64,
    /// Degrees of freedom.
    pub dof: u32,
    /// Probability of a statistic this large if the sources do not differ.
    pub p: f64,
}

/// Tests whether all rows (one per source: pairs won, lost, level) have the same proportions.
pub fn homogeneity(rows: &[[u64; 3]]) -> Homogeneity {
    let row_sums: Vec<f64> = rows.iter().map(|r| r.iter().sum::<u64>() as f64).collect();
    let column_sums = [0, 1, 2].map(|c| rows.iter().map(|r| r[c]).sum::<u64>() as f64);
    let total: f64 = row_sums.iter().sum();
    let mut chi2 = 0.0;
    for (row, row_sum) in rows.iter().zip(&row_sums) {
        for (count, column_sum) in row.iter().zip(&column_sums) {
            let expected = row_sum * column_sum / total;
            if expected > 0.0 {
                chi2 += square(*count as f64 - expected) / expected;
            }
        }
    }
    let used = |sums: &[f64]| sums.iter().filter(|s| **s > 0.0).count() as u32;
    let dof = used(&row_sums).saturating_sub(1) * used(&column_sums).saturating_sub(1);
    let p = if dof == 0 { 1.0 } else { chi_square_tail(chi2, f64::from(dof)) };
    Homogeneity { chi2, dof, p }
}
