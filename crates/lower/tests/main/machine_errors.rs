//! Errors of a wrong machine file.

use crate::support::{Scratch, assert_shows, error_of_machine, machine_with, workload_with};

#[test]
fn an_unknown_key_is_shown_with_the_nearest() {
    let error = error_of_machine(&Scratch::new().write(
        "m.toml",
        "name = \"m\"\n[[level]]\nkind = \"core\"\ncount = 4\n[core]\nclock = \"2 GHz\"\nflops_per_cycle = 4\n\
         instructions_per_cycle = 1\noutstanding = 10\n[memory]\ncapacity = \"1 GB\"\nlatency = \"100 ns\"\n\
         bandwith = \"18 GB/s\"\n",
    ));
    assert_eq!(
        error,
        "error: unknown key `bandwith` in `memory`\n  --> FILE:13:1\n   |\n13 | bandwith = \"18 GB/s\"\n   \
         | ^^^^^^^^ did you mean `bandwidth`?"
    );
}

#[test]
fn a_missing_key_says_what_it_would_be() {
    let error = machine_with("latency = \"134.7 ns\"", "");
    assert_shows(
        &error,
        &["missing key `latency` in `memory`", "[memory]", "`latency` is a time span such as \"128 ns\""],
    );
    let error = machine_with("kind = \"board\"", "");
    assert_shows(&error, &["missing key `kind` in `level[0]`", "[[level]]", "board, socket"]);
}

#[test]
fn a_wrong_unit_is_shown_with_the_right_ones() {
    let error = machine_with("bandwidth = \"3.4 GB/s\"", "bandwidth = \"3.4 GHz\"");
    assert_shows(&error, &["unknown unit \"GHz\"", "^^^^^^^ expected a bandwidth such as \"3.4 GB/s\""]);
    let error = machine_with("latency = \"134.7 ns\"", "latency = 134.7");
    assert_shows(&error, &["memory.latency is the number 134.7", "expected a time span such as \"128 ns\""]);
}

#[test]
fn an_unknown_protocol_is_shown_with_the_nearest() {
    let error = machine_with("protocol = \"mesif\"", "protocol = \"messif\"");
    assert_shows(&error, &["protocol", "\"messif\"", "did you mean `mesif`?"]);
    assert_shows(&machine_with("protocol = \"mesif\"", "protocol = 5"), &["mesi, mesif, moesi"]);
}

#[test]
fn zero_cores_are_refused() {
    assert_shows(&machine_with("count = 8", "count = 0"), &["level[2].count is 0", "expected at least 1"]);
    assert_shows(&machine_with("count = 8", "count = -8"), &["level[2].count is -8"]);
    assert_shows(&machine_with("count = 8", "count = 5000000000"), &["at most 4294967295"]);
    assert_shows(
        &machine_with("count = 8", "count = 4000000000"),
        &["hardware threads", "count = 4000000000"],
    );
}

#[test]
fn a_disconnected_graph_and_an_edge_to_nowhere_are_refused() {
    let edges = |edges: &str| {
        let text = format!("{{ shape = \"edges\", link = \"qpi\", edges = [{edges}] }}");
        machine_with("{ shape = \"mesh\", link = \"qpi\" }", &text)
    };
    assert_shows(
        &edges("{ from = 0, to = 1 }, { from = 2, to = 3 }"),
        &["no path of edges leads from socket 0 to socket 2; add an edge"],
    );
    let error =
        edges("{ from = 0, to = 1 }, { from = 1, to = 2 }, { from = 2, to = 3 }, { from = 3, to = 9 }");
    assert_shows(&error, &["there is no socket 9", "level[1].interconnect.edges[3]"]);
    let error = edges("{ from = 0, to = 1, link = \"qpj\" }");
    assert_shows(&error, &["unknown link \"qpj\"", "did you mean `qpi`?"]);
}

#[test]
fn an_interconnect_says_what_its_shape_needs() {
    let shape = |text: &str| machine_with("{ shape = \"mesh\", link = \"xqpi\" }", text);
    assert_shows(&shape("{ shape = \"torus\", link = \"xqpi\" }"), &["needs `dims`", "dims = [3, 6, 4]"]);
    assert_shows(&shape("{ shape = \"ring\", link = \"xqpi\", dims = [4] }"), &["this shape has no `dims`"]);
    assert_shows(&shape("{ shape = \"ring\" }"), &["missing key `link`"]);
    assert_shows(&shape("{ shape = \"rnig\", link = \"xqpi\" }"), &["did you mean `ring`?"]);
    assert_shows(&shape("{ shape = \"torus\", dims = [2, 3], link = \"xqpi\" }"), &["6 siblings"]);
}

#[test]
fn numbers_that_are_none_are_refused() {
    assert_shows(&machine_with("outstanding = 10", "outstanding = nan"), &["nan is not a finite number"]);
    assert_shows(&machine_with("outstanding = 10", "outstanding = -inf"), &["-inf is not a finite number"]);
    assert_shows(&machine_with("outstanding = 10", "outstanding = 0"), &["expected more than 0"]);
    assert_shows(&workload_with("overlap: 0", "overlap: .nan"), &[".nan is not a finite number"]);
    assert_shows(&workload_with("overlap: 0", "overlap: 2"), &["overlap is 2", "expected at most 1"]);
    assert_shows(&workload_with("overlap: 0", "overlap: packages / 0"), &["overlap is inf"]);
}

#[test]
fn a_refused_number_is_reported_once() {
    let error = machine_with("clock = \"2.0 GHz\"", "clock = inf");
    assert_shows(&error, &["inf is not a finite number"]);
    assert_eq!(error.matches("error:").count(), 1, "{error}");
}

#[test]
fn negative_and_overflowing_sizes_are_refused() {
    assert_shows(&machine_with("\"16 GB\"", "\"-16 GB\""), &["\"-16 GB\" is negative", "^^^^^^"]);
    assert_shows(&machine_with("\"16 GB\"", "\"99999 PB\""), &["too large"]);
    assert_shows(&machine_with("\"16 GB\"", "\"1e999 PB\""), &["not a finite number"]);
    assert_shows(
        &workload_with("a: { size: footprint / 3 }", "a: { size: 0 - footprint }"),
        &["regions.a.size is -4"],
    );
    assert_shows(&workload_with("40 GB", "10 ^ 300"), &["regions.a.size is 3.33", "expected at most 1.15"]);
    assert_shows(&workload_with("40 GB", "10 ^ 400"), &["parameters.footprint is inf"]);
    assert_shows(&workload_with("40 GB", "1 EB"), &["`EB` cannot follow a number", "unknown unit"]);
}

#[test]
fn memory_that_pages_share_is_that_of_the_outermost_level() {
    let without = machine_with("\n[os]\n", "\n[dsm]\npage = \"4 KiB\"\n[os]\n");
    assert_shows(
        &without,
        &["no level shares memory in software", "expected `sharing = \"dsm\"` in level[0]"],
    );
    let inner = machine_with("kind = \"socket\"\n", "kind = \"socket\"\nsharing = \"dsm\"\n");
    assert_shows(
        &inner,
        &["this level shares memory in software", "expected that of the outermost level alone"],
    );
    let word = machine_with("kind = \"board\"\n", "kind = \"board\"\nsharing = \"dms\"\n");
    assert_shows(&word, &["cannot be \"dms\"", "expected one of hardware, dsm"]);
}
