//! Runtime calls by which a thread gets its part of a construct.

use numalab_base::Span;

numalab_base::parameters! {
    /// Loops and `single` regions: time of a thread's runtime calls, apart from lines.
    pub struct Worksharing as "WorksharingFile" with defaults {
        /// Time of a thread for its part of a loop under `static`, once for each loop.
        static_loop: Span = Span::ZERO => [silent],
        /// Time of a thread for each chunk that it requests under another schedule, including the last, failed
        /// request.
        chunk: Span = Span::ZERO => [silent],
        /// Time of a thread for finding out whether it executes a `single` region.
        single: Span = Span::ZERO => [silent],
    }
}
