//! Random tables: what was asked for is there, and everything can be protected.

use proptest::collection::vec;
use proptest::prelude::*;
use tamis_cells::attack::{Attack, Direction, Room};
use tamis_cells::generate::{Bounds, Dimension, Generated, Primaries, Shape, ShapeError, Weights, generate};
use tamis_cells::{CellId, Demand, Levels, Side, Status};
use tamis_highs::Highs;

fn made(shape: &Shape, seed: u64) -> Generated {
    generate(shape, seed).unwrap_or_else(|error| panic!("{error}: {shape:?}"))
}

fn refusal(shape: &Shape) -> String {
    generate(shape, 0).expect_err("must be refused").to_string()
}

fn dimensions(sizes: &str) -> Vec<Dimension> {
    sizes.split(',').map(|size| size.parse().expect(size)).collect()
}

fn shape(sizes: &str) -> Shape {
    Shape { dimensions: dimensions(sizes), ..Shape::default() }
}

fn count(made: &Generated, status: Status) -> usize {
    made.table.cells().iter().filter(|cell| cell.status == status).count()
}

/// The margins of a table from its innermost cells alone, the slow way: every cell is the sum of all innermost cells whose
/// labels lie below its own.
fn sums_of_leaves(made: &Generated) -> Vec<f64> {
    let below = |dimension: usize, mut label: usize, above: usize| {
        let parents = &made.dimensions[dimension].parents;
        loop {
            if label == above {
                return true;
            }
            let Some(parent) = parents[label] else { return false };
            label = parent;
        }
    };
    let place = |dimension: usize, label: &str| {
        made.dimensions[dimension].labels.iter().position(|other| other == label).expect("a label of the dimension")
    };
    let cells = made.table.cells();
    let places: Vec<Vec<usize>> = (0..cells.len())
        .map(|cell| made.labels(cell).iter().enumerate().map(|(dimension, label)| place(dimension, label)).collect())
        .collect();
    let is_leaf = |cell: &Vec<usize>| {
        cell.iter().enumerate().all(|(dimension, label)| !made.dimensions[dimension].parents.contains(&Some(*label)))
    };
    places
        .iter()
        .map(|cell| {
            let inside = places.iter().enumerate().filter(|(_, leaf)| {
                is_leaf(leaf) && (0..leaf.len()).all(|dimension| below(dimension, leaf[dimension], cell[dimension]))
            });
            inside.map(|(leaf, _)| cells[leaf].value).sum()
        })
        .collect()
}

#[test]
fn margins_and_groups_of_three_dimensions() {
    let made = made(&shape("2,3x2,2"), 5);
    assert_eq!(made.table.cells().len(), 3 * 10 * 3);
    // One equation for each label with parts, and each choice of the other labels.
    assert_eq!(made.table.equations().len(), 10 * 3 + 4 * (3 * 3) + 3 * 10);
    assert_eq!(made.dimensions[1].labels, ["c1.1", "c1.2", "c1", "c2.1", "c2.2", "c2", "c3.1", "c3.2", "c3", "Total"]);
    assert_eq!(made.dimensions.iter().map(|labels| labels.name.as_str()).collect::<Vec<_>>(), ["r", "c", "s"]);
    assert_eq!(made.table.cells()[0].id, CellId::Text("r1/c1.1/s1".to_owned()));
    assert_eq!(made.table.cells()[89].id, CellId::Text("Total/Total/Total".to_owned()));
}

#[test]
fn the_share_of_primaries_is_of_the_innermost_cells_that_are_not_empty() {
    let made = made(&Shape { primaries: Primaries::Share(0.1), ..shape("20,20") }, 1);
    assert_eq!(count(&made, Status::Primary), 40);
    assert_eq!(count(&made, Status::Fixed), 0);
    assert_eq!(
        count(&generate(&Shape { primaries: Primaries::Share(0.0), ..shape("9,9") }, 1).unwrap(), Status::Primary),
        0
    );
    let few = Shape { primaries: Primaries::Share(0.0001), ..shape("9,9") };
    assert_eq!(count(&generate(&few, 1).unwrap(), Status::Primary), 1);
}

