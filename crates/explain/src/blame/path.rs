//! The critical path of a phase: from its end backwards, through whatever the thread does that everybody waits for.

// Glossary: critical path: Chain of what threads did one after the other that the makespan consists of.

use super::history::History;
use numalab_base::Time;

/// Calls `step` with the number of a reason and picoseconds of the path that go to it; their sum is the phase's time.
/// Returns how often the path goes from one thread to another.
///
/// A phase ends when its first thread is through, and begins for all when the one before it has ended. Where the path
/// comes to a wait, it goes on with whoever ended it, at the instant at which that one did.
pub(crate) fn critical_path(history: &History, mut step: impl FnMut(u32, u64)) -> u64 {
    let Some(last) = history.threads.first().and_then(|first| first.pieces.last()) else { return 0 };
    let (mut thread, mut now) = (0, last.to);
    let mut handed_over = 0;
    // Threads that wait for each other at one instant hand the path round; it then stays where it is.
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
