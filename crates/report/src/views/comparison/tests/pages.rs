use crate::*;
use numalab_results::{NodeCounts, NodeTime, PageFaults, PageSharing, PhaseCounts, PhaseSharing};

const MS: u64 = 1_000_000_000;

/// Two of four threads computed for 100 ms each and two were stopped for 300 ms: means of 50 and
/// 150 ms. Node 1 was inactive.
#[test]
fn loops_and_nodes_over_shared_pages() {
    let mut comparison = fixtures::small();
    comparison.runs.truncate(1);
    let run = &mut comparison.runs[0];
    let node =
        |compute: u64, stop: u64| NodeTime { compute_ps: compute * MS, stop_ps: stop * MS, idle_ps: 0 };
    run.phases = vec![PhaseCounts {
        name: "sweep".to_owned(),
        time_ps: 200 * MS,
        page_faults: PageFaults { read: 1000, write: 20, upgrade: 3 },
        sharing: PhaseSharing { nodes: vec![node(200, 0), node(0, 600)], written_by_several: 7 },
        ..PhaseCounts::default()
    }];
    let busy = NodeCounts {
        faults: PageFaults { read: 1000, write: 20, upgrade: 3 },
        messages: [("page".to_owned(), 1020)].into(),
        bytes: 4_243_200,
        received: 1023,
        invalidations: 5,
        daemon_busy_ps: 500 * MS,
        ..NodeCounts::default()
    };
    run.pages =
        Some(PageSharing { nodes: vec![busy, NodeCounts::default()], stops: Vec::new(), rows: Vec::new() });
    let text = table(&comparison, Style { width: 120, ..Style::default() });
    let shown: Vec<&str> =
        text.lines().filter(|line| line.contains("sweep") || line.contains("4.24 MB")).collect();
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ");
    assert_eq!(
        shown.into_iter().map(words).collect::<Vec<_>>(),
        [
            "static sweep 200.0 ms 50.0 ms 150.0 ms 0.0 ms 1 000 20 3 7",
            "static 0 1 023 1 020 4.24 MB 0 5 50%"
        ]
    );
}
