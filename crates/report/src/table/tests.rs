use super::*;
use crate::fixtures;
use crate::style::Bars;
use numalab_results::Layout;
use proptest::prelude::*;

const BCS: Layout = Layout { boards: 4, sockets: 16, nodes: 16 };

#[test]
fn two_policies() {
    insta::assert_snapshot!(table(&fixtures::small(), Style::default()), @r"
    tiny · loadbal · 4 threads · seed 7

                                      same
    policy   makespan  ratio  local  board  remote  idle
    ────────────────────────────────────────────────────
    static     1.00 s   1.00   100%     0%      0%   38%
    dynamic    2.00 s   2.00    30%    30%     41%   12%

                                      mean  peak
    policy   busiest resource          use   use
    ────────────────────────────────────────────
    static   board 0 node 0 memory     25%   90%
    dynamic  board 0 to board 1 link   80%  100%

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
    ");
}

#[test]
fn ascii_and_narrow() {
    let style = Style { width: 60, unicode: false, ..Style::default() };
    insta::assert_snapshot!(table(&fixtures::small(), style), @r"
    tiny, loadbal, 4 threads, seed 7

                                      same
    policy   makespan  ratio  local  board  remote  idle
    ----------------------------------------------------
    static     1.00 s   1.00   100%     0%      0%   38%
    dynamic    2.00 s   2.00    30%    30%     41%   12%

                                      mean  peak
    policy   busiest resource          use   use
    --------------------------------------------
    static   board 0 node 0 memory     25%   90%
    dynamic  board 0 to board 1 link   80%  100%

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
    ");
}

#[test]
fn many_policies_show_bars_of_the_best_and_the_worst() {
    let policies = ["static", "dynamic", "numa-steal:nearest", "numa-steal:most-loaded"];
    let comparison = fixtures::unbalanced("bcs16", BCS, 8, &policies);
    insta::assert_snapshot!(table(&comparison, Style { width: 120, ..Style::default() }), @r"
    bcs16 · loadbal · 128 threads · seed 7

                                                     same                                                   mean  peak
    policy                  makespan  ratio  local  board  remote  idle  busiest resource                    use   use
    ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    static                   1.160 s   1.93   100%     0%      0%   50%  board 3 to board 0 coherence link   81%  100%
    dynamic                  1.715 s   2.85     2%    11%     86%   10%  board 3 to board 0 coherence link   55%  100%
    numa-steal:nearest       0.776 s   1.29    70%     0%     30%   17%  board 3 to board 0 coherence link  121%  100%
    numa-steal:most-loaded   0.602 s   1.00    75%     0%     25%    0%  board 3 to board 0 coherence link  156%  100%

    dynamic (1.715 s)
     threads 0-7     ▓▓▓░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░× 1.715 s
     threads 8-15    ▓▓▓░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░× 1.712 s
     threads 16-23   █▓▓░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░× 1.709 s
     threads 24-31   █▓▓░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░×× 1.706 s
     threads 32-39   █▓▓▓▓▓▓▓▓░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░×······ 1.602 s
     threads 40-47   █▓▓▓▓▓▓▓▓░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░××······ 1.599 s
     threads 48-55   ██▓▓▓▓▓▓▓░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░×······· 1.596 s
     threads 56-63   ██▓▓▓▓▓▓▓░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░×······· 1.594 s
     threads 64-71   ██▓▓▓▓▓▓▓▓▓▓▓▓▓░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░×············· 1.489 s
     threads 72-79   ██▓▓▓▓▓▓▓▓▓▓▓▓▓░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░×············· 1.486 s
     threads 80-87   ███▓▓▓▓▓▓▓▓▓▓▓▓░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░×············· 1.483 s
     threads 88-95   ███▓▓▓▓▓▓▓▓▓▓▓░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░×············· 1.481 s
     threads 96-103  ███▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░×··················· 1.376 s
     threads 104-111 ███▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░×··················· 1.373 s
     threads 112-119 ████▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░×··················· 1.371 s
     threads 120-127 ████▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░×··················· 1.368 s

    numa-steal:most-loaded (0.602 s)
     threads 0-7     ██░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░×                                                               0.602 s
     threads 8-15    ██████░░░░░░░░░░░░░░░░░░░░░░░░░░×                                                               0.602 s
     threads 16-23   ██████████░░░░░░░░░░░░░░░░░░░░░░×                                                               0.602 s
     threads 24-31   ██████████████░░░░░░░░░░░░░░░░░░×                                                               0.602 s
     threads 32-39   ██████████████████░░░░░░░░░░░░░░×                                                               0.602 s
     threads 40-47   ██████████████████████░░░░░░░░░░×                                                               0.602 s
     threads 48-55   ██████████████████████████░░░░░░×                                                               0.602 s
     threads 56-63   ██████████████████████████████░░×                                                               0.602 s
     threads 64-71   ████████████████████████████████×                                                               0.602 s
     threads 72-79   ████████████████████████████████×                                                               0.602 s
     threads 80-87   ████████████████████████████████×                                                               0.602 s
     threads 88-95   ████████████████████████████████×                                                               0.602 s
     threads 96-103  ████████████████████████████████×                                                               0.602 s
     threads 104-111 ████████████████████████████████×                                                               0.602 s
     threads 112-119 ████████████████████████████████×                                                               0.602 s
     threads 120-127 ████████████████████████████████×                                                               0.602 s

    █ local  ▓ same board  ░ remote  × runtime  · idle
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
fn names_cannot_drive_the_terminal() {
    let mut comparison = fixtures::small();
    comparison.runs[0].policy = "sta\x1b[2Jtic\n".into();
    comparison.machine.name = "a\x07b".into();
    let text = table(&comparison, Style::default());
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
}

#[test]
fn no_runs_is_only_a_title() {
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
