//! Lists of the processors of machine, sockets and nodes, as numactl and likwid-pin name them. Processors have the
//! operating system's numbers. Processors that are off line are on no list.

use crate::SealedMachine;
use numalab_machine::{CoreId, ProcessorId, totals};
use std::ops::Range;

/// Processors by socket and node, with the socket and node numbers of other tools.
pub struct Domains<'a> {
    machine: &'a SealedMachine,
}

impl<'a> Domains<'a> {
    pub fn new(machine: &'a SealedMachine) -> Domains<'a> {
        Domains { machine }
    }

    fn cores(&self) -> u32 {
        self.machine.fabric.cores()
    }

    pub fn sockets(&self) -> u32 {
        totals(&self.machine.loaded.value).sockets.unwrap_or(1).max(1)
    }

    pub fn nodes(&self) -> u32 {
        self.machine.fabric.nodes().max(1)
    }

    /// Numbers of all processors: the first hardware threads of all cores, then the second ones.
    pub fn all(&self) -> Vec<u32> {
        self.of(0..self.cores(), false)
    }

    /// Processors of a socket, first hardware threads first; `None` if there is no such socket.
    pub fn socket(&self, number: u32) -> Option<Vec<u32>> {
        self.part(number, self.sockets(), false)
    }

    /// Processors of a node, first hardware threads first; `None` if there is no such node.
    pub fn node(&self, number: u32) -> Option<Vec<u32>> {
        self.part(number, self.nodes(), false)
    }

    /// Numbers of all processors, core by core.
    pub fn all_compact(&self) -> Vec<u32> {
        self.of(0..self.cores(), true)
    }

    /// Processors of a socket, core by core; `None` if there is no such socket.
    pub fn socket_compact(&self, number: u32) -> Option<Vec<u32>> {
        self.part(number, self.sockets(), true)
    }

    /// Processors of a node, core by core; `None` if there is no such node.
    pub fn node_compact(&self, number: u32) -> Option<Vec<u32>> {
        self.part(number, self.nodes(), true)
    }

    fn part(&self, number: u32, of: u32, compact: bool) -> Option<Vec<u32>> {
        let each = self.cores() / of;
        (number < of).then(|| self.of(number * each..(number + 1) * each, compact))
    }

    fn of(&self, cores: Range<u32>, compact: bool) -> Vec<u32> {
        let fabric = &self.machine.fabric;
        let threads = fabric.threads_per_core();
        let number = |(core, thread)| fabric.os_number(CoreId(core), thread).number();
        let mut numbers: Vec<u32> = match compact {
            true => {
                cores.flat_map(|core| (0..threads).map(move |thread| (core, thread))).map(number).collect()
            }
            false => (0..threads)
                .flat_map(|thread| cores.clone().map(move |core| (core, thread)))
                .map(number)
                .collect(),
        };
        numbers.retain(|number| fabric.is_online(ProcessorId::new(*number)));
        numbers
    }
}
