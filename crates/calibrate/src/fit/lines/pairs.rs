//! Classes of core-to-core rows: the parameter that a row determines, or the reason why it determines none.

use crate::fit::observation::Observation;
use crate::fit::target::FittedTable::{Cache, Core, Level};
use crate::fit::target::Target;
use numalab_base::Span;
use numalab_machine::{CoreId, Fabric, Machine, NodeId, ProcessorId};
use std::fmt;

/// Latency between two processors, as the machine file sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    /// Parameter that the latency determines.
    pub target: Target,
    /// One-way latency of the links between the two cores.
    pub way: Span,
    /// Numbers of the two processors, by which a simulation repeats the measurement.
    pub processors: (u32, u32),
}

/// Reason why a row determines no parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unused {
    /// The machine lacks a processor or a node of the row.
    Missing,
    /// No level of the machine has units of at least the cores that share the cache of this level.
    NoLevel(u8),
}

impl fmt::Display for Unused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unused::Missing => f.write_str("name a processor or a node that the machine has not"),
            Unused::NoLevel(cache) => write!(
                f,
                "are of cores that share no cache, and no level of the machine has units as large as the L{cache} cache's"
            ),
        }
    }
}

/// Parameter that a core-to-core row determines.
pub(super) fn pair(row: &Observation, machine: &Machine, fabric: &Fabric) -> Result<Pair, Unused> {
    let (a, b) = cores(row, machine, fabric).ok_or(Unused::Missing)?;
    let group = machine.shared_cache().map_or(1, |at| machine.caches[at].shared_by);
    let number = |core| fabric.os_number(CoreId(core), 0).number();
    let named = row.numbers("procs");
    let processors = if let [one, other] = named[..] { (one, other) } else { (number(a), number(b)) };
    let pair = |target| Pair { target, way: fabric.way(CoreId(a), CoreId(b)), processors };
    if a == b {
        return match machine.core.threads {
            0 | 1 => Err(Unused::Missing),
            _ => Ok(pair(Core.number(numalab_machine::Core::between_threads))),
        };
    }
    if let Some(at) = machine.shared_cache().filter(|_| a / group == b / group) {
        return Ok(pair(Cache(at).number(numalab_machine::Cache::core_to_core)));
    }
    // The outermost level on which the two processors are in different units.
    let inside = |at: usize| machine.levels[at + 1..].iter().map(|level| level.count).product::<u32>();
    let at = (0..machine.levels.len()).find(|at| a / inside(*at) != b / inside(*at));
    let at = at.ok_or(Unused::Missing)?;
    match inside(at) < group {
        true => Err(Unused::NoLevel(machine.shared_cache().map_or(0, |at| machine.caches[at].level))),
        false => Ok(pair(Level(at).number(numalab_machine::Level::core_to_core))),
    }
}

/// Kind of a core-to-core row in words: the innermost unit or cache that its processors share.
pub(in crate::fit) fn name(row: &Observation, machine: &Machine, fabric: &Fabric) -> String {
    let between = match pair(row, machine, fabric).map(|pair| pair.target.table) {
        Ok(Cache(at)) => format!("of one L{} cache", machine.caches[at].level),
        Ok(Level(at)) => format!("of two {}s", machine.levels[at].kind),
        Ok(Core) => "of one core".to_owned(),
        Ok(_) | Err(_) => "left out".to_owned(),
    };
    format!("core to core, {between}")
}

/// Numbers of the two cores of a row; `None` if the machine lacks one of them.
fn cores(row: &Observation, machine: &Machine, fabric: &Fabric) -> Option<(u32, u32)> {
    match row.param("pair") {
        // The tool states only that the processors are neighbours.
        Some("near") => (machine.levels.last()?.count > 1).then_some((0, 1)),
        Some(_) => {
            let core = |name| {
                let node = NodeId(row.number(name)? as u32);
                (0..fabric.cores()).find(|core| fabric.node_of(CoreId(*core)) == node)
            };
            Some((core("from")?, core("node")?))
        }
        None => {
            let core = |proc: &u32| {
                (*proc < fabric.processors()).then(|| fabric.processor(ProcessorId::new(*proc)).core.0)
            };
            let known: Option<Vec<u32>> = row.numbers("procs").iter().map(core).collect();
            if let [a, b] = known?[..] { Some((a, b)) } else { None }
        }
    }
}
