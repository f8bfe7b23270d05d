//! Laws on random cases, and on the cases that once broke one.

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

use cases::{case, folder, judge_all, known};
use idle::IDLE;
use judge::{Verdict, failure};
use law::{LAWS, Law};

/// Seed of the random cases. Those that break a law are in the folder `cases`, each with its reason.
const SEED: u64 = 18;

/// Judges random cases of some laws, at least seven of ten of which the laws must speak of.
fn hold(cases: u64, laws: &'static [Law]) {
    let known: Vec<String> = known(&folder()).into_iter().map(|known| known.name).collect();
    let mut tried = 0;
    let mut broken = Vec::new();
    for (number, case, verdict) in judge_all(SEED, cases, laws) {
        tried += u64::from(!matches!(verdict, Ok(Verdict::Unchanged)));
        let name = case.name(SEED, number);
        if let Some(failure) = failure(&verdict).filter(|_| !known.contains(&name)) {
            broken.push(format!("{name}: {failure}"));
        }
    }
    assert!(10 * tried > 7 * cases, "only {tried} cases were tried");
    let advice = format!("laws --seed {SEED} --cases {cases} writes their files");
    assert!(broken.is_empty(), "{}\n{advice}", broken.join("\n"));
}

/// Law: A better machine or less work makes no run slower, and a run takes twice as long if all times do.
#[test]
fn laws_hold_on_random_cases() {
    hold(1000, LAWS);
}

/// Law: Units that no thread uses and no page is on change nothing in a run.
#[test]
fn idle_units_change_nothing() {
    hold(500, IDLE);
}

/// Law: A case that breaks a law has a physical reason.
#[test]
fn known_cases_hold_or_have_a_reason() {
    let mut wrong = Vec::new();
    for known in known(&folder()) {
        let (expected, times) = known.judge();
        if !expected {
            wrong.push(format!("{}: {times}, reason `{}`", known.name, known.reason));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_seed_gives_the_same_cases() {
    let texts = |seed| (0..20).map(|number| case(seed, number, LAWS).question.machine).collect::<Vec<_>>();
    assert_eq!(texts(7), texts(7));
    assert_ne!(texts(7), texts(8));
}
