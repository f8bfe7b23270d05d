//! The hardware threads that a team is bound to, by their place in the hierarchy.

use numalab_machine::{CoreId, Fabric, Machine};
use numalab_openmp::binding::Binding;

/// A hardware thread. Its number in the operating system follows from the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HardwareThread {
    /// Number of the core, in the order of the hierarchy.
    pub core: u32,
    /// Number within the core.
    pub thread: u32,
}

/// Threads on adjacent cores, or on cores as far apart as there are idle ones between them. Threads beyond the cores
/// share the first ones.
pub fn team(machine: &Machine, threads: u32, spread: bool) -> Vec<HardwareThread> {
    let all = cores(machine);
    let used = threads.min(all);
    let on_core = |at| {
        let core = if spread { at * all / used } else { at };
        let mates = threads / used + u32::from(at < threads % used);
        (0..mates).map(move |thread| HardwareThread { core, thread })
    };
    (0..used).flat_map(on_core).collect()
}

/// Cores of a machine.
pub fn cores(machine: &Machine) -> u32 {
    machine.levels.iter().map(|level| level.count).product()
}

/// One place for each thread of the team.
pub fn places(team: &[HardwareThread], fabric: &Fabric) -> Result<Binding, String> {
    let number = |HardwareThread { core, thread }: &HardwareThread| fabric.os_number(CoreId(*core), *thread);
    let places: Vec<String> = team.iter().map(|at| format!("{{{}}}", number(at).number())).collect();
    Binding::parse(Some(&places.join(",")), Some("close")).map_err(|error| error.to_string())
}
