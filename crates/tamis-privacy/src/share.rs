//! Shares that may not be exceeded.

/// Whether `part` of `whole` is more than the share. Dividing rounds 3/10 to the same double as the literal 0.3, so a share exactly on
/// the bound holds.
pub(crate) fn exceeds(part: u64, whole: u64, share: f64) -> bool {
    part as f64 / whole as f64 > share
}

/// Most rows that can be left of some when none of the values may have more than a share of what is left; `counts` are those of the
/// values, `free` rows have other values that may be as frequent as they like. Exact: every larger remainder breaks the bound.
///
/// With m rows left, value v has at most min(count, share times m) of them, so m is possible iff these and the free rows add up to m.
/// If a number of rows adds up to less, so does every number between it and what it adds up to, because the sum grows with m. So with
/// counts 5, 1, 1 and a share of one half there are 2 + 1 + 1 = 4 rows.
pub(crate) fn most_within(counts: &[u32], free: u64, share: f64) -> u64 {
    let mut left = free + counts.iter().map(|&count| u64::from(count)).sum::<u64>();
    loop {
        let cap = most_allowed(left, share);
        let possible = free + counts.iter().map(|&count| u64::from(count).min(cap)).sum::<u64>();
        if possible >= left {
            return left;
        }
        left = possible;
    }
}

/// The largest part of `whole` that does not exceed the share.
fn most_allowed(whole: u64, share: f64) -> u64 {
    if whole == 0 {
        return 0;
    }
    let mut part = (share * whole as f64).floor() as u64 + 1;
    while part > 0 && exceeds(part, whole, share) {
        part -= 1;
    }
    part
}

#[cfg(test)]
mod tests {
    use super::{exceeds, most_within};

    /// All remainders of a histogram, by trying; the last count is free.
    fn most_by_trying(counts: &[u32], share: f64) -> u64 {
        let remainders = counts.iter().fold(vec![Vec::new()], |parts: Vec<Vec<u32>>, &most| {
            parts.iter().flat_map(|part| (0..=most).map(move |count| [part.as_slice(), &[count]].concat())).collect()
        });
        let size = |part: &[u32]| part.iter().map(|&count| u64::from(count)).sum::<u64>();
        let holds = |part: &&Vec<u32>| {
            part[..part.len() - 1].iter().all(|&count| !exceeds(u64::from(count), size(part).max(1), share))
        };
        remainders.iter().filter(holds).map(|part| size(part)).max().unwrap_or(0)
    }

    #[test]
    fn nothing_larger_than_the_bound_is_possible_and_the_bound_is() {
        for share in [0.0, 0.1, 0.25, 0.3, 1.0 / 3.0, 0.5, 0.6, 0.9, 1.0] {
            for code in 0..256u32 {
                let counts = [code % 4, code / 4 % 4, code / 16 % 4, code / 64 * 2];
                let (watched, free) = (&counts[..3], u64::from(counts[3]));
                assert_eq!(most_within(watched, free, share), most_by_trying(&counts, share), "{counts:?} {share}");
                let all = [counts.as_slice(), &[0]].concat();
                assert_eq!(most_within(&counts, 0, share), most_by_trying(&all, share), "{counts:?} {share}");
            }
        }
    }

    #[test]
    fn a_share_on_the_bound_holds() {
        assert!(!exceeds(3, 10, 0.3) && exceeds(4, 10, 0.3));
    }
}
