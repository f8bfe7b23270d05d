//! Makes phases of classes of work.

use super::beside::{beside_data, touched};
use super::data::Lent;
use super::footprints::Footprints;
use super::one_thread::Sums;
use super::parameters::{Compared, Parameters};
use super::tasks;
use crate::Recording;
use crate::work::{Chunk, Class, Form, Recorded, Step};
use numalab_files::Facts;
use numalab_workload::{Construct, Phase, Schedule, Tasking};
use std::sync::Arc;

/// Largest number of iterations of a phase; in longer loops several iterations become one.
const MOST_UNITS: u64 = 1 << 20;
/// Loops of at most this many iterations keep each iteration.
const FEW_UNITS: u64 = 1 << 14;
/// Shortest unit of a long phase, in nanoseconds: an iteration of the phase that stands for several recorded
/// iterations. Scheduling a unit takes about as long.
const SHORTEST_NS: f64 = 100.0;
/// Largest number of phases of a program whose repeated part is unrolled instead of executed as rounds.
const MOST_UNROLLED: usize = 2_000;
/// Largest number of phases of any program.
const MOST_PHASES: usize = 100_000;

/// Phases made of a recording.
pub struct Replay {
    pub phases: Vec<Phase>,
    /// Number of each phase's class of work, in the order of `phases`.
    pub classes: Vec<u32>,
    /// Number of rounds of the measured phases.
    pub rounds: u32,
    /// Policies to compare.
    pub compare: Vec<Schedule>,
    /// Indices of the classes that run under the policy being compared.
    pub compared: Vec<usize>,
    /// Source of the data. `Unknown` if the data of some compared class are unknown, or those of all classes if none
    /// is compared by the user's choice.
    pub data: Data,
    /// Part of the recorded costs of regions that the phases have: 1, or less if one thread takes less.
    pub part: f64,
    /// Classes whose touched pages count as lines, since one thread cannot read them as a whole.
    pub sparse: Vec<usize>,
    /// True if the measured phases are only the repeated part of the program, run as rounds, because unrolled it has
    /// too many phases.
    pub rounds_only: bool,
}

/// Source of the data of a replay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Data {
    Unknown,
    /// The data of this part of the time are known.
    Partly(f64),
    /// The data are those that a workload file describes.
    Lent,
    /// The data are the pages that were watched during the recording.
    Recorded,
}

