//! Laws of timelines of shipped workloads.

use super::Watch;
use crate::{Files, RunSpec, answer, answer_watched};
use numalab_results::{Account, Run, Timeline};
use numalab_workload::Schedule;

const PAIR: &str = "board:2 socket:2 core:4";

fn watched(workload: &str, policy: &str, watch: &Watch) -> (Run, Timeline) {
    let policy: Schedule = policy.parse().unwrap();
    let spec = RunSpec { schedules: vec![policy], series: false, ..RunSpec::new(PAIR, workload) };
    let run = spec.resolve(&Files::default()).unwrap();
    let alone = answer(&run, &Files::default(), Some(1), &()).unwrap();
    let (seen, mut timelines) = answer_watched(&run, &Files::default(), Some(1), &(), watch).unwrap();
    assert_eq!(alone.runs[0].makespan_ps, seen.runs[0].makespan_ps, "watching changes nothing");
    assert_eq!(alone.runs[0].team, seen.runs[0].team);
    assert_eq!(alone.runs[0].measures, seen.runs[0].measures);
    (seen.runs.into_iter().next().unwrap(), timelines.remove(0))
}

fn all(spans: usize) -> Watch {
    Watch { window: None, spans, amounts: 1 << 20, domains: false }
}

/// Time of a thread in the measured phases, by account.
fn measured(timeline: &Timeline, thread: usize, account: Account) -> u64 {
    let spans = timeline.spans_of(thread);
    let of = spans.filter(|(_, span)| timeline.kinds[span.kind as usize].account == account);
    of.map(|(from, span)| {
        let inside = |phase: &&numalab_results::TimelinePhase| phase.measured;
        let phases = timeline.phases.iter().filter(inside);
        phases.map(|p| span.to_ps.min(p.to_ps).saturating_sub(from.max(p.from_ps))).sum::<u64>()
    })
    .sum()
}

/// Law: A timeline adds up to the run, at any memory limit.
#[test]
fn a_timeline_adds_up_to_the_run() {
    for (workload, policy) in [
        ("loadbal", "static"),
        ("loadbal", "dynamic"),
        ("loadbal", "numa-steal:random"),
        ("loadbal", "tasks:hierarchical"),
        ("matvec", "static"),
        ("fib", "tasks:thread-local"),
    ] {
        let (run, timeline) = watched(workload, policy, &all(1 << 20));
        assert_eq!(timeline.grain_ps, 0);
        for (thread, member) in run.team.iter().enumerate() {
            let end = timeline.spans[thread].last().map(|span| span.to_ps);
            assert_eq!(end, Some(timeline.to_ps), "{workload} {policy}: the spans tile the thread's time");
            for (account, booked) in [
                (Account::Compute, member.compute_ps),
                (Account::Stall, member.stall_ps),
                (Account::Overhead, member.overhead_ps),
                (Account::Idle, member.idle_ps),
            ] {
                assert_eq!(measured(&timeline, thread, account), booked, "{workload} {policy}: {account:?}");
            }
        }
        // Bins also cover unmeasured phases, so they have at least the measured bytes.
        for resource in &run.resources {
            let kept = timeline.resources.iter().find(|kept| kept.name == resource.name).unwrap();
            let sum: f64 = kept.bytes.iter().sum();
            assert!(sum >= resource.bytes as f64 * (1.0 - 1e-6) - 64.0, "{} {sum}", resource.name);
            assert_eq!(kept.bytes.len(), timeline.bins());
            let most = resource.capacity_bytes_per_s * timeline.bin_ps as f64 / 1e12 * (1.0 + 1e-6);
            assert!(kept.bytes.iter().all(|bytes| *bytes <= most), "{}", resource.name);
        }
        let stolen: u64 = run.team.iter().map(|member| member.stolen).sum();
        let handed: u64 = timeline.handovers.iter().map(|handover| handover.iterations).sum();
        assert!(handed >= stolen, "{workload} {policy}: {handed} {stolen}");
    }
}

#[test]
fn tasks_are_classed_by_distance() {
    let (run, timeline) = watched("loadbal", "tasks:hierarchical", &all(1 << 20));
    let tasks = run.tasks.unwrap();
    let sum: f64 = timeline.tasks.iter().flat_map(|(_, bins)| bins).sum();
    let booked = [tasks.by_creator, tasks.same_socket, tasks.same_board, tasks.remote];
    let booked: u64 = booked.iter().map(|part| part.time_ps).sum();
    assert!((sum / booked as f64 - 1.0).abs() < 1e-3, "{sum} {booked}");
}

#[test]
fn a_limit_keeps_the_sums_and_a_window_its_part() {
    let (_, whole) = watched("loadbal", "dynamic", &all(1 << 20));
    let (_, few) = watched("loadbal", "dynamic", &all(4000));
    assert!(few.grain_ps > 0 && few.spans_kept() <= 4000 && few.spans_seen == whole.spans_seen);
    let by_kind = |timeline: &Timeline| {
        let mut sums = vec![0; timeline.kinds.len()];
        for thread in 0..timeline.threads.len() {
            timeline.spans_of(thread).for_each(|(from, span)| sums[span.kind as usize] += span.to_ps - from);
        }
        sums
    };
    assert_eq!(by_kind(&whole), by_kind(&few));
    let third = whole.to_ps / 3;
    let window = Watch { window: Some(third..2 * third), ..all(1 << 20) };
    let (_, part) = watched("loadbal", "dynamic", &window);
    assert_eq!((part.from_ps, part.to_ps), (third, 2 * third));
    let ends = part.spans.iter().map(|spans| spans.last().unwrap().to_ps);
    assert!(ends.clone().all(|end| end == 2 * third));
    assert!(part.spans_seen < whole.spans_seen);
}

/// Under `static`, threads return to their own pages, so data is on their own board. Without the option `domains`, no
/// domain is recorded.
#[test]
fn spans_have_domains_on_request() {
    let (_, plain) = watched("loadbal", "static", &all(1 << 20));
    assert!(plain.kinds.iter().all(|kind| kind.domain.is_none()));
    let (_, timeline) = watched("loadbal", "static", &all(1 << 20).with_domains());
    for (at, thread) in timeline.threads.iter().enumerate() {
        let time = |own: bool| -> u64 {
            let spans = timeline.spans_of(at).filter_map(|(from, span)| {
                let domain = timeline.kinds[span.kind as usize].domain?;
                ((domain == thread.board) == own).then_some(span.to_ps - from)
            });
            spans.sum()
        };
        assert!(time(true) > 20 * time(false), "thread {at}: {} {}", time(true), time(false));
    }
    let idle = |kind: &numalab_results::SpanKind| kind.account == Account::Idle;
    assert!(timeline.kinds.iter().filter(|kind| idle(kind)).all(|kind| kind.domain.is_none()));
}
