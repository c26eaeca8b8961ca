//! The published figures agree with each other and with the bundled hierarchies.

use tamis_adult::{PUBLISHED, QUASI_IDENTIFIERS, ROWS};

fn close(left: f64, right: f64) -> bool {
    (left - right).abs() <= 3e-16 * right.abs()
}

#[test]
fn names_say_the_setting() {
    for row in &PUBLISHED {
        let k = row.setting.k;
        let name = match (row.setting.c, row.setting.l, row.setting.t) {
            (None, None, None) => format!("k{k}"),
            (Some(c), Some(l), None) => format!("k{k}_c{c}_l{l}"),
            (None, None, Some(t)) => format!("k{k}_t{t:?}"),
            other => panic!("{}: {other:?}", row.name),
        };
        assert_eq!(row.name, name);
    }
}

#[test]
fn counts_add_up() {
    for row in &PUBLISHED {
        assert_eq!(row.rows.kept + row.rows.suppressed, ROWS as u64, "{}", row.name);
        assert!(row.classes.min >= row.setting.k && row.classes.min <= row.classes.max, "{}", row.name);
        assert_eq!(row.classes.average, row.rows.kept as f64 / row.classes.count as f64, "{}", row.name);
        assert!(close(row.risk.average, row.classes.count as f64 / row.rows.kept as f64), "{}", row.name);
        assert!(close(row.risk.max, 1.0 / row.classes.min as f64), "{}", row.name);
        assert_eq!(row.risk.at_risk > 0.0, row.classes.min < 10, "{}", row.name);
        assert!(row.age.mode_count >= row.rows.suppressed && row.age.mode_count <= ROWS as u64, "{}", row.name);
    }
}

#[test]
fn printed_losses_are_the_full_ones_with_fewer_digits() {
    for row in &PUBLISHED {
        let single = row.loss.full as f32 * 100.0;
        let is_single = single.to_string() == row.loss.printed_percent.to_string();
        let expects_single = row.setting.k == 25 || row.setting.c.is_some() || row.setting.t.is_some();
        assert_eq!(is_single, expects_single, "{}", row.name);
        assert!(is_single || close(row.loss.printed_percent, row.loss.full * 100.0), "{}", row.name);
    }
}

#[test]
fn levels_exist_in_the_hierarchies() {
    for (column, name) in QUASI_IDENTIFIERS.into_iter().enumerate() {
        let text = tamis_adult::hierarchy(name).expect("every quasi-identifier has a hierarchy");
        let columns = text.lines().next().map_or(0, |line| line.split(';').count());
        assert!(PUBLISHED.iter().all(|row| usize::from(row.levels[column]) < columns), "{name}");
    }
}
