//! Solves linear equations with a symmetric positive definite matrix by its Cholesky factor.

/// Smallest pivot: rounding can make that of an almost singular matrix zero or negative.
const MIN_PIVOT: f64 = 1e-12;

/// The lower triangular factor `L` of a matrix `L Lᵀ`, by rows.
pub(super) struct Cholesky(Vec<Vec<f64>>);

impl Cholesky {
    /// Factors a symmetric positive definite matrix, of which only the lower triangle is read.
    pub(super) fn new(mut matrix: Vec<Vec<f64>>) -> Self {
        for row in 0..matrix.len() {
            let (above, below) = matrix.split_at_mut(row);
            let current = &mut below[0];
            for (column, other) in above.iter().enumerate() {
                current[column] = (current[column] - dot(&current[..column], other)) / other[column];
            }
            let pivot = current[row] - dot(&current[..row], current);
            current[row] = pivot.max(MIN_PIVOT).sqrt();
        }
        Self(matrix)
    }

    /// Solves `L Lᵀ x = right`.
    pub(super) fn solve(&self, mut right: Vec<f64>) -> Vec<f64> {
        for (row, factors) in self.0.iter().enumerate() {
            right[row] = (right[row] - dot(&factors[..row], &right)) / factors[row];
        }
        for (row, factors) in self.0.iter().enumerate().rev() {
            let solved = right[row] / factors[row];
            right[row] = solved;
            for (value, factor) in right[..row].iter_mut().zip(factors) {
                *value -= factor * solved;
            }
        }
        right
    }

    /// The inverse of the matrix.
    pub(super) fn inverse(&self) -> Vec<Vec<f64>> {
        let size = self.0.len();
        (0..size).map(|row| self.solve((0..size).map(|column| f64::from(u8::from(row == column))).collect())).collect()
    }
}

/// The sum of products over the shorter length.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverse_times_the_matrix_is_the_identity() {
        let matrix = vec![vec![4.0, 2.0, -1.0], vec![2.0, 5.0, 0.5], vec![-1.0, 0.5, 3.0]];
        let inverse = Cholesky::new(matrix.clone()).inverse();
        for (row, values) in matrix.iter().enumerate() {
            for column in 0..3 {
                let product: f64 = (0..3).map(|inner| values[inner] * inverse[inner][column]).sum();
                assert!((product - f64::from(u8::from(row == column))).abs() < 1e-12, "{inverse:?}");
            }
        }
    }
}
