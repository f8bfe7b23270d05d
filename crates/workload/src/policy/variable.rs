//! Values that a policy's expressions read, by number.

macro_rules! variables {
    ($($(#[doc = $doc:literal])+ $constant:ident = $name:literal, $number:literal;)+) => {
        $($(#[doc = $doc])+ pub const $constant: u8 = $number;)+

        /// Names of the values, in the order of their numbers.
        pub const NAMES: &[&str] = &[$($name),+];
    };
}

variables! {
    /// Iterations of the loop, in units.
    ITERATIONS = "N", 0;
    /// Threads of the team.
    THREADS = "P", 1;
    /// Units left where the chunk is taken from: the shared counter, the thread's own range, or the victim's.
    REST = "R", 2;
    /// Number of chunks that were taken from there before.
    NUMBER = "i", 3;
    /// Number of the batch: P chunks are one batch.
    BATCH = "batch", 4;
    /// Units that were left at the first chunk of the batch.
    BATCH_REST = "batch_rest", 5;
    /// Number after the comma of the policy's name.
    CHUNK = "chunk", 6;
    /// Number of the thread.
    THREAD = "thread", 7;
    /// Seed of the run.
    SEED = "seed", 8;
    /// Number of earlier executions of the loop.
    STEP = "step", 9;
    /// Chunks of all threads that were measured.
    MEASURED = "measured", 10;
    /// Mean over the chunks of all threads of the time of a unit, in seconds. Long and short chunks count alike.
    MEAN = "mu", 11;
    /// Deviation of these times of a unit from chunk to chunk, in seconds.
    DEVIATION = "sigma", 12;
    /// Mean time from a thread's request to its chunk, in seconds.
    OVERHEAD = "h", 13;
    /// Chunks of the thread that were measured.
    MY_MEASURED = "my_measured", 14;
    /// Mean time of a unit on the thread, in seconds.
    MY_MEAN = "my_mu", 15;
    /// Deviation of a unit's time on the thread, in seconds.
    MY_DEVIATION = "my_sigma", 16;
    /// Time of a unit on the thread, in seconds: its chunks (or steps) weighted by their numbers, so that the last
    /// counts most.
    MY_PACE = "my_pace", 17;
}

/// Number of the first value that a policy names itself.
pub const FIRST_NAMED: u8 = 18;

/// True if the value stays the same from the start of a loop to its end.
pub fn is_fixed(variable: u8) -> bool {
    matches!(variable, ITERATIONS | THREADS | CHUNK | SEED)
}

/// True if the value is measured or counted while loops run.
pub fn is_measured(variable: u8) -> bool {
    (STEP..=MY_PACE).contains(&variable)
}

/// True if the value is the number of a chunk or of its batch.
pub fn is_of_chunk(variable: u8) -> bool {
    matches!(variable, NUMBER | BATCH)
}

/// True if only a thread that reads the shared counter first knows the value.
pub fn is_of_counter(variable: u8) -> bool {
    matches!(variable, REST | BATCH_REST)
}
