//! Flags that bind threads to places.

use clap::Args;

#[derive(Clone, Debug, Default, Args)]
pub struct Binding {
    /// Places that threads are bound to, as in OMP_PLACES
    ///
    /// threads, cores, ll_caches, numa_domains or sockets, with an optional number of places and
    /// stride, such as sockets(2) or cores(8:2); or a list of places such as 0,8,16 or
    /// {0:4}:4:8,!{24:4}. Without --proc-bind, consecutive threads get consecutive places [default:
    /// cores].
    #[arg(long, value_name = "LIST")]
    pub places: Option<String>,

    /// Binding of threads to places, as in OMP_PROC_BIND
    ///
    /// primary, close, spread, true (here the same as close), or false: threads start where Linux
    /// would start them. A list such as spread,close is for nested teams.
    #[arg(long, value_name = "POLICY")]
    pub proc_bind: Option<String>,

    /// Read OMP_NUM_THREADS, OMP_PLACES and OMP_PROC_BIND from the environment; flags take
    /// precedence
    ///
    /// Also OMP_DISPLAY_AFFINITY, OMP_AFFINITY_FORMAT, OMP_DISPLAY_ENV, OMP_SCHEDULE,
    /// GOMP_CPU_AFFINITY, KMP_AFFINITY (none, compact, scatter, balanced or explicit, with
    /// granularity, permutation and offset), KMP_HW_SUBSET (such as 2s,4c@2,1t), OMP_WAIT_POLICY,
    /// KMP_BLOCKTIME and GOMP_SPINCOUNT; other variables of OpenMP runtimes are listed as not
    /// understood. KMP_AFFINITY takes precedence over
    /// OMP_PLACES and OMP_PROC_BIND, and these over GOMP_CPU_AFFINITY. Without this flag the
    /// environment is ignored.
    #[arg(long)]
    pub omp_env: bool,

    /// Print the binding of each thread to standard error, as OMP_DISPLAY_AFFINITY does
    #[arg(long)]
    pub display_affinity: bool,
}
