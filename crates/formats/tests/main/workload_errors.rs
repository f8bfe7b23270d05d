//! Errors of a wrong workload file.

use crate::support::{
    Scratch, assert_shows, error_of_machine, error_of_workload, machine_with, workload_with,
};
use numalab_formats::{Facts, parse_overrides, workload};

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

/// Nine lists, each of nine of the one before: a milliard strings from half a kilobyte.
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
