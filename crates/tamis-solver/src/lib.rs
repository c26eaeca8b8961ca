//! Linear and integer programs behind one small trait, so that the solver is a choice and not a habit.
