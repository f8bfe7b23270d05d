//! Random cases by seed, and the known cases of the folder `cases`.

use crate::chance::Chance;
use crate::judge::{Verdict, failure, judge};
use crate::law::{Law, Promise, named};
use crate::machine::machine;
use crate::run::Question;
use crate::workload::{Kind, workload};
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// A law and the question that it is tried on.
pub struct Case {
    pub law: &'static Law,
    pub question: Question,
}

impl Case {
    /// Name of case `number` of a seed, also of its files.
    pub fn name(&self, seed: u64, number: u64) -> String {
        format!("{}-{seed}-{number}", self.law.name)
    }
}

/// Case `number` of a seed, with one of some laws.
pub fn case(seed: u64, number: u64, laws: &'static [Law]) -> Case {
    let mut chance = Chance::of(seed, number);
    // Neighbouring states have related first numbers.
    let mut chance = Chance((chance.below(usize::MAX) as u64).rotate_left(32));
    let law = &laws[chance.below(laws.len())];
    let machine = machine(&mut chance);
    let kind = chance.pick(&[Kind::Loop, Kind::Loop, Kind::Loop, Kind::Tasks, Kind::Construct]);
    let workload = workload(&mut chance, kind);
    let all = machine.processors.min(machine.cores * 2);
    let threads = match chance.below(4) {
        0 => 1,
        1 => machine.cores,
        2 => 1 + chance.below(machine.cores),
        _ => all,
    };
    let policy = match kind {
        Kind::Loop => chance.pick(&[
            "static",
            "static",
            "static",
            "dynamic",
            "guided",
            "numa-steal:nearest",
            "dynamic,4",
        ]),
        Kind::Tasks => {
            chance.pick(&["tasks:central", "tasks:thread-local", "tasks:hierarchical", "tasks:locality"])
        }
        Kind::Construct => "static",
    };
    let (policy, threads) = (policy.to_owned(), threads as u32);
    let spread = law.promise == Promise::Same && chance.odds(1, 2);
    Case { law, question: Question { machine: machine.text, workload, policy, threads, spread } }
}

/// Verdicts of the first `count` cases of a seed, in order, on all processors.
pub fn judge_all(seed: u64, count: u64, laws: &'static [Law]) -> Vec<(u64, Case, Result<Verdict, String>)> {
    let (next, judged) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        break;
                    }
                    let case = case(seed, number, laws);
                    let verdict = catch_unwind(|| judge(case.law, &case.question));
                    let verdict = verdict.unwrap_or_else(|_| Err("a panic".to_owned()));
                    judged
                        .lock()
                        .unwrap_or_else(|poisoned| poisoned.into_inner())
                        .push((number, case, verdict));
                }
            });
        }
    });
    let mut judged = judged.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    judged.sort_by_key(|(number, _, _)| *number);
    judged
}

/// A case of the folder `cases`.
pub struct Known {
    pub name: String,
    pub case: Case,
    /// Physical reason why the law does not hold; empty if it holds.
    pub reason: String,
}

impl Known {
    /// Judges the case. Returns true if it breaks its law just if it has a reason, and what came out.
    pub fn judge(&self) -> (bool, String) {
        let verdict = judge(self.case.law, &self.case.question);
        let failure = failure(&verdict);
        let expected = failure.is_none() == self.reason.is_empty() && verdict.is_ok();
        (expected, failure.unwrap_or_else(|| "holds".to_owned()))
    }
}

/// All rows of `cases.txt`: name, law, policy, threads (with `spread`: apart) and perhaps a reason, separated by bars.
pub fn known(folder: &Path) -> Vec<Known> {
    let text = |name: String| {
        fs::read_to_string(folder.join(&name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let row = |line: &str| {
        let mut cells = line.split('|').map(str::trim);
        let mut cell = || cells.next().unwrap_or_default().to_owned();
        let (name, law, policy, threads, reason) = (cell(), cell(), cell(), cell(), cell());
        let mut words = threads.split_whitespace();
        let count = words.next().unwrap_or_default();
        let question = Question {
            machine: text(format!("{name}.toml")),
            workload: text(format!("{name}.yaml")),
            policy,
            threads: count.parse().unwrap_or_else(|_| panic!("{name} has {threads} threads")),
            spread: words.next() == Some("spread"),
        };
        let law = named(&law).unwrap_or_else(|| panic!("{law} is no law"));
        Known { name, case: Case { law, question }, reason }
    };
    text("cases.txt".to_owned())
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(row)
        .collect()
}

/// Folder of the known cases.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("cases")
}
