//! Eigenvalues and eigenvectors of a symmetric matrix by Jacobi's rotations.

/// A sweep halves the digits that are wrong; ten are enough for doubles, thirty for any matrix.
const MOST_SWEEPS: usize = 30;

/// A symmetric matrix as the sum of its eigenvalues times the squares of its eigenvectors, which are orthonormal.
#[derive(Debug, Clone)]
pub(super) struct Eigen {
    pub(super) values: Vec<f64>,
    /// The vector of each value.
    pub(super) vectors: Vec<Vec<f64>>,
}

impl Eigen {
    /// O(d³) a sweep for d rows; each rotation makes one entry beside the diagonal zero (Jacobi 1846; Golub and Van Loan, section 8.5).
    pub(super) fn of(mut matrix: Vec<Vec<f64>>) -> Self {
        let d = matrix.len();
        let mut vectors: Vec<Vec<f64>> =
            (0..d).map(|i| (0..d).map(|j| if i == j { 1.0 } else { 0.0 }).collect()).collect();
        for _ in 0..MOST_SWEEPS {
            let mut is_diagonal = true;
            for p in 0..d {
                for q in p + 1..d {
                    // Entries that cannot change the diagonal any more count as zero.
                    let scale = matrix[p][p].abs().min(matrix[q][q].abs());
                    if matrix[p][q].abs() > f64::EPSILON * scale && matrix[p][q].abs() >= f64::MIN_POSITIVE {
                        is_diagonal = false;
                        rotate(&mut matrix, &mut vectors, p, q);
                    }
                }
            }
            if is_diagonal {
                break;
            }
        }
        Self { values: (0..d).map(|i| matrix[i][i]).collect(), vectors }
    }
}

/// Rotates in the plane of axes p < q such that the entry for both becomes zero.
fn rotate(matrix: &mut [Vec<f64>], vectors: &mut [Vec<f64>], p: usize, q: usize) {
    let slope = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[p][q]);
    // The smaller of the two angles, which keeps the rotation stable.
    let tangent = slope.signum() / (slope.abs() + slope.hypot(1.0));
    let cosine = 1.0 / tangent.hypot(1.0);
    let sine = tangent * cosine;
    let (shift, d) = (tangent * matrix[p][q], matrix.len());
    matrix[p][p] -= shift;
    matrix[q][q] += shift;
    matrix[p][q] = 0.0;
    matrix[q][p] = 0.0;
    for i in (0..d).filter(|&i| i != p && i != q) {
        let (ip, iq) = (matrix[i][p], matrix[i][q]);
        matrix[i][p] = cosine * ip - sine * iq;
        matrix[i][q] = sine * ip + cosine * iq;
        matrix[p][i] = matrix[i][p];
        matrix[q][i] = matrix[i][q];
    }
    let (first, rest) = vectors.split_at_mut(q);
    for (at_p, at_q) in first[p].iter_mut().zip(&mut rest[0]) {
        (*at_p, *at_q) = (cosine * *at_p - sine * *at_q, sine * *at_p + cosine * *at_q);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn dot(left: &[f64], right: &[f64]) -> f64 {
        left.iter().zip(right).map(|(x, y)| x * y).sum()
    }

    proptest! {
        #[test]
        fn the_parts_make_the_matrix_and_the_vectors_are_orthonormal(
            rows in (1usize..7).prop_flat_map(|d| prop::collection::vec(
                prop::collection::vec(prop_oneof![Just(0.0), -2.0..2.0f64, -1e6..1e6f64], d), d..d + 3)),
        ) {
            let d = rows[0].len();
            let entry = |i: usize, j: usize| rows.iter().map(|row| row[i] * row[j]).sum::<f64>();
            let matrix: Vec<Vec<f64>> = (0..d).map(|i| (0..d).map(|j| entry(i, j)).collect()).collect();
            let size = matrix.iter().flatten().fold(1.0, |most: f64, entry| most.max(entry.abs()));
            let eigen = Eigen::of(matrix.clone());
            for i in 0..d {
                for j in 0..d {
                    let made: f64 =
                        eigen.values.iter().zip(&eigen.vectors).map(|(value, vector)| value * vector[i] * vector[j]).sum();
                    prop_assert!((made - matrix[i][j]).abs() <= 1e-12 * size, "{made} is not {}", matrix[i][j]);
                    let expected = if i == j { 1.0 } else { 0.0 };
                    prop_assert!((dot(&eigen.vectors[i], &eigen.vectors[j]) - expected).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn known_eigenvalues_are_found() {
        // The matrix with 2 on the diagonal and 1 beside it has the eigenvalues 3 and 1.
        let mut values = Eigen::of(vec![vec![2.0, 1.0], vec![1.0, 2.0]]).values;
        values.sort_by(f64::total_cmp);
        assert!((values[0] - 1.0).abs() < 1e-15 && (values[1] - 3.0).abs() < 1e-15);
    }
}
