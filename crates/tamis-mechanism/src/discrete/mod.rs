//! Random numbers with exactly the probabilities they are said to have.
//!
//! Noise drawn by way of floating point has gaps that give the true answer away (Mironov 2012). Here whole numbers are drawn from whole
//! numbers only, after Canonne, Kamath and Steinke (2020, "The discrete Gaussian for differential privacy"). No file of this
//! folder knows floating point; a test sees to it.
//!
//! How long a draw takes depends on what is drawn. That is no leak for a release that is computed once and then published; do not put
//! these functions behind a service that lets strangers measure time.

mod bernoulli;
mod dice;
mod gap;
mod laplace;

pub use bernoulli::{bernoulli, bernoulli_exp, bernoulli_power};
pub use dice::{Dice, Draw};
pub use gap::Gaps;
pub use laplace::DiscreteLaplace;
