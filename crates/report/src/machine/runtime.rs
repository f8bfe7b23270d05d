//! Description of an OpenMP runtime as text: its algorithms and costs.

use super::with_phrases;
use crate::page::wrap;
use crate::style::{Ink, Style};
use numalab_base::Span;
use numalab_base::parameter::Parameters;
use numalab_base::printable;
use numalab_runtime::Profile;
use numalab_runtime::profile::{Barrier, Reduction, TeamThreads};
use numalab_workload::QueueKind;

/// Table of the runtime's parts, such as barriers and locks, one per row.
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
        parts.push(format!("{} read by all members", lines(fork.team_lines)));
    }
    if fork.member_lines > 0 {
        let both = if fork.member_writes { ", which also writes them" } else { "" };
        parts.push(format!("{} per member{both}", lines(fork.member_lines)));
    }
    parts.extend(match fork.nested.threads {
        TeamThreads::Kept => None,
        TeamThreads::Pool => Some(format!(
            "inner teams come from a pool under one {} lock: {} and {} per member",
            fork.nested.lock,
            lines(fork.nested.member_lines),
            lines(fork.nested.team_lines)
        )),
        TeamThreads::Created => Some("threads of inner teams are created for each region".to_owned()),
    });
    if fork.master_lines > 0 {
        parts.push(format!("{} per member, written by the first thread", lines(fork.master_lines)));
    }
    for (time, actor) in [(fork.member_time, "the releasing thread"), (fork.master_time, "the first thread")]
    {
        if time > Span::ZERO {
            parts.push(format!("{time} of {actor} per member"));
        }
    }
    parts.push(match fork.opening(profile.barrier.wake_call) {
        Barrier::Free => "members are released at no cost".to_owned(),
        release => format!("members are released by: {}", barrier(release)),
    });
    parts.join("; ")
}

fn join(profile: &Profile) -> String {
    match profile.fork.pool_barrier {
        true => "a full barrier, then a barrier of the pool".to_owned(),
        false if profile.is_free() => "free".to_owned(),
        false => "the gather phase of a barrier".to_owned(),
    }
}

fn barrier(barrier: Barrier) -> String {
    match barrier {
        Barrier::Central => "central: one counter, and one word on which all spin".to_owned(),
        Barrier::Futex { call } => format!(
            "futex: one counter, and one word on which all spin; the last thread takes {call} to wake sleepers"
        ),
        Barrier::Tree { branching } => format!("tree of branching {branching}, by thread number"),
        Barrier::Hypercube { branching } => format!("hypercube of branching {branching}, by thread number"),
        Barrier::Dissemination => "dissemination: rounds of pairwise signals".to_owned(),
        Barrier::Hierarchical => "hierarchical: a tree along the machine's levels".to_owned(),
        Barrier::Free => "free: no cache lines are exchanged".to_owned(),
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
        (None, _) => "unbounded".to_owned(),
        (Some(bound), QueueKind::Central) => {
            format!("{bound} tasks per thread, further ones run immediately")
        }
        (Some(bound), _) => format!("{bound} tasks per queue, further ones run immediately"),
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
        Reduction::Atomic => "atomic: all threads add to one word",
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
    fn runtime_description() {
        let mut profile = Profile::default();
        profile.lock.kind = LockKind::TestAndTestAndSet;
        profile.lock.spin = Some(Span(3_000_000_000));
        (profile.fork.release, profile.fork.branching) = (BarrierKind::Tree, Some(4));
        profile.tasks.queue = QueueKind::Central;
        let style = Style { width: 60, colour: false, unicode: true, bars: Bars::None, elsewhere: "" };
        let expected = "\
plain: A plain runtime: barriers by the machine's levels, a task queue for each thread

  fork       200 ns on one thread; 2 lines read by all
             members; members are released by: tree of
             branching 4, by thread number
  join       the gather phase of a barrier
  barrier    hierarchical: a tree along the machine's levels
  lock       test-and-test-and-set; sleeps after 3.00 ms,
             and waking takes 5.00 us
  tasks      central, 256 tasks per thread, further ones run
             immediately; 100 ns to create, 50.0 ns to start
             and finish; 2 lines each
  reduction  tree: with the closing barrier
  schedules  auto is static, runtime is static
";
        assert_eq!(runtime(&profile, style), expected);
        let free = runtime(&Profile::free(), Style { width: 200, ..style });
        assert!(free.contains("released at no cost") && free.contains("join       free"), "{free}");
    }
}
