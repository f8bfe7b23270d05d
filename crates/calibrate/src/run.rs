//! Rounds of measurements, so that each quantity is measured several times, minutes apart.

mod record;
mod share;
mod steady;

use crate::budget::Budget;
use crate::compile::Program;
use crate::process::{self, Ended, How};
use record::Record;
use share::Shares;
use std::fmt;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};
use steady::Medians;

/// Maximum number of rounds: enough to see a drift, and to keep one disturbed round out of the median.
const ROUNDS: u32 = 5;

/// Seconds of each measurement with `tiny`, which only shows that the kernel works.
const TINY: f64 = 0.01;

/// Additional time before a kernel counts as hanging. A working kernel may take long on a loaded machine, where its
/// threads wait for each other.
const GRACE: Duration = Duration::from_secs(300);

/// Receiver of the progress of measurements.
pub trait Watch {
    /// Called when a measurement begins.
    fn step(&self, step: &Measuring<'_>);
    /// True if the user has asked to stop.
    fn stopped(&self) -> bool;
}

/// Measurement that begins, with the progress of the run so far.
#[derive(Clone, Copy, Debug)]
pub struct Measuring<'a> {
    /// Number of the round, counted from 1.
    pub round: u32,
    /// Maximum number of rounds.
    pub rounds: u32,
    /// Number of measurements, over all rounds, that are done or no longer needed.
    pub done: usize,
    /// Number of planned measurements, multiplied by the maximum number of rounds.
    pub total: usize,
    /// Remaining time of the budget.
    pub left: Duration,
    /// Experiment and parameters of the measurement, as text.
    pub what: &'a str,
}

/// Result of all rounds of measurements.
#[derive(Clone, Debug, Default)]
pub struct KernelRun {
    /// File of measurements: JSON lines as the kernels wrote them.
    pub lines: String,
    /// Number of measurements that make sense on this machine.
    pub planned: usize,
    /// Number of planned measurements with a value.
    pub measured: usize,
    /// Number of complete rounds.
    pub rounds: u32,
    /// Planned measurements that this machine does not allow, each with the reason.
    pub impossible: Vec<(String, String)>,
    /// Planned measurements that failed, each with the reason. Failed measurements are not repeated.
    pub failed: Vec<(String, String)>,
    /// True if the user interrupted the run.
    pub stopped: bool,
}

/// Reason for which the program did not print a description of the machine, or did not print its plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunError {
    /// The program of the kernels cannot be started, for example in a folder without execute permission.
    CannotStart {
        program: PathBuf,
        /// Message of the system.
        reason: String,
    },
    /// The program of the kernels was started and failed.
    NoAnswer {
        /// Arguments of the program.
        asked: String,
        /// End of the program: its status, signal or time limit.
        reason: String,
    },
    /// The plan has no measurement of an experiment.
    NoExperiment {
        name: String,
        /// Experiments of the plan, in its order.
        planned: Vec<String>,
    },
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::CannotStart { program, reason } => {
                write!(f, "cannot run \"{}\": {reason}", program.display())
            }
            RunError::NoAnswer { asked, reason } => {
                write!(f, "the kernels do not answer \"{asked}\": {reason}")
            }
            RunError::NoExperiment { name, planned } => {
                write!(f, "no kernel measures \"{name}\" here; the experiments are {}", planned.join(", "))
            }
        }
    }
}

impl std::error::Error for RunError {}

/// Measurement of the plan, with its results so far.
struct Task {
    line: String,
    /// Medians by round, for each quantity that the measurement prints.
    medians: Vec<Medians>,
    /// True if the measurement is impossible or failed.
    given_up: bool,
}

/// Measures everything that the kernels plan on this machine. Every measurement is taken at least once, beyond the
/// budget if need be; in later rounds a measurement begins only while there is time. `tiny`: one round of short,
/// small measurements. `only`: experiments to measure; all if empty.
pub fn run(
    program: &Program,
    budget: Budget,
    tiny: bool,
    only: &[String],
    watch: &dyn Watch,
) -> Result<KernelRun, RunError> {
    let clock = Clock::start();
    let mut outcome = KernelRun { lines: ask(program, &["host"])?, ..KernelRun::default() };
    let plan = ask(program, if tiny { &["plan", "--tiny"] } else { &["plan"] })?;
    let plan: Vec<&str> = plan.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let mut tasks: Vec<Task> = chosen(&plan, only)?.into_iter().map(Task::new).collect();
    outcome.planned = tasks.len();
    let rounds = if tiny { 1 } else { ROUNDS };
    let total = tasks.len() * rounds as usize;
    let mut shares = Shares::default();
    'rounds: for round in 1..=rounds {
        for at in 0..tasks.len() {
            let open = |task: &&Task| task.is_open();
            let later = (rounds - round) as usize * tasks.iter().filter(open).count();
            let ahead = tasks[at..].iter().filter(open).count() + later;
            if !tasks[at].is_open() {
                continue;
            }
            let left = budget.0.saturating_sub(clock.elapsed());
            if watch.stopped() || round > 1 && left.is_zero() {
                break 'rounds;
            }
            watch.step(&Measuring { round, rounds, done: total - ahead, total, left, what: &tasks[at].line });
            let seconds = if tiny { TINY } else { shares.next(left, ahead) };
            let begin = clock.elapsed();
            let ended = measure(program, &tasks[at].line, seconds);
            shares.took(seconds, clock.elapsed() - begin);
            if watch.stopped() {
                // The signal that ends this program ends the kernel, too: the kernel did not fail.
                break 'rounds;
            }
            outcome.take(&mut tasks[at], ended);
        }
        outcome.rounds = round;
    }
    outcome.stopped = watch.stopped();
    outcome.measured = tasks.iter().filter(|task| !task.medians.is_empty()).count();
    Ok(outcome)
}

