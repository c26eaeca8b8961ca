//! What a table must be, and the sentence about each way in which it is not.

use tamis_cells::{Attacker, Cell, CellId, CellTable, Demand, Equation, Levels, Side, Status, TableError};

fn cell(id: i64, value: f64) -> Cell {
    let (lower, upper) = (f64::NEG_INFINITY, f64::INFINITY);
    let (levels, status) = (Levels::default(), Status::Free);
    Cell { id: CellId::Number(id), value, weight: 1.0, lower, upper, levels, status }
}

fn primary(id: i64, value: f64, levels: Levels) -> Cell {
    Cell { levels, status: Status::Primary, ..cell(id, value) }
}

/// a + b = c, as cells 1 to 3.
fn sum(a: f64, b: f64, c: f64) -> (Vec<Cell>, Vec<Equation>) {
    let terms = vec![(0, 1.0), (1, 1.0), (2, -1.0)];
    (vec![cell(1, a), cell(2, b), cell(3, c)], vec![Equation { rhs: 0.0, terms }])
}

fn refusal(cells: Vec<Cell>, equations: Vec<Equation>, attackers: Vec<Attacker>) -> TableError {
    CellTable::new(cells, equations, attackers).expect_err("must be refused")
}

/// The refusal of a + b = c with cell 1 changed.
fn with(change: impl FnOnce(&mut Cell)) -> String {
    let (mut cells, equations) = sum(1.0, 2.0, 3.0);
    change(&mut cells[0]);
    refusal(cells, equations, Vec::new()).to_string()
}

fn with_equation(rhs: f64, terms: &[(usize, f64)]) -> String {
    let (cells, mut equations) = sum(1.0, 2.0, 3.0);
    equations.push(Equation { rhs, terms: terms.to_vec() });
    refusal(cells, equations, Vec::new()).to_string()
}

fn with_attacker(bounds: &[(usize, f64, f64)], levels: &[(usize, Levels)]) -> String {
    let (cells, equations) = sum(1.0, 2.0, 3.0);
    let attacker = Attacker { name: "Ada".to_owned(), bounds: bounds.to_vec(), levels: levels.to_vec() };
    refusal(cells, equations, vec![attacker]).to_string()
}

mod cells {
    use super::*;

    #[test]
    fn ids_differ() {
        assert_eq!(with(|cell| cell.id = CellId::Number(3)), "cell 3 is given twice; ids must differ");
    }

    #[test]
    fn numbers_are_numbers() {
        assert_eq!(with(|cell| cell.value = f64::NAN), "cell 1: value is NaN, expected a number");
        assert_eq!(with(|cell| cell.value = f64::INFINITY), "cell 1: value is inf, expected a number");
        assert_eq!(with(|cell| cell.lower = f64::NAN), "cell 1: lb is NaN, expected a number");
        assert_eq!(with(|cell| cell.upper = f64::NAN), "cell 1: ub is NaN, expected a number");
    }

    #[test]
    fn weights_and_levels_are_not_negative() {
        assert_eq!(with(|cell| cell.weight = -1.0), "cell 1: weight is -1, expected a number that is not negative");
        assert_eq!(
            with(|cell| cell.weight = f64::INFINITY),
            "cell 1: weight is inf, expected a number that is not negative"
        );
        assert_eq!(
            with(|cell| cell.levels.lower = -0.5),
            "cell 1: lpl is -0.5, expected a number that is not negative"
        );
        assert_eq!(
            with(|cell| cell.levels.upper = f64::INFINITY),
            "cell 1: upl is inf, expected a number that is not negative"
        );
        assert_eq!(
            with(|cell| cell.levels.sliding = f64::NAN),
            "cell 1: spl is NaN, expected a number that is not negative"
        );
    }

    #[test]
    fn values_lie_within_their_bounds() {
        assert_eq!(with(|cell| cell.lower = 2.0), "cell 1: its value 1 is outside its bounds, 2 to inf");
        assert_eq!(with(|cell| cell.upper = 0.5), "cell 1: its value 1 is outside its bounds, -inf to 0.5");
    }

