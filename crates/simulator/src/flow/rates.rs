//! Rates that one thread could reach with no other flow on the machine.

// Glossary: ceiling: Highest rate that a flow reaches when nothing else runs: lines in flight × line /
//   latency, at most the core's copy bandwidth, and less where computing does not overlap with waiting.

use crate::account::books::Interval;
use crate::engine::team::Member;
use crate::flow::flow_network::Pace;
use crate::plan::{DataStream, Demanded, Mix, Planner};
use numalab_base::{PS_PER_S, Span};
use numalab_des::fluid::Waits;
use numalab_machine::Machine;

/// Ceiling and weight of a thread's flow of a mix: the most bytes per second that it moves from where an access takes
/// `latency` seconds, at no more than `most` and with so many seconds of `faulting` for each byte, and the lines
/// that it keeps in flight, by which it competes.
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

/// Time that each byte takes a thread which waits so many seconds for a line, and by how much more for every second
/// that lines take longer. A thread that computes meanwhile is slower only once waiting takes longer than that.
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
    // What computing does not hide of the waiting, unless all of the waiting is longer than both.
    let beside = computing + (1.0 - overlap) * waiting;
    let (idle, part) =
        if overlap < 1.0 && beside > waiting { (beside, 1.0 - overlap) } else { (waiting, 1.0) };
    Waits { idle: idle + faulting, per_second: part * waiting / latency }
}

/// Part of a memory's time that a stream takes by writing, where lines wait the longer for that; 0 where they do not.
pub(crate) fn written(mix: Mix, machine: &Machine) -> f64 {
    let memory = &machine.memory;
    let writes = memory.write_cost.unwrap_or(1.0) * mix.write_backs();
    if writes == 0.0 || memory.mixed_latency.0.is_empty() { 0.0 } else { writes / (mix.fills() + writes) }
}

/// Rate of a thread that also computes and faults: waiting alone allows `memory`; computing for `s` seconds per byte
/// leaves `1 / (s + (1 - overlap) / memory)`. Nothing goes on during a fault.
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

/// Bytes per second that waiting allows, by Little's law: lines in flight × line / latency.
pub(crate) fn littles_law(latency: f64, lines: f64, machine: &Machine) -> f64 {
    lines * machine.memory.line.0 as f64 / latency
}

/// Bytes per second that a thread's share of its core moves, fetches and write-backs together.
pub(crate) fn copy_bandwidth(machine: &Machine, member: &Member) -> f64 {
    machine.core.copy_bandwidth.map_or(f64::INFINITY, |most| most.0 / f64::from(member.core_mates))
}

/// Bytes that a thread accesses in a second at its share of the core's copy bandwidth.
pub(crate) fn access_bandwidth(mix: Mix, member: &Member, planner: &Planner) -> f64 {
    copy_bandwidth(planner.machine, member) / (mix.fills() + mix.write_backs())
}

/// Lines that a thread keeps in flight: its share of what its core can, if the access has so many.
pub(crate) fn lines_in_flight(demand: &Demanded, member: &Member, machine: &Machine) -> f64 {
    demand.lines(machine.core.outstanding, member.core_mates)
}

/// The same for a mix of loads and stores, which may have fewer: each waits its time with as many as it has.
pub(crate) fn lines_of(demand: &Demanded, mix: Mix, member: &Member, machine: &Machine) -> f64 {
    let loads = lines_in_flight(demand, member, machine);
    match machine.core.store_outstanding {
        None => loads,
        Some(most) => {
            let stores = loads.min(most / f64::from(member.core_mates));
            1.0 / ((1.0 - mix.write_backs()) / loads + mix.write_backs() / stores)
        }
    }
}

/// Time of each line of a stream, by Little's law. The thread waited all the time, or for what computing did not hide, whatever is less: see [`beside_computing`].
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
