//! Parts of one side of a schedule, of the frequencies or of the capacities.

use super::assembly::Parts;
use super::model::Parting;
use super::network::Network;
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
}

impl Side {
    /// The side with these sums, (sum, number) in ascending order; none if the network would have more than so many
    /// arcs.
    pub(super) fn build(sums: &[(u64, u64)], partings: &[Parting], may_waste: bool, most_arcs: usize) -> Option<Self> {
        let number = |size| sums.binary_search_by_key(&size, |&(sum, _)| sum).map_or(0, |at| sums[at].1);
        let is_whole =
            |parting: &&Parting| !may_waste && parting.least == parting.most && parting.most == number(parting.size);
        let whole: Vec<(u64, u64)> =
            partings.iter().take_while(is_whole).map(|parting| (parting.size, parting.most)).collect();
        let is_left = |sum: u64| whole.binary_search_by_key(&sum, |&(size, _)| size).is_err();
        let goals: Vec<(u64, u64)> = sums.iter().copied().filter(|&(sum, _)| is_left(sum)).collect();
        let sizes: Vec<u64> = partings[whole.len()..].iter().map(|parting| parting.size).collect();
        Some(Self { network: Network::build(&goals, &sizes, may_waste, most_arcs)?, sizes, whole })
    }

    /// How many arcs the network has.
    pub(super) fn arcs(&self) -> usize {
        self.network.arcs()
    }

    /// Adds the network to a program and couples it to the variables of the numbers of parts, which are those of the
    /// sizes in this order; returns the first variable added.
    pub(super) fn add_to(&self, program: &mut Program, sizes: &[u64]) -> usize {
        let first = self.network.add_to(program);
        // The sizes of the network are the last ones.
        let variables = sizes.len() - self.sizes.len()..;
        for (variable, terms) in variables.zip(self.network.terms_of_sizes(&self.sizes, first)) {
            program.row(terms.into_iter().chain([(variable, -1.0)]), Relation::Exactly, 0.0);
        }
        first
    }

    /// The parts of each sum with these flows through the network; none if the flows do not fit together.
    pub(super) fn parts(&self, flows: &[i64]) -> Option<Parts> {
        let whole = self.whole.iter().flat_map(|&(size, number)| (0..number).map(move |_| (size, vec![size])));
        Some(self.network.paths(flows)?.into_iter().chain(whole).collect())
    }

    /// The parts of each sum when there are exactly as many of each size as the partings allow at least; none if there
    /// are no such parts or none were found.
    pub(super) fn realise(&self, partings: &[Parting], limit: &Limit<'_>) -> Option<Parts> {
        if self.arcs() == 0 {
            return self.parts(&[]);
        }
        let mut program = Program::default();
        let first = self.network.add_to(&mut program);
        let in_network = &partings[partings.len() - self.sizes.len()..];
        for (terms, parting) in self.network.terms_of_sizes(&self.sizes, first).into_iter().zip(in_network) {
            program.row(terms, Relation::Exactly, parting.least as f64);
        }
        self.parts(&MicroLp.solve(&program, limit).integers()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_values_stay_out_of_the_network() {
        let exactly = |size, cells| Parting { size, least: cells, most: cells };
        let partings = [exactly(1, 2), exactly(3, 1), exactly(4, 1), exactly(5, 2)];
        let side = Side::build(&[(1, 2), (3, 1), (5, 1), (9, 1)], &partings, false, 100).unwrap();
        assert_eq!((&side.whole, &side.sizes), (&vec![(1, 2), (3, 1)], &vec![4, 5]));
        let mut parts = side.realise(&partings, &Limit::none()).unwrap();
        parts.sort_unstable();
        assert_eq!(parts, [(1, vec![1]), (1, vec![1]), (3, vec![3]), (5, vec![5]), (9, vec![5, 4])]);
        let with_empty_places = Side::build(&[(1, 2), (3, 1)], &partings, true, 100).unwrap();
        assert_eq!(with_empty_places.whole, []);
    }
}
