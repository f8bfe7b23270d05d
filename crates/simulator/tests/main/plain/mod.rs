//! A slow engine that computes the same model in the plainest way, as the oracle of the fast one.
//!
//! Every flow stands on its own: after each event the textbook solver shares every resource anew, and
//! every flow's remaining bytes are brought up to date. Pages are a plain array. Only the machine's routes and the schedules are taken from elsewhere: they
//! have tests of their own.
//!
//! | file | what |
//! |---|---|
//! | `pages` | where every page is |
//! | `work` | iterations as steps |
//! | `flows` | rates of all flows at one moment |
//! | `asking` | what asking for work costs |
//! | `parallel` | one loop up to its barrier |

mod asking;
mod flows;
mod pages;
mod parallel;
mod work;

use crate::random::Case;
use asking::Asking;
use numalab_machine::Fabric;
use numalab_program::Policy;
use numalab_units::Span;
use pages::{Full, Pages};

/// What a thread did in the measured loops.
#[derive(Clone, Debug)]
pub struct Account {
    /// From the start of each loop until the thread reached its barrier, summed.
    pub busy: Span,
    pub overhead: Span,
    pub packages: u64,
    pub stolen: u64,
    pub bytes_by_node: Vec<u64>,
}

#[derive(Clone, Debug)]
pub struct Outcome {
    pub makespan: Span,
    pub team: Vec<Account>,
}

/// All phases under a policy; an error if the regions do not fit.
pub fn run(case: &Case, fabric: &Fabric, policy: Policy) -> Result<Outcome, Full> {
    let mut pages = Pages::new(case, fabric);
    let world = Asking { case, fabric };
    let nothing = Account {
        busy: Span::ZERO,
        overhead: Span::ZERO,
        packages: 0,
        stolen: 0,
        bytes_by_node: vec![0; fabric.nodes() as usize],
    };
    let mut outcome = Outcome { makespan: Span::ZERO, team: vec![nothing; case.team.members.len()] };
    for phase in &case.workload.phases {
        let policy = phase.schedule.unwrap_or(policy);
        for _ in 0..phase.repeat {
            let mut unmeasured = outcome.clone();
            let kept = if phase.measured { &mut outcome } else { &mut unmeasured };
            parallel::run(&world, phase, policy, &mut pages, kept)?;
        }
    }
    Ok(outcome)
}
