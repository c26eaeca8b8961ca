//! A second way to the optimum: multisets of cell sizes from the most anonymous on, until one fits frequencies and
//! slots.

use tamis_appointments::AnonymityVector;

/// The least vector whose cells can be put together to the frequencies and into the capacities.
pub(crate) fn first_that_fits(frequencies: &[u64], capacities: &[u64]) -> AnonymityVector {
    let people: u64 = frequencies.iter().sum();
    let mut multisets = Vec::new();
    every_multiset(people, people, &mut Vec::new(), &mut multisets);
    multisets.sort_by_cached_key(|sizes: &Vec<u64>| AnonymityVector::of_sizes(sizes.iter().copied()));
    let fits = |sizes: &&Vec<u64>| packs(sizes, &mut frequencies.to_vec()) && packs(sizes, &mut capacities.to_vec());
    let first = multisets.iter().find(fits).expect("people one by one fit everywhere");
    AnonymityVector::of_sizes(first.iter().copied())
}

/// All multisets of sizes that sum to so many people, sizes in descending order.
fn every_multiset(people: u64, largest: u64, sizes: &mut Vec<u64>, found: &mut Vec<Vec<u64>>) {
    if people == 0 {
        found.push(sizes.clone());
    }
    for size in 1..=largest.min(people) {
        sizes.push(size);
        every_multiset(people - size, size, sizes, found);
        sizes.pop();
    }
}

/// Whether sizes (descending) go into rooms. Rooms that sum to as much as the sizes are full then.
fn packs(sizes: &[u64], rooms: &mut [u64]) -> bool {
    let Some((&size, rest)) = sizes.split_first() else { return true };
    (0..rooms.len()).any(|room| {
        let is_new = !rooms[..room].contains(&rooms[room]);
        let goes_in = is_new && rooms[room] >= size;
        if !goes_in {
            return false;
        }
        rooms[room] -= size;
        let is_packed = packs(rest, rooms);
        rooms[room] += size;
        is_packed
    })
}
