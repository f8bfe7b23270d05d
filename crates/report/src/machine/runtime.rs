//! An OpenMP runtime for people to look at: what it does, and what is left when no line moves.

use super::with_phrases;
use crate::page::wrap;
use crate::style::printable;
use crate::style::{Ink, Style};
use numalab_base::Span;
use numalab_base::parameter::Parameters;
use numalab_runtime::Profile;
use numalab_runtime::profile::{Barrier, Reduction, TeamThreads};
use numalab_workload::QueueKind;

/// The runtime in words: a row for each of its parts.
pub fn runtime(profile: &Profile, style: Style) -> String {
    let name = style.paint(Ink::Bold, &printable(&profile.name));
    let mut text = match profile.description.is_empty() {
        true => format!("{name}\n\n"),
        false => format!("{name}: {}\n\n", printable(&profile.description)),
    };
    let rows = [
        ("fork", fork(profile)),
        ("join", join(profile)),
        ("barrier", with_phrases(barrier(profile.barrier.algorithm()), &profile.barrier, "; ")),
        ("lock", with_phrases(lock(profile), &profile.lock, "; ")),
        ("tasks", with_phrases(tasks(profile), &profile.tasks, "; ")),
        ("reduction", reduction(profile.reduction).to_owned()),
        ("schedules", format!("auto is {}, runtime is {}", profile.auto, profile.runtime)),
    ];
    let indent = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0) + 4;
    for (name, words) in rows {
        let mut head = name;
        for line in wrap(&words, style.columns().saturating_sub(indent).max(20)).lines() {
            text += format!("  {head:<width$}{line}", width = indent - 2).trim_end();
            text.push('\n');
            head = "";
        }
    }
    text
}

fn fork(profile: &Profile) -> String {
    let fork = &profile.fork;
    let mut parts = fork.phrases();
    if fork.team_lines > 0 {
        parts.push(format!("{} that all members read", lines(fork.team_lines)));
    }
    if fork.member_lines > 0 {
        let both = if fork.member_writes { ", which writes them too" } else { "" };
        parts.push(format!("{} for each member{both}", lines(fork.member_lines)));
    }
    parts.extend(match fork.nested.threads {
        TeamThreads::Kept => None,
        TeamThreads::Pool => Some(format!(
            "inner teams come from a pool under one {} lock: {} and {} for each member",
            fork.nested.lock,
            lines(fork.nested.member_lines),
            lines(fork.nested.team_lines)
        )),
        TeamThreads::Created => Some("threads of inner teams are created for each region".to_owned()),
    });
    if fork.master_lines > 0 {
        parts.push(format!(
            "{} for each member that the first thread writes itself",
            lines(fork.master_lines)
        ));
    }
    for (time, who) in
        [(fork.member_time, "whoever releases a member"), (fork.master_time, "the first thread")]
    {
        if time > Span::ZERO {
            parts.push(format!("{time} of {who} for each"));
        }
    }
    parts.push(match fork.release(profile.barrier.wake_call) {
        Barrier::Free => "members are released at no cost".to_owned(),
        release => format!("members are released by: {}", barrier(release)),
    });
    parts.join("; ")
}

fn join(profile: &Profile) -> String {
    match profile.fork.pool_barrier {
        true => "a whole barrier, and another one of the pool".to_owned(),
        false if profile.is_free() => "at no cost".to_owned(),
        false => "the gathering half of a barrier".to_owned(),
    }
}

fn barrier(barrier: Barrier) -> String {
    match barrier {
        Barrier::Central => "central: one counter, and one word that all spin on".to_owned(),
        Barrier::Futex { call } => format!(
            "futex: one counter, and one word that all spin on; the last one takes {call} to wake sleepers"
        ),
        Barrier::Tree { branching } => format!("tree of branching {branching}, by thread number"),
        Barrier::Hypercube { branching } => format!("hypercube of branching {branching}, by thread number"),
        Barrier::Dissemination => "dissemination: rounds of pairwise signals".to_owned(),
        Barrier::Hierarchical => "hierarchical: a tree by the machine's levels".to_owned(),
        Barrier::Free => "free: nobody waits for a line".to_owned(),
    }
}

fn lock(profile: &Profile) -> String {
    let kind = profile.lock.kind;
    match profile.lock.spin {
        None => format!("{kind}; waits spinning"),
        Some(spin) => format!("{kind}; sleeps after {spin}, and waking takes {}", profile.lock.wake),
    }
}

fn tasks(profile: &Profile) -> String {
    let tasks = &profile.tasks;
    let bound = match (tasks.bound, tasks.queue) {
        (None, _) => "without a bound".to_owned(),
        (Some(bound), QueueKind::Central) => format!("{bound} tasks for each thread, then executed at once"),
        (Some(bound), _) => format!("{bound} tasks in a queue, then executed at once"),
    };
    let lock = tasks.lock.map_or(String::new(), |lock| format!("; under a lock of kind {lock}"));
    format!(
        "{}, {bound}{lock}; {} to create, {} to start and finish; {} each",
        tasks.queue,
        tasks.create,
        tasks.dispatch,
        lines(tasks.lines),
    )
}

fn reduction(reduction: Reduction) -> &'static str {
    match reduction {
        Reduction::Tree => "tree: with the closing barrier",
        Reduction::Atomic => "atomic: everybody adds to one word",
        Reduction::Critical => "critical: under the lock",
    }
}

fn lines(count: u32) -> String {
    if count == 1 { "1 line".to_owned() } else { format!("{count} lines") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::style::Bars;
    use numalab_base::Span;
    use numalab_runtime::profile::BarrierKind;
    use numalab_workload::LockKind;

    #[test]
    fn a_runtime_in_words() {
        let mut profile = Profile::default();
        profile.lock.kind = LockKind::TestAndTestAndSet;
        profile.lock.spin = Some(Span(3_000_000_000));
        (profile.fork.release, profile.fork.branching) = (BarrierKind::Tree, Some(4));
        profile.tasks.queue = QueueKind::Central;
        let style = Style { width: 60, colour: false, unicode: true, bars: Bars::None, elsewhere: "" };
        let expected = "\
plain: A plain runtime: barriers by the machine's levels, a task queue for each thread

  fork       200 ns on one thread; 2 lines that all members
             read; members are released by: tree of
             branching 4, by thread number
  join       the gathering half of a barrier
  barrier    hierarchical: a tree by the machine's levels
  lock       test-and-test-and-set; sleeps after 3.00 ms,
             and waking takes 5.00 us
  tasks      central, 256 tasks for each thread, then
             executed at once; 100 ns to create, 50.0 ns to
             start and finish; 2 lines each
  reduction  tree: with the closing barrier
  schedules  auto is static, runtime is static
";
        assert_eq!(runtime(&profile, style), expected);
        let free = runtime(&Profile::free(), Style { width: 200, ..style });
        assert!(free.contains("released at no cost") && free.contains("join       at no cost"), "{free}");
    }
}
