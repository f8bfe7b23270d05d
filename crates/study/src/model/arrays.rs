//! Arrays that a loop accesses, and the bytes that one pass accesses.

use numalab_workload::{Access, Mode, Phase, Slice, Workload};

/// One access of a loop to a region, as the models see it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Array {
    pub name: String,
    pub mode: Mode,
    /// Bytes of the region that are accessed at least once.
    pub footprint: u64,
    /// Accessed bytes, counted at every access.
    pub bytes: u64,
    /// Start and length of the part that each thread accesses, in bytes.
    pub windows: Vec<(u64, u64)>,
}

/// Accesses of a phase that move data; page operations do not.
pub(super) fn arrays(workload: &Workload, phase: &Phase, threads: u32) -> Vec<Array> {
    let data = phase.accesses.iter().filter(|access| access.mode.is_data());
    data.map(|access| array(workload, phase, access, threads)).filter(|array| array.bytes > 0).collect()
}

fn array(workload: &Workload, phase: &Phase, access: &Access, threads: u32) -> Array {
    let region = &workload.regions[access.region.0];
    let bytes = u64::try_from(access.slice.total(phase.iterations)).unwrap_or(u64::MAX);
    // Accessed bytes beyond the region's size are repetitions.
    let footprint = bytes.min(region.size.0);
    let windows = windows(phase, &access.slice, threads);
    Array { name: region.name.clone(), mode: access.mode, footprint, bytes, windows }
}

/// Start and length, for each thread, of the range that an equal share of the iterations accesses. It is exact under
/// a static schedule, an approximation under others.
fn windows(phase: &Phase, slice: &Slice, threads: u32) -> Vec<(u64, u64)> {
    let bound =
        |thread: u64| (u128::from(phase.iterations) * u128::from(thread) / u128::from(threads)) as u64;
    (0..u64::from(threads))
        .map(|thread| {
            let (lo, hi) = (bound(thread), bound(thread + 1));
            let Some(last) = hi.checked_sub(1).filter(|last| *last >= lo) else { return (0, 0) };
            let (start, end) = (slice.range(lo).0, slice.range(last).1);
            (start, end.saturating_sub(start))
        })
        .collect()
}

/// Name of an access mode in workload files.
pub(super) fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Read => "read",
        Mode::Write => "write",
        Mode::StreamingWrite => "streaming-write",
        Mode::Update => "update",
        Mode::Fetch => "fetch",
        Mode::Migrate(_) => "migrate",
        Mode::NextTouch => "next-touch",
        Mode::Replicate => "replicate",
    }
}