#[test]
fn small_values_are_primary_by_a_threshold() {
    let made = made(&Shape { primaries: Primaries::UpTo(4), ..shape("60,60") }, 3);
    for cell in made.table.cells() {
        assert_eq!(cell.status == Status::Primary, (1.0..=4.0).contains(&cell.value), "{cell:?}");
    }
    let primaries = count(&made, Status::Primary);
    assert!((10..60).contains(&primaries), "about 4 in 499 of 3,600: {primaries}");
}

#[test]
fn empty_cells_are_published() {
    let made = made(&Shape { zeros: 0.4, ..shape("40,40") }, 2);
    let empty = made.table.cells().iter().filter(|cell| cell.value == 0.0).count();
    assert_eq!(empty, count(&made, Status::Fixed));
    assert!((540..740).contains(&empty), "about 640: {empty}");
    assert!(made.table.cells().iter().all(|cell| cell.value > 0.0 || cell.levels == Levels::default()));
}

#[test]
fn bounds_weights_and_levels_are_what_was_asked_for() {
    let tight = Shape { bounds: Bounds::TIGHT, upper: 0.2, sliding: 0.4, weights: Weights::Unit, ..shape("6,6") };
    for cell in made(&tight, 4).table.cells() {
        assert_eq!((cell.lower, cell.upper), ((cell.value / 2.0).floor(), (cell.value * 1.5).ceil()));
        assert_eq!(cell.weight, 1.0);
        if cell.status == Status::Primary {
            assert!((cell.levels.upper - 0.2 * cell.value).abs() <= 1e-3 && cell.levels.upper > 0.0);
            assert!((cell.levels.sliding - 0.4 * cell.value).abs() <= 1e-3);
        }
    }
    let multiple = made(&Shape { bounds: Bounds::Multiple(3.0), weights: Weights::Log, ..shape("6,6") }, 4);
    let total = multiple.table.cells().last().unwrap().value;
    for cell in multiple.table.cells() {
        assert_eq!((cell.lower, cell.upper, cell.weight), (0.0, 3.0 * total, cell.value.ln_1p()));
    }
    let random = made(&Shape { weights: Weights::Random, ..shape("6,6") }, 4);
    assert!(
        random.table.cells().iter().all(|cell| (1.0..=100.0).contains(&cell.weight) && cell.upper == f64::INFINITY)
    );
}

#[test]
fn singletons_attack_with_what_they_know() {
    let made = made(&Shape { primaries: Primaries::Share(0.2), singletons: 0.5, ..shape("5,5") }, 8);
    assert_eq!(made.table.attackers().len(), 3, "half of five, rounded");
    for attacker in made.table.attackers() {
        let [(cell, lower, upper)] = attacker.bounds[..] else { panic!("it knows one cell") };
        let facts = &made.table.cells()[cell];
        assert_eq!((lower, upper, facts.status), (facts.value, facts.value, Status::Primary));
        assert_eq!(attacker.levels, [(cell, Levels::default())]);
    }
}

#[test]
fn a_seed_repeats_a_table_and_another_does_not() {
    let shape = Shape { zeros: 0.2, weights: Weights::Random, ..shape("7,2x3") };
    assert_eq!(made(&shape, 11), made(&shape, 11));
    assert_ne!(made(&shape, 11), made(&shape, 12));
}

