//! Files that are read, and files that are refused with the position of the error.

use super::*;
use numalab_results::SCHEMA_VERSION;
use proptest::prelude::*;

fn file(text: &str) -> Source {
    Source { name: "FILE".to_owned(), text: text.to_owned() }
}

fn read(text: &str) -> DistanceMatrix {
    distances(file(text)).unwrap()
}

fn error(text: &str) -> String {
    distances(file(text)).unwrap_err().to_string()
}

fn table(text: &str) -> Result<ThreadNodeTable, String> {
    counts_csv::read(text).map_err(|items| Diagnostics::new(vec![file(text)], items).to_string())
}

#[track_caller]
fn assert_shows(error: &str, parts: &[&str]) {
    for part in parts {
        assert!(error.contains(part), "{part:?} is not in\n{error}");
    }
}

/// Run of two threads on node 0, with these bytes and this list of nodes.
fn run_text(nodes: &str, bytes: [&str; 2]) -> String {
    let thread = |thread: usize| {
        format!(
            r#"{{"thread":{thread},"processor":{thread},"node":0,"compute_ps":0,"stall_ps":0,"overhead_ps":0,
            "idle_ps":0,"iterations":1,"stolen":0,"cached_bytes":0,"bytes_by_node":{},"time_by_node_ps":[]}}"#,
            bytes[thread]
        )
    };
    let input = r#"{"name":"n","hash":"00"}"#;
    format!(
        r#"{{"schema_version":{SCHEMA_VERSION},"seed":0,"machine":{input},"workload":{input},
        "layout":{{"boards":0,"sockets":2,"nodes":{nodes}}},"runs":[{{"policy":"static","threads":2,
        "makespan_ps":1,"events":1,"ideal_work_ps":1,"memory_penalty_ps":0,"overhead_ps":0,
        "idle_ps":0,"transactions":0,"bytes_by_level":{{"node":0,"socket":0,"board":0,"machine":0}},
        "cached_bytes":0,"phases":[],"resources":[],"team":[{},{}]}}]}}"#,
        thread(0),
        thread(1)
    )
}

fn counted(text: &str) -> Result<ThreadNodeTable, String> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    run_counts(file.path(), None).map_err(|error| error.to_string())
}

#[test]
fn counts_of_a_run() {
    let table = counted(&run_text("3", ["[[0,7],[2,1]]", "[]"])).unwrap();
    assert_eq!((table.counts, table.nodes.len()), (vec![vec![7, 0, 1], vec![0; 3]], 3));
    let refused = |nodes: &str, bytes: &str, parts: &[&str]| {
        assert_shows(&counted(&run_text(nodes, [bytes, "[]"])).unwrap_err(), parts);
    };
    refused("2", "[[0,7],[2,1]]", &["the run of", "bytes of node 2 in thread 0"]);
    refused("0", "[]", &["counts no nodes"]);
    refused("4294967295", "[]", &["2 threads on 4294967295 nodes"]);
    refused("2", "[[1,7],[0,1]]", &["these are no results", "not in the order of their nodes", ":6:"]);
    // A file of version 1.
    refused("2", "[7,0]", &["these are no results", "expected the results of a simulation"]);
    let others = run_text("2", ["[]", "[]"]).replace(&format!(":{SCHEMA_VERSION},"), ":1,");
    assert_shows(&counted(&others).unwrap_err(), &["of version 1", "reads version 3"]);
}

const ROWS: [[f64; 2]; 2] = [[10.0, 21.5], [20.0, 10.0]];

#[test]
fn csv_with_and_without_names() {
    let rows = ROWS.map(Vec::from).to_vec();
    for (text, names) in [
        ("10,21.5\n20,10\n", ["0", "1"]),
        ("# measured\r\n\r\n 10 , 21.5\r\n20,10", ["0", "1"]),
        ("a,b\n10,21.5\n20,10\n", ["a", "b"]),
        ("node,4,8\n4,10,21.5\n8,20,10\n", ["4", "8"]),
        (",4,8\n4,10,21.5\n8,20,10\n", ["4", "8"]),
        ("\"from\",\"a\",\"b\"\n\"a\",10,21.5\n\"b\",20,10\n", ["a", "b"]),
    ] {
        let matrix = read(text);
        assert_eq!((matrix.rows, matrix.names), (rows.clone(), names.map(str::to_owned).to_vec()), "{text}");
    }
    assert_eq!(read("10").rows, [[10.0]]);
}

