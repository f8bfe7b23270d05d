//! Matchings compared with every possible pairing.

use super::cheapest_perfect;
use proptest::prelude::*;

/// The least cost of pairing the vertices of a set, by trying every partner of the first.
fn cheapest(set: u32, costs: &[Vec<i64>]) -> i64 {
    if set == 0 {
        return 0;
    }
    let first = set.trailing_zeros() as usize;
    let rest = set & !(1 << first);
    let partners = (0..costs.len()).filter(|&at| rest & (1 << at) != 0);
    partners.map(|at| costs[first][at] + cheapest(rest & !(1 << at), costs)).min().unwrap()
}

fn costs(vertices: usize, draws: &[i64]) -> Vec<Vec<i64>> {
    let index = |a: usize, b: usize| if a < b { b * (b - 1) / 2 + a } else { a * (a - 1) / 2 + b };
    let row = |a| (0..vertices).map(|b| if a == b { 0 } else { draws[index(a, b) % draws.len()] }).collect();
    (0..vertices).map(row).collect()
}

fn check(costs: &[Vec<i64>]) -> i64 {
    let pairs = cheapest_perfect(costs.len(), |a, b| costs[a][b]);
    let mut seen: Vec<usize> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
    seen.sort();
    assert_eq!(seen, (0..costs.len()).collect::<Vec<_>>(), "everybody has one partner");
    pairs.iter().map(|&(a, b)| costs[a][b]).sum()
}

#[test]
fn two_triangles_need_an_edge_between_them() {
    // Three vertices near each other, and three others likewise: pairing inside a triangle leaves one
    // vertex of each, so the cheapest is 1 + 1 + the cheapest edge across, 7.
    let mut rows = vec![vec![9; 6]; 6];
    for (a, b) in [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5)] {
        (rows[a][b], rows[b][a]) = (1, 1);
    }
    (rows[2][3], rows[3][2]) = (7, 7);
    assert_eq!(cheapest_perfect(6, |a, b| rows[a][b]), [(0, 1), (2, 3), (4, 5)]);
    assert_eq!(check(&rows), 9);
}

#[test]
fn smallest_matchings() {
    assert_eq!(cheapest_perfect(0, |_, _| 0), []);
    assert_eq!(cheapest_perfect(2, |_, _| 0), [(0, 1)]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    /// Few different costs give many ties and nested blossoms.
    #[test]
    fn matching_equals_cheapest_pairing(half in 1usize..6, most in 1i64..40, draws in prop::collection::vec(0i64..1000, 66)) {
        let draws: Vec<i64> = draws.iter().map(|draw| draw % most).collect();
        let rows = costs(2 * half, &draws);
        prop_assert_eq!(check(&rows), cheapest((1 << (2 * half)) - 1, &rows));
    }

    /// Points on a line or in clusters: distances that obey the triangle inequality.
    #[test]
    fn clusters(half in 1usize..7, places in prop::collection::vec((0i64..4, 0i64..3), 12)) {
        let distance = |(a, b): (i64, i64), (c, d): (i64, i64)| if a == c { (b - d).abs() } else { 10 + (a - c).abs() };
        let of = |a: usize| places[..2 * half].iter().map(|&b| distance(places[a], b)).collect();
        let rows: Vec<Vec<i64>> = (0..2 * half).map(of).collect();
        prop_assert_eq!(check(&rows), cheapest((1 << (2 * half)) - 1, &rows));
    }
}
