//! Kinds of spans, interned: spans refer to a kind by its index.

use numalab_machine::{Closeness, Fabric, Machine};
use numalab_results::{Account, Sharing, SpanKind, TaskDistance};
use numalab_simulator::{Activity, BookedSpan, Cause};
use rustc_hash::FxHashMap;

/// Properties by which kinds of spans differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Kind {
    pub activity: Activity,
    pub cause: Cause,
    /// Distance between the thread and the creator of the executed task; `None` outside of tasks.
    pub task: Option<TaskDistance>,
    /// Board (or socket) of the accessed data; `None` if not recorded.
    pub domain: Option<u32>,
}

/// Kinds in order of occurrence.
#[derive(Clone, Debug, Default)]
pub(super) struct Kinds {
    list: Vec<Kind>,
    /// Index of each kind in `list`, for look-ups; never iterated.
    numbers: FxHashMap<Kind, u32>,
}

impl Kinds {
    pub fn number(&mut self, kind: Kind) -> u32 {
        let list = &mut self.list;
        *self.numbers.entry(kind).or_insert_with(|| {
            list.push(kind);
            list.len() as u32 - 1
        })
    }

    /// All kinds in the order of their indices, with names.
    pub fn into_list(self, machine: &Machine, fabric: &Fabric) -> Vec<SpanKind> {
        self.list.into_iter().map(|kind| in_words(kind, machine, fabric)).collect()
    }
}

/// True if the span is part of the task that the thread executes.
pub(super) fn is_of_task(span: &BookedSpan) -> bool {
    match span.cause {
        Cause::Instructions | Cause::Cache(_) | Cause::Memory { .. } | Cause::Fault | Cause::Page(_) => true,
        Cause::Kernel
        | Cause::AddressSpace
        | Cause::Scanner
        | Cause::Runtime
        | Cause::Turn
        | Cause::Line
        | Cause::Barrier
        | Cause::NoWork => false,
    }
}

fn in_words(Kind { activity, cause, task, domain }: Kind, machine: &Machine, fabric: &Fabric) -> SpanKind {
    let account = match activity {
        Activity::Compute => Account::Compute,
        Activity::Stall => Account::Stall,
        Activity::Overhead => Account::Overhead,
        Activity::Idle => Account::Idle,
    };
    let mut data = None;
    let mut limit = None;
    let reason = match cause {
        Cause::Instructions => "computing".to_owned(),
        Cause::Cache(at) => match machine.caches.get(at as usize) {
            Some(cache) => format!("data in the L{}", cache.level),
            None => "data in a cache".to_owned(),
        },
        Cause::Memory { level, limit: by } => {
            let (sharing, words) = match level {
                Closeness::Node => (Sharing::Node, "data of the same node"),
                Closeness::Socket => (Sharing::Socket, "data of the same socket"),
                Closeness::Board => (Sharing::Board, "data of the same board"),
                Closeness::Machine => (Sharing::Machine, "data from far away"),
            };
            data = Some(sharing);
            limit = by.map(|resource| fabric.name(resource));
            words.to_owned()
        }
        Cause::Fault => "page faults".to_owned(),
        Cause::Page(part) => {
            // The page comes from another node.
            data = Some(Sharing::Machine);
            format!("shared pages: {}", part.words())
        }
        Cause::Kernel => "operating system".to_owned(),
        Cause::AddressSpace => "lock of the address space".to_owned(),
        Cause::Scanner => "automatic balancing".to_owned(),
        Cause::Runtime => "OpenMP runtime".to_owned(),
        Cause::Turn => "lock or turn".to_owned(),
        Cause::Line => "lines to write".to_owned(),
        Cause::Barrier => "barrier".to_owned(),
        Cause::NoWork => "no work".to_owned(),
    };
    SpanKind { account, reason, data, limit, creator: task, domain }
}
