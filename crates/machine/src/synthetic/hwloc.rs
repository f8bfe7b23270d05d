//! Synthetic machines as hwloc describes them: `Package:2 NUMANode:4 L3:1 Core:8 PU:2` (HWLOC_SYNTHETIC).
//!
//! Types come outermost first, each with its count inside of the type before. `[NUMANode(memory=16GB)]` is memory
//! beside the type before. Attributes in brackets that are used: `memory` of a node and `size` of a cache.

use super::parse::{LevelSpec, SyntheticSpec, error, number};
use super::{SyntheticError, defaults};
use crate::LevelKind;
use numalab_base::Bytes;
use std::ops::Range;

/// Types of hwloc that become a level, or a factor of one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Machine,
    Package,
    Node,
    /// Die, group or last-level cache: a cluster if there are several in a node.
    Group,
    /// Cache of a core or of a few cores.
    Inner,
    Core,
    Thread,
}

/// True if a text has a type that only hwloc writes so.
pub(super) fn is_meant(spec: &str) -> bool {
    words(spec).iter().any(|(_, word)| {
        let name = word.split([':', '(']).next().unwrap_or_default();
        name.starts_with('[') || name.starts_with(|c: char| c.is_ascii_uppercase()) && type_of(name).is_some()
    })
}

pub(super) fn parse(spec: &str) -> Result<SyntheticSpec, SyntheticError> {
    let mut levels = Levels::default();
    let mut parsed =
        SyntheticSpec { levels: Vec::new(), threads: defaults::THREADS, capacity: None, caches: Vec::new() };
    for (span, word) in words(spec) {
        let (plain, attributes) = match word.split_once('(') {
            Some((plain, rest)) => (plain, rest.trim_end_matches([')', ']'])),
            None => (word.trim_end_matches(']'), ""),
        };
        let (beside, plain) = match plain.strip_prefix('[') {
            Some(plain) => (true, plain),
            None => (false, plain),
        };
        let start = span.start + usize::from(beside);
        let (name, count) = plain.split_once(':').unwrap_or((plain, ""));
        let Some(kind) = type_of(name) else {
            let message = format!("\"{name}\" is no type of hwloc that a machine is made of");
            return error(start..start + name.len(), message);
        };
        let counts = start + name.len() + 1..start + plain.len();
        let count = match (beside, count) {
            (true, _) => 1,
            (false, "") => return error(start..start + name.len(), "a count is missing, as in \"Core:8\""),
            (false, count) => number(count, &counts)?,
        };
        if !beside {
            levels.add(kind, count, &span)?;
        }
        take(&mut parsed, kind, name, attributes, &span)?;
    }
    levels.build(spec, parsed)
}

