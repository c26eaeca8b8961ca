//! All combinations of L out of d columns.

/// Number of combinations of `size` out of `total`; at most `u64::MAX`.
pub(super) fn number(total: usize, size: usize) -> u64 {
    (0..size.min(total - size)).fold(1u64, |number, i| {
        // The product of i + 1 successive numbers is divisible by (i + 1)!.
        let product = u128::from(number) * (total - i) as u128 / (i as u128 + 1);
        u64::try_from(product).unwrap_or(u64::MAX)
    })
}

/// The combinations of `size` of the columns, those with the most possible label combinations first: the more groups the smaller, so
/// these are the likeliest to fail.
pub(super) fn combinations(columns: &[usize], size: usize, domains: &[u64]) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    extend(&mut Vec::with_capacity(size), columns, size, &mut all);
    let bits = |combination: &Vec<usize>| combination.iter().map(|&j| (domains[j] as f64).log2()).sum::<f64>();
    all.sort_by(|left, right| bits(right).total_cmp(&bits(left)));
    all
}

fn extend(chosen: &mut Vec<usize>, columns: &[usize], size: usize, all: &mut Vec<Vec<usize>>) {
    if chosen.len() == size {
        all.push(chosen.clone());
        return;
    }
    for (position, &column) in columns.iter().enumerate() {
        chosen.push(column);
        extend(chosen, &columns[position + 1..], size, all);
        chosen.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::{combinations, number};

    #[test]
    fn there_are_as_many_as_counted_all_different() {
        for total in 0..9 {
            for size in 0..=total {
                let columns: Vec<usize> = (0..total).collect();
                let mut all = combinations(&columns, size, &[3, 1, 4, 1, 5, 9, 2, 6, 5]);
                assert_eq!(all.len() as u64, number(total, size));
                all.sort();
                all.dedup();
                assert_eq!(all.len() as u64, number(total, size));
            }
        }
        assert_eq!(number(200, 100), u64::MAX);
    }
}
