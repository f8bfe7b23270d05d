//! Files of measurements: values that are read, lines that are pooled, and errors with their positions.

use numalab_imports::measurements::{
    EndsApart, HostRecord, Measurements, Row, measurements, measurements_from_text,
};
use proptest::prelude::*;

const HOST: &str = r#"{"record":"host","compiler":"gcc 14.2.0","cflags":"-O2","openmp":201511,"openmp_runtime":"libgomp","kernel":"6.12.1","page_size":4096,"processors":[1,0]}"#;
const LINE: &str = r#"{"record":"measurement","experiment":"compute","quantity":"time","params":{"threads":"2","footprint":"65536"},"unit":"ns","checked":true,"values":[41.2,41.3],"others":[0.00,0.5],"steal":[0.00,null],"waited":[0.000,3],"pace":[0.334,0.335]}"#;

fn read(text: &str) -> Measurements {
    measurements_from_text("host.jsonl", text).unwrap()
}

fn one(line: &str) -> Row {
    read(line).rows.remove(0)
}

/// The line with `from`, which must be in it, replaced by `to`.
fn changed(from: &str, to: &str) -> String {
    assert!(LINE.contains(from), "{from}");
    LINE.replacen(from, to, 1)
}

#[track_caller]
fn assert_refused(text: &str, parts: &[&str]) {
    let error = measurements_from_text("host.jsonl", text).unwrap_err().to_string();
    for part in parts {
        assert!(error.contains(part), "{part:?} is not in\n{error}");
    }
}

#[test]
fn a_file() {
    let file = read(&format!(
        "{HOST}\n{{\"record\":\"skipped\",\"experiment\":\"page_migration\",\"reason\":\"one node\"}}\n\n{LINE}\n"
    ));
    assert_eq!(
        file.host,
        HostRecord {
            compiler: Some("gcc 14.2.0".into()),
            cflags: Some("-O2".into()),
            openmp_runtime: Some("libgomp".into()),
            kernel: Some("6.12.1".into()),
            page_size: Some(4096),
            processors: vec![0, 1],
            more: vec![("openmp".into(), "201511".into())],
        }
    );
    assert_eq!(file.skipped, [("page_migration".to_owned(), "one node".to_owned())]);
    assert_eq!((file.warnings.len(), file.topology), (0, None));
    let row = &file.rows[0];
    assert_eq!(
        (row.experiment.as_str(), row.quantity.as_str(), row.unit.as_str()),
        ("compute", "time", "ns")
    );
    assert_eq!(
        (row.param("threads"), row.param("footprint"), row.param("x")),
        (Some("2"), Some("65536"), None)
    );
    assert_eq!(row.params[0].0, "footprint", "sorted by name");
    assert_eq!(row.source, "host.jsonl:4");
    let second = row.samples[1];
    assert_eq!((second.value, second.others, second.waited, second.pace), (41.3, 0.5, 3.0, 0.335));
    assert_eq!((second.steal, second.run), (0.0, 0), "null is not known");
}

#[test]
fn rounds_are_pooled() {
    let other = changed("\"time\"", "\"bandwidth\"");
    let file = read(&[LINE, &other, LINE, LINE].join("\n"));
    assert_eq!(file.rows.len(), 2);
    let runs: Vec<u32> = file.rows[0].samples.iter().map(|sample| sample.run).collect();
    assert_eq!(runs, [0, 0, 1, 1, 2, 2]);
    assert_eq!(file.rows[1].quantity, "bandwidth");
    assert_eq!(file.rows[0].source, "host.jsonl:1");
    let unit = changed("\"ns\"", "\"us\"");
    assert_refused(&format!("{LINE}\n{unit}"), &["host.jsonl:2", "`us` here and `ns` at host.jsonl:1"]);
}

