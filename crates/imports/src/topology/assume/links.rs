//! Links between the nodes of a socket and between sockets.
//!
//! Whatever is known of the processors, memory of the own socket is not farther than that of another one.

use super::{Assumption, SUSTAINED, Source};
use crate::topology::MachineSketch;
use crate::topology::generations::{Generation, INSIDE, OUTSIDE};
use numalab_base::{Bandwidth, Span};
use numalab_machine::{LevelKind, LinkId};

impl MachineSketch {
    pub(super) fn take_links(&mut self, found: Option<&Generation>, said: &mut Vec<Assumption>) {
        if let (Some(found), Some(link)) = (found, self.link_of(LevelKind::Socket)) {
            self.take_sockets(found, link, said);
        }
        if let Some(link) = self.link_of(LevelKind::Node) {
            self.take_nodes(found, link, said);
        }
        self.keep_order(said);
    }

    /// Link between the units of a level.
    pub(super) fn link_of(&self, kind: LevelKind) -> Option<LinkId> {
        let level = self.machine.levels.iter().find(|level| level.kind == kind)?;
        level.interconnect.as_ref().map(|joined| joined.link)
    }

    fn take_sockets(&mut self, found: &Generation, link: LinkId, said: &mut Vec<Assumption>) {
        let (bandwidth, source) = match found.link {
            Some((peak, lanes)) => (
                peak * SUSTAINED,
                Source::sheet(format!(
                    "data sheet of {}: {lanes}, {peak} GB/s each way; {SUSTAINED} of it assumed to be sustained",
                    found.name
                )),
            ),
            // Machines of several sockets that the maker does not sell: virtual ones.
            None => (
                found.memory.0 * SUSTAINED / 2.0,
                format!("assumed: half of the memory of a socket; {} is sold for one socket", found.name)
                    .into(),
            ),
        };
        self.set_bandwidth(link, Bandwidth(bandwidth * 1e9), source, said);
        let more = found.farther.outside;
        let source = match more / found.latency {
            // The quotient of the same two numbers.
            part if (part - OUTSIDE).abs() < 1e-9 => {
                format!("assumed: a miss of another socket takes {part} of a local one longer")
            }
            _ => format!("assumed: a miss of another socket takes {more} ns longer"),
        };
        // The link is crossed twice.
        self.set_latency(link, Span((more * 1e3 / 2.0) as u64), source, said);
    }

    pub(super) fn take_nodes(
        &mut self,
        found: Option<&Generation>,
        link: LinkId,
        said: &mut Vec<Assumption>,
    ) {
        let memory = &self.machine.memory;
        let (bandwidth, source) = match found.and_then(|found| Some((found.name, found.inside?))) {
            Some((name, (peak, wires))) => (
                Bandwidth(peak * 1e9 * SUSTAINED),
                Source::sheet(format!(
                    "data sheet of {name}: {wires}, {peak} GB/s; {SUSTAINED} of it assumed to be sustained"
                )),
            ),
            None => (memory.bandwidth, "assumed: as much as the memory of a node has".into()),
        };
        let more = match found {
            Some(found) => found.farther.inside * 1e3,
            None => memory.latency.0 as f64 * INSIDE,
        };
        self.set_bandwidth(link, bandwidth, source, said);
        let source =
            format!("assumed: a miss of another node of the socket takes {} longer", Span(more as u64));
        self.set_latency(link, Span((more / 2.0) as u64), source, said);
    }

    /// Lets no link between larger units be faster than a link inside of them that is slower than memory, nor have
    /// as little latency. A value that a source states is kept.
    pub(super) fn keep_order(&mut self, said: &mut Vec<Assumption>) {
        let kinds = [LevelKind::Board, LevelKind::Socket, LevelKind::Node];
        let links: Vec<LinkId> = kinds.into_iter().filter_map(|kind| self.link_of(kind)).collect();
        for pair in links.windows(2).rev() {
            let [outer, inner] = [pair[0], pair[1]];
            let of = |link: LinkId| self.machine.links.get(link.0).cloned();
            let (Some(far), Some(near)) = (of(outer), of(inner)) else { continue };
            let all = |link: &numalab_machine::Link| link.bandwidth.0 * f64::from(link.lanes);
            if all(&far) > all(&near) && all(&near) < self.machine.memory.bandwidth.0 {
                let source = format!("assumed: no more than {} inside", near.name);
                let bandwidth = Bandwidth(all(&near) / f64::from(far.lanes));
                self.set_bandwidth(outer, bandwidth, source, said);
            }
            if far.latency <= near.latency {
                let source = format!("assumed: twice that of {} inside", near.name);
                self.set_latency(outer, near.latency + near.latency, source, said);
            }
        }
    }

    pub(super) fn set_bandwidth(
        &mut self,
        link: LinkId,
        value: Bandwidth,
        source: impl Into<Source>,
        said: &mut Vec<Assumption>,
    ) {
        let Some(path) = self.path_of(link, "bandwidth") else { return };
        self.machine.links[link.0].bandwidth = value;
        say(Assumption::new(path, value, source), said);
    }

    pub(super) fn set_latency(
        &mut self,
        link: LinkId,
        value: Span,
        source: impl Into<Source>,
        said: &mut Vec<Assumption>,
    ) {
        let Some(path) = self.path_of(link, "latency") else { return };
        self.machine.links[link.0].latency = value;
        say(Assumption::new(path, value, source), said);
    }

    /// Path of a link's value that no source states; `None` if a source does.
    pub(super) fn path_of(&self, link: LinkId, field: &str) -> Option<String> {
        let path = format!("link.{}.{field}", self.machine.links.get(link.0)?.name);
        self.is_open(&path).then_some(path)
    }
}

/// Adds an assumption, or replaces the one of the same path.
fn say(new: Assumption, said: &mut Vec<Assumption>) {
    said.retain(|one| one.path != new.path);
    said.push(new);
}
