//! Laws on a few hundred random cases, and on the cases that once broke one.

mod cases;
mod chance;
mod judge;
mod law;
mod machine;
mod run;
mod workload;

use cases::{case, folder, judge_all, known};
use judge::{Verdict, judge};

/// Law: A better machine or less work makes no run slower, and a run takes twice as long if all times do.
#[test]
fn laws_hold_on_random_cases() {
    let judged = judge_all(18, 300, None);
    let tried = judged.iter().filter(|(_, _, verdict)| !matches!(verdict, Ok(Verdict::Unchanged))).count();
    assert!(tried > 200, "only {tried} cases were tried");
    let broken: Vec<String> = judged
        .iter()
        .filter(|(_, _, verdict)| !matches!(verdict, Ok(Verdict::Holds | Verdict::Unchanged)))
        .map(|(number, case, verdict)| format!("{number} {} {:?}", case.law.name, verdict))
        .collect();
    assert!(broken.is_empty(), "{}\nlaws --seed 18 --cases 300 writes their files", broken.join("\n"));
}

/// Law: A case that breaks a law has a physical reason.
#[test]
fn known_cases_hold_or_have_a_reason() {
    let mut wrong = Vec::new();
    for known in known(&folder()) {
        let verdict = judge(known.case.law, &known.case.question);
        let holds = matches!(verdict, Ok(Verdict::Holds | Verdict::Unchanged));
        if holds != known.reason.is_empty() || verdict.is_err() {
            wrong.push(format!("{}: {verdict:?}, reason `{}`", known.name, known.reason));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_seed_gives_the_same_cases() {
    let texts = |seed| (0..20).map(|number| case(seed, number, None).question.machine).collect::<Vec<_>>();
    assert_eq!(texts(7), texts(7));
    assert_ne!(texts(7), texts(8));
}
