//! Binding of threads to the processors of a machine.

use crate::files::SealedMachine;
use numalab_machine::ProcessorId;
use numalab_openmp::binding::{Binding, BindingError, Site, ThreadBinding, place_nested, place_team};
use numalab_openmp::places::Allowed;
use numalab_simulator::{ProcessorTopology, Team};
use numalab_workload::PlaceRules;

/// Machine of a run, with what decides the processors of its threads.
#[derive(Clone, Copy)]
pub(super) struct Host<'a> {
    pub machine: &'a SealedMachine,
    /// Processors that the threads may use; `None` for all.
    pub listed: Option<&'a [u32]>,
    pub rules: PlaceRules,
}

impl Host<'_> {
    /// Binds `threads` threads, divided into `inner` teams if given.
    pub fn place(
        &self,
        binding: &Binding,
        threads: u32,
        inner: Option<u32>,
    ) -> Result<ThreadBinding, BindingError> {
        let fabric = &self.machine.fabric;
        Ok(match self.listed {
            _ if !binding.is_empty() => {
                let topology = ProcessorTopology::new(&self.machine.loaded.value, fabric);
                let allowed = match self.listed {
                    Some(list) => Allowed::only(fabric.processors(), list.iter().copied()),
                    None => Allowed::only(fabric.processors(), fabric.online()),
                };
                let site = Site { topology: &topology, allowed: &allowed, rules: self.rules };
                match inner {
                    Some(teams) => place_nested(binding, teams, threads / teams, site)?,
                    None => place_team(binding, threads, site)?,
                }
            }
            // Threads take the listed processors in order, and start over at the end of the list.
            Some(list) => {
                let again = list.iter().copied().cycle().take(threads as usize);
                ThreadBinding::fixed(again.map(ProcessorId::new))
            }
            None => {
                let close = Team::close(fabric, threads);
                ThreadBinding::fixed(close.members.iter().map(|member| ProcessorId::new(member.processor)))
            }
        })
    }
}
