//! One deviation may meet many demands: the same table, moved further or the other way, is possible too as long as no cell
//! leaves its room.
//!
//! Attackers see the same table as the public and know more of a few cells. What they ask of a cell that asks no less of the public
//! *follows* the public's demand: whatever meets that one meets theirs too, unless it moves a cell that they know more of. With
//! hundreds of attackers nearly all demands follow, and only the few others need deviations of their own.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::state::Witness;
use crate::attack::{Deviation, Room};
use crate::demand::{Demand, Side};
use crate::table::CellTable;

/// Levels count as met when they are missed by no more than this share: that of an audit.
pub(super) const SLACK: f64 = crate::audit::tolerance::RELATIVE;

/// The demands of a table, found by cell, and the rooms of its attackers.
pub(super) struct Certifier {
    pub(super) demands: Vec<Demand>,
    /// What the public knows.
    pub(super) public: Room,
    /// By cell, what attackers know beyond it: attacker, room downwards and upwards.
    beyond: Vec<Vec<(usize, f64, f64)>>,
    attackers: usize,
    /// By cell, whether somebody knows more of it than the public does.
    pub(super) is_known: Rc<[bool]>,
    /// By cell, the demands that follow no other.
    of_cell: Vec<Vec<usize>>,
    /// Who follows whom.
    pub(super) ranks: Rc<Ranks>,
}

/// Which demands follow demands of the public.
pub(super) struct Ranks {
    /// The demand that each follows, and its attacker; none if it leads itself.
    leader: Vec<Option<(usize, usize)>>,
    /// By demand, those that follow it: attacker and demand, ascending.
    followers: Vec<Vec<(usize, usize)>>,
}

impl Ranks {
    fn of(demands: &[Demand]) -> Self {
        let publics = demands.iter().enumerate().take_while(|(_, demand)| demand.attacker == 0);
        let publics: HashMap<(usize, Side), usize> =
            publics.map(|(number, demand)| ((demand.cell, demand.side), number)).collect();
        let (mut leader, mut followers) = (vec![None; demands.len()], vec![Vec::new(); demands.len()]);
        for (number, demand) in demands.iter().enumerate().filter(|(_, demand)| demand.attacker > 0) {
            let public = publics.get(&(demand.cell, demand.side));
            if let Some(&public) = public.filter(|public| demand.level <= demands[**public].level) {
                leader[number] = Some((public, demand.attacker));
                followers[public].push((demand.attacker, number));
            }
        }
        Self { leader, followers }
    }

    /// The demand of the public that one follows, and whose it is.
    pub(super) fn leader(&self, demand: usize) -> Option<(usize, usize)> {
        self.leader[demand]
    }

    /// Some demands with those that they follow instead of them, each once, in order.
    pub(super) fn leaders(&self, demands: &[usize]) -> Vec<usize> {
        let mut seen = HashSet::new();
        let leaders = demands.iter().map(|demand| self.leader[*demand].map_or(*demand, |(leader, _)| leader));
        leaders.filter(|leader| seen.insert(*leader)).collect()
    }

    /// All that follow a demand.
    pub(super) fn followers(&self, demand: usize) -> impl Iterator<Item = usize> + '_ {
        self.followers[demand].iter().map(|(_, number)| *number)
    }

    /// What one attacker asks that follows a demand.
    pub(super) fn follower(&self, demand: usize, attacker: usize) -> Option<usize> {
        let followers = &self.followers[demand];
        let place = followers.binary_search_by_key(&attacker, |(attacker, _)| *attacker).ok()?;
        Some(followers[place].1)
    }
}

impl Certifier {
    pub(super) fn new(table: &CellTable) -> Self {
        let demands = Demand::of(table);
        let cells = table.cells();
        let (mut of_cell, mut beyond) = (vec![Vec::new(); cells.len()], vec![Vec::new(); cells.len()]);
        let ranks = Ranks::of(&demands);
        for (number, demand) in demands.iter().enumerate().filter(|(number, _)| ranks.leader(*number).is_none()) {
            of_cell[demand.cell].push(number);
        }
        for (number, attacker) in table.attackers().iter().enumerate() {
            for &(cell, lower, upper) in &attacker.bounds {
                let value = cells[cell].value;
                beyond[cell].push((number + 1, value - lower, upper - value));
            }
        }
        let (public, attackers) = (Room::of(table, 0), table.attackers().len());
        let is_known = beyond.iter().map(|known: &Vec<_>| !known.is_empty()).collect();
        Self { demands, public, is_known, beyond, attackers, of_cell, ranks: Rc::new(ranks) }
    }

    /// By cell, whether the attacker of one of some demands knows more of it than the public does.
    pub(super) fn known_to(&self, demands: &[usize]) -> Vec<bool> {
        let attackers: HashSet<usize> = demands.iter().map(|demand| self.demands[*demand].attacker).collect();
        self.beyond.iter().map(|known| known.iter().any(|(attacker, ..)| attackers.contains(attacker))).collect()
    }

    /// Why a demand is met: deviations, one, or two for a width.
    pub(super) fn witness(&self, table: &CellTable, deviations: Vec<Deviation>) -> Witness {
        let moved = deviations.iter().flatten().flat_map(|(cell, _)| &self.beyond[*cell]);
        let mut informed: Vec<usize> = moved.map(|(attacker, ..)| *attacker).collect();
        informed.sort_unstable();
        informed.dedup();
        Witness::new(table, deviations, informed)
    }

    /// Calls `met` with every demand that some multiple of the deviation meets, whoever it was found for: of those that follow
    /// another only with its `strays`. Time: attackers, and demands on moved cells.
    pub(super) fn each_met(
        &self,
        deviation: &[(usize, f64)],
        strays: impl Fn(usize) -> Vec<usize>,
        mut met: impl FnMut(usize),
    ) {
        // How many times the deviation fits, as it is and turned round: for the public, then for each attacker.
        let fits = |by: f64, down: f64, up: f64| {
            let (ahead, behind) = if by > 0.0 { (up, down) } else { (down, up) };
            (ahead / by.abs(), behind / by.abs())
        };
        let less = |a: (f64, f64), b: (f64, f64)| (f64::min(a.0, b.0), f64::min(a.1, b.1));
        let of_public = |&(cell, by): &(usize, f64)| fits(by, self.public.down[cell], self.public.up[cell]);
        let public = deviation.iter().map(of_public).fold((f64::INFINITY, f64::INFINITY), less);
        let mut times = vec![public; self.attackers + 1];
        for &(cell, by) in deviation {
            for &(attacker, down, up) in &self.beyond[cell] {
                times[attacker] = less(times[attacker], fits(by, down, up));
            }
        }
        let meets = |number: usize, by: f64| {
            let Demand { side, level, attacker, .. } = self.demands[number];
            let (along, against) = times[attacker];
            let times = match side {
                Side::Width => along + against,
                Side::Upper if by > 0.0 => along,
                Side::Lower if by < 0.0 => along,
                Side::Upper | Side::Lower => against,
            };
            times * by.abs() >= level * (1.0 - SLACK)
        };
        for &(cell, by) in deviation {
            for &number in &self.of_cell[cell] {
                if meets(number, by) {
                    met(number);
                }
                strays(number).into_iter().filter(|stray| meets(*stray, by)).for_each(&mut met);
            }
        }
    }
}
