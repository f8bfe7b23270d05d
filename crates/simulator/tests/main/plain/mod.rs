//! A slow engine that computes the same model in the plainest way, as the oracle of the fast one.
//!
//! Every flow stands on its own: after each event the textbook solver shares every resource anew, and every flow's
//! remaining bytes are brought up to date. Pages are a plain array. Parts with tests of their own are reused: the
//! machine's routes, the schedules, and the line transactions of requests for work, whose oracle is in the tests of
//! coherence. The words that threads share lie in a separate engine of lines, so that the comparison covers which
//! thread requests work when, and the effect on everything else.
//!
//! | file | contents |
//! |---|---|
//! | `pages` | home of every page |
//! | `work` | iterations as steps |
//! | `flows` | rates of all flows at one moment |
//! | `words` | words that threads share |
//! | `asking` | requests for work, by the words that they access |
//! | `parallel` | one loop up to its barrier |

mod asking;
mod flows;
mod pages;
mod parallel;
mod words;
mod work;

use crate::random::Case;
use numalab_base::Span;
use numalab_machine::Fabric;
use numalab_workload::Schedule;
use pages::{Full, Pages};
use words::{Party, Words};

/// Account of a thread over the measured loops.
#[derive(Clone, Debug)]
pub struct Account {
    /// Time from the start of each loop until the thread reached its barrier, summed.
    pub busy: Span,
    pub overhead: Span,
    pub iterations: u64,
    pub stolen: u64,
    pub bytes_by_node: Vec<u64>,
}

#[derive(Clone, Debug)]
pub struct Outcome {
    pub makespan: Span,
    pub team: Vec<Account>,
    /// Number of cache lines that moved.
    pub transactions: u64,
}

/// Outcome of all phases under a policy; an error if the regions do not fit.
pub fn run(case: &Case, fabric: &Fabric, policy: Schedule) -> Result<Outcome, Full> {
    let mut pages = Pages::new(case, fabric);
    let party = Party { case, fabric };
    let mut words = Words::new(&party);
    let nothing = Account {
        busy: Span::ZERO,
        overhead: Span::ZERO,
        iterations: 0,
        stolen: 0,
        bytes_by_node: vec![0; fabric.nodes() as usize],
    };
    let team = vec![nothing; case.team.members.len()];
    let mut outcome = Outcome { makespan: Span::ZERO, team, transactions: 0 };
    for phase in &case.workload.phases {
        let policy = phase.schedule.unwrap_or(policy);
        for _ in 0..phase.repeat {
            let mut unmeasured = outcome.clone();
            let kept = if phase.measured { &mut outcome } else { &mut unmeasured };
            parallel::run(&party, phase, policy, &mut pages, &mut words, kept)?;
        }
    }
    Ok(outcome)
}
