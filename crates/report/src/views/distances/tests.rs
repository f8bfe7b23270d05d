use crate::fixtures::distances::distances;
use crate::*;
use numalab_results::*;
use proptest::prelude::*;

#[test]
fn simulated_beside_measured() {
    insta::assert_snapshot!(table(&distances(2, Some("measured.csv")), Style::default()), @r"
    tiny · 4 nodes

    idle latency, ns      firmware
         0   1   2   3        0  1  2  3
    0:  80 111 318 318    0: 10 14 40 40
    1: 111  80 318 318    1: 14 10 40 40
    2: 318 318  80 111    2: 40 40 10 14
    3: 318 318 111  80    3: 40 40 14 10

    one core, GB/s        all cores of a node, GB/s
         0   1   2   3          0    1    2    3
    0: 5.2 4.0 0.9 0.9    0: 15.6 12.0  2.8  2.8
    1: 4.0 5.2 0.9 0.9    1: 12.0 15.6  2.8  2.8
    2: 0.9 0.9 5.2 4.0    2:  2.8  2.8 15.6 12.0
    3: 0.9 0.9 4.0 5.2    3:  2.8  2.8 12.0 15.6

    simulated, 10 = 15.6 GB/s    measured.csv
        0  1  2  3                   0  1  2  3
    0: 10 13 56 56               0: 10 13 55 55
    1: 13 10 56 56               1: 13 10 55 55
    2: 56 56 10 13               2: 55 55 10 13
    3: 56 56 13 10               3: 55 55 13 10

    Compared with measured.csv:
      simulated off by 1.2 % on average, 2.4 % at most (node 0 reads from 2)
      firmware  off by 15.6 % on average, 27.3 % at most (node 0 reads from 2)
    ");
}

#[test]
fn below_each_other_where_there_is_no_room() {
    let style = Style { width: 60, unicode: false, ..Style::default() };
    insta::assert_snapshot!(table(&distances(5, None), style), @r"
    tiny, 10 nodes

    idle latency, ns
         0   1   2   3   4   5   6   7   8   9
    0:  80 111 318 318 318 318 318 318 318 318
    1: 111  80 318 318 318 318 318 318 318 318
    2: 318 318  80 111 318 318 318 318 318 318
    3: 318 318 111  80 318 318 318 318 318 318
    4: 318 318 318 318  80 111 318 318 318 318
    5: 318 318 318 318 111  80 318 318 318 318
    6: 318 318 318 318 318 318  80 111 318 318
    7: 318 318 318 318 318 318 111  80 318 318
    8: 318 318 318 318 318 318 318 318  80 111
    9: 318 318 318 318 318 318 318 318 111  80

    firmware
        0  1  2  3  4  5  6  7  8  9
    0: 10 14 40 40 40 40 40 40 40 40
    1: 14 10 40 40 40 40 40 40 40 40
    2: 40 40 10 14 40 40 40 40 40 40
    3: 40 40 14 10 40 40 40 40 40 40
    4: 40 40 40 40 10 14 40 40 40 40
    5: 40 40 40 40 14 10 40 40 40 40
    6: 40 40 40 40 40 40 10 14 40 40
    7: 40 40 40 40 40 40 14 10 40 40
    8: 40 40 40 40 40 40 40 40 10 14
    9: 40 40 40 40 40 40 40 40 14 10

    one core, GB/s
         0   1   2   3   4   5   6   7   8   9
    0: 5.2 4.0 0.9 0.9 0.9 0.9 0.9 0.9 0.9 0.9
    1: 4.0 5.2 0.9 0.9 0.9 0.9 0.9 0.9 0.9 0.9
    2: 0.9 0.9 5.2 4.0 0.9 0.9 0.9 0.9 0.9 0.9
    3: 0.9 0.9 4.0 5.2 0.9 0.9 0.9 0.9 0.9 0.9
    4: 0.9 0.9 0.9 0.9 5.2 4.0 0.9 0.9 0.9 0.9
    5: 0.9 0.9 0.9 0.9 4.0 5.2 0.9 0.9 0.9 0.9
    6: 0.9 0.9 0.9 0.9 0.9 0.9 5.2 4.0 0.9 0.9
    7: 0.9 0.9 0.9 0.9 0.9 0.9 4.0 5.2 0.9 0.9
    8: 0.9 0.9 0.9 0.9 0.9 0.9 0.9 0.9 5.2 4.0
    9: 0.9 0.9 0.9 0.9 0.9 0.9 0.9 0.9 4.0 5.2

    all cores of a node, GB/s
          0    1    2    3    4    5    6    7    8    9
    0: 15.6 12.0  2.8  2.8  2.8  2.8  2.8  2.8  2.8  2.8
    1: 12.0 15.6  2.8  2.8  2.8  2.8  2.8  2.8  2.8  2.8
    2:  2.8  2.8 15.6 12.0  2.8  2.8  2.8  2.8  2.8  2.8
    3:  2.8  2.8 12.0 15.6  2.8  2.8  2.8  2.8  2.8  2.8
    4:  2.8  2.8  2.8  2.8 15.6 12.0  2.8  2.8  2.8  2.8
    5:  2.8  2.8  2.8  2.8 12.0 15.6  2.8  2.8  2.8  2.8
    6:  2.8  2.8  2.8  2.8  2.8  2.8 15.6 12.0  2.8  2.8
    7:  2.8  2.8  2.8  2.8  2.8  2.8 12.0 15.6  2.8  2.8
    8:  2.8  2.8  2.8  2.8  2.8  2.8  2.8  2.8 15.6 12.0
    9:  2.8  2.8  2.8  2.8  2.8  2.8  2.8  2.8 12.0 15.6
    ");
}

#[test]
fn many_nodes_by_level() {
    let style = Style { elsewhere: "in the files", ..Style::default() };
    insta::assert_snapshot!(table(&distances(100, Some("a.csv")), style), @r"
    tiny · 200 nodes · 10 = 15.6 GB/s at node 0

                        latency       mean
                 pairs       ns  bandwidth  simulated  firmware  reference
    ──────────────────────────────────────────────────────────────────────
    same node      200       80  15.6 GB/s         10        10         10
    same board     200      111  12.0 GB/s         13        14         13
    elsewhere   39 600      318  2.77 GB/s         56        40         55

    All distances: in the files

    Compared with a.csv:
      simulated off by 2.4 % on average, 2.4 % at most (node 0 reads from 2)
      firmware  off by 27.0 % on average, 27.3 % at most (node 0 reads from 2)
    ");
}

#[test]
fn files_hold_everything() {
    let found = distances(2, Some("measured.csv"));
    assert_eq!(serde_json::from_str::<DistanceTable>(&json(&found)).unwrap(), found);
    assert_eq!(csv(&found).lines().next(), Some("10,13,56.32,56.32"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn any_matrix_is_printed(
        rows in prop::collection::vec(prop::collection::vec(0.0f64..1e6, 20), 0..20),
        name in "\\PC{0,40}|[\\x00-\\x20<>&'\"]{0,20}",
        width in 0usize..200,
    ) {
        let nodes = rows.len();
        let rows: Vec<Vec<f64>> = rows.into_iter().map(|row| row[..nodes].to_vec()).collect();
        let mut found = distances(1, Some(&name));
        found.layout = Layout::default();
        let cells: Matrix = rows.iter().map(|row| row.iter().copied().map(Some).collect()).collect();
        found.simulated = cells.clone();
        found.bandwidth_bytes_per_s = cells.clone();
        found.firmware = cells.clone();
        (found.latency_ns, found.core_bandwidth_bytes_per_s) = (cells.clone(), cells);
        if let Some(reference) = &mut found.reference {
            reference.distances = rows;
        }
        table(&found, Style { width, ..Style::default() });
    }
}
