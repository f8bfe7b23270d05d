//! Boards: groups of sockets that are nearer to each other than to the rest.

use crate::topology::Topology;

/// Factor below which two distances count as equal, since measured distances never are.
const SAME: f64 = 1.1;

/// Groups sockets into boards if distances show several equal groups: near inside, far outside, without exception. Of
/// several such groupings, the one with the widest gap between near and far wins.
pub(super) fn boards(
    topology: &Topology,
    sockets: &[(u32, Vec<usize>)],
    warnings: &mut Vec<String>,
) -> Option<Vec<Vec<u32>>> {
    let distances = between(topology, sockets)?;
    let mut all: Vec<f64> = (0..sockets.len())
        .flat_map(|a| (0..sockets.len()).filter(move |b| *b != a).map(move |b| (a, b)))
        .map(|(a, b)| distances[a][b])
        .collect();
    all.sort_by(f64::total_cmp);
    let gaps = all.windows(2).map(|pair| (pair[1] / pair[0], (pair[0] * pair[1]).sqrt()));
    let mut cuts: Vec<(f64, f64)> = gaps.filter(|(gap, _)| gap.is_finite() && *gap > SAME).collect();
    let classes = cuts.len() + 1;
    cuts.sort_by(|a, b| b.0.total_cmp(&a.0));
    let boards = cuts.iter().find_map(|&(_, limit)| groups(&distances, limit));
    match &boards {
        Some(_) if classes > 2 => warnings.push(format!(
            "the distances between sockets are of {classes} kinds: boards are taken as equally far from each other"
        )),
        None if classes > 1 => warnings.push(format!(
            "the distances between sockets are of {classes} kinds that form no boards: sockets are taken as equally \
             far from each other"
        )),
        _ => {}
    }
    let package = |&socket: &usize| sockets[socket].0;
    boards.map(|boards| boards.iter().map(|board| board.iter().map(package).collect()).collect())
}

/// Distances between sockets: means over their nodes.
fn between(topology: &Topology, sockets: &[(u32, Vec<usize>)]) -> Option<Vec<Vec<f64>>> {
    let distances = topology.distances.as_ref()?;
    let mean = |a: &[usize], b: &[usize]| {
        let pairs = a.iter().flat_map(|&from| b.iter().map(move |&to| (from, to)));
        let sum: Option<f64> = pairs.map(|(from, to)| distances.get(from)?.get(to).copied()).sum();
        sum.map(|sum| sum / (a.len() * b.len()) as f64).filter(|mean| mean.is_finite() && *mean > 0.0)
    };
    sockets.iter().map(|(_, a)| sockets.iter().map(|(_, b)| mean(a, b)).collect()).collect()
}

/// Groups of sockets whose distances are below `limit` inside and above it outside. `None` unless there are several
/// groups of equal size, with several sockets each.
fn groups(distances: &[Vec<f64>], limit: f64) -> Option<Vec<Vec<usize>>> {
    let count = distances.len();
    let near = |a: usize, b: usize| a == b || distances[a][b] < limit;
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for socket in 0..count {
        match groups.iter_mut().find(|group| near(group[0], socket)) {
            Some(group) => group.push(socket),
            None => groups.push(vec![socket]),
        }
    }
    let mut group_of = vec![0; count];
    for (at, group) in groups.iter().enumerate() {
        group.iter().for_each(|&socket| group_of[socket] = at);
    }
    let clean = (0..count).all(|a| (0..count).all(|b| near(a, b) == (group_of[a] == group_of[b])));
    let size = groups.first().map_or(0, Vec::len);
    let equal = groups.iter().all(|group| group.len() == size);
    (clean && equal && size > 1 && groups.len() > 1).then_some(groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boards of sockets with one node each and the distances `rows`, and the number of warnings.
    fn boards_of(rows: &[&[f64]]) -> (Option<Vec<Vec<u32>>>, usize) {
        let distances = Some(rows.iter().map(|row| row.to_vec()).collect());
        let sockets: Vec<(u32, Vec<usize>)> = (0..rows.len()).map(|at| (at as u32, vec![at])).collect();
        let mut warnings = Vec::new();
        let topology = Topology { distances, ..Topology::default() };
        (boards(&topology, &sockets, &mut warnings), warnings.len())
    }

    #[test]
    fn two_classes_that_nest_are_boards() {
        let rows: [&[f64]; 4] =
            [&[10., 56., 13., 56.], &[56., 10., 56., 13.], &[13., 56., 10., 56.], &[56., 13., 56., 10.]];
        assert_eq!(boards_of(&rows), (Some(vec![vec![0, 2], vec![1, 3]]), 0));
    }

    #[test]
    fn a_ring_has_no_boards() {
        let rows: [&[f64]; 4] =
            [&[10., 21., 31., 21.], &[21., 10., 21., 31.], &[31., 21., 10., 21.], &[21., 31., 21., 10.]];
        assert_eq!(boards_of(&rows), (None, 1));
    }

    #[test]
    fn one_class_is_a_mesh() {
        assert_eq!(boards_of(&[&[10., 21., 21.], &[21., 10., 21.], &[21., 21., 10.]]), (None, 0));
        // Measured distances, 5 % apart.
        assert_eq!(boards_of(&[&[80., 140., 147.], &[141., 81., 143.], &[147., 140., 79.]]), (None, 0));
        assert_eq!(boards_of(&[&[10.]]), (None, 0));
    }

    #[test]
    fn unequal_groups_are_none() {
        // Three sockets together and one apart.
        let rows: [&[f64]; 4] =
            [&[10., 13., 13., 56.], &[13., 10., 13., 56.], &[13., 13., 10., 56.], &[56., 56., 56., 10.]];
        assert_eq!(boards_of(&rows), (None, 1));
    }

    #[test]
    fn of_three_kinds_the_widest_gap_is_the_board() {
        // Pairs at 13 in groups of four at 16, others at 56: the gap from 16 to 56 is wider than that from 13 to 16.
        let distance = |a: usize, b: usize| match () {
            () if a == b => 10.0,
            () if a / 2 == b / 2 => 13.0,
            () if a / 4 == b / 4 => 16.0,
            () => 56.0,
        };
        let rows: Vec<Vec<f64>> = (0..8).map(|a| (0..8).map(|b| distance(a, b)).collect()).collect();
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        assert_eq!(boards_of(&rows), (Some(vec![vec![0, 1, 2, 3], vec![4, 5, 6, 7]]), 1));
    }

    #[test]
    fn no_distances_no_boards() {
        let sockets = [(0, vec![0]), (1, vec![1])];
        for distances in [None, Some(vec![]), Some(vec![vec![0.0, f64::NAN]; 2])] {
            let topology = Topology { distances, ..Topology::default() };
            assert_eq!(boards(&topology, &sockets, &mut Vec::new()), None);
        }
    }
}
