//! Tours of measured machines, and laws over random matrices.

use super::*;
use proptest::prelude::*;

fn matrix(text: &str) -> DistanceMatrix {
    let row = |line: &str| line.split(',').map(|cell| cell.trim().parse().unwrap()).collect();
    DistanceMatrix::new(&text.lines().map(row).collect::<Vec<_>>()).unwrap()
}

macro_rules! reference {
    ($name:literal) => {
        matrix(include_str!(concat!("../../../../reference/", $name)))
    };
}

// The published lengths were computed before the distances were rounded: 106, 376 and 379.
#[test]
fn published_machines() {
    assert_eq!(exact(&reference!("distance-hp8.csv")).unwrap().length, 108.5);
    let bcs16 = reference!("distance-bcs16.csv");
    assert_eq!(exact(&bcs16).unwrap().length, 377.5);
    assert_eq!(greedy(&bcs16).length, 378.5);
    // 1.5 * 377.5 would be 566; published is 512.
    assert!(christofides(&bcs16).length <= 512.0);
}

// Two blocks of four, at least 15 between neighbours in a block and 19 between blocks: 0 1 2 | 6 4
// 5 7 | 3 is 15 + 15 + 19 + 15 + 15 + 15 + 19, and back from 3 to 0 the mean of 15 and 16.
#[test]
fn measured_distances_show_more_than_the_firmware_table() {
    assert_eq!(exact(&reference!("distance-fujitsu8.csv")).unwrap().length, 128.5);
    // The firmware table has 12 everywhere: 8 * 12.
    assert_eq!(exact(&reference!("slit-fujitsu8.csv")).unwrap().length, 96.0);
}

// 16 boards of two nodes: at least 13 once per board, and 16 steps of 40 between boards.
#[test]
fn a_torus_of_boards_is_walked_without_a_detour() {
    let altix = reference!("slit-altix-uv32.csv");
    assert_eq!(exact(&altix), None);
    assert_eq!(best(&altix).length, 16.0 * 13.0 + 16.0 * 40.0);
}

// 0-1 2, 1-2 9, 2-3 1, 3-0 8, 0-2 3, 1-3 7. Greedy goes from 0 to 1 (2 < 3), then to 3 (7 < 9), 2
// (1) and back (3): 13. The others: 0 1 2 3 is 2 + 9 + 1 + 8 = 20, and 0 2 1 3 is 3 + 9 + 7 + 8 =
// 27.
#[test]
fn four_nodes_by_hand() {
    let matrix = matrix("0,2,3,8\n2,0,9,7\n3,9,0,1\n8,7,1,0");
    for algorithm in Algorithm::ALL {
        let tour = algorithm.tour(&matrix).unwrap();
        assert_eq!((&tour.order[..], tour.length), (&[0, 1, 3, 2][..], 13.0), "{}", algorithm.name());
    }
}

// A bad case of greedy: 0 1 2 3 costs 1 + 1 + 1 on the way and 100 back; 0 1 3 2 costs 1 + 2 + 1 +
// 2 = 6.
#[test]
fn tour_length_includes_way_back() {
    let matrix = matrix("0,1,2,100\n1,0,1,2\n2,1,0,1\n100,2,1,0");
    assert_eq!(greedy(&matrix).length, 103.0);
    assert_eq!(exact(&matrix).unwrap().order, [0, 1, 3, 2]);
    assert_eq!(local_search(&matrix).length, 6.0);
}

#[test]
fn the_smallest_machines() {
    for nodes in 1..=3 {
        let matrix = DistanceMatrix::new(&vec![vec![5.0; nodes]; nodes]).unwrap();
        for algorithm in Algorithm::ALL {
            let tour = algorithm.tour(&matrix).unwrap();
            assert_eq!(tour.order, (0..nodes).collect::<Vec<_>>());
            assert_eq!(tour.length, [0.0, 10.0, 15.0][nodes - 1]);
        }
    }
}

fn random(nodes: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = DistanceMatrix> {
    nodes.prop_flat_map(|nodes| {
        // Few distances, as machines have, and arbitrary ones.
        let distance = prop_oneof![(10u32..14).prop_map(f64::from), 0.0..1e6];
        let row = prop::collection::vec(distance, nodes);
        prop::collection::vec(row, nodes).prop_map(|rows| DistanceMatrix::new(&rows).unwrap())
    })
}

/// Nodes on a grid: the triangle inequality holds.
fn grid() -> impl Strategy<Value = DistanceMatrix> {
    prop::collection::vec((0i32..12, 0i32..12), 1..=11).prop_map(|at| {
        let way = |a: (i32, i32), b: (i32, i32)| f64::from((a.0 - b.0).abs() + (a.1 - b.1).abs());
        let rows: Vec<Vec<f64>> = at.iter().map(|&a| at.iter().map(|&b| way(a, b)).collect()).collect();
        DistanceMatrix::new(&rows).unwrap()
    })
}

/// The shortest path from the end of `order` through all other nodes and back, by trying all.
fn by_trying(matrix: &DistanceMatrix, order: &mut Vec<usize>) -> i64 {
    if order.len() == matrix.nodes() {
        return matrix.length_in_units(order);
    }
    let mut least = i64::MAX;
    for node in 0..matrix.nodes() {
        if !order.contains(&node) {
            order.push(node);
            least = least.min(by_trying(matrix, order));
            order.pop();
        }
    }
    least
}

proptest! {
    #[test]
    fn tours_visit_all_nodes_and_exact_is_shortest(matrix in random(1..=11)) {
        let shortest = exact(&matrix).unwrap().length;
        for algorithm in Algorithm::ALL {
            let tour = algorithm.tour(&matrix).unwrap();
            prop_assert_eq!(tour.length, matrix.length(&tour.order));
            prop_assert!(tour.length >= shortest);
            prop_assert_eq!(tour.order[0], 0);
            let mut nodes = tour.order;
            nodes.sort();
            prop_assert_eq!(nodes, (0..matrix.nodes()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn exact_is_as_short_as_trying_all(matrix in random(1..=7)) {
        let tour = exact(&matrix).unwrap();
        prop_assert_eq!(matrix.length_in_units(&tour.order), by_trying(&matrix, &mut vec![0]));
    }

    #[test]
    fn local_search_never_lengthens_its_start(matrix in random(1..=40)) {
        let found = local_search(&matrix).length;
        prop_assert!(found <= greedy(&matrix).length);
        prop_assert!(found <= christofides(&matrix).length);
    }

    #[test]
    fn christofides_is_within_three_halves(matrix in grid()) {
        let shortest = exact(&matrix).unwrap().length;
        prop_assert!(christofides(&matrix).length <= 1.5 * shortest + 1e-9);
    }
}
