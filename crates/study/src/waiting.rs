//! Spinning times that variables of the environment set, as values of the runtime file.

use numalab_base::Span;
use numalab_files::{Origin, Override};
use numalab_openmp::environment::{Limit, WaitPolicy, Waiting};
use numalab_runtime::profile::WaitVariables;

/// Spinning time without limit: longer than any run.
const UNLIMITED: &str = "1000000 s";
/// Spinning time of libgomp under the policy `active` if there are more threads than processors: 1000 turns.
const CROWDED_ACTIVE: Span = Span(10_000_000);
/// As `CROWDED_ACTIVE`, if there is no policy: 100 turns.
const CROWDED: Span = Span(1_000_000);

/// Overrides of a runtime that reads `variables`: the spinning time, and that of teams whose threads share
/// processors.
pub(crate) fn overrides(waiting: &Waiting, variables: WaitVariables) -> Vec<Override> {
    let of_policy = waiting.policy.map(|policy| match policy {
        WaitPolicy::Active => (Limit::Unlimited, Limit::Unlimited),
        WaitPolicy::Passive => (Limit::For(Span::ZERO), Limit::For(Span::ZERO)),
    });
    let limits = match variables {
        WaitVariables::None => of_policy,
        // A block time by hand holds with more threads than processors, too.
        WaitVariables::Llvm => waiting.blocktime.map(|limit| (limit, limit)).or(of_policy),
        WaitVariables::Gnu => {
            let crowded = match waiting.policy {
                Some(WaitPolicy::Active) => CROWDED_ACTIVE,
                Some(WaitPolicy::Passive) => Span::ZERO,
                None => CROWDED,
            };
            let spin = waiting.spincount.or(of_policy.map(|(spin, _)| spin));
            spin.map(|spin| (spin, Limit::For(at_most(crowded, spin))))
        }
    };
    let Some((spin, crowded)) = limits else { return Vec::new() };
    vec![value("wait.spin", spin), value("barrier.crowded_spin", crowded)]
}

/// Names of variables that are set, but that the runtime does not read.
pub fn unread(waiting: &Waiting, variables: WaitVariables) -> Vec<&'static str> {
    let blocktime = waiting.blocktime.filter(|_| variables != WaitVariables::Llvm).map(|_| "KMP_BLOCKTIME");
    let spincount = waiting.spincount.filter(|_| variables != WaitVariables::Gnu).map(|_| "GOMP_SPINCOUNT");
    blocktime.into_iter().chain(spincount).collect()
}

fn at_most(span: Span, limit: Limit) -> Span {
    match limit {
        Limit::For(limit) => span.min(limit),
        Limit::Unlimited => span,
    }
}

fn value(path: &str, limit: Limit) -> Override {
    let value = match limit {
        Limit::For(span) => format!("{} ps", span.0),
        Limit::Unlimited => UNLIMITED.to_owned(),
    };
    let original = format!("runtime.{path}={value}");
    Override { path: path.to_owned(), value, original, origin: Origin::Set }
}

#[cfg(test)]
mod tests {
    use super::*;
    use WaitVariables::{Gnu, Llvm};

    fn texts(variables: WaitVariables, all: &[(&str, &str)]) -> Vec<String> {
        let mut waiting = Waiting::default();
        all.iter().for_each(|(name, text)| waiting.take(name, text).unwrap());
        overrides(&waiting, variables).into_iter().map(|change| change.value).collect()
    }

    /// Spinning times as libomp and libgomp compute them from their variables.
    #[test]
    fn variables_of_the_runtime_set_spinning_times() {
        let (policy, block, count) = ("OMP_WAIT_POLICY", "KMP_BLOCKTIME", "GOMP_SPINCOUNT");
        let (ever, zero) = (UNLIMITED, "0 ps");
        for (variables, all, expected) in [
            (Llvm, &[(policy, "active")][..], &[ever, ever][..]),
            (Llvm, &[(policy, "passive")], &[zero, zero]),
            (Llvm, &[(policy, "passive"), (block, "1")], &["1000000000 ps", "1000000000 ps"]),
            (Llvm, &[(count, "5")], &[]),
            (Gnu, &[(policy, "active")], &[ever, "10000000 ps"]),
            (Gnu, &[(policy, "passive")], &[zero, zero]),
            (Gnu, &[(count, "300000")], &["3000000000 ps", "1000000 ps"]),
            // 50 turns are shorter than those of a crowded team.
            (Gnu, &[(count, "50")], &["500000 ps", "500000 ps"]),
            (Gnu, &[(count, "infinite"), (policy, "active")], &[ever, "10000000 ps"]),
            (Gnu, &[(block, "0")], &[]),
            (WaitVariables::None, &[(policy, "passive"), (block, "1"), (count, "1")], &[zero, zero]),
        ] {
            assert_eq!(texts(variables, all), expected, "{variables:?} {all:?}");
        }
    }

    #[test]
    fn variables_of_other_runtimes_are_unread() {
        let mut waiting = Waiting::default();
        for (name, text) in [("KMP_BLOCKTIME", "1"), ("GOMP_SPINCOUNT", "1"), ("OMP_WAIT_POLICY", "active")] {
            waiting.take(name, text).unwrap();
        }
        assert_eq!(unread(&waiting, Gnu), ["KMP_BLOCKTIME"]);
        assert_eq!(unread(&waiting, Llvm), ["GOMP_SPINCOUNT"]);
        assert_eq!(unread(&waiting, WaitVariables::None), ["KMP_BLOCKTIME", "GOMP_SPINCOUNT"]);
    }
}
