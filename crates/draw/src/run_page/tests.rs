//! Tests of the page without a browser: it is complete, small and self-contained.

use super::*;
use crate::fixtures;
use numalab_results::{
    Account, Blame, Handover, Layout, OriginTimes, PairTraffic, RegionBytes, ResourceKind, Sharing, SpanKind,
    TaskDistance, TimelinePhase, TimelineResource, TimelineSpan, TimelineThread,
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
        domain: None,
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
fn page_is_complete_and_loads_nothing() {
    let layout = Layout { boards: 0, sockets: 2, nodes: 2 };
    let comparison = fixtures::unbalanced("m </script>", layout, 1, &["static", "dynamic"]);
    let page = run_page(&comparison, &[timeline("static"), timeline("dynamic")], &[]);
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    for fetched in ["src=", "href=", "import ", "fetch(", "XMLHttpRequest", "url("] {
        assert!(!page.contains(fetched), "{fetched}");
    }
    // The page has two scripts. `</script>` in the data must not end one of them.
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(page.len() < 90_000, "{} bytes without data", page.len());
}

/// The explanation of `static` has a memory wait in two regions, and 450 more rows of one microsecond. The other
/// policy has no explanation.
#[test]
fn explanations_belong_to_policies_and_are_limited() {
    let layout = Layout { boards: 0, sockets: 2, nodes: 2 };
    let mut comparison = fixtures::unbalanced("m", layout, 1, &["static", "dynamic"]);
    let row = |region: &str, resource: String, own_ps| Blame {
        phase: "work".into(),
        kind: "memory".into(),
        region: Some(region.into()),
        level: Some("node".into()),
        resource: Some(resource),
        class: Some("memory".into()),
        waits_for: "memory bandwidth".into(),
        own_ps,
        waited_ps: 1,
        path_ps: 2,
    };
    let mut blame = vec![row("a", "memory of node 0".into(), 5_000_000)];
    blame.extend((0..450).map(|node| row("b", format!("memory of node {node}"), 1_000_000)));
    let mut by_node = numalab_results::ByNode::default();
    by_node.add(1, 64);
    let notes = vec!["what it is worth".to_owned()];
    comparison.replay = Some(numalab_results::Replay { held_against: None, notes });
    let explanation = Explanation {
        policy: "static".into(),
        threads: 2,
        makespan_ps: 4_000_000,
        blame,
        region_bytes: vec![RegionBytes { region: "a".into(), by_node }],
        origins: vec![OriginTimes { level: "node".into(), steps: vec![(64, 128)] }],
        ..fixtures::explanation()
    };
    let all = data::data(&comparison, &[timeline("static"), timeline("dynamic")], &[explanation]);
    assert_eq!(all["notes"], serde_json::json!(["what it is worth"]));
    let (told, nothing) = (&all["blame"][0], &all["blame"][1]);
    assert!(nothing.is_null());
    assert_eq!(told["whole"], 8e6);
    let rows = told["rows"].as_array().unwrap();
    let expected =
        serde_json::json!(["work", "memory bandwidth", "a", "own node", "memory of node 0", 5_000_000, 1, 2]);
    assert_eq!(rows[0], expected);
    // The 400 largest rows are listed; the other 51 are summed.
    assert_eq!(rows.len(), 401);
    let rest = serde_json::json!(["work", "memory bandwidth", "b", "own node", "", 51_000_000, 51, 102]);
    assert_eq!(rows[400], rest);
    assert_eq!(told["regions"], serde_json::json!([["a", [0, 64]]]));
    assert_eq!(told["origins"], serde_json::json!([["node", [[64, 128]]]]));
}

/// Thread 0 was stopped for 3 ms of its 4 ms of memory time, and its node sent two pages; node 1
/// was inactive.
#[test]
fn shared_pages_have_tables() {
    use numalab_results::{NodeCounts, PageFaults, PageSharing, PageStop};
    let mut comparison = fixtures::small();
    comparison.runs.truncate(1);
    assert!(data::data(&comparison, &[timeline("static")], &[])["policies"][0]["sharedPages"].is_null());
    let node = NodeCounts {
        faults: PageFaults { read: 7, ..PageFaults::default() },
        messages: [("page".to_owned(), 2)].into(),
        received: 3,
        ..NodeCounts::default()
    };
    let run = &mut comparison.runs[0];
    run.team.truncate(1);
    run.team[0].stall_ps = 4_000_000_000;
    let stop = PageStop { stop_ps: 3_000_000_000, by_part_ps: [("wire".to_owned(), 3_000_000_000)].into() };
    run.pages =
        Some(PageSharing { nodes: vec![node, NodeCounts::default()], stops: vec![stop], rows: Vec::new() });
    let shared = &data::data(&comparison, &[timeline("static")], &[])["policies"][0]["sharedPages"];
    let [threads, _, nodes] = [0, 1, 2].map(|at| &shared["tables"][at]);
    assert_eq!(threads["head"].as_array().unwrap()[2..4], ["stopped: wire", "other memory"]);
    assert_eq!(threads["rows"][0].as_array().unwrap()[2..4], ["3.00 ms", "1.00 ms"]);
    assert_eq!(
        nodes["head"],
        serde_json::json!(["node", "faults", "messages sent", "bytes sent", "daemon busy"])
    );
    assert_eq!(nodes["rows"].as_array().unwrap().len(), 1);
    assert_eq!(nodes["rows"][0][1], "7");
}
