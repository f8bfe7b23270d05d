use super::*;
use crate::fixtures;
use numalab_results::Layout;
use proptest::prelude::*;

fn rectangles(picture: &str, fill: &str) -> Vec<(f64, f64)> {
    let document = roxmltree::Document::parse(picture).expect("well-formed");
    let number = |node: &roxmltree::Node<'_, '_>, name| node.attribute(name).unwrap().parse::<f64>().unwrap();
    document
        .descendants()
        .filter(|node| {
            node.has_tag_name(("http://www.w3.org/2000/svg", "rect")) && node.attribute("fill") == Some(fill)
        })
        .map(|node| (number(&node, "x"), number(&node, "width")))
        .collect()
}

#[test]
fn bar_length_is_its_time() {
    let comparison = fixtures::small();
    let picture = svg(&comparison);
    let palette = Palette::of(&comparison);
    let found = rectangles(&picture, palette.colour(0));
    // Bars of node 0: under static thread 0 with 0.25 s, under dynamic threads 0 to 3 with 1, 0.5, 0.5 and 0.25 s.
    // The sixth rectangle belongs to the legend.
    let lengths: Vec<f64> = found[..5].iter().map(|(_, width)| width / found[0].1).collect();
    for (length, expected) in lengths.iter().zip([1.0, 4.0, 2.0, 2.0, 1.0]) {
        assert!((length - expected).abs() < 0.01, "{lengths:?}");
    }
    assert_eq!(found.len(), 6);
}

// Threads of the fixture: 0 computes for 0.4 of the time, then waits for far data; 1 waits for a
// quarter, computes until half, and is then idle. The axis ends 2 % beyond the run, so the run has
// 588 of 600 moments.
#[test]
fn schedule_shows_activities_over_time() {
    let layout = Layout { boards: 0, sockets: 2, nodes: 2 };
    let mut comparison = fixtures::unbalanced("m", layout, 1, &["static"]);
    comparison.runs[0].makespan_ps = 1_000_000;
    let picture = schedule_svg(&comparison, &[crate::run_page::tests::timeline("static")]);
    let document = roxmltree::Document::parse(&picture).expect("well-formed");
    let paths: Vec<(&str, &str)> = document
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "path")))
        .map(|node| (node.attribute("stroke").unwrap(), node.attribute("d").unwrap()))
        .collect();
    assert_eq!(
        paths,
        [("#0072b2", "M0 0H235M147 1H294"), ("#d55e00", "M235 0H588M0 1H147"), ("#d9d9d9", "M294 1H588")]
    );
}

// The median of 1, 1.2, 1.5 and 20 is 1.2; 20 is more than four times that.
#[test]
fn outlier_is_cut() {
    let axis = TimeAxis::of(vec![1_000_000, 20_000_000, 1_200_000, 1_500_000]);
    assert!(axis.at(1_500_000.0) > 0.95 && axis.at(1_500_000.0) <= 1.0);
    let layout = Layout { boards: 0, sockets: 2, nodes: 2 };
    let mut comparison = fixtures::unbalanced("m", layout, 2, &["static", "dynamic", "guided"]);
    let long = &mut comparison.runs[1];
    long.team.iter_mut().for_each(|member| member.idle_ps += 50 * long.makespan_ps);
    long.makespan_ps *= 51;
    let picture = svg(&comparison);
    assert_eq!(picture.matches(", cut").count(), 1);
    let mut bars = rectangles(&picture, "#ebebeb").into_iter();
    assert!(bars.all(|(x, width)| x + width <= WIDTH - MARGIN));
}

#[test]
fn pictures_load_nothing() {
    let picture = svg(&fixtures::small());
    assert!(!picture.contains("<script") && !picture.contains("href") && !picture.contains("url("));
}

#[test]
fn empty_comparisons_and_teams_are_drawn() {
    let mut comparison = fixtures::small();
    comparison.runs[0].team.clear();
    comparison.runs[1].makespan_ps = 0;
    roxmltree::Document::parse(&svg(&comparison)).unwrap();
    comparison.runs.clear();
    roxmltree::Document::parse(&svg(&comparison)).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn every_picture_is_well_formed_and_inside_its_frame(
        boards in 0u32..12,
        per_board in 1u32..4,
        each in 1u32..6,
        policies in 0usize..10,
        name in "\\PC{0,20}|[\\x00-\\x20<>&'\"]{0,20}",
    ) {
        let nodes = boards.max(1) * per_board * 2;
        let layout = Layout { boards, sockets: nodes / 2, nodes };
        let all = ["static", "dynamic", "numa-steal:nearest", &name];
        let chosen: Vec<&str> = (0..policies).map(|at| all[at % 4]).collect();
        let picture = svg(&fixtures::unbalanced(&name, layout, each, &chosen));
        let document = roxmltree::Document::parse(&picture).expect("well-formed");
        for node in document.descendants().filter(|node| node.has_tag_name("rect")) {
            let end = ["x", "width"].map(|name| node.attribute(name).unwrap().parse::<f64>().unwrap());
            prop_assert!(end[0] >= 0.0 && end[0] + end[1] <= WIDTH + 0.02);
        }
    }
}
