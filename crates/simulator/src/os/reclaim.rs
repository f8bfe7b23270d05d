//! Reclaim by each node's `kswapd`, which demotes pages beside the threads.

use crate::account::cause::Cause;
use crate::account::observer::Listener;
use crate::engine::segment::{Segment, SegmentState};
use crate::engine::team::Member;
use crate::flow::owner::FlowOwner;
use crate::os::processors::Service;
use numalab_base::Span;
use numalab_machine::NodeId;
use numalab_memory::Demoted;

impl<'a, O: Listener> Segment<'a, '_, O> {
    /// Begins a step of each node's `kswapd` that a fault has woken and that has no step under way.
    pub(crate) fn wake_reclaimers(&mut self, state: &mut SegmentState<'a, '_>) {
        let copying = &self.world.reclaimers.copying;
        let woken: Vec<NodeId> = self.world.store.awake().filter(|node| !copying.contains(node)).collect();
        for node in woken {
            self.demote(state, node);
        }
    }

    /// Ends a step of a node's `kswapd` and begins the next one, if needed.
    pub(crate) fn reclaimed(&mut self, state: &mut SegmentState<'a, '_>, node: NodeId) {
        self.world.reclaimers.copying.remove(&node);
        self.demote(state, node);
    }

    /// Begins a step of a node's `kswapd`: pages are copied through a core of the node. If threads of the team occupy
    /// all processors of the node, one of these processors loses the time.
    fn demote(&mut self, state: &mut SegmentState<'a, '_>, node: NodeId) {
        let Some(Demoted { to, pages, bytes }) = self.world.store.demote(node) else { return };
        self.world.counts.pages_moved += pages;
        self.world.counts.pages_demoted += pages;
        let members = &self.team.members;
        let mut beside: Vec<&Member> = members.iter().filter(|member| member.node == node).collect();
        beside.sort_by_key(|member| member.processor);
        beside.dedup_by_key(|member| member.processor);
        let turn = self.world.reclaimers.turns.entry(node).or_default();
        *turn += 1;
        // The fault that woke `kswapd` came from a processor of the node. Without a thread of the team on the node
        // (the load balancer may have moved it) nothing is copied.
        let Some(member) = beside.get(*turn % beside.len().max(1)) else { return };
        let alone = Member { core_mates: 1, ..**member };
        let now = self.world.now;
        let network = &mut self.world.network;
        let (class, each) = network.copying(node, to, &alone, self.setup.machine);
        let token = FlowOwner::Reclaimer(node).token();
        network.begin((class, bytes.0, token), now, O::ACTIVE);
        self.world.reclaimers.copying.insert(node);
        let fabric = self.setup.fabric;
        let processors = fabric.cores_per_node() as usize * fabric.threads_per_core() as usize;
        if beside.len() >= processors {
            let system = &mut state.planners[0].system;
            // Linux sends one TLB shootdown for all pages of a step.
            let span = Span(system.os.page_migration.0.saturating_mul(pages))
                + system.shootdown(&alone)
                + Span::from_secs_ceil(each * bytes.0 as f64);
            let processor = alone.processor;
            self.request_service(state, processor, Service { span, cause: Cause::Scanner });
        }
    }
}
