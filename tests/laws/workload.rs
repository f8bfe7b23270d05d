//! Texts of random workload files: one or two loops, a tree of tasks, or a contended construct.

use crate::chance::Chance;
use std::fmt::Write;

/// Kind of the measured phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Loop,
    Tasks,
    Construct,
}

/// Text of a random workload file.
pub fn workload(chance: &mut Chance, kind: Kind) -> String {
    let numbers = [
        ("n", chance.pick(&[7, 16, 64, 200])),
        ("s", chance.pick(&[4096, 300_000, 4 << 20])),
        ("q", chance.pick(&[0, 1000, 20_000])),
        ("c", chance.pick(&[1, 1, 3])),
        ("d", chance.pick(&[4, 5, 7])),
    ]
    .map(|(name, value): (&str, usize)| format!("{name}: {value}"));
    let placed = chance.pick(&["", ", placement: first-touch", ", placement: interleave"]);
    let mut text =
        format!("name: w\nparameters: {{ {} }}\nregions:\n  a: {{ size: s{placed} }}\n", numbers.join(", "));
    text.push_str("  b: { size: s }\n  p: { size: 64 KiB }\nphases:\n  - name: init\n    loop:\n");
    let _ = writeln!(
        text,
        "      iterations: {}\n      schedule: static\n      touches:",
        chance.pick(&["1", "n", "threads"])
    );
    for region in ["a", "b", "p"] {
        let _ = writeln!(text, "        - {{ region: {region}, slice: {{ partition: 1 }}, mode: write }}");
    }
    match kind {
        Kind::Loop => (0..chance.pick(&[1, 1, 2])).for_each(|number| one_loop(chance, number, &mut text)),
        Kind::Tasks => tasks(chance, &mut text),
        Kind::Construct => construct(chance, &mut text),
    }
    text.push_str("rounds: c\n");
    text
}

fn one_loop(chance: &mut Chance, number: usize, text: &mut String) {
    let instructions = chance.pick(&["q", "q * (1 + i % 7)", "q * noise(i)"]);
    let _ = writeln!(text, "  - name: work{number}\n    measured: true\n    loop:\n      iterations: n");
    let _ = writeln!(
        text,
        "      instructions: {instructions}\n      overlap: {}",
        chance.pick(&["0", "0.5", "1"])
    );
    if chance.odds(1, 4) {
        let _ = writeln!(text, "      instructions_per_byte: {}", chance.pick(&["0.1", "2"]));
    }
    if chance.odds(1, 3) {
        let _ = writeln!(text, "      outstanding: {}", chance.pick(&[1, 4]));
    }
    text.push_str("      touches:\n");
    for _ in 0..chance.pick(&[1, 1, 2, 3]) {
        let slice = chance.pick(&[
            "{ partition: 1 }",
            "{ partition: i + 1 }",
            "{ partition: 1, halo: 128 }",
            "whole",
            "{ start: 0, length: s / 4 }",
            "{ start: (i * 64) % (s / 2), length: 64 }",
            "{ gather: 20, element: 8 }",
        ]);
        let mode = chance.pick(&["read", "write", "update", "streaming-write"]);
        let region = chance.pick(&["a", "b"]);
        let _ = writeln!(text, "        - {{ region: {region}, slice: {slice}, mode: {mode} }}");
    }
}

fn tasks(chance: &mut Chance, text: &mut String) {
    text.push_str(
        "  - name: work\n    measured: true\n    tasks:\n      root: { task: t, arguments: [d] }\n      kinds:\n        \
         t:\n          arguments: [k]\n          instructions: q / 10 + 30\n          spawn:\n            \
         - { task: t, arguments: [k - 1], when: k >= 1 }\n            \
         - { task: t, arguments: [k - 2], when: k >= 2 }\n          after: 10\n",
    );
    if chance.odds(1, 2) {
        text.push_str(
            "          touches: [ { region: p, slice: { start: (k * 512) % 65536, length: 512 }, mode: update } ]\n",
        );
    }
}

fn construct(chance: &mut Chance, text: &mut String) {
    let name =
        chance.pick(&["lock", "critical", "atomic", "{ update: { spacing: 8 } }", "{ lock: test-and-set }"]);
    let body = chance.pick(&["0", "q / 10"]);
    let _ = writeln!(text, "  - name: work\n    measured: true\n    construct: {name}\n    times: n * c");
    let _ = writeln!(text, "    body: {{ instructions: {body} }}");
}
