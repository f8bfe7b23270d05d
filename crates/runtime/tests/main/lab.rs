//! A machine with threads on its cores, and functions that run their programs.

use numalab_base::Time;
use numalab_coherence::AgentId;
use numalab_machine::{CoreId, Fabric, Groups, Machine, synthetic};
use numalab_runtime::{CodeBuilder, Exec, Finished, TeamMember};
use proptest::prelude::*;

/// Machines of several depths; the last has two hardware threads on each core.
pub const MACHINES: [&str; 4] =
    ["board:2 socket:2 core:3", "socket:2 core:4", "board:4 socket:4 core:8", "socket:2 core:3 thread:2"];

pub struct Lab {
    pub machine: Machine,
    pub fabric: Fabric,
}

impl Lab {
    pub fn new(spec: &str) -> Lab {
        let machine = synthetic(spec).expect("a machine");
        let fabric = Fabric::new(&machine).expect("a sound machine");
        Lab { machine, fabric }
    }

    /// Adds threads on cores `stride` apart, modulo the number of cores.
    pub fn exec(&self, threads: u32, stride: u32) -> (Exec<'_>, Vec<TeamMember>) {
        let mut exec = Exec::new(&self.machine, &self.fabric);
        let groups = Groups::of(&self.machine);
        let member = |thread: u32| {
            let core = CoreId(thread * stride % self.fabric.cores());
            let agent = exec.add_agent(core);
            TeamMember::new(&groups, &self.fabric, agent, core)
        };
        let members = (0..threads).map(member).collect();
        (exec, members)
    }
}

/// A machine of `MACHINES`, and a stride for `Lab::exec`.
pub fn places() -> impl Strategy<Value = (&'static str, u32)> {
    (prop::sample::select(MACHINES.to_vec()), prop::sample::select(vec![1u32, 5, 7]))
}

/// Runs all programs to their ends. Returns them in the order in which they end.
pub fn drain(exec: &mut Exec<'_>) -> Vec<Finished> {
    let mut finished = Vec::new();
    while exec.next().is_some() {
        let before = finished.len();
        exec.advance(Time::NEVER, &mut finished);
        if finished.len() > before {
            assert!(finished[before..].iter().all(|end| end.at == finished[before].at));
        }
    }
    assert!(finished.is_sorted_by_key(|end| end.at));
    finished
}

/// Starts one program for each thread at time 0 and runs all to their ends. Results are in the order of threads.
pub fn run(exec: &mut Exec<'_>, threads: u32, write: impl Fn(&mut CodeBuilder, u32)) -> Vec<Finished> {
    for thread in 0..threads {
        let mut code = CodeBuilder::new();
        write(&mut code, thread);
        let code = exec.add_code(code.build());
        exec.start(Time::ZERO, AgentId::new(thread), code, &[]);
    }
    let mut finished = drain(exec);
    assert_eq!(finished.len(), threads as usize, "every thread finishes");
    finished.sort_by_key(|end| end.agent);
    finished
}
