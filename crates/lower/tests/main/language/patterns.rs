//! Access patterns, page operations and matrices.

use super::{FACTS, FILE, load};
use crate::support::{Scratch, assert_shows};
use numalab_lower::workload;
use numalab_workload::{Mode, Slice};
use std::fs;

#[test]
fn patterns_of_access_become_slices() {
    let slice = |text: &str| {
        let file = FILE.replace("slice: { partition: 1 }, mode: read", &format!("slice: {text}, mode: read"));
        load(&file, &[]).map(|loaded| loaded.workload.value.phases[0].accesses[0].slice.clone())
    };
    // 16 iterations on 2 MB have 125 000 bytes each, and 100 more on either side.
    assert_eq!(slice("{ partition: 1, halo: 100 }").unwrap().range(1), (124_900, 250_100));
    assert_eq!(
        slice("{ start: 64 * i, length: 8, stride: 6400, count: 10 }").unwrap().range(1),
        (64, 57_672)
    );
    assert_eq!(slice("{ gather: 5, element: 8 }").unwrap().range(1), (0, 2_000_000));
    assert!(matches!(slice("{ gather: 5, element: 8, around: i, width: 64 }"), Ok(Slice::Sparse(_))));
    let error = |text: &str| slice(text).unwrap_err();
    assert_shows(&error("{ partition: 1, halo: 0 - 1 }"), &["the halo of iteration 0 is -1 bytes"]);
    assert_shows(&error("{ partition: 1, count: 1 }"), &["this is not a slice", "gather"]);
    assert_shows(&error("{ gather: 5 }"), &["this is not a slice"]);
    assert_shows(&error("{ gather: 5, element: 0 }"), &["element is 0"]);
    assert_shows(&error("{ gather: 5, element: 8, around: 3 MB, width: 8 }"), &["around byte 3000000"]);
    assert_shows(&error("{ start: 0, length: 1 MB, stride: 1 MB, count: 3 }"), &["reaches byte 3000000"]);
}

#[test]
fn modes_may_act_on_pages() {
    let mode = |text: &str| {
        let file = FILE.replace("mode: read", &format!("mode: {text}"));
        load(&file, &[]).map(|loaded| loaded.workload.value.phases[0].accesses[0].mode)
    };
    assert_eq!(mode("fetch").unwrap(), Mode::Fetch);
    assert_eq!(mode("next-touch").unwrap(), Mode::NextTouch);
    assert_eq!(mode("{ migrate: nodes - 2 }").unwrap(), Mode::Migrate(2));
    assert_shows(&mode("{ migrate: 4 }").unwrap_err(), &["the machine has no node 4"]);
    assert_shows(&mode("{ move: 4 }").unwrap_err(), &["unknown key `move`", "missing key `migrate`"]);
    assert_shows(&mode("fetsh").unwrap_err(), &["did you mean `fetch`?"]);
}

#[test]
fn a_matrix_is_read_beside_its_workload() {
    let scratch = Scratch::new();
    let matrix =
        "%%MatrixMarket matrix coordinate real symmetric\n% 3 x 3\n3 3 4\n1 1 2\n2 1 -1\n2 2 2\n3 3 1e0\n";
    scratch.write("m.mtx", matrix);
    let text = "name: w\nmatrix: m.mtx\nregions: { v: { size: 8 * entries }, x: { size: 8 * columns } }\nphases:\n\
                \x20 - name: product\n    measured: true\n    loop:\n      iterations: rows\n      touches:\n\
                \x20       - { region: v, slice: { partition: row_entries(i) }, mode: read }\n\
                \x20       - { region: x, slice: { start: 8 * first_column(i), length: 8 * (last_column(i) - first_column(i) + 1) }, mode: read }\n";
    let path = scratch.write("w.yaml", text);
    let load = || {
        let loaded = workload(path.to_str().unwrap(), &[], &FACTS);
        loaded.map_err(|error| error.to_string().replace(scratch.0.path().to_str().unwrap(), "DIR"))
    };
    let loaded = load().unwrap().workload;
    // Entries at (1, 1), (2, 1), (1, 2), (2, 2), (3, 3): rows of 2, 2 and 1 entries.
    let accesses = &loaded.value.phases[0].accesses;
    assert_eq!([0, 1, 2].map(|row| accesses[0].slice.range(row)), [(0, 16), (16, 32), (32, 40)]);
    assert_eq!([0, 1, 2].map(|row| accesses[1].slice.range(row)), [(0, 16), (0, 16), (16, 24)]);
    // The contents of the file are a part of the workload's hash.
    fs::write(scratch.0.path().join("m.mtx"), matrix.replace("2 1 -1", "3 1 -1")).unwrap();
    assert_ne!(load().unwrap().workload.hash, loaded.hash);
    fs::write(scratch.0.path().join("m.mtx"), matrix.replace("2 1 -1", "4 1 -1")).unwrap();
    assert_shows(
        &load().err().unwrap(),
        &["DIR/m.mtx:5: there is no row 4, column 1", "DIR/w.yaml:2:9", "rows 1 to 3"],
    );
    fs::remove_file(scratch.0.path().join("m.mtx")).unwrap();
    assert_shows(&load().err().unwrap(), &["cannot read DIR/m.mtx: there is no such file", "DIR/w.yaml:2:9"]);
}
