//! Elimination and the simplex method in exact fractions.

use super::ratio::Ratio;

/// A basis of all x with `matrix` x = 0: one row a variable, one column a direction.
pub fn null_space(mut matrix: Vec<Vec<Ratio>>, variables: usize) -> Vec<Vec<Ratio>> {
    let mut pivot_row_of = vec![None; variables];
    let mut done = 0;
    for variable in 0..variables {
        let Some(row) = (done..matrix.len()).find(|row| matrix[*row][variable].signum() != 0) else { continue };
        matrix.swap(done, row);
        let pivot = matrix[done][variable];
        matrix[done].iter_mut().for_each(|number| *number = *number / pivot);
        let own = matrix[done].clone();
        for (_, other) in matrix.iter_mut().enumerate().filter(|(row, _)| *row != done) {
            let factor = other[variable];
            if factor.signum() != 0 {
                other.iter_mut().zip(&own).for_each(|(number, own)| *number = *number - factor * *own);
            }
        }
        pivot_row_of[variable] = Some(done);
        done += 1;
    }
    let free: Vec<usize> = (0..variables).filter(|variable| pivot_row_of[*variable].is_none()).collect();
    let entry = |variable: usize, direction: usize| match pivot_row_of[variable] {
        Some(row) => -matrix[row][direction],
        None if variable == direction => Ratio::ONE,
        None => Ratio::ZERO,
    };
    (0..variables).map(|variable| free.iter().map(|direction| entry(variable, *direction)).collect()).collect()
}

/// Maximise an objective over free variables with sums that have upper bounds, zero being feasible.
///
/// Each free variable is the difference of two that are not negative. Basic variables (one a row) equal `constant` less the
/// sum of `factors` times the nonbasic ones.
pub struct Dictionary {
    factors: Vec<Vec<Ratio>>,
    constants: Vec<Ratio>,
    objective: Vec<Ratio>,
    value: Ratio,
    /// Names of variables, for Bland's rule.
    basic: Vec<usize>,
    nonbasic: Vec<usize>,
}

impl Dictionary {
    pub fn new(rows: &[(Vec<Ratio>, Ratio)], objective: &[Ratio]) -> Self {
        let both = |row: &[Ratio]| row.iter().flat_map(|number| [*number, -*number]).collect::<Vec<_>>();
        let columns = 2 * objective.len();
        assert!(rows.iter().all(|(_, constant)| *constant >= Ratio::ZERO), "no deviation is within the bounds");
        Self {
            factors: rows.iter().map(|(row, _)| both(row)).collect(),
            constants: rows.iter().map(|(_, constant)| *constant).collect(),
            objective: both(objective),
            value: Ratio::ZERO,
            basic: (columns..columns + rows.len()).collect(),
            nonbasic: (0..columns).collect(),
        }
    }

    /// The greatest value; `None` if there is none.
    pub fn maximum(mut self) -> Option<Ratio> {
        loop {
            let gains = (0..self.nonbasic.len()).filter(|column| self.objective[*column].signum() > 0);
            let Some(column) = gains.min_by_key(|column| self.nonbasic[*column]) else { return Some(self.value) };
            let limits = (0..self.basic.len()).filter(|row| self.factors[*row][column].signum() > 0);
            let limit = |row: usize| self.constants[row] / self.factors[row][column];
            let row = limits.min_by(|a, b| limit(*a).cmp(&limit(*b)).then(self.basic[*a].cmp(&self.basic[*b])))?;
            self.pivot(row, column);
        }
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let pivot = self.factors[row][column];
        self.factors[row][column] = Ratio::ONE;
        self.factors[row].iter_mut().for_each(|number| *number = *number / pivot);
        self.constants[row] = self.constants[row] / pivot;
        let (own, constant) = (self.factors[row].clone(), self.constants[row]);
        let eliminate = |numbers: &mut [Ratio]| {
            let factor = std::mem::replace(&mut numbers[column], Ratio::ZERO);
            if factor.signum() != 0 {
                for (number, own) in numbers.iter_mut().zip(&own).filter(|(_, own)| own.signum() != 0) {
                    *number = *number - factor * *own;
                }
            }
            factor
        };
        for other in (0..self.basic.len()).filter(|other| *other != row) {
            let factor = eliminate(&mut self.factors[other]);
            self.constants[other] = self.constants[other] - factor * constant;
        }
        let factor = eliminate(&mut self.objective);
        self.value = self.value + factor * constant;
        std::mem::swap(&mut self.basic[row], &mut self.nonbasic[column]);
    }
}
