//! Use of the team's time, for findings.

use numalab_base::Span;
use numalab_results::{Executed, Run, TaskCounts};

/// A run with tasks, as findings read it: parts of the team's time.
pub(super) struct Account<'a> {
    pub run: &'a Run,
    pub tasks: &'a TaskCounts,
}

impl<'a> Account<'a> {
    /// Account of a run; `None` if the run has no tasks or took no time.
    pub fn of(run: &'a Run) -> Option<Account<'a>> {
        let account = Account { run, tasks: run.tasks.as_ref()? };
        (account.executed() > 0 && account.team() > 0.0).then_some(account)
    }

    /// Team time: `threads × makespan`, in picoseconds.
    pub fn team(&self) -> f64 {
        f64::from(self.run.threads) * self.run.makespan_ps as f64
    }

    pub fn executed(&self) -> u64 {
        let TaskCounts { by_creator, same_socket, same_board, remote, .. } = self.tasks;
        let places: [&Executed; 4] = [by_creator, same_socket, same_board, remote];
        places.iter().fold(0u64, |sum, place| sum.saturating_add(place.tasks))
    }

    /// Time for creating, fetching and finishing tasks, in picoseconds. Searches that found no task count as waiting.
    pub fn handling(&self) -> f64 {
        let TaskCounts { creating_ps, fetching_ps, searching_ps, .. } = *self.tasks;
        creating_ps as f64 + fetching_ps.saturating_sub(searching_ps) as f64
    }

    /// Time in picoseconds of threads without work: asleep, at a barrier, or searching for tasks.
    pub fn waiting(&self) -> f64 {
        self.run.idle_ps.as_f64() + self.tasks.searching_ps.min(self.tasks.fetching_ps) as f64
    }

    /// Time `ps` as a fraction of the team time.
    pub fn share(&self, ps: f64) -> f64 {
        ps / self.team()
    }

    /// [`Account::waiting`] as a fraction of the team time.
    pub fn waits(&self) -> f64 {
        self.share(self.waiting())
    }

    /// Makespan of the phases with tasks, in picoseconds; of the run if no such phase took time.
    pub fn span(&self) -> f64 {
        let phases = self.tasks.phases_ps;
        (if phases > 0 { phases } else { self.run.makespan_ps }) as f64
    }
}

/// Text of a time in picoseconds, in a unit that fits.
pub(super) fn time(ps: f64) -> String {
    Span(ps.round() as u64).to_string()
}

/// Text of a fraction, as a whole percentage.
pub(super) fn percent(share: f64) -> String {
    match share * 100.0 {
        x if x > 0.0 && x < 0.5 => "less than 1%".to_owned(),
        x => format!("{x:.0}%"),
    }
}
