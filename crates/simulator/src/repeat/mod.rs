//! Repetitions that are counted instead of simulated.
//!
//! Programs repeat: time steps, rounds of loops, a barrier executed ten thousand times. Repetitions are simulated
//! until a state returns; the rest is counted. A snapshot (`numalab_base::Snapshot`) writes a state down as words:
//! times as distances from the present instant, stamps of cache accesses by their rank, and counters (tickets,
//! barrier numbers) apart. A snapshot function destructures its struct, so that a new field cannot be forgotten.
//! `steady` compares snapshots between repeats of a phase and between rounds of all phases, `passes` between
//! executions of a construct inside one phase (both by Brent's search for a cycle, see `steady`).
//!
//! Two more periods then prove the repetition. All values that programs calculate are sums of earlier values and
//! constants, or multiples of an earlier value; the choice of a minimum or maximum, and a factor that is not
//! constant, count as decisions. If both periods took the same course of operations, every counter grew by the same
//! amount in both, and every decision was about the same difference or factor (`numalab_runtime` hashes decisions in
//! their order). So the next period decides in the same way, and so do all later ones. The last period is added to
//! the sums as often as it would happen. The clock stands still meanwhile: only the scanner of automatic balancing
//! and idle processors depend on it, and no period is counted in which either would act.
//!
//! With an observer every repetition is simulated, so tests can compare simulated repetitions with counted ones.
//! Blame is an exception: its observer accepts counted periods (`Observer::counts_periods`).
//!
//! Where no state returns, but repetitions take nearly equal times, samples of them stand for others (`sample`);
//! results then say how many were estimated, and `Setup::exact` simulates all.
//!
//! Not counted: repetitions inside one phase of pipelines, of loops that share words to hand out iterations
//! (`Loops::snapshot`), and of constructs whose phase accesses memory (`Passes::new`). The state of tasks and of inner
//! teams side by side seldom returns.

pub(crate) mod alone;
pub(crate) mod pass_sample;
pub(crate) mod passes;
pub(crate) mod pending;
pub(crate) mod sample;
pub(crate) mod steady;
pub(crate) mod times;
