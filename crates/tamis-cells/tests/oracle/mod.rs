//! The true answers for small tables, by exact fractions and the plainest algorithms: what the rest is tested against.
//!
//! Nothing here is shared with the crate but the table itself. Numbers are read as the decimals they print as. The attacker's
//! problem is solved by eliminating the equations and running the textbook simplex method with Bland's rule.
#![allow(dead_code, unreachable_pub)]

pub mod random;
mod ratio;
mod simplex;

pub use ratio::Ratio;
use simplex::{Dictionary, null_space};
use tamis_cells::{CellTable, Demand, Levels, Pattern, Side, Status};

/// One attacker's view of a pattern.
pub struct View<'a> {
    table: &'a CellTable,
    lower: Vec<Option<Ratio>>,
    upper: Vec<Option<Ratio>>,
    hidden: Vec<usize>,
    /// What deviations of the hidden cells are made of: one row a hidden cell, one column a free direction.
    directions: Vec<Vec<Ratio>>,
}

impl<'a> View<'a> {
    pub fn new(table: &'a CellTable, pattern: &Pattern, attacker: usize) -> Self {
        let mut lower: Vec<Option<Ratio>> = table.cells().iter().map(|cell| Ratio::of(cell.lower)).collect();
        let mut upper: Vec<Option<Ratio>> = table.cells().iter().map(|cell| Ratio::of(cell.upper)).collect();
        if attacker > 0 {
            for (cell, known_lower, known_upper) in &table.attackers()[attacker - 1].bounds {
                let known = Ratio::of(*known_lower);
                if known.is_some() && (lower[*cell].is_none() || known > lower[*cell]) {
                    lower[*cell] = known;
                }
                let known = Ratio::of(*known_upper);
                if known.is_some() && (upper[*cell].is_none() || known < upper[*cell]) {
                    upper[*cell] = known;
                }
            }
        }
        let hidden: Vec<usize> = (0..table.cells().len()).filter(|cell| pattern.hides(*cell)).collect();
        let matrix: Vec<Vec<Ratio>> = table
            .equations()
            .iter()
            .map(|equation| {
                let factor = |cell: &usize| equation.terms.iter().find(|(of, _)| of == cell).map_or(0.0, |term| term.1);
                hidden.iter().map(|cell| Ratio::of(factor(cell)).unwrap()).collect()
            })
            .collect();
        let directions = null_space(matrix, hidden.len());
        Self { table, lower, upper, hidden, directions }
    }

    /// How far a hidden cell can deviate upwards (`up`) or downwards, as a distance; `None` without bound.
    pub fn reach(&self, cell: usize, up: bool) -> Option<Ratio> {
        let at = self.hidden.iter().position(|hidden| *hidden == cell).expect("a hidden cell");
        let mut rows = Vec::new();
        for (row, &hidden) in self.directions.iter().zip(&self.hidden) {
            let value = Ratio::of(self.table.cells()[hidden].value).unwrap();
            if let Some(upper) = self.upper[hidden] {
                rows.push((row.clone(), upper - value));
            }
            if let Some(lower) = self.lower[hidden] {
                rows.push((row.iter().map(|number| -*number).collect(), value - lower));
            }
        }
        let target = &self.directions[at];
        let objective: Vec<Ratio> = target.iter().map(|number| if up { *number } else { -*number }).collect();
        Dictionary::new(&rows, &objective).maximum()
    }

    /// Whether levels of a hidden cell hold, without any tolerance.
    pub fn holds(&self, cell: usize, levels: Levels) -> bool {
        let Levels { lower, upper, sliding } = levels;
        let level = |number| Ratio::of(number).unwrap();
        let enough = |reach: Option<Ratio>, wanted: f64| reach.is_none_or(|reach| reach >= level(wanted));
        if lower == 0.0 && upper == 0.0 && sliding == 0.0 {
            return true;
        }
        let (down, up) = (self.reach(cell, false), self.reach(cell, true));
        let width = down.zip(up).map(|(down, up)| down + up);
        enough(down, lower) && enough(up, upper) && enough(width, sliding)
    }
}

/// The values that an attacker holds possible for a hidden cell; `None` without bound.
pub fn interval(table: &CellTable, pattern: &Pattern, attacker: usize, cell: usize) -> (Option<Ratio>, Option<Ratio>) {
    let view = View::new(table, pattern, attacker);
    let value = Ratio::of(table.cells()[cell].value).unwrap();
    (view.reach(cell, false).map(|reach| value - reach), view.reach(cell, true).map(|reach| value + reach))
}

