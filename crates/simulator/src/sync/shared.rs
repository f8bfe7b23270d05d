//! What a construct's threads share inside a region.

use crate::script::Program;
use numalab_machine::NodeId;
use numalab_program::Construct;
use numalab_runtime::profile::{self, Profile};
use numalab_runtime::{Builder, CodeId, Exec, Lock, Seat};
use numalab_units::Time;

/// Programs of the constructs that a team has met so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shared {
    known: Vec<(Construct, Codes)>,
}

#[derive(Clone, Debug)]
enum Codes {
    Lock(Lock),
    /// One for each thread.
    Each(Vec<CodeId>),
}

/// Takes from a word on a node: the shared counter of a loop, the range of a thread.
pub(crate) fn taking(exec: &mut Exec<'_>, home: NodeId) -> CodeId {
    let word = exec.add_word(home);
    let mut code = Builder::new();
    code.add(word, 1u64);
    exec.add_code(code.build())
}

impl Shared {
    /// Sees to the words of a construct.
    pub fn prepare(&mut self, construct: Construct, runtime: &Profile, exec: &mut Exec<'_>, seats: &[Seat]) {
        let _ = (construct, runtime, exec, seats, &self.known, profile::Lock::clone);
    }

    /// A thread starts a program of a construct.
    pub fn start(
        &self,
        program: Program,
        construct: Construct,
        exec: &mut Exec<'_>,
        agent: u32,
        rank: u32,
        now: Time,
    ) {
        let codes = self.known.iter().find(|known| known.0 == construct).map(|known| &known.1);
        let code = match (codes, program) {
            (Some(Codes::Lock(lock)), Program::Acquire) => lock.acquire(rank),
            (Some(Codes::Lock(lock)), Program::Release) => lock.release(rank),
            (Some(Codes::Each(codes)), _) => codes[rank as usize],
            _ => return,
        };
        exec.start(now.0, agent, code, &[]);
    }
}
