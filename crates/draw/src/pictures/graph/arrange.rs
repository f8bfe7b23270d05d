//! Positions of sibling units: in a circle, in a grid that suits the siblings' torus or hypercube, or in rows.
//!
//! Linked neighbours should be joined by straight lines that cross no third box.

use numalab_machine::{Level, Shape};
use std::f64::consts::{PI, SQRT_2};

/// Centres of sibling boxes, inside an area from (0, 0) to `size`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Arrangement {
    pub centres: Vec<(f64, f64)>,
    pub size: (f64, f64),
}

/// Largest number of siblings in one row above the controller of their container.
const ROW: u32 = 8;
/// Size of the largest ring drawn as a circle; longer rings are drawn as racetracks, which need less space.
const ROUND: u32 = 16;

/// Positions of the children of one container. All children have the same width and height; gaps are at least `gap`.
pub(super) fn arrange(level: &Level, (width, height): (f64, f64), gap: f64) -> Arrangement {
    let count = level.count;
    let pitch = (width + gap, height + gap);
    let shape = level.interconnect.as_ref().map(|joined| &joined.shape);
    let centres: Vec<(f64, f64)> = match shape {
        Some(Shape::Torus(sizes)) => on_torus(count, sizes, (width, height), gap),
        Some(Shape::Ring) if count > ROUND => on_racetrack(count, pitch),
        Some(Shape::Ring) if count == 4 => (0..4u32).map(|at| around_square(at, pitch)).collect(),
        Some(Shape::Hypercube) if count > 4 => (0..count).map(|at| on_hypercube(at, pitch)).collect(),
        // A controller is drawn as a bar below the children of its container; in one row each child has a straight
        // line to the bar.
        _ if level.controller.is_some() && count <= ROW => row(count, ROW, pitch),
        // Meshes this large are drawn without links; a block leaves more room for the boxes than a
        // circle.
        Some(Shape::Mesh) if count > 90 => row(count, nearly_square(count), pitch),
        Some(_) if count > 2 && count != 4 => in_circle(count, pitch),
        _ => row(count, nearly_square(count), pitch),
    };
    framed(&centres, (width, height), arcs(&centres, shape))
}

/// Shifts the centres to positive coordinates, with room above for arcs.
fn framed(centres: &[(f64, f64)], (width, height): (f64, f64), above: f64) -> Arrangement {
    let least = centres.iter().fold((f64::MAX, f64::MAX), |low, at| (low.0.min(at.0), low.1.min(at.1)));
    let most = centres.iter().fold((f64::MIN, f64::MIN), |high, at| (high.0.max(at.0), high.1.max(at.1)));
    let shifted =
        centres.iter().map(|at| (at.0 - least.0 + width / 2.0, at.1 - least.1 + height / 2.0 + above));
    Arrangement {
        centres: shifted.collect(),
        size: (most.0 - least.0 + width, most.1 - least.1 + height + above),
    }
}

/// Height of the arcs above siblings in one row.
fn arcs(centres: &[(f64, f64)], shape: Option<&Shape>) -> f64 {
    let one_row = centres.iter().all(|at| at.1 == centres[0].1);
    if centres.len() < 3 || !one_row || shape.is_none() {
        return 0.0;
    }
    super::BULGE * (centres[centres.len() - 1].0 - centres[0].0) + 4.0
}

fn row(count: u32, longest: u32, pitch: (f64, f64)) -> Vec<(f64, f64)> {
    let longest = longest.max(1);
    (0..count).map(|at| (f64::from(at % longest) * pitch.0, f64::from(at / longest) * pitch.1)).collect()
}

fn nearly_square(count: u32) -> u32 {
    (1..).find(|side| side * side >= count).unwrap_or(count)
}

/// Position in a ring of four, drawn as a square, clockwise.
fn around_square(at: u32, pitch: (f64, f64)) -> (f64, f64) {
    let (right, below) = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)][at as usize % 4];
    (right * pitch.0, below * pitch.1)
}

/// Positions clockwise from the top, on an ellipse wide enough that neighbours do not touch.
fn in_circle(count: u32, pitch: (f64, f64)) -> Vec<(f64, f64)> {
    let step = 2.0 * PI / f64::from(count);
    // Neighbouring boxes at 45 degrees need more distance than boxes side by side.
    let reach = SQRT_2 / (2.0 * (step / 2.0).sin());
    let angle = |at| f64::from(at) * step - PI / 2.0;
    (0..count).map(|at| (reach * pitch.0 * angle(at).cos(), reach * pitch.1 * angle(at).sin())).collect()
}

