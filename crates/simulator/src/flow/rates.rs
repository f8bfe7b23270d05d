//! Rates that a thread reaches without any other flow on the machine.

// Glossary: ceiling: Highest rate that a flow reaches when nothing else runs: lines in flight × line /
//   latency, at most the core's copy bandwidth, and less where computing does not overlap with waiting.

use crate::account::cause::Interval;
use crate::engine::team::Member;
use crate::flow::pace::Pace;
use crate::plan::{DataStream, Demanded, Mix, Planner};
use numalab_base::{PS_PER_S, Span};
use numalab_des::fluid::Waits;
use numalab_machine::Machine;

/// Ceiling and weight of a thread's flow. Ceiling: bytes per second at an access latency of `latency` seconds, at
/// most `most`, with `faulting` seconds per byte. Weight: lines in flight, by which flows compete.
pub(crate) fn ceiling(
    latency: f64,
    most: f64,
    faulting: f64,
    (demand, mix): (&Demanded, Mix),
    member: &Member,
    planner: &Planner,
) -> (f64, f64) {
    let lines = lines_of(demand, mix, member, planner.machine);
    let memory = littles_law(latency, lines, planner.machine).min(most);
    (beside_computing(memory, faulting, demand, member, planner.phase.overlap), lines)
}

/// Seconds per byte of a thread whose lines take `latency` seconds, and the derivative by latency. The longer of two
/// times counts: the waiting, or computing plus the waiting that computing does not hide. At full overlap the waiting
/// counts, since the ceiling limits the computing. `faulting` seconds per byte are added.
pub(crate) fn waits(
    latency: f64,
    faulting: f64,
    (demand, mix): (&Demanded, Mix),
    member: &Member,
    planner: &Planner,
) -> Waits {
    let (overlap, lines) = (planner.phase.overlap, lines_of(demand, mix, member, planner.machine));
    let computing = demand.computing(member.core_mates);
    let waiting = 1.0 / littles_law(latency, lines, planner.machine);
    // Computing, and the waiting that computing does not hide.
    let beside = computing + (1.0 - overlap) * waiting;
    let (idle, part) =
        if overlap < 1.0 && beside > waiting { (beside, 1.0 - overlap) } else { (waiting, 1.0) };
    Waits { idle: idle + faulting, per_second: part * waiting / latency }
}

/// Part of the time that a memory takes for a stream, 0 to 1, that writes take. 0 if the machine states no
/// `mixed_latency`: writes then do not lengthen waits.
pub(crate) fn written(mix: Mix, machine: &Machine) -> f64 {
    let memory = &machine.memory;
    let writes = memory.write_cost.unwrap_or(1.0) * mix.write_backs();
    if writes == 0.0 || memory.mixed_latency.0.is_empty() { 0.0 } else { writes / (mix.fills() + writes) }
}

/// Bytes per second of a thread that also computes and faults. Waiting alone allows `memory`; computing for `s`
/// seconds per byte leaves `1 / (s + (1 - overlap) / memory)`. A fault overlaps with nothing.
pub(crate) fn beside_computing(
    memory: f64,
    faulting: f64,
    demand: &Demanded,
    member: &Member,
    overlap: f64,
) -> f64 {
    let seconds = demand.computing(member.core_mates) + (1.0 - overlap) / memory;
    match faulting == 0.0 {
        true => memory.min(1.0 / seconds),
        false => 1.0 / (seconds.max(1.0 / memory) + faulting),
    }
}

/// Bytes per second that latency allows, by Little's law: lines in flight × line / latency.
pub(crate) fn littles_law(latency: f64, lines: f64, machine: &Machine) -> f64 {
    lines * machine.memory.line.0 as f64 / latency
}

/// Bytes per second that a thread's share of its core moves, fetches and write-backs together; infinite if the
/// machine states no copy bandwidth.
pub(crate) fn copy_bandwidth(machine: &Machine, member: &Member) -> f64 {
    machine.core.copy_bandwidth.map_or(f64::INFINITY, |most| most.0 / f64::from(member.core_mates))
}

/// Bytes per second that a thread accesses at its share of the core's copy bandwidth.
pub(crate) fn access_bandwidth(mix: Mix, member: &Member, planner: &Planner) -> f64 {
    copy_bandwidth(planner.machine, member) / (mix.fills() + mix.write_backs())
}

/// Lines that a thread keeps in flight: its share of the core's lines, at most the limit of the access's demand.
pub(crate) fn lines_in_flight(demand: &Demanded, member: &Member, machine: &Machine) -> f64 {
    demand.lines(machine.core.outstanding, member.core_mates)
}

/// Lines in flight of a mix of loads and stores: the harmonic mean of the lines of loads and those of stores,
/// weighted by the part of stores. A line that is loaded and then stored to counts as a load.
pub(crate) fn lines_of(demand: &Demanded, mix: Mix, member: &Member, machine: &Machine) -> f64 {
    let loads = lines_in_flight(demand, member, machine);
    match machine.core.store_outstanding {
        None => loads,
        Some(most) => {
            let stores = loads.min(most / f64::from(member.core_mates));
            1.0 / ((1.0 - mix.stored()) / loads + mix.stored() / stores)
        }
    }
}

/// Time that each line of a stream is in flight, by Little's law. The thread waits during the interval less computing
/// and faults. Since computing hides a part of the waiting, lines are in flight for this wait divided by `1 -
/// overlap`, at most for the interval less faults: see [`beside_computing`].
pub(crate) fn line_time(
    during: Interval,
    stream: &DataStream,
    pace: Pace,
    member: &Member,
    planner: &Planner,
) -> Span {
    let demand = planner.demanded(stream.demand);
    let (bytes, took) = (stream.bytes, (during.to - during.from).0 as f64);
    let took = (took - pace.faulting * bytes as f64 * PS_PER_S).max(0.0);
    let waited = (took - pace.compute * bytes as f64 * PS_PER_S).max(0.0);
    let open = waited / (1.0 - planner.phase.overlap);
    let in_flight = lines_in_flight(demand, member, planner.machine) * planner.machine.memory.line.0 as f64;
    Span((open.min(took) * in_flight / bytes.max(1) as f64) as u64)
}
