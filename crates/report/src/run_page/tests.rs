//! The page without a browser: it is whole, small, and fetches nothing.

use super::*;
use crate::fixtures;
use numalab_results::{
    Account, Handover, Layout, PairTraffic, ResourceKind, Sharing, SpanKind, TaskDistance, TimelinePhase,
    TimelineResource, TimelineSpan, TimelineThread,
};

/// A timeline of two threads over a microsecond.
pub(crate) fn timeline(policy: &str) -> Timeline {
    let thread = |at| TimelineThread { processor: at, node: at, socket: at, board: 0 };
    let kind = |account, reason: &str, data| SpanKind {
        account,
        reason: reason.to_owned(),
        data,
        limit: None,
        creator: Some(TaskDistance::Remote),
    };
    let span = |to_ps, kind| TimelineSpan { to_ps, kind };
    Timeline {
        workload: "w".into(),
        machine: "m".into(),
        policy: policy.into(),
        from_ps: 0,
        to_ps: 1_000_000,
        run_ps: 1_000_000,
        threads: vec![thread(0), thread(1)],
        kinds: vec![
            kind(Account::Compute, "computing", None),
            kind(Account::Stall, "data from far away", Some(Sharing::Machine)),
            kind(Account::Idle, "no work", None),
        ],
        spans: vec![
            vec![span(400_000, 0), span(1_000_000, 1)],
            vec![span(250_000, 1), span(500_000, 0), span(1_000_000, 2)],
        ],
        grain_ps: 0,
        spans_seen: 5,
        phases: vec![TimelinePhase { name: "work".into(), measured: true, from_ps: 0, to_ps: 1_000_000 }],
        bin_ps: 262_144,
        resources: vec![TimelineResource {
            name: "memory of node 0".into(),
            kind: ResourceKind::Memory(0),
            capacity_bytes_per_s: 1e9,
            bytes: vec![100.0, 50.0, 0.0, 25.0],
        }],
        nodes_per_group: 1,
        groups: 2,
        traffic: vec![PairTraffic {
            home: 0,
            reader: 1,
            limit_bytes_per_s: Some(1e9),
            bytes: vec![100.0; 4],
        }],
        handovers: vec![Handover { from: 0, to: 1, iterations: 3, at_ps: 250_000 }],
        handovers_seen: 1,
        tasks: vec![(TaskDistance::Remote, vec![1e5; 4])],
    }
}

#[test]
fn the_page_is_whole_and_fetches_nothing() {
    let layout = Layout { boards: 0, sockets: 2, nodes: 2 };
    let comparison = fixtures::unbalanced("m </script>", layout, 1, &["static", "dynamic"]);
    let page = run_page(&comparison, &[timeline("static"), timeline("dynamic")]);
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    for fetched in ["src=", "href=", "import ", "fetch(", "XMLHttpRequest", "url("] {
        assert!(!page.contains(fetched), "{fetched}");
    }
    // Nothing of the data ends a script early.
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(page.len() < 80_000, "{} bytes without data", page.len());
}
