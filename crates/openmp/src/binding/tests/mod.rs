//! Assignments by hand and by laws; values, processors and formats by hand.

mod assignment;
mod display;
mod laws;
mod nested;
mod processors;
mod values;
