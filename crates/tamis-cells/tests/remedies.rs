//! What would bring a level within reach is tried: with the change made, the level must be within reach.

use tamis_cells::attack::{Attack, Direction, Room};
use tamis_cells::protect::OutOfReach;
use tamis_cells::remedy::{Remedy, remedies};
use tamis_cells::{CellTable, Demand, Side, Status, format};
use tamis_highs::Highs;

/// A primary in a sum of four whose other cells must be published, or are known closely.
fn table(others: &str) -> CellTable {
    let text = format!(
        r#"{{ "cells": [ {{ "id": "a", "value": 10, "status": "primary", "upl": 4, "lpl": 4 }},
            {{ "id": "b", "value": 20, {others} }}, {{ "id": "c", "value": 30, {others} }}, {{ "id": "sum", "value": 60, {others} }} ],
          "equations": [ {{ "terms": [["a", 1], ["b", 1], ["c", 1], ["sum", -1]] }} ] }}"#
    );
    format::read(text.as_bytes(), "a table").expect("a table")
}

/// How far the first cell reaches upwards with everything hidden that may be hidden.
fn reach(table: &CellTable) -> f64 {
    let room = Room::of(table, 0);
    let mut attack = Attack::new(table, &Highs, 1.0);
    let open =
        |cell: usize, room: &[f64]| if table.cells()[cell].status == Status::Fixed { 0.0 } else { room[cell].min(1e6) };
    attack.open(|cell| open(cell, &room.down), |cell| open(cell, &room.up));
    attack.reach(0, Direction::Up).expect("an answer")
}

fn out_of_reach(table: &CellTable, side: Side, level: f64) -> OutOfReach {
    OutOfReach { demand: Demand { cell: 0, attacker: 0, side, level }, reach: reach(table) }
}

/// The table with other facts about some cells.
fn changed(table: &CellTable, cells: &[usize], change: impl Fn(&mut tamis_cells::Cell)) -> CellTable {
    let mut own = table.cells().to_vec();
    for &cell in cells {
        change(&mut own[cell]);
    }
    CellTable::new(own, table.equations().to_vec(), Vec::new()).expect("a table")
}

#[test]
fn one_published_cell_less_is_enough() {
    let table = table(r#""status": "fixed""#);
    let level = out_of_reach(&table, Side::Upper, 4.0);
    assert!(level.reach < 4.0);
    let told = remedies(&table, &level, &Highs);
    let [Remedy::Free(cells), Remedy::Lower] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!(cells.len(), 1, "none that can be spared: {cells:?}");
    assert!(reach(&changed(&table, cells, |cell| cell.status = Status::Free)) >= 4.0 - 1e-9);
}

#[test]
fn wider_bounds_are_named_where_cells_are_known_too_closely() {
    let table = changed(&table(r#""status": "free""#), &[1, 2, 3], |cell| {
        (cell.lower, cell.upper) = (cell.value - 1.0, cell.value + 1.0);
    });
    let level = out_of_reach(&table, Side::Upper, 4.0);
    assert!((level.reach - 3.0).abs() < 1e-9);
    let told = remedies(&table, &level, &Highs);
    let [Remedy::Bounds(cells), Remedy::Lower] = told.as_slice() else { panic!("{told:?}") };
    let wide = changed(&table, cells, |cell| (cell.lower, cell.upper) = (f64::NEG_INFINITY, f64::INFINITY));
    assert!(reach(&wide) >= 4.0 - 1e-9);
}

#[test]
fn bounds_of_the_cell_itself_come_first() {
    let table = changed(&table(r#""status": "free""#), &[0], |cell| cell.upper = 12.0);
    let told = remedies(&table, &out_of_reach(&table, Side::Upper, 4.0), &Highs);
    assert_eq!(told, [Remedy::OwnBounds { lower: None, upper: Some(14.0) }, Remedy::Lower]);
    let narrow = changed(&table, &[0], |cell| cell.lower = 9.0);
    let told = remedies(&narrow, &out_of_reach(&narrow, Side::Width, 10.0), &Highs);
    assert_eq!(told[0], Remedy::OwnBounds { lower: Some(5.0), upper: Some(15.0) });
}
