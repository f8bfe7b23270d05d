mod files;
mod pages;

use crate::*;
use numalab_results::{Comparison, Layout};
use proptest::prelude::*;

const BCS: Layout = Layout { boards: 4, sockets: 16, nodes: 16 };

#[test]
fn two_policies() {
    insta::assert_snapshot!(table(&fixtures::small(), Style::default()), @r"
    tiny · loadbal · 4 threads · seed 7

                                      same
    policy   makespan  ratio  local  board  remote
    ──────────────────────────────────────────────
    static     1.00 s   1.00   100%     0%      0%
    dynamic    2.00 s   2.00    30%    30%     41%

    policy   waits most for  share  when         worst at
    ────────────────────────────────────────────────────────────────────
    static   memory            16%  0.50-1.00 s  board 0 node 0 memory
    dynamic  board links       21%  1.00-2.00 s  board 0 to board 1 link

             threads ×         ideal        memory       runtime
    policy    makespan          work       penalty      overhead          idle
    ──────────────────────────────────────────────────────────────────────────
    static     4.000 s  2.500 s  62%  0.000 s   0%  0.000 s   0%  1.500 s  38%
    dynamic    8.000 s  4.375 s  55%  2.375 s  30%  0.250 s   3%  1.000 s  12%

    static (1.00 s)
     thread 0 ████████························                                0.25 s
     thread 1 ████████████████················                                0.50 s
     thread 2 ████████████████████████········                                0.75 s
     thread 3 ████████████████████████████████                                1.00 s

    dynamic (2.00 s)
     thread 0 ████████████████████████████████▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓░░░░░░░░░░░░░░░░ 2.00 s
     thread 1 ████████████████▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 2.00 s
     thread 2 ████████▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓░░░░░░░░░░░░░░░░░░░░░░░················ 1.50 s
     thread 3 ████████▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓░░░░░░░░░░░░░░░××××××××················ 1.50 s

    █ local  ▓ same board  ░ remote  × runtime  · idle

    static is fastest, 2.00 times as fast as dynamic.
    ");
}

/// A bottleneck with half a per cent of the time is not named; one with a per cent is.
#[test]
fn negligible_bottleneck_is_not_named() {
    let mut comparison = fixtures::small();
    let share = |comparison: &mut Comparison, at: usize, share| {
        comparison.runs[at].bottleneck.as_mut().unwrap().share = share;
    };
    share(&mut comparison, 0, 0.005);
    share(&mut comparison, 1, 0.01);
    let told = table(&comparison, Style::default());
    let row = |policy: &str| told.lines().filter(|line| line.contains(policy)).nth(1).unwrap().to_owned();
    assert_eq!(row("static ").split_whitespace().collect::<Vec<_>>(), ["static", "nothing", "-", "-", "-"]);
    assert!(row("dynamic").contains("board links") && row("dynamic").contains("1%"), "{told}");
}

#[test]
fn ascii_and_narrow() {
    let style = Style { width: 60, unicode: false, ..Style::default() };
    insta::assert_snapshot!(table(&fixtures::small(), style), @r"
    tiny, loadbal, 4 threads, seed 7

                                      same
    policy   makespan  ratio  local  board  remote
    ----------------------------------------------
    static     1.00 s   1.00   100%     0%      0%
    dynamic    2.00 s   2.00    30%    30%     41%

    policy   waits most for  share  when
    -------------------------------------------
    static   memory            16%  0.50-1.00 s
    dynamic  board links       21%  1.00-2.00 s

    policy   worst at
    --------------------------------
    static   board 0 node 0 memory
    dynamic  board 0 to board 1 link

             ideal   memory   runtime
    policy    work  penalty  overhead  idle
    ---------------------------------------
    static     62%       0%        0%   38%
    dynamic    55%      30%        3%   12%

    static (1.00 s)
     thread 0 #####.................                      0.25 s
     thread 1 ###########...........                      0.50 s
     thread 2 ################......                      0.75 s
     thread 3 ######################                      1.00 s

    dynamic (2.00 s)
     thread 0 ######################++++++++++----------- 2.00 s
     thread 1 ###########+++++++++++--------------------- 2.00 s
     thread 2 #####+++++++++++----------------........... 1.50 s
     thread 3 #####+++++++++++-----------xxxxx........... 1.50 s

    # local  + same board  - remote  x runtime  . idle

    static is fastest, 2.00 times as fast as dynamic.
    ");
}

#[test]
fn many_policies_show_bars_of_the_best_and_the_worst() {
    let policies = ["static", "dynamic", "numa-steal:nearest", "numa-steal:most-loaded"];
    let comparison = fixtures::unbalanced("bcs16", BCS, 8, &policies);
    let text = table(&comparison, Style { width: 120, ..Style::default() });
    let headings: Vec<&str> = text.lines().filter(|line| line.ends_with(" s)")).collect();
    assert_eq!(headings, ["dynamic (1.715 s)", "numa-steal:most-loaded (0.602 s)"]);
    // 128 threads are shown in groups of eight.
    assert_eq!(text.lines().filter(|line| line.starts_with(" threads ")).count(), 2 * 16);
    assert!(text.lines().any(|line| line.ends_with("board 3 to board 0 coherence link")), "{text}");
}

#[test]
fn runs_with_tasks() {
    let style = Style { width: 100, bars: Bars::None, ..Style::default() };
    insta::assert_snapshot!(table(&fixtures::tasks(), style), @r"
    tiny · loadbal · 4 threads · seed 7

                                                 same
    policy              makespan  ratio  local  board  remote  waits most for  share  when
    ──────────────────────────────────────────────────────────────────────────────────────
    static                1.50 s   1.18   100%     0%      0%  nothing             -  -
    tasks:central         2.00 s   1.57    25%     0%     75%  nothing             -  -
    tasks:thread-local    1.27 s   1.00   100%     0%      0%  nothing             -  -

                        threads ×         ideal        memory       runtime
    policy               makespan          work       penalty      overhead          idle
    ─────────────────────────────────────────────────────────────────────────────────────
    static                6.000 s  4.800 s  80%  0.000 s   0%  0.000 s   0%  1.200 s  20%
    tasks:central         8.000 s  3.000 s  38%  1.800 s  22%  3.000 s  38%  0.200 s   2%
    tasks:thread-local    5.080 s  5.000 s  98%  0.000 s   0%  0.080 s   2%  0.000 s   0%

                          tasks     executed      by the    same        same
    policy              created  immediately     creator  socket       board      remote
    ────────────────────────────────────────────────────────────────────────────────────
    tasks:central         4 000           12  1 000  21%  0   0%  1 000  25%  2 000  54%
    tasks:thread-local    4 000            0  3 990 >99%  0   0%      0   0%     10  <1%

                           mean  longest                                      failed  longest
    policy                 task     task      creating      fetching  steals  steals    queue
    ─────────────────────────────────────────────────────────────────────────────────────────
    tasks:central       1.20 ms  2.00 ms  1.000 s  12%  2.000 s  25%       0       0      250
    tasks:thread-local  1.25 ms  2.00 ms  0.030 s   1%  0.050 s   1%      10      31    3 990

    tasks:central, tasks-too-fine: a task works 1.20 ms on average, and handling it takes 0.75 ms
    tasks:central, numa-blind: 75% of the bytes come from another node, where 100% could be local

    tasks:thread-local is fastest, 1.18 times as fast as static.
    ");
    for width in [50, 60, 79, 80, 120, 170] {
        let style = Style { width, bars: Bars::None, ..style };
        let text = table(&fixtures::tasks(), style);
        assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
    }
}

/// Inflation is negative if the caches of several threads help more than those of one.
#[test]
fn inflation_may_be_negative() {
    let mut comparison = fixtures::small();
    comparison.runs.truncate(1);
    let run = &mut comparison.runs[0];
    (run.ideal_work_ps, run.memory_penalty_ps) = (2_000_000_000_000, 500_000_000_000);
    run.beside_one_thread(3_000_000_000_000);
    (run.overhead_ps, run.idle_ps) = (1_000.into(), 1_500_000_000_000.into());
    let style = Style { width: 100, bars: Bars::None, ..Style::default() };
    insta::assert_snapshot!(table(&comparison, style), @r"
    tiny · loadbal · 4 threads · seed 7

                                     same
    policy  makespan  ratio  local  board  remote
    ─────────────────────────────────────────────
    static    1.00 s   1.00   100%     0%      0%

    policy  waits most for  share  when         worst at
    ─────────────────────────────────────────────────────────────────
    static  memory            16%  0.50-1.00 s  board 0 node 0 memory

            threads ×  one thread's      work-time       runtime
    policy   makespan          work      inflation      overhead          idle
    ──────────────────────────────────────────────────────────────────────────
    static    4.000 s  3.000 s  75%  -0.500 s -12%  1.00 ns  <1%  1.500 s  38%
    ");
}

#[test]
fn colours_only_where_allowed() {
    let plain = table(&fixtures::small(), Style::default());
    assert!(!plain.contains('\x1b'));
    let coloured = table(&fixtures::small(), Style { colour: true, ..Style::default() });
    assert_eq!(without_colour(&coloured), plain);
    assert_ne!(coloured, plain);
}

#[test]
fn names_cannot_steer_the_terminal() {
    let mut comparison = fixtures::small();
    comparison.runs[0].policy = "sta\x1b[2Jtic\n".into();
    comparison.machine.name = "a\x07b".into();
    let text = table(&comparison, Style::default());
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
}

#[test]
fn comparison_without_runs_is_a_title() {
    let mut comparison = fixtures::small();
    comparison.runs.clear();
    assert_eq!(table(&comparison, Style::default()), "tiny · loadbal · no runs · seed 7\n");
}

fn without_colour(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\x1b') {
        plain.push_str(before);
        rest = after.split_once('m').expect("an SGR sequence").1;
    }
    plain + rest
}

proptest! {
    #[test]
    fn no_line_is_wider_than_the_style(
        width in 60usize..=200,
        boards in 0u32..4,
        each in 1u32..12,
        unicode in any::<bool>(),
        name in "[a-z: -]{0,80}",
    ) {
        let layout = Layout { boards, sockets: boards.max(1) * 2, nodes: boards.max(1) * 4 };
        let policies = ["static", "dynamic", "guided", "numa-steal:nearest", &name];
        let comparison = fixtures::unbalanced("bcs16", layout, each, &policies);
        let style = Style { width, unicode, bars: Bars::All, ..Style::default() };
        for line in table(&comparison, style).lines() {
            prop_assert!(line.chars().count() <= width, "{} columns: {line}", line.chars().count());
        }
        let colour = Style { colour: true, ..style };
        prop_assert_eq!(without_colour(&table(&comparison, colour)), table(&comparison, style));
    }
}

#[test]
fn names_of_policies_stay_whole_at_80_columns() {
    let mut comparison = fixtures::tasks();
    let longest = "tasks:locality-strict";
    comparison.runs[1].policy = longest.to_owned();
    let text = table(&comparison, Style { width: 80, bars: Bars::None, ..Style::default() });
    let tables = text.lines().filter(|line| line.starts_with("policy ")).count();
    let named = text.lines().filter(|line| line.starts_with(&format!("{longest}  "))).count();
    assert!(tables > 2 && named == tables, "{named} of {tables}:\n{text}");
}
