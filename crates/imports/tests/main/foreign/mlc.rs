//! Tests of the reader of Intel's Memory Latency Checker.

use super::{changed, cut, error, notes, read, sample, short};
use crate::support::assert_shows;
use numalab_imports::foreign::{Tool, from_text};

#[test]
fn all_that_it_prints_without_options() {
    let found = read("mlc-3.5-default.txt");
    let latency = found.latency.as_ref().unwrap();
    assert_eq!((&latency.from[..], &latency.to[..]), (&[0, 1][..], &[0, 1][..]));
    // The matrix is not symmetric.
    assert_eq!([latency.get(0, 1), latency.get(1, 0)], [Some(137.1), Some(138.5)]);
    // 1 MB/sec is 10^6 bytes a second, 34566.8 of them 34.5668 GB/s.
    assert_eq!(found.bandwidth.as_ref().unwrap().get(0, 1), Some(34.5668));
    assert_eq!(found.loaded_latency.len(), 19);
    let last = found.loaded_latency[18];
    assert_eq!((last.delay, last.latency, last.bandwidth), (20000, 83.86, 11478.5e-3));
    let rows = short(&found);
    assert!(rows.contains(&("pointer_chase latency from=1;node=0".into(), vec![138.5], "ns")));
    assert!(rows.contains(&("node_bandwidth bandwidth from=0;node=1".into(), vec![34.5668], "GB/s")));
    assert!(rows.contains(&("parallel_bandwidth read_bandwidth ".into(), vec![197430.8 / 1e3], "GB/s")));
    assert!(rows.contains(&("loaded_latency latency bandwidth=11478500000".into(), vec![83.86], "ns")));
    assert!(rows.contains(&("core_to_core one_way pair=near".into(), vec![47.9], "ns")));
    // The line's home is the writer's node, then the reader's.
    assert!(rows.contains(&(
        "core_to_core one_way from=0;node=1;pair=nodes".into(),
        vec![123.4, 123.4],
        "ns"
    )));
    // Three mixes of reads and writes, and STREAM's triad: two parts of three are read.
    let mix = |read: &str| format!("loaded_latency moved bandwidth=1000000000000000;read_percent={read}");
    for (read, rate) in [("75", 183.6106), ("66.67", 179.662), ("50", 173.7391), ("66.67", 177.6877)] {
        assert!(rows.contains(&(mix(read), vec![rate], "GB/s")), "{read}");
    }
    assert_eq!(rows.len(), 4 + 4 + 1 + 4 + 19 + 1 + 2);
    assert!(found.rows[0].source.starts_with("mlc-3.5-default.txt:"));
}

/// With as many writes as reads, the curve is a separate one. Of other mixes the greatest bandwidth counts.
#[test]
fn latencies_beside_as_many_writes_are_a_curve_of_their_own() {
    let with = |option: &str| {
        let text =
            sample("mlc-3.7-loaded.txt").replace("--loaded_latency ", &format!("--loaded_latency {option} "));
        text.replace("Using Read-only traffic type\n", "")
    };
    let found = from_text("mlc.txt", &with("-W5"), None).unwrap();
    assert_eq!((found.loaded_latency.len(), found.mixed_latency.len()), (0, 19));
    assert!(short(&found).contains(&(
        "loaded_latency latency bandwidth=210000500000;read_percent=50".into(),
        vec![338.4],
        "ns"
    )));
    let moved = |read: &str| format!("loaded_latency moved bandwidth=1000000000000000;read_percent={read}");
    assert_eq!(short(&found)[0], (moved("50"), vec![210000.5 * 1e-3], "GB/s"));
    for (option, read) in [("-W3", "75"), ("-W2", "66.67"), ("-W8", "50")] {
        let found = from_text("mlc.txt", &with(option), None).unwrap();
        assert_eq!(short(&found), [(moved(read), vec![210000.5 * 1e-3], "GB/s")], "{option}");
        assert!(found.mixed_latency.is_empty() && notes(&found, "its greatest bandwidth alone counts"));
    }
    assert_shows(&error(&with("-W6")), &["loaded latencies of reads and writes alone"]);
}

