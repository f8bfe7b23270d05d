//! Counters of a pool's threads, which everybody who waits reads in every turn of its loop.

use crate::code::{CodeBuilder, Test, Word};
use crate::exec::Exec;
use crate::profile::{Nested, TeamThreads};
use numalab_machine::{CoreId, NodeId};

/// Adds the line of a pool's counters on a node, and on each of the cores somebody who reads it whenever it has changed;
/// `None` if nobody does. One core stands for all that share a cache: their requests are one.
pub fn polled_counters(
    nested: &Nested,
    exec: &mut Exec<'_>,
    home: NodeId,
    cores: impl IntoIterator<Item = CoreId>,
) -> Option<Word> {
    if !(nested.polled && nested.threads == TeamThreads::Pool) {
        return None;
    }
    let counters = exec.add_word(home);
    let readers: Vec<u32> = cores.into_iter().map(|core| exec.add_agent(core)).collect();
    let mut code = CodeBuilder::new();
    code.wait_until(counters, Test::equal(u64::MAX));
    let poll = exec.add_code(code.build());
    readers.into_iter().for_each(|reader| exec.start(0, reader, poll, &[]));
    Some(counters)
}
