//! How many small cells a target still allows.

use super::costs::Target;

/// The cells of each limited size so far.
pub(super) struct Budget {
    most: Vec<u32>,
    cells: Vec<u32>,
    /// What a cell of each size adds to the number that orders as vectors do; none if it would not fit.
    places: Option<Vec<u128>>,
    spent: u128,
}

impl Budget {
    pub(super) fn new(target: &Target) -> Self {
        let most: Vec<u32> = (1..=target.largest_limited()).map(|size| target.most_of(size).unwrap_or(0)).collect();
        let mut places = vec![0; most.len()];
        let mut place = Some(1_u128);
        for (at, &most) in most.iter().enumerate().rev() {
            places[at] = place.unwrap_or(0);
            place = place.and_then(|place| place.checked_mul(u128::from(most) + 1));
        }
        Self { cells: vec![0; most.len()], places: place.map(|_| places), most, spent: 0 }
    }

    /// One more cell of this size; false if that is more than the target allows.
    pub(super) fn add(&mut self, size: usize) -> bool {
        let Some(at) = size.checked_sub(1).filter(|&at| at < self.most.len()) else { return true };
        self.cells[at] += 1;
        if let Some(places) = &self.places {
            self.spent += places[at];
        }
        self.cells[at] <= self.most[at]
    }

    /// One cell less.
    pub(super) fn remove(&mut self, size: usize) {
        let Some(at) = size.checked_sub(1).filter(|&at| at < self.most.len()) else { return };
        self.cells[at] -= 1;
        if let Some(places) = &self.places {
            self.spent -= places[at];
        }
    }

    /// All cells so far as one number that orders as their vector does, while no limit is passed; none if it would not fit.
    pub(super) fn spent(&self) -> Option<u128> {
        self.places.as_ref().map(|_| self.spent)
    }
}
