//! Random small cases: a machine, a workload that may or may not fit it, and a team.
//!
//! Everything is drawn from a list of numbers, so that a case shrinks as its list does: zeros mean the
//! simplest choice.

mod caches;
mod draw;
mod loops;
mod machine;
mod runtimes;

pub use caches::cached_cases;
pub use loops::Sizes;
pub use runtimes::{RuntimeCase, chains, runtime_cases};

use draw::Draw;
use numalab_base::{Bytes, Span};
use numalab_machine::{CoreId, Fabric, Machine, Noise};
use numalab_simulator::Team;
use numalab_workload::{BindingText, RegionTeam, Schedule, Victim, Workload};
use proptest::prelude::*;

#[derive(Clone, Debug)]
pub struct Case {
    pub machine: Machine,
    pub workload: Workload,
    pub team: Team,
    pub seed: u64,
    pub replica: u32,
}

/// Random cases, whose iterations have the given sizes.
pub fn cases(sizes: Sizes) -> impl Strategy<Value = Case> {
    proptest::collection::vec(any::<u32>(), 700).prop_map(move |numbers| {
        let mut draw = Draw::new(numbers);
        let mut machine = machine::machine(&mut draw);
        let fabric = Fabric::new(&machine).expect("a sound machine");
        let team = team(&fabric, &mut draw);
        let workload = loops::workload(team.members.len() as u64, sizes, &mut draw);
        squeeze(&mut machine, fabric.nodes(), &workload, &mut draw);
        Case::drawn(machine, workload, team, &mut draw)
    })
}

/// Every policy; `static` and `dynamic` also with a chunk that seldom divides the iterations.
pub const POLICIES: [Schedule; 9] = [
    Schedule::Static { chunk: None },
    Schedule::Static { chunk: Some(1) },
    Schedule::Static { chunk: Some(3) },
    Schedule::Dynamic { chunk: 1 },
    Schedule::Dynamic { chunk: 3 },
    Schedule::Guided { chunk: 2 },
    Schedule::NumaSteal(Victim::Random),
    Schedule::NumaSteal(Victim::Nearest),
    Schedule::NumaSteal(Victim::MostLoaded),
];

/// Threads next to each other, or crowded on the hardware threads of a few cores, or on any processors in any order.
fn team(fabric: &Fabric, draw: &mut Draw) -> Team {
    let threads = 1 + draw.below(u64::from(fabric.processors().min(10))) as usize;
    match draw.below(3) {
        0 => Team::close(fabric, threads as u32),
        1 => {
            let siblings = 0..fabric.threads_per_core();
            let by_core = (0..fabric.cores()).flat_map(|core| siblings.clone().map(move |at| (core, at)));
            let some: Vec<_> = by_core.filter(|_| draw.below(3) > 0).take(threads).collect();
            match some.is_empty() {
                true => Team::close(fabric, 1),
                false => Team::on(
                    fabric,
                    some.iter().map(|&(core, at)| fabric.os_number(CoreId(core), at).number()),
                ),
            }
        }
        _ => {
            let mut processors: Vec<u32> = (0..fabric.processors()).collect();
            for at in 0..threads {
                let other = at + draw.below((processors.len() - at) as u64) as usize;
                processors.swap(at, other);
            }
            Team::on(fabric, processors[..threads].iter().copied())
        }
    }
}

impl Case {
    /// Case with a seed, a replica and noise of any size.
    fn drawn(mut machine: Machine, workload: Workload, team: Team, draw: &mut Draw) -> Case {
        let (seed, replica) = (draw.below(1000), draw.below(3) as u32);
        machine.os.noise = Noise { work: draw.real(0.0..0.5), start: Span(draw.below(5_000_000)) };
        Case { machine, workload, team, seed, replica }
    }

    /// The case with unbound threads. `bits` choose the number of processors on which the threads start (several
    /// threads on one if there are fewer), the allowed processors, the balancing interval and the cost of a move.
    pub fn unbound(mut self, fabric: &Fabric, bits: u32) -> Case {
        let threads = self.team.members.len() as u32;
        let some = 1 + bits % threads.min(fabric.processors());
        let start = (0..threads).map(|thread| (thread % some + (bits >> 4) % 8) % fabric.processors());
        let allowed = (0..fabric.processors()).filter(|number| (bits >> 8).rotate_right(*number) % 4 > 0);
        let allowed: Vec<u32> = allowed.chain(start.clone()).collect();
        self.team = Team::on(fabric, start).unbound(allowed);
        // From looks all the time to none at all.
        self.machine.os.balance_interval = Span(1_000_000 << ((bits >> 24) % 20));
        self.machine.os.migration_cost = Span(1_000_000 * u64::from(bits >> 28));
        self
    }

    /// The case with teams of their own for some phases. One of `bits` for each phase decides whether it has a team;
    /// other bits choose the team's threads and processors.
    pub fn with_own_teams(mut self, bits: u32) -> Case {
        let all: Vec<u32> = self.team.members.iter().map(|member| member.processor).collect();
        for (at, phase) in self.workload.phases.iter_mut().enumerate() {
            let bits = bits.rotate_right(5 * at as u32);
            if bits & 1 == 0 {
                continue;
            }
            let mut processors = all.clone();
            processors.rotate_left((bits >> 1) as usize % 3 % all.len());
            // Constructs with an iteration for every thread need all threads.
            if phase.construct.iterates() && phase.teams == 1 {
                processors.truncate(1 + (bits >> 3) as usize % all.len());
            }
            let (threads, processors) = (processors.len() as u32, processors.into());
            phase.team = Some(RegionTeam { threads, binding: BindingText::default(), processors });
        }
        self
    }
}

/// Numbers of cores that can share a cache: multiples of `inside` that divide the `cores` of a node.
fn wide(inside: u32, cores: u32) -> Vec<u32> {
    (inside..=cores).filter(|n| n.is_multiple_of(inside) && cores.is_multiple_of(*n)).collect()
}

/// Often leaves the nodes so little memory that first touch spills, and sometimes less than the workload needs.
fn squeeze(machine: &mut Machine, nodes: u32, workload: &Workload, draw: &mut Draw) {
    if !draw.maybe() {
        return;
    }
    let page = machine.memory.page.0;
    let pages: u64 = workload.regions.iter().map(|region| region.size.0.div_ceil(page)).sum();
    let each = (pages as f64 * draw.real(0.9..3.0) / f64::from(nodes)) as u64;
    // A capacity that is no multiple of the page size must make no difference.
    machine.memory.capacity = Bytes(each.max(1) * page + draw.below(page));
}
