//! Calls by which a thread gets its part of what a team shares out.

use numalab_base::Span;

numalab_base::parameters! {
    /// Loops and `single` regions: what a thread's calls take apart from lines.
    pub struct Worksharing as "WorksharingFile" with defaults {
        /// Time of a thread for its part of a loop under `static`, once for each loop.
        static_loop: Span = Span::ZERO => [silent],
        /// Time of a thread for each chunk that it asks for under another schedule, the last time in vain.
        chunk: Span = Span::ZERO => [silent],
        /// Time of a thread for finding out whether a `single` region is its own.
        single: Span = Span::ZERO => [silent],
    }
}
