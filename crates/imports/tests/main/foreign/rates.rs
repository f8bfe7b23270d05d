//! Tests of the readers of STREAM and likwid-bench.

use super::{changed, cut, error, notes, read, short};
use crate::support::assert_shows;
use numalab_imports::foreign::from_text;

// 80 million elements of 8 bytes in three arrays: 1.92 GB. 165678.9 MB/s are 165.6789 GB/s.
#[test]
fn stream() {
    let found = read("stream-5.10-openmp.txt");
    let row = "stream bandwidth caches=warm;footprint=1920000000;proc_bind=spread;threads=16".to_owned();
    assert_eq!(short(&found), [(row, vec![165.6789], "GB/s")]);
    assert!(notes(&found, "left out: the workload measures Triad"));
    // A build without OpenMP prints no number of threads.
    assert_eq!(read("stream-5.10-serial.txt").rows[0].param("threads"), Some("1"));
    assert_eq!(short(&read("stream-5.9.txt"))[0].1, [23.1345678]);
    let table = read("stream-table.txt");
    assert!(table.rows[0].param("threads").is_none() && notes(&table, "the number of threads is not given"));
    let comma = super::sample("stream-table.txt").replace('.', ",");
    assert_eq!(short(&from_text("t", &comma, None).unwrap())[0].1, [165.6789]);
}

#[test]
fn mistakes_in_stream() {
    let name = "stream-5.10-openmp.txt";
    assert_shows(&cut(name, "Triad:"), &["FILE:19", "the rate of Triad is missing", "cut"]);
    assert_shows(&cut(name, "Function"), &["STREAM printed no rates", "cut"]);
    assert_shows(&cut(name, "     0.011799"), &["FILE:20", "times are missing"]);
    assert_shows(&changed(name, "165678.9", "quick"), &["FILE:20:16", "`quick` is no number", "MB/s"]);
    assert_shows(
        &changed(name, "Solution Validates:", "Failed Validation on array a[],"),
        &["FILE:22", "its result is wrong"],
    );
}

#[test]
fn likwid_bench() {
    let found = read("likwid-bench-load.txt");
    let row = "parallel_bandwidth read_bandwidth procs=0,1,2,3;share=250000000;threads=4".to_owned();
    assert_eq!(short(&found), [(row, vec![123.45678], "GB/s")]);
    let series = read("likwid-bench-series.txt");
    let quantities: Vec<&str> = series.rows.iter().map(|row| row.quantity.as_str()).collect();
    assert_eq!(quantities, ["write_bandwidth", "copy_bandwidth", "triad_bandwidth", "triad_bandwidth"]);
    assert!(notes(&series, "left out: test daxpy_avx") && notes(&series, "left out: test store_mem_avx"));
    assert!(notes(&series, "four arrays"));
}

#[test]
fn mistakes_in_likwid_bench() {
    let name = "likwid-bench-load.txt";
    assert_shows(&cut(name, "MByte/s:"), &["FILE:3", "this test has no rate", "cut"]);
    assert_shows(&cut(name, "6.78"), &["FILE:25", "the file ends within the rate"]);
    assert_shows(&changed(name, "123456.78", "quick"), &["FILE:25", "`quick` is no number"]);
    assert_shows(&error("MByte/s: 5.00\nCycles: 3\n"), &["FILE:1", "this rate has no test"]);
}
