//! Parts of one side of a schedule, of the frequencies or of the capacities.

use super::assembly::Parts;
use super::model::Parting;
use super::network::Network;
use super::pool::Pool;
use tamis_solver::{Limit, MicroLp, Program, Relation, Solver};

/// Sums of one side with the network of ways to reach them.
///
/// Sums that must be one part each stay out of the network. If the number of parts of the smallest size is given and
/// there are as many sums of just that size, each of these is one of the parts, no other sum has any, and the same
/// holds for the next size. Real programmes have many rare values, and without their sizes the network is far smaller.
#[derive(Debug)]
pub(super) struct Side {
    network: Network,
    /// The sizes of parts in the network, ascending.
    sizes: Vec<u64>,
    /// Sums that are one part: (size, number).
    whole: Vec<(u64, u64)>,
    /// Sums that would make the network too large.
    pools: Vec<Pool>,
}

/// Pools apart have no more variables than this.
const MOST_APART: u64 = 20_000;

/// Where sums go that would make the network too large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pooling {
    /// Into one pool. What it allows may be more than can be dealt out to the sums.
    Together,
    /// Each into a pool of its own.
    Apart,
}

impl Side {
    /// The side with these sums, (sum, number) in ascending order, with as many of the small ones in the network as it can take with so
    /// many arcs; none if pools apart would have too many variables.
    pub(super) fn build(
        sums: &[(u64, u64)],
        partings: &[Parting],
        may_waste: bool,
        most_arcs: usize,
        pooling: Pooling,
    ) -> Option<Self> {
        let number = |size| sums.binary_search_by_key(&size, |&(sum, _)| sum).map_or(0, |at| sums[at].1);
        let is_whole =
            |parting: &&Parting| !may_waste && parting.least == parting.most && parting.most == number(parting.size);
        let whole: Vec<(u64, u64)> =
            partings.iter().take_while(is_whole).map(|parting| (parting.size, parting.most)).collect();
        let is_left = |sum: u64| whole.binary_search_by_key(&sum, |&(size, _)| size).is_err();
        let goals: Vec<(u64, u64)> = sums.iter().copied().filter(|&(sum, _)| is_left(sum)).collect();
        let sizes: Vec<u64> = partings[whole.len()..].iter().map(|parting| parting.size).collect();
        let (network, in_network) = largest_network(&goals, &sizes, may_waste, most_arcs)?;
        let rest = &goals[in_network..];
        let pools: Vec<Pool> = match pooling {
            Pooling::Together if rest.is_empty() => Vec::new(),
            Pooling::Together => vec![Pool::new(rest.to_vec(), may_waste)],
            Pooling::Apart => {
                let pools: u64 = rest.iter().map(|&(_, number)| number).sum();
                let is_small = pools.saturating_mul(sizes.len() as u64) <= MOST_APART;
                let single =
                    |&(sum, number): &(u64, u64)| (0..number).map(move |_| Pool::new(vec![(sum, 1)], may_waste));
                is_small.then(|| rest.iter().flat_map(single).collect())?
            }
        };
        Some(Self { network, sizes, whole, pools })
    }

    /// Whether parts that are counted may be more than can be dealt out.
    pub(super) fn is_pooled(&self) -> bool {
        !self.pools.is_empty()
    }

    /// How many variables the side has: the arcs of the network, and for each pool the sizes of its parts.
    pub(super) fn variables(&self) -> usize {
        self.network.arcs() + self.pools.iter().map(|pool| pool.variables(&self.sizes)).sum::<usize>()
    }

    /// Adds the side to a program and couples it to the variables of the numbers of parts, which are those of the
    /// sizes in this order; returns the first variable added.
    pub(super) fn add_to(&self, program: &mut Program, sizes: &[u64]) -> usize {
        let (first, terms_of_sizes) = self.add_alone(program);
        // The sizes of the side are the last ones.
        let variables = sizes.len() - self.sizes.len()..;
        for (variable, terms) in variables.zip(terms_of_sizes) {
            program.row(terms.into_iter().chain([(variable, -1.0)]), Relation::Exactly, 0.0);
        }
        first
    }

