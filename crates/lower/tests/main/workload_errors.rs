//! Errors of a wrong workload file.

use crate::support::{
    Scratch, assert_shows, error_of_machine, error_of_workload, machine_with, workload_with,
};
use numalab_files::{Facts, parse_overrides};
use numalab_lower::workload;
use numalab_workload::Context;

#[test]
fn a_million_million_packages_are_refused_at_once() {
    let error = workload_with("packages: 3840", "packages: 10 ^ 12");
    assert_shows(&error, &["the loop has 1000000000000 iterations", "expected at most 100000000"]);
    let error = workload_with("measured: true", "measured: true\n    repeat: 1000000");
    assert_shows(&error, &["the loop has 3840 iterations", "1000000 repeats"]);
    let set = parse_overrides(&["workload.packages=1e12".to_owned()]).unwrap().workload;
    let error = workload("loadbal", &set, &Facts::default()).err().unwrap().to_string();
    assert_shows(&error, &["the loop has 1000000000000 iterations"]);
}

#[test]
fn names_in_a_workload_are_looked_up() {
    assert_shows(
        &workload_with("region: a,", "region: x,"),
        &["unknown region `x`", "expected one of a, b, c"],
    );
    let error = workload_with("size: footprint / 3", "size: footprnt / 3");
    assert_shows(&error, &["unknown name `footprnt`", "^^^^^^^^ did you mean `footprint`?"]);
    assert_shows(&workload_with("iterations: packages", "iterations: i"), &["no iteration index `i` here"]);
    assert_shows(
        &workload_with("mode: streaming-write", "mode: streaming"),
        &["did you mean `streaming-write`?"],
    );
    assert_shows(&workload_with("  - static\n", "  - statik\n"), &["unknown policy", "`static`?"]);
    assert_shows(
        &workload_with("packages: 3840", "packages: 3840\n  i: 3"),
        &["`i` has a meaning in expressions"],
    );
    assert_shows(&workload_with("measured: true", "measured: false"), &["no phase is measured"]);
}

/// A phase that runs `once` must be measured, and stands before or after all phases of the rounds.
#[test]
fn what_runs_once_is_at_an_end() {
    let phases = |keys: &[&str]| {
        let list: String = keys
            .iter()
            .enumerate()
            .map(|(at, keys)| format!("  - {{ name: p{at}, {keys}, loop: {{ iterations: 4 }} }}\n"))
            .collect();
        let text = format!(
            "name: t\ndescription: t\nparameters: {{ n: 0 }}\nregions: {{}}\nphases:\n{list}rounds: 3\n"
        );
        let scratch = Scratch::new();
        let path = scratch.write("w.yaml", &text);
        let loaded = workload(path.to_str().unwrap(), &[], &Facts::default());
        loaded.map(|_| ()).map_err(|error| error.to_string())
    };
    let (once, again) = ("measured: true, once: true", "measured: true");
    let good = phases(&["measured: false", once, again, again, once, once]);
    assert_eq!(good, Ok(()));
    let error = phases(&[again, once, again]).unwrap_err();
    assert_shows(&error, &["this phase is in the middle of a round", "before all measured"]);
    let error = phases(&["measured: false, once: true", again]).unwrap_err();
    assert_shows(&error, &["a phase that is not measured runs once anyway"]);
}

