//! Commands, variables and source lines that make a change which `explain` suggests on a real machine.

use numalab_explain::{Remedy, Typed};
use numalab_openmp::binding::{Binding, ProcBind};
use numalab_runtime::profile::BarrierKind;
use numalab_workload::policy::FilePolicy;
use numalab_workload::{LockKind, NodeSet, PageKind, Placement, QueueKind, Schedule, Weighted};

/// Command, variables of the environment or lines of the source that make a change on a real machine; `None` for
/// changes that need another program or another runtime.
pub fn on_machine(remedy: &Remedy) -> Option<String> {
    Some(match remedy {
        Remedy::Place { regions, placement } => return place(regions, placement),
        Remedy::Page { page: PageKind::Transparent } => {
            "madvise(start, length, MADV_HUGEPAGE), or /sys/kernel/mm/transparent_hugepage/enabled = always"
                .to_owned()
        }
        Remedy::Page { page: PageKind::Fixed(_) } => {
            "mmap(2) with MAP_HUGETLB; pages: vm.nr_hugepages".to_owned()
        }
        Remedy::Page { page: PageKind::Base } => {
            "/sys/kernel/mm/transparent_hugepage/enabled = never".to_owned()
        }
        Remedy::Bind { binding, .. } => variables(binding),
        Remedy::Schedule { phase, schedule } => return self::schedule(phase.as_deref(), *schedule),
        Remedy::Grain { grain, .. } => format!("#pragma omp taskloop grainsize({grain})"),
        Remedy::Lock(kind) => format!("KMP_LOCK_KIND={} with the runtimes of LLVM and Intel", lock(*kind)?),
        Remedy::Barrier(kind) => {
            let pattern = barrier(*kind)?;
            format!(
                "KMP_PLAIN_BARRIER_PATTERN={pattern} KMP_FORKJOIN_BARRIER_PATTERN={pattern} with the runtimes of LLVM \
                 and Intel"
            )
        }
        Remedy::Spacing { spacing, .. } => format!("alignas({}) for each element", spacing.0),
        Remedy::ParallelFirstTouch { .. }
        | Remedy::TouchInParallel { .. }
        | Remedy::SplitByCost { .. }
        | Remedy::Affinity { .. }
        | Remedy::KindOfLock { .. }
        | Remedy::Technique(_)
        | Remedy::Consistency(_) => return None,
    })
}

fn place(regions: &[String], placement: &Placement) -> Option<String> {
    let names = regions.join(", ");
    // Policies of a whole process are set by numactl, those of single arrays in the program.
    let numactl = |option: String, call: &str| match regions.is_empty() {
        true => format!("numactl {option} ./program"),
        false => format!("{call} for {names} (libnuma)"),
    };
    Some(match placement {
        Placement::FirstTouch => numactl("--localalloc".to_owned(), "numa_alloc_local(size)"),
        Placement::Interleave(NodeSet::All) => {
            numactl("--interleave=all".to_owned(), "numa_alloc_interleaved(size)")
        }
        Placement::Interleave(set) => {
            numactl(format!("--interleave={set}"), "numa_alloc_interleaved_subset(size, nodes)")
        }
        Placement::WeightedInterleave(parts) => {
            let sets: Vec<String> = parts.iter().map(|Weighted { nodes, .. }| nodes.to_string()).collect();
            let sets = if sets.is_empty() { "all".to_owned() } else { sets.join(",") };
            numactl(format!("--weighted-interleave={sets}"), "mbind(2) with MPOL_WEIGHTED_INTERLEAVE")
        }
        Placement::Bind(set) => numactl(format!("--membind={set}"), "mbind(2) with MPOL_BIND"),
        Placement::Preferred(node) => numactl(format!("--preferred={node}"), "numa_alloc_onnode(size, node)"),
        Placement::PreferredMany(set) => {
            numactl(format!("--preferred-many={set}"), "mbind(2) with MPOL_PREFERRED_MANY")
        }
        Placement::Balancing => "sysctl kernel.numa_balancing=1".to_owned(),
        Placement::Tiering => "sysctl kernel.numa_balancing=2".to_owned(),
        Placement::HighBandwidth => "hbw_malloc(size) of memkind".to_owned(),
        Placement::Replicate => format!(
            "numa_alloc_onnode(size, node) and a copy of {names} for each node; threads read that of \
             numa_node_of_cpu(sched_getcpu())"
        ),
        Placement::Fetch | Placement::Migrate(_) => "move_pages(2), or mbind(2) with MPOL_MF_MOVE".to_owned(),
        // Linux has no such policy.
        Placement::NextTouch => return None,
    })
}

/// Variables of OpenMP for a binding.
pub fn variables(binding: &Binding) -> String {
    let places = binding.places.as_ref().map(|places| match places.text() {
        text if text.contains(['{', '(']) => format!("OMP_PLACES=\"{text}\""),
        text => format!("OMP_PLACES={text}"),
    });
    let policies = binding.proc_bind.as_ref().map(|list| {
        let list: Vec<String> = list.iter().map(ProcBind::to_string).collect();
        format!("OMP_PROC_BIND={}", list.join(","))
    });
    places.into_iter().chain(policies).collect::<Vec<_>>().join(" ")
}

/// Clause of a loop, or variable for loops with `schedule(runtime)`. `None` for schedules of the simulator's own.
fn schedule(phase: Option<&str>, schedule: Schedule) -> Option<String> {
    if let Schedule::Tasks(_) = schedule {
        return Some("#pragma omp taskloop; the runtime decides about its queues".to_owned());
    }
    let of_phase = phase.map(|phase| format!(" in {phase}")).unwrap_or_default();
    schedule.is_of_openmp().then(|| {
        format!("schedule({schedule}){of_phase}, or schedule(runtime) and OMP_SCHEDULE=\"{schedule}\"")
    })
}

