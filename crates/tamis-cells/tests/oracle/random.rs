//! Small random tables of every shape: a seed names one, so that a failing case can be written down.

use tamis_cells::{Attacker, Cell, CellId, CellTable, Equation, Levels, Pattern, Status};

/// Numbers that follow from a seed (SplitMix64).
pub struct Dice(pub u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `below - 1`.
    pub fn roll(&mut self, below: usize) -> usize {
        (self.next() % below as u64) as usize
    }

    /// The same, as a value of a cell.
    fn value(&mut self, below: u32) -> i64 {
        (self.next() % u64::from(below)).cast_signed()
    }

    /// True once in so many.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.roll(times) == 0
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.roll(choices.len())]
    }
}

/// What kind of equations a random table has.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// A grid with margins: the sizes of its dimensions, without the totals.
    Grid(&'static [usize]),
    /// One dimension of three levels: a total of subtotals of leaves.
    Tree,
    /// Two grids of one row variable with two column variables, sharing the margin.
    Linked,
    /// Equations with any terms, coefficients and right-hand sides.
    General,
}

/// All shapes whose tables have at most `cells` cells.
pub fn shapes(cells: usize) -> Vec<Shape> {
    let all = [
        (4, Shape::Grid(&[3])),
        (9, Shape::Grid(&[2, 2])),
        (8, Shape::General),
        (10, Shape::Tree),
        (12, Shape::Grid(&[3, 2])),
        (15, Shape::Linked),
        (16, Shape::Grid(&[3, 3])),
        (27, Shape::Grid(&[2, 2, 2])),
        (30, Shape::Grid(&[5, 4])),
        (36, Shape::Grid(&[3, 2, 2])),
    ];
    all.into_iter().filter(|(size, _)| *size <= cells).map(|(_, shape)| shape).collect()
}

/// Whole multiples that become numbers of the table at the end.
struct Draft {
    values: Vec<i64>,
    equations: Vec<(i64, Vec<(usize, i64)>)>,
}

/// Draws a value: usually from so many numbers, less so much.
type Draw = fn(&mut Dice, u32, i64) -> i64;

fn small(dice: &mut Dice, below: u32, less: i64) -> i64 {
    dice.value(below) - less
}

fn draft(shape: Shape, dice: &mut Dice, draw: Draw) -> Draft {
    match shape {
        Shape::Grid(sizes) => grid(sizes, dice, draw),
        Shape::Tree => tree(dice, draw),
        Shape::Linked => linked(dice, draw),
        Shape::General => general(dice, draw),
    }
}

fn grid(sizes: &[usize], dice: &mut Dice, draw: Draw) -> Draft {
    // Position 0 of a dimension is its total.
    let count = sizes.iter().map(|size| size + 1).product::<usize>();
    let place = |mut cell: usize| -> Vec<usize> {
        let digit = |size: &usize| {
            let digit = cell % (size + 1);
            cell /= size + 1;
            digit
        };
        sizes.iter().map(digit).collect()
    };
    let leaf: Vec<i64> = (0..count).map(|_| draw(dice, 21, 3)).collect();
    let covers =
        |total: &[usize], leaf: &[usize]| total.iter().zip(leaf).all(|(total, leaf)| *total == 0 || total == leaf);
    let leaves: Vec<usize> = (0..count).filter(|cell| place(*cell).iter().all(|digit| *digit > 0)).collect();
    let value = |cell: usize| leaves.iter().filter(|at| covers(&place(cell), &place(**at))).map(|at| leaf[*at]).sum();
    let mut equations = Vec::new();
    let mut step = 1;
    for size in sizes {
        for total in (0..count).filter(|cell| cell / step % (size + 1) == 0) {
            let mut terms = vec![(total, -1)];
            terms.extend((1..=*size).map(|digit| (total + digit * step, 1)));
            equations.push((0, terms));
        }
        step *= size + 1;
    }
    Draft { values: (0..count).map(value).collect(), equations }
}