pub fn replay(
    recording: &Recording,
    parameters: &Parameters,
    facts: &Facts,
    lent: Option<&Lent>,
    footprints: &Footprints,
) -> Result<Replay, String> {
    let classes = &recording.work.classes;
    let compared = compared(recording, &parameters.compared);
    let per_ns = 1e-9 / parameters.core_ratio * facts.instructions_per_second;
    // The end of computing has the costs of one thread, if what was recorded is more; the other end has these.
    let part = Sums::of(recording).map_or(1.0, |sums| sums.part());
    let in_regions = 1.0 - parameters.overlap * (1.0 - part);
    let tasks_only = compared.iter().any(|at| classes[*at].form == Form::Tasks);
    let made = classes.iter().enumerate().map(|(at, class)| {
        let name = name(recording, class);
        // Loops with data from a file keep their own iterations.
        phase(
            class,
            name,
            compared.contains(&at),
            if class.form == Form::Serial { per_ns } else { per_ns * in_regions },
            facts,
            grain(class.iterations, class.cost_ns(), class.grain(), lent.is_some()),
        )
    });
    let mut made: Vec<Phase> = made.collect::<Result<_, String>>()?;
    let lend = |(at, phase): (usize, &mut Phase)| -> Option<usize> {
        (classes[at].form == Form::Loop && lent?.lend(phase)).then_some(at)
    };
    let lent_to: Vec<usize> = made.iter_mut().enumerate().filter_map(lend).collect();
    let mut sparse = Vec::new();
    if lent.is_none() {
        let bandwidth = recording.meta.recorder.map_or(0, |costs| costs.bandwidth);
        for (at, (phase, class)) in made.iter_mut().zip(classes).enumerate() {
            let density = class.density(readable(class, bandwidth, part));
            if density.is_some() {
                sparse.push(at);
            }
            let of_page = density.map_or(1.0, |density| density.at(parameters.overlap));
            phase.accesses = footprints.accesses(class, phase.iterations, phase.unit.unwrap_or(1), of_page);
        }
    }
    for (at, phase) in made.iter_mut().enumerate().filter(|(_, phase)| !phase.accesses.is_empty()) {
        phase.overlap = parameters.overlap;
        let of = |list: &[u64]| list.get(at).map_or(0.0, |ns| *ns as f64 * per_ns);
        let waited = (1.0 - parameters.overlap) * of(&parameters.waited_ns) + of(&parameters.faulted_ns);
        without_waiting(phase, classes[at].form, waited);
        // Nodes that share memory by pages need the exact place of each byte, so their accesses stay as they are.
        if parameters.overlap > 0.0 && !facts.pages {
            let groups = match lent_to.contains(&at) {
                // A workload file describes the data of each iteration, so each one is a group.
                true => (0..phase.instructions.len() as u32).collect(),
                false => groups(&classes[at], phase),
            };
            beside_data(phase, &groups);
        }
    }
    let known = |at: &usize| lent_to.contains(at) || !made[*at].accesses.is_empty();
    // If the user compares no construct, the data of one class suffice.
    let asked: Vec<usize> = if compared.is_empty() { (0..made.len()).collect() } else { compared.clone() };
    let unknown = match parameters.compared {
        Compared::None => !asked.iter().any(known),
        Compared::Hottest | Compared::All | Compared::At(..) => {
            compared.is_empty() || !compared.iter().all(known)
        }
    };
    let order = &recording.work.order;
    let data = match (unknown, lent) {
        (true, None) if made.iter().any(|phase| !phase.accesses.is_empty()) => {
            Data::Partly(known_part(recording, &made))
        }
        (true, _) => Data::Unknown,
        (false, Some(_)) => Data::Lent,
        (false, None) => Data::Recorded,
    };
    let phases_of = |steps: &[Step], measured: bool| -> Vec<(u32, Phase)> {
        let phase = |step: &Step| Phase { repeat: step.times, measured, ..made[step.class as usize].clone() };
        let one = |step: &Step| (step.class, phase(step));
        steps.iter().map(one).collect()
    };
    let unrolled = order.body.len().saturating_mul(order.rounds as usize);
    let rounds_only = unrolled > MOST_UNROLLED;
    let alone = order.before.is_empty() && order.after.is_empty();
    let (mut phases, rounds) = if rounds_only || alone {
        let mut phases = phases_of(&order.before, false);
        phases.extend(phases_of(&order.body, true));
        (phases, order.rounds.max(1))
    } else {
        let mut phases = phases_of(&order.before, true);
        (0..order.rounds).for_each(|_| phases.extend(phases_of(&order.body, true)));
        phases.extend(phases_of(&order.after, true));
        (phases, 1)
    };
    if phases.is_empty() {
        return Err("it has no work".to_owned());
    }
    if phases.len() > MOST_PHASES {
        return Err(format!("it has {} parts, and at most {MOST_PHASES} are replayed", phases.len()));
    }
    if !phases.iter().any(|(_, phase)| phase.measured) {
        phases.iter_mut().for_each(|(_, phase)| phase.measured = true);
    }
    let (classes, phases) = phases.into_iter().unzip();
    let compare = match tasks_only {
        true => vec![Schedule::Tasks(None)],
        false => vec![
            Schedule::Static { chunk: None },
            Schedule::Dynamic { chunk: 1 },
            Schedule::Guided { chunk: 1 },
        ],
    };
    Ok(Replay { phases, classes, rounds, compare, compared, data, part, sparse, rounds_only })
}

/// Bytes that one thread reads in a second of a class's recorded time, of which `part` is the program's in regions.
pub fn readable(class: &Class, bandwidth: u64, part: f64) -> u64 {
    if class.form == Form::Serial { bandwidth } else { (part * bandwidth as f64) as u64 }
}

/// Part of the program's time in classes whose accesses are known.
fn known_part(recording: &Recording, made: &[Phase]) -> f64 {
    let (mut known, mut all) = (0u128, 0u128);
    for (step, rounds) in recording.work.order.steps() {
        let class = step.class as usize;
        let times = u128::from(step.times) * u128::from(rounds);
        let cost = u128::from(recording.work.classes[class].cost_ns()) * times;
        all += cost;
        known += if made[class].accesses.is_empty() { 0 } else { cost };
    }
    if all == 0 { 0.0 } else { known as f64 / all as f64 }
}

/// Subtracts the waiting for data, `waited` instructions of one instance, from a phase's computing: in proportion to
/// the bytes of each iteration in loops and tasks, otherwise in full from each thread's computing, which does not
/// drop below zero.
fn without_waiting(phase: &mut Phase, form: Form, waited: f64) {
    if waited <= 0.0 {
        return;
    }
    let parts: Vec<f64> = match form {
        // One thread touches all of the data.
        Form::Serial | Form::Single | Form::Body => vec![1.0; phase.instructions.len()],
        Form::Loop | Form::Tasks => {
            let bytes = touched(&phase.accesses, phase.instructions.len());
            let all: f64 = bytes.iter().sum();
            bytes.iter().map(|bytes| if all > 0.0 { bytes / all } else { 0.0 }).collect()
        }
    };
    let rest = phase.instructions.iter().zip(parts).map(|(whole, part)| (whole - part * waited).max(0.0));
    phase.instructions = rest.collect();
}