#[test]
fn shapes_of_which_there_is_no_table() {
    assert_eq!(refusal(&Shape { dimensions: Vec::new(), ..Shape::default() }), "a table needs at least one dimension");
    let empty = Shape { dimensions: vec![Dimension::flat(2), Dimension { branches: vec![2, 0] }], ..Shape::default() };
    assert_eq!(refusal(&empty), "dimension 2 has a size of 0, expected 1 or more everywhere");
    assert_eq!(refusal(&shape("10000,10000")), "the table would have more than 20000000 cells; make it smaller");
    let huge = Shape { dimensions: vec![Dimension::flat(usize::MAX); 3], ..Shape::default() };
    assert_eq!(generate(&huge, 0), Err(ShapeError::TooLarge));
    let deep = Shape { dimensions: vec![Dimension { branches: vec![1; 100] }], ..Shape::default() };
    assert_eq!(refusal(&deep), "dimension 1 has 100 levels, expected at most 30");
    assert_eq!(
        refusal(&Shape { largest: u32::MAX, ..shape("3000,3000") }),
        "the grand total could exceed 2^53, beyond which sums are not exact; lower the largest value"
    );
    assert_eq!(refusal(&Shape { largest: 0, ..shape("2") }), "the largest value is 0, expected 1 or more");
    assert_eq!(refusal(&Shape { zeros: 1.5, ..shape("2") }), "the share of empty cells is 1.5, expected 0 to 1");
    assert_eq!(
        refusal(&Shape { primaries: Primaries::Share(f64::NAN), ..shape("2") }),
        "the share of primaries is NaN, expected 0 to 1"
    );
    assert_eq!(refusal(&Shape { singletons: -1.0, ..shape("2") }), "the share of singletons is -1, expected 0 to 1");
    assert_eq!(
        refusal(&Shape { bounds: Bounds::Multiple(0.5), ..shape("2") }),
        "the multiple of the grand total is 0.5, expected 1 or more"
    );
    assert_eq!(
        refusal(&Shape { bounds: Bounds::Within(f64::INFINITY), ..shape("2") }),
        "the share of bounds is inf, expected 0 or more"
    );
    assert_eq!(refusal(&Shape { upper: -0.1, ..shape("2") }), "the upper protection level is -0.1, expected 0 or more");
    assert_eq!(
        refusal(&Shape { bounds: Bounds::Within(0.25), lower: 0.5, ..shape("2") }),
        "the lower protection level is 0.5 of the value, but bounds within 0.25 of the value let nobody doubt more than 0.25; \
        lower it or widen them"
    );
    assert_eq!(
        "3x0".parse::<Dimension>(),
        Err("\"3x0\" is no size; expected a number as 10, or groups as 3x4 for three groups of four".to_owned())
    );
}

fn any_dimension() -> impl Strategy<Value = Dimension> {
    vec(1_usize..4, 1..3).prop_map(|branches| Dimension { branches })
}

fn any_shape() -> impl Strategy<Value = Shape> {
    let bounds =
        prop_oneof![Just(Bounds::Wide), (1.2..9.0).prop_map(Bounds::Multiple), (0.2..2.0).prop_map(Bounds::Within)];
    let primaries = prop_oneof![(0.0..1.0).prop_map(Primaries::Share), (0_u32..200).prop_map(Primaries::UpTo)];
    let level = 0.0..0.2;
    (vec(any_dimension(), 1..4), 0.0..1.0, 1_u32..600, primaries, bounds, [level.clone(), level.clone(), level])
        .prop_map(|(dimensions, zeros, largest, primaries, bounds, [lower, upper, sliding])| Shape {
            dimensions,
            zeros,
            largest,
            primaries,
            bounds,
            lower,
            upper,
            sliding: 2.0 * sliding,
            ..Shape::default()
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_margin_is_the_sum_of_what_lies_below(shape in any_shape(), seed: u64) {
        let made = made(&shape, seed);
        let values: Vec<f64> = made.table.cells().iter().map(|cell| cell.value).collect();
        prop_assert_eq!(values, sums_of_leaves(&made));
    }

    #[test]
    fn every_level_is_within_reach_once_everything_is_hidden(shape in any_shape(), seed: u64) {
        let table = made(&shape, seed).table;
        let largest = table.cells().iter().map(|cell| cell.value).fold(1.0, f64::max);
        let (room, mut attack) = (Room::of(&table, 0), Attack::new(&table, &Highs, largest));
        let may_vary = |cell: usize| table.cells()[cell].status != Status::Fixed;
        attack.open(
            |cell| if may_vary(cell) { room.down[cell] } else { 0.0 },
            |cell| if may_vary(cell) { room.up[cell] } else { 0.0 },
        );
        for Demand { cell, side, level, .. } in Demand::of(&table) {
            let up = attack.reach(cell, Direction::Up).unwrap();
            let down = attack.reach(cell, Direction::Down).unwrap();
            let reach = match side {
                Side::Upper => up,
                Side::Lower => down,
                Side::Width => up + down,
            };
            prop_assert!(reach >= level * (1.0 - 1e-6), "{:?} of {}: {} of {}", side, table.cells()[cell].id, reach, level);
        }
    }
}
