//! Flags about binding threads to places.

use clap::Args;

/// Places and binding, as `OMP_PLACES` and its companions would say them.
#[derive(Clone, Debug, Default, Args)]
pub struct Binding {
    /// Places that threads are bound to, as OMP_PLACES names them
    ///
    /// threads, cores, ll_caches, numa_domains or sockets, each with a number of places and a stride if
    /// wanted, such as sockets(2) or cores(8:2); or a list of places such as 0,8,16 or {0:4}:4:8,!{24:4}.
    /// Without --proc-bind, threads are next to each other [default: cores].
    #[arg(long, value_name = "LIST")]
    pub places: Option<String>,

    /// Binding of threads to the places, as OMP_PROC_BIND says it
    ///
    /// primary, close, spread, true (which is close here), or false: threads start where Linux would start
    /// them. A list such as spread,close is for nested teams.
    #[arg(long, value_name = "POLICY")]
    pub proc_bind: Option<String>,

    /// Take OMP_NUM_THREADS, OMP_PLACES and OMP_PROC_BIND from the environment; flags win
    ///
    /// OMP_DISPLAY_AFFINITY, OMP_AFFINITY_FORMAT, OMP_DISPLAY_ENV, OMP_SCHEDULE, GOMP_CPU_AFFINITY and KMP_AFFINITY count too; variables
    /// that are set and not understood are named. Without this flag the environment is not read.
    #[arg(long)]
    pub omp_env: bool,

    /// Print what each thread is bound to, as OMP_DISPLAY_AFFINITY does, to standard error
    #[arg(long)]
    pub display_affinity: bool,
}
