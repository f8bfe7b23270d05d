//! Time in which one thread works and the others wait.

use super::history::History;
use numalab_base::{Span, Time};

/// Time of a phase in which at most one thread does not wait for others.
pub(crate) fn alone(history: &History) -> Span {
    let mut changes: Vec<(Time, i32)> = Vec::new();
    for (thread, own) in history.threads.iter().enumerate() {
        for (at, piece) in own.pieces.iter().enumerate().filter(|(_, piece)| piece.idle) {
            changes.extend([(history.from(thread, at), 1), (piece.to, -1)]);
        }
    }
    let most = history.threads.len() as i32 - 1;
    let end = history.end();
    if most == 0 {
        return end - history.began;
    }
    changes.sort_unstable();
    let (mut waiting, mut since, mut alone) = (0, history.began, Span::ZERO);
    for (at, change) in changes {
        if waiting >= most {
            alone += at - since;
        }
        waiting += change;
        since = at;
    }
    if waiting >= most { alone + (end - since) } else { alone }
}
