//! Assignments by hand and by laws; values, processors and formats by hand.

mod assignment;
mod display;
mod kmp;
mod laws;
mod nested;
mod processors;
mod rules;
mod values;
