//! Repetitions that are counted instead of simulated.
//!
//! Programs repeat: time steps, rounds of loops, a barrier executed ten thousand times. A repetition is simulated
//! until the state returns; the rest is counted. A snapshot (`numalab_base::Snapshot`) writes a state down as words:
//! times as distances from the present instant, stamps of cache accesses by their rank, and counters (tickets,
//! barrier numbers) apart. A snapshot function destructures its struct, so that a new field cannot be forgotten.
//! `steady` compares snapshots between repeats of a phase and between rounds of all phases (Brent's search for a
//! cycle, periods up to 8), `passes` between executions of a construct inside one phase.
//!
//! Two more periods then prove the repetition. All values that programs calculate are sums of earlier values and
//! constants, or constant multiples of one. If both periods took the same course of operations, every counter grew by
//! the same amount in both, and every decision was about the same difference (`numalab_runtime` hashes decisions in
//! their order). So the next period decides in the same way, and so do all later ones. The last period is added to
//! the sums as often as it would happen. The clock stands still meanwhile: only the scanner of automatic balancing
//! and idle processors depend on it, and no period is counted in which either would act.
//!
//! An observer sees every repetition, so tests can compare both, unless it counts periods itself
//! (`Observer::counts_periods`), as blame does.
//!
//! Not counted: loops that are distributed again and again inside one phase (`for` with `times`). The state of tasks
//! and of inner teams side by side seldom returns.

pub(crate) mod alone;
pub(crate) mod passes;
pub(crate) mod steady;
