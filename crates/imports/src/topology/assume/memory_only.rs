//! Memory-only nodes by their kinds.

use super::{Assumption, SUSTAINED, Source};
use crate::topology::MachineSketch;
use crate::topology::generations::Generation;
use numalab_base::{Bandwidth, Span};
use numalab_machine::defaults::MEMORY_LATENCY;
use numalab_machine::{LevelKind, Machine, MemoryOnly, totals};

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
    /// Sets latency and bandwidth of memory-only nodes by their kinds, and adds them to `said`. Nodes of unknown kind
    /// are named: they get the values of memory beside processors.
    pub(super) fn memory_only_of_its_kind(
        &mut self,
        found: Option<&Generation>,
        like: Option<&Machine>,
        said: &mut Vec<Assumption>,
    ) {
        for at in 0..self.machine.memory_only.len() {
            let kind = self.machine.memory_only[at].clone();
            let path = |field: &str| format!("memory_only.{}.{field}", kind.name);
            let open = |field: &str| self.is_open(&path(field));
            let [slow, far] = [open("bandwidth"), open("latency")];
            if !slow && !far {
                continue;
            }
            let word = kind.name.split('-').next().unwrap_or_default();
            let known = KINDS.iter().find(|known| known.name == word);
            let alike = like.and_then(|like| {
                let same = |other: &&MemoryOnly| other.name.split('-').next() == Some(word);
                Some((like, like.memory_only.iter().find(same)?))
            });
            let ((bandwidth, whence), (latency, why)) = match (alike, known) {
                (Some((like, other)), _) => self.as_of(&kind, like, other),
                (None, Some(known)) => (self.bandwidth_of(&kind, known, found), self.latency_of(known)),
                (None, None) => {
                    let fields = [("bandwidth", slow), ("latency", far)];
                    let unknown = fields.iter().filter(|(_, open)| *open).map(|(field, _)| path(field));
                    self.unknown_memory.extend(unknown);
                    self.as_beside_processors(&kind)
                }
            };
            let kind = &mut self.machine.memory_only[at];
            if far {
                kind.latency = latency;
                said.push(Assumption::new(path("latency"), latency, why));
            }
            if slow {
                kind.bandwidth = bandwidth;
                said.push(Assumption::new(path("bandwidth"), bandwidth, whence));
            }
        }
    }

    fn bandwidth_of(
        &self,
        kind: &MemoryOnly,
        known: &Kind,
        found: Option<&Generation>,
    ) -> (Bandwidth, Source) {
        let of_socket = part_of_socket(&self.machine, kind);
        let stacked = found.and_then(|found| Some((found.name, found.stacked.as_ref()?)));
        if let Some((name, stacked)) = stacked.filter(|(_, stacked)| stacked.kind() == known.name) {
            let source = Source::sheet(format!(
                "data sheet of {name}: {}, {of_socket} of it for each node",
                stacked.made_of
            ));
            return (Bandwidth(stacked.bandwidth * 1e9 * of_socket), source);
        }
        let each = if known.of_socket { of_socket } else { 1.0 };
        let bandwidth = match known.rate {
            Rate::OfOwn(times) => self.machine.memory.bandwidth.0 * times,
            Rate::Peak(gigabytes) => gigabytes * 1e9 * SUSTAINED * each,
        };
        (Bandwidth(bandwidth), format!("assumed: {}", known.whence).into())
    }

    /// Values of the same kind of another machine.
    fn as_of(
        &self,
        kind: &MemoryOnly,
        like: &Machine,
        other: &MemoryOnly,
    ) -> ((Bandwidth, Source), (Span, Source)) {
        let part = part_of_socket(&self.machine, kind) / part_of_socket(like, other);
        let source = Source::from(format!("as of {}", like.name));
        ((Bandwidth(other.bandwidth.0 * part), source.clone()), (other.latency, source))
    }

    fn latency_of(&self, known: &Kind) -> (Span, Source) {
        let latency = Span((self.machine.memory.latency.0 as f64 * known.farther) as u64);
        (latency, format!("assumed: {} of memory beside processors, {}", known.farther, known.why).into())
    }

    /// Bandwidth and latency of memory beside processors, as much farther as the distances say.
    fn as_beside_processors(&self, kind: &MemoryOnly) -> ((Bandwidth, Source), (Span, Source)) {
        let memory = &self.machine.memory;
        // The sketch multiplied the latency of its memory by the distance.
        let base = if self.is_open("memory.latency") { MEMORY_LATENCY } else { memory.latency };
        let times = (kind.latency.0 as f64 / base.0 as f64).max(1.0);
        let latency = Span((memory.latency.0 as f64 * times) as u64);
        let source = "not known: that of memory beside processors".to_owned();
        let farther = format!("not known: {times:.1} of memory beside processors, by the distances");
        ((memory.bandwidth, source.into()), (latency, farther.into()))
    }
}

/// Part of a socket that is beside each node of a kind.
fn part_of_socket(machine: &Machine, kind: &MemoryOnly) -> f64 {
    let all = totals(machine);
    match kind.near {
        LevelKind::Node => f64::from(all.sockets.unwrap_or(1).max(1)) / f64::from(all.nodes.max(1)),
        _ => 1.0,
    }
}
