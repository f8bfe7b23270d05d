//! The operating system's numbers of hardware threads, and which of them are in use.

use crate::{LevelKind, Machine, Numbering};
use std::sync::Arc;

// Glossary: off-line processor: Hardware thread that the machine has and the operating system does not use.

/// Numbers of the hardware threads of a machine.
#[derive(Clone, Debug)]
pub(crate) struct ProcessorNumbers {
    numbering: Numbering,
    cores: u32,
    threads: u32,
    cores_per_socket: u32,
    listed: Option<Arc<Listed>>,
}

/// Numbers that follow no rule.
#[derive(Debug)]
struct Listed {
    /// Number of each hardware thread, core by core.
    numbers: Vec<u32>,
    /// Index in `numbers` of each number.
    places: Vec<u32>,
}

impl Listed {
    /// Takes a permutation; `None` for any other list.
    fn of(numbers: &[u32], processors: u32) -> Option<Arc<Listed>> {
        if numbers.len() != processors as usize {
            return None;
        }
        let mut places = vec![u32::MAX; numbers.len()];
        for (at, number) in (0..).zip(numbers) {
            let place = places.get_mut(*number as usize).filter(|place| **place == u32::MAX)?;
            *place = at;
        }
        Some(Arc::new(Listed { numbers: numbers.to_vec(), places }))
    }
}

impl ProcessorNumbers {
    /// Numbers of a machine whose levels are valid.
    pub fn of(machine: &Machine) -> ProcessorNumbers {
        let socket = machine.levels.iter().position(|level| level.kind == LevelKind::Socket);
        let inside = |at: usize| machine.levels[at + 1..].iter().map(|level| level.count).product();
        let (cores, threads) = (machine.units(machine.levels.len()), machine.core.threads);
        ProcessorNumbers {
            numbering: machine.numbering,
            cores,
            threads,
            listed: Listed::of(&machine.processors.0, cores.saturating_mul(threads)),
            cores_per_socket: socket.map_or_else(|| machine.cores_per_node(), inside),
        }
    }

    pub fn processors(&self) -> u32 {
        self.cores.saturating_mul(self.threads)
    }

    /// Core of a hardware thread, and the thread's number in the core.
    pub fn place(&self, number: u32) -> (u32, u32) {
        let ProcessorNumbers { cores, threads, cores_per_socket, .. } = *self;
        if let Some(listed) = &self.listed {
            let at = listed.places[number as usize];
            return (at / threads, at % threads);
        }
        match self.numbering {
            Numbering::CoresFirst => (number % cores, number / cores),
            Numbering::ThreadsFirst => (number / threads, number % threads),
            Numbering::RoundRobinSockets => {
                let (within, sockets) = (number % cores, cores / cores_per_socket);
                (within % sockets * cores_per_socket + within / sockets, number / cores)
            }
        }
    }

    pub fn number(&self, core: u32, thread: u32) -> u32 {
        let ProcessorNumbers { cores, threads, cores_per_socket, .. } = *self;
        if let Some(listed) = &self.listed {
            return listed.numbers[(core * threads + thread) as usize];
        }
        match self.numbering {
            Numbering::CoresFirst => thread * cores + core,
            Numbering::ThreadsFirst => core * threads + thread,
            Numbering::RoundRobinSockets => {
                let sockets = cores / cores_per_socket;
                thread * cores + core % cores_per_socket * sockets + core / cores_per_socket
            }
        }
    }
}

impl Machine {
    /// Numbers of cores and of hardware threads that are in use.
    pub(crate) fn in_use(&self) -> (u32, u32) {
        let cores = self.units(self.levels.len());
        let processors = cores.saturating_mul(self.core.threads);
        if self.offline.is_empty() {
            return (cores, processors);
        }
        let numbers = ProcessorNumbers::of(self);
        let mut of_core: Vec<u32> =
            self.offline.below(processors).map(|number| numbers.place(number).0).collect();
        let off = of_core.len() as u32;
        of_core.sort_unstable();
        let whole = of_core.chunk_by(|a, b| a == b).filter(|core| core.len() as u32 >= self.core.threads);
        (cores - whole.count() as u32, processors - off)
    }
}
