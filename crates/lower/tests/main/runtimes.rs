//! Runtime files: shipped files load, written files read back, and wrong files are reported.

use crate::support::{FACTS, Scratch, assert_shows};
use numalab_base::{Span, ValueOrigin, ValueOrigins};
use numalab_files::{parse_overrides, runtime_text};
use numalab_lower::{runtime, workload};
use numalab_runtime::Profile;
use numalab_runtime::profile::{
    Barrier, BarrierKind, BarrierProfile, Fork, LockProfile, Nested, Reduction, TaskProfile, TeamThreads,
    WaitProfile, WaitVariables, Worksharing,
};
use numalab_workload::{LockKind, PlaceRules, QueueKind, Schedule};
use proptest::prelude::*;
use proptest::sample::select;

const PLAIN: &str = include_str!("../../../../runtimes/plain.toml");

fn read(text: &str, set: &[&str]) -> Result<Profile, String> {
    let set: Vec<String> = set.iter().map(|text| (*text).to_owned()).collect();
    let scratch = Scratch::new();
    let path = scratch.write("r.toml", text);
    let path = path.to_str().unwrap();
    let set = parse_overrides(&set).map_err(|error| error.to_string())?.runtime;
    let loaded = runtime(path, &set).map_err(|error| error.to_string().replace(path, "FILE"))?;
    Ok(loaded.value)
}

/// Error of the plain runtime's file with one text replaced by another.
#[track_caller]
fn wrong(from: &str, to: &str) -> String {
    assert!(PLAIN.contains(from), "{from}");
    read(&PLAIN.replacen(from, to, 1), &[]).unwrap_err()
}

#[test]
fn the_plain_and_the_free_one_are_those_of_the_simulator() {
    for (name, known) in [("plain", Profile::default()), ("free.toml", Profile::free())] {
        // Values of files have origins of their own.
        let origins = known.origins.clone();
        assert_eq!(Profile { origins, ..runtime(name, &[]).unwrap().value }, known);
    }
}

#[test]
fn the_families_have_their_algorithms() {
    for name in ["intel-14", "clang-3.7", "llvm"] {
        let Profile { fork, barrier, tasks, .. } = runtime(name, &[]).unwrap().value;
        let hypercube = Barrier::Hypercube { branching: 4 };
        assert_eq!((fork.opening(barrier.wake_call), barrier.algorithm()), (hypercube, hypercube), "{name}");
        assert!(!fork.pool_barrier, "{name}");
        assert_eq!((tasks.queue, tasks.bound), (QueueKind::ThreadLocal, Some(256)), "{name}");
    }
    for name in ["gcc-4.8", "gcc"] {
        let Profile { fork, barrier, tasks, .. } = runtime(name, &[]).unwrap().value;
        let expected = Barrier::Futex { call: barrier.wake_call };
        let opens = fork.opening(barrier.wake_call);
        assert_eq!((opens, barrier.algorithm()), (expected, expected), "{name}");
        assert!(fork.pool_barrier && fork.member_lines > 0, "{name}");
        assert_eq!((tasks.queue, tasks.bound), (QueueKind::Central, Some(64)), "{name}");
    }
    let tasks = runtime("qthreads", &[]).unwrap().value.tasks;
    assert_eq!((tasks.queue, tasks.bound), (QueueKind::Hierarchical, None));
}

/// A file without its optional parts.
#[test]
fn what_is_left_out_costs_nothing_and_has_no_bound() {
    let text = "name = \"r\"\nfork = { fixed = \"1 us\", release = \"central\" }\nbarrier.kind = \"central\"\n\
                lock.kind = \"mcs\"\ntasks = { queue = \"central\", create = \"0 ns\", dispatch = \"0 ns\" }\n";
    let profile = read(text, &[]).unwrap();
    let fork = Fork { fixed: Span(1_000_000), release: BarrierKind::Central, ..Profile::free().fork };
    assert_eq!(profile.fork, fork);
    assert_eq!(profile.lock, LockProfile { kind: LockKind::Mcs, spin: None, wake: Span::ZERO });
    assert_eq!((profile.tasks.bound, profile.tasks.lines), (None, 1));
    assert_eq!(profile.reduction, Reduction::Tree);
    assert_eq!(
        (profile.auto, profile.runtime),
        (Schedule::Static { chunk: None }, Schedule::Static { chunk: None })
    );
}

