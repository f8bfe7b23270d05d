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
                "ask for fewer (--threads {processors}){} take a larger machine (numalab list)",
                larger(machine, threads)
                    .map_or(" or".to_owned(), |set| format!(", enlarge this one (--set {set}), or"))
            ),
        )),
        _ => Ok(procs),
    }
}

fn count(processors: u32) -> String {
    format!("{processors} processor{}", if processors == 1 { "" } else { "s" })
}

/// The least change of one level that makes so many threads fit and leaves a sound machine.
fn larger(machine: &Machine, threads: u32) -> Option<String> {
    let processors = totals(machine).processors;
    machine.levels.iter().enumerate().find_map(|(at, level)| {
        let each = processors.checked_div(level.count).filter(|each| *each > 0)?;
        let mut larger = machine.clone();
        larger.levels[at].count = threads.div_ceil(each);
        let fits = larger.check().is_empty() && totals(&larger).processors >= threads;
        fits.then(|| format!("machine.level.{}.count={}", level.kind, larger.levels[at].count))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn advice(machine: &str, threads: u32) -> String {
        let machine = numalab_formats::machine(machine, &[]).unwrap().value;
        match resolve(&machine, Some(threads), None) {
            Err(Failure::Request { advice: Some(advice), .. }) => advice,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn the_advice_is_a_machine_that_would_pass_its_check() {
        // 4 boards × 4 sockets × 8 cores: seven boards hold 200 threads, six do not.
        let text = advice("bcs16", 200);
        assert!(text.contains("--threads 128") && text.contains("machine.level.board.count=7"), "{text}");
        // The dimensions of a torus fix the number of boards: 72 boards × 3 sockets × 12 cores hold 2592.
        assert!(advice("numascale72", 2000).contains("machine.level.socket.count=3"));
        assert!(advice("socket:1 core:4", 9).contains("machine.level.socket.count=3"));
    }

    #[test]
    fn a_team_that_fits_passes() {
        let machine = numalab_formats::machine("socket:2 core:3", &[]).unwrap().value;
        assert_eq!(resolve(&machine, Some(6), None).unwrap(), None);
        let list = "4,0".parse().unwrap();
        assert_eq!(resolve(&machine, Some(1), Some(&list)).unwrap(), Some(vec![4, 0]));
    }
}