#[test]
fn eight_nodes_and_random_access() {
    let found = read("mlc-3.11-eight-nodes.txt");
    // In the file: 208.5 from node 0 to node 4, 208.1 back.
    let latency = found.latency.as_ref().unwrap();
    assert_eq!((latency.from.len(), latency.get(0, 4), latency.get(4, 0)), (8, Some(208.5), Some(208.1)));
    assert!(notes(&found, "Unable to modify prefetchers"));
}

#[test]
fn nodes_without_processors_have_columns_alone() {
    for (name, from, alone) in
        [("mlc-3.9-latency-cxl.txt", 1, &[1, 2][..]), ("mlc-3.9a-optane.txt", 2, &[2, 3][..])]
    {
        let latency = read(name).latency.unwrap();
        assert_eq!((latency.from.len(), &latency.without_row()[..]), (from, alone));
        assert!(notes(&read(name), "taken as memory without processors"));
    }
}

#[test]
fn missing_cells_are_missing_rows() {
    let found = read("mlc-3.10-latency-no-memory.txt");
    assert_eq!(found.latency.as_ref().unwrap().get(0, 1), None);
    assert_eq!(found.rows.len(), 12);
    assert!(found.rows.iter().all(|row| row.param("node") != Some("1")));
    // Numbers with gaps, in any order of lines.
    let text = "Measuring idle latencies (in ns)...\nNuma node 0 4 9\n 9 3.0 4.0 1.5\n 0 1.0 - 2.0\n";
    let latency = from_text("t", text, None).unwrap().latency.unwrap();
    assert_eq!((latency.from.clone(), latency.to.clone()), (vec![9, 0], vec![0, 4, 9]));
    assert_eq!([latency.get(9, 0), latency.get(0, 4), latency.get(0, 9)], [Some(3.0), None, Some(2.0)]);
}

#[test]
fn single_measurements() {
    for (name, row, value) in [
        ("mlc-3.6-peak.txt", "parallel_bandwidth read_bandwidth ", 123.4567),
        ("mlc-3.11b-max.txt", "parallel_bandwidth read_bandwidth ", 234.56789),
        ("mlc-3.5-idle.txt", "pointer_chase latency from=0;node=0", 81.4),
        ("mlc-3.11-idle.txt", "pointer_chase latency from=0;node=0", 110.3),
        ("mlc-3.9-c2c.txt", "core_to_core one_way pair=near", 45.6),
    ] {
        let found = read(name);
        let rows = short(&found);
        let alone: Vec<_> = rows.iter().filter(|row| !row.0.contains("read_percent")).collect();
        assert_eq!((alone.len(), alone[0].0.as_str(), &alone[0].1[..]), (1, row, &[value][..]), "{name}");
    }
    let sockets = read("mlc-3.4-sockets.txt");
    assert!(sockets.latency.is_some() && notes(&sockets, "numbers sockets"));
}

// The same matrix three times: 80, 82 and 81, of which 81 is the median.
#[test]
fn repetitions_are_samples() {
    let run = |value| format!("Measuring idle latencies (in ns)...\nNuma node 0\n 0 {value}\n\n");
    let found = from_text("t", &["80.0", "82.0", "81.0"].map(run).concat(), None).unwrap();
    assert_eq!(short(&found)[0].1, [80.0, 82.0, 81.0]);
    assert_eq!(found.latency.unwrap().get(0, 0), Some(81.0));
}