fn tree(dice: &mut Dice, draw: Draw) -> Draft {
    let leaves: Vec<i64> = (0..6).map(|_| draw(dice, 15, 0)).collect();
    let subtotals = [leaves[0] + leaves[1], leaves[2] + leaves[3], leaves[4] + leaves[5]];
    let mut values = vec![subtotals.iter().sum()];
    values.extend(subtotals);
    values.extend(leaves);
    let mut equations = vec![(0, vec![(0, -1), (1, 1), (2, 1), (3, 1)])];
    equations.extend((0..3).map(|sub| (0, vec![(1 + sub, -1), (4 + 2 * sub, 1), (5 + 2 * sub, 1)])));
    Draft { values, equations }
}

fn linked(dice: &mut Dice, draw: Draw) -> Draft {
    let mut draft = grid(&[2, 2], dice, draw);
    // Cells 0, 1, 2 are the margin of the first dimension; they are split again by another one.
    for total in 0..3 {
        let first = draft.values.len();
        if total == 0 {
            draft.values.extend([0, 0]);
        } else {
            let part = draw(dice, 9, 1);
            draft.values.extend([part, draft.values[total] - part]);
        }
        draft.equations.push((0, vec![(total, -1), (first, 1), (first + 1, 1)]));
    }
    for side in 0..2 {
        draft.values[9 + side] = draft.values[11 + side] + draft.values[13 + side];
        draft.equations.push((0, vec![(9 + side, -1), (11 + side, 1), (13 + side, 1)]));
    }
    draft
}

fn general(dice: &mut Dice, draw: Draw) -> Draft {
    let cells = 4 + dice.roll(5);
    let values: Vec<i64> = (0..cells).map(|_| draw(dice, 31, 10)).collect();
    let mut equations = Vec::new();
    for _ in 0..=dice.roll(4) {
        let mut terms: Vec<(usize, i64)> = (0..cells).map(|cell| (cell, dice.of(&[0, 0, 1, -1, 2, -3, 5]))).collect();
        terms.retain(|(_, factor)| *factor != 0);
        if terms.is_empty() {
            continue;
        }
        equations.push((terms.iter().map(|(cell, factor)| values[*cell] * factor).sum(), terms));
        if dice.once_in(8) {
            equations.push(equations[0].clone());
        }
    }
    Draft { values, equations }
}

/// A random table: its numbers are whole multiples of `unit`, a power of ten.
pub fn table(shape: Shape, unit: f64, seed: u64) -> CellTable {
    let dice = &mut Dice(seed);
    let Draft { values, equations } = draft(shape, dice, small);
    // Division by a power of ten rounds correctly: 3 / 1000 is the number that 0.003 reads as.
    let full = |units: i64| if unit < 1.0 { units as f64 / (1.0 / unit).round() } else { units as f64 * unit };
    let wide = dice.once_in(3);
    let mut cells = Vec::new();
    for (number, value) in (0..).zip(&values) {
        let room = |dice: &mut Dice| if wide { 40 } else { dice.of(&[0, 1, 2, 3, 5, 8, 13]) };
        let (lower, upper) = (value - room(dice), value + room(dice));
        let status = match dice.roll(10) {
            0..=2 => Status::Primary,
            3 => dice.of(&[Status::Fixed, Status::Hidden, Status::Free]),
            _ => Status::Free,
        };
        let mut level = || full(dice.of(&[0, 1, 1, 2, 3, 4]));
        let (lpl, upl) = (level(), level());
        let sliding = if dice.once_in(3) { full(dice.value(8)) } else { 0.0 };
        cells.push(Cell {
            id: CellId::Number(number),
            value: full(*value),
            weight: dice.roll(6) as f64,
            lower: if dice.once_in(6) { f64::NEG_INFINITY } else { full(lower) },
            upper: if dice.once_in(4) { f64::INFINITY } else { full(upper) },
            levels: Levels { lower: lpl, upper: upl, sliding },
            status,
        });
    }
    let equations = equations
        .into_iter()
        .map(|(rhs, terms)| {
            // Coefficients such as 0.5 too: half of an equation is as good.
            let factor = dice.of(&[1.0, 1.0, 0.5, 3.0]);
            let terms = terms.into_iter().map(|(cell, times)| (cell, times as f64 * factor)).collect();
            Equation { rhs: full(rhs) * factor, terms }
        })
        .collect();
    let attackers = if dice.once_in(3) { attackers(&cells, &full, dice) } else { Vec::new() };
    CellTable::new(cells, equations, attackers).expect("a true table")
}

