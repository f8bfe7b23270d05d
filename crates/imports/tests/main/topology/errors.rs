//! Errors in a description of a machine, with their positions.

use super::text;
use numalab_imports::topology::topology_from_text;

#[track_caller]
fn assert_shows(text: &str, parts: &[&str]) {
    let error = topology_from_text("FILE", text).unwrap_err().to_string();
    for part in parts {
        assert!(error.contains(part), "{part:?} is not in\n{error}");
    }
}

#[test]
fn truncated_xml() {
    let whole = text("one-socket.xml");
    assert_shows(&whole[..whole.len() / 2], &["FILE:", "no XML", "the file ends too early"]);
}

#[test]
fn wrong_attributes() {
    let whole = text("one-socket.xml");
    let changed = |from: &str, to: &str| {
        assert!(whole.contains(from), "{from}");
        whole.replacen(from, to, 1)
    };
    assert_shows(
        &changed("<object type=\"PU\" os_index=\"1\"", "<object type=\"PU\" os_index=\"70000\""),
        &["`70000` is no `os_index`", "expected a number below 65536"],
    );
    assert_shows(
        &changed("<object type=\"PU\" os_index=\"1\"", "<object type=\"PU\""),
        &["`os_index` is missing from a PU"],
    );
    assert_shows(
        &changed("<object type=\"PU\" os_index=\"1\"", "<object type=\"PU\" os_index=\"0\""),
        &["there are two processors 0"],
    );
    assert_shows(
        &changed("cache_size=\"110100480\"", "cache_size=\"-1\""),
        &["FILE:", "`-1` is no `cache_size`"],
    );
    assert_shows(&changed("depth=\"3\"", "depth=\"10\""), &["`10` is no `depth`", "a level from 1 to 9"]);
    assert_shows(
        &changed(
            "<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x00000003\"",
            "<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0xf...f\"",
        ),
        &["`0xf...f` is no `cpuset`", "expected a bitmap"],
    );
}

#[test]
fn wrong_distances() {
    let whole = text("expander.xml");
    let short = whole.replace("10 21 14 21 10 24 14 24 10", "10 21 14 21 10 24 14 24");
    assert_shows(&short, &["8 distances between 3 nodes", "expected 9"]);
    let words = whole.replace("10 21 14 21", "10 near 14 21");
    assert_shows(&words, &["`near` is no whole number"]);
}

#[test]
fn other_documents() {
    assert_shows("<svg/>", &["this is a document of `svg`", "lstopo --of xml"]);
    assert_shows("<topology/>", &["there are no processors"]);
    assert_shows("", &["no processors are listed here", "hwloc's XML"]);
    assert_shows("hello\n", &["FILE:1:1", "`hello` is no path and text of a file"]);
    assert_shows("/proc/meminfo:MemTotal: 1 kB\n", &["no processors are listed here"]);
}

#[test]
fn wrong_files_of_sys() {
    let whole = text("chips.sys");
    let changed = |from: &str, to: &str| {
        assert!(whole.contains(from), "{from}");
        whole.replacen(from, to, 1)
    };
    assert_shows(
        &changed("cpu/online:0-31", "cpu/online:0-x"),
        &["cpu/online says `0-x`", "a list of processors"],
    );
    assert_shows(
        &changed("node1/distance:16 10 32 32", "node1/distance:16 10 32"),
        &["FILE:", "`16 10 32`", "expected 4 whole numbers"],
    );
    assert_shows(
        &changed("node2/meminfo:Node 2 MemTotal:", "node2/meminfo:Node 2 MemFree:"),
        &["a line of MemTotal"],
    );
    assert_shows(&changed("index3/size:8192K", "index3/size:8192T"), &["`8192T`", "a size, such as 48K"]);
}

/// Tens of thousands of nested elements, and entities that expand to many others.
#[test]
fn hostile_xml() {
    let deep = "<object type=\"Group\">".repeat(50_000);
    let _ = topology_from_text("FILE", &format!("<topology>{deep}"));
    let closed = format!("<topology>{deep}{}</topology>", "</object>".repeat(50_000));
    let _ = topology_from_text("FILE", &closed);
    let caches = "<object type=\"L2Cache\" depth=\"2\">".repeat(50_000);
    assert_shows(
        &format!("<topology>{caches}{}</topology>", "</object>".repeat(50_000)),
        &["more than 16 caches inside each other"],
    );
    let entities: String =
        (1..30).map(|at| format!("<!ENTITY e{at} \"&e{};&e{};\">", at - 1, at - 1)).collect();
    let laughs = format!("<!DOCTYPE t [<!ENTITY e0 \"ha\">{entities}]><topology>&e29;</topology>");
    assert_shows(&laughs, &["no XML"]);
}
