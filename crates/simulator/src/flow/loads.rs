//! Waits of line transactions behind flows. A line that goes from one thread to another queues at links and memories
//! that flows fill.

use crate::flow::flow_network::FlowNetwork;
use numalab_base::{Bytes, Snapshot, Span};
use numalab_runtime::Exec;

/// Wait of a message at each resource, by the solver's number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Loads {
    waits: Vec<Span>,
}

impl Loads {
    /// Adds the waits that the interpreter of programs uses to a snapshot.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Loads { waits } = self;
        into.add(waits);
    }

    /// Updates the waits that have changed, before lines move. A line that is requested at an instant meets flows
    /// that have not ended by then and flows that threads of lower numbers have just begun.
    #[inline]
    pub fn refresh(&mut self, network: &mut FlowNetwork<'_>, line: Bytes, exec: &mut Exec<'_>) {
        if network.fluid.backlogs_changed() {
            self.change(network, line, exec);
        }
    }

    fn change(&mut self, network: &mut FlowNetwork<'_>, line: Bytes, exec: &mut Exec<'_>) {
        let FlowNetwork { fluid, used, .. } = network;
        self.waits.resize(used.len(), Span::ZERO);
        fluid.backlogs(|number, queue| {
            // A lock has no lines in its queue.
            let Some(resource) = used[number.index()] else { return };
            let wait = Span::from_secs_ceil(queue.lines * line.0 as f64 / queue.bytes_per_s);
            if std::mem::replace(&mut self.waits[number.index()], wait) != wait {
                exec.load(resource, wait);
            }
        });
    }
}
