//! Sequences of chunks, worked out from the formulas of the policies' sources.

use super::chunks;

/// Sizes of the chunks of 1000 iterations for four threads, as runs of equal sizes: (size, how often).
fn runs(name: &str) -> Vec<(u64, usize)> {
    let sizes: Vec<u64> =
        chunks(name, 1000, 4).into_iter().map(|(_, chunk)| chunk.end - chunk.start).collect();
    assert_eq!(sizes.iter().sum::<u64>(), 1000, "{name}");
    sizes.chunk_by(|one, other| one == other).map(|run| (run[0], run.len())).collect()
}

fn single(sizes: &[u64]) -> Vec<(u64, usize)> {
    sizes.chunk_by(|one, other| one == other).map(|run| (run[0], run.len())).collect()
}

/// f = ceil(1000 / 8) = 125, n = ceil(2000 / 126) = 16, delta = 124 / 15 = 8.267; chunk i is 125 - 8.267 i, rounded down.
#[test]
fn trapezoid_chunks_shrink_evenly() {
    let expected = [125, 116, 108, 100, 91, 83, 75, 67, 58, 50, 42, 34, 25, 17, 9];
    assert_eq!(runs("tss"), single(&expected));
}

/// LLVM's whole numbers: delta = floor(124 / 15) = 8, so 125, 117, 109, ... with 28 left for the 13th chunk.
#[test]
fn llvm_trapezoid_has_a_whole_difference() {
    let mut expected: Vec<u64> = (0..12).map(|i| 125 - 8 * i).collect();
    expected.push(28);
    assert_eq!(runs("trapezoidal"), single(&expected));
}

/// Means of four of tss: 125 - 8.267 (4 batch + 1.5) = 112.6, 79.5, 46.5, 13.4.
#[test]
fn trapezoid_batches_have_the_mean() {
    assert_eq!(runs("tfss"), [(112, 4), (79, 4), (46, 4), (13, 4)]);
}

/// ceil(250 / 2), ceil(250 / 4), ...: 125, 63, 32, 16, 8, 4, 2, four of each: 500 + 252 + 128 + 64 + 32 + 16 + 8 = 1000.
#[test]
fn factoring_halves_each_batch() {
    for name in ["fac2", "wf2", "FAC2A"] {
        assert_eq!(runs(name), [(125, 4), (63, 4), (32, 4), (16, 4), (8, 4), (4, 4), (2, 4)], "{name}");
    }
    // Not measured yet: factoring has the factor 2 of what is left at the first chunk of a batch: ceil(1000 / 8) = 125,
    // ceil(500 / 8) = 63, ceil(248 / 8) = 31, ceil(124 / 8) = 16, ceil(60 / 8) = 8, ceil(28 / 8) = 4, ceil(12 / 8) = 2, 1.
    assert_eq!(runs("fac"), [(125, 4), (63, 4), (31, 4), (16, 4), (8, 4), (4, 4), (2, 4), (1, 4)]);
}

/// T = 250: 0.55 + 250 ln 2 / ln 250 = 0.55 + 173.29 / 5.5215 = 31.9, rounded down; 32 * 31 = 992.
#[test]
fn modified_fixed_size_chunks_are_equal() {
    assert_eq!(runs("mfsc"), [(31, 32), (8, 1)]);
    // Fixed-size chunking has not measured yet.
    assert_eq!(runs("fsc"), [(31, 32), (8, 1)]);
}

/// B = 3, X = 5: floor(1000 / 20) = 50, + floor(2000 (1 - 3/5) / (4 * 3 * 2)) = floor(800 / 24) = 33 a batch:
/// 200 + 332 + 464 = 996.
#[test]
fn fixed_increase_adds_the_same() {
    assert_eq!(runs("fiss"), [(50, 4), (83, 4), (116, 4), (4, 1)]);
}

/// c0 = floor(1000 / 16) = 62; times 1, 1.5, 1.75: 62, 93, 108; 248 + 372 + 324 = 944.
#[test]
fn variable_increase_adds_less_each_time() {
    assert_eq!(runs("viss"), [(62, 4), (93, 4), (108, 3), (56, 1)]);
}

/// 125 of its own for each thread; then ceil(0.75^i * 125): 125, 93.75, 70.3, 52.7, 39.6, 29.7, 22.2, 16.7, 12.5, 9.4, 7.04,
/// 5.3, 3.96, 2.97, 2.2.
#[test]
fn half_of_a_performance_based_loop_is_static() {
    let rest = [94, 71, 53, 40, 30, 23, 17, 13, 10, 8, 6, 4, 3, 3];
    let expected: Vec<u64> = [125; 5].into_iter().chain(rest).collect();
    assert_eq!(runs("pls"), single(&expected));
}

/// ceil(R / 4) and floor(R / 4) of 1000, 750, 562, 421 or 422, ...
#[test]
fn guided_of_gnu_rounds_up() {
    assert_eq!(&runs("guided-gnu")[..5], &[(250, 1), (188, 1), (141, 1), (106, 1), (79, 1)]);
    assert_eq!(&runs("guided")[..5], &[(250, 1), (187, 1), (140, 1), (105, 1), (79, 1)]);
}

/// floor(R / 8) of 1000, 875, 766, 671, 588, ... down to fewer than 2 * 4 * 2 = 16, and then one at a time.
#[test]
fn guided_of_llvm_has_half_as_large_chunks() {
    let all = runs("guided-llvm");
    assert_eq!(&all[..5], &[(125, 1), (109, 1), (95, 1), (83, 1), (73, 1)]);
    assert_eq!(all.last(), Some(&(1, 15)));
    // (2 * 125 + 1) * 4 >= 1000: dynamic from the beginning.
    assert_eq!(runs("guided-llvm,125"), [(125, 8)]);
}

/// Measured values are 0 before the first execution: tapering is guided then, rounded up.
#[test]
fn tapering_begins_like_guided() {
    assert_eq!(runs("tap"), runs("guided-gnu"));
}

/// Thread 0 asks alone, of 32 chunks for four threads: its own eight; two of eight of thread 1 (a quarter), then one of
/// six, five, four, three, two and one (a quarter, or one of up to three); the same of threads 2 and 3.
#[test]
fn static_steal_takes_quarters_of_its_neighbours() {
    let row = super::Row { threads: 4, per_domain: 2 };
    let all = super::answers(super::policy("static_steal").unwrap(), 32, &row, 0, &[0]);
    let of_first: Vec<u64> = all
        .iter()
        .filter_map(|(thread, answer)| Some(answer.clone().ok()?.0.start).filter(|_| *thread == 0))
        .collect();
    let expected = [
        0, 1, 2, 3, 4, 5, 6, 7, 14, 15, 13, 12, 11, 10, 9, 8, 22, 23, 21, 20, 19, 18, 17, 16, 30, 31, 29, 28,
        27, 26, 25, 24,
    ];
    assert_eq!(of_first, expected);
}