/// Lines of a plan that measure one of the experiments in `only`; all lines if it is empty.
fn chosen<'p>(plan: &[&'p str], only: &[String]) -> Result<Vec<&'p str>, RunError> {
    let experiment = |line: &&str| line.split_whitespace().next().unwrap_or_default().to_owned();
    if let Some(name) = only.iter().find(|name| plan.iter().all(|line| experiment(line) != **name)) {
        let mut planned: Vec<String> = plan.iter().map(experiment).collect();
        planned.dedup();
        return Err(RunError::NoExperiment { name: name.clone(), planned });
    }
    let is_chosen = |line: &&&str| only.is_empty() || only.contains(&experiment(line));
    Ok(plan.iter().filter(is_chosen).copied().collect())
}

impl Task {
    fn new(line: &str) -> Task {
        Task { line: line.to_owned(), medians: Vec::new(), given_up: false }
    }

    fn is_open(&self) -> bool {
        let steady = !self.medians.is_empty() && self.medians.iter().all(Medians::are_steady);
        !self.given_up && !steady
    }

    /// Stores the samples that one round measured of a quantity.
    fn add(&mut self, quantity: usize, samples: Vec<f64>) {
        if self.medians.len() <= quantity {
            self.medians.resize_with(quantity + 1, Medians::default);
        }
        self.medians[quantity].add(samples);
    }
}

impl KernelRun {
    /// Stores the output of a kernel, if all of it is sound.
    fn take(&mut self, task: &mut Task, ended: Result<Ended, String>) {
        let sound = |ended: Ended| match ended.how {
            How::Well => record::read(&ended.out).map(|records| (ended.out, records)),
            how => Err(why(how, &ended.err)),
        };
        let (text, records) = match ended.and_then(sound) {
            Ok(sound) => sound,
            Err(reason) => {
                task.given_up = true;
                self.failed.push((task.line.clone(), reason));
                return;
            }
        };
        let mut quantity = 0;
        for record in records {
            match record {
                Record::Measurement(values) => {
                    task.add(quantity, values);
                    quantity += 1;
                }
                Record::Skipped(reason) => {
                    task.given_up = true;
                    self.impossible.push((task.line.clone(), reason));
                }
                Record::Other => {}
            }
        }
        self.lines.push_str(&text);
    }
}

fn measure(program: &Program, line: &str, seconds: f64) -> Result<Ended, String> {
    let limit = Duration::from_secs_f64(10.0 * seconds) + GRACE;
    let mut command = Command::new(&program.path);
    command.args(line.split_whitespace()).arg(format!("seconds={seconds:.3}"));
    process::run(&mut command, limit).map_err(|error| error.to_string())
}

/// Output of the program for the arguments `words`: a description of the machine, or the plan.
fn ask(program: &Program, words: &[&str]) -> Result<String, RunError> {
    let mut command = Command::new(&program.path);
    let ended = process::run(command.args(words), GRACE).map_err(|error| RunError::CannotStart {
        program: program.path.clone(),
        reason: error.to_string(),
    })?;
    match ended.how {
        How::Well => Ok(ended.out),
        how => Err(RunError::NoAnswer { asked: words.join(" "), reason: why(how, &ended.err) }),
    }
}

fn why(how: How, said: &str) -> String {
    match process::first_error(said) {
        Some(line) => format!("{how}: {line}"),
        None => how.to_string(),
    }
}

/// Wall-clock time of the budget; no measured value depends on it.
struct Clock(Instant);

impl Clock {
    #[expect(
        clippy::disallowed_methods,
        reason = "the budget is a person's time; kernels have their own clock"
    )]
    fn start() -> Clock {
        Clock(Instant::now())
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_reduced_to_experiments() {
        let plan = ["chase from=0", "chase from=1", "stream threads=2", "lock"];
        let only = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            chosen(&plan, &names)
        };
        assert_eq!(only(&[]).unwrap(), plan);
        assert_eq!(only(&["lock", "chase"]).unwrap(), ["chase from=0", "chase from=1", "lock"]);
        let error = only(&["lock", "chose"]).unwrap_err().to_string();
        assert_eq!(error, "no kernel measures \"chose\" here; the experiments are chase, stream, lock");
    }
}