    #[test]
    fn an_error_knows_its_place() {
        let (mut cells, equations) = sum(1.0, 2.0, 3.0);
        cells[1].weight = -1.0;
        let error = refusal(cells, equations, Vec::new());
        assert_eq!((error.cell(), error.equation()), (Some(&CellId::Number(2)), None));
        let (cells, equations) = sum(1.0, 2.0, 4.0);
        let error = refusal(cells, equations, Vec::new());
        assert_eq!((error.cell(), error.equation()), (None, Some(1)));
    }
}

mod equations {
    use super::*;

    #[test]
    fn which_does_not_add_up_and_by_how_much() {
        let (cells, mut equations) = sum(10.0, 20.5, 30.0);
        equations.insert(0, Equation { rhs: 10.0, terms: vec![(0, 1.0)] });
        let error = refusal(cells, equations, Vec::new());
        assert_eq!(
            error.to_string(),
            "equation 2 ([1] + [2] - [3] = 0) does not add up: the left side is 0.5, the right side 0, 0.5 apart; correct \
            the values, or leave out an equation that need not hold"
        );
    }

    #[test]
    fn long_ones_are_cut_short() {
        let cells: Vec<Cell> = (1..=9).map(|id| cell(id, 1.0)).collect();
        let terms = (0..9).map(|position| (position, if position == 0 { -2.5 } else { 1.0 })).collect();
        let sentence = refusal(cells, vec![Equation { rhs: 7.0, terms }], Vec::new()).to_string();
        assert!(
            sentence.starts_with("equation 1 (-2.5 [1] + [2] + [3] + [4] + [5] + [6] + ... = 7) does not"),
            "{sentence}"
        );
    }

    /// The last digit of large data is data.
    #[test]
    fn a_difference_of_one_in_a_hundred_billion_is_found() {
        for (a, b) in [(1e9, 2e9), (1e11, 3.0), (4e8, -4e8)] {
            let (cells, equations) = sum(a, b, a + b + 1.0);
            let TableError::DoesNotAddUp { difference, .. } = refusal(cells, equations, Vec::new()) else {
                panic!("another error")
            };
            assert_eq!(difference, 1.0);
        }
    }

    #[test]
    fn a_cent_is_found_among_a_hundred_thousand_cells() {
        let values: Vec<f64> = (0..100_000).map(|k| f64::from(k % 997) + 0.01 * f64::from(k % 100)).collect();
        let total: f64 = values.iter().sum();
        let table = |total: f64| {
            let cells: Vec<Cell> =
                (0..).zip(values.iter().copied().chain([total])).map(|(id, v)| cell(id, v)).collect();
            let terms = (0..cells.len()).map(|k| (k, if k + 1 == cells.len() { -1.0 } else { 1.0 })).collect();
            CellTable::new(cells, vec![Equation { rhs: 0.0, terms }], Vec::new())
        };
        assert!(table(total).is_ok(), "a plain sum is not exact, but right");
        assert!(table(total + 0.01).is_err());
    }

    /// 0.1 + 0.2 is not 0.3 for a computer.
    #[test]
    fn decimals_add_up() {
        for (a, b, c) in [(0.1, 0.2, 0.3), (1e-7, 2e-7, 3e-7), (1_234_567.89, 0.11, 1_234_568.0), (-0.1, -0.7, -0.8)] {
            let (cells, equations) = sum(a, b, c);
            assert!(CellTable::new(cells, equations, Vec::new()).is_ok(), "{a} + {b}");
        }
    }

    /// Tiny data is data too: there is no absolute threshold.
    #[test]
    fn tiny_values_are_compared_as_large_ones_are() {
        let (cells, equations) = sum(1e-12, 2e-12, 4e-12);
        assert!(CellTable::new(cells, equations, Vec::new()).is_err());
    }

    #[test]
    fn sums_beyond_all_numbers_are_refused() {
        let (cells, equations) = sum(f64::MAX, f64::MAX, 0.0);
        assert!(matches!(refusal(cells, equations, Vec::new()), TableError::DoesNotAddUp { .. }));
    }