/// Name of a class's phases.
pub fn name(recording: &Recording, class: &Class) -> String {
    let site = recording.name(class.site);
    match class.form {
        Form::Serial if class.site == 0 => "serial, at the end".to_owned(),
        Form::Serial => format!("serial, before {site}"),
        Form::Body => format!("region {site}"),
        Form::Loop => site,
        Form::Single => format!("single {site}"),
        Form::Tasks => format!("tasks {site}"),
    }
}

/// Indices of the classes that run under the policy being compared.
fn compared(recording: &Recording, wanted: &Compared) -> Vec<usize> {
    let work = &recording.work;
    let loops = || work.classes.iter().enumerate().filter(|(_, class)| class.form == Form::Loop);
    let at = |site: u64, form: Form| -> Vec<usize> {
        let same = |(_, class): &(usize, &Class)| class.site == site && class.form == form;
        work.classes.iter().enumerate().filter(same).map(|(at, _)| at).collect()
    };
    match wanted {
        Compared::All => loops().map(|(at, _)| at).collect(),
        Compared::None => Vec::new(),
        Compared::At(site, _) => at(*site, Form::Loop),
        Compared::Hottest => {
            let mut times = vec![0u64; work.classes.len()];
            for (step, rounds) in work.order.steps() {
                times[step.class as usize] += u64::from(step.times) * u64::from(rounds);
            }
            let total = |site: u64, form: Form| -> u128 {
                at(site, form)
                    .iter()
                    .map(|&at| u128::from(work.classes[at].cost_ns()) * u128::from(times[at]))
                    .sum()
            };
            let shared = work.classes.iter().filter(|class| matches!(class.form, Form::Loop | Form::Tasks));
            // The first class wins a tie.
            let hottest = shared.rev().max_by_key(|class| total(class.site, class.form));
            hottest.map_or(Vec::new(), |class| at(class.site, class.form))
        }
    }
}

fn phase(
    class: &Class,
    name: String,
    compared: bool,
    per_ns: f64,
    facts: &Facts,
    grain: u64,
) -> Result<Phase, String> {
    let threads = u64::from(facts.threads.max(1));
    let work = |ns: u64| ns as f64 * per_ns;
    let first = class.chunks.first().map_or(0, |chunk| chunk.cost_ns);
    // Each thread executes the iteration of its own number. Work of one thread costs the same on any thread.
    let all_members = |construct: Construct, costs: &dyn Fn(u64) -> u64| Phase {
        construct,
        schedule: Some(Schedule::Static { chunk: None }),
        instructions: (0..threads).map(|member| work(costs(member))).collect(),
        ..Phase::new(name.clone(), threads)
    };
    Ok(match class.form {
        Form::Serial => all_members(Construct::Serial, &|_| first),
        Form::Single => all_members(Construct::Single { nowait: false }, &|_| first),
        Form::Body => {
            let members = class.chunks.len().max(1) as u64;
            all_members(Construct::Parallel, &|member| {
                class.chunks.get((member % members) as usize).map_or(0, |chunk| chunk.cost_ns)
            })
        }
        Form::Loop => {
            let units = class.iterations.div_ceil(grain);
            let costs = spread(&class.chunks, units, grain);
            let schedule = if compared { None } else { Some(recorded(class.schedule, grain)) };
            let instructions: Arc<[f64]> = costs.into_iter().map(|ns| ns * per_ns).collect();
            let unit = (grain > 1).then_some(grain);
            Phase { schedule, instructions, unit, ..Phase::new(name, units) }
        }
        Form::Tasks => {
            let graph = tasks::graph(class, per_ns)?;
            Phase {
                schedule: if compared { None } else { Some(Schedule::Tasks(None)) },
                instructions: class.chunks.iter().map(|chunk| work(chunk.cost_ns)).collect(),
                tasking: Tasking { grain: 1, ..graph },
                ..Phase::new(name, class.chunks.len() as u64)
            }
        }
    })
}

/// Number of iterations of a loop that form one iteration of its phase, so that the phase has at most `MOST_UNITS`
/// iterations of at least about `SHORTEST_NS`. The whole loop takes `cost_ns`, and was measured in chunks of `chunk`
/// iterations. If `every_one` is set or the loop is short, only `MOST_UNITS` counts.
fn grain(iterations: u64, cost_ns: u64, chunk: u64, every_one: bool) -> u64 {
    let least = iterations.div_ceil(MOST_UNITS).max(1);
    if every_one || iterations <= FEW_UNITS {
        return least;
    }
    let each_ns = cost_ns as f64 / iterations as f64;
    let short = (SHORTEST_NS / each_ns.max(1e-3)).ceil() as u64;
    least.max(short.min(chunk).min(iterations / FEW_UNITS)).next_power_of_two()
}

