//! Timelines of all threads: one row per thread, or per group of neighbours, coloured by the
//! activity that dominates each moment.

use super::TimeAxis;
use super::panel::Frame;
use crate::activities::{CLASSES, class};
use numalab_results::Timeline;
use std::fmt::Write;
use svg::node::element::{Group, Path};

/// Number of moments (time steps) across a panel, as fine as screens show.
const MOMENTS: usize = 600;
/// Smallest height of a row in pixels; if there are too many threads, several threads share a row.
const HIGH: f64 = 1.0;
/// Height of a drawn row relative to its pitch. Rows overlap, since gaps would make colours paler.
const OVERLAP: f64 = 1.2;

/// The measured part of a run in picoseconds: from the start of its first measured phase to the end
/// of the last.
pub(super) fn measured(timeline: &Timeline) -> (u64, u64) {
    let phases = || timeline.phases.iter().filter(|phase| phase.measured);
    let from = phases().map(|phase| phase.from_ps).min().unwrap_or(timeline.from_ps);
    let to = phases().map(|phase| phase.to_ps).max().unwrap_or(timeline.to_ps);
    (from.max(timeline.from_ps), to.min(timeline.to_ps))
}

/// Draws the rows of all threads, one path per activity class.
pub(super) fn strips(timeline: &Timeline, axis: &TimeAxis, frame: Frame) -> Group {
    let (from, to) = measured(timeline);
    let shown = axis.at((to - from) as f64).min(1.0);
    let moments = ((MOMENTS as f64 * shown).round() as usize).max(1);
    let until = match shown < 1.0 {
        true => to,
        // Time beyond the end of the axis is cut.
        false => (from + axis.longest_ps() as u64).min(to),
    };
    let threads = timeline.threads.len();
    let each = threads.div_ceil((frame.height / HIGH) as usize).max(1);
    let rows = threads.div_ceil(each).max(1);
    let mut paths = vec![String::new(); CLASSES.len()];
    for row in 0..rows {
        let mut time = vec![[0.0f32; CLASSES.len()]; moments];
        for thread in row * each..((row + 1) * each).min(threads) {
            add(timeline, thread, from..until, &mut time);
        }
        let most = |moment: &[f32; CLASSES.len()]| {
            let longest = (0..CLASSES.len()).max_by(|a, b| moment[*a].total_cmp(&moment[*b]));
            longest.filter(|class| moment[*class] > 0.0)
        };
        let classes: Vec<Option<usize>> = time.iter().map(most).collect();
        let mut at = 0;
        for same in classes.chunk_by(|a, b| a == b) {
            if let Some(class) = same[0] {
                let _ = write!(paths[class], "M{at} {row}H{}", at + same.len());
            }
            at += same.len();
        }
    }
    let (wide, high) = (frame.width * shown / moments as f64, frame.height / rows as f64);
    let place = format!("translate({:.2} {:.2}) scale({wide:.5} {high:.5})", frame.x, frame.y + high / 2.0);
    let group = Group::new().set("shape-rendering", "crispEdges").set("transform", place);
    CLASSES.iter().zip(paths).filter(|(_, path)| !path.is_empty()).fold(group, |group, (class, path)| {
        group.add(Path::new().set("d", path).set("stroke", class.colour).set("stroke-width", OVERLAP))
    })
}

/// Adds the time of a thread between two instants to the moments, by activity class.
fn add(timeline: &Timeline, thread: usize, during: std::ops::Range<u64>, time: &mut [[f32; CLASSES.len()]]) {
    let moment = ((during.end - during.start) as f64 / time.len() as f64).max(1.0);
    for (from, span) in timeline.spans_of(thread) {
        let (from, to) = (from.max(during.start), span.to_ps.min(during.end));
        if from >= to {
            continue;
        }
        let class = class(&timeline.kinds[span.kind as usize]);
        let (start, end) = ((from - during.start) as f64 / moment, (to - during.start) as f64 / moment);
        let last = (end.ceil() as usize).min(time.len());
        for (at, sums) in time.iter_mut().enumerate().take(last).skip(start as usize) {
            let part = end.min(at as f64 + 1.0) - start.max(at as f64);
            sums[class] += part.max(0.0) as f32;
        }
    }
}
