//! Passes waits on: the time of a waiter counts for the reasons of the thread that it waits for.

use super::history::History;
use numalab_base::Time;

/// Number of threads that wait for one thread, from one instant to another.
#[derive(Clone, Copy, Debug)]
struct Claim {
    from: Time,
    to: Time,
    waiting: u64,
}

/// Longest chain of waits that is followed (a thread waits for a thread that waits, and so on).
const LONGEST_CHAIN: u32 = 1024;

/// Calls `blame` with the index of each reason, and the picoseconds that threads wait because of the reason. A wait
/// that no other thread ended counts for its own reason. The picoseconds sum to those of all waits.
pub(crate) fn pass_on(history: &History, mut blame: impl FnMut(u32, u128)) {
    let mut claims: Vec<Vec<Claim>> = vec![Vec::new(); history.threads.len()];
    for (thread, own) in history.threads.iter().enumerate() {
        for (at, piece) in own.pieces.iter().enumerate().filter(|(_, piece)| piece.idle) {
            let claim = Claim { from: history.from(thread, at), to: piece.to, waiting: 1 };
            match own.release(at) {
                Some(release) if release.by.index() != thread => claims[release.by.index()].push(claim),
                Some(_) | None => blame(piece.reason, u128::from((claim.to - claim.from).0)),
            }
        }
    }
    for round in 0..LONGEST_CHAIN {
        let mut next: Vec<Vec<Claim>> = vec![Vec::new(); history.threads.len()];
        for (thread, claims) in claims.iter().enumerate().filter(|(_, claims)| !claims.is_empty()) {
            follow(history, thread, claims, round + 1 == LONGEST_CHAIN, &mut next, &mut blame);
        }
        claims = next;
        if claims.iter().all(Vec::is_empty) {
            return;
        }
    }
}

/// Assigns claims on a thread to the thread's own reasons. Claims on the thread's waits go on to the thread that is
/// waited for.
fn follow(
    history: &History,
    thread: usize,
    claims: &[Claim],
    last: bool,
    next: &mut [Vec<Claim>],
    blame: &mut impl FnMut(u32, u128),
) {
    let own = &history.threads[thread];
    for Claim { from, to, waiting } in steps(claims) {
        let Some(mut at) = own.before(Time(from.0 + 1)) else { continue };
        let mut begin = from;
        while begin < to && at < own.pieces.len() {
            let piece = own.pieces[at];
            let end = piece.to.min(to);
            let release = if piece.idle && !last { own.release(at) } else { None };
            match release.filter(|release| release.by.index() != thread) {
                Some(release) => next[release.by.index()].push(Claim { from: begin, to: end, waiting }),
                None => blame(piece.reason, u128::from((end - begin).0) * u128::from(waiting)),
            }
            begin = end;
            at += 1;
        }
        debug_assert!(begin == to, "a thread's time has a gap");
    }
}

/// Splits overlapping claims into consecutive ones, and adds up their waiters.
fn steps(claims: &[Claim]) -> Vec<Claim> {
    let mut changes: Vec<(Time, i64)> = Vec::with_capacity(2 * claims.len());
    for claim in claims.iter().filter(|claim| claim.to > claim.from) {
        changes.extend([(claim.from, claim.waiting as i64), (claim.to, -(claim.waiting as i64))]);
    }
    changes.sort_unstable_by_key(|change| change.0);
    let mut steps = Vec::new();
    let (mut waiting, mut since) = (0i64, Time::ZERO);
    for (at, change) in changes {
        if waiting > 0 && at > since {
            steps.push(Claim { from: since, to: at, waiting: waiting as u64 });
        }
        waiting += change;
        since = at;
    }
    steps
}
