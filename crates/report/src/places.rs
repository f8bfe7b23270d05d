//! Place lists, ready to paste.

use crate::export::rows;
use crate::json::readable;
use crate::style::{Ink, Style};
use crate::table::{Grid, printable, wrap};
use numalab_results::PlaceList;
use serde::Serialize;

/// The environment to paste, and under it the tours that it was chosen from.
pub fn places_table(list: &PlaceList, style: Style) -> String {
    let tours = &list.tours;
    let order = |nodes: &[u32]| nodes.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    let grid = Grid::new()
        .text("algorithm", tours.iter().map(|tour| tour.algorithm.clone()))
        .number("length", tours.iter().map(|tour| tour.length.map_or("-".to_owned(), length)))
        .text("", tours.iter().map(|tour| if tour.chosen { style.pick("◀", "<") } else { "" }.to_owned()))
        .text(
            "tour through the nodes, and back",
            tours.iter().map(|tour| match tour.length {
                Some(_) => order(&tour.order),
                None => "not feasible for so many nodes".to_owned(),
            }),
        );
    let about =
        wrap(&printable(&format!("Tours through {}, by {}.", list.machine, list.distances)), style.columns());
    format!(
        "{}\n{}\n\n{}\n{}",
        style.paint(Ink::Bold, &format!("export OMP_PLACES=\"{}\"", list.omp_places)),
        style.paint(Ink::Bold, &format!("export OMP_PROC_BIND={}", list.omp_proc_bind)),
        about,
        grid.draw(&style),
    )
}

/// Up to three decimals, and none that say nothing.
fn length(length: f64) -> String {
    let text = format!("{length:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Everything as one JSON object.
pub fn places_json(list: &PlaceList) -> String {
    readable(list)
}

/// A row for each algorithm. The place list stands on the row of the chosen one.
pub fn places_csv(list: &PlaceList) -> String {
    let records = list.tours.iter().map(|tour| Row {
        machine: &list.machine,
        algorithm: &tour.algorithm,
        chosen: tour.chosen,
        length: tour.length,
        order: tour.order.iter().map(u32::to_string).collect::<Vec<_>>().join(" "),
        omp_places: if tour.chosen { &list.omp_places } else { "" },
    });
    rows(records, "machine,algorithm,chosen,length,order,omp_places")
}

#[derive(Serialize)]
struct Row<'a> {
    machine: &'a str,
    algorithm: &'a str,
    chosen: bool,
    length: Option<f64>,
    order: String,
    omp_places: &'a str,
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_results::{SCHEMA_VERSION, TourRecord};

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
    fn what_to_paste_comes_first() {
        insta::assert_snapshot!(places_table(&list(), Style::default()), @r#"
        export OMP_PLACES="{0:8},{16:8}"
        export OMP_PROC_BIND=close

        Tours through four, by distances.csv.

        algorithm     length     tour through the nodes, and back
        ─────────────────────────────────────────────────────────
        greedy         378.5     0 1
        exact              -     not feasible for so many nodes
        local-search     377  ◀  0 2
        "#);
    }

    #[test]
    fn json_and_csv_keep_everything() {
        assert_eq!(serde_json::from_str::<PlaceList>(&places_json(&list())).unwrap(), list());
        insta::assert_snapshot!(places_csv(&list()), @r#"
        machine,algorithm,chosen,length,order,omp_places
        four,greedy,false,378.5,0 1,
        four,exact,false,,,
        four,local-search,true,377.0,0 2,"{0:8},{16:8}"
        "#);
    }
}
