//! `--threads` and `--procs` against the machine.

use crate::failure::Failure;
use crate::procs::ProcList;
use numalab_machine::{Machine, totals};

/// The processors of `--procs`, if given, once the team is known to fit.
pub fn resolve(
    machine: &Machine,
    threads: Option<u32>,
    procs: Option<&ProcList>,
) -> Result<Option<Vec<u32>>, Failure> {
    let processors = totals(machine).processors;
    let procs = procs.map(|list| list.resolve(&machine.name, processors)).transpose()?;
    let Some(threads) = threads else { return Ok(procs) };
    match &procs {
        Some(list) if threads as usize > list.len() => Err(Failure::request(
            format!("{threads} threads do not fit: --procs names only {}", count(list.len() as u32)),
            format!("ask for fewer (--threads {}), or name more processors", list.len()),
        )),
        None if threads > processors => Err(Failure::request(
            format!("{threads} threads do not fit on {}, which has {}", machine.name, count(processors)),
            format!(
                "ask for fewer (--threads {processors}), take a larger machine (numalab list), or enlarge this \
                 one (--set machine.level.core.count={})",
                cores_needed(machine, threads)
            ),
        )),
        _ => Ok(procs),
    }
}

fn count(processors: u32) -> String {
    format!("{processors} processor{}", if processors == 1 { "" } else { "s" })
}

/// The least count of the innermost level with which so many threads fit.
fn cores_needed(machine: &Machine, threads: u32) -> u64 {
    let count = machine.levels.last().map_or(1, |level| level.count).max(1);
    let containers = u64::from(totals(machine).processors / count).max(1);
    u64::from(threads).div_ceil(containers)
}
