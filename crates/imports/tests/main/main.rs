//! Tests of the readers of other programs' output, through the public interface.

mod foreign;
mod measurements;
mod support;
mod topology;
