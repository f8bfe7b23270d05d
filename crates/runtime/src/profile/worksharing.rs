//! Runtime calls by which a thread gets its part of a construct.

use numalab_base::Span;

numalab_base::parameters! {
    /// Loops, `sections` and `single` regions: time of a thread's runtime calls, apart from lines.
    pub struct Worksharing as "WorksharingFile" with defaults {
        /// Time of a thread for its part of a loop under `static`, once for each loop.
        static_loop: Span = Span::ZERO => [silent],
        /// Time of a thread for each chunk that it requests under another schedule, including the last, failed
        /// request.
        chunk: Span = Span::ZERO => [silent],
        /// Time of a thread for finding out whether it executes a `single` region.
        single: Span = Span::ZERO => [silent],
        /// Whether the compiler gives each thread its `sections` in advance, as under `static`; otherwise a thread
        /// takes the next section from a shared counter.
        static_sections: bool = false => [silent],
    }
}
