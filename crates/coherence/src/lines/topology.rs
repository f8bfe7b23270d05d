//! Scopes of a request: cores that share a last-level cache (group), nodes that snoop each other (domain), the
//! machine; and the latency of each.

use crate::protocol::Scope;
use numalab_base::{Bytes, Span, index_type};
use numalab_machine::{Cache, CoreId, Fabric, Machine, NodeId};
use std::ops::Range;

index_type! {
    /// Holder of copies: 0 is the machine, followed by domains, groups and cores. All except cores have a directory.
    /// The directories of groups and domains are caches of the directory above.
    pub(super) Member
}

/// Payload of a message without data: the address of a line.
const HEADER: Bytes = Bytes(8);

/// Groups and domains of cores, and latencies of caches and memory in picoseconds.
#[derive(Clone, Debug)]
pub(super) struct Topology {
    pub cores: u32,
    /// Group and domain of each core; a table is faster than divisions.
    parts: Vec<Part>,
    /// Numbers, among all members, of the first group and of the first core.
    groups_at: u32,
    cores_at: u32,
    /// Cores of a group; 1 if no cache is shared.
    pub group: u32,
    pub cores_per_node: u32,
    /// Cores of a domain; all cores if there is no node controller.
    pub domain: u32,
    /// Number of cores below each link of a node controller; these cores are a child of the controller.
    pub child: u32,
    /// Latency from a child of a controller to the controller.
    pub uplink: Span,
    /// Requests that each child of a controller can have beyond the controller at a time; `None` for no limit.
    pub requests: Option<u32>,
    /// Time for which the instruction window of a core looks ahead: requests can leave up to this much early.
    pub seen: Span,
    /// Latency of a hit in the innermost cache.
    pub hit: Span,
    /// Latency until a miss in the last-level cache is known; 0 if no cache is shared.
    pub miss: Span,
    /// Latency of an answer from a last-level cache.
    pub clean: Span,
    /// Latency of an answer from a last-level cache that must first ask one of its cores.
    pub dirty: Span,
    /// Part of `dirty` that passes before the request is at the shared cache, where it can wait.
    pub asking: Span,
    /// Part of `dirty` from the start of service until the owner hears of the request: half of the excess over twice
    /// `clean`. The excess is the way to another part of the cache and back.
    pub beyond: Span,
    /// Additional latencies of hand-overs between groups in different units (machine levels), by size of the units,
    /// largest first.
    apart: Vec<Apart>,
    /// Latency of memory, from the miss in the last-level cache.
    pub memory: Span,
    /// Latency until a home has read the line's holders from memory; 0 if the home asks all caches at once.
    pub directory: Span,
    /// True if homes know the holders of lines without reading memory.
    pub on_chip: bool,
    /// Latency of local memory, including the miss in the last-level cache.
    pub local_miss: Span,
    /// True if no cache is shared: each request that reaches the home reads memory, even if a core supplies the line.
    /// False if a measured hand-over between two neighbouring cores states what such a request takes.
    pub memory_always: bool,
    /// Time for which a line occupies the last-level cache: line size / bandwidth; 0 if no cache is shared.
    pub port: Span,
    pub line: Bytes,
    pub header: Bytes,
}

/// Number of cores of a unit, and additional latency of answers between two units of this size, beyond the latencies
/// of caches and links.
#[derive(Clone, Copy, Debug)]
struct Apart {
    cores: u32,
    longer: i64,
}

/// Group and domain of a core, and the path of its requests.
#[derive(Clone, Copy, Debug)]
struct Part {
    group: u32,
    domain: u32,
    path: [Member; 4],
}

