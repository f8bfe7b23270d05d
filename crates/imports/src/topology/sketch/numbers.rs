//! The operating system's numbering of processors.

use super::{Unsuited, cores::Core};
use numalab_machine::{Fabric, Machine, Numbering, ProcessorId};

/// Sets the machine's numbering to one that puts the processors in the operating system's order, if there is one;
/// otherwise to the default, with a warning. Returns the operating system's numbers in the machine's order.
pub(super) fn numbering(
    machine: &mut Machine,
    cores: &[Core],
    warnings: &mut Vec<String>,
) -> Result<Vec<u32>, Unsuited> {
    let ways = [Numbering::CoresFirst, Numbering::ThreadsFirst, Numbering::RoundRobinSockets];
    for way in ways {
        machine.numbering = way;
        let numbers = numbers(machine, cores)?;
        if numbers.is_sorted() {
            return Ok(numbers);
        }
    }
    warnings.push("the operating system numbers processors in a way that the model does not know".to_owned());
    machine.numbering = Numbering::default();
    numbers(machine, cores)
}

/// The operating system's numbers of all processors, in the machine's order.
fn numbers(machine: &Machine, cores: &[Core]) -> Result<Vec<u32>, Unsuited> {
    let fabric = Fabric::new(machine).map_err(|problems| {
        let first = problems.first().map_or(String::new(), ToString::to_string);
        Unsuited::new(format!("this machine cannot be simulated: {first}"))
    })?;
    let number = |at: u32| {
        let processor = fabric.processor(ProcessorId::new(at));
        cores.get(processor.core.0 as usize)?.threads.get(processor.thread as usize).copied()
    };
    let numbers: Option<Vec<u32>> = (0..fabric.processors()).map(number).collect();
    numbers.ok_or_else(|| Unsuited::new("cores are missing from the topology".to_owned()))
}
