//! Regions of several constructs, groups of phases, names of an iteration, and sections inside iterations.

use super::load;
use crate::support::{FACTS, assert_shows};
use numalab_workload::{Construct, Phase, Schedule};

/// Resolved phases of a file whose `phases` are these lines, each indented by two spaces.
fn phases(text: &str, set: &[&str]) -> Result<Vec<Phase>, String> {
    let text = format!(
        "name: w\nparameters:\n  n: 8\n  variant: {{ choices: [merged, original], default: merged }}\n\
         regions: {{ r: {{ size: 8000 }} }}\nphases:\n{text}"
    );
    load(&text, set).map(|experiment| experiment.workload.value.phases)
}

const REGION: &str = "  - name: level
    measured: true
    times: 3
    threads: threads / 2
    parallel:
      - { name: init, loop: { iterations: n, instructions: i }, nowait: variant == merged }
      - { name: check, when: variant == original, body: { instructions: 10 } }
      - { name: swap, construct: single, nowait: true, body: { instructions: threads } }
      - { name: sync, construct: barrier }
";

#[test]
fn regions_hold_constructs() {
    let found = phases(REGION, &[]).unwrap();
    let of = |found: &[Phase]| -> Vec<(String, Construct, bool)> {
        found.iter().map(|phase| (phase.name.clone(), phase.construct, phase.continues)).collect()
    };
    let swap = ("swap".to_owned(), Construct::Single { nowait: true }, true);
    let sync = ("sync".to_owned(), Construct::Barrier, true);
    let init = |nowait| ("init".to_owned(), Construct::For { nowait }, false);
    assert_eq!(of(&found), [init(true), swap.clone(), sync.clone()]);
    let half = FACTS.threads / 2;
    for phase in &found {
        let team = phase.team.as_ref().map(|team| team.threads);
        assert_eq!((phase.times, team, phase.measured), (3, Some(half), true));
    }
    assert_eq!(found[1].instructions[..], vec![f64::from(half); half as usize]);
    let original = phases(REGION, &["workload.variant=original"]).unwrap();
    assert_eq!(of(&original), [init(false), ("check".to_owned(), Construct::Parallel, true), swap, sync]);
}

#[test]
fn mistakes_in_regions_are_shown() {
    let wrong = |from: &str, to: &str| {
        assert!(REGION.contains(from), "{from}");
        phases(&REGION.replacen(from, to, 1), &[]).unwrap_err()
    };
    assert_shows(
        &wrong("    times: 3\n", "    construct: for\n"),
        &["`construct` cannot stand beside `parallel`"],
    );
    assert_shows(
        &wrong("construct: barrier", "construct: serial"),
        &["`serial` cannot stand in a region with others"],
    );
    assert_shows(
        &wrong("construct: barrier", "construct: barier"),
        &["unknown construct", "did you mean `barrier`?"],
    );
    assert_shows(
        &wrong("construct: barrier", "construct: barrier, nowait: true"),
        &["`barrier` has no barrier to leave out", "beside `for`, `sections` or `single`"],
    );
    assert_shows(&wrong("construct: barrier", "nowait: false"), &["this construct does nothing"]);
    assert_shows(&wrong("name: sync", "name: swap"), &["FILE:15", "`swap` is here twice"]);
    assert_shows(&wrong("instructions: i }", "instructions: j }"), &["FILE:12", "unknown name `j`"]);
    assert_shows(&wrong("name: sync", "nam: sync"), &["unknown key `nam`", "did you mean `name`?"]);
    let sections = wrong("construct: barrier", "construct: sections");
    assert_shows(&sections, &["there are no sections", "expected `loop` beside `sections`"]);
    let empty = "  - name: p\n    measured: true\n    parallel: []\n";
    assert_shows(&phases(empty, &[]).unwrap_err(), &["expected at least 1"]);
}

/// Three rounds of two phases: `expand` has n / 2^round iterations and the others are equal.
const GROUP: &str = "  - name: levels
    measured: true
    repeat: 3
    phases:
      - { name: expand, loop: { iterations: n / 2 ^ round, instructions: round(i / 2) } }
      - { name: last, when: round == 2, construct: serial }
";

#[test]
fn groups_go_round() {
    let found = phases(GROUP, &[]).unwrap();
    let of: Vec<(&str, u64)> = found.iter().map(|phase| (phase.name.as_str(), phase.iterations)).collect();
    let serial = u64::from(FACTS.threads);
    assert_eq!(of, [("expand", 8), ("expand", 4), ("expand", 2), ("last", serial)]);
    assert!(found.iter().all(|phase| phase.measured && phase.repeat == 1));
    // A group in a group: the inner one has two rounds in each of the outer one's three.
    let nested = GROUP.replace("construct: serial }", "construct: serial }\n      - name: inner\n        repeat: 2\n        phases: [{ name: deep, loop: { iterations: 1 + round } }]");
    let found = phases(&nested, &[]).unwrap();
    let deep: Vec<u64> =
        found.iter().filter(|phase| phase.name == "deep").map(|phase| phase.iterations).collect();
    assert_eq!(deep, [1, 2, 1, 2, 1, 2]);
    // Rounds that do not depend on their number are alike.
    let equal = "  - name: steps\n    measured: true\n    repeat: 4\n    phases: [{ name: step, loop: { iterations: n, instructions: round(i) } }]\n";
    assert_eq!(phases(equal, &[]).unwrap().len(), 4);
}