/// Attributes of a word.
fn take(
    parsed: &mut SyntheticSpec,
    kind: Type,
    name: &str,
    attributes: &str,
    span: &Range<usize>,
) -> Result<(), SyntheticError> {
    for (key, value) in attributes.split_whitespace().filter_map(|one| one.split_once('=')) {
        let bytes = || match value.parse::<Bytes>() {
            Ok(bytes) if bytes.0 > 0 => Ok(bytes),
            // hwloc counts bytes if no unit is written.
            _ => match value.parse::<u64>() {
                Ok(bytes) if bytes > 0 => Ok(Bytes(bytes)),
                _ => error(span.clone(), format!("\"{value}\" is no size, such as 16GB")),
            },
        };
        let level = name.as_bytes().get(1).filter(|byte| byte.is_ascii_digit()).map(|digit| digit - b'0');
        match (key, kind, level) {
            ("memory", ..) => parsed.capacity = Some(bytes()?),
            ("size", Type::Group | Type::Inner, Some(level)) if !name.ends_with('i') => {
                parsed.caches.push((level, bytes()?));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Counts of each level of the model.
#[derive(Default)]
struct Levels {
    sockets: Option<u32>,
    nodes: u32,
    clusters: u32,
    cores: Option<u32>,
    inner: u32,
    threads: Option<u32>,
    /// Node before the package, as on machines whose packages lie in nodes.
    nodes_first: bool,
}

impl Levels {
    fn add(&mut self, kind: Type, count: u32, span: &Range<usize>) -> Result<(), SyntheticError> {
        let times = |number: &mut u32| {
            let product = (*number).max(1).checked_mul(count);
            product.map(|product| *number = product)
        };
        let added = match kind {
            _ if self.threads.is_some() || self.cores.is_some() && kind != Type::Thread => {
                return error(span.clone(), "cores and hardware threads are the innermost types");
            }
            Type::Machine => Some(()),
            Type::Package if self.nodes_first && count > 1 => {
                return error(span.clone(), "the model has no packages inside of nodes");
            }
            Type::Package if self.nodes_first => {
                // A node that is a package.
                self.sockets = Some(std::mem::take(&mut self.nodes));
                Some(())
            }
            Type::Package => {
                self.sockets = Some(count);
                Some(())
            }
            Type::Node => {
                self.nodes_first = self.sockets.is_none();
                // Groups around nodes are no level of the model.
                let groups = std::mem::take(&mut self.clusters).max(1);
                self.nodes = self.nodes.max(1).saturating_mul(groups);
                times(&mut self.nodes)
            }
            Type::Group => times(&mut self.clusters),
            Type::Inner => times(&mut self.inner),
            Type::Core => {
                self.cores = Some(count);
                Some(())
            }
            Type::Thread => {
                self.threads = Some(count);
                Some(())
            }
        };
        added.map_or_else(|| error(span.clone(), "the counts multiply to more than 4294967295"), Ok)
    }

    fn build(self, spec: &str, mut parsed: SyntheticSpec) -> Result<SyntheticSpec, SyntheticError> {
        let whole = 0..spec.len();
        // Without cores, each hardware thread is one.
        let (cores, threads) = match (self.cores, self.threads) {
            (Some(cores), threads) => (cores, threads.unwrap_or(1)),
            (None, Some(threads)) => (threads, 1),
            (None, None) => return error(whole, "the last types are Core and PU, as in \"Core:8 PU:2\""),
        };
        let Some(cores) = cores.checked_mul(self.inner.max(1)) else {
            return error(whole, "the counts multiply to more than 4294967295");
        };
        let sockets =
            if self.nodes_first && self.sockets.is_none() { self.nodes } else { self.sockets.unwrap_or(1) };
        let nodes = if self.nodes_first { 1 } else { self.nodes.max(1) };
        let kinds = [
            (LevelKind::Socket, sockets.max(1), true),
            (LevelKind::Node, nodes, nodes > 1),
            (LevelKind::Cluster, self.clusters, self.clusters > 1),
            (LevelKind::Core, cores, true),
        ];
        for (kind, count, _) in kinds.into_iter().filter(|(_, _, kept)| *kept) {
            let (text, span) = (count.to_string(), 0..spec.len());
            parsed.levels.push(LevelSpec { kind, count, torus: None, text, span });
        }
        parsed.threads = threads;
        Ok(parsed)
    }
}

/// Type by its name, as hwloc writes it, in any case.
fn type_of(name: &str) -> Option<Type> {
    let lower = name.trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
    let cache = lower.trim_end_matches("cache");
    match cache {
        "machine" | "system" => Some(Type::Machine),
        "package" | "pack" | "socket" => Some(Type::Package),
        "numanode" | "numa" | "node" => Some(Type::Node),
        "die" | "group" | "cluster" | "l3" | "l4" | "l5" => Some(Type::Group),
        "l1" | "l1d" | "l1i" | "l2" | "l2d" | "l2i" | "l3i" => Some(Type::Inner),
        "core" => Some(Type::Core),
        "pu" | "thread" => Some(Type::Thread),
        _ => None,
    }
}

/// Words between white space outside of brackets, each with its byte range in the text.
fn words(spec: &str) -> Vec<(Range<usize>, &str)> {
    let (mut words, mut start, mut depth) = (Vec::new(), None, 0_u32);
    for (at, c) in spec.char_indices().chain([(spec.len(), ' ')]) {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends = c.is_whitespace() && (depth == 0 || at == spec.len());
        match (ends, start) {
            (true, Some(begin)) => {
                words.push((begin..at, &spec[begin..at]));
                start = None;
            }
            (false, None) if !c.is_whitespace() => start = Some(at),
            _ => {}
        }
    }
    words
}
