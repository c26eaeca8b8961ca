//! The fitted model: states of a column given the state of the column it depends on.

use super::dependency_forest::{Node, dependency_forest};
use super::{Model, Synthesize};
use rand::RngExt;
use rand_chacha::ChaCha20Rng;
use tamis_table::Members;

/// Rows stand for their frequencies: a random row among those whose parent has the given state has each state of the child as often
/// as the table of both says, so no table has to be stored.
pub(super) struct Fitted<'a> {
    states: &'a [Vec<u32>],
    pub(super) forest: Vec<Node>,
    smoothing: f64,
}

impl<'a> Fitted<'a> {
    pub(super) fn of(step: &Synthesize, states: &'a [Vec<u32>]) -> Self {
        let forest = match step.model {
            Model::Tree => dependency_forest(states),
            Model::Independent => (0..states.len()).map(|column| Node { column, parent: None }).collect(),
        };
        Self { states, forest, smoothing: step.smoothing }
    }

    /// Draws the states of all columns for new rows, column by column.
    pub(super) fn draw(&self, rows: usize, dice: &mut ChaCha20Rng) -> Vec<Vec<u32>> {
        let mut drawn: Vec<Vec<u32>> = vec![Vec::new(); self.states.len()];
        for &Node { column, parent } in &self.forest {
            let states = &self.states[column];
            drawn[column] = match parent {
                None => (0..rows).map(|_| any_of(states, dice)).collect(),
                Some(parent) => self.draw_given(states, &self.states[parent], &drawn[parent], dice),
            };
        }
        drawn
    }

    fn draw_given(&self, states: &[u32], parents: &[u32], given: &[u32], dice: &mut ChaCha20Rng) -> Vec<u32> {
        let count = parents.iter().max().map_or(0, |&state| state as usize + 1);
        let members = Members::of(parents, count);
        let mut drawn = Vec::with_capacity(given.len());
        for &state in given {
            let alike = members.group(state as usize);
            let forgets = dice.random::<f64>() * (alike.len() as f64 + self.smoothing) < self.smoothing;
            drawn.push(if forgets { any_of(states, dice) } else { states[any_of(alike, dice) as usize] });
        }
        drawn
    }
}

fn any_of(values: &[u32], dice: &mut ChaCha20Rng) -> u32 {
    values[dice.random_range(0..values.len())]
}
