//! Changes that may help: what each is in words, and what it does to a run.

use numalab_base::Bytes;
use numalab_machine::{Consistency, Technique};
use numalab_openmp::binding::Binding;
use numalab_runtime::profile::BarrierKind;
use numalab_simulator::Team;
use numalab_workload::{LockKind, PageKind, Placement, RegionId, Schedule};
use std::sync::Arc;

// Glossary: remedy: A change to a run that may make it shorter.
/// A change.
#[derive(Clone, Debug)]
pub enum Remedy {
    /// A loop that one thread executes before the measured phases is shared out, for all regions or for one.
    ParallelFirstTouch {
        /// The loop's phase.
        phase: String,
        /// The only region whose pages are touched in parallel.
        only: Option<String>,
    },
    /// Regions that one thread touches first, outside of loops, are touched in equal parts by all before.
    TouchInParallel {
        /// The regions.
        regions: Vec<String>,
    },
    /// Regions are placed otherwise.
    Place {
        /// The regions; all of them if none.
        regions: Vec<String>,
        /// Placement of their pages.
        placement: Placement,
    },
    /// Regions have pages of another size.
    Page {
        /// Kind of the pages.
        page: PageKind,
    },
    /// Threads are bound otherwise.
    Bind {
        /// Places and policy.
        binding: Binding,
        /// Team as that places it.
        team: Arc<Team>,
    },
    /// Another schedule of the loops that leave it open, or of one that does not.
    Schedule {
        /// The phase that fixes it.
        phase: Option<String>,
        /// The schedule.
        schedule: Schedule,
    },
    /// Static loops are split by cost instead of by count.
    SplitByCost {
        /// The phases.
        phases: Vec<String>,
        /// Sums of what iterations cost.
        costs: Arc<[u64]>,
        /// The expression that says so, where there is one.
        expression: Option<String>,
    },
    /// Larger tasks.
    Grain {
        /// The phase.
        phase: String,
        /// Iterations in each.
        grain: u64,
    },
    /// Tasks name the data that they want to be near.
    Affinity {
        /// The phase.
        phase: String,
        /// The region.
        region: (RegionId, String),
        /// The schedule that heeds it.
        schedule: Schedule,
    },
    /// Another lock of the runtime.
    Lock(LockKind),
    /// Another kind of a lock of the program.
    KindOfLock {
        /// The phases.
        phases: Vec<String>,
        /// The kind.
        kind: LockKind,
    },
    /// Another barrier of the runtime, which also opens regions.
    Barrier(BarrierKind),
    /// Pages that nodes share in software go to who uses them next before they are asked for.
    Technique(Technique),
    /// Nodes that share pages in software agree on other things.
    Consistency(Consistency),
    /// Elements that threads store to are farther apart.
    Spacing {
        /// The phases.
        phases: Vec<String>,
        /// Bytes from one to the next.
        spacing: Bytes,
    },
}

/// Children of a thread where another barrier branches.
pub const BRANCHING: u32 = 4;

impl Remedy {
    /// In words.
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

    /// Whether another change is about something else, so that both can be made.
    pub fn goes_with(&self, other: &Remedy) -> bool {
        self.subject() != other.subject()
    }

    /// Subject of the remedy.
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

/// Subject of a change; changes with one subject exclude each other.
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
