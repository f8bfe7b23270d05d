//! Service of lines, one transaction at a time.

use super::agent::{Agent, AgentId, Phase, ServicePoint};
use super::cost::Cost;
use super::jitter::Shift;
use super::ports::Message;
use super::request::Departure;
use super::request_plan::RequestPlan;
use super::turn::Turn;
use super::{Access, LineId, Lines, Transaction};
use crate::protocol::Scope;
use numalab_base::{Span, Time};
use numalab_machine::CoreId;

impl Lines<'_> {
    /// Sends a request that the core's own copy does not answer, or lets the agent wait for a slot.
    pub(super) fn depart(
        &mut self,
        Departure { now, earlier }: Departure,
        agent: AgentId,
        plan: RequestPlan,
    ) {
        let Agent { core, group, line, access, slot, .. } = self.agents[agent.index()];
        self.listen(line);
        let home = self.lines[line.index()].home;
        let place = plan.place;
        let left = self.left_at(now, earlier, line);
        let mut arrives = left;
        match place {
            ServicePoint::Core | ServicePoint::Cache => {}
            ServicePoint::Group => arrives += self.topology.asking,
            ServicePoint::Controller => arrives += self.topology.miss + self.topology.uplink,
            ServicePoint::Home => {
                if !slot && self.leaves_domain(core, line) && !self.take_slot(agent) {
                    return;
                }
                arrives += self.topology.miss;
                let way = self.ways.up(&self.topology, group, home);
                arrives += self.ports.cross(&way.links, arrives, Message::Header) + way.latency;
            }
        }
        arrives = arrives.saturating_sub(self.shift(agent, line, place));
        let this = &mut self.agents[agent.index()];
        this.place = place;
        this.arrives = arrives;
        this.left = left;
        this.plan = plan;
        let state = &self.lines[line.index()];
        if state.is_idle() {
            let reach = self.reach(agent);
            let leaves = self.leaves(line, place, arrives, reach);
            let cost = self.cost(core, line, access, plan, place, leaves - reach).after(leaves).after(now);
            self.agents[agent.index()].reach = reach;
            self.lines[line.index()].lone = Some(agent);
            self.note(agent, cost);
            self.agents[agent.index()].phase = Phase::Alone;
        } else {
            self.enqueue(now, agent, line);
        }
    }

    /// Time at which a request made at `now` leaves: at most `earlier` before `now`, and not while another agent
    /// wrote or wanted the line.
    #[inline]
    pub(super) fn left_at(&self, now: Time, earlier: Span, line: LineId) -> Time {
        let state = &self.lines[line.index()];
        if earlier == Span::ZERO || !state.is_idle() {
            return now;
        }
        let untouched = state.granted_at.max(self.exclusive[line.index()].free_at);
        now.saturating_sub(earlier).max(untouched).min(now)
    }

    /// Time at which a line leaves its owning core for a request that reaches its service point at `arrives`. The
    /// owner hears of the request `reach` after the start of service, and first finishes its access. Until then the
    /// owner's accesses are hits.
    #[inline]
    pub(super) fn leaves(&self, line: LineId, place: ServicePoint, arrives: Time, reach: Span) -> Time {
        let heard = self.hears(&self.lines[line.index()], place, arrives, reach);
        heard.max(self.exclusive[line.index()].free_at)
    }

    /// Time from the start of a request's service until the line's exclusive owner hears of the request; 0 without
    /// such an owner.
    pub(super) fn reach(&mut self, agent: AgentId) -> Span {
        let Agent { place, shift, .. } = self.agents[agent.index()];
        self.reach_from(agent, place, shift)
    }

    /// As [`Lines::reach`], for a request that is served at `place`.
    pub(super) fn reach_from(&mut self, agent: AgentId, place: ServicePoint, shift: Shift) -> Span {
        let Agent { core, line, .. } = self.agents[agent.index()];
        let (topology, state) = (&self.topology, &self.lines[line.index()]);
        let Some([own, group, _]) = state.owned() else { return Span::ZERO };
        if own == topology.member_of(core) {
            return Span::ZERO;
        }
        shift.of(match place {
            ServicePoint::Core | ServicePoint::Cache => Span::ZERO,
            ServicePoint::Group => topology.beyond,
            ServicePoint::Controller => topology.uplink + topology.clean,
            ServicePoint::Home => {
                let from = topology.group_number(group);
                let asked = topology.looked_up(state.home, from);
                asked + self.ways.down(topology, state.home, from).latency + topology.clean
            }
        })
    }

    fn note(&mut self, agent: AgentId, cost: Cost) {
        let this = &mut self.agents[agent.index()];
        this.answer = cost.answer;
        this.release = cost.release;
        this.scope = cost.scope;
        this.phase = Phase::Answer;
        self.agenda.set(agent, cost.answer);
    }

    /// Lets another request overtake the single uncontended request for a line, if there is one; or completes that
    /// request if it is too late to overtake it.
    #[inline]
    pub(super) fn contest(&mut self, now: Time, line: LineId) {
        if self.lines[line.index()].lone.is_some() {
            self.overtake(now, line);
        }
    }

    fn overtake(&mut self, now: Time, line: LineId) {
        let state = &mut self.lines[line.index()];
        let Some(agent) = state.lone.take() else { return };
        let Agent { core, access, place, plan, arrives, reach, .. } = self.agents[agent.index()];
        let leaves = self.leaves(line, place, arrives, reach);
        if now >= leaves {
            return self.settle(agent);
        }
        // The request is served later than planned and at another cost.
        self.ports.undoing = true;
        self.cost(core, line, access, plan, place, leaves - reach);
        self.ports.undoing = false;
        self.agenda.remove(agent);
        self.enqueue(now, agent, line);
    }

    /// Completes an uncontended request, which another request can no longer overtake.
    pub(super) fn settle(&mut self, agent: AgentId) {
        let Agent { line, plan, answer, release, scope, .. } = self.agents[agent.index()];
        self.agents[agent.index()].phase = Phase::Answer;
        self.lines[line.index()].lone = None;
        self.grant(agent, plan, Cost { answer, release, scope });
    }

    /// Serves the next request in a line's queue ([`Lines::turn`]) if the owner gives up the line by now; requests that
    /// have to be sent on to a farther service point are passed over. No effect while the line is promised.
    pub(super) fn serve_next(&mut self, now: Time, line: LineId) {
        loop {
            if self.lines[line.index()].promised {
                return;
            }
            let Some(turn) = self.turn(line) else { return };
            if turn.leaves > now {
                return self.expect(line, turn, now);
            }
            self.dequeue(line, turn.agent);
            if self.serve(turn, now) {
                break;
            }
        }
        self.follow_up(now, line);
    }

    /// Serves a request for which an owner gives up the line now. Returns false if the service point can no longer
    /// serve it: the request is then sent on to a farther one.
    fn serve(&mut self, Turn { agent, place, reach, .. }: Turn, now: Time) -> bool {
        let Agent { core, line, access, slot, .. } = self.agents[agent.index()];
        let plan = self.request_plan(&self.lines[line.index()], core, access);
        let slotless = !slot && place == ServicePoint::Home && self.leaves_domain(core, line);
        if plan.place > place || slotless {
            self.depart(Departure::at(now), agent, plan);
            return false;
        }
        // A line that the group has by now is not requested from farther away.
        let place = if plan.place <= ServicePoint::Cache { plan.place } else { place };
        let cost = self.cost(core, line, access, plan, place, now - reach).after(now);
        self.note(agent, cost);
        self.grant(agent, plan, cost);
        true
    }

    /// Lets a transaction take effect: counts it, executes its rows, and serves the followers of a load.
    fn grant(&mut self, agent: AgentId, plan: RequestPlan, cost: Cost) {
        let Agent { core, line, access, .. } = self.agents[agent.index()];
        match cost.scope {
            Scope::Group => self.counts.cache += 1,
            Scope::Domain => self.counts.domain += 1,
            Scope::Machine => self.counts.machine += 1,
        }
        self.execute(core, line, access, plan);
        let state = &mut self.lines[line.index()];
        if access == Access::Own {
            state.promised = true;
            return;
        }
        if plan.place > ServicePoint::Cache {
            self.exclusive[line.index()].free_at = cost.release;
            state.given(cost.release, Scope::Machine);
        }
        state.read_until = state.read_until.max(cost.answer);
        self.serve_followers(agent, cost.answer);
    }

    /// Executes the rows of an access. Besides, only [`Lines::evict`] and the fast path `join_all` change copies.
    #[inline]
    pub(super) fn execute(&mut self, core: u32, line: LineId, access: Access, plan: RequestPlan) {
        debug_assert!(
            self.exclusive[line.index()].owner.is_none_or(|owner| owner.number() == core),
            "it asked"
        );
        self.lines[line.index()].source = plan.source;
        self.copies(line).access(core, access, plan);
        if let Some(log) = &mut self.log {
            log.push(Transaction { core: CoreId(core), line, kind: access.into() });
        }
    }
}
