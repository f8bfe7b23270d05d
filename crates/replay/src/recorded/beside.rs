//! Overlaps computing with waiting for data.
//!
//! The simulator overlaps instructions per byte with the bytes, but not instructions per iteration. So an iteration's
//! computing is spread over the bytes that it touches. Iterations with similar computing per byte form a kind. Each
//! kind has accesses of its own, with the smallest instructions per byte of the kind; the rest stays with the
//! iterations.

use numalab_workload::{Access, Phase, Slice, Sparse};

/// Largest number of kinds of iterations.
const MOST_KINDS: usize = 8;
/// Fraction of all computing in the first kind. This kind holds the iterations that compute hardly anything for many
/// bytes (one line, counted as a whole page), which would otherwise lower the smallest ratio of the others.
const FIRST: f64 = 0.02;
/// Largest number of slices of all accesses together.
const MOST_SLICES: usize = 4 << 20;

/// Spreads the computing of iterations over the bytes that they touch; the sum stays. `groups` has a number for each
/// iteration. Iterations with the same number were measured together and become one kind.
pub fn beside_data(phase: &mut Phase, groups: &[u32]) {
    let units = phase.instructions.len();
    let kinds = (MOST_SLICES / (units * phase.accesses.len()).max(1)).clamp(2, MOST_KINDS);
    let bytes: Vec<f64> = (0..units as u64).map(|at| touched(&phase.accesses, at)).collect();
    let whole: f64 = phase.instructions.iter().sum();
    if whole <= 0.0 {
        return;
    }
    // Sorted by instructions per byte; all kinds but the first have equal sums of computing.
    let mut sorted = by_density(phase, &bytes, groups);
    sorted.sort_by(|one, other| one.density.total_cmp(&other.density).then(one.first.cmp(&other.first)));
    if sorted.is_empty() {
        return;
    }
    let all: f64 = sorted.iter().map(|group| group.instructions).sum();
    let mut kind_of_group = vec![usize::MAX; groups.iter().max().map_or(0, |most| *most as usize + 1)];
    let (mut densities, mut before): (Vec<f64>, f64) = (Vec::new(), 0.0);
    for Group { density, first, instructions } in sorted {
        let up_to = match densities.len() {
            0 => 0.0,
            known => FIRST + (1.0 - FIRST) * (known - 1) as f64 / (kinds - 1) as f64,
        };
        // Equal densities are never split.
        if before >= all * up_to && densities.last() != Some(&density) {
            densities.push(density);
        }
        kind_of_group[groups[first] as usize] = densities.len() - 1;
        before += instructions;
    }
    let kind_of: Vec<usize> = (0..units)
        .map(|at| if bytes[at] > 0.0 { kind_of_group[groups[at] as usize] } else { usize::MAX })
        .collect();
    let rest = (0..units).map(|at| match densities.get(kind_of[at]) {
        Some(density) => (phase.instructions[at] - density * bytes[at]).max(0.0),
        None => phase.instructions[at],
    });
    let rest: Vec<f64> = rest.collect();
    let accesses = densities.iter().enumerate().flat_map(|(kind, density)| {
        let own = |access: &Access| {
            let mut own =
                Access { slice: only(&access.slice, |at| kind_of[at] == kind, units), ..access.clone() };
            own.demand.instructions_per_byte = Some(*density);
            own
        };
        phase.accesses.iter().map(own).collect::<Vec<_>>()
    });
    let accesses = accesses.collect();
    // Rounding errors alone do not become a step of every iteration.
    let alone = rest.iter().sum::<f64>() > 1e-9 * whole;
    phase.accesses = accesses;
    phase.instructions = if alone { rest.into() } else { [].into() };
}

/// Iterations that were measured together and touch data.
struct Group {
    /// Smallest number of instructions per byte among the iterations.
    density: f64,
    /// Index of the first iteration.
    first: usize,
    instructions: f64,
}

fn by_density(phase: &Phase, bytes: &[f64], groups: &[u32]) -> Vec<Group> {
    let mut found: Vec<Group> = Vec::new();
    let mut place: Vec<Option<usize>> = Vec::new();
    for (at, bytes) in bytes.iter().enumerate().filter(|(_, bytes)| **bytes > 0.0) {
        let (instructions, number) = (phase.instructions[at], groups[at] as usize);
        let density = instructions / bytes;
        if place.len() <= number {
            place.resize(number + 1, None);
        }
        match place[number] {
            Some(group) => {
                let group = &mut found[group];
                group.density = group.density.min(density);
                group.instructions += instructions;
            }
            None => {
                place[number] = Some(found.len());
                found.push(Group { density, first: at, instructions });
            }
        }
    }
    found
}

/// Bytes that an iteration touches.
pub fn touched(accesses: &[Access], at: u64) -> f64 {
    let pieces = accesses.iter().filter_map(|access| access.slice.piece(at, at + 1));
    pieces.map(|piece| piece.touched as f64 + piece.again as f64).sum()
}

