use crate::fixtures::pareto::front;
use crate::*;
use numalab_results::ParetoFront;

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
