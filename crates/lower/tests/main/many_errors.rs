//! Many errors at once, and their presentation.

use crate::support::{Scratch, assert_shows, error_of_machine, error_of_workload};
use numalab_lower::machine;

#[test]
fn all_errors_of_a_file_come_at_once_with_their_lines() {
    let text = "name = \"m\"\ncolour = 3\n[[level]]\nkind = \"sockt\"\ncount = 0\n\
                interconnect = { shape = \"mesh\", link = \"qpi\" }\n[[level]]\nkind = \"core\"\ncount = 4\n\
                [core]\nclock = \"2 GHx\"\nflops_per_cycle = nan\ninstructions_per_cycle = 1\noutstanding = 10\n\
                [memory]\ncapacity = \"-1 GB\"\nlatency = \"100 ns\"\nbandwidth = \"18 GB/s\"\npage = \"3 kB\"\n";
    let error = error_of_machine(&Scratch::new().write("m.toml", text));
    let lines: Vec<&str> =
        error.lines().filter_map(|line| line.split_once("--> FILE:")).map(|(_, place)| place).collect();
    // The page size is no power of two, but this is not reported, since the memory's size is wrong already.
    assert_eq!(lines, ["2:1", "4:8", "5:9", "6:41", "11:10", "12:19", "16:13"], "{error}");
}

#[test]
fn syntax_errors_do_not_hide_the_others() {
    let text = "name = \"m\ncolour = 3\n[core]\nclock = 2\n[memory\nlatency = \"1 ns\"\n";
    let error = error_of_machine(&Scratch::new().write("m.toml", text));
    assert_shows(&error, &["FILE:1:10", "unknown key `colour`", "core.clock is the number 2", "FILE:5:8"]);
    let text = "name: m\ncolour: 3\nphases: [\n";
    let error = error_of_workload(&Scratch::new().write("w.yaml", text));
    assert_shows(&error, &["unknown key `colour`", "this is not YAML"]);
}

#[test]
fn many_errors_are_counted() {
    let text: String = (0..100).map(|n| format!("key{n} = 1\n")).collect();
    let error = error_of_machine(&Scratch::new().write("m.toml", text));
    assert_eq!(error.matches("error: ").count(), 25);
    // There are 100 unknown keys, and name, level, core and memory are missing.
    assert!(error.ends_with("… and 79 more errors"), "{error}");
}

#[test]
fn a_very_long_line_is_cut() {
    let text =
        format!("description = \"{}\"\nname = {{ a = \"{}\", b = 1 }}\n", "x".repeat(5000), "é".repeat(5000));
    let error = error_of_machine(&Scratch::new().write("m.toml", text));
    assert!(error.lines().all(|line| line.len() < 400), "{error}");
    assert_shows(&error, &["FILE:2:1", "name is a table", "…"]);
}

#[test]
fn styled_output_has_colours_and_plain_has_none() {
    let error = machine("bcs61", &[]).unwrap_err();
    assert!(error.render(true).contains('\u{1b}'));
    assert!(!error.render(false).contains('\u{1b}'));
}
