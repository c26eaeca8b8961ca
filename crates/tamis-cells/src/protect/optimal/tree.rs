//! Branch and cut: the tree of relaxations.

mod neighbourhood;

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tamis_solver::LiveSolver;

use super::branch::Brancher;
use super::bridgeless::Bridges;
use super::cut::Cut;
use super::halves::halves;
use super::incumbent::Incumbent;
use super::master::{Master, Solved};
use super::model::Model;
use super::separate::{Effort, Separator};
use super::strengthen::rounded;
use crate::attack::NoAnswer;
use crate::protect::clock::Clock;
use crate::protect::{Options, Progress, gap};

/// Values this close to 0 or 1 are whole.
const WHOLE: f64 = 1e-6;

/// A search that did so much work spends some on a search for better patterns.
const LATE: std::time::Duration = std::time::Duration::from_secs(3);

/// And a search that did so much on parts of the best one.
const LATER: std::time::Duration = std::time::Duration::from_secs(10);

/// Nodes at smaller depths than this and at multiples of it look for inequalities, in fewer rounds than this many: splitting gains more in the
/// same time than looking harder.
const EVERY: usize = 3;
const ROUNDS: usize = 3;

/// A part of the patterns that is still to be looked at.
#[derive(Debug, Clone)]
struct Node {
    /// No pattern in it costs less, without the base.
    bound: f64,
    /// Columns that are settled here, and how.
    settled: Vec<(usize, bool)>,
    depth: usize,
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Node {}
impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Node {
    fn cmp(&self, other: &Self) -> Ordering {
        // The heap gives the greatest: the least bound, then the deepest.
        other.bound.total_cmp(&self.bound).then(self.depth.cmp(&other.depth))
    }
}

/// How far a search goes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reach {
    /// This is a search within a search: it looks for better patterns at its own relaxations only.
    pub(crate) nested: bool,
    /// It ends after so many nodes.
    pub(crate) most_nodes: usize,
}

/// A search under way.
pub(crate) struct Tree<'m> {
    model: &'m Model<'m>,
    solver: &'m dyn LiveSolver,
    options: &'m Options<'m>,
    clock: Clock<'m>,
    master: Master,
    separator: Separator<'m>,
    bridges: Bridges<'m>,
    brancher: Brancher,
    pub(crate) incumbent: Incumbent<'m>,
    waiting: BinaryHeap<Node>,
    /// Bounds of columns that hold for every pattern cheaper than the incumbent.
    global: Vec<(f64, f64)>,
    /// The relaxation of the root: its bound and reduced costs, for settling columns when the incumbent gets better.
    root: Option<(f64, Vec<f64>)>,
    /// The least bound of nodes that had to be given up without an answer.
    given_up: f64,
    nodes: usize,
    /// The bound of the node at hand.
    current: f64,
    told: std::time::Duration,
    reach: Reach,
    /// The share of the secondaries that a neighbourhood takes back.
    part: f64,
    random: ChaCha8Rng,
    /// Attacks of searches within this one.
    attacks: u64,
}

impl<'m> Tree<'m> {
    pub(crate) fn new(
        model: &'m Model<'m>,
        solver: &'m dyn LiveSolver,
        options: &'m Options<'m>,
        clock: Clock<'m>,
        incumbent: Incumbent<'m>,
        open: Vec<usize>,
        reach: Reach,
    ) -> Self {
        let master = Master::new(model, solver);
        let columns = master.cells.len();
        Self {
            model,
            solver,
            options,
            clock,
            separator: Separator::new(model, solver, open),
            bridges: Bridges::new(solver),
            brancher: Brancher::new(columns),
            incumbent,
            waiting: BinaryHeap::new(),
            global: vec![(0.0, 1.0); columns],
            master,
            root: None,
            given_up: f64::INFINITY,
            nodes: 0,
            current: 0.0,
            told: std::time::Duration::ZERO,
            reach,
            part: 0.15,
            random: ChaCha8Rng::seed_from_u64(0),
            attacks: 0,
        }
    }

    /// Searches until the optimum is proved or the search is to end; returns the bound, base included.
    pub(crate) fn run(&mut self) -> f64 {
        let mut dive = Some(Node { bound: 0.0, settled: Vec::new(), depth: 0 });
        while let Some(node) = dive.take().or_else(|| self.waiting.pop()) {
            if node.bound >= self.limit() {
                continue;
            }
            self.current = node.bound;
            if self.done() {
                self.waiting.push(node);
                break;
            }
            let bound = node.bound;
            dive = self.node(node).unwrap_or_else(|NoAnswer| {
                self.given_up = self.given_up.min(bound);
                None
            });
            self.nodes += 1;
        }
        self.current = f64::INFINITY;
        self.bound()
    }