    #[test]
    fn terms() {
        assert_eq!(with_equation(f64::NAN, &[(0, 1.0)]), "equation 2: the right side is NaN, expected a number");
        assert_eq!(with_equation(0.0, &[]), "equation 2: it has no terms; leave it out");
        assert_eq!(with_equation(0.0, &[(7, 1.0)]), "equation 2: there is no cell at position 7");
        assert_eq!(
            with_equation(0.0, &[(0, 0.0)]),
            "equation 2: the coefficient of cell 1 is 0, expected a number other than 0"
        );
        assert_eq!(
            with_equation(0.0, &[(1, f64::INFINITY)]),
            "equation 2: the coefficient of cell 2 is inf, expected a number other than 0"
        );
        assert_eq!(with_equation(2.0, &[(0, 1.0), (0, 1.0)]), "equation 2: cell 1 occurs twice; add its coefficients");
    }

    #[test]
    fn one_may_be_given_twice() {
        let (cells, mut equations) = sum(1.0, 2.0, 3.0);
        equations.push(equations[0].clone());
        assert!(CellTable::new(cells, equations, Vec::new()).is_ok());
    }
}

mod attackers {
    use super::*;

    #[test]
    fn know_what_is_true() {
        assert_eq!(
            with_attacker(&[(1, 3.0, 4.0)], &[]),
            "attacker Ada: the value 2 of cell 2 is outside the bounds 3 to 4"
        );
        assert_eq!(
            with_attacker(&[(1, f64::NAN, 4.0)], &[]),
            "attacker Ada: the value 2 of cell 2 is outside the bounds NaN to 4"
        );
        assert_eq!(with_attacker(&[(3, 0.0, 0.0)], &[]), "attacker Ada: there is no cell at position 3");
        assert_eq!(with_attacker(&[], &[(9, Levels::default())]), "attacker Ada: there is no cell at position 9");
        assert_eq!(
            with_attacker(&[], &[(0, Levels { upper: -2.0, ..Levels::default() })]),
            "attacker Ada: upl of cell 1 is -2, expected a number that is not negative"
        );
    }
}

mod pinned {
    use super::*;

    fn fixed(mut cells: Vec<Cell>, which: &[usize]) -> Vec<Cell> {
        for position in which {
            cells[*position].status = Status::Fixed;
        }
        cells
    }

    fn sentences(cells: Vec<Cell>, equations: Vec<Equation>) -> Vec<String> {
        let table = CellTable::new(cells, equations, Vec::new()).expect("a true table");
        table.pinned().iter().map(|pinned| pinned.sentence(&table)).collect()
    }

    #[test]
    fn nothing_where_two_cells_can_vary() {
        let (cells, equations) = sum(1.0, 2.0, 3.0);
        assert!(sentences(fixed(cells, &[2]), equations).is_empty());
    }

    #[test]
    fn the_one_free_cell_of_an_equation() {
        let (cells, equations) = sum(1.0, 2.0, 3.0);
        assert_eq!(
            sentences(fixed(cells, &[1, 2]), equations),
            [
                "cell 1 is the only one that can vary in equation 1 ([1] + [2] - [3] = 0), so anybody computes it; let another \
            cell of that equation be hidden"
            ]
        );
    }

    #[test]
    fn a_cell_with_one_possible_value_does_not_vary() {
        let (mut cells, equations) = sum(1.0, 2.0, 3.0);
        (cells[0].lower, cells[0].upper) = (1.0, 1.0);
        assert_eq!(sentences(fixed(cells, &[2]), equations).len(), 1);
    }

    #[test]
    fn an_equation_with_one_term() {
        let (cells, _) = sum(1.0, 2.0, 3.0);
        assert_eq!(
            sentences(cells, vec![Equation { rhs: 4.0, terms: vec![(1, 2.0)] }]),
            ["equation 1 (2 [2] = 4) has cell 2 only, so anybody computes it; leave it out"]
        );
    }

