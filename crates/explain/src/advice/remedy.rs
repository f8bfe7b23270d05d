//! Kinds of remedies and their wording.

use numalab_base::Bytes;
use numalab_machine::{Consistency, Technique};
use numalab_openmp::binding::Binding;
use numalab_runtime::profile::BarrierKind;
use numalab_simulator::Team;
use numalab_workload::{LockKind, PageKind, Placement, RegionId, Schedule};
use std::sync::Arc;

// Glossary: remedy: A change to a run that may make it shorter.
/// Change to a run that may shorten it.
#[derive(Clone, Debug)]
pub enum Remedy {
    /// A loop that a single thread executes before the measured phases becomes parallel, for all of its regions or
    /// for one.
    ParallelFirstTouch {
        phase: String,
        /// Name of the region that is touched in parallel; `None` for all regions of the loop.
        only: Option<String>,
    },
    /// Regions that a single thread touches first, outside of loops, are instead touched at the start of the
    /// workload, in equal parts by all threads.
    TouchInParallel { regions: Vec<String> },
    /// Another placement of regions.
    Place {
        /// Names of the regions; empty for all.
        regions: Vec<String>,
        placement: Placement,
    },
    /// Another page size of all regions.
    Page { page: PageKind },
    /// Another binding of the threads.
    Bind {
        /// Places and binding policy.
        binding: Binding,
        /// Threads and their processors under `binding`.
        team: Arc<Team>,
    },
    /// Another schedule for all loops without one of their own, or for one phase.
    Schedule {
        /// Name of a phase with a schedule of its own; `None` for all loops without one.
        phase: Option<String>,
        schedule: Schedule,
    },
    /// Static loops give every thread iterations of equal total cost, instead of equally many.
    SplitByCost {
        phases: Vec<String>,
        /// Sum of the costs before each iteration, with the total as last entry.
        costs: Arc<[u64]>,
        /// Expression of an iteration's cost in the workload file, if there is one.
        expression: Option<String>,
    },
    /// Larger tasks.
    Grain {
        phase: String,
        /// Iterations per task.
        grain: u64,
    },
    /// Tasks state the data near which they prefer to run.
    Affinity {
        phase: String,
        region: (RegionId, String),
        /// Schedule that respects the affinity of tasks.
        schedule: Schedule,
    },
    /// Another algorithm for the runtime's locks.
    Lock(LockKind),
    /// Another algorithm for the locks of some phases.
    KindOfLock { phases: Vec<String>, kind: LockKind },
    /// Another algorithm for the runtime's barriers, which also open regions.
    Barrier(BarrierKind),
    /// Another technique that sends shared pages ahead to their next users.
    Technique(Technique),
    /// Another consistency model for pages that nodes share.
    Consistency(Consistency),
    /// Elements that threads write, such as counters, get a larger distance.
    Spacing {
        phases: Vec<String>,
        /// Bytes from one element to the next.
        spacing: Bytes,
    },
}

/// Number of children of a thread in an advised tree barrier.
pub const BRANCHING: u32 = 4;

impl Remedy {
    /// Wording for the user.
    pub fn words(&self) -> String {
        match self {
            Remedy::ParallelFirstTouch { phase, only: None } => format!("first touch in parallel in {phase}"),
            Remedy::ParallelFirstTouch { phase, only: Some(region) } => {
                format!("first touch of {region} in parallel in {phase}")
            }
            Remedy::TouchInParallel { regions } => format!("first-touch {} in parallel", regions.join(", ")),
            Remedy::Place { regions, placement } => {
                let what = if regions.is_empty() { "all pages".to_owned() } else { regions.join(", ") };
                format!("{what}: {placement}")
            }
            Remedy::Page { page } => match page {
                PageKind::Base => "pages of the machine's size".to_owned(),
                PageKind::Fixed(size) => format!("pages of {size}"),
                PageKind::Transparent => "transparent huge pages".to_owned(),
            },
            Remedy::Bind { binding, .. } => {
                let places = binding.places.as_ref().map_or("cores", |places| places.text()).to_owned();
                let policies: Vec<String> =
                    binding.proc_bind.iter().flatten().map(ToString::to_string).collect();
                format!("threads bound to {places}, {}", policies.join(","))
            }
            Remedy::Schedule { phase: None, schedule } => format!("schedule {schedule}"),
            Remedy::Schedule { phase: Some(phase), schedule } => format!("schedule {schedule} in {phase}"),
            Remedy::SplitByCost { .. } => "loops split by cost instead of by count".to_owned(),
            Remedy::Grain { phase, grain } => format!("{grain} iterations in each task of {phase}"),
            Remedy::Affinity { phase, region, schedule } => {
                format!("tasks of {phase} near their {}, {schedule}", region.1)
            }
            Remedy::Lock(kind) => format!("lock {kind}"),
            Remedy::KindOfLock { phases, kind } => format!("lock {kind} in {}", phases.join(", ")),
            Remedy::Barrier(kind) => format!("barriers {kind}"),
            Remedy::Technique(technique) => match technique {
                Technique::None => "pages sent when they are asked for alone".to_owned(),
                Technique::Presend => "pages sent ahead at the ends of loops (presend)".to_owned(),
                Technique::Preinvalidate => "copies dropped ahead at the ends of loops".to_owned(),
                Technique::Chopper => "pages sent ahead in the middle of loops (chopper)".to_owned(),
                Technique::Final => {
                    "pages sent ahead in and after loops, and what the first thread writes (final)".to_owned()
                }
            },
            Remedy::Consistency(consistency) => match consistency {
                Consistency::Sequential => "one writer of a page at a time".to_owned(),
                Consistency::Lazy => "several writers of a page, lazy release consistency".to_owned(),
                Consistency::HomeBased => {
                    "several writers of a page, home-based lazy release consistency".to_owned()
                }
            },
            Remedy::Spacing { spacing, .. } => format!("elements {} bytes apart", spacing.0),
        }
    }

    /// True if both remedies can be applied together, since their subjects differ.
    pub fn goes_with(&self, other: &Remedy) -> bool {
        self.subject() != other.subject()
    }

    fn subject(&self) -> Subject {
        match self {
            Remedy::ParallelFirstTouch { .. } | Remedy::TouchInParallel { .. } | Remedy::Place { .. } => {
                Subject::Placement
            }
            Remedy::Page { .. } => Subject::Pages,
            Remedy::Bind { .. } => Subject::Binding,
            Remedy::Schedule { .. }
            | Remedy::SplitByCost { .. }
            | Remedy::Grain { .. }
            | Remedy::Affinity { .. } => Subject::Schedule,
            Remedy::Lock(_) | Remedy::KindOfLock { .. } => Subject::Lock,
            Remedy::Barrier(_) => Subject::Barrier,
            Remedy::Technique(_) | Remedy::Consistency(_) => Subject::SharedPages,
            Remedy::Spacing { .. } => Subject::Lines,
        }
    }
}

/// Subject of a remedy. Remedies with the same subject exclude each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    Placement,
    Pages,
    Binding,
    Schedule,
    Lock,
    Barrier,
    SharedPages,
    Lines,
}
