//! Loop policies that files describe: how a loop is divided, how large chunks are, and from whom threads steal.

mod rule;
pub mod variable;

pub use rule::{DEPTH, Rule, Step, VALUES};

use numalab_base::Span;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

// Glossary: policy file: File that says how a loop policy divides a loop: `policies/NAME.yaml`.
/// Loop policy of a file.
#[derive(Clone, Debug)]
pub struct LoopPolicy {
    /// Name in results.
    pub name: String,
    /// Name or path by which the file was found.
    pub typed: String,
    /// Hash of what the file says.
    pub digest: String,
    /// Chunk if none is typed; `None` if the policy takes no chunk.
    pub chunk: Option<u64>,
    /// Number of iterations that stay together.
    pub unit: Rule,
    pub division: Division,
    /// Units of the next chunk.
    pub take: Rule,
    pub counter: CounterAccess,
    /// Values that the file names, in the order of their numbers.
    pub named: Vec<Named>,
    pub steal: Option<StealRule>,
    pub measures: Option<Measures>,
}

/// Division of a loop at its start.
#[derive(Clone, Debug)]
pub enum Division {
    /// All units are in a shared counter.
    Shared,
    /// Each thread has an equal range of units.
    Even,
    /// Units go round the threads.
    Cyclic,
    /// Each thread has this many units of its own; the rest is in a shared counter.
    Part(Rule),
}

/// Access to the shared counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CounterAccess {
    FetchAdd,
    CompareSwap,
}

/// A value that a policy file names.
#[derive(Clone, Debug)]
pub struct Named {
    pub rule: Rule,
    pub kind: NamedKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedKind {
    /// Evaluated once, at the start of the loop.
    Fixed,
    /// Evaluated for each chunk.
    EachChunk,
    /// Sum of the expression's values for all threads, evaluated for each chunk.
    SumOverThreads,
}

/// Stealing by threads whose own range is empty.
#[derive(Clone, Debug)]
pub struct StealRule {
    /// Steps of the search for a victim, until one finds work.
    pub search: Vec<SearchStep>,
    /// Units that a thief takes; R is what the victim has left.
    pub amount: Rule,
    /// Fewest units of a victim from which a thief takes.
    pub least: u64,
    pub end: End,
    /// True if what was taken becomes the thief's range, from which others can steal. False if the thief executes it
    /// at once.
    pub keeps: bool,
    /// Searches without success after which a thread leaves the loop.
    pub rounds: u32,
    /// Wait before the next search; doubled each time, up to `longest_wait`.
    pub wait: Span,
    pub longest_wait: Span,
}

/// Step of a search for a victim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchStep {
    pub within: Reach,
    pub order: Order,
    /// Largest number of threads that are asked; `None`: as many as are within reach.
    pub tries: Option<u32>,
    /// True if the thief asks only threads with work, which it finds without reading their ranges.
    pub loaded_only: bool,
}

/// Part of the machine in which a thief looks for victims: around itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    Node,
    Socket,
    Board,
    Machine,
}

/// Order in which threads are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The last thread from which the thief took work, and then those after it in the order of their numbers.
    Last,
    /// Threads in the order of their numbers, from the thief's on.
    Next,
    /// Nearest first; of equally near ones the next in the order of their numbers.
    Nearest,
    Random,
    /// The thread with most work first, after the ranges of all threads were read.
    MostLoaded,
}

/// End of a victim's range from which a thief takes. The owner works from the front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Back,
    Front,
}

/// Measuring of chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measures {
    pub update: Update,
    /// True if the time from the request to the chunk counts as time of the chunk.
    pub with_overhead: bool,
}

/// Instant at which measured values become those that expressions read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// At the end of each execution of the loop.
    Step,
    /// After each chunk.
    Chunk,
}

impl LoopPolicy {
    /// True if each thread has one range, known before the loop starts.
    pub fn is_contiguous(&self) -> bool {
        let whole = self.take.is_value(variable::REST) && self.unit.constant() == Some(1.0);
        matches!(self.division, Division::Even) && self.steal.is_none() && whole
    }

    /// Units of each chunk, if they are always the same; at least 1.
    pub fn constant_chunk(&self, chunk: u64) -> Option<u64> {
        if self.take.is_value(variable::CHUNK) {
            return Some(chunk);
        }
        self.take.constant().map(|units| (units as u64).max(1))
    }

    /// True if a chunk is calculated from what all threads have measured by then.
    pub fn reads_all_threads(&self) -> bool {
        let sums = self.named.iter().any(|named| named.kind == NamedKind::SumOverThreads);
        sums && self.measures.is_some_and(|measures| measures.update == Update::Chunk)
    }

    /// True if a decision depends on where threads are.
    pub fn asks_for_places(&self) -> bool {
        let near = |step: &SearchStep| step.within != Reach::Machine || step.order == Order::Nearest;
        self.steal.as_ref().is_some_and(|steal| steal.search.iter().any(near))
    }
}

/// A loop policy with its chunk. The policy lives as long as the program.
#[derive(Clone, Copy)]
pub struct FilePolicy {
    pub policy: &'static LoopPolicy,
    pub chunk: u64,
}

impl FilePolicy {
    /// Name, content and chunk, which tell one policy from another.
    fn key(&self) -> (&str, &str, u64) {
        (&self.policy.name, &self.policy.digest, self.chunk)
    }

    /// Text by which the policy can be named again.
    pub fn typed(&self) -> String {
        self.named(&self.policy.typed)
    }

    fn named(&self, name: &str) -> String {
        match self.policy.chunk {
            Some(usual) if usual != self.chunk => format!("{name},{}", self.chunk),
            _ => name.to_owned(),
        }
    }
}

impl PartialEq for FilePolicy {
    fn eq(&self, other: &FilePolicy) -> bool {
        self.key() == other.key()
    }
}

impl Eq for FilePolicy {}

impl PartialOrd for FilePolicy {
    fn partial_cmp(&self, other: &FilePolicy) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for FilePolicy {
    fn cmp(&self, other: &FilePolicy) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Hash for FilePolicy {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl fmt::Debug for FilePolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.key())
    }
}

impl fmt::Display for FilePolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.named(&self.policy.name))
    }
}
