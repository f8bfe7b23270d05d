use crate::picture_checks::outside;
use crate::*;
use numalab_results::{Better, Objective, ParetoFront, ParetoPoint, SCHEMA_VERSION};
use proptest::prelude::*;

fn front(front: &[(f64, f64, &str)], behind: &[(f64, f64, &str)]) -> ParetoFront {
    let point =
        |&(x, y, at): &(f64, f64, &str)| ParetoPoint { x, y, at: vec![at.to_owned(), "8".to_owned()] };
    ParetoFront {
        schema_version: SCHEMA_VERSION,
        x: Objective { column: "makespan_ps".to_owned(), better: Better::Less },
        y: Objective { column: "bytes_machine".to_owned(), better: Better::Less },
        coordinates: vec!["policy".to_owned(), "threads".to_owned()],
        common: vec![("machine".to_owned(), "bcs16".to_owned())],
        without_value: 1,
        front: front.iter().map(point).collect(),
        behind: behind.iter().map(point).collect(),
    }
}

fn small() -> ParetoFront {
    front(&[(6e11, 4e9, "dynamic"), (1.2e12, 5e8, "static")], &[(1.3e12, 4e9, "guided")])
}

#[test]
fn in_a_terminal() {
    insta::assert_snapshot!(table(&small(), Style::default()), @r"
    Pareto front of less makespan and less bytes_machine · bcs16

    makespan  bytes_machine  policy   threads
    ─────────────────────────────────────────
      600 ms        4.00 GB  dynamic        8
      1.20 s         500 MB  static         8

    2 of 3 points on the front. 1 row has no value in one of the columns.
    ");
}

#[test]
fn as_markdown() {
    insta::assert_snapshot!(markdown(&small()), @r"
    **Pareto front of less makespan and less bytes_machine · bcs16**

    | makespan | bytes_machine | policy | threads |
    | ---: | ---: | --- | ---: |
    | 600 ms | 4.00 GB | dynamic | 8 |
    | 1.20 s | 500 MB | static | 8 |

    2 of 3 points on the front. 1 row has no value in one of the columns.
    ");
}

#[test]
fn as_csv() {
    insta::assert_snapshot!(csv(&small()), @r"
    policy,threads,makespan_ps,bytes_machine,front
    dynamic,8,600000000000,4000000000,true
    static,8,1200000000000,500000000,true
    guided,8,1300000000000,4000000000,false
    ");
}

proptest! {
    #[test]
    fn every_point_is_on_the_page(
        points in proptest::collection::vec((0.0f64..1.0, 0.0f64..1.0), 1..40),
        (across, up) in (0.1f64..16.0, 0.1f64..16.0),
        on in 1usize..10,
        long in 0usize..80,
    ) {
        let name = "m".repeat(long);
        let scaled = |&(x, y): &(f64, f64)| (10f64.powf(x * across), 10f64.powf(y * up), &*name);
        let points: Vec<_> = points.iter().map(scaled).collect();
        let (on, behind) = points.split_at(on.min(points.len()));
        prop_assert_eq!(outside(&pareto_svg(&front(on, behind))), Vec::<String>::new());
    }
}