#[test]
fn csv_that_is_no_square() {
    assert_shows(&error("10,20\n20\n"), &["FILE:2:1", "1 distance in a line, but 2 nodes", "expected 2"]);
    let truncated = error("10,20,20\n20,10,20\n");
    assert_shows(&truncated, &["FILE:2:1", "2 lines of distances for 3 nodes", "expected more below"]);
    // With a header, a lost line does not turn the first column into names.
    assert_shows(&error("a,b,c\n10,20,20\n20,10,20\n"), &["FILE:3:1", "2 lines of distances for 3 nodes"]);
    assert_shows(&error("10,20\n20,10\n20,20\n"), &["FILE:3:1", "expected fewer"]);
    assert_shows(&error(""), &["there are no distances"]);
}

#[test]
fn csv_with_bad_numbers() {
    assert_shows(&error("10,20\n,10\n"), &["FILE:2:1", "a number is missing"]);
    assert_shows(&error("10,20\n20,-1\n"), &["FILE:2:4", "`-1` is not a distance", "not negative"]);
    assert_shows(&error("a,b\n10,nan\ninf,10\n"), &["FILE:2:4", "`nan`", "FILE:3:1", "`inf`"]);
}

const NUMACTL: &str = "\
available: 3 nodes (0-1,8)
node 0 cpus: 0 1 2 3
node 0 size: 16037 MB
node 0 free: 15000 MB
node 1 cpus: 4 5 6 7
node 1 size: 16125 MB
node 1 free: 15900 MB
node 8 cpus:
node 8 size: 64000 MB
node 8 free: 64000 MB
node distances:
node   0   1   8 
  0:  10  21  40 
  1:  20  10  40 
  8:  40  41  10 
";

// Node 8 is memory-only; two nodes with processors are left.
#[test]
fn numactl_with_a_gap_and_a_node_without_processors() {
    let matrix = read(NUMACTL);
    assert_eq!(matrix.names, ["0", "1", "8"]);
    assert_eq!(matrix.rows, [[10.0, 21.0, 40.0], [20.0, 10.0, 40.0], [40.0, 41.0, 10.0]]);
    assert_eq!(matrix.memory_only, [2]);
    let with = matrix.with_processors();
    assert_eq!(
        (with.names, with.rows),
        (vec!["0".into(), "1".into()], vec![vec![10.0, 21.0], vec![20.0, 10.0]])
    );
    // The section alone is enough.
    let section = &NUMACTL[NUMACTL.find("node distances").unwrap()..];
    assert_eq!(read(section).memory_only, [0usize; 0]);
}

#[test]
fn numactl_that_was_cut_or_mangled() {
    let cut = |at: &str| error(&NUMACTL[..NUMACTL.find(at).unwrap()]);
    assert_shows(&cut("node distances"), &["FILE:10:1", "there are no node distances"]);
    assert_shows(&cut("node   0"), &["FILE:11:1", "the distances are missing"]);
    assert_shows(&cut("  8:"), &["FILE:14", "2 lines of distances for 3 nodes", "the line of node 8 below"]);
    assert_shows(&cut("  41"), &["FILE:15", "1 distance in the line of node 8", "expected 3"]);
    let changed = |from: &str, to: &str| error(&NUMACTL.replace(from, to));
    assert_shows(&changed("  1:", "  2:"), &["FILE:14", "this is not the line of node 1"]);
    assert_shows(&changed("  8:  40  41", "  8:  40  x"), &["FILE:15:11", "`x` is not a distance"]);
    assert_shows(&changed("node   0   1   8", "node   0   1   1"), &["FILE:12", "node 1 is named twice"]);
    assert_shows(&changed("node   0   1   8", "node"), &["FILE:12", "there are no nodes"]);
    assert_shows(&changed("node   0", "nodes  0"), &["FILE:12", "this is no line of node numbers"]);
    assert_shows(&error(&format!("{NUMACTL}  9: 1 2 3\n")), &["FILE:16", "more lines than the 3 nodes"]);
}