impl Topology {
    pub fn new(machine: &Machine, fabric: &Fabric) -> Topology {
        let node_levels = machine.levels.iter().take_while(|level| level.kind.holds_memory()).count();
        let joined = machine.levels[..node_levels].iter().rposition(|level| level.controller.is_some());
        let cores_below = |depth: usize| machine.levels[depth..].iter().map(|level| level.count).product();
        let controller = joined.and_then(|at| machine.levels[at].controller.as_ref());
        let (domain, child) =
            joined.map_or((fabric.cores(), fabric.cores()), |at| (cores_below(at), cores_below(at + 1)));
        let shared = machine.caches.iter().rev().find(|cache| cache.shared_by > 1);
        let latency = |cache: Option<&Cache>| cache.map_or(Span::ZERO, |cache| cache.latency);
        let asked = latency(shared.or(machine.caches.last()));
        let miss = latency(shared);
        let line = machine.memory.line;
        let group = shared.map_or(1, |cache| cache.shared_by);
        let groups_at = 1 + fabric.cores() / domain;
        let cores_at = groups_at + fabric.cores() / group;
        let part = |core| {
            let (group, domain) = (core / group, core / domain);
            Part { group, domain, path: [cores_at + core, groups_at + group, 1 + domain, 0].map(Member::new) }
        };
        let dirty = shared.map_or(asked, |cache| cache.between_cores());
        Topology {
            groups_at,
            cores_at,
            cores: fabric.cores(),
            parts: (0..fabric.cores()).map(part).collect(),
            group,
            cores_per_node: fabric.cores_per_node(),
            domain,
            child,
            uplink: controller.map_or(Span::ZERO, |controller| machine.links[controller.link.0].latency),
            // A limit below one would allow no request at all.
            requests: controller.and_then(|controller| controller.requests).map(|most| most.max(1.0) as u32),
            seen: machine.core.window_time(),
            hit: machine.hit(),
            miss,
            clean: asked,
            dirty,
            asking: shared.map_or(asked / 2, |cache| cache.asking()),
            beyond: dirty.saturating_sub(2 * asked) / 2,
            apart: apart(machine, fabric, group, miss + dirty),
            memory: machine.memory.latency.saturating_sub(miss),
            directory: match machine.memory.directory_in_memory {
                true => machine.memory.latency.saturating_sub(miss),
                false => Span::ZERO,
            },
            on_chip: machine.memory.directory_on_chip,
            local_miss: machine.memory.latency,
            memory_always: shared.is_none()
                && machine.levels.last().is_none_or(|level| level.core_to_core.is_none()),
            port: shared.map_or(Span::ZERO, |cache| cache.bandwidth.time_for(line)),
            line,
            header: HEADER,
        }
    }

    /// Latency of the answer of `group` to `requester` for a line that a core of `group` has written, from the
    /// arrival of the request: `answer`, the group's own latency, plus the measured excess between the two groups.
    pub fn answered(&self, answer: Span, group: u32, requester: u32) -> Span {
        let (one, other) = (group * self.group, requester * self.group);
        let parted = self.apart.iter().find(|unit| one / unit.cores != other / unit.cores);
        parted.map_or(answer, |unit| Span(answer.0.saturating_add_signed(unit.longer)))
    }

    /// Latency of the answer of `group` to `requester` when it gives up a copy.
    pub fn given_up(&self, group: u32, requester: u32) -> Span {
        if self.on_chip { self.answered(self.dirty, group, requester) } else { self.dirty }
    }

    /// Scopes that contain a core and other cores outside of the scope before, by scope.
    pub fn scopes(&self) -> [bool; 3] {
        [self.group > 1, self.domain > self.group, self.cores > self.domain]
    }

    pub fn groups(&self) -> u32 {
        self.cores / self.group
    }

    pub fn children(&self) -> u32 {
        self.cores / self.child
    }

    #[inline]
    pub fn group_of(&self, core: u32) -> u32 {
        self.parts[core as usize].group
    }

    #[inline]
    pub fn domain_of(&self, core: u32) -> u32 {
        self.parts[core as usize].domain
    }

