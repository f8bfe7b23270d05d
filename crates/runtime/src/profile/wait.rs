//! Waiting of threads at barriers and between regions: they spin, and then sleep.

use numalab_base::Span;

numalab_base::parameters! {
    /// Waiting at barriers and between regions, in teams whose threads have processors of their own. Waking a thread
    /// takes it `os.context_switch` and `os.wake_thread` of the machine.
    pub struct WaitProfile as "WaitFile" with defaults {
        /// Spinning time before a thread sleeps. Absent: unlimited.
        spin: Option<Span> = None => [silent, unlimited],
        /// Time of a thread that lets others continue, for each of them that sleeps.
        wake: Span = Span::ZERO => [silent],
        /// Variables of the environment that set the spinning time, besides `OMP_WAIT_POLICY`.
        variables: WaitVariables = WaitVariables::None => [silent],
    }
}

numalab_base::words! {
    /// Variables of the environment that set the spinning time.
    #[derive(Default)]
    pub enum WaitVariables as "WaitVariablesWord" {
        /// None.
        None = "none" (default),
        /// `GOMP_SPINCOUNT`, in turns of 10 ns as its authors reckon.
        Gnu = "gnu",
        /// `KMP_BLOCKTIME`.
        Llvm = "llvm",
    }
}
