//! Time that a request takes from the start of its service, by service point.
//!
//! | place | time |
//! |---|---|
//! | core | a hit |
//! | cache | the last-level cache |
//! | group | from the last-level cache to a core of it, and to the requester |
//! | controller | the slowest answer of the domain, and back |
//! | home | the slowest of memory, the answers of the home's domain, and those of other domains that lose their copies; and back. A directory in memory is read first, unless the line is in a cache of the home's node. A line that comes from a cache goes straight to the requester |

use super::agent::ServicePoint;
use super::line::Line;
use super::ports::Message;
use super::request_plan::{RequestPlan, Source};
use super::{Access, LineId, Lines};
use crate::protocol::Scope;
use numalab_base::{Span, Time};

/// Times of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cost {
    /// Time at which the requester has the line.
    pub answer: Time,
    /// Time at which the next request for the line can be served, if the line stays shared.
    pub release: Time,
    /// Largest scope that the request went through.
    pub scope: Scope,
}

impl Cost {
    /// Delays `answer` and `release` to `leaves`, the time at which the owner gives up the line, if they are earlier.
    #[inline]
    pub fn after(self, leaves: Time) -> Cost {
        Cost { answer: self.answer.max(leaves), release: self.release.max(leaves), ..self }
    }
}

impl Lines<'_> {
    /// Times of a request that is served from `start` on at `place`, or at the plan's service point if that is
    /// farther. The answer to a store comes after all copies that are in flight to readers.
    pub(super) fn cost(
        &mut self,
        core: u32,
        line: LineId,
        access: Access,
        plan: RequestPlan,
        place: ServicePoint,
        start: Time,
    ) -> Cost {
        let group = self.topology.group_of(core);
        let inside = |answer| Cost { answer, release: answer, scope: Scope::Group };
        let mut cost = match place.max(plan.place) {
            ServicePoint::Core => {
                inside(start.max(self.coming(core, line).unwrap_or(Time::ZERO)) + self.topology.hit)
            }
            ServicePoint::Cache => inside(self.ports.cache(group, start) + self.topology.clean),
            ServicePoint::Group => {
                inside(self.ports.cache(group, start) + self.topology.dirty - self.topology.asking)
            }
            ServicePoint::Controller => self.at_controller(core, line, access, plan.source, start),
            ServicePoint::Home => self.at_home(core, line, access, plan, start),
        };
        if access == Access::Own {
            cost.answer = cost.answer.max(self.lines[line.index()].read_until);
        }
        cost
    }

    /// Latency of the answer of a group that supplies the line or loses its copy.
    fn answered(&self, line: &Line, access: Access, source: Source, requester: u32) -> Span {
        let topology = &self.topology;
        match (source, access) {
            // The group wrote the line: the measured latency includes home agents and controllers.
            (Source::Group(group), _) if self.asks_a_core(line, group) => {
                topology.answered(topology.dirty, group, requester)
            }
            (Source::Group(group), Access::Own) => topology.given_up(group, requester),
            (Source::Here | Source::Memory, Access::Own) => topology.dirty,
            (Source::Group(_) | Source::Here | Source::Memory, Access::Read) => topology.clean,
        }
    }

    fn at_controller(&self, core: u32, line: LineId, access: Access, source: Source, start: Time) -> Cost {
        let topology = &self.topology;
        let line = &self.lines[line.index()];
        let (uplink, group) = (topology.uplink, topology.group_of(core));
        let answered = self.answered(line, access, source, group);
        let heard = start + 2 * uplink + answered;
        Cost { answer: heard + uplink, release: heard, scope: Scope::Domain }
    }

    fn at_home(&mut self, core: u32, line: LineId, access: Access, plan: RequestPlan, start: Time) -> Cost {
        let line = &self.lines[line.index()];
        let (topology, home) = (&self.topology, line.home);
        let (group, domain) = (topology.group_of(core), topology.domain_of_home(home));
        let mut outside = topology.domain_of(core) != domain;
        let answered = self.answered(line, access, plan.source, group);
        // Arrival of data that does not come from the home.
        let mut data = Time::ZERO;
        // Time until which the home has to wait.
        let mut heard = start;
        let known =
            matches!(plan.source, Source::Group(from) if topology.looked_up(home, from) == Span::ZERO);
        let reads = topology.memory_always
            || plan.source == Source::Memory
            || topology.directory > Span::ZERO && !known;
        let queued =
            if reads || topology.directory > Span::ZERO { self.ports.memory(home) } else { Span::ZERO };
        if reads {
            heard += topology.memory + queued;
        }
        // Latency until the home asks a group.
        let asks = |group| match topology.looked_up(home, group) {
            Span::ZERO => start,
            directory => start + directory + queued,
        };
        // With a directory the home asks the holders of the line only, otherwise all groups of its domain.
        let mut asks_around = topology.directory == Span::ZERO && !topology.on_chip;
        if let Source::Group(from) = plan.source {
            let from_domain = topology.domain_of_group(from);
            if from_domain == domain {
                let way = self.ways.down(topology, home, from).latency;
                heard = heard.max(asks(from) + 2 * way + answered);
                data = asks(from) + way + answered;
            } else {
                // Through the controller of the holder's domain, which collects the answers of that domain.
                outside = true;
                asks_around &= !line.is_in_one_domain();
                let way = self.ways.down(topology, home, from).latency;
                data = asks(from) + way + topology.uplink + answered;
            }
            let back = self.ways.across(topology, from, group);
            let latency = if from_domain == domain {
                back.latency
            } else if from_domain == topology.domain_of(core) {
                topology.uplink
            } else {
                back.latency.saturating_sub(topology.uplink)
            };
            data += self.ports.cross(&back.links, data, Message::Data) + latency;
        }
        if asks_around && topology.domain > topology.group {
            let way = self.ways.farthest(topology, home, group);
            heard = heard.max(start + 2 * way + topology.clean);
        }
        if access == Access::Own {
            let cores = topology.cores_of_domain(topology.core_of_home(home));
            let ways = &mut self.ways;
            let mut lose = |holder: u32| {
                let other = topology.group_of(holder);
                if other != group {
                    let way = ways.down(topology, home, other).latency;
                    heard = heard.max(asks(other) + 2 * way + topology.given_up(other, group));
                }
            };
            // The answer of a single holder is waited for already.
            if !(line.holders.are_one() && matches!(plan.source, Source::Group(_))) {
                line.holders.each_block(&self.sets, cores.clone(), topology.group, &mut lose);
            }
            // Holders outside the home's domain answer, too. If they are all in one domain, only the group that
            // supplies the line answers.
            if topology.domain < topology.cores && !line.is_in_one_domain() {
                let mut elsewhere = |holder: u32| {
                    outside = true;
                    lose(holder);
                };
                line.holders.each_block(&self.sets, 0..cores.start, topology.domain, &mut elsewhere);
                line.holders.each_block(
                    &self.sets,
                    cores.end..topology.cores,
                    topology.domain,
                    &mut elsewhere,
                );
            }
        }
        let back = self.ways.down(topology, home, group);
        // If a cache supplies the line, the home's message does not queue at links.
        let waited = match plan.source {
            Source::Memory => self.ports.cross(&back.links, heard, Message::Data),
            Source::Here => self.ports.cross(&back.links, heard, Message::Header),
            Source::Group(_) => Span::ZERO,
        };
        let done = if asks_around || heard > start { heard + waited + back.latency } else { Time::ZERO };
        let answer = done.max(data);
        let release = heard.max(answer.saturating_sub(back.latency));
        let scope = if outside { Scope::Machine } else { Scope::Domain };
        Cost { answer, release, scope }
    }
}