#[test]
fn thread_node_tables() {
    let table_of = table("thread,node1,node2\n1,5,6\nmain,7,8\n").unwrap();
    assert_eq!(table_of.nodes, ["node1", "node2"]);
    assert_eq!(table_of.threads, ["1", "main"]);
    assert_eq!(table_of.counts, [[5, 6], [7, 8]]);
    let error = |text: &str| table(text).unwrap_err();
    assert_shows(&error("1,5,6\n2,7,8\n"), &["FILE:1:1", "the header is missing", "thread,node0,node1"]);
    assert_shows(&error("thread,a,b\n1,5\n"), &["FILE:2:1", "1 count for thread 1, but 2 nodes"]);
    assert_shows(&error("thread,a,b\n1,5,-6\n"), &["FILE:2:5", "`-6` is not a count"]);
    assert_shows(&error("thread,a,b\n1,5,\n"), &["FILE:2:5", "a number is missing"]);
    assert_shows(&error("thread,a,\n1,5,6\n"), &["FILE:1:10", "a node's name is missing"]);
    assert_shows(&error("thread,a\n,5\n"), &["FILE:2", "the thread's name is missing"]);
    assert_shows(&error("thread\n1\n"), &["FILE:1:1", "there are no nodes in the header"]);
    assert_shows(&error("thread,a\n"), &["there are no counts"]);
}

/// Reading ends with a valid table or with a message.
fn survives(text: &str) {
    match distances(file(text)) {
        Ok(matrix) => {
            assert!(!matrix.rows.is_empty() && matrix.names.len() == matrix.rows.len());
            for row in &matrix.rows {
                assert_eq!(row.len(), matrix.rows.len());
                assert!(row.iter().all(|value| value.is_finite() && *value >= 0.0));
            }
            matrix.with_processors();
        }
        Err(error) => assert!(!error.render(true).is_empty()),
    }
    match table(text) {
        Ok(table) => {
            assert_eq!(table.counts.len(), table.threads.len());
            assert!(table.counts.iter().all(|row| row.len() == table.nodes.len()));
        }
        Err(error) => assert!(!error.is_empty()),
    }
}

fn mutated(text: &'static str) -> impl Strategy<Value = String> {
    let snippet = prop::sample::select(vec![
        "",
        "\n",
        ",",
        ",,",
        "é",
        "-1",
        "nan",
        "1e999",
        ":",
        "\"",
        " ",
        "\t",
        "node",
        "0",
        "#",
        "\r",
        "node distances:\n",
        "99999999999999999999",
        "\u{2003}",
    ]);
    prop::collection::vec((0..text.len(), 0..20usize, snippet), 1..5).prop_map(move |edits| {
        let mut text = text.to_owned();
        for (at, length, snippet) in edits {
            let fit =
                |at: usize| (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap();
            let (start, end) = (fit(at), fit(at + length));
            text.replace_range(start..end, snippet);
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in "\\PC{0,80}") {
        survives(&text);
    }

    #[test]
    fn text_of_the_right_characters(text in "[a-c0-9.,:# \\n\"-]{0,120}") {
        survives(&text);
        survives(&format!("node distances:\n{text}"));
    }

    #[test]
    fn mangled_numactl(text in mutated(NUMACTL)) {
        survives(&text);
    }

    #[test]
    fn mangled_csv(text in mutated(include_str!("../../../../reference/distance-hp8.csv"))) {
        survives(&text);
    }

    #[test]
    fn mangled_tables(text in mutated(include_str!("../../../../reference/tnt-mg8.csv"))) {
        survives(&text);
    }

    #[test]
    fn what_is_written_is_read(rows in (1usize..9).prop_flat_map(|n| prop::collection::vec(prop::collection::vec(0u32..1000, n), n))) {
        let lines: Vec<String> = rows.iter().map(|row| row.iter().map(u32::to_string).collect::<Vec<_>>().join(",")).collect();
        let back = read(&lines.join("\n"));
        let expected: Vec<Vec<f64>> = rows.iter().map(|row| row.iter().map(|&value| f64::from(value)).collect()).collect();
        prop_assert_eq!(back.rows, expected);
    }
}
