//! Lines of a pool that waiting threads read in every iteration of their wait loop: the pool's counters, which all
//! waiters read, and the line that links a thread into the list, which only that thread reads, to see if it is still
//! linked.

use crate::code::{CodeBuilder, Test, Word, WordTable};
use crate::exec::Exec;
use crate::profile::{Nested, TeamThreads};
use numalab_base::Time;
use numalab_coherence::AgentId;
use numalab_machine::{CoreId, NodeId};

/// Lines of a pool that waiting threads poll.
#[derive(Clone, Copy, Debug)]
pub struct Polled {
    pub(super) counters: Word,
    /// Line of each thread in the pool's list; `None` if threads do not poll these lines.
    pub(super) links: Option<WordTable>,
}

impl Polled {
    /// Adds the lines on a node, and agents that read them after every change; `None` if threads do not poll the
    /// lines. Each thread's core reads the thread's list line. The counters are read by the cores `by_cache`, one for
    /// each shared cache, since the threads under a cache share one request.
    pub fn new(
        nested: &Nested,
        exec: &mut Exec<'_>,
        home: NodeId,
        by_cache: impl IntoIterator<Item = CoreId>,
        threads: &[CoreId],
    ) -> Option<Polled> {
        if !(nested.polled && nested.threads == TeamThreads::Pool) {
            return None;
        }
        let counters = exec.add_word(home);
        let readers: Vec<AgentId> = by_cache.into_iter().map(|core| exec.add_agent(core)).collect();
        let own = nested.is_a_list() && nested.revisits + nested.return_revisits > 0;
        let own: Vec<AgentId> = threads.iter().filter(|_| own).map(|core| exec.add_agent(*core)).collect();
        let links = (!own.is_empty()).then(|| exec.add_table(threads.iter().map(|_| home), 1));
        let mut code = CodeBuilder::new();
        code.wait_until(counters, Test::Never);
        let poll = exec.add_code(code.build());
        readers.into_iter().for_each(|reader| exec.start(Time::ZERO, reader, poll, &[]));
        if let Some(links) = links {
            let mut code = CodeBuilder::new();
            let thread = code.argument();
            code.wait_until(links.at(thread), Test::Never);
            let poll = exec.add_code(code.build());
            (0..).zip(own).for_each(|(thread, reader)| exec.start(Time::ZERO, reader, poll, &[thread]));
        }
        Some(Polled { counters, links })
    }
}
