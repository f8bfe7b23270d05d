//! `numalab calibrate`: measures a computer and fits a machine file to it.

mod bar;
mod doctor;
mod export;
mod fit;
mod run;
mod synthesize;

use crate::failure::Failure;
use crate::flags::{Calibrate, CalibrateStep};

pub fn run(flags: &Calibrate) -> Result<(), Failure> {
    match &flags.step {
        CalibrateStep::Run(flags) => run::run(flags),
        CalibrateStep::Export(flags) => export::run(flags),
        CalibrateStep::Fit(flags) => fit::run(flags),
        CalibrateStep::Doctor(flags) => doctor::run(flags),
        CalibrateStep::Synthesize(flags) => synthesize::run(flags),
    }
}
