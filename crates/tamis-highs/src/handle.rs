//! The calls into the C library, each with a safe face: lengths are taken from the slices that are passed.
//!
//! Why this is sound: the pointer comes from `Highs_create`, is owned by one [`Handle`], is never copied out and is freed once,
//! in `drop`. Every array handed over has the length that the library's header asks for, asserted here where it depends on
//! the caller, and the library keeps none of them. HiGHS keeps no state that threads share for simplex runs on one
//! thread, so that a handle may move to another thread (`Send`), but not be used by two at once (not `Sync`).
#![allow(unsafe_code)]

use std::ffi::{CStr, c_void};

use highs_sys as sys;

pub(crate) type Int = sys::HighsInt;

/// Rows in the compressed form the library reads.
#[derive(Default)]
pub(crate) struct SparseRows {
    pub(crate) lower: Vec<f64>,
    pub(crate) upper: Vec<f64>,
    pub(crate) starts: Vec<Int>,
    pub(crate) columns: Vec<Int>,
    pub(crate) coefficients: Vec<f64>,
}

/// One instance of the library.
pub(crate) struct Handle(*mut c_void);

// SAFETY: see the head of this file.
unsafe impl Send for Handle {}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the pointer is ours and is not used again.
        unsafe { sys::Highs_destroy(self.0) }
    }
}

impl Handle {
    pub(crate) fn new() -> Self {
        // SAFETY: no arguments.
        Self(unsafe { sys::Highs_create() })
    }

    pub(crate) fn set_switch(&mut self, name: &CStr, on: bool) {
        // SAFETY: a live handle and a text that ends with a zero byte.
        unsafe { sys::Highs_setBoolOptionValue(self.0, name.as_ptr(), Int::from(on)) };
    }

    pub(crate) fn set_integer(&mut self, name: &CStr, value: Int) {
        // SAFETY: as above.
        unsafe { sys::Highs_setIntOptionValue(self.0, name.as_ptr(), value) };
    }

    pub(crate) fn set_number(&mut self, name: &CStr, value: f64) {
        // SAFETY: as above.
        unsafe { sys::Highs_setDoubleOptionValue(self.0, name.as_ptr(), value) };
    }

    pub(crate) fn set_text(&mut self, name: &CStr, value: &CStr) {
        // SAFETY: as above, for both texts.
        unsafe { sys::Highs_setStringOptionValue(self.0, name.as_ptr(), value.as_ptr()) };
    }

    /// Whether the library took them; if not, nothing is as it was.
    #[must_use]
    pub(crate) fn add_columns(&mut self, costs: &[f64], lower: &[f64], upper: &[f64]) -> bool {
        assert!(costs.len() == lower.len() && costs.len() == upper.len());
        let none: [Int; 0] = [];
        // SAFETY: three arrays of one length, and no entries: their arrays may be empty.
        let status = unsafe {
            sys::Highs_addCols(
                self.0,
                length(costs),
                costs.as_ptr(),
                lower.as_ptr(),
                upper.as_ptr(),
                0,
                none.as_ptr(),
                none.as_ptr(),
                [].as_ptr(),
            )
        };
        status != sys::STATUS_ERROR
    }

    /// Whether the library took them; if not, nothing is as it was.
    #[must_use]
    pub(crate) fn add_rows(&mut self, rows: &SparseRows) -> bool {
        assert!(rows.lower.len() == rows.upper.len() && rows.lower.len() == rows.starts.len());
        assert!(rows.columns.len() == rows.coefficients.len());
        // SAFETY: lengths as asserted; starts are positions in the two arrays of entries.
        let status = unsafe {
            sys::Highs_addRows(
                self.0,
                length(&rows.lower),
                rows.lower.as_ptr(),
                rows.upper.as_ptr(),
                length(&rows.columns),
                rows.starts.as_ptr(),
                rows.columns.as_ptr(),
                rows.coefficients.as_ptr(),
            )
        };
        status != sys::STATUS_ERROR
    }

    /// Whether the library took the set, which it checks.
    #[must_use]
    pub(crate) fn delete_rows(&mut self, ascending: &[Int]) -> bool {
        // SAFETY: the library checks the order and the range of the set.
        let status = unsafe { sys::Highs_deleteRowsBySet(self.0, length(ascending), ascending.as_ptr()) };
        status != sys::STATUS_ERROR
    }

