//! Random policy files: what is accepted ends, and executes each iteration once.

use super::{Row, answers, policy};
use numalab_files::{HeldText, Kind};
use proptest::prelude::*;

/// Random expressions of the names that a policy may use, some of them wild: no number, negative, infinite.
fn expressions() -> impl Strategy<Value = String> {
    const NAMES: [&str; 15] = [
        "N",
        "P",
        "R",
        "i",
        "batch",
        "batch_rest",
        "chunk",
        "thread",
        "seed",
        "step",
        "mu",
        "sigma",
        "h",
        "my_mu",
        "named",
    ];
    let leaf = prop_oneof![
        3 => prop::sample::select(&NAMES[..]).prop_map(str::to_owned),
        1 => prop::sample::select(&["0", "1", "2.5", "1000000", "-3"][..]).prop_map(str::to_owned),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            (inner.clone(), prop::sample::select(&["+", "-", "*", "/", "%", "^"][..]), inner.clone())
                .prop_map(|(a, sign, b)| format!("({a} {sign} {b})")),
            (prop::sample::select(&["ceil", "floor", "sqrt", "ln", "abs"][..]), inner.clone())
                .prop_map(|(name, of)| format!("{name}({of})")),
            (inner.clone(), inner.clone(), inner)
                .prop_map(|(a, b, c)| format!("if({a} > {b}, {c}, random({a}, {b}))")),
        ]
    })
}

fn steps() -> impl Strategy<Value = String> {
    let within = prop::sample::select(&["node", "socket", "board", "machine"][..]);
    let order = prop::sample::select(&["last", "next", "nearest", "random", "most-loaded"][..]);
    let tries = prop::option::of(1u32..6);
    (within, order, tries, any::<bool>()).prop_map(|(within, order, tries, loaded)| {
        let tries = tries.map_or(String::new(), |tries| format!(", tries: {tries}"));
        format!("    - {{ within: {within}, order: {order}, loaded_only: {loaded}{tries} }}\n")
    })
}

fn files() -> impl Strategy<Value = String> {
    let firsts = prop::sample::select(&["shared", "even", "even", "cyclic", "part"][..]);
    let steal = (
        prop::collection::vec(steps(), 1..4),
        expressions(),
        1u64..4,
        prop::sample::select(&["back", "front"][..]),
        any::<bool>(),
        1u32..4,
    );
    let units = prop::sample::select(&["1", "chunk", "3", "P", "0"][..]);
    (firsts, expressions(), expressions(), expressions(), units, prop::option::of(steal)).prop_map(
        |(first, take, named, part, unit, steal)| {
            let mut text = format!("name: random\nfirst: {first}\nchunk: 2\nunit: {unit}\nmeasures: {{ update: chunk }}\n");
            text += &format!("let: {{ named: \"{}\" }}\n", named.replace("named", "N"));
            match first {
                "part" => text += &format!("part: \"{part}\"\ntake: \"{take}\"\n"),
                "cyclic" => {}
                _ => text += &format!("take: \"{take}\"\n"),
            }
            if let (Some((search, amount, least, end, keeps, rounds)), "even") = (steal, first) {
                text += &format!(
                    "steal:\n  amount: \"{amount}\"\n  least: {least}\n  end: {end}\n  keeps: {keeps}\n  rounds: {rounds}\n  \
                     wait: 1 us\n  search:\n{}",
                    search.concat()
                );
            }
            text
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 20_000, ..ProptestConfig::default() })]

    /// Law: Under every policy file that is accepted each iteration is executed once, and the loop ends.
    #[test]
    fn accepted_files_execute_each_iteration_once(
        text in files(),
        iterations in 0u64..200,
        threads in 1u32..12,
        per_domain in 1u32..5,
        seed: u64,
        order in prop::collection::vec(0u32..12, 1..40),
    ) {
        let held = HeldText::new(Kind::Policy, "random file", &text);
        let read = policy(held.name());
        prop_assume!(read.is_ok());
        let row = Row { threads, per_domain };
        let mut times = vec![0; iterations as usize];
        for (thread, answer) in answers(read.unwrap(), iterations, &row, seed, &order) {
            let Ok((chunk, source)) = answer else { continue };
            prop_assert!(!chunk.is_empty(), "{} for {}", text, thread);
            if let numalab_openmp::IterationSource::Victim { thread: victim, .. } = source {
                prop_assert_ne!(victim.number(), thread);
            }
            chunk.for_each(|i| times[i as usize] += 1);
        }
        prop_assert!(times.iter().all(|times| *times == 1), "{} {:?}", text, times);
    }
}

#[test]
fn mistakes_have_their_lines() {
    let wrong = |text: &str| {
        let held = HeldText::new(Kind::Policy, "wrong.yaml", &format!("name: w\n{text}\n"));
        match numalab_files::schedule(held.name()) {
            Err(numalab_files::PolicyError::File(wrong)) => wrong.render(false),
            Err(numalab_files::PolicyError::Name(error)) => panic!("{error}"),
            Ok(_) => panic!("{text} is accepted"),
        }
    };
    for (text, expected) in [
        ("first: shared", "`take: EXPRESSION`"),
        ("first: shared\ntake: Q", "unknown name `Q`"),
        ("first: shared\ntake: R / P\ncounter: fetch-and-add", "fetch-and-add does not tell"),
        ("first: shared\ntake: a\nlet: { a: b, b: a }", "uses itself"),
        ("first: shared\ntake: mu", "nothing is measured"),
        ("first: cyclic\ntake: 3", "one at a time"),
        ("first: even\ncounter: fetch-and-add", "nothing is in a shared counter"),
        ("first: shared\ntake: 1\nsteal: { search: [{ order: next }] }", "expected `first: even`"),
        ("first: even\nsteal: { search: [{ order: nxet }] }", "did you mean `next`?"),
        ("first: part\ntake: 1", "`part: EXPRESSION`"),
        ("first: part\npart: R\ntake: 1", "needed before the loop starts"),
        ("first: even\nunit: i", "needed before the loop starts"),
    ] {
        let message = wrong(text);
        assert!(message.contains(expected) && message.contains("wrong.yaml:"), "{text}\n{message}");
    }
}
