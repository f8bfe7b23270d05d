//! Noise of perturbed replicas: pieces of work take slightly other times, and threads start late.
//!
//! Each time depends on the seed, the replica, the phase, the thread and the piece of work only, not on
//! how often the piece was executed. So time steps come back to the same state and are counted (`crate::repeat`).
//! Streams of bytes keep their rates, since flows of equal ceilings are solved together: the thread is late after them.

use crate::engine::setup::Setup;
use numalab_base::Span;
use numalab_des::{Domain, Streams};
use numalab_machine::Noise;
use numalab_workload::Phase;

/// Noise of one phase in a replica.
#[derive(Clone, Debug)]
pub(crate) struct PhaseNoise<'a> {
    amounts: &'a Noise,
    /// Streams of the phase by its name: phases of one name vary alike.
    streams: Streams,
}

/// Piece of a thread's work that varies as a whole.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Piece {
    /// Consecutive iterations from this one on.
    Iterations(u64),
    /// Instructions of a task after the wait for its children.
    After(u64),
}

impl<'a> PhaseNoise<'a> {
    /// `None` in the nominal run.
    pub fn new(setup: &Setup<'a>, phase: &Phase) -> Option<PhaseNoise<'a>> {
        let streams = setup.streams().part(phase.name.bytes().map(u64::from));
        (setup.replica > 0).then_some(PhaseNoise { amounts: &setup.machine.os.noise, streams })
    }

    /// Factor on the time of computing: 1 on average, at most `os.noise.work` more or less.
    pub fn factor(&self, thread: u32, piece: Piece) -> f64 {
        1.0 + self.amounts.work * (2.0 * self.even(thread, piece) - 1.0)
    }

    /// Time of interruptions while a thread receives data for `received`: at most the part `os.noise.work`.
    pub fn interruptions(&self, thread: u32, piece: Piece, received: Span) -> Span {
        Span((self.amounts.work * self.even(thread, piece) * received.0 as f64).round() as u64)
    }

    fn even(&self, thread: u32, piece: Piece) -> f64 {
        let (kind, number) = match piece {
            Piece::Iterations(first) => (0, first),
            Piece::After(task) => (1, task),
        };
        self.streams.even(Domain::Noise, [thread.into(), kind, number])
    }

    /// Time by which a thread starts its part of a region late: at most `os.noise.start`.
    pub fn start(&self, thread: u32) -> Span {
        let part = self.streams.even(Domain::Noise, [thread.into()]);
        Span((self.amounts.start.0 as f64 * part).round() as u64)
    }
}