    /// What one equation gives away makes the next give away more; a second way to the same cell is not told again.
    #[test]
    fn one_leads_to_another() {
        let cells: Vec<Cell> = (1..=4).map(|id| cell(id, 1.0)).collect();
        let pair = |a, b| Equation { rhs: 0.0, terms: vec![(a, 1.0), (b, -1.0)] };
        let table = CellTable::new(
            fixed(cells, &[3]),
            vec![pair(0, 1), pair(1, 2), pair(2, 3), pair(2, 3), pair(0, 3)],
            Vec::new(),
        )
        .expect("a true table");
        let found: Vec<(usize, usize)> = table.pinned().iter().map(|pinned| (pinned.cell, pinned.equation)).collect();
        let mut cells: Vec<usize> = found.iter().map(|(cell, _)| *cell).collect();
        cells.sort_unstable();
        assert_eq!(cells, [0, 1, 2]);
        for (place, (cell, equation)) in found.iter().enumerate() {
            let before: Vec<usize> = found[..place].iter().map(|(cell, _)| *cell).chain([3]).collect();
            let others = table.equations()[equation - 1].terms.iter().filter(|(other, _)| other != cell);
            assert!(others.clone().all(|(other, _)| before.contains(other)), "cell {cell} is told too early");
        }
    }
}

mod demands {
    use super::*;

    #[test]
    fn one_for_each_level_above_zero_against_each_attacker() {
        let levels = |lower, upper, sliding| Levels { lower, upper, sliding };
        let cells = vec![
            primary(1, 0.0, levels(1.0, 2.0, 3.0)),
            Cell { levels: levels(9.0, 9.0, 9.0), ..cell(2, 0.0) },
            primary(3, 0.0, levels(0.0, 0.0, 4.0)),
        ];
        let attacker = Attacker {
            name: "Ada".to_owned(),
            levels: vec![(0, levels(7.0, 7.0, 0.0)), (0, levels(0.0, 5.0, 0.0))],
            ..Attacker::default()
        };
        let table = CellTable::new(cells, Vec::new(), vec![attacker]).expect("a true table");
        let demand = |cell, attacker, side, level| Demand { cell, attacker, side, level };
        assert_eq!(
            Demand::of(&table),
            [
                demand(0, 0, Side::Upper, 2.0),
                demand(0, 0, Side::Lower, 1.0),
                demand(2, 0, Side::Width, 4.0),
                demand(0, 1, Side::Upper, 5.0),
                demand(2, 1, Side::Width, 4.0),
            ],
            "a width of 3 follows from 1 and 2; the last levels of an attacker count"
        );
    }
}

mod sizes {
    use super::*;

    #[test]
    fn coefficients_of_one_equation_are_of_like_size() {
        let cells = vec![cell(1, 5e10), cell(2, 50.0)];
        let equations = vec![Equation { rhs: 0.0, terms: vec![(0, 1.0), (1, -1e9)] }];
        let error = refusal(cells, equations, Vec::new());
        assert_eq!(error.equation(), Some(1));
        assert_eq!(
            error.to_string(),
            "equation 1: the coefficient -1000000000 of cell 2 is more than 1e6 times the coefficient 1 of cell 1; no linear \
            solver tells such a coefficient from zero; scale the cells, for example by counting one of them in thousands or \
            millions"
        );
        let cells = vec![cell(1, 5e7), cell(2, 50.0)];
        let equations = vec![Equation { rhs: 0.0, terms: vec![(0, 1.0), (1, -1e6)] }];
        assert!(CellTable::new(cells, equations, Vec::new()).is_ok());
    }

    #[test]
    fn weights_can_be_added_up() {
        let (mut cells, equations) = sum(1.0, 2.0, 3.0);
        for cell in &mut cells {
            cell.weight = 1e308;
        }
        let error = refusal(cells, equations, Vec::new()).to_string();
        assert!(error.starts_with("the weights of the cells add up to more than a number holds"), "{error}");
    }

    #[test]
    fn a_level_below_the_rounding_of_the_value_is_asked_for_all_the_same() {
        let level = |upper| Levels { upper, ..Levels::default() };
        let table = |upper| CellTable::new(vec![primary(1, 5e9, level(upper))], Vec::new(), Vec::new()).unwrap();
        for upper in [1e-300, 1e-7, 1e-3] {
            assert_eq!(Demand::of(&table(upper)).len(), 1);
        }
        assert_eq!(Demand::of(&table(0.0)), []);
    }
}