/// The slice restricted to the iterations that `has` selects; all others touch nothing.
fn only(slice: &Slice, has: impl Fn(usize) -> bool, units: usize) -> Slice {
    if (0..units).all(&has) {
        return slice.clone();
    }
    let pieces = (0..units as u64).map(|at| slice.piece(at, at + 1));
    let mut last = 0;
    let mut window = |(at, piece): (usize, &Option<numalab_workload::Piece>)| match piece {
        Some(piece) if has(at) => {
            last = piece.end;
            (piece.start, piece.end)
        }
        _ => (last, last),
    };
    let pieces: Vec<_> = pieces.collect();
    let windows: Vec<(u64, u64)> = pieces.iter().enumerate().map(&mut window).collect();
    let bytes = pieces.iter().enumerate().map(|(at, piece)| match piece {
        Some(piece) if has(at) => piece.touched + piece.again,
        _ => 0,
    });
    // Windows may leave gaps between neighbours that are nevertheless taken together.
    let scattered = matches!(slice, Slice::Sparse(sparse) if sparse.is_scattered());
    Slice::Sparse(Sparse::new(windows.into(), bytes.collect::<Vec<_>>(), scattered))
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_workload::{Mode, RegionId};
    use proptest::prelude::*;

    fn phase(work: &[(u64, f64)]) -> Phase {
        let mut bounds = vec![0];
        for (bytes, _) in work {
            bounds.push(bounds.last().unwrap() + bytes);
        }
        Phase {
            accesses: vec![Access::new(RegionId(0), Slice::Partition(bounds.into()), Mode::Read)],
            instructions: work.iter().map(|(_, instructions)| *instructions).collect(),
            ..Phase::new("p", work.len() as u64)
        }
    }

    /// Instructions of each iteration: its own and those of its bytes.
    fn computed(phase: &Phase, units: usize) -> Vec<f64> {
        let of_bytes = |at: usize| -> f64 {
            let one = |access: &Access| {
                touched(std::slice::from_ref(access), at as u64)
                    * access.demand.instructions_per_byte.unwrap()
            };
            phase.accesses.iter().map(one).sum()
        };
        (0..units).map(|at| of_bytes(at) + phase.instructions.get(at).copied().unwrap_or(0.0)).collect()
    }

    // 2 instructions per byte for any size of iteration: nothing is left for the iterations.
    #[test]
    fn a_loop_of_one_kind_has_instructions_for_each_byte_alone() {
        let mut loop_of_one_kind = phase(&[(10, 20.0), (30, 60.0), (5, 10.0)]);
        let slice = loop_of_one_kind.accesses[0].slice.clone();
        beside_data(&mut loop_of_one_kind, &[0, 1, 2]);
        let [access] = &loop_of_one_kind.accesses[..] else { panic!("{loop_of_one_kind:?}") };
        assert_eq!((access.demand.instructions_per_byte, &access.slice), (Some(2.0), &slice));
        assert!(loop_of_one_kind.instructions.is_empty());
    }

    // Iterations of 10 and 11 bytes in turn are one kind if they were measured together. The smallest ratio, 20 / 11,
    // is spread over each byte, and the rest of the 10-byte iterations stays with them. The fourth iteration was
    // measured by itself and is another kind.
    #[test]
    fn what_was_measured_together_is_of_one_kind() {
        let work = [(10, 20.0), (11, 20.0), (10, 20.0), (10, 90.0)];
        let mut after = phase(&work);
        beside_data(&mut after, &[0, 0, 0, 1]);
        let densities: Vec<f64> =
            after.accesses.iter().map(|access| access.demand.instructions_per_byte.unwrap()).collect();
        assert_eq!(densities, [20.0 / 11.0, 9.0]);
        let piece = after.accesses[0].slice.piece(0, 3).unwrap();
        assert_eq!((piece.start, piece.end, piece.touched), (0, 31, 31));
        assert_eq!(after.accesses[0].slice.piece(3, 4).unwrap().touched, 0);
        assert_eq!(after.instructions[1], 0.0);
        assert!((after.instructions[0] - 20.0 / 11.0).abs() < 1e-9);
    }

    proptest! {
        /// Every iteration computes and touches what it did before, within rounding.
        #[test]
        fn nothing_is_lost(work in proptest::collection::vec((0u64..1000, 0f64..1e6), 1..60), together in 1u32..9) {
            let before = phase(&work);
            let mut after = before.clone();
            let groups: Vec<u32> = (0..work.len() as u32).map(|at| at / together).collect();
            beside_data(&mut after, &groups);
            if after.accesses.iter().any(|access| access.demand.instructions_per_byte.is_none()) {
                // No iteration touches data, or none computes.
                prop_assert_eq!(after, before);
                return Ok(());
            }
            for (at, (instructions, (bytes, expected))) in computed(&after, work.len()).iter().zip(&work).enumerate() {
                prop_assert!((instructions - expected).abs() < 1e-6 * expected.max(1.0), "{} {:?}", at, after);
                if !after.accesses.is_empty() {
                    prop_assert_eq!(touched(&after.accesses, at as u64), *bytes as f64);
                }
            }
        }
    }
}
