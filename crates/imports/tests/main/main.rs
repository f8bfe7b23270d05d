//! Reading what other programs print, from outside the crate.

mod foreign;
mod measurements;
mod support;
mod topology;
