//! All ways to put parts together to given sums, as paths through one network.

use tamis_solver::{Program, Relation};

/// Nodes are sums, an arc adds a part (or leaves places empty), and a path from 0 to a goal is a way to reach that sum.
/// Equal goals share their paths: what matters is how many paths go along each arc, not whose they are. So the network
/// grows with the largest goal and the number of part sizes, not with the number of people.
#[derive(Debug)]
pub(super) struct Network {
    arcs: Vec<Arc>,
    /// (sum, how many paths must end there), ascending
    goals: Vec<(usize, u64)>,
}

/// A step of a path.
#[derive(Debug, Clone, Copy)]
struct Arc {
    from: usize,
    to: usize,
    /// The size of the part, 0 for places that stay empty.
    size: u64,
    /// More paths than this cannot pass: those that end at or after the arc.
    most: u64,
}

impl Network {
    /// The network of all paths to the goals, (sum, number) in ascending order, with parts of these sizes in descending
    /// order along a path. None if it would have more than so many arcs.
    ///
    /// Order along a path loses nothing and leaves fewer paths. It is kept by two numbers for each node: the largest
    /// part that can lead there, and the least first part that leads on to a goal. Takes time and space in the largest
    /// goal times the sizes.
    pub(super) fn build(goals: &[(u64, u64)], sizes: &[u64], may_waste: bool, most_arcs: usize) -> Option<Self> {
        let end = goals.last().map_or(0, |&(sum, _)| sum);
        let end = usize::try_from(end).ok().filter(|&end| end < most_arcs)?;
        let goals: Vec<(usize, u64)> = goals.iter().map(|&(sum, number)| (sum as usize, number)).collect();
        let least_first = least_first_parts(end, &goals, sizes, may_waste);
        let paths_from = paths_from(end, &goals);
        let mut largest_last = vec![0; end + 1];
        largest_last[0] = sizes.last().copied().unwrap_or(0);
        let mut arcs = Vec::new();
        for from in 0..end {
            let largest = largest_last[from];
            for &size in sizes.iter().take_while(|&&size| size <= largest) {
                let to = from.saturating_add(size as usize);
                if to <= end && least_first[to] <= size {
                    largest_last[to] = largest_last[to].max(size);
                    arcs.push(Arc { from, to, size, most: paths_from[to] });
                }
            }
            let is_reached = largest > 0 || goals.binary_search_by_key(&from, |&(sum, _)| sum).is_ok();
            if may_waste && is_reached {
                let next = goals.partition_point(|&(sum, _)| sum <= from);
                arcs.extend(goals.get(next).map(|&(to, _)| Arc { from, to, size: 0, most: paths_from[to] }));
            }
            if arcs.len() > most_arcs {
                return None;
            }
        }
        Some(Self { arcs, goals })
    }

    /// How many arcs there are.
    pub(super) fn arcs(&self) -> usize {
        self.arcs.len()
    }

    /// Adds a variable for each arc and a row for each node to a program; returns the first of the variables.
    pub(super) fn add_to(&self, program: &mut Program) -> usize {
        let first = program.variables.len();
        for arc in &self.arcs {
            program.integer(0, i32::try_from(arc.most).unwrap_or(i32::MAX), 0.0);
        }
        let end = self.goals.last().map_or(0, |&(sum, _)| sum);
        let mut terms: Vec<Vec<(usize, f64)>> = vec![Vec::new(); end + 1];
        for (number, arc) in self.arcs.iter().enumerate() {
            terms[arc.from].push((first + number, -1.0));
            terms[arc.to].push((first + number, 1.0));
        }
        // The row of node 0 follows from the others.
        for (node, terms) in terms.into_iter().enumerate().skip(1) {
            let ending = self.goals.binary_search_by_key(&node, |&(sum, _)| sum).map_or(0, |at| self.goals[at].1);
            if ending > 0 || !terms.is_empty() {
                program.row(terms, Relation::Exactly, ending as f64);
            }
        }
        first
    }

