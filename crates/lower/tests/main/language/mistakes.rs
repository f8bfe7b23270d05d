//! Messages about mistakes.

use super::{FILE, load, wrong};
use crate::support::assert_shows;
use numalab_workload::PageKind;

#[test]
fn a_wrong_choice_is_shown_with_the_nearest() {
    let error = load(FILE, &["workload.variant=seral"]).err().unwrap();
    assert_shows(
        &error,
        &["--> --set:1:18", "parameters.variant cannot be \"seral\"", "did you mean `serial`?"],
    );
    let error = wrong("default: parallel", "default: paralel");
    assert_shows(&error, &["FILE:4", "did you mean `parallel`?"]);
    assert_shows(
        &wrong("variant == serial, 1 MB", "variant == seril, 1 MB"),
        &["unknown name `seril`", "did you mean `serial`?"],
    );
    assert_shows(&wrong("choices: [serial, parallel, on/off]", "choices: []"), &["expected at least 1"]);
    assert_shows(
        &wrong("[serial, parallel, on/off]", "[serial, parallel, parallel]"),
        &["`parallel` is here twice"],
    );
    assert_shows(&wrong("[serial, parallel, on/off]", "[n, parallel]"), &["`n` is a parameter and a word"]);
    assert_shows(&wrong("[serial, parallel, on/off]", "[nodes, parallel]"), &["`nodes` has a meaning"]);
    assert_shows(&wrong("  n: threads", "  threads: threads"), &["`threads` has a meaning in expressions"]);
    assert_shows(
        &wrong("  n: threads", "  bytes: 1\n  n: threads"),
        &["`bytes` has a meaning in expressions"],
    );
}

#[test]
fn comparisons_and_conditions_say_what_is_wrong() {
    let size = |text: &str| wrong("size: if(variant == serial, 1 MB, 2 MB)", &format!("size: {text}"));
    assert_shows(&size("1 < n < 3"), &["comparisons do not chain", "expected `and`"]);
    assert_shows(&size("if(n, 1)"), &["expected `,`: `if` takes 3 arguments"]);
    assert_shows(&size("n = 3"), &["did you mean `==`?"]);
    assert_shows(&size("n and"), &["the expression ends too early"]);
    assert_shows(&size("row_entries(3)"), &["there is no matrix here", "expected `matrix: FILE.mtx`"]);
}

#[test]
fn placements_and_pages_fit_the_machine() {
    let placement = |text: &str| {
        wrong("{ if: variant == serial, then: { bind: nodes - 1 }, else: interleave:0-2 }", text)
    };
    assert_shows(&placement("{ bind: nodes }"), &["the machine has no node 4", "expected 0 to 3"]);
    assert_shows(&placement("bind:0-7"), &["the machine has no node 4"]);
    assert_shows(&placement("interleav"), &["unknown placement \"interleav\"", "did you mean `interleave`?"]);
    assert_shows(&placement("{ bind: 3-1 }"), &["run backwards"]);
    assert_shows(&placement("{ bind: 0, preferred: 1 }"), &["this is not a placement"]);
    assert_shows(&placement("{ if: 1 }"), &["this is not a placement"]);
    assert_shows(&placement("{ if: 1, then: bind:0, else: { migrate: 9 } }"), &["no node 9"]);
    assert_shows(&placement("{ preferred: 0.5 }"), &["preferred is 0.5", "expected a whole number"]);
    assert_shows(&wrong("page: 64 KiB", "page: 60 KiB"), &["page is 61440 bytes", "expected a power of two"]);
    assert_shows(&wrong("page: 64 KiB", "page: 16"), &["page is 16", "expected at least 64"]);
    let file = FILE.replace("page: 64 KiB", "page: transparent");
    assert_eq!(load(&file, &[]).unwrap().workload.value.regions[0].page, PageKind::Transparent);
}

#[test]
fn phases_say_when_and_how_often() {
    assert_shows(&wrong("rounds: n / 8", "rounds: n / 7"), &["rounds is 2.28", "expected a whole number"]);
    assert_shows(&wrong("rounds: n / 8", "rounds: 0"), &["rounds is 0", "expected at least 1"]);
    assert_shows(&wrong("rounds: n / 8", "rounds: 1e9"), &["1000000000 in all"]);
    assert_shows(&wrong("repeat: n / 4", "repeat: 0"), &["repeat is 0"]);
    assert_shows(&wrong("when: variant == serial", "when: variant == serail"), &["unknown name `serail`"]);
    assert_shows(
        &wrong("    measured: true", "    measured: true\n    when: 0"),
        &["every measured phase is left out"],
    );
    // Names are also checked in phases that are left out.
    assert_shows(
        &wrong("{ partition: 1 }, mode: write", "{ partition: m }, mode: write"),
        &["unknown name `m`"],
    );
    assert_shows(
        &wrong("region: data, slice: { partition: 1 }, mode: write", "region: dat, mode: write"),
        &["did you mean `data`?"],
    );
    assert_shows(&wrong("when: n > 1", "when: n > o"), &["unknown name `o`"]);
}

#[test]
fn series_and_measures_say_what_is_wrong() {
    let series = |text: &str| wrong("{ from: 1, to: threads, factor: 2 }", text);
    assert_shows(
        &wrong("over: threads", "over: thread"),
        &["there is no parameter `thread`", "did you mean `threads`?"],
    );
    assert_shows(&series("{ from: 1, to: 8 }"), &["this is not a range"]);
    assert_shows(&series("{ from: 1, to: 8, factor: 1 }"), &["factor is 1", "expected more than 1"]);
    assert_shows(&series("{ from: 8, to: 1, step: 1 }"), &["from 8 to 1"]);
    assert_shows(&series("{ from: 1, to: 1e9, step: 1 }"), &["at most 10000 steps"]);
    assert_shows(&series("\"1, tow, 4\""), &["unknown name `tow`"]);
    assert_shows(&series("[1, 2.5]"), &["a team cannot have 2.5 threads"]);
    assert_shows(&series("[]"), &["the series has no values"]);
    let value = |text: &str| wrong("value: bytes / time,", &format!("value: {text},"));
    assert_shows(&value("byte / time"), &["unknown name `byte`", "did you mean `bytes`?"]);
    assert_shows(&value("bytes_wrk"), &["did you mean `bytes_work`?"]);
    assert_shows(&value("base_time"), &["`base_time` needs another run", "expected `against`"]);
    assert_shows(&value("speedup"), &["unknown name `speedup`"]);
    assert_shows(&value("row_entries(1)"), &["a measure has no rows"]);
    assert_shows(&wrong("unit: GB/s", "unit: GBs"), &["unknown unit \"GBs\""]);
    assert_shows(
        &wrong("variant: serial }", "variant: seral }"),
        &["variant cannot be \"seral\"", "did you mean `serial`?"],
    );
    assert_shows(&wrong("threads: 1,", "threads: 0,"), &["threads is 0"]);
    assert_shows(&wrong("threads: 1,", "thrads: 1,"), &["there is no parameter `thrads`"]);
    assert_shows(&wrong("of_series: min / first", "of_series: min / frst"), &["did you mean `first`?"]);
    assert_shows(
        &wrong("  drop: { value: bandwidth,", "  drop: { value: base_speedup, against: { n: 1 },"),
        &["`speedup` compares runs itself"],
    );
    assert_shows(&wrong("  speedup:", "  time:"), &["`time` has a meaning in expressions"]);
}
