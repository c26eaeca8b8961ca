//! Tables of totals by name: dimensions and their hierarchies, contributions and the rules that make cells confidential,
//! the files they come from and go to, and the page that shows them.
