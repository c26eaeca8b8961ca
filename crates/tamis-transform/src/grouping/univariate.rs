//! The best groups of at least k numbers: the sum of squared distances from the group means is the least possible.
//!
//! In the order of numbers the best groups are runs of k to 2k - 1 numbers, so they are a shortest path from before the first number
//! to after the last one, whose steps are runs and whose length is the sum of squares within them (Hansen and Mukherjee 2003).
//!
//! O(n log n + n k) for n numbers. The sum of squares of a run grows number by number (Welford 1962), so it never cancels.

use super::Groups;

/// Groups of k to 2k - 1 numbers; one group if there are fewer than 2k. `k` must not be 0. Groups are numbered in the order of numbers.
///
/// ```
/// use tamis_transform::grouping::optimal_univariate;
/// let groups = optimal_univariate(&[8.0, 1.0, 2.0, 9.0, 3.0], 2);
/// assert_eq!(groups.of_row, [1, 0, 0, 1, 0]);
/// ```
pub fn optimal_univariate(numbers: &[f64], k: usize) -> Groups {
    let n = numbers.len();
    let mut order: Vec<u32> = (0..n as u32).collect();
    order.sort_by(|&left, &right| numbers[left as usize].total_cmp(&numbers[right as usize]));
    let sorted: Vec<f64> = order.iter().map(|&row| numbers[row as usize]).collect();
    let mut groups = Groups { of_row: vec![0; n], count: 0 };
    let mut starts = Vec::new();
    let last_start = last_starts(&sorted, k);
    let mut end = n;
    while end > 0 {
        end = last_start[end];
        starts.push(end);
    }
    starts.push(n);
    starts.sort_unstable();
    for run in starts.windows(2) {
        for &row in &order[run[0]..run[1]] {
            groups.of_row[row as usize] = groups.count as u32;
        }
        groups.count += 1;
    }
    groups
}

/// Where the last run starts in the best grouping of the first `end` numbers, for every `end`; 0 where there is no other choice.
fn last_starts(sorted: &[f64], k: usize) -> Vec<usize> {
    let n = sorted.len();
    let mut last_start = vec![0; n + 1];
    let mut least = vec![f64::INFINITY; n + 1];
    least[0] = 0.0;
    for end in 1..=n {
        let (mut mean, mut squares) = (0.0, 0.0);
        for start in (end.saturating_sub(2 * k - 1)..end).rev() {
            let size = end - start;
            let deviation = sorted[start] - mean;
            mean += deviation / size as f64;
            squares += deviation * (sorted[start] - mean);
            if size >= k && least[start] + squares < least[end] {
                least[end] = least[start] + squares;
                last_start[end] = start;
            }
        }
    }
    last_start
}