/// What is asked of a primary cell against an attacker.
fn levels(table: &CellTable, attacker: usize, cell: usize) -> Levels {
    let mut levels = table.cells()[cell].levels;
    if attacker > 0 {
        for (of, own) in &table.attackers()[attacker - 1].levels {
            if *of == cell {
                levels = *own;
            }
        }
    }
    levels
}

/// The demands that a pattern does not meet, in the order of the crate.
pub fn exposed(table: &CellTable, pattern: &Pattern) -> Vec<Demand> {
    let views: Vec<View<'_>> = (0..=table.attackers().len()).map(|who| View::new(table, pattern, who)).collect();
    let holds = |demand: &Demand| {
        let Demand { cell, attacker, side, level } = *demand;
        let asked = match side {
            Side::Upper => Levels { upper: level, ..Levels::default() },
            Side::Lower => Levels { lower: level, ..Levels::default() },
            Side::Width => Levels { sliding: level, ..Levels::default() },
        };
        pattern.hides(cell) && views[attacker].holds(cell, asked)
    };
    Demand::of(table).into_iter().filter(|demand| !holds(demand)).collect()
}

/// Whether a pattern hides what must be hidden, publishes what must be published, and meets every level against everybody.
pub fn protected(table: &CellTable, pattern: &Pattern) -> bool {
    let allowed = table.cells().iter().enumerate().all(|(cell, facts)| match facts.status {
        Status::Primary | Status::Hidden => pattern.hides(cell),
        Status::Fixed => !pattern.hides(cell),
        Status::Free => true,
    });
    let primaries = || (0..table.cells().len()).filter(|cell| table.cells()[*cell].status == Status::Primary);
    let asks = |attacker, cell| {
        let Levels { lower, upper, sliding } = levels(table, attacker, cell);
        lower > 0.0 || upper > 0.0 || sliding > 0.0
    };
    // A cell that is alone in an equation is known: saves most of the patterns of a brute force.
    let alone = |attacker| {
        table.equations().iter().any(|equation| {
            let mut hidden = equation.terms.iter().filter(|(cell, _)| pattern.hides(*cell));
            let first = hidden.next().filter(|_| hidden.next().is_none());
            first.is_some_and(|(cell, _)| table.cells()[*cell].status == Status::Primary && asks(attacker, *cell))
        })
    };
    allowed
        && (0..=table.attackers().len()).all(|attacker| {
            !alone(attacker) && {
                let view = View::new(table, pattern, attacker);
                primaries().all(|cell| view.holds(cell, levels(table, attacker, cell)))
            }
        })
}

/// Hidden cells, neither primary nor to be hidden, that could each be published without exposing a level that holds now.
pub fn unnecessary(table: &CellTable, pattern: &Pattern) -> Vec<usize> {
    let now = exposed(table, pattern);
    let optional = |cell: &usize| matches!(table.cells()[*cell].status, Status::Free | Status::Fixed);
    let harmless = |cell: &usize| {
        let mut less = pattern.clone();
        less.set(*cell, false);
        exposed(table, &less).iter().all(|demand| now.contains(demand))
    };
    pattern.cells().filter(optional).filter(harmless).collect()
}

/// The least cost of a protected pattern and one that has it, by trying all patterns from the cheapest on; `None` if no
/// pattern protects. For tables with up to about 16 cells that may be hidden.
pub fn optimum(table: &CellTable) -> Option<(f64, Pattern)> {
    let least = Pattern::least(table);
    let free: Vec<usize> =
        (0..table.cells().len()).filter(|cell| table.cells()[*cell].status == Status::Free).collect();
    assert!(free.len() <= 20, "too many patterns for brute force");
    if !protected(table, &Pattern::most(table)) {
        return None;
    }
    let pattern = |set: u32| {
        let mut pattern = least.clone();
        for (bit, cell) in free.iter().enumerate() {
            pattern.set(*cell, set >> bit & 1 == 1);
        }
        pattern
    };
    let mut sets: Vec<(f64, u32)> = (0..1_u32 << free.len()).map(|set| (pattern(set).cost(table), set)).collect();
    sets.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.count_ones().cmp(&a.1.count_ones())));
    // Hiding less than a pattern that does not protect does not protect.
    let mut failed: Vec<u32> = Vec::new();
    for (cost, set) in sets {
        if failed.iter().any(|more| set & more == set) {
            continue;
        }
        if protected(table, &pattern(set)) {
            return Some((cost, pattern(set)));
        }
        failed.push(set);
    }
    unreachable!("hiding everything protects")
}
