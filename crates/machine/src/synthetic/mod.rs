//! Synthetic machines: `board:4 socket:4 core:8` describes a whole machine with the parameters of
//! [`defaults`].
//!
//! Levels come outermost first and end with `core`, which `thread` may follow. Boards, sockets and nodes are each
//! connected in a full mesh, or in a torus if the count is written as `3x6x4`. On machines with boards, a node
//! controller connects the inside of each board to all other boards. Clusters only share a cache. Texts for hwloc
//! (`Package:2 Core:8 PU:2`) are read as well.

pub mod defaults;
mod hwloc;
mod parse;

use crate::{
    Cache, Controller, Core, Crowding, Interconnect, Level, LevelKind, Link, LinkId, Machine, Memory,
    Numbering, Os, Shape,
};
use defaults as d;
use numalab_base::{Bandwidth, Bytes, NumberList, NumberSequence, Span, ValueOrigin, ValueOrigins};
use parse::LevelSpec;
use std::fmt;
use std::ops::Range;

/// Mistake in the text of a synthetic machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntheticError {
    /// The wrong bytes of the text.
    pub span: Range<usize>,
    /// Sentence that states the mistake.
    pub message: String,
    /// The correct text; empty if the message states it.
    pub expected: String,
    /// The valid names, if the mistake is an unknown name.
    pub names: Vec<&'static str>,
}

impl fmt::Display for SyntheticError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.expected.is_empty() { "" } else { "; " };
        write!(f, "{}{separator}{}", self.message, self.expected)
    }
}

impl std::error::Error for SyntheticError {}

impl SyntheticError {
    fn new(span: Range<usize>, message: impl Into<String>, expected: impl Into<String>) -> SyntheticError {
        SyntheticError { span, message: message.into(), expected: expected.into(), names: Vec::new() }
    }
}

/// Builds a machine from its short text, such as `board:4 socket:4 core:8`.
pub fn synthetic(spec: &str) -> Result<Machine, SyntheticError> {
    let parsed = parse::parse(spec)?;
    let mut machine = build(&parsed.levels, parsed.threads);
    if let Some(capacity) = parsed.capacity {
        machine.memory.capacity = capacity;
    }
    for cache in &mut machine.caches {
        let stated = parsed.caches.iter().find(|(level, _)| *level == cache.level);
        cache.size = stated.map_or(cache.size, |(_, size)| *size);
    }
    match machine.check().into_iter().next() {
        None => Ok(machine),
        Some(problem) => {
            let at = parsed.levels.iter().zip(&machine.levels).enumerate().find_map(|(at, (part, _))| {
                problem.path.starts_with(&format!("level[{at}]")).then(|| part.span.clone())
            });
            Err(SyntheticError::new(at.unwrap_or(0..spec.len()), problem.message, problem.expected))
        }
    }
}

fn build(parts: &[LevelSpec], threads: u32) -> Machine {
    let mut links = Vec::new();
    let mut link = |name: &str, latency: Span| {
        links.push(Link { name: name.to_owned(), ..Link::new(d::LINK_BANDWIDTH, latency) });
        LinkId(links.len() - 1)
    };
    let mut levels: Vec<Level> = Vec::new();
    for part in parts {
        let joined = part.kind.holds_memory() && part.count > 1;
        let interconnect = joined.then(|| Interconnect {
            shape: part.torus.clone().map_or(Shape::Mesh, Shape::Torus),
            link: match part.kind {
                LevelKind::Board => link("board-link", d::BOARD_LATENCY),
                LevelKind::Socket => link("socket-link", d::SOCKET_LATENCY),
                LevelKind::Node | LevelKind::Chip | LevelKind::Cluster | LevelKind::Core => {
                    link("node-link", d::SOCKET_LATENCY)
                }
            },
        });
        let on_boards = levels.last().is_some_and(|outer| outer.kind == LevelKind::Board && outer.count > 1);
        let controller = (on_boards && part.kind.holds_memory()).then(|| Controller {
            link: link("controller-link", d::SOCKET_LATENCY),
            requests: None,
            bandwidth: None,
            crowding: Crowding::default(),
        });
        levels.push(Level {
            kind: part.kind,
            count: part.count,
            interconnect,
            controller,
            port: None,
            core_to_core: None,
        });
    }
    let description = parts.iter().map(|part| format!("{}:{}", part.kind, part.text)).collect::<Vec<_>>();
    Machine {
        name: "synthetic".to_owned(),
        description: format!("synthetic machine {}", description.join(" ")),
        caches: caches(&levels),
        levels,
        links,
        core: Core {
            threads,
            ..Core::new(d::CLOCK, d::FLOPS_PER_CYCLE, d::INSTRUCTIONS_PER_CYCLE, d::OUTSTANDING)
        },
        memory: Memory {
            read_bandwidth: Some(d::READ_BANDWIDTH),
            write_bandwidth: Some(d::WRITE_BANDWIDTH),
            line: d::LINE,
            page: d::PAGE,
            ..Memory::new(d::CAPACITY, d::MEMORY_LATENCY, d::MEMORY_BANDWIDTH)
        },
        protocol: d::PROTOCOL,
        numbering: Numbering::CoresFirst,
        os: Os { page_fault: d::PAGE_FAULT, ..Os::default() },
        dsm: None,
        memory_at: Vec::new(),
        memory_only: Vec::new(),
        processors: NumberSequence::default(),
        offline: NumberList::default(),
        runtime: None,
        origins: ValueOrigins { others: ValueOrigin::Default, ..ValueOrigins::default() },
    }
}

/// Caches of a synthetic machine: two private levels, and a level shared by the cores of a cluster, or of a node
/// without clusters.
fn caches(levels: &[Level]) -> Vec<Cache> {
    let shared = levels.last().map_or(1, |cores| cores.count);
    let cache = |level, (size, latency, bandwidth): (Bytes, Span, Bandwidth), shared_by| {
        Cache::new(level, size, shared_by, latency, bandwidth)
    };
    vec![cache(1, d::L1, 1), cache(2, d::L2, 1), cache(3, d::L3, shared)]
}
