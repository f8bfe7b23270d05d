//! Tries laws on random machines and workloads. Prints each case that breaks one, and writes its files:
//!
//!     cargo run --release --bin laws -- --seed 1 --cases 1000 [--law NAME] [--keep FOLDER]
//!     cargo run --release --bin laws -- --known
//!
//! The same seed gives the same cases. Without a name as many cases of the laws of idle units follow. `--known` judges
//! the cases of the folder `cases`.
//!
//! | file | topic |
//! |---|---|
//! | `main` | command line; files of broken cases |
//! | `chance` | random choices, as of the fuzzer |
//! | `machine` | random machine files |
//! | `workload` | random workload files |
//! | `law` | the laws |
//! | `idle` | the laws of idle units |
//! | `binding` | hardware threads of the team |
//! | `run` | runs of a case |
//! | `judge` | verdicts |
//! | `cases` | random and known cases |

mod binding;
mod cases;
#[path = "../chance.rs"]
mod chance;
mod idle;
mod judge;
mod law;
mod machine;
mod run;
mod workload;

use cases::{Case, folder, judge_all, known};
use idle::IDLE;
use judge::{Verdict, failure, kind};
use law::{LAWS, Law, named};
use run::Question;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io, slice};

const USAGE: &str = "usage: laws [--seed N] [--cases K] [--law NAME] [--keep FOLDER], or laws --known";

/// Values of the command line.
struct Asked {
    seed: u64,
    cases: u64,
    law: Option<&'static Law>,
    keep: PathBuf,
    known: bool,
}

fn asked() -> Result<Asked, String> {
    let keep = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/laws");
    let mut asked = Asked { seed: 1, cases: 1000, law: None, keep, known: false };
    let mut words = env::args().skip(1);
    while let Some(flag) = words.next() {
        if flag == "--known" {
            asked.known = true;
            continue;
        }
        let value = words.next().ok_or_else(|| format!("a value is missing after {flag}\n{USAGE}"))?;
        let number = || value.parse().map_err(|_| format!("{flag} {value} is no whole number\n{USAGE}"));
        match flag.as_str() {
            "--seed" => asked.seed = number()?,
            "--cases" => asked.cases = number()?,
            "--keep" => asked.keep = PathBuf::from(value),
            "--law" => {
                let names = || LAWS.iter().chain(IDLE).map(|law| law.name).collect::<Vec<_>>().join(", ");
                let law =
                    named(&value).ok_or_else(|| format!("{value} is no law; expected one of {}", names()))?;
                asked.law = Some(law);
            }
            _ => return Err(format!("{flag} is unknown\n{USAGE}")),
        }
    }
    Ok(asked)
}

fn main() -> ExitCode {
    let asked = match asked() {
        Ok(asked) => asked,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    if asked.known {
        return judge_known();
    }
    let (mut broken, mut tried) = (0, 0_u64);
    let laws = asked.law.map_or(vec![LAWS, IDLE], |law| vec![slice::from_ref(law)]);
    let judged = laws.into_iter().flat_map(|laws| judge_all(asked.seed, asked.cases, laws));
    for (number, case, verdict) in judged {
        if matches!(verdict, Ok(Verdict::Unchanged)) {
            continue;
        }
        tried += 1;
        let Some(message) = failure(&verdict) else { continue };
        broken += 1;
        let line = line(&case, &message);
        println!("{number}: {line}");
        if let Err(error) = write(&asked.keep, &case.name(asked.seed, number), &case, &line) {
            eprintln!("{}: {error}", asked.keep.display());
            return ExitCode::FAILURE;
        }
    }
    println!("{tried} cases tried, {broken} broken");
    if broken == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn line(case: &Case, message: &str) -> String {
    let Case { law, question } = case;
    format!(
        "{} {} -t {} {:?}: {message}",
        law.name,
        question.policy,
        team(question),
        kind(&question.workload)
    )
}

/// Size of the team, and its binding, as in `cases.txt`.
fn team(question: &Question) -> String {
    format!("{}{}", question.threads, if question.spread { " spread" } else { "" })
}

/// Writes the files of a broken case.
fn write(folder: &Path, name: &str, case: &Case, line: &str) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join(format!("{name}.toml")), &case.question.machine)?;
    fs::write(folder.join(format!("{name}.yaml")), &case.question.workload)?;
    let row = format!("{name} | {} | {} | {} |", case.law.name, case.question.policy, team(&case.question));
    fs::write(folder.join(format!("{name}.txt")), format!("# {line}\n{row}\n"))
}

fn judge_known() -> ExitCode {
    let mut wrong = 0;
    for known in known(&folder()) {
        let (expected, message) = known.judge();
        wrong += u32::from(!expected);
        let mark = if expected { "" } else { "UNEXPECTED " };
        println!("{mark}{}: {}", known.name, line(&known.case, &message));
    }
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
