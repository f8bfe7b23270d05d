//! pareto.
