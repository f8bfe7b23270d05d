//! Place lists (`OMP_PLACES`) of tours, ready to paste.

use crate::page::{Page, Rows, Sheet, View, exact};
use crate::style::{Ink, Style};
use numalab_results::{PlaceList, TourRecord};

impl View for PlaceList {
    fn page(&self, style: &Style) -> Page {
        let paste = [
            format!("export OMP_PLACES=\"{}\"", self.omp_places),
            format!("export OMP_PROC_BIND={}", self.omp_proc_bind),
        ];
        let paste = paste.map(|line| style.paint(Ink::Bold, &line) + "\n").concat();
        let about = format!("Tours through {}, by {}.", self.machine, self.distances);
        Page::default().drawn(paste).text([about]).table(sheet(self))
    }
}

impl Rows for PlaceList {
    fn csv(&self) -> String {
        sheet(self).csv()
    }
}

/// One row per algorithm; only the row of the chosen algorithm has the place list.
fn sheet(list: &PlaceList) -> Sheet<&TourRecord> {
    let order = |tour: &&TourRecord| tour.order.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    Sheet::of(&list.tours)
        .file("machine", |_| list.machine.clone())
        .words("algorithm", "algorithm", |tour| tour.algorithm.clone())
        .number("length", |tour| tour.length.map(length))
        .text("", |tour| tour.chosen.then_some("◀"))
        .text("tour through the nodes, and back", |tour| match tour.length {
            Some(_) => order(tour),
            None => "not feasible for this many nodes".to_owned(),
        })
        .file("chosen", |tour| tour.chosen)
        .file("length", |tour| tour.length.map(exact))
        .file("order", order)
        .file("omp_places", |tour| tour.chosen.then(|| list.omp_places.clone()))
}

/// Text of a tour's length with at most three decimals, without trailing zeros.
fn length(length: f64) -> String {
    let text = format!("{length:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use crate::*;
    use numalab_results::{PlaceList, SCHEMA_VERSION, TourRecord};

    fn list() -> PlaceList {
        let tour = |algorithm: &str, length, order: &[u32], chosen| TourRecord {
            algorithm: algorithm.into(),
            chosen,
            length,
            order: order.to_vec(),
        };
        PlaceList {
            schema_version: SCHEMA_VERSION,
            machine: "four".into(),
            distances: "distances.csv".into(),
            omp_places: "{0:8},{16:8}".into(),
            omp_proc_bind: "close".into(),
            tours: vec![
                tour("greedy", Some(378.5), &[0, 1], false),
                tour("exact", None, &[], false),
                tour("local-search", Some(377.0), &[0, 2], true),
            ],
        }
    }

    #[test]
    fn export_lines_come_first() {
        insta::assert_snapshot!(table(&list(), Style::default()), @r#"
        export OMP_PLACES="{0:8},{16:8}"
        export OMP_PROC_BIND=close

        Tours through four, by distances.csv.

        algorithm     length     tour through the nodes, and back
        ─────────────────────────────────────────────────────────
        greedy         378.5     0 1
        exact              -     not feasible for this many nodes
        local-search     377  ◀  0 2
        "#);
    }

    #[test]
    fn json_and_csv_keep_everything() {
        assert_eq!(serde_json::from_str::<PlaceList>(&json(&list())).unwrap(), list());
        insta::assert_snapshot!(csv(&list()), @r#"
        machine,algorithm,chosen,length,order,omp_places
        four,greedy,false,378.5,0 1,
        four,exact,false,,,
        four,local-search,true,377.0,0 2,"{0:8},{16:8}"
        "#);
    }
}