    /// Adds network and pools to a program; returns the first variable and for each size the terms that count its parts.
    fn add_alone(&self, program: &mut Program) -> (usize, Vec<Vec<(usize, f64)>>) {
        let first = self.network.add_to(program);
        let mut terms = self.network.terms_of_sizes(&self.sizes, first);
        for pool in &self.pools {
            let first = pool.add_to(program, &self.sizes);
            for (at, terms) in terms.iter_mut().take(pool.variables(&self.sizes)).enumerate() {
                terms.push((first + at, 1.0));
            }
        }
        (first, terms)
    }

    /// The parts of each sum with these values of the side's variables; none if they do not fit together.
    pub(super) fn parts(&self, values: &[i64]) -> Option<Parts> {
        let whole = self.whole.iter().flat_map(|&(size, number)| (0..number).map(move |_| (size, vec![size])));
        let (flows, mut values) = values.split_at_checked(self.network.arcs())?;
        let mut parts: Parts = self.network.paths(flows)?.into_iter().chain(whole).collect();
        for pool in &self.pools {
            let (numbers, others) = values.split_at_checked(pool.variables(&self.sizes))?;
            parts.extend(pool.parts(&self.sizes, numbers)?);
            values = others;
        }
        Some(parts)
    }

    /// The parts of each sum when there are exactly as many of each size as the partings allow at least; none if there
    /// are no such parts or none were found.
    pub(super) fn realise(&self, partings: &[Parting], limit: &Limit<'_>) -> Option<Parts> {
        if self.variables() == 0 {
            return self.parts(&[]);
        }
        let mut program = Program::default();
        let (_, terms_of_sizes) = self.add_alone(&mut program);
        let of_side = &partings[partings.len() - self.sizes.len()..];
        for (terms, parting) in terms_of_sizes.into_iter().zip(of_side) {
            program.row(terms, Relation::Exactly, parting.least as f64);
        }
        self.parts(&MicroLp.solve(&program, limit).integers()?)
    }
}

/// The network of as many of the goals, from the smallest on, as so many arcs allow, and how many these are.
fn largest_network(goals: &[(u64, u64)], sizes: &[u64], may_waste: bool, most_arcs: usize) -> Option<(Network, usize)> {
    let build = |number: usize| Network::build(&goals[..number], sizes, may_waste, most_arcs);
    if let Some(network) = build(goals.len()) {
        return Some((network, goals.len()));
    }
    let (mut fitting, mut too_many) = ((build(0)?, 0), goals.len());
    while fitting.1 + 1 < too_many {
        let middle = usize::midpoint(fitting.1, too_many);
        match build(middle) {
            Some(network) => fitting = (network, middle),
            None => too_many = middle,
        }
    }
    Some(fitting)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_values_stay_out_of_the_network() {
        let exactly = |size, cells| Parting { size, least: cells, most: cells };
        let partings = [exactly(1, 2), exactly(3, 1), exactly(4, 1), exactly(5, 2)];
        let side = Side::build(&[(1, 2), (3, 1), (5, 1), (9, 1)], &partings, false, 100, Pooling::Together).unwrap();
        assert_eq!((&side.whole, &side.sizes), (&vec![(1, 2), (3, 1)], &vec![4, 5]));
        let mut parts = side.realise(&partings, &Limit::none()).unwrap();
        parts.sort_unstable();
        assert_eq!(parts, [(1, vec![1]), (1, vec![1]), (3, vec![3]), (5, vec![5]), (9, vec![5, 4])]);
        let with_empty_places = Side::build(&[(1, 2), (3, 1)], &partings, true, 100, Pooling::Together).unwrap();
        assert_eq!(with_empty_places.whole, []);
    }
}
