//! Each kind of transaction on a machine of four boards of four sockets of eight cores.
//!
//! Last-level cache 20 ns, memory 135 ns, between sockets 25 ns, from a socket to another board
//! 25 + 150 + 25 = 200 ns, a hit 2 ns. A line takes 5 ns over a link of 12.8 GB/s, but nobody waits here.

use numalab_coherence::{Access, Counts, LineId, Lines};
use numalab_machine::{CoreId, Fabric, Machine, NodeId, Protocol, synthetic};

const NS: u64 = 1000;

fn machine(text: &str, protocol: Protocol) -> Machine {
    let mut machine = synthetic(text).expect("a machine");
    machine.protocol = protocol;
    machine
}

/// Agents on all cores, one line, one request after the other.
struct Steps<'a> {
    lines: Lines<'a>,
    line: LineId,
    now: u64,
}

impl<'a> Steps<'a> {
    fn new(machine: &Machine, fabric: &'a Fabric, home: u32) -> Steps<'a> {
        let mut lines = Lines::new(machine, fabric);
        for core in 0..fabric.cores() {
            lines.add_agent(CoreId(core));
        }
        let line = lines.add_line(NodeId(home));
        Steps { lines, line, now: 0 }
    }

    /// What a request takes, with all other requests long ago.
    fn take(&mut self, agent: u32, access: Access) -> u64 {
        self.now += 100_000 * NS;
        if let Some(at) = self.lines.request(self.now, agent, self.line, access) {
            return at - self.now;
        }
        loop {
            if let Some((at, who)) = self.lines.pop() {
                assert_eq!(who, agent);
                return at - self.now;
            }
        }
    }

    fn read(&mut self, agent: u32) -> u64 {
        self.take(agent, Access::Read)
    }

    fn own(&mut self, agent: u32) -> u64 {
        self.take(agent, Access::Own)
    }
}

#[test]
fn within_a_socket() {
    let machine = machine("board:4 socket:4 core:8", Protocol::Mesif);
    let fabric = Fabric::new(&machine).expect("sound");
    let mut steps = Steps::new(&machine, &fabric, 0);
    // From memory: 20 + 115; the other sockets have answered after 2 x 25 + 20.
    assert_eq!(steps.read(0), 135 * NS);
    assert_eq!(steps.read(0), 2 * NS);
    // It is the only copy, so it may be written at once.
    assert_eq!(steps.own(0), 2 * NS);
    // The cache asks core 0, then has the line itself.
    assert_eq!(steps.read(1), 40 * NS);
    assert_eq!(steps.read(2), 20 * NS);
    // The other copies of the group go, nobody outside has one.
    assert_eq!(steps.own(3), 40 * NS);
    assert_eq!(steps.own(4), 40 * NS);
    assert_eq!(steps.own(4), 2 * NS);
    assert_eq!(steps.lines.counts(), Counts { hits: 3, cache: 4, domain: 1, machine: 0 });
}

#[test]
fn between_sockets_of_a_board() {
    let machine = machine("board:4 socket:4 core:8", Protocol::Mesif);
    let fabric = Fabric::new(&machine).expect("sound");
    let mut steps = Steps::new(&machine, &fabric, 0);
    // Memory of the next socket: 20, 25 to the home, 115, 25 back.
    assert_eq!(steps.own(8), 185 * NS);
    // The home is here: 20, 25 to the owner, 40 there, 25 back with the line.
    assert_eq!(steps.own(0), 110 * NS);
    // 20, 25 to the home, which waits for 2 x 25 + 20 of the other two sockets; 40 here; 25 back.
    assert_eq!(steps.own(8), 20 * NS + 25 * NS + 70 * NS + 25 * NS);
    // Home at a third: 20 + 25, then 2 x 25 + 40 until the home has heard, then 25.
    assert_eq!(steps.own(16), 160 * NS);
    // The forwarder is asked; it has the line in its cache once its own core has been asked.
    assert_eq!(steps.read(24), 160 * NS);
    assert_eq!(steps.read(8), 140 * NS);
}