/// Text for schedules that no runtime has.
const NO_RUNTIME: &str = "no runtime of today";

/// Text that sets a schedule in a program, with the compilers or runtimes that have the schedule.
pub fn typed(schedule: Schedule) -> Typed {
    let (text, needs) = match schedule {
        Schedule::File(file) => return of_file(file),
        Schedule::Tasks(None) => (Some("#pragma omp taskloop".to_owned()), "any compiler"),
        Schedule::Tasks(Some(QueueKind::Central)) => (Some("gcc -fopenmp".to_owned()), "GNU's runtime"),
        Schedule::Tasks(Some(QueueKind::ThreadLocal)) => {
            (Some("clang -fopenmp".to_owned()), "runtimes of LLVM and Intel")
        }
        other if other.is_of_openmp() => (Some(format!("schedule({other})")), "any compiler"),
        _ => (None, NO_RUNTIME),
    };
    Typed { is_common: text.is_some(), text, needs: needs.to_owned() }
}

/// Text that sets the schedule of a policy file of the catalogue. Runtimes that have it read it from the environment, for
/// loops with `schedule(runtime)`.
fn of_file(file: FilePolicy) -> Typed {
    let FilePolicy { policy, chunk } = file;
    let none = || Typed { text: None, needs: NO_RUNTIME.to_owned(), is_common: false };
    // A file of the user's own can have the name of another schedule.
    if !numalab_files::is_built_in_policy(policy) {
        return none();
    }
    let name = policy.name.as_str();
    const LLVM: &str = "LLVM's runtime";
    const LB4OMP: &str = "LB4OMP";
    let (value, needs, is_common) = match name {
        "static_steal" | "trapezoidal" => (name, LLVM, true),
        "guided-llvm" => ("guided", LLVM, true),
        "guided-gnu" => ("guided", "GNU's runtime", true),
        "fsc" | "mfsc" | "tap" | "fac" | "fac2" | "awf" | "af" | "pls" | "tfss" | "fiss" | "viss" | "rnd" => {
            (name, LB4OMP, false)
        }
        "wf2" => ("wf", LB4OMP, false),
        "awf-b" => ("awf_b", LB4OMP, false),
        "awf-c" => ("awf_c", LB4OMP, false),
        "awf-d" => ("awf_d", LB4OMP, false),
        "awf-e" => ("awf_e", LB4OMP, false),
        "maf" => ("af_a", LB4OMP, false),
        _ => return none(),
    };
    let chunk = if chunk > 1 { format!(",{chunk}") } else { String::new() };
    Typed { text: Some(format!("OMP_SCHEDULE={value}{chunk}")), needs: needs.to_owned(), is_common }
}

/// Name of a kind of lock in `KMP_LOCK_KIND`; `None` if there is none.
fn lock(kind: LockKind) -> Option<&'static str> {
    match kind {
        LockKind::TestAndSet => Some("tas"),
        LockKind::Ticket => Some("ticket"),
        LockKind::Mcs => Some("queuing"),
        LockKind::TestAndTestAndSet | LockKind::Backoff => None,
    }
}

/// Pattern of gather and release in `KMP_PLAIN_BARRIER_PATTERN`; `None` if there is none.
fn barrier(kind: BarrierKind) -> Option<&'static str> {
    match kind {
        BarrierKind::Tree => Some("tree,tree"),
        BarrierKind::Hypercube => Some("hyper,hyper"),
        BarrierKind::Hierarchical => Some("hierarchical,hierarchical"),
        BarrierKind::Central | BarrierKind::Futex | BarrierKind::Dissemination | BarrierKind::Free => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(regions: &[&str], placement: &str) -> Option<String> {
        let regions = regions.iter().map(|&name| name.to_owned()).collect();
        on_machine(&Remedy::Place { regions, placement: placement.parse().unwrap() })
    }

    #[test]
    fn placements_are_commands_or_calls() {
        let text = |placement: &str| placed(&[], placement).unwrap();
        assert_eq!(text("interleave"), "numactl --interleave=all ./program");
        assert_eq!(text("interleave:0-3,6"), "numactl --interleave=0-3,6 ./program");
        assert_eq!(text("bind:1"), "numactl --membind=1 ./program");
        assert_eq!(text("first-touch"), "numactl --localalloc ./program");
        assert_eq!(text("balancing"), "sysctl kernel.numa_balancing=1");
        assert_eq!(
            placed(&["a", "b"], "interleave").unwrap(),
            "numa_alloc_interleaved(size) for a, b (libnuma)"
        );
        assert_eq!(placed(&[], "next-touch"), None, "no system call does it");
    }

    #[test]
    fn bindings_are_variables() {
        let of = |places: Option<&str>, policy| variables(&Binding::parse(places, Some(policy)).unwrap());
        assert_eq!(of(Some("sockets"), "spread"), "OMP_PLACES=sockets OMP_PROC_BIND=spread");
        assert_eq!(of(Some("{0:4}:2:4"), "close"), "OMP_PLACES=\"{0:4}:2:4\" OMP_PROC_BIND=close");
        assert_eq!(of(None, "spread,close"), "OMP_PROC_BIND=spread,close");
    }

    #[test]
    fn schedules_that_no_compiler_has_are_not_typed() {
        let of = |schedule: &str| super::schedule(None, schedule.parse().unwrap());
        assert_eq!(
            of("guided,4").unwrap(),
            "schedule(guided,4), or schedule(runtime) and OMP_SCHEDULE=\"guided,4\""
        );
        assert_eq!(of("numa-steal:random"), None);
    }
}