/// A context is `none`, or the name of another phase with a context of its own.
#[test]
fn contexts_are_looked_up() {
    let named = |name: &str| {
        workload_with("iterations: packages", &format!("iterations: packages\n      context: {name}"))
    };
    let error = named("writing");
    assert_shows(
        &error,
        &["no other phase with a context of its own is called `writing`", "expected one of work, none"],
    );
    let phase = |name: &str, context: &str| {
        format!("  - {{ name: {name}, measured: true, loop: {{ iterations: 4{context} }} }}\n")
    };
    let contexts = |phases: &[String]| {
        let text = format!(
            "name: t\ndescription: t\nparameters: {{ n: 0 }}\nregions: {{}}\nphases:\n{}",
            phases.concat()
        );
        let scratch = Scratch::new();
        let path = scratch.write("w.yaml", &text);
        let loaded =
            workload(path.to_str().unwrap(), &[], &Facts::default()).map_err(|error| error.to_string())?;
        Ok::<_, String>(loaded.workload.value.phases.iter().map(|phase| phase.context).collect::<Vec<_>>())
    };
    let [a, b, of_a, of_b, none] =
        [("a", ""), ("b", ""), ("c", ", context: a"), ("d", ", context: c"), ("e", ", context: none")]
            .map(|(name, context)| phase(name, context));
    let found = contexts(&[b.clone(), of_a.clone(), none, a.clone()]).unwrap();
    assert_eq!(found, [None, Some(Context::Of(3)), Some(Context::None), None]);
    let error = contexts(&[a, of_a.clone(), of_b]).unwrap_err();
    assert_shows(&error, &["is called `c`", "expected one of a, none"]);
    // If the named phase is left out, all phases that name it share one context.
    let left_out = "  - { name: a, measured: true, when: n, loop: { iterations: 4 } }\n".to_owned();
    let again = phase("again", ", context: a");
    let found = contexts(&[b, of_a, left_out, again]).unwrap();
    assert_eq!(found, [None, Some(Context::Of(1)), Some(Context::Of(1))]);
}

#[test]
fn slices_must_lie_in_their_region() {
    let slice =
        |text: &str| workload_with("{ partition: i + 1 }, mode: read", &format!("{text}, mode: read"));
    assert_shows(
        &slice("{ start: 13 GB, length: 1 GB }"),
        &["iteration 0 touches 1000000000 bytes from byte 13000000000"],
    );
    assert_shows(&slice("{ start: 0 - 1, length: 1 }"), &["iteration 0 starts at byte -1"]);
    assert_shows(&slice("{ partition: 100 - i }"), &["the weight of iteration 101 is -1"]);
    assert_shows(&slice("{ start: i }"), &["this is not a slice", "{ start: …, length: … }"]);
    assert_shows(&slice("whol"), &["did you mean `whole`?"]);
}

/// Nine lists, each with nine copies of the previous one: a thousand million strings from half a kilobyte.
#[test]
fn a_yaml_bomb_does_not_go_off() {
    let mut text = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n".to_owned();
    for level in 1..9 {
        let inner = vec![format!("*a{}", level - 1); 9].join(", ");
        text += &format!("a{level}: &a{level} [{inner}]\n");
    }
    let error = error_of_workload(&Scratch::new().write("w.yaml", text));
    assert_shows(&error, &["unfolds to more than 200000 values"]);
    let long = format!("a: &a \"{}\"\nb: [{}]\n", "x".repeat(1 << 20), vec!["*a"; 100_000].join(", "));
    assert_shows(&error_of_workload(&Scratch::new().write("w.yaml", long)), &["unfolds to more than"]);
    let deep = "[".repeat(100_000);
    assert_shows(&error_of_workload(&Scratch::new().write("w.yaml", deep)), &["error: "]);
    let deep = "- ".repeat(100_000);
    assert_shows(&error_of_workload(&Scratch::new().write("w.yaml", deep)), &["more than 64 lists"]);
    let deep = format!("a = {}", "[".repeat(1_000_000));
    assert_shows(&error_of_machine(&Scratch::new().write("m.toml", deep)), &["error: "]);
    let deep = format!("{} = 1", vec!["a"; 1_000_000].join("."));
    assert_shows(&error_of_machine(&Scratch::new().write("m.toml", deep)), &["error: "]);
}

#[test]
fn yaml_that_means_more_than_it_says_is_refused() {
    assert_shows(&workload_with("packages: 3840", "packages: !!int 3840"), &["tags are not supported"]);
    assert_shows(
        &workload_with("packages: 3840", "packages: 1\n  packages: 3840"),
        &["duplicate key `packages`"],
    );
    assert_shows(&workload_with("regions:", "---\nregions:"), &["a second document starts here"]);
    assert_shows(&workload_with("packages: 3840", "packages: &p [*p]"), &["error: "]);
    assert_shows(&machine_with("count = 8", "count = 8\ncount = 9"), &["duplicate key"]);
}