#[test]
fn ragged_and_mangled_matrices() {
    let name = "mlc-3.8-bandwidth.txt";
    assert_shows(
        &changed(name, "\t34566.8", ""),
        &["FILE:11", "1 number in the line of node 0, but 2 nodes", "expected 2"],
    );
    assert_shows(&changed(name, "34566.8", "34566.8 3.0"), &["FILE:11", "3 numbers in the line of node 0"]);
    assert_shows(&changed(name, "34566.8", "34566,8"), &["FILE:11:18", "`34566,8` has a comma", "LC_ALL=C"]);
    assert_shows(
        &changed(name, "34566.8", "fast"),
        &["FILE:11:18", "`fast` is no number", "expected MB/sec"],
    );
    assert_shows(&changed(name, "34566.8", "-5"), &["FILE:11:18", "`-5`"]);
    assert_shows(&changed(name, "     0\t     1", "     1\t     1"), &["FILE:10", "node 1 has two columns"]);
    assert_shows(
        &changed(name, "       1\t34577.8", "       0\t34577.8"),
        &["FILE:12:8", "node 0 has two lines"],
    );
    assert_shows(&changed(name, "     1\t\n", "99999999\t\n"), &["FILE:10", "`99999999` is too large"]);
    assert_shows(
        &changed(name, "MB/sec (", "furlongs ("),
        &["FILE:6", "bandwidths in furlongs", "expected MB/sec"],
    );
    assert_shows(
        &error("Numa node 0 1\n 0 1.0 2.0\n"),
        &["FILE:1:1", "this matrix has no title", "Measuring idle"],
    );
    assert_shows(&changed("mlc-3.5-default.txt", "(in ns)", "(in clocks)"), &["FILE:2", "not in ns"]);
    let wide: String = (0..5000).map(|node| format!(" {node}")).collect();
    assert_shows(
        &error(&format!("Measuring idle latencies (in ns)...\nNuma node{wide}\n")),
        &["5000 nodes", "at most 4096"],
    );
}

#[test]
fn files_that_were_cut() {
    let name = "mlc-3.9-latency-cxl.txt";
    assert_shows(&cut(name, "\t\tNuma node"), &["FILE:5", "no idle latencies below this title", "cut below"]);
    assert_shows(&cut(name, "       0\t"), &["FILE:7", "the matrix has no lines"]);
    assert_shows(
        &cut(name, " 417.1"),
        &["FILE:8", "2 numbers in the line of node 0, but 3 nodes", "cut here"],
    );
    assert_shows(&cut(name, ".1\t"), &["FILE:8", "the file ends within `417`", "as 91.4"]);
    // Without options all sections follow. So the file was cut, and the missing line is not that of a node without
    // processors.
    assert_shows(
        &cut("mlc-3.5-default.txt", "       1\t"),
        &["FILE:5", "the file ends within the matrix", "node 1"],
    );
    assert_shows(&cut("mlc-3.7-loaded.txt", "338.40"), &["FILE:12", "1 number, but three columns"]);
    let loaded = sample("mlc-3.7-loaded.txt");
    let at = loaded.find("296.10").unwrap();
    assert_shows(&error(&loaded[..at + 3]), &["FILE:13", "2 numbers, but three columns", "cut here"]);
    assert_shows(&cut("mlc-3.7-loaded.txt", "Inject"), &["no loaded latencies below this title"]);
    assert_shows(&cut("mlc-3.6-peak.txt", "123456.7"), &["FILE:10", "the rate is missing"]);
    assert_shows(&cut("mlc-3.5-idle.txt", "\t81.4"), &["FILE:5", "the latency in nanoseconds is missing"]);
}

#[test]
fn what_is_of_no_use_is_said() {
    assert_shows(&error(sample("mlc-3.11b-bandwidth-writes.txt")), &["bandwidths of reads and writes alone"]);
    let idle = sample("mlc-3.5-idle.txt").replace("--idle_latency", "--idle_latency -c3 -j1");
    assert_shows(&error(&idle), &["an idle latency alone"]);
    assert_shows(
        &from_text("FILE", "nothing", Some(Tool::Mlc)).unwrap_err().to_string(),
        &["nothing was measured"],
    );
    let warm = sample("mlc-3.9-latency-cxl.txt").replace("--latency_matrix", "--latency_matrix -e");
    assert!(notes(&from_text("t", &warm, None).unwrap(), "prefetchers were on (-e)"));
}