#[test]
fn values_can_be_set() {
    let central = ["runtime.barrier.kind=central".to_owned()];
    let central = parse_overrides(&central).unwrap().runtime;
    assert_eq!(
        runtime("llvm", &central).unwrap().value.barrier.algorithm(),
        Barrier::Central,
        "the branching stays behind"
    );
    let set = ["runtime.barrier.kind=tree", "runtime.barrier.branching=8", "runtime.lock.spin=1 ms"];
    let profile = read(PLAIN, &set).unwrap();
    assert_eq!(profile.barrier.algorithm(), Barrier::Tree { branching: 8 });
    assert_eq!(profile.lock.spin, Some(Span(1_000_000_000)));
    let error = read(PLAIN, &["runtime.barier.kind=tree"]).unwrap_err();
    assert_shows(&error, &["--set:1:9", "nothing is called `barier`", "did you mean `barrier`?"]);
    let error = read(PLAIN, &["runtime"]).unwrap_err();
    assert_shows(&error, &["this sets nothing"]);
    let error = read(PLAIN, &["runtime=3"]).unwrap_err();
    assert_shows(&error, &["a value of the runtime must be named"]);
    let error = read(PLAIN, &["runtim.lock.kind=mcs"]).unwrap_err();
    assert_shows(&error, &["did you mean `runtime`?"]);
}

#[test]
fn overrides_and_hash_are_recorded() {
    let set = parse_overrides(&["runtime.lock.kind=ticket".to_owned()]).unwrap().runtime;
    let (plain, changed) = (runtime("plain", &[]).unwrap(), runtime("plain", &set).unwrap());
    assert_eq!(changed.overrides, ["runtime.lock.kind=ticket"]);
    assert_ne!(plain.hash, changed.hash);
    assert_eq!(plain.resolved.json()["fork"]["enter"], "0 ps", "defaults are in the record");
}

#[test]
fn slips_get_the_nearest_name() {
    assert_eq!(
        wrong("team_lines = 2", "team_line = 2"),
        "error: unknown key `team_line` in `fork`\n --> FILE:8:1\n  |\n8 | team_line = 2\n  | ^^^^^^^^^ did you \
         mean `team_lines`?"
    );
    assert_shows(
        &wrong("kind = \"hierarchical\"", "kind = \"hierachical\""),
        &["did you mean `hierarchical`?"],
    );
    assert_shows(&wrong("\"mcs\"", "\"spin\""), &["lock.kind cannot be \"spin\"", "mcs"]);
    assert_shows(&wrong("\"thread-local\"", "\"threadlocal\""), &["did you mean `thread-local`?"]);
    assert_shows(&wrong("kind = \"tree\"", "kind = \"atomics\""), &["did you mean `atomic`?"]);
    let error = runtime("gcc-4.9", &[]).unwrap_err().to_string();
    assert_shows(&error, &["there is no runtime `gcc-4.9`", "did you mean `gcc-4.8`?", "numalab list"]);
    let error = runtime("zzz", &[]).unwrap_err().to_string();
    assert_shows(&error, &["path of a toml file", "intel-14", "qthreads"]);
}

#[test]
fn quantities_have_units_and_limits() {
    assert_shows(&wrong("\"200 ns\"", "200"), &["fork.fixed is the number 200", "time span such as"]);
    assert_shows(&wrong("\"200 ns\"", "\"200 GB\""), &["unknown unit \"GB\""]);
    assert_shows(&wrong("\"200 ns\"", "\"200 days\""), &["unknown unit"]);
    assert_shows(&wrong("\"200 ns\"", "\"2 s\""), &["fork.fixed is 2.00 s", "expected at most 1.00 s"]);
    let slow = wrong("kind = \"hierarchical\"", "kind = \"hierarchical\"\nfixed = \"3 s\"");
    assert_shows(&slow, &["barrier.fixed is 3.00 s", "expected at most 1.00 s", "FILE:13"]);
    assert_shows(&wrong("team_lines = 2", "team_lines = 4000000000"), &["expected at most 1024"]);
    assert_shows(&wrong("bound = 256", "bound = 0"), &["tasks.bound is 0", "expected at least 1"]);
    assert_shows(&wrong("bound = 256", "bound = -1"), &["tasks.bound is -1"]);
}

