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

/// The attack of RUSTSEC-2024-0398. Were no coefficient 0, share - secret would never be 0 with p = 2, and a value of a secret byte that
/// was ever seen as a share byte would be excluded; 3,000 sharings would leave one value. With uniform coefficients every value is seen,
/// the secret's own included: a byte value is missed by 3,000 sharings with probability (255/256)^3000, less than one in 100,000, so 8,192
/// pairs of byte and value miss 0.065 on average, and more than 5 about once in ten billion runs.
#[test]
fn three_thousand_sharings_seen_by_one_holder_exclude_no_byte_value() {
    let secret = PolicySecret::generate();
    let mut seen = vec![[false; 256]; 32];
    for _ in 0..3000 {
        let shares = split(&secret, 2, &numbers(2)).unwrap();
        for (seen, byte) in seen.iter_mut().zip(shares[0].value()) {
            seen[usize::from(*byte)] = true;
        }
    }
    let missing = seen.iter().flatten().filter(|seen| !**seen).count();
    assert!(missing <= 5, "{missing} of 8192 values were never seen");
    let own_missing = seen.iter().zip(secret.bytes()).filter(|(seen, byte)| !seen[usize::from(**byte)]).count();
    assert!(own_missing <= 1, "the secret's own value was never seen at {own_missing} of 32 bytes");
}