    /// Whether the library took the set, which it checks.
    #[must_use]
    pub(crate) fn set_costs(&mut self, columns: &[Int], costs: &[f64]) -> bool {
        assert!(columns.len() == costs.len());
        // SAFETY: two arrays of one length; the library checks the set.
        let status =
            unsafe { sys::Highs_changeColsCostBySet(self.0, length(columns), columns.as_ptr(), costs.as_ptr()) };
        status != sys::STATUS_ERROR
    }

    /// Whether the library took the set and the bounds, which it checks.
    #[must_use]
    pub(crate) fn set_bounds(&mut self, columns: &[Int], lower: &[f64], upper: &[f64]) -> bool {
        assert!(columns.len() == lower.len() && columns.len() == upper.len());
        // SAFETY: three arrays of one length; the library checks the set.
        let status = unsafe {
            sys::Highs_changeColsBoundsBySet(self.0, length(columns), columns.as_ptr(), lower.as_ptr(), upper.as_ptr())
        };
        status != sys::STATUS_ERROR
    }

    /// Forgets values and basis, so that the next run starts from scratch.
    pub(crate) fn forget(&mut self) {
        // SAFETY: a live handle.
        unsafe { sys::Highs_clearSolver(self.0) };
    }

    /// Runs and tells the model status.
    pub(crate) fn run(&mut self) -> Int {
        // SAFETY: a live handle.
        unsafe {
            if sys::Highs_run(self.0) == sys::STATUS_ERROR {
                return sys::MODEL_STATUS_SOLVE_ERROR;
            }
            sys::Highs_getModelStatus(self.0)
        }
    }

    /// The seconds of all runs so far, which the option `time_limit` is compared with.
    pub(crate) fn run_time(&self) -> f64 {
        // SAFETY: a live handle.
        unsafe { sys::Highs_getRunTime(self.0) }
    }

    pub(crate) fn objective(&self) -> f64 {
        // SAFETY: a live handle.
        unsafe { sys::Highs_getObjectiveValue(self.0) }
    }

    pub(crate) fn integer_fact(&self, name: &CStr) -> Int {
        let mut value = 0;
        // SAFETY: a live handle, a text that ends with a zero byte, a place for one number.
        unsafe { sys::Highs_getIntInfoValue(self.0, name.as_ptr(), &raw mut value) };
        value
    }

    /// Fills values and duals of columns and rows; the slices must be as long as the program has columns and rows.
    pub(crate) fn read_solution(&self, columns: [&mut [f64]; 2], rows: [&mut [f64]; 2]) {
        let ([values, reduced_costs], [activities, prices]) = (columns, rows);
        self.assert_size(values.len(), activities.len());
        assert!(values.len() == reduced_costs.len() && activities.len() == prices.len());
        // SAFETY: lengths as asserted.
        unsafe {
            sys::Highs_getSolution(
                self.0,
                values.as_mut_ptr(),
                reduced_costs.as_mut_ptr(),
                activities.as_mut_ptr(),
                prices.as_mut_ptr(),
            )
        };
    }

    pub(crate) fn read_basis(&self, columns: &mut [Int], rows: &mut [Int]) {
        self.assert_size(columns.len(), rows.len());
        // SAFETY: lengths as asserted.
        unsafe { sys::Highs_getBasis(self.0, columns.as_mut_ptr(), rows.as_mut_ptr()) };
    }

    pub(crate) fn set_basis(&mut self, columns: &[Int], rows: &[Int]) {
        self.assert_size(columns.len(), rows.len());
        // SAFETY: lengths as asserted.
        unsafe { sys::Highs_setBasis(self.0, columns.as_ptr(), rows.as_ptr()) };
    }

    fn assert_size(&self, columns: usize, rows: usize) {
        // SAFETY: a live handle.
        let (has_columns, has_rows) = unsafe { (sys::Highs_getNumCol(self.0), sys::Highs_getNumRow(self.0)) };
        assert!(usize::try_from(has_columns) == Ok(columns) && usize::try_from(has_rows) == Ok(rows));
    }
}

/// The length of a slice as the library counts. Programs have far fewer than 2^31 entries: memory ends before.
fn length<T>(slice: &[T]) -> Int {
    Int::try_from(slice.len()).expect("fewer than 2^31 entries")
}
