use super::*;

fn numbers(count: u8) -> Vec<NonZeroU8> {
    (1..=count).filter_map(NonZeroU8::new).collect()
}

/// All subsets of `size` of the first `count` numbers, as bit masks.
fn subsets(count: u8, size: u32) -> impl Iterator<Item = u32> {
    (0..1_u32 << count).filter(move |mask| mask.count_ones() == size)
}

fn chosen(shares: &[Share], mask: u32) -> Vec<Share> {
    let bit = |index: usize| mask >> index & 1 == 1;
    (0..shares.len()).filter(|index| bit(*index)).map(|index| shares[index].clone()).collect()
}

#[test]
fn any_p_of_n_open_and_no_fewer_for_all_n_up_to_12() {
    for holders in 1..=12 {
        for threshold in 1..=holders {
            let secret = PolicySecret::generate();
            let shares = split(&secret, usize::from(threshold), &numbers(holders)).unwrap();
            for mask in subsets(holders, u32::from(threshold)) {
                let recovered = recover(usize::from(threshold), &chosen(&shares, mask)).unwrap();
                assert_eq!(recovered.bytes(), secret.bytes());
            }
            for mask in subsets(holders, u32::from(threshold) - 1) {
                let few = chosen(&shares, mask);
                assert!(recover(usize::from(threshold), &few).is_none());
                // Claiming that fewer are needed gives another secret.
                if let Some(claimed) = recover(few.len(), &few) {
                    assert_ne!(claimed.bytes(), secret.bytes());
                }
            }
        }
    }
}

#[test]
fn two_hundred_and_fifty_five_holders_share() {
    for threshold in [1, 2, 128, 255] {
        let secret = PolicySecret::generate();
        let shares = split(&secret, threshold, &numbers(255)).unwrap();
        assert_eq!(shares.len(), 255);
        let last = &shares[255 - threshold..];
        assert_eq!(recover(threshold, last).unwrap().bytes(), secret.bytes());
        assert!(recover(threshold, &last[1..]).is_none());
    }
}

#[test]
fn numbers_are_free_and_in_any_order() {
    let secret = PolicySecret::generate();
    let numbers = [200, 7, 255].map(|number| NonZeroU8::new(number).unwrap());
    let shares = split(&secret, 2, &numbers).unwrap();
    assert_eq!(shares.iter().map(Share::number).collect::<Vec<_>>(), numbers);
    let pair = [shares[2].clone(), shares[0].clone()];
    assert_eq!(recover(2, &pair).unwrap().bytes(), secret.bytes());
}

#[test]
fn impossible_sharings_are_refused() {
    let secret = PolicySecret::generate();
    let error = |threshold, numbers: &[NonZeroU8]| match split(&secret, threshold, numbers) {
        Ok(_) => panic!("{threshold} of {} is not refused", numbers.len()),
        Err(error) => error,
    };
    assert!(matches!(error(0, &numbers(3)), KeyError::ThresholdZero));
    assert!(matches!(error(4, &numbers(3)), KeyError::ThresholdAboveHolders { threshold: 4, holders: 3 }));
    assert!(matches!(error(1000, &numbers(3)), KeyError::ThresholdAboveHolders { .. }));
    assert!(matches!(error(1, &[]), KeyError::NoHolders));
    let many = [numbers(255), numbers(1)].concat();
    assert!(matches!(error(2, &many), KeyError::TooManyHolders(256)));
    let twice = [numbers(2), numbers(1)].concat();
    assert!(matches!(error(2, &twice), KeyError::Position(1)));
}

#[test]
fn doubled_shares_recover_nothing() {
    let secret = PolicySecret::generate();
    let shares = split(&secret, 2, &numbers(3)).unwrap();
    let doubled = [shares[0].clone(), shares[0].clone()];
    assert!(recover(2, &doubled).is_none());
    assert!(recover(0, &shares).is_none());
}

#[test]
fn a_wrong_share_gives_another_public_key() {
    let secret = PolicySecret::generate();
    let shares = split(&secret, 2, &numbers(2)).unwrap();
    let mut value = Zeroizing::new(*shares[0].value());
    value[31] ^= 8;
    let wrong = [Share::new(shares[0].number(), value), shares[1].clone()];
    assert_ne!(recover(2, &wrong).unwrap().public(), secret.public());
}

/// What one holder learns who sees the own share of one secret again and again: which values each byte of it ever had.
struct Sightings(Vec<[bool; 256]>);

impl Sightings {
    /// Of 3,000 sharings.
    fn of(mut share: impl FnMut() -> [u8; 32]) -> Self {
        let mut seen = vec![[false; 256]; 32];
        for _ in 0..3000 {
            for (seen, byte) in seen.iter_mut().zip(share()) {
                seen[usize::from(byte)] = true;
            }
        }
        Self(seen)
    }

    /// The values that no share had at a byte: those that the secret can have there, if no coefficient is ever 0.
    fn never_seen(&self, byte: usize) -> Vec<u8> {
        (0..=255).filter(|value| !self.0[byte][usize::from(*value)]).collect()
    }

    /// Whether every value was seen at every byte, the secret's own included, but for what chance leaves out. A value is missed by 3,000
    /// sharings with probability (255/256)^3000, less than one in 100,000, so 8,192 pairs of byte and value miss 0.065 on average, and
    /// more than 5 about once in ten billion runs.
    fn exclude_nothing(&self, secret: &[u8; 32]) -> bool {
        let missing: usize = (0..32).map(|byte| self.never_seen(byte).len()).sum();
        let own_missing = self.0.iter().zip(secret).filter(|(seen, byte)| !seen[usize::from(**byte)]).count();
        missing <= 5 && own_missing <= 1
    }
}

/// The attack of RUSTSEC-2024-0398 finds nothing here: with uniform coefficients every value is seen.
#[test]
fn three_thousand_sharings_seen_by_one_holder_exclude_no_byte_value() {
    let secret = PolicySecret::generate();
    let sightings = Sightings::of(|| *split(&secret, 2, &numbers(2)).unwrap()[0].value());
    assert!(sightings.exclude_nothing(secret.bytes()));
}

/// The flaw itself: coefficients that are never 0, as `sharks` 0.5 draws them. With p = 2 the first share is secret + coefficient, so the
/// secret's own value is the one that is never seen, and the test above would fail.
#[test]
fn coefficients_that_are_never_0_would_give_the_secret_to_one_holder() {
    use rand::RngExt as _;
    let secret = PolicySecret::generate();
    let mut random = rand::rng();
    let sightings = Sightings::of(|| secret.bytes().map(|byte| byte ^ random.random_range(1..=255_u8)));
    assert!(!sightings.exclude_nothing(secret.bytes()));
    let candidates: Vec<Vec<u8>> = (0..32).map(|byte| sightings.never_seen(byte)).collect();
    assert!(candidates.iter().zip(secret.bytes()).all(|(candidates, byte)| candidates.contains(byte)));
    let guesses: usize = candidates.iter().map(Vec::len).product();
    assert!(guesses <= 64, "the holder still has {guesses} secrets to try");
}
