//! `numalab calibrate synthesize`: simulated measurements of a given machine.

use crate::commands::load;
use crate::failure::Failure;
use crate::flags::CalibrateSynthesize;
use crate::output::{Destination, check_apart};
use numalab_calibrate::fit::Subject;

/// Simulates every measurement, adds noise and writes the file.
pub fn run(flags: &CalibrateSynthesize) -> Result<(), Failure> {
    let output = Destination::from(flags.output.clone());
    check_apart(&[("the measurements", &output)])?;
    let machine = load::machine(&flags.machine, &flags.set)?.value;
    let runtime = load::runtime_on(flags.runtime.as_deref(), &machine)?.value;
    output.spare_inputs()?;
    if machine.dsm.is_some() {
        return Err(Failure::request(
            format!(
                "{} shares memory between its nodes by pages in software, where the kernels do not measure",
                flags.machine
            ),
            "name a machine with hardware coherence, such as one node of it written as \"socket:2 core:4\"",
        ));
    }
    let subject = Subject::new(machine, runtime);
    let text = numalab_calibrate::synthesize(&subject, flags.noise / 100.0, flags.seed)?;
    output.write(text.as_bytes())
}
