//! Memory-only nodes by their kinds.

use super::{Assumption, SUSTAINED};
use crate::topology::MachineSketch;
use numalab_base::{Bandwidth, Span};
use numalab_machine::{LevelKind, totals};

/// Kind of memory-only node.
struct Kind {
    name: &'static str,
    /// Latency as a multiple of the latency of memory beside processors. `why` is the reason for this factor.
    farther: f64,
    why: &'static str,
    rate: Rate,
    /// True if all memory of this kind in a socket shares `rate`.
    of_socket: bool,
    whence: &'static str,
}

enum Rate {
    /// Multiple of the bandwidth of a node with processors.
    OfOwn(f64),
    /// Peak in GB/s.
    Peak(f64),
}

const KINDS: [Kind; 4] = [
    Kind {
        name: "hbm",
        farther: 1.1,
        why: "of the order of stacked memory",
        rate: Rate::OfOwn(3.0),
        of_socket: false,
        whence: "three times that of memory beside processors, of the order of HBM2e beside DDR5",
    },
    Kind {
        name: "mcdram",
        farther: 1.2,
        why: "of the order of Knights Landing's",
        rate: Rate::OfOwn(4.5),
        of_socket: false,
        whence: "four and a half times that of memory beside processors, of the order of Knights Landing's",
    },
    Kind {
        name: "cxl",
        farther: 2.1,
        why: "as expansion cards are 2 to 5 times as far",
        rate: Rate::Peak(31.5),
        of_socket: false,
        whence: "eight lanes of PCIe 5.0, 31.5 GB/s each way; 0.8 of it",
    },
    Kind {
        name: "nvm",
        farther: 3.5,
        why: "of the order of Optane modules",
        rate: Rate::Peak(40.0),
        of_socket: true,
        whence: "reads of six Optane modules, some 40 GB/s; 0.8 of it",
    },
];

impl MachineSketch {
    /// Sets latency and bandwidth of memory-only nodes by their kinds, and adds them to `said`.
    pub(super) fn memory_only_of_its_kind(&mut self, said: &mut Vec<Assumption>) {
        let (own, of_node) = (self.machine.memory.latency, self.machine.memory.bandwidth);
        let all = totals(&self.machine);
        let sockets = all.sockets.unwrap_or(1).max(1);
        for kind in &mut self.machine.memory_only {
            let word = kind.name.split('-').next().unwrap_or_default();
            let Some(known) = KINDS.iter().find(|known| known.name == word) else { continue };
            kind.latency = Span((own.0 as f64 * known.farther) as u64);
            let each = match (known.of_socket, kind.near) {
                (true, LevelKind::Node) => f64::from(sockets) / f64::from(all.nodes.max(1)),
                (true, _) | (false, _) => 1.0,
            };
            kind.bandwidth = match known.rate {
                Rate::OfOwn(times) => Bandwidth(of_node.0 * times),
                Rate::Peak(gigabytes) => Bandwidth(gigabytes * 1e9 * SUSTAINED * each),
            };
            let path = |field: &str| format!("memory_only.{}.{field}", kind.name);
            let latency = Assumption {
                path: path("latency"),
                value: kind.latency.to_string(),
                source: format!("assumed: {} of memory beside processors, {}", known.farther, known.why),
            };
            let bandwidth = Assumption {
                path: path("bandwidth"),
                value: kind.bandwidth.to_string(),
                source: format!("assumed: {}", known.whence),
            };
            said.extend([latency, bandwidth]);
        }
    }
}
