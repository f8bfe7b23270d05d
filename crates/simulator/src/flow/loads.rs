//! Waits of line transactions behind flows. While flows fill a link or a memory, their lines queue there,
//! and a line that goes from one thread to another stands in the same queue.

use crate::flow::flow_network::FlowNetwork;
use numalab_base::{Bytes, Snapshot, Span};
use numalab_runtime::Exec;

/// Wait of a message at each resource, by the solver's number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Loads {
    waits: Vec<Span>,
}

impl Loads {
    /// Writes down the waits that programs know of.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Loads { waits } = self;
        into.add(waits);
    }

    /// Before lines move: what has changed since they last did. A line that is asked for at some instant
    /// meets what has not ended at that, and what threads of lower numbers have just begun.
    #[inline]
    pub fn refresh(&mut self, network: &mut FlowNetwork<'_>, line: Bytes, exec: &mut Exec<'_>) {
        if network.fluid.queues_changed() {
            self.change(network, line, exec);
        }
    }

    fn change(&mut self, network: &mut FlowNetwork<'_>, line: Bytes, exec: &mut Exec<'_>) {
        let FlowNetwork { fluid, used, .. } = network;
        self.waits.resize(used.len(), Span::ZERO);
        fluid.queues(|number, queue| {
            // What is no hardware has no lines in its queue.
            let Some(resource) = used[number as usize] else { return };
            let wait = Span::from_secs_ceil(queue.lines * line.0 as f64 / queue.bytes_per_s);
            if std::mem::replace(&mut self.waits[number as usize], wait) != wait {
                exec.load(resource, wait);
            }
        });
    }
}
