//! Methods that learn the schedule of a loop while a program runs, one schedule per time step.
//!
//! Parameters are the defaults of LB4OMP, a public OpenMP runtime that has these methods (its
//! `kmp_dispatch.cpp` and `reinforcement-learning/agents/defaults.h`).
//!
//! | file | method |
//! |---|---|
//! | `random` | a schedule at random, the likelier the larger the imbalance |
//! | `exhaustive` | each schedule once, then the fastest |
//! | `expert` | fuzzy rules over time, imbalance and their changes |
//! | `table` | Q-learning and SARSA over a table of state and action |

mod exhaustive;
mod expert;
mod random;
mod table;

use super::SAME;
use super::measured::LoopTime;
use numalab_des::{Domain, Streams};
use numalab_results::Learner;

/// Method that chooses a schedule for each time step. Schedules are numbers of candidates.
trait Method {
    fn name(&self) -> &'static str;

    /// Number of time steps in which candidates are tried on purpose.
    fn exploration(&self) -> u64;

    /// Candidate for the next time step, after one with candidate `last` took `time`.
    fn next(&mut self, last: usize, time: LoopTime) -> usize;
}

/// A schedule that methods choose.
pub(super) struct Candidate {
    /// The schedule, as typed.
    pub name: String,
    /// Times of one step, which recur in this order.
    pub steps: Vec<LoopTime>,
}

impl Candidate {
    fn at(&self, step: u64) -> LoopTime {
        self.steps[(step % self.steps.len() as u64) as usize]
    }

    fn mean(&self) -> f64 {
        self.steps.iter().map(|time| time.time_ps as f64).sum::<f64>() / self.steps.len() as f64
    }
}

/// Simulates each method over [`Learner::STEPS`] time steps. Empty for fewer than two candidates. `present`: schedule
/// that the loop keeps without a method.
pub(super) fn learners(candidates: &[Candidate], present: &Candidate, seed: u64) -> Vec<Learner> {
    let number = candidates.len();
    if number < 2 || candidates.iter().chain([present]).any(|one| one.steps.is_empty() || one.mean() <= 0.0) {
        return Vec::new();
    }
    let stream = Streams::new(seed).stream(Domain::Learning, 0);
    let methods: [Box<dyn Method>; 5] = [
        Box::new(random::Random::new(number, stream)),
        Box::new(exhaustive::Exhaustive::new(number)),
        Box::new(expert::Expert::new(number)),
        Box::new(table::Table::new(table::Rule::QLearning, number)),
        Box::new(table::Table::new(table::Rule::Sarsa, number)),
    ];
    methods.into_iter().map(|method| learner(method, candidates, present)).collect()
}

/// Simulates one method, which begins with the first candidate.
fn learner(mut method: Box<dyn Method>, candidates: &[Candidate], present: &Candidate) -> Learner {
    let best = candidates.iter().map(Candidate::mean).fold(f64::INFINITY, f64::min);
    // A schedule that is not better pays for nothing.
    let is_worth = best < present.mean() * (1.0 - SAME);
    let (mut chosen, mut spent, mut kept) = (0, 0.0, 0.0);
    // Time steps after which the method is ahead and stays so.
    let mut pays_after = None;
    let mut late = vec![0u64; candidates.len()];
    for step in 0..Learner::STEPS {
        let time = candidates[chosen].at(step);
        spent += time.time_ps as f64;
        kept += present.at(step).time_ps as f64;
        pays_after = if is_worth && spent < kept { pays_after.or(Some(step + 1)) } else { None };
        if step >= Learner::STEPS - Learner::STEPS / 10 {
            late[chosen] += 1;
        }
        chosen = method.next(chosen, time);
    }
    let most = late.iter().copied().max().unwrap_or(0);
    let settles = late.iter().position(|count| *count == most).unwrap_or(0);
    Learner {
        name: method.name().to_owned(),
        candidates: candidates.iter().map(|one| one.name.clone()).collect(),
        exploration: method.exploration(),
        lost_steps: spent / best - Learner::STEPS as f64,
        settles: candidates[settles].name.clone(),
        pays_after,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn candidate(name: &str, times: &[u64], imbalance: f64) -> Candidate {
        let time = |time_ps: &u64| LoopTime { time_ps: *time_ps, imbalance };
        Candidate { name: name.to_owned(), steps: times.iter().map(time).collect() }
    }

    fn of<'a>(all: &'a [Learner], name: &str) -> &'a Learner {
        all.iter().find(|learner| learner.name == name).unwrap()
    }

    // Steps of 100, 80, 50 and 60 for ever; the program keeps the first. Trying all four once costs 290, 40 less than
    // keeping 100 would: the first step of the three is equal, so the method is ahead after step 2. It loses 290 - 4 x
    // 50 = 90 beside the best, 1.8 steps of 50.
    #[test]
    fn exhaustive_search_costs_each_schedule_once() {
        let all = [100, 80, 50, 60].map(|time| candidate(&time.to_string(), &[time], 0.2));
        let found = learners(&all, &candidate("kept", &[100], 0.2), 0);
        let exhaustive = of(&found, "exhaustive");
        assert_eq!((exhaustive.exploration, exhaustive.pays_after), (4, Some(2)));
        assert_eq!(exhaustive.settles, "50");
        assert!((exhaustive.lost_steps - 1.8).abs() < 1e-9, "{}", exhaustive.lost_steps);
    }

    // The program keeps the best, 50: nothing can pay.
    #[test]
    fn learning_never_pays_beside_the_best() {
        let all = [100, 80, 50, 60].map(|time| candidate(&time.to_string(), &[time], 0.2));
        for learner in learners(&all, &candidate("kept", &[50], 0.2), 0) {
            assert_eq!(learner.pays_after, None, "{}", learner.name);
            assert!(learner.lost_steps > 0.0, "{}", learner.name);
        }
    }

    // With 4 schedules a table has 16 entries, each of which is tried: 4 times (100 + 80 + 50 + 60), 4 x 290 - 16 x 50 =
    // 360 or 7.2 steps lost at least. Values then take some steps to settle.
    #[test]
    fn a_table_tries_each_schedule_after_each() {
        let all = [100, 80, 50, 60].map(|time| candidate(&time.to_string(), &[time], 0.2));
        let found = learners(&all, &candidate("kept", &[100], 0.2), 0);
        for name in ["Q-learning", "SARSA"] {
            let table = of(&found, name);
            assert_eq!(table.exploration, 16, "{name}");
            assert_eq!(table.settles, "50", "{name}");
            assert!((7.2..20.0).contains(&table.lost_steps), "{name} {}", table.lost_steps);
        }
    }

    #[test]
    fn one_schedule_needs_no_method() {
        assert!(learners(&[candidate("a", &[1], 0.0)], &candidate("a", &[1], 0.0), 0).is_empty());
    }
}