#[test]
fn parts_that_do_not_fit_each_other_are_refused() {
    let error = wrong("kind = \"hierarchical\"", "kind = \"hypercube\"");
    assert_shows(&error, &["a hypercube needs `branching`", "FILE:12", "`branching = 4`"]);
    let error = wrong("release = \"hierarchical\"", "release = \"tree\"");
    assert_shows(&error, &["a tree needs `branching`"]);
    let error = wrong("kind = \"hierarchical\"", "kind = \"tree\"\nbranching = 1");
    assert_shows(&error, &["barrier.branching is 1", "expected at least 2"]);
    let error = wrong("kind = \"hierarchical\"", "kind = \"free\"");
    assert_shows(&error, &["must both be `free`, or neither", "\"free\" for both"]);
    let error = wrong("wake = \"5 us\"", "spin = \"1 ms\"");
    assert_shows(&error, &["the time to wake it is missing", "`wake = \"5 us\"`"]);
    for name in ["auto", "runtime", "tasks:central", "compared"] {
        let error = wrong("auto = \"static\"", &format!("auto = \"{name}\""));
        assert_shows(&error, &[&format!("schedule.auto cannot be \"{name}\""), "such as \"static\""]);
    }
}

#[test]
fn all_errors_come_at_once() {
    let text = PLAIN.replace("\"200 ns\"", "\"200\"").replace("bound", "bond").replace("\"mcs\"", "7");
    let error = read(&text.replace("auto = \"static\"", "auto = \"auto\""), &[]).unwrap_err();
    assert_eq!(error.matches("error:").count(), 4, "{error}");
}

#[test]
fn a_workload_names_a_runtime_that_there_is() {
    let text = include_str!("../../../../workloads/loadbal.yaml");
    let load = |line: &str| {
        let scratch = Scratch::new();
        let path = scratch.write("w.yaml", format!("{line}\n{text}"));
        workload(path.to_str().unwrap(), &[], &FACTS).map(|had| had.workload.value.runtime)
    };
    assert_eq!(load("runtime: gcc-4.8").unwrap().as_deref(), Some("gcc-4.8"));
    assert_eq!(load("").unwrap(), None);
    let error = load("runtime: gcc-4.9").unwrap_err().to_string();
    assert_shows(&error, &["there is no runtime `gcc-4.9`", "w.yaml:1:10", "did you mean `gcc-4.8`?"]);
}

#[test]
fn another_kind_of_file_is_refused() {
    let scratch = Scratch::new();
    let yaml = scratch.write("r.yaml", "name: r");
    assert_shows(
        &runtime(yaml.to_str().unwrap(), &[]).unwrap_err().to_string(),
        &["a runtime is written in TOML"],
    );
    let empty = scratch.write("r.toml", "");
    let error = runtime(empty.to_str().unwrap(), &[]).unwrap_err().to_string();
    assert_shows(&error, &["it is empty", "numalab schema runtime"]);
    let error = read(include_str!("../../../../machines/bcs16.toml"), &[]).unwrap_err();
    assert_shows(&error, &["missing key `fork`", "unknown key `core`"]);
}

fn span() -> impl Strategy<Value = Span> {
    prop_oneof![Just(0), 0..1_000_000_000_000_u64, (0..1000_u64).prop_map(|ns| ns * 1000)].prop_map(Span)
}

fn barrier() -> impl Strategy<Value = (BarrierKind, Option<u32>)> {
    let kinds =
        select(BarrierKind::ALL.to_vec()).prop_filter("is not free", |kind| *kind != BarrierKind::Free);
    (kinds, 2..=1024_u32).prop_map(|(kind, branching)| (kind, kind.branches().then_some(branching)))
}

