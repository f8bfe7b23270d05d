//! Machines for tests, as a product of group sizes.

use super::{Location, Topology};
use numalab_base::ProcessorId;

/// Number of boards, then of sockets per board, nodes per socket, and so on.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    pub boards: u32,
    pub sockets: u32,
    pub nodes: u32,
    pub caches: u32,
    pub cores: u32,
    pub threads: u32,
}

impl Model {
    /// One board; each socket is a node with one cache.
    pub fn sockets(sockets: u32, cores: u32, threads: u32) -> Model {
        Model { boards: 1, sockets, nodes: 1, caches: 1, cores, threads }
    }

    pub fn all_cores(&self) -> u32 {
        self.boards * self.sockets * self.nodes * self.caches * self.cores
    }
}

impl Topology for Model {
    fn processors(&self) -> u32 {
        self.all_cores() * self.threads
    }

    /// The first hardware threads of all cores have the lowest numbers, as on most machines.
    fn location(&self, processor: ProcessorId) -> Location {
        let core = processor.number() % self.all_cores();
        let cache = core / self.cores;
        let node = cache / self.caches;
        let socket = node / self.nodes;
        Location { board: socket / self.sockets, socket, node, cache, core }
    }
}