    /// Latency from a request's arrival at a home until the home asks a group for the line: 0 if no directory is in
    /// memory or if the group is on the home's own node, whose contents the home knows.
    #[inline]
    pub fn looked_up(&self, NodeId(home): NodeId, group: u32) -> Span {
        let (first, last) = (group * self.group, (group + 1) * self.group - 1);
        let nodes = first / self.cores_per_node..=last / self.cores_per_node;
        if self.directory == Span::ZERO || nodes.contains(&home) { Span::ZERO } else { self.directory }
    }

    pub fn domain_of_group(&self, group: u32) -> u32 {
        self.domain_of(group * self.group)
    }

    /// First core of the home's node.
    #[inline]
    pub fn core_of_home(&self, NodeId(home): NodeId) -> u32 {
        home * self.cores_per_node
    }

    #[inline]
    pub fn domain_of_home(&self, home: NodeId) -> u32 {
        self.domain_of(self.core_of_home(home))
    }

    #[inline]
    pub fn member_of(&self, core: u32) -> Member {
        Member::new(self.cores_at + core)
    }

    /// Members on the path of a core's requests: the core, its group, its domain, the machine.
    #[inline]
    pub fn path(&self, core: u32) -> [Member; 4] {
        self.parts[core as usize].path
    }

    pub fn machine(&self) -> Member {
        Member::new(0)
    }

    pub fn group(&self, group: u32) -> Member {
        Member::new(self.groups_at + group)
    }

    #[inline]
    pub fn group_number(&self, group: Member) -> u32 {
        group.number() - self.groups_at
    }

    /// Member of a scope's directory that is on the path of a core.
    #[inline]
    pub fn member(&self, scope: Scope, core: u32) -> Member {
        self.parts[core as usize].path[scope as usize]
    }

    /// Cores below a member.
    #[inline]
    pub fn cores_of(&self, member: Member) -> Range<u32> {
        let number = member.number();
        let (block, at) = if number >= self.cores_at {
            (1, number - self.cores_at)
        } else if number >= self.groups_at {
            (self.group, number - self.groups_at)
        } else if number > 0 {
            (self.domain, number - 1)
        } else {
            (self.cores, 0)
        };
        at * block..(at + 1) * block
    }

    /// First core below a member.
    #[inline]
    pub fn core_of(&self, member: Member) -> u32 {
        self.cores_of(member).start
    }

    /// Cores of the group that contains a core.
    #[inline]
    pub fn cores_of_group(&self, core: u32) -> Range<u32> {
        let start = self.parts[core as usize].group * self.group;
        start..start + self.group
    }

    #[inline]
    pub fn cores_of_domain(&self, core: u32) -> Range<u32> {
        let start = self.parts[core as usize].domain * self.domain;
        start..start + self.domain
    }

    /// First core of a group.
    pub fn core_of_group(&self, group: u32) -> CoreId {
        CoreId(group * self.group)
    }
}

/// Additional latencies of hand-overs, one entry for each level down to the size of a group, outermost first. An
/// entry is the measured hand-over between two neighbours less the links there and back and less `caches`, the
/// latency of both groups' caches; 0 for levels that were not measured. The list is empty if all entries are 0.
fn apart(machine: &Machine, fabric: &Fabric, group: u32, caches: Span) -> Vec<Apart> {
    let mut cores = fabric.cores();
    let mut found = Vec::new();
    for level in &machine.levels {
        let container = cores;
        cores /= level.count;
        if cores < group {
            break;
        }
        let way = |other: u32| fabric.way(CoreId(0), CoreId(other * cores)).0;
        let nearest = (1..container / cores).map(way).min();
        let longer = match (level.core_to_core, nearest) {
            (Some(Span(measured)), Some(way)) => measured.cast_signed() - (caches.0 + 2 * way).cast_signed(),
            _ => 0,
        };
        found.push(Apart { cores, longer });
    }
    if found.iter().all(|unit| unit.longer == 0) { Vec::new() } else { found }
}
