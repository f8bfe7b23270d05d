//! Nodes of threads by placement algorithm, side by side.

use crate::numbers::{grouped, share};
use crate::page::{Page, Rows, Sheet, View, exact};
use crate::style::{Ink, Style};
use numalab_base::printable;
use numalab_results::{PlacementRecord, ThreadPlacement};

impl View for ThreadPlacement {
    /// Arranges a column of nodes per algorithm, their comparison, and the environment variables to paste for each.
    fn page(&self, style: &Style) -> Page {
        let about = format!(
            "{} threads on {} nodes (cores per node: {}), from {}; a remote access costs {} times a local one.",
            self.threads.len(),
            self.nodes.len(),
            self.cores_per_node,
            self.table,
            self.numa_factor
        );
        let nodes = Sheet::of(0..self.threads.len()).text("thread", |at| self.threads[*at].clone());
        let nodes = nodes.each(&self.placements, |sheet, placement| {
            sheet.text(&placement.algorithm, |at| placement.node_of_thread.get(*at).cloned())
        });
        let page = Page::default().text([about]).table(nodes).table(comparison(self));
        self.placements.iter().fold(page, |page, PlacementRecord { algorithm, omp_places, .. }| {
            let places = format!("export OMP_PLACES=\"{omp_places}\" OMP_PROC_BIND=close");
            let places = style.paint(Ink::Bold, &places);
            page.drawn(format!("# {}: one place for each thread\n{places}\n", printable(algorithm)))
        })
    }
}

fn comparison(record: &ThreadPlacement) -> Sheet<&PlacementRecord> {
    let local = |row: &&PlacementRecord| share(row.local_accesses as f64, record.accesses as f64) * 100.0;
    Sheet::of(&record.placements)
        .text("algorithm", |row| row.algorithm.clone())
        .number("local accesses", |row| grouped(row.local_accesses))
        .number("share", |row| format!("{:.1}%", local(row)))
        .number("critical path", |row| grouped(row.critical_path.round() as u64))
}

impl Rows for ThreadPlacement {
    /// One row per thread and algorithm; the last three columns are the same for all threads of an algorithm.
    fn csv(&self) -> String {
        let rows = self.placements.iter().flat_map(|placement| {
            let nodes = self.threads.iter().zip(&placement.node_of_thread);
            nodes.map(move |(thread, node)| (placement, thread, node))
        });
        Sheet::of(rows)
            .file("algorithm", |(placement, ..)| placement.algorithm.clone())
            .file("thread", |(_, thread, _)| (*thread).clone())
            .file("node", |(.., node)| (*node).clone())
            .file("local_accesses", |(placement, ..)| placement.local_accesses)
            .file("accesses", |_| self.accesses)
            .file("critical_path", |(placement, ..)| exact(placement.critical_path))
            .csv()
    }
}

#[cfg(test)]
mod tests {
    use crate::*;
    use numalab_results::{PlacementRecord, SCHEMA_VERSION, ThreadPlacement};

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
            placements: vec![PlacementRecord {
                algorithm: "largest".into(),
                node_of_thread: names("east west"),
                local_accesses: 19,
                critical_path: 10.5,
                omp_places: "{0},{1}".into(),
            }],
        }
    }

    #[test]
    fn nodes_comparison_and_export_lines() {
        insta::assert_snapshot!(table(&record(), Style::default()), @r#"
        2 threads on 2 nodes (cores per node: 1), from counts.csv; a remote access costs
        1.5 times a local one.

        thread  largest
        ───────────────
        a       east
        b       west

        algorithm  local accesses  share  critical path
        ───────────────────────────────────────────────
        largest                19  95.0%             11

        # largest: one place for each thread
        export OMP_PLACES="{0},{1}" OMP_PROC_BIND=close
        "#);
    }

    #[test]
    fn json_and_csv() {
        let json = json(&record());
        assert_eq!(serde_json::from_str::<ThreadPlacement>(&json).unwrap(), record());
        insta::assert_snapshot!(csv(&record()), @r#"
        algorithm,thread,node,local_accesses,accesses,critical_path
        largest,a,east,19,20,10.5
        largest,b,west,19,20,10.5
        "#);
    }
}