#[test]
fn parameters_are_texts() {
    let row = one(&changed(r#""2""#, "2"));
    assert_eq!(row.param("threads"), Some("2"));
    assert_refused(&changed(r#""2""#, "[2]"), &["`threads` is a list", "expected a value in quotes"]);
    assert_refused(&changed(r#"{"threads":"2","footprint":"65536"}"#, "7"), &["`params` is the number 7"]);
}

#[test]
fn the_machine_beside_the_rows() {
    let name = |path: &str, text: &str| format!(r#"{{"record":"file","path":"{path}","text":"{text}\n"}}"#);
    let files = [
        name("/sys/devices/system/cpu/online", "0-1"),
        name("/sys/devices/system/cpu/cpu0/topology/physical_package_id", "0"),
        name("/sys/devices/system/cpu/cpu1/topology/physical_package_id", "0"),
        name("/sys/devices/system/node/node0/cpulist", "0-1"),
        name("/sys/devices/system/node/node0/meminfo", "Node 0 MemTotal:  4 kB"),
    ]
    .join("\n");
    let topology = read(&format!("{HOST}\n{files}\n{LINE}")).topology.unwrap();
    assert_eq!((topology.processors.len(), topology.page), (2, Some(4096)));
    assert_eq!(topology.nodes[0].capacity, Some(4096));
    let broken = files.replace("cpu/online\",\"text\":\"0-1", "cpu/online\",\"text\":\"0-");
    assert_refused(&broken, &["host.jsonl:1", "cpu/online says `0-`"]);
    // An error in the XML is shown in the XML.
    let xml = r#"{"record":"hwloc","xml":"<topology>\n<object type=\"PU\"/></topology>"}"#;
    assert_refused(
        &format!("{files}\n{xml}"),
        &["host.jsonl:6 (hwloc):2:1", "`os_index` is missing from a PU"],
    );
    let xml = r#"{"record":"hwloc","xml":"<topology>\n<object type=\"PU\" os_index=\"0\"/><object type=\"PU\" os_index=\"1\"/></topology>"}"#;
    let both = read(&format!("{files}\n{xml}")).topology.unwrap();
    assert_eq!(both.processors[1].package, Some(0), "what hwloc leaves open is taken from /sys");
}

#[test]
fn truncated_files() {
    let whole = format!("{HOST}\n{LINE}\n{LINE}\n");
    let first = format!("{HOST}\n{LINE}\n").len();
    for end in first + 1..whole.len() - 2 {
        let file = read(&whole[..end]);
        assert_eq!(file.rows[0].samples.len(), 2);
        assert_eq!(
            file.warnings,
            ["host.jsonl:3: the file ends within this record, which is left out"],
            "{end}"
        );
    }
    assert_eq!(read(&whole[..whole.len() - 1]).rows[0].samples.len(), 4);
}

#[test]
fn broken_lines() {
    let cut = &LINE[..40];
    assert_refused(&format!("{LINE}\n{cut}\n{LINE}"), &["host.jsonl:2:", "no JSON"]);
    assert_refused(cut, &["host.jsonl:1:", "no JSON"]);
    assert_refused(&format!("{LINE}\n[1]\n"), &["host.jsonl:2:1", "no JSON object"]);
    assert_refused("", &["there is nothing in this file"]);
    assert_refused("{}", &["`record` is missing"]);
    // Errors in both lines are shown together.
    assert_refused(&format!("x\n{LINE}\ny\n{LINE}"), &["host.jsonl:1:", "host.jsonl:3:"]);
}

#[test]
fn unknown_words() {
    let record = changed("\"measurement\"", "\"mesurement\"");
    assert_refused(
        &record,
        &["host.jsonl:1:", "there is no record `mesurement`", "did you mean `measurement`?"],
    );
    let key = changed("\"unit\"", "\"colour\":1,\"unit\"");
    let file = read(&format!("{key}\n{key}"));
    assert_eq!(file.warnings.len(), 1, "once, however often");
    assert!(file.warnings[0].starts_with("host.jsonl:1: the key `colour` is not known and not used"));
}

#[test]
fn values_that_are_none() {
    assert_refused(
        &changed("41.3", "null"),
        &["`values[1]` is null", "expected measured numbers", "host.jsonl:1:"],
    );
    assert_refused(&changed("41.3", "1e999"), &["no JSON", "number out of range"]);
    assert_refused(&changed("41.3", "NaN"), &["no JSON"]);
    assert_refused(&changed("41.3", "\"x\""), &["`values[1]` is the text \"x\""]);
    assert_refused(&changed("[41.2,41.3]", "[]"), &["there are no values"]);
    assert_refused(&changed("[41.2,41.3]", "7"), &["`values` is the number 7", "a list of numbers"]);
    assert_refused(&changed("0.5]", "-0.5]"), &["`others[1]` is negative"]);
    assert_refused(&changed("[0.334,0.335]", "[0.334]"), &["`values` has 2 numbers and `pace` has 1"]);
    assert_refused(&changed("\"pace\"", "\"peace\""), &["`pace` is missing"]);
    assert_refused(&changed("\"compute\"", "\"\""), &["`experiment` is empty"]);
    assert_refused(&changed("\"compute\"", "null"), &["`experiment` is null"]);
}

/// The processors of a team's ends and the time of handing a line over belong together.
#[test]
fn ends_of_teams() {
    let with = |ends: &str| changed("\"unit\"", &format!("{ends}\"unit\""));
    let rows = read(&with("\"ends\":[0,3],\"apart\":[27.5,0],")).rows;
    let apart: Vec<_> = rows[0].samples.iter().map(|sample| sample.apart).collect();
    assert_eq!(apart, [Some(EndsApart { ends: (0, 3), hand_over: 27.5 }), None], "0 was not measured");
    for (ends, shown) in [
        ("\"ends\":[0,3],", "`apart` is missing"),
        ("\"apart\":[27.5,26.5],", "`ends` is missing"),
        ("\"ends\":[0],\"apart\":[27.5,26.5],", "these are no two processors"),
        ("\"ends\":[0,1,2],\"apart\":[27.5,26.5],", "these are no two processors"),
        ("\"ends\":[0,0.5],\"apart\":[27.5,26.5],", "these are no two processors"),
        ("\"ends\":[0,-1],\"apart\":[27.5,26.5],", "these are no two processors"),
        ("\"ends\":[0,70000],\"apart\":[27.5,26.5],", "expected the numbers of two processors, below 65536"),
        ("\"ends\":[0,null],\"apart\":[27.5,26.5],", "these are no two processors"),
        ("\"ends\":\"0,1\",\"apart\":[27.5,26.5],", "`ends` is the text \"0,1\""),
        ("\"ends\":[0,1],\"apart\":[27.5],", "`values` has 2 numbers and `apart` has 1"),
        ("\"ends\":[0,1],\"apart\":[27.5,-1],", "`apart[1]` is negative"),
        ("\"ends\":[0,1],\"apart\":27.5,", "`apart` is the number 27.5"),
    ] {
        assert_refused(&with(ends), &["host.jsonl:1:", shown]);
    }
}

#[test]
fn a_wrong_result_is_left_out() {
    let file = read(&format!("{HOST}\n{}", changed("true", "false")));
    assert_eq!(file.rows, []);
    assert_eq!(file.warnings, ["host.jsonl:2: compute got a wrong result: left out"]);
}

#[test]
fn another_host() {
    let other = HOST.replace("libgomp", "libomp");
    let file = read(&format!("{HOST}\n{HOST}\n{other}"));
    assert_eq!(file.warnings, ["host.jsonl:3: another host than on line 1, which is the one that counts"]);
    assert_eq!(file.host.openmp_runtime.as_deref(), Some("libgomp"));
    for (from, to, said) in [
        ("4096", "4095", "`page_size` is the number 4095"),
        ("[1,0]", "[1,0.5]", "0.5 is no processor"),
        ("[1,0]", "[70000]", "70000 is no processor"),
    ] {
        assert_refused(&HOST.replace(from, to), &[said]);
    }
}

#[test]
fn no_file() {
    let error = measurements(std::path::Path::new("no/such/file.jsonl")).unwrap_err().to_string();
    assert!(error.contains("there is no such file"), "{error}");
}

proptest! {
    #[test]
    fn any_text(text in "\\PC{0,200}", lines in 0..3_usize) {
        let text = format!("{}{text}", format!("{LINE}\n").repeat(lines));
        let _ = measurements_from_text("f", &text).map_err(|error| error.render(true));
    }

    #[test]
    fn any_edit(at in 0..LINE.len(), length in 0..30_usize, with in "[\\[\\]{}\",:a-z0-9.-]{0,6}") {
        let line = format!("{}{with}{}", &LINE[..at], &LINE[(at + length).min(LINE.len())..]);
        for text in [line.clone(), format!("{HOST}\n{line}\n{LINE}")] {
            match measurements_from_text("f", &text) {
                Err(error) => prop_assert!(!error.render(true).is_empty()),
                Ok(file) => for row in &file.rows {
                    let undisturbed = row.undisturbed(&file.limits());
                    prop_assert!(undisturbed.median > 0.0 && undisturbed.median.is_finite());
                    prop_assert!(undisturbed.spread >= 0.0 && undisturbed.error >= 0.0);
                    prop_assert_eq!(undisturbed.values.len() + undisturbed.dropped, row.samples.len());
                },
            }
        }
    }
}