    /// Nodes from this bound on hold nothing cheaper than the best: costs are multiples of the grain.
    fn limit(&self) -> f64 {
        let best = self.incumbent.cost() - self.model.base;
        if self.has_steps(best) { best - 0.5 * self.model.grain } else { best * (1.0 - 1e-9) }
    }

    /// Whether sums of weights are exact enough to tell costs that differ by one grain.
    fn has_steps(&self, cost: f64) -> bool {
        self.model.grain > 64.0 * f64::EPSILON * (cost + self.model.base)
    }

    /// No pattern costs less than this.
    pub(crate) fn bound(&self) -> f64 {
        let waiting = self.waiting.peek().map_or(f64::INFINITY, |node| node.bound);
        let least = waiting.min(self.given_up).min(self.current);
        let (cost, limit) = (self.incumbent.cost(), self.limit());
        let best = cost - self.model.base;
        // Without steps, what was left out at the limit may be cheaper by less than the limit's margin. That is rounding as
        // long as no weight is that small.
        let closed = self.has_steps(best) || 1e-6 * best <= self.model.lightest;
        match least >= limit {
            true if closed => cost,
            true => f64::min(cost, self.model.base + limit),
            false => f64::min(cost, self.model.base + self.rounded(least)),
        }
    }

    /// The least cost that is not below a bound.
    fn rounded(&self, bound: f64) -> f64 {
        let grain = self.model.grain;
        if self.has_steps(bound) { (bound / grain - 0.01).ceil() * grain } else { bound * (1.0 - 1e-9) }
    }

    /// Whether the search ended for its number of nodes.
    pub(crate) fn is_cut_short(&self) -> bool {
        self.nodes >= self.reach.most_nodes
    }

    fn done(&self) -> bool {
        let cost = self.incumbent.cost();
        self.clock.over()
            || self.is_cut_short()
            || gap(cost, self.bound(), self.incumbent.primaries) <= self.options.gap
    }

    pub(crate) fn progress(&self) -> Progress {
        let (cost, bound) = (self.incumbent.cost(), self.bound());
        Progress {
            bound,
            cost,
            gap: gap(cost, bound, self.incumbent.primaries),
            cuts: self.master.found,
            nodes: self.nodes,
            open: self.waiting.len(),
            attacks: self.separator.solved() + self.bridges.solved() + self.incumbent.attacks() + self.attacks,
        }
    }

    fn tell(&mut self) {
        let now = self.clock.elapsed();
        if now >= self.told + std::time::Duration::from_millis(200) {
            self.told = now;
            (self.options.progress)(&self.progress());
        }
    }

    /// Works on one node; returns a child to go on with.
    fn node(&mut self, mut node: Node) -> Result<Option<Node>, NoAnswer> {
        let root = node.depth == 0;
        let mut history: Vec<f64> = Vec::new();
        let mut round = 0;
        loop {
            self.tell();
            let mut bounds = self.global.clone();
            for &(column, hidden) in &node.settled {
                let value = f64::from(u8::from(hidden));
                if bounds[column].0 > value || bounds[column].1 < value {
                    return Ok(None);
                }
                bounds[column] = (value, value);
            }
            self.master.bound(&bounds);
            let bound = match self.master.solve(self.limit()) {
                Solved::Bound(bound) => bound,
                Solved::Nothing => return Ok(None),
                Solved::Failed => {
                    self.given_up = self.given_up.min(node.bound);
                    return Ok(None);
                }
            };
            node.bound = node.bound.max(bound);
            self.current = node.bound;
            if node.bound >= self.limit() {
                return Ok(None);
            }
            if root && self.is_late() && self.incumbent.wander(&self.clock) {
                self.resettle();
            }
            self.settle(&mut node, bound, root);
            if self.done() {
                self.waiting.push(node);
                return Ok(None);
            }
            if self.master.recall() > 0 {
                continue;
            }
            round += 1;
            let whole = self.master.values().all(|value| !(WHOLE..=1.0 - WHOLE).contains(&value));
            if whole {
                let x: Vec<f64> = self.master.x.iter().map(|value| value.round()).collect();
                let cuts = self.separator.cuts(self.model, &x, 200, Effort::Exact, &|| self.clock.over())?;
                if cuts.is_empty() {
                    if self.clock.over() {
                        self.waiting.push(node);
                        return Ok(None);
                    }
                    let hidden: Vec<bool> = x.iter().map(|value| *value > 0.5).collect();
                    if let Some(cut) = self.incumbent.offer(&hidden, &self.clock) {
                        // A pattern that the search holds protected and the audit does not.
                        if self.master.add(vec![cut]) > 0 {
                            continue;
                        }
                    }
                    if node.bound < self.limit() {
                        // Rounding hides what else the node may hold.
                        self.given_up = self.given_up.min(node.bound);
                    }
                    self.resettle();
                    return Ok(None);
                }
                if self.master.add(cuts) == 0 {
                    self.given_up = self.given_up.min(node.bound);
                    return Ok(None);
                }
                continue;
            }
            history.push(bound);
            let patience = if root { 12 } else { 3 };
            let missing = (self.limit() - bound).max(1e-9);
            let tail = history.len() > patience
                && bound - history[history.len() - 1 - patience] < if root { 0.003 } else { 0.01 } * missing;
            let most = if root {
                usize::MAX
            } else if node.depth < EVERY || node.depth.is_multiple_of(EVERY) {
                ROUNDS
            } else {
                1
            };
            if !tail && round < most {
                let cuts = self.separate(root)?;
                if self.master.add(cuts) > 0 {
                    if root && round % 4 == 0 || round == 1 {
                        self.master.purge();
                    }
                    continue;
                }
            }
            if self.look_for_better(root) && node.bound >= self.limit() {
                return Ok(None);
            }
            self.master.purge();
            return Ok(self.branch(&node));
        }
    }

