//! Counts the work of the engine in fixed runs. A change that adds work is seen on any machine, however loaded.
//! `golden.txt` holds the counts; see CONTRIBUTING.md for how they change.
//!
//! `counted` counts the everyday runs, `counted --large` the large ones, `counted NAME ...` the named ones.
//! `counted --kinds` compares the work per event of a sample of all kinds of questions with `outliers.txt`;
//! `counted --matrix [WORDS]` lists all kinds, or those whose names contain the words.
//!
//! | file | topic |
//! |---|---|
//! | `main` | command line; runs each in a process of its own |
//! | `runs` | the runs |
//! | `count` | counts of one run |
//! | `golden` | known counts, and the comparison with them |
//! | `matrix` | work per event of each kind of question |

mod count;
mod golden;
mod matrix;
mod runs;

use count::Counts;
use runs::{RUNS, Run, Size};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, thread};

/// Flag of a child process that executes a single run.
const ALONE: &str = "--alone";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let asked: Vec<&Run> = match &arguments[..] {
        [] => RUNS.iter().filter(|run| run.size == Size::Everyday).collect(),
        [large] if large == "--large" => RUNS.iter().filter(|run| run.size == Size::Large).collect(),
        [kinds] if kinds == "--kinds" => {
            let failures = matrix::check();
            failures.iter().for_each(|failure| eprintln!("\n{failure}"));
            return if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        }
        [whole, words @ ..] if whole == "--matrix" => {
            matrix::list(&words.join(" "));
            return ExitCode::SUCCESS;
        }
        [alone, name] if alone == ALONE => {
            let Some(run) = named(name) else { return ExitCode::FAILURE };
            println!("{}", count::count(run).map(|count| count.to_string()).join(" "));
            return ExitCode::SUCCESS;
        }
        names => match names.iter().map(|name| named(name).ok_or(name)).collect::<Result<_, _>>() {
            Ok(runs) => runs,
            Err(name) => {
                let known: Vec<&str> = RUNS.iter().map(|run| run.name).collect();
                eprintln!("there is no run {name}; expected --large or one of {}", known.join(", "));
                return ExitCode::FAILURE;
            }
        },
    };
    let counted = all(&asked);
    let failures = golden::check(&counted);
    failures.iter().for_each(|failure| eprintln!("\n{failure}"));
    println!(
        "\n{} of {} runs count what they counted",
        asked.len().saturating_sub(failures.len()),
        asked.len()
    );
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn named(name: &str) -> Option<&'static Run> {
    RUNS.iter().find(|run| run.name == name)
}

/// Counts of some runs, or reasons for failures. Runs are distributed over all processors.
fn all(runs: &[&Run]) -> Vec<(&'static str, Result<Counts, String>)> {
    let (next, counted) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(run) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let counts = in_a_process(run.name);
                    println!("{} {}", run.name, if counts.is_ok() { "counted" } else { "failed" });
                    counted.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((run.name, counts));
                }
            });
        }
    });
    counted.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Counts of one run, measured in a child process.
fn in_a_process(name: &str) -> Result<Counts, String> {
    let program = env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(program).args([ALONE, name]).output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let counts: Option<Vec<u64>> = text.split_whitespace().map(|count| count.parse().ok()).collect();
    counts.and_then(|counts| counts.try_into().ok()).ok_or_else(|| {
        format!("ended without counts ({}): {}", output.status, String::from_utf8_lossy(&output.stderr))
    })
}