/// Positions in a torus. The first (largest) dimension runs across, the second down, the third diagonally within a
/// cell, so that lines along the first two dimensions pass between boxes. Further dimensions repeat the arrangement
/// of the earlier dimensions.
fn on_torus(count: u32, sizes: &[u32], (width, height): (f64, f64), gap: f64) -> Vec<(f64, f64)> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&dimension| (u32::MAX - sizes[dimension], dimension));
    let askew = order.get(2).map_or(1.0, |&dimension| f64::from(sizes[dimension]));
    let skew = (width + gap * 0.5, height * 0.8);
    let mut cell = (skew.0 * (askew - 1.0) + width + gap, skew.1 * (askew - 1.0) + height + gap);
    let mut steps = vec![(0.0, 0.0); sizes.len()];
    for (rank, &dimension) in order.iter().enumerate() {
        let size = f64::from(sizes[dimension]);
        steps[dimension] = match rank {
            2 => skew,
            rank if rank % 2 == 0 => (cell.0, 0.0),
            _ => (0.0, cell.1),
        };
        match rank {
            2 => {}
            rank if rank % 2 == 0 => cell.0 = cell.0 * size + gap,
            _ => cell.1 = cell.1 * size + gap,
        }
    }
    let place = |at: u32| {
        let mut rest = at;
        sizes.iter().zip(&steps).fold((0.0, 0.0), |place, (&size, step)| {
            let coordinate = f64::from(rest % size);
            rest /= size;
            (place.0 + coordinate * step.0, place.1 + coordinate * step.1)
        })
    };
    (0..count).map(place).collect()
}

/// Positions along the top, down the right side, back along the bottom, and up the left side; the whole is about
/// three times as wide as high.
fn on_racetrack(count: u32, pitch: (f64, f64)) -> Vec<(f64, f64)> {
    let across = (count * 3).div_ceil(8);
    let down = count.div_ceil(2) - across;
    let place = |at: u32| match at {
        at if at < across => (at, 0),
        at if at < across + down => (across, at - across),
        at if at < 2 * across + down => (2 * across + down - at, down),
        at => (0, (2 * (across + down)) - at),
    };
    (0..count).map(place).map(|(x, y)| (f64::from(x) * pitch.0, f64::from(y) * pitch.1)).collect()
}

/// Position in a hypercube: even bits of the index select the column, odd bits the row, in Gray code order, so that
/// many neighbours are adjacent.
fn on_hypercube(at: u32, pitch: (f64, f64)) -> (f64, f64) {
    let pick = |odd: u32| (0..16).fold(0, |bits, bit| bits | (at >> (2 * bit + odd) & 1) << bit);
    (f64::from(gray_rank(pick(0))) * pitch.0, f64::from(gray_rank(pick(1))) * pitch.1)
}

/// Position of a code in the Gray code sequence 0, 1, 3, 2, 6, 7, 5, 4, …
fn gray_rank(code: u32) -> u32 {
    let mut rank = code;
    let mut shift = 1;
    while shift < 32 {
        rank ^= rank >> shift;
        shift *= 2;
    }
    rank
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_machine::{Interconnect, LevelKind, LinkId};
    use proptest::prelude::*;

    fn level(count: u32, shape: Option<Shape>) -> Level {
        let interconnect = shape.map(|shape| Interconnect { shape, link: LinkId(0) });
        Level {
            kind: LevelKind::Board,
            count,
            interconnect,
            controller: None,
            port: None,
            core_to_core: None,
        }
    }

    #[test]
    fn gray_code_ranks() {
        let codes = [0, 1, 3, 2, 6, 7, 5, 4];
        assert_eq!(codes.map(gray_rank), [0, 1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn a_torus_of_three_dimensions() {
        // 2 × 4 × 3 squares of 10 with gaps of 10: four cells across, three down, each with two
        // boxes shifted by (10 + 5, 8). Cells are 15 + 10 + 10 wide and 8 + 10 + 10 high.
        let torus = arrange(&level(24, Some(Shape::Torus(vec![2, 4, 3]))), (10.0, 10.0), 10.0);
        assert_eq!(torus.centres[0], (5.0, 5.0));
        assert_eq!(torus.centres[1], (20.0, 13.0));
        assert_eq!(torus.centres[2], (40.0, 5.0));
        assert_eq!(torus.centres[8], (5.0, 33.0));
    }

    #[test]
    fn neighbours_on_a_racetrack_touch() {
        for count in 17..90u32 {
            let track = on_racetrack(count, (1.0, 1.0));
            for at in 1..track.len() {
                let way = (track[at].0 - track[at - 1].0).abs() + (track[at].1 - track[at - 1].1).abs();
                assert_eq!(way, 1.0, "{at} of {count}");
            }
        }
    }

    proptest! {
        #[test]
        fn boxes_neither_overlap_nor_leave_the_frame(
            count in 1u32..80,
            which in 0usize..6,
            width in 10.0f64..100.0,
            height in 10.0f64..100.0,
        ) {
            let (count, shape) = [
                (count, None),
                (count, Some(Shape::Mesh)),
                (count, Some(Shape::Hypercube)),
                (count, Some(Shape::Ring)),
                (count, Some(Shape::Torus(vec![count]))),
                (count * 24, Some(Shape::Torus(vec![2, count, 3, 4]))),
            ][which].clone();
            let found = arrange(&level(count, shape), (width, height), 8.0);
            for (at, a) in found.centres.iter().enumerate() {
                prop_assert!(a.0 >= width / 2.0 - 1e-6 && a.0 <= found.size.0 - width / 2.0 + 1e-6);
                prop_assert!(a.1 >= height / 2.0 - 1e-6 && a.1 <= found.size.1 - height / 2.0 + 1e-6);
                for b in &found.centres[..at] {
                    let apart = ((a.0 - b.0).abs() / width).max((a.1 - b.1).abs() / height);
                    prop_assert!(apart > 0.999, "{a:?} {b:?}");
                }
            }
        }
    }
}