#[test]
fn mistakes_in_groups_are_shown() {
    let wrong = |from: &str, to: &str| phases(&GROUP.replacen(from, to, 1), &[]).unwrap_err();
    assert_shows(&wrong("    repeat: 3\n", "    times: 3\n"), &["`times` cannot stand beside `phases`"]);
    assert_shows(&wrong("repeat: 3", "repeat: 0"), &["repeat is 0", "at least 1"]);
    assert_shows(&wrong("repeat: 3", "repeat: 1e6"), &["at most 100000"]);
    assert_shows(&wrong("2 ^ round", "2 ^ rounds"), &["unknown name `rounds`", "did you mean `round`?"]);
    assert_shows(
        &wrong("when: round", "once: true, when: round"),
        &["`once` cannot stand in a phase of a group"],
    );
    // 8 / 2^3 = 1, 8 / 2^4 = 0.5.
    assert_shows(&wrong("repeat: 3", "repeat: 5"), &["the loop has 0.5 iterations", "whole number"]);
    let outside = "  - { name: p, measured: true, loop: { iterations: round } }\n";
    assert_shows(&phases(outside, &[]).unwrap_err(), &["unknown name `round`"]);
}

#[test]
fn an_iteration_has_names() {
    let text = "  - name: p
    measured: true
    loop:
      iterations: n
      let: { twice: 2 * half, half: i + 0.5 }
      instructions: twice * 10
      touches: [{ region: r, mode: read, slice: { gather: twice, element: 8 * twice } }]
";
    let found = phases(text, &[]).unwrap();
    assert_eq!(found[0].instructions[..3], [10.0, 30.0, 50.0]);
    // 2 i + 1 elements of 8 (2 i + 1) bytes: a line each up to i = 3, then two.
    assert_eq!(found[0].accesses[0].slice.total(8), 64 * (1 + 3 + 5 + 7 + 2 * (9 + 11 + 13 + 15)));
    let wrong = |from: &str, to: &str| phases(&text.replacen(from, to, 1), &[]).unwrap_err();
    assert_shows(&wrong("half: i + 0.5", "half: twice"), &["half and twice use each other in a circle"]);
    assert_shows(&wrong("half: i + 0.5", "half: hal"), &["unknown name `hal`"]);
    assert_shows(&wrong("instructions: twice", "instructions: twic"), &["did you mean `twice`?"]);
    assert_shows(&wrong("half: i + 0.5", "half: 1, n: i"), &["`n` has a meaning in expressions"]);
    // A name is known in its loop alone.
    let other =
        format!("{text}  - {{ name: q, measured: true, loop: {{ iterations: n, instructions: twice }} }}\n");
    assert_shows(&phases(&other, &[]).unwrap_err(), &["unknown name `twice`"]);
}

#[test]
fn iterations_have_sections() {
    let text = |critical: &str| {
        format!("  - name: p\n    measured: true\n    loop: {{ iterations: n, critical: {critical} }}\n")
    };
    let section = |critical: &str| phases(&text(critical), &[]).map(|found| found[0].section.clone());
    let found = section("{ times: i % 3, instructions: 10 * i }").unwrap().unwrap();
    assert_eq!((found.construct, &found.times[..4]), (Construct::Critical, &[0, 1, 2, 0][..]));
    assert_eq!(found.instructions[2], 20.0);
    assert_eq!(section("{ kind: atomic }").unwrap().unwrap().construct, Construct::Atomic);
    assert_eq!(section("{ times: 0 }").unwrap(), None);
    assert_shows(&section("{ kind: atomc }").unwrap_err(), &["unknown kind of section", "`atomic`"]);
    assert_shows(&section("{ times: i / 2 }").unwrap_err(), &["iteration 1 executes the section 0.5 times"]);
    assert_shows(&section("{ instructions: -i }").unwrap_err(), &["iteration 1 has -1 instructions"]);
}

/// A task of 3 creates tasks of 2 and 1, one of 2 creates one of 1: arguments 3, 2, 1, of which the last is created twice.
#[test]
fn tasks_have_sections() {
    let text = "  - name: p
    measured: true
    tasks:
      root: { task: t, arguments: [3] }
      kinds:
        t:
          arguments: [k]
          let: { size: 10 * k }
          instructions: size
          critical: { times: k, instructions: size + depth, kind: mcs }
          cutoff: k == 2
          spawn: [{ task: t, for: j, from: 1, to: k - 1, arguments: [j] }]
";
    let found = phases(text, &[]).unwrap();
    let section = found[0].section.as_ref().unwrap();
    let mut all: Vec<(f64, u32, f64)> = (0..found[0].iterations as usize)
        .map(|task| (found[0].instructions[task], section.times[task], section.instructions[task]))
        .collect();
    all.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.2.total_cmp(&other.2)));
    // Cut off at 2: its own 2 · 21 and its child's 1 · 12 instructions in three sections.
    assert_eq!(all, [(10.0, 1, 11.0), (30.0, 2 + 1, (2.0 * 21.0 + 12.0) / 3.0), (30.0, 3, 30.0)]);
    assert_eq!(found[0].schedule, None::<Schedule>);
}
