//! Rules of OpenMP runtimes for the places of a team.

numalab_base::words! {
    /// Rules by which a runtime gives places to the threads of a team, where the standard leaves the choice to it.
    #[derive(Default)]
    pub enum PlaceRules as "PlaceRulesWord" {
        /// `true` is `close`, and `OMP_PROC_BIND` without `OMP_PLACES` binds to cores. If threads or places do not
        /// divide evenly, the first places have a thread more, the first parts a place more.
        Standard = "standard" (default),
        /// libgomp of GCC 4.9 and later: as `standard`, but `OMP_PROC_BIND` without `OMP_PLACES` binds to hardware
        /// threads, and threads that remain after an even division follow one by one from the first place.
        Gnu = "gnu",
        /// libomp of LLVM: `true`, and `OMP_PLACES` without `OMP_PROC_BIND`, are `spread`; parts of a partition are
        /// (places + 1) / threads long; threads that remain after an even division go to every n-th place.
        Llvm = "llvm",
    }
}
