mod brute_force;
mod properties;
mod strategies;