    /// Whether so much work was done that some is spent on a search for better patterns.
    fn is_late(&self) -> bool {
        !self.reach.nested && self.clock.work() > LATE
    }

    /// Looks for better patterns where the relaxation is, if it is time for that; `true` if one was found.
    fn look_for_better(&mut self, root: bool) -> bool {
        if !self.incumbent.is_due(self.clock.work(), root) {
            return false;
        }
        let x = self.master.x.clone();
        let mut better = self.incumbent.guided(&x, &self.clock);
        if self.is_late() {
            better |= self.incumbent.wander(&self.clock);
        }
        if !self.reach.nested && self.clock.work() > LATER {
            better |= self.neighbourhoods(&self.clock.at_most(self.clock.work() / 4, 0.25));
        }
        if better {
            self.resettle();
        }
        better
    }

    fn separate(&mut self, root: bool) -> Result<Vec<Cut>, NoAnswer> {
        let over = || self.clock.over();
        let x = self.master.x.clone();
        let (most, effort) = if root { (100, Effort::Thorough) } else { (40, Effort::Quick) };
        let mut cuts = Bridges::of_equations(self.model, &x);
        cuts.extend(self.separator.cuts(self.model, &x, most, effort, &over)?);
        // Their programs take longer than all others: below the root only where nothing else is found.
        if cuts.len() < if root { 10 } else { 1 } {
            cuts.extend(self.bridges.of_programs(self.model, &x, 20, &over)?);
        }
        // Inequalities that are tight here may be rounded to ones that are broken.
        let tight = self.master.cuts().into_iter().filter(|cut| cut.violation(&x) > -1e-6 && cut.rhs > 0.0);
        cuts.extend(tight.filter_map(|cut| rounded(cut, &x)).filter(|cut| cut.violation(&x) > 2e-3));
        if cuts.len() < 10 {
            cuts.extend(halves(&self.master.cuts(), &x));
        }
        Ok(cuts)
    }

    /// Settles columns by reduced costs: what would lift the bound to the limit cannot be in a better pattern.
    fn settle(&mut self, node: &mut Node, bound: f64, root: bool) {
        let costs = self.master.reduced_costs();
        if root {
            self.root = Some((bound, costs));
            self.resettle();
            return;
        }
        let limit = self.limit();
        let bounds = self.master.bounds();
        for (column, cost) in costs.iter().enumerate() {
            let (lower, upper) = bounds[column];
            if lower < upper && bound + cost.abs() > limit * (1.0 + 1e-9) {
                node.settled.push((column, *cost < 0.0));
            }
        }
    }

    fn resettle(&mut self) {
        let limit = self.limit();
        let Some((bound, costs)) = &self.root else { return };
        for (bounds, cost) in self.global.iter_mut().zip(costs) {
            if bounds.0 < bounds.1 && bound + cost.abs() > limit * (1.0 + 1e-9) {
                let value = f64::from(u8::from(*cost < 0.0));
                *bounds = (value, value);
            }
        }
    }

    /// Splits a node at a column; one child waits, the other is returned.
    fn branch(&mut self, node: &Node) -> Option<Node> {
        let limit = self.limit();
        let choice = self.brancher.choose(&mut self.master, node.bound, limit)?;
        let child = |hidden: bool, bound: f64| {
            let mut settled = node.settled.clone();
            settled.push((choice.column, hidden));
            Node { bound: node.bound.max(bound), settled, depth: node.depth + 1 }
        };
        let (down, up) = (child(false, choice.down), child(true, choice.up));
        let (first, second) = if choice.value > 0.5 { (up, down) } else { (down, up) };
        if second.bound < limit {
            self.waiting.push(second);
        }
        (first.bound < limit).then_some(first)
    }
}