fn policy() -> impl Strategy<Value = Schedule> {
    let names = ["static", "static,7", "dynamic", "dynamic,16", "guided,2", "numa-steal:nearest"];
    select(names.to_vec()).prop_map(|name| name.parse().unwrap())
}

prop_compose! {
    fn nested()(
        threads in select(TeamThreads::ALL.to_vec()),
        lock in select(LockKind::ALL.to_vec()),
        [member_lines, team_lines, return_lines, calls] in prop::array::uniform4(0..=1024_u32),
        line_stores in 1..=64_u32,
        [sorted, polled] in any::<[bool; 2]>(),
        (team_reads, revisits, return_revisits) in (0..=1024_u32, 0..=3_u32, 0..=2_u32),
    ) -> Nested {
        Nested {
            threads,
            lock,
            member_lines,
            team_lines,
            team_reads,
            return_lines,
            calls,
            line_stores,
            sorted,
            polled,
            revisits,
            return_revisits,
        }
    }
}

prop_compose! {
    fn profile()(
        (name, description) in ("\\PC{0,20}", any::<String>()),
        (fixed, open, enter) in (span(), prop::option::of(span()), span()),
        (team_lines, member_lines, member_writes) in (0..=1024_u32, 0..=1024_u32, any::<bool>()),
        nested in nested(),
        (line_stores, member_time, master_lines, master_time) in (1..=64_u32, span(), 0..=1024_u32, span()),
        ((release, branching), pool_barrier) in (barrier(), any::<bool>()),
        barrier in (barrier(), span(), span(), any::<[bool; 3]>(), span()).prop_map(
            |((kind, branching), fixed, crowded_spin, [atomic_flags, resets_flags, team_state], wake_call)| {
                BarrierProfile {
                    kind,
                    branching,
                    fixed,
                    crowded_spin,
                    atomic_flags,
                    resets_flags,
                    team_state,
                    wake_call,
                }
            },
        ),
        (kind, spin, wake) in (select(&LockKind::ALL[..]), prop::option::of(span()), span()),
        (queue, bound) in (select(&QueueKind::ALL[..]), prop::option::of(1..=u32::MAX)),
        queue_lock in prop::option::of(select(&LockKind::ALL[..])),
        (create, dispatch, lines) in (span(), span(), 1..=1024_u32),
        (at_once, alone_at_once, wakes) in (prop::option::of(span()), any::<bool>(), any::<bool>()),
        (static_loop, chunk, single, static_sections) in (span(), span(), span(), any::<bool>()),
        reduction in select(&[Reduction::Tree, Reduction::Atomic, Reduction::Critical][..]),
        (auto, runtime) in (policy(), policy()),
        places in select(PlaceRules::ALL.to_vec()),
        (wait_spin, wait_wake) in (prop::option::of(span()), span()),
        variables in select(WaitVariables::ALL.to_vec()),
    ) -> Profile {
        Profile {
            name,
            description,
            fork: Fork {
                fixed,
                // The writer omits `open` if it equals `fixed`.
                open: open.filter(|open| *open != fixed),
                enter,
                team_lines,
                member_lines,
                member_writes,
                line_stores,
                member_time,
                master_lines,
                master_time,
                release,
                branching,
                pool_barrier,
                nested,
            },
            barrier,
            wait: WaitProfile { spin: wait_spin, wake: wait_wake, variables },
            places,
            lock: LockProfile { kind, spin, wake },
            worksharing: Worksharing { static_loop, chunk, single, static_sections },
            tasks: TaskProfile {
                queue,
                bound,
                lock: queue_lock,
                create,
                dispatch,
                at_once,
                alone_at_once,
                wakes,
                lines,
            },
            reduction,
            auto,
            runtime,
            origins: ValueOrigins { others: ValueOrigin::Default, ..ValueOrigins::default() },
        }
    }
}

proptest! {
    #[test]
    fn what_is_written_reads_back(profile in profile()) {
        let text = runtime_text(&profile, &|_| None);
        prop_assert_eq!(read(&text, &[]), Ok(profile), "{}", text);
    }
}
