//! The little linear algebra that fitting ratings needs: square matrices, inverted once.

/// A square matrix, row by row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub(crate) fn zero(size: usize) -> Self {
        Self { size, cells: vec![0.0; size * size] }
    }

    pub(crate) fn get(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub(crate) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    /// `self * vector`.
    pub(crate) fn times_vector(&self, vector: &[f64]) -> Vec<f64> {
        let dot = |row: &[f64]| row.iter().zip(vector).map(|(a, b)| a * b).sum();
        self.cells.chunks(self.size).map(dot).collect()
    }

    /// `self * other`.
    pub(crate) fn times(&self, other: &Self) -> Self {
        let mut product = Self::zero(self.size);
        for row in 0..self.size {
            for k in 0..self.size {
                let factor = self.get(row, k);
                for column in 0..self.size {
                    product.add(row, column, factor * other.get(k, column));
                }
            }
        }
        product
    }

    /// The inverse by Gauss and Jordan with row pivots; `None` when there is none.
    pub(crate) fn inverse(&self) -> Option<Self> {
        let n = self.size;
        let (mut left, mut right) = (self.clone(), Self::zero(n));
        (0..n).for_each(|i| right.add(i, i, 1.0));
        for column in 0..n {
            let size = |row: &usize| left.get(*row, column).abs();
            let pivot = (column..n).max_by(|a, b| size(a).total_cmp(&size(b)))?;
            let divisor = left.get(pivot, column);
            if !divisor.is_finite() || divisor.abs() < 1e-300 {
                return None;
            }
            left.swap_rows(column, pivot);
            right.swap_rows(column, pivot);
            for row in (0..n).filter(|row| *row != column) {
                let factor = left.get(row, column) / divisor;
                left.subtract_row(row, column, factor);
                right.subtract_row(row, column, factor);
            }
            left.scale_row(column, 1.0 / divisor);
            right.scale_row(column, 1.0 / divisor);
        }
        Some(right)
    }

    fn swap_rows(&mut self, a: usize, b: usize) {
        for column in 0..self.size {
            self.cells.swap(a * self.size + column, b * self.size + column);
        }
    }

    fn subtract_row(&mut self, from: usize, row: usize, factor: f64) {
        if factor != 0.0 {
            for column in 0..self.size {
                let value = self.get(row, column);
                self.add(from, column, -factor * value);
            }
        }
    }

    fn scale_row(&mut self, row: usize, factor: f64) {
        self.cells[row * self.size..(row + 1) * self.size].iter_mut().for_each(|c| *c *= factor);
    }
}
