//! The 24 published results on the Adult census data.

use crate::adult;

use tamis_engine::{Limits, Recoding, optimal};

#[test]
fn all_24_published_adult_results_are_found_and_proven() {
    let table = adult::table();
    for published in tamis_adult::PUBLISHED {
        let problem = adult::problem(&table, &adult::requirements(&published.setting));
        let solution = optimal(&problem, &Limits::default(), &mut ()).unwrap();
        assert!(solution.is_optimal);
        let levels: Vec<usize> = published.levels.iter().map(|&level| usize::from(level)).collect();
        assert_eq!(solution.levels, levels, "{}", published.name);
        let loss = solution.score.value();
        assert!((loss - published.loss.full).abs() <= 1e-15, "{}: {loss}", published.name);
        let figures = Recoding::of(&problem, &solution.levels).statistics();
        let expected = published.classes;
        assert_eq!((figures.count, figures.min, figures.max), (expected.count, expected.min, expected.max));
        assert_eq!(figures.average, expected.average);
        assert_eq!(figures.rows, published.rows.kept);
        assert_eq!(solution.tally.suppressed, published.rows.suppressed);
    }
}
