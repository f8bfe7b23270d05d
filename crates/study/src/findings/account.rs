//! Uses of the team's time, as findings read them.

use numalab_base::Span;
use numalab_results::{Executed, Run, TaskCounts};

/// A run with tasks.
pub(super) struct Account<'a> {
    pub run: &'a Run,
    pub tasks: &'a TaskCounts,
}

impl<'a> Account<'a> {
    /// `None` of a run that executed no task or took no time.
    pub fn of(run: &'a Run) -> Option<Account<'a>> {
        let account = Account { run, tasks: run.tasks.as_ref()? };
        (account.executed() > 0 && account.team() > 0.0).then_some(account)
    }

    /// `threads × makespan`, in picoseconds.
    pub fn team(&self) -> f64 {
        f64::from(self.run.threads) * self.run.makespan_ps as f64
    }

    /// Tasks that ran.
    pub fn executed(&self) -> u64 {
        let TaskCounts { by_creator, same_socket, same_board, remote, .. } = self.tasks;
        let places: [&Executed; 4] = [by_creator, same_socket, same_board, remote];
        places.iter().fold(0u64, |sum, place| sum.saturating_add(place.tasks))
    }

    /// Creating, fetching and finishing tasks. Looking for one in vain is waiting.
    pub fn handling(&self) -> f64 {
        let TaskCounts { creating_ps, fetching_ps, searching_ps, .. } = *self.tasks;
        creating_ps as f64 + fetching_ps.saturating_sub(searching_ps) as f64
    }

    /// Threads that had nothing to do: asleep, at a barrier, or looking for tasks where there were none.
    pub fn waiting(&self) -> f64 {
        self.run.idle_ps.as_f64() + self.tasks.searching_ps.min(self.tasks.fetching_ps) as f64
    }

    /// A time as a part of the team's.
    pub fn share(&self, ps: f64) -> f64 {
        ps / self.team()
    }

    /// The part of its time that the team waits.
    pub fn waits(&self) -> f64 {
        self.share(self.waiting())
    }

    /// The time of the phases that the tasks were in.
    pub fn span(&self) -> f64 {
        let phases = self.tasks.phases_ps;
        (if phases > 0 { phases } else { self.run.makespan_ps }) as f64
    }
}

/// A time as a reader wants it.
pub(super) fn time(ps: f64) -> String {
    Span(ps.round() as u64).to_string()
}

/// A share as a whole percentage.
pub(super) fn percent(share: f64) -> String {
    match share * 100.0 {
        x if x > 0.0 && x < 0.5 => "less than 1%".to_owned(),
        x => format!("{x:.0}%"),
    }
}
