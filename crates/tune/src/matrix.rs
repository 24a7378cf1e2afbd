//! The little linear algebra that CMA-ES and regression need.

use serde::{Deserialize, Serialize};

/// A symmetric matrix, stored in full.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Symmetric {
    n: usize,
    cells: Vec<f64>,
}

impl Symmetric {
    pub(crate) fn identity(n: usize) -> Symmetric {
        let cells = (0..n * n).map(|i| f64::from(u8::from(i / n == i % n))).collect();
        Symmetric { n, cells }
    }

    pub(crate) fn scale(&mut self, factor: f64) {
        self.cells.iter_mut().for_each(|cell| *cell *= factor);
    }

    /// Adds `weight` times the product of the vector with itself.
    pub(crate) fn add_outer(&mut self, vector: &[f64], weight: f64) {
        for (i, a) in vector.iter().enumerate() {
            for (j, b) in vector.iter().enumerate() {
                self.cells[i * self.n + j] += weight * a * b;
            }
        }
    }
}

/// Eigenvalues and orthonormal eigenvectors (one a row), by Jacobi's rotations.
pub(crate) fn eigen(matrix: &Symmetric) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = matrix.n;
    let mut a: Vec<Vec<f64>> = matrix.cells.chunks(n).map(<[f64]>::to_vec).collect();
    let mut rows: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for _ in 0..64 {
        let off: f64 =
            (0..n).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| a[i][j] * a[i][j]).sum();
        let on: f64 = (0..n).map(|i| a[i][i] * a[i][i]).sum();
        if off <= 1e-30 * on {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut a, &mut rows, p, q);
            }
        }
    }
    ((0..n).map(|i| a[i][i]).collect(), rows)
}

/// Turns the plane of two axes so that the cell between them vanishes.
fn rotate(a: &mut [Vec<f64>], rows: &mut [Vec<f64>], p: usize, q: usize) {
    if a[p][q] == 0.0 {
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = theta.signum() / (theta.abs() + libm::sqrt(theta * theta + 1.0));
    let t = if theta == 0.0 { 1.0 } else { t };
    let c = 1.0 / libm::sqrt(t * t + 1.0);
    let s = t * c;
    for k in 0..a.len() {
        let (kp, kq) = (a[k][p], a[k][q]);
        a[k][p] = c * kp - s * kq;
        a[k][q] = s * kp + c * kq;
    }
    for k in 0..a.len() {
        let (pk, qk) = (a[p][k], a[q][k]);
        a[p][k] = c * pk - s * qk;
        a[q][k] = s * pk + c * qk;
        let (pk, qk) = (rows[p][k], rows[q][k]);
        rows[p][k] = c * pk - s * qk;
        rows[q][k] = s * pk + c * qk;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvectors_rebuild_the_matrix() {
        let mut matrix = Symmetric::identity(4);
        matrix.add_outer(&[1.0, 2.0, -1.0, 0.5], 0.7);
        matrix.add_outer(&[0.0, -1.0, 3.0, 2.0], 0.3);
        let (values, vectors) = eigen(&matrix);
        let mut rebuilt = Symmetric::identity(4);
        rebuilt.scale(0.0);
        values.iter().zip(&vectors).for_each(|(&value, vector)| rebuilt.add_outer(vector, value));
        for (a, b) in matrix.cells.iter().zip(&rebuilt.cells) {
            assert!((a - b).abs() < 1e-12);
        }
    }
}