/// Schedule as recorded, with chunk sizes in units of `grain` iterations.
fn recorded(schedule: Recorded, grain: u64) -> Schedule {
    let units = |chunk: u64| (chunk / grain).max(1);
    match schedule {
        Recorded::None | Recorded::Static | Recorded::Inline => Schedule::Static { chunk: None },
        Recorded::StaticChunk(chunk) => Schedule::Static { chunk: Some(units(chunk)) },
        Recorded::Dynamic(chunk) => Schedule::Dynamic { chunk: units(chunk) },
        Recorded::Guided(chunk) => Schedule::Guided { chunk: units(chunk) },
        Recorded::Other => Schedule::Auto,
    }
}

/// For each unit of a phase, index of the chunk in which the unit begins. Iterations of one chunk were measured
/// together. In classes other than loops each unit is a chunk.
fn groups(class: &Class, phase: &Phase) -> Vec<u32> {
    let grain = phase.unit.unwrap_or(1);
    let (mut chunk, mut end) = (0, class.chunks.first().map_or(0, |chunk| chunk.count));
    let of = |unit: usize| match class.form {
        Form::Loop => {
            while unit as u64 * grain >= end && chunk + 1 < class.chunks.len() {
                chunk += 1;
                end += class.chunks[chunk].count;
            }
            chunk as u32
        }
        Form::Serial | Form::Single | Form::Body | Form::Tasks => unit as u32,
    };
    (0..phase.instructions.len()).map(of).collect()
}

/// Nanoseconds of each unit of `grain` iterations. Inside a recorded chunk every iteration costs the same.
fn spread(chunks: &[Chunk], units: u64, grain: u64) -> Vec<f64> {
    let mut costs = Vec::with_capacity(units as usize);
    let mut from = chunks.iter();
    let (mut left, mut each) = (0u64, 0.0);
    for _ in 0..units {
        let (mut need, mut ns) = (grain, 0.0);
        while need > 0 {
            if left == 0 {
                let Some(next) = from.next() else { break };
                (left, each) = (next.count, next.cost_ns as f64 / next.count.max(1) as f64);
                continue;
            }
            let taken = need.min(left);
            ns += each * taken as f64;
            need -= taken;
            left -= taken;
        }
        costs.push(ns);
    }
    costs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn chunk(count: u64, cost_ns: u64) -> Chunk {
        Chunk { count, cost_ns, ..Chunk::default() }
    }

    // Iterations of 2 ns: 50 last 100 ns, so 64 become one; of 20 ns 8; of 200 ns each stays. In chunks of 32 at most
    // 32 become one. With data from a file, or in short loops, only the limit of 2^20 counts. Otherwise there are
    // never fewer than 2^14.
    #[test]
    fn short_iterations_are_several_at_a_time() {
        let many = 1 << 20;
        assert_eq!([2, 20, 200].map(|ns| grain(many, many * ns, many / 4, false)), [64, 8, 1]);
        assert_eq!(grain(many, many * 2, 32, false), 32);
        assert_eq!(grain(many, many * 2, many / 4, true), 1);
        assert_eq!(grain(1 << 14, 1 << 15, 1 << 12, false), 1);
        assert_eq!(grain(1 << 15, 1 << 16, 1 << 13, false), 2);
        assert_eq!(grain(1 << 22, 200 << 22, 1 << 20, true), 4);
    }

    // 4 iterations of 40 and 2 of 50, three at a time: 30, and 10 + 2 x 25 = 60.
    #[test]
    fn costs_are_spread_evenly_within_a_chunk() {
        assert_eq!(spread(&[chunk(4, 40), chunk(2, 50)], 2, 3), [30.0, 60.0]);
    }

    proptest! {
        /// For any size of unit, the loop costs what its chunks cost.
        #[test]
        fn nothing_is_lost(list in proptest::collection::vec((1u64..50, 0u64..1_000_000), 1..30), grain in 1u64..20) {
            let chunks: Vec<Chunk> = list.iter().map(|(count, cost)| chunk(*count, *cost)).collect();
            let iterations: u64 = list.iter().map(|(count, _)| count).sum();
            let sum: f64 = spread(&chunks, iterations.div_ceil(grain), grain).iter().sum();
            let whole: u64 = list.iter().map(|(_, cost)| cost).sum();
            prop_assert!((sum - whole as f64).abs() <= 1e-9 * whole as f64 + 1e-9, "{} {}", sum, whole);
        }
    }
}
