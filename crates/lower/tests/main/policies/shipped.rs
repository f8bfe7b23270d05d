//! The built-in schedules said as files.

use super::{Row, answers, policy};
use numalab_files::{Kind, lookup};
use proptest::prelude::*;

/// A built-in schedule and its file, both with the chunk `c`.
const PAIRS: [(&str, &str); 8] = [
    ("static", "policies/static.yaml"),
    ("static,c", "static-cyclic,c"),
    ("dynamic,c", "policies/dynamic.yaml,c"),
    ("dynamic", "policies/dynamic.yaml"),
    ("guided,c", "policies/guided.yaml,c"),
    ("numa-steal:random", "steal-random"),
    ("numa-steal:nearest", "steal-nearest"),
    ("numa-steal:most-loaded", "steal-most-loaded"),
];

/// Path of a shipped file from this crate's folder.
fn from_here(file: &str) -> String {
    file.replace("policies/", "../../policies/")
}

proptest! {
    /// Law: A file that says what a built-in schedule does gives the same answers to all requests.
    #[test]
    fn files_equal_the_schedules_that_they_describe(
        at in 0..PAIRS.len(),
        chunk in 1u64..40,
        iterations in 0u64..400,
        threads in 1u32..24,
        per_domain in 1u32..6,
        seed: u64,
        order in prop::collection::vec(0u32..24, 1..60),
    ) {
        let (built_in, file) = PAIRS[at];
        let row = Row { threads, per_domain };
        let with = |name: &str| policy(&name.replace(",c", &format!(",{chunk}"))).unwrap();
        let (built_in, file) = (with(built_in), with(&from_here(file)));
        prop_assert!(built_in.file().is_none() && file.file().is_some());
        let wanted = answers(built_in, iterations, &row, seed, &order);
        prop_assert_eq!(wanted, answers(file, iterations, &row, seed, &order));
    }

    #[test]
    fn shipped_policies_execute_each_iteration_once(
        at in any::<prop::sample::Index>(),
        iterations in 0u64..700,
        threads in 1u32..24,
        seed: u64,
        order in prop::collection::vec(0u32..24, 1..60),
    ) {
        let names = lookup::names(Kind::Policy);
        let name = &names[at.index(names.len())];
        let row = Row { threads, per_domain: 4 };
        let mut times = vec![0; iterations as usize];
        let file = policy(&format!("../../policies/{name}.yaml")).unwrap();
        for (_, answer) in answers(file, iterations, &row, seed, &order) {
            if let Ok((chunk, _)) = answer {
                chunk.for_each(|i| times[i as usize] += 1);
            }
        }
        prop_assert!(times.iter().all(|times| *times == 1), "{}", name);
    }
}

#[test]
fn names_are_spelled_as_in_the_runtimes() {
    for (name, expected) in [
        ("TSS", "tss"),
        ("fac2a", "fac2"),
        ("AWF_B", "awf-b"),
        ("static-steal", "static_steal"),
        ("trapezoidal,4", "trapezoidal,4"),
        ("nonmonotonic:dynamic,4", "dynamic,4"),
        ("monotonic:guided", "guided"),
        ("wf", "wf2"),
    ] {
        assert_eq!(policy(name).unwrap().to_string(), expected);
    }
    assert!(policy("tss,0").unwrap_err().contains("at least 1"));
    assert!(policy("steal-random,4").unwrap_err().contains("takes no chunk"));
}
