//! Microaggregation, condensation and synthesis as steps of a policy.

use crate::tables;

use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};
use serde::Deserialize;
use tables::table;
use tamis_transform::{Input, NoFiles, Step};

type Failure = Box<dyn std::error::Error>;

#[derive(Debug, Deserialize)]
struct Policy {
    steps: Vec<Step>,
}

#[test]
fn steps_are_read_from_a_policy_and_applied_one_after_the_other() -> Result<(), Failure> {
    let policy: Policy = toml::from_str(
        r#"
        [[steps]]
        kind = "synthesize"
        rows = 90
        model = "independent"
        [[steps]]
        kind = "condense"
        k = 10
        draw = "normal"
        [[steps]]
        kind = "microaggregate"
        columns = ["x", "y"]
        k = 3
        centre = "median"
        "#,
    )?;
    let x: Vec<String> = (0..30).map(|row| (row * 7 % 30).to_string()).collect();
    let y: Vec<String> = (0..30).map(|row| (row * 11 % 30).to_string()).collect();
    let mut current = table(&[("x", &x), ("y", &y)])?;
    let mut dice = ChaCha20Rng::seed_from_u64(1);
    for step in &policy.steps {
        let input = Input { table: &current, groups: None, dice: &mut dice, files: &NoFiles };
        current = step.apply(input)?.tables.remove(0).table;
    }
    assert_eq!(current.rows(), 90);
    let row = |row: usize| (current.columns()[0].text(row), current.columns()[1].text(row));
    assert!((0..90).all(|one| (0..90).filter(|&other| row(other) == row(one)).count() >= 3));
    Ok(())
}

#[test]
fn what_a_step_does_not_know_or_lacks_is_refused() {
    let refused = |text: &str| toml::from_str::<Policy>(text).map(|_| ()).map_err(|error| error.to_string());
    let lacks = refused("[[steps]]\nkind = \"microaggregate\"\ncolumns = [\"x\"]\n");
    assert!(lacks.is_err_and(|sentence| sentence.contains("missing field `k`")));
    let unknown = refused("[[steps]]\nkind = \"condense\"\nk = 3\nsize = 4\n");
    assert!(unknown.is_err_and(|sentence| sentence.contains("unknown field `size`")));
    let model = refused("[[steps]]\nkind = \"synthesize\"\nmodel = \"oracle\"\n");
    assert!(model.is_err_and(|sentence| sentence.contains("oracle")));
}