/// A value from 0.0001 to 10^12 in ten-thousandths: a few digits, wherever they stand.
pub fn spread_value(dice: &mut Dice) -> i64 {
    (1 + dice.value(9999)) * 10_i64.pow(dice.roll(13) as u32)
}

/// A random table like those of an office: values of all sizes from 0.0001 to 10^12 side by side, hiding costs the value, levels
/// are a tenth of it, bounds open, far away or a share.
pub fn spread(shape: Shape, seed: u64) -> CellTable {
    let dice = &mut Dice(seed);
    let Draft { values, equations } = draft(shape, dice, |dice, _, _| spread_value(dice));
    let full = |units: i64| units as f64 / 1e4;
    let bound = dice.of(&[f64::INFINITY, f64::INFINITY, 1e9, 1e12, 1e15]);
    let mut cells = Vec::new();
    for (number, value) in (0..).zip(&values) {
        let value = full(*value);
        let is_primary = dice.once_in(4);
        let is_close = dice.once_in(6);
        let level = tamis_cells::plain(value.abs() * 10.0 / 100.0);
        let lower = if value < 0.0 { f64::NEG_INFINITY } else { 0.0 };
        cells.push(Cell {
            id: CellId::Number(number),
            value,
            weight: value.abs(),
            lower: if is_close { tamis_cells::plain(value - value.abs() / 2.0) } else { lower },
            upper: if is_close { tamis_cells::plain(value + value.abs() / 2.0) } else { f64::max(bound, 2.0 * value) },
            levels: Levels { lower: level, upper: level, sliding: 0.0 },
            status: if is_primary && value != 0.0 {
                Status::Primary
            } else if dice.once_in(12) {
                Status::Fixed
            } else {
                Status::Free
            },
        });
    }
    let equation = |(rhs, terms): (i64, Vec<(usize, i64)>)| {
        let terms: Vec<(usize, f64)> = terms.into_iter().map(|(cell, times)| (cell, times as f64)).collect();
        Equation { rhs: full(rhs), terms }
    };
    CellTable::new(cells, equations.into_iter().map(equation).collect(), Vec::new()).expect("a true table")
}

fn attackers(cells: &[Cell], full: &dyn Fn(i64) -> f64, dice: &mut Dice) -> Vec<Attacker> {
    let mut attackers = Vec::new();
    for number in 0..=dice.roll(2) {
        let mut attacker = Attacker { name: format!("attacker {number}"), ..Attacker::default() };
        for _ in 0..2 {
            let cell = dice.roll(cells.len());
            let value = cells[cell].value;
            // Bounds as a person would write them: decimals, not differences of floating-point numbers.
            let tidy = |number: f64| format!("{number:.3}").parse::<f64>().unwrap();
            let (less, more) = (full(dice.value(4)), full(dice.value(4)));
            attacker.bounds.push((cell, f64::min(value, tidy(value - less)), f64::max(value, tidy(value + more))));
            if dice.once_in(2) {
                let lower = if dice.once_in(2) { 0.0 } else { full(1) };
                attacker.levels.push((cell, Levels { lower, upper: lower, sliding: 0.0 }));
            }
        }
        attackers.push(attacker);
    }
    attackers
}

/// A random pattern, which may break every rule.
pub fn pattern(table: &CellTable, seed: u64) -> Pattern {
    let dice = &mut Dice(seed ^ 0xA5A5);
    let mut pattern = Pattern::least(table);
    let often = 1 + dice.roll(4);
    for cell in 0..table.cells().len() {
        if table.cells()[cell].status == Status::Free {
            pattern.set(cell, !dice.once_in(1 + often));
        } else if dice.once_in(12) {
            pattern.set(cell, !pattern.hides(cell));
        }
    }
    pattern
}
