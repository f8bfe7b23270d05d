//! Critical path of a phase, followed backwards from the end of the phase, through the threads that others wait for.

// Glossary: critical path: Chain of what threads did one after the other that the makespan consists of.

use super::history::History;
use numalab_base::Time;

/// Calls `step` with the index of each reason and its time on the path, in picoseconds. The times sum to the phase's
/// time. Returns the number of times that the path changes threads.
///
/// A phase begins for all threads at the end of the phase before it. Where the path meets a wait, it continues with
/// the thread that ended the wait, at the instant of the release.
pub(crate) fn critical_path(history: &History, mut step: impl FnMut(u32, u64)) -> u64 {
    let Some(last) = history.threads.first().and_then(|first| first.pieces.last()) else { return 0 };
    let (mut thread, mut now) = (0, last.to);
    let mut handed_over = 0;
    // Threads that release each other at one instant would pass the path round for ever. After as many changes at one
    // instant as there are threads, the path stays with its thread for the rest of the piece.
    let mut at_once = 0;
    while now > history.began {
        let own = &history.threads[thread];
        let Some(at) = own.before(now) else { break };
        let (piece, from) = (own.pieces[at], history.from(thread, at));
        let release = own.release(at).filter(|release| {
            let known = release.by.index() < history.threads.len() && release.by.index() != thread;
            known && release.at > from && release.at <= now
        });
        match release {
            Some(release) if at_once <= history.threads.len() => {
                at_once = if release.at < now { 0 } else { at_once + 1 };
                take(&mut step, piece.reason, release.at, now);
                (thread, now) = (release.by.index(), release.at);
                handed_over += 1;
            }
            Some(_) | None => {
                take(&mut step, piece.reason, from, now);
                now = from;
                at_once = 0;
            }
        }
    }
    handed_over
}

fn take(step: &mut impl FnMut(u32, u64), reason: u32, from: Time, to: Time) {
    if to > from {
        step(reason, (to - from).0);
    }
}
