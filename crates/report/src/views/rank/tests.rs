use crate::*;
use numalab_results::{Better, RankRow, RankTable, SCHEMA_VERSION};

fn row(name: &str, mean_rank: f64, ratio: f64, machines: &[f64]) -> RankRow {
    RankRow {
        name: name.to_owned(),
        groups: 4,
        mean_rank,
        wins: 2,
        mean_ratio: Some(ratio),
        worst_ratio: Some(ratio * 1.5),
        worst_where: "bcs16 · loadbal · 128 threads".to_owned(),
        machine_ranks: machines.iter().map(|rank| Some(*rank)).collect(),
    }
}

fn small() -> RankTable {
    RankTable {
        schema_version: SCHEMA_VERSION,
        by: "policy".to_owned(),
        measure: "makespan_ps".to_owned(),
        better: Better::Less,
        groups: 4,
        alone: 1,
        without_value: 2,
        machines: vec!["bcs16".to_owned(), "hp8".to_owned()],
        rows: vec![
            row("numa-steal:most-loaded", 1.25, 1.1, &[1.0, 1.5]),
            row("static", 1.75, 1.4, &[2.0, 1.5]),
        ],
        wins: vec![vec![None, Some(0.625)], vec![Some(0.375), None]],
    }
}

#[test]
fn in_a_terminal() {
    insta::assert_snapshot!(table(&small(), Style { width: 110, ..Style::default() }), @r"
    policy by makespan_ps · less is better · 4 groups of points equal in all else

                            mean         mean  worst  rank on  rank on
    policy                  rank  wins  ratio  ratio    bcs16      hp8  worst at
    ─────────────────────────────────────────────────────────────────────────────────────────────────
    numa-steal:most-loaded  1.25     2  1.100  1.650     1.00     1.50  bcs16 · loadbal · 128 threads
    static                  1.75     2  1.400  2.100     2.00     1.50  bcs16 · loadbal · 128 threads

    Percentage of common groups in which the policy of the row beats that of the column; a tie counts half:
       policy                   1   2
    ─────────────────────────────────
    1  numa-steal:most-loaded   -  62
    2  static                  38   -

    Not counted: 1 group with only one policy.
    Not counted: 2 rows without makespan_ps.
    ");
}

#[test]
fn as_markdown() {
    insta::assert_snapshot!(markdown(&small()), @r"
    **policy by makespan_ps · less is better · 4 groups of points equal in all else**

    | policy | mean rank | wins | mean ratio | worst ratio | rank on bcs16 | rank on hp8 | worst at |
    | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |
    | numa-steal:most-loaded | 1.25 | 2 | 1.100 | 1.650 | 1.00 | 1.50 | bcs16 · loadbal · 128 threads |
    | static | 1.75 | 2 | 1.400 | 2.100 | 2.00 | 1.50 | bcs16 · loadbal · 128 threads |

    Percentage of common groups in which the policy of the row beats that of the column; a tie counts half:

    |  | policy | 1 | 2 |
    | ---: | --- | ---: | ---: |
    | 1 | numa-steal:most-loaded | - | 62 |
    | 2 | static | 38 | - |

    Not counted: 1 group with only one policy.

    Not counted: 2 rows without makespan_ps.
    ");
}

#[test]
fn as_csv() {
    insta::assert_snapshot!(csv(&small()), @r"
    policy,mean_rank,wins,groups,mean_ratio,worst_ratio,worst_where,rank.bcs16,rank.hp8,beats.numa-steal:most-loaded,beats.static
    numa-steal:most-loaded,1.25,2,4,1.1,1.6500000000000001,bcs16 · loadbal · 128 threads,1,1.5,,0.625
    static,1.75,2,4,1.4,2.0999999999999996,bcs16 · loadbal · 128 threads,2,1.5,0.375,
    ");
}

#[test]
fn no_line_is_wider_than_the_style() {
    let mut ranks = small();
    let count = 12;
    ranks.rows = (0..count).map(|at| row(&format!("numa-steal:kind-{at}"), 1.0, 1.0, &[1.0, 1.0])).collect();
    ranks.wins = vec![vec![Some(1.0); count]; count];
    for width in [50, 64, 80, 100, 200] {
        let text = table(&ranks, Style { width, ..Style::default() });
        assert!(text.lines().all(|line| line.chars().count() <= width), "{width}:\n{text}");
    }
}
