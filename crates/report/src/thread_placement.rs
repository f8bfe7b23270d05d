//! A node for each thread, by several algorithms side by side.

use crate::export::rows;
use crate::json::readable;
use crate::numbers::{grouped, share};
use crate::style::{Ink, Style};
use crate::table::{Grid, printable, wrap};
use numalab_results::{PlacementRecord, ThreadPlacement};
use serde::Serialize;

/// A column of nodes for each algorithm, how they compare, and for each the environment to paste.
pub fn thread_placement_table(record: &ThreadPlacement, style: Style) -> String {
    let about = format!(
        "{} threads on {} nodes with room for {} each, from {}; a remote access costs {} local ones.",
        record.threads.len(),
        record.nodes.len(),
        record.cores_per_node,
        record.table,
        record.numa_factor
    );
    let placed: Vec<&PlacementRecord> =
        record.placements.iter().filter(|placement| placement.refused.is_none()).collect();
    let mut sections = vec![wrap(&printable(&about), style.columns())];
    if !placed.is_empty() {
        sections.push(nodes(record, &placed).draw(&style));
        sections.push(comparison(record, &placed).draw(&style));
    }
    for placement in &record.placements {
        if let Some(reason) = &placement.refused {
            sections.push(wrap(&format!("{}: {reason}.", placement.algorithm), style.columns()));
        }
    }
    for placement in placed {
        let title = format!("# {}: one place for each thread", placement.algorithm);
        let places = format!("export OMP_PLACES=\"{}\" OMP_PROC_BIND=close", placement.omp_places);
        sections.push(format!("{title}\n{}\n", style.paint(Ink::Bold, &places)));
    }
    sections.join("\n")
}

fn nodes(record: &ThreadPlacement, placed: &[&PlacementRecord]) -> Grid {
    let threads = Grid::new().text("thread", record.threads.iter().cloned());
    placed.iter().fold(threads, |grid, placement| {
        grid.text(&placement.algorithm, placement.node_of_thread.iter().cloned())
    })
}

fn comparison(record: &ThreadPlacement, placed: &[&PlacementRecord]) -> Grid {
    let local = |placement: &&PlacementRecord| {
        format!("{:.1}%", share(placement.local_accesses as f64, record.accesses as f64) * 100.0)
    };
    Grid::new()
        .text("algorithm", placed.iter().map(|placement| placement.algorithm.clone()))
        .number("local accesses", placed.iter().map(|placement| grouped(placement.local_accesses)))
        .number("share", placed.iter().map(local))
        .number(
            "critical path",
            placed.iter().map(|placement| grouped(placement.critical_path.round() as u64)),
        )
}

/// Everything as one JSON object.
pub fn thread_placement_json(record: &ThreadPlacement) -> String {
    readable(record)
}

/// A row for each thread and algorithm that placed it.
pub fn thread_placement_csv(record: &ThreadPlacement) -> String {
    let mut lines = Vec::new();
    for placement in &record.placements {
        for (thread, node) in record.threads.iter().zip(&placement.node_of_thread) {
            lines.push(Row {
                algorithm: &placement.algorithm,
                thread,
                node,
                local_accesses: placement.local_accesses,
                accesses: record.accesses,
                critical_path: placement.critical_path,
            });
        }
    }
    rows(lines, "algorithm,thread,node,local_accesses,accesses,critical_path")
}

/// The last three are the algorithm's, and the same on each of its rows.
#[derive(Serialize)]
struct Row<'a> {
    algorithm: &'a str,
    thread: &'a str,
    node: &'a str,
    local_accesses: u64,
    accesses: u64,
    critical_path: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_results::SCHEMA_VERSION;

    // Thread a has 9 of 10 accesses on east, b all 10 on west.
    fn record() -> ThreadPlacement {
        let names = |text: &str| text.split(' ').map(str::to_owned).collect();
        ThreadPlacement {
            schema_version: SCHEMA_VERSION,
            table: "counts.csv".into(),
            threads: names("a b"),
            nodes: names("east west"),
            cores_per_node: 1,
            numa_factor: 1.5,
            accesses: 20,
            placements: vec![
                PlacementRecord {
                    algorithm: "exhaustive".into(),
                    refused: Some("too many".into()),
                    node_of_thread: Vec::new(),
                    local_accesses: 0,
                    critical_path: 0.0,
                    omp_places: String::new(),
                },
                PlacementRecord {
                    algorithm: "largest".into(),
                    refused: None,
                    node_of_thread: names("east west"),
                    local_accesses: 19,
                    critical_path: 10.5,
                    omp_places: "{0},{1}".into(),
                },
            ],
        }
    }

    #[test]
    fn nodes_then_the_comparison_then_what_to_paste() {
        insta::assert_snapshot!(thread_placement_table(&record(), Style::default()), @r#"
        2 threads on 2 nodes with room for 1 each, from counts.csv; a remote access
        costs 1.5 local ones.

        thread  largest
        ───────────────
        a       east
        b       west

        algorithm  local accesses  share  critical path
        ───────────────────────────────────────────────
        largest                19  95.0%             11

        exhaustive: too many.

        # largest: one place for each thread
        export OMP_PLACES="{0},{1}" OMP_PROC_BIND=close
        "#);
    }

    #[test]
    fn json_and_csv() {
        let json = thread_placement_json(&record());
        assert_eq!(serde_json::from_str::<ThreadPlacement>(&json).unwrap(), record());
        insta::assert_snapshot!(thread_placement_csv(&record()), @r#"
        algorithm,thread,node,local_accesses,accesses,critical_path
        largest,a,east,19,20,10.5
        largest,b,west,19,20,10.5
        "#);
    }
}