    /// For each of these part sizes (ascending) the arcs that add such a part, as terms of a row that counts them, if
    /// the variable of the first arc is this one.
    pub(super) fn terms_of_sizes(&self, sizes: &[u64], first: usize) -> Vec<Vec<(usize, f64)>> {
        let mut terms = vec![Vec::new(); sizes.len()];
        for (number, arc) in self.arcs.iter().enumerate() {
            if let Ok(at) = sizes.binary_search(&arc.size) {
                terms[at].push((first + number, 1.0));
            }
        }
        terms
    }

    /// The paths that make up these flows, as (goal, parts); none if the flows do not fit together.
    pub(super) fn paths(&self, flows: &[i64]) -> Option<Vec<(u64, Vec<u64>)>> {
        let end = self.goals.last().map_or(0, |&(sum, _)| sum);
        let mut leaving: Vec<Vec<(usize, u64)>> = vec![Vec::new(); end + 1];
        for (number, (arc, &flow)) in self.arcs.iter().zip(flows).enumerate() {
            let flow = u64::try_from(flow).ok()?;
            if flow > 0 {
                leaving[arc.from].push((number, flow));
            }
        }
        let mut ending = vec![0; end + 1];
        for &(sum, number) in &self.goals {
            ending[sum] = number;
        }
        let number: u64 = self.goals.iter().map(|&(_, number)| number).sum();
        let mut paths = Vec::with_capacity(number as usize);
        for _ in 0..number {
            let (mut node, mut parts) = (0, Vec::new());
            while let Some((arc, flow)) = leaving[node].last_mut() {
                let Arc { to, size, .. } = self.arcs[*arc];
                parts.extend((size > 0).then_some(size));
                *flow -= 1;
                if *flow == 0 {
                    leaving[node].pop();
                }
                node = to;
            }
            ending[node] = u64::checked_sub(ending[node], 1)?;
            paths.push((node as u64, parts));
        }
        leaving.iter().all(Vec::is_empty).then_some(paths)
    }
}

/// For each node how many paths end there or after it.
fn paths_from(end: usize, goals: &[(usize, u64)]) -> Vec<u64> {
    let mut paths = vec![0; end + 1];
    for &(sum, number) in goals {
        paths[sum] = number;
    }
    for node in (0..end).rev() {
        paths[node] += paths[node + 1];
    }
    paths
}

/// For each node the least part that can come next on a path to a goal: 0 if the path may end, `u64::MAX` if there is
/// none.
fn least_first_parts(end: usize, goals: &[(usize, u64)], sizes: &[u64], may_waste: bool) -> Vec<u64> {
    if may_waste {
        return vec![0; end + 1];
    }
    let mut least = vec![u64::MAX; end + 1];
    for &(sum, _) in goals {
        least[sum] = 0;
    }
    for node in (0..end).rev() {
        let leads_on = |&&size: &&u64| least.get(node + size as usize).is_some_and(|&next| next <= size);
        if least[node] == u64::MAX {
            least[node] = sizes.iter().find(leads_on).copied().unwrap_or(u64::MAX);
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_flows_end_at_the_goals() {
        let network = Network::build(&[(4, 2), (5, 1)], &[2, 3, 4], false, 100).unwrap();
        let steps: Vec<(usize, u64)> = network.arcs.iter().map(|arc| (arc.from, arc.size)).collect();
        // 5 = 3 + 2 and 4 = 4 = 2 + 2; nothing leads on from 1, and 2 + 3 is 3 + 2 in the wrong order.
        assert_eq!(steps, [(0, 2), (0, 3), (0, 4), (2, 2), (3, 2)]);
        let mut paths = network.paths(&[1, 1, 1, 1, 1]).unwrap();
        paths.sort_unstable();
        assert_eq!(paths, [(4, vec![2, 2]), (4, vec![4]), (5, vec![3, 2])]);
        assert_eq!(network.paths(&[1, 1, 1, 1, 0]), None);
        assert_eq!(network.paths(&[1, 1, 2, 1, 1]), None);
        assert_eq!(network.paths(&[-1, 1, 1, 1, 1]), None);
    }

    #[test]
    fn a_network_too_large_is_not_built() {
        assert!(Network::build(&[(1 << 40, 1)], &[1], false, 1_000).is_none());
        assert!(Network::build(&[(5_000, 1)], &(1..=5_000).collect::<Vec<_>>(), false, 1_000_000).is_none());
    }
}
