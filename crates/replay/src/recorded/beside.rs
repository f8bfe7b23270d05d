//! Overlaps computing with waiting for data.
//!
//! The simulator overlaps instructions per byte with the bytes, but not instructions per iteration. So an iteration's
//! computing is spread over the bytes that it touches. Iterations with similar computing per byte form a kind. Each
//! kind has accesses of its own, with the smallest instructions per byte of the kind; the rest stays with the
//! iterations.

use numalab_workload::{Access, Phase, Piece, Slice, Sparse};

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
    let bytes = touched(&phase.accesses, units);
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
    let mut of_accesses: Vec<_> = phase
        .accesses
        .iter()
        .map(|access| by_kind(&access.slice, &kind_of, densities.len(), units).into_iter())
        .collect();
    let mut accesses = Vec::new();
    for density in densities {
        for (access, slices) in phase.accesses.iter().zip(&mut of_accesses) {
            let Some(slice) = slices.next().flatten() else { continue };
            let mut own = Access { slice, ..access.clone() };
            own.demand.instructions_per_byte = Some(density);
            accesses.push(own);
        }
    }
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

/// Bytes that each of `units` iterations touches.
pub fn touched(accesses: &[Access], units: usize) -> Vec<f64> {
    let mut bytes = vec![0.0; units];
    for (at, piece) in accesses.iter().flat_map(|access| access.slice.pieces(units as u64)) {
        bytes[at as usize] += piece.touched as f64 + piece.again as f64;
    }
    bytes
}

/// The slice restricted to the iterations of each kind; all others touch nothing. `None` for a kind that touches
/// nothing. `kind_of`: kind of each iteration, out of `kinds`.
fn by_kind(slice: &Slice, kind_of: &[usize], kinds: usize, units: usize) -> Vec<Option<Slice>> {
    let mut found = vec![Vec::new(); kinds];
    let touching = slice.pieces(units as u64).filter(|(_, piece)| piece.touched + piece.again > 0);
    touching.for_each(|(at, Piece { start, end, touched, again, .. })| {
        found[kind_of[at as usize]].push((at as u32, (start, end), touched + again));
    });
    let all: usize = found.iter().map(Vec::len).sum();
    let of_kind = |own: Vec<(u32, (u64, u64), u64)>| {
        if own.is_empty() || own.len() == all {
            return (!own.is_empty()).then(|| slice.clone());
        }
        let windows = own.iter().map(|(_, window, _)| *window).collect();
        let bytes = own.iter().map(|(.., bytes)| *bytes);
        // Windows may leave gaps between neighbours that are nevertheless taken together.
        let slices = Slice::Sparse(Sparse::new(windows, bytes, slice.is_scattered()));
        Some(Slice::partial(units as u64, own.iter().map(|(at, ..)| *at).collect(), slices))
    };
    found.into_iter().map(of_kind).collect()
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
                touched(std::slice::from_ref(access), units)[at]
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
                    prop_assert_eq!(touched(&after.accesses, work.len())[at], *bytes as f64);
                }
            }
        }
    }
}
