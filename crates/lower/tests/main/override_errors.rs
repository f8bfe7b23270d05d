//! Tests that errors of `--set` point at its text.

use crate::support::assert_shows;
use numalab_files::parse_overrides;
use numalab_lower::machine;

#[test]
fn errors_in_overrides_point_at_the_override() {
    let errors = |texts: &[&str]| {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        match parse_overrides(&texts) {
            Err(error) => error.to_string(),
            Ok(set) => machine("bcs16", &set.machine).unwrap_err().to_string(),
        }
    };
    assert_eq!(
        errors(&["machine.memory.bandwidth=18 GHz"]),
        "error: unknown unit \"GHz\" in \"18 GHz\"\n --> --set:1:26\n  |\n1 | machine.memory.bandwidth=18 GHz\n  \
         |                          ^^^^^^ expected a bandwidth such as \"3.4 GB/s\" (units: B/s, kB/s, MB/s, \
         GB/s, TB/s, PB/s, KiB/s, MiB/s, GiB/s, TiB/s, PiB/s)"
    );
    assert_shows(&errors(&["machine.memory.bandwith=1 GB/s"]), &["--set:1:16", "did you mean `bandwidth`?"]);
    assert_shows(&errors(&["machine.level.bord.count=1"]), &["no item `bord`", "did you mean `board`?"]);
    assert_shows(
        &errors(&["machine.link.xqp.lanes=1"]),
        &["nothing is called `xqp`", "did you mean `xqpi`?"],
    );
    assert_shows(&errors(&["machine.core.clock.x=1"]), &["nothing is called `x` here"]);
    assert_shows(&errors(&["machine.core=3"]), &["core is the number 3", "expected a table"]);
    assert_shows(
        &errors(&["machin.core.clock=1", "machine", "="]),
        &["did you mean `machine`?", "this sets nothing"],
    );
    assert_shows(&errors(&["machine.core.outstanding=1e999"]), &["core.outstanding is the text \"1e999\""]);
}

#[test]
fn a_matrix_that_nothing_reads_is_refused() {
    let matrix = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fuzz/corpus/matrix/small.mtx");
    let set = parse_overrides(&[format!("workload.matrix={matrix}")]).unwrap();
    let of = |text: &str| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("w.yaml");
        std::fs::write(&path, text).unwrap();
        let read = numalab_lower::read_workload(path.to_str().unwrap()).unwrap();
        numalab_lower::workload_of(&read, &set.workload, &crate::facts::FACTS).map(|_| ())
    };
    let text = |iterations: &str, instructions: &str| {
        format!(
            "name: w\nregions: {{}}\nphases: [{{ name: p, measured: true, loop: {{ iterations: {iterations}, \
             instructions: {instructions} }} }}]\n"
        )
    };
    assert_shows(
        &of(&text("8", "i")).unwrap_err().to_string(),
        &["nothing in", "reads a matrix", "--set:1:17"],
    );
    assert!(of(&text("rows", "i")).is_ok());
    assert!(of(&text("2", "row_entries(i)")).is_ok());
    let cg = numalab_lower::read_workload("cg").unwrap();
    assert!(numalab_lower::workload_of(&cg, &set.workload, &crate::facts::FACTS).is_err());
}

#[test]
fn a_word_where_a_table_may_stand_names_its_keys() {
    let read = |slice: &str| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("w.yaml");
        let text = format!(
            "name: w\nregions: {{ v: {{ size: 100 }} }}\nphases: [{{ name: p, measured: true, loop: {{ iterations: 8, \
             touches: [{{ region: v, slice: {slice}, mode: read }}] }} }}]\n"
        );
        std::fs::write(&path, text).unwrap();
        let read = numalab_lower::read_workload(path.to_str().unwrap()).unwrap();
        numalab_lower::workload_of(&read, &[], &crate::facts::FACTS)
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    assert_shows(&read("blocked").unwrap_err(), &["one of whole, or a table with", "partition", "start"]);
    assert_eq!(read("{ partition: 1 }"), Ok(()));
}
