use super::*;
use crate::fixtures::machine;
use numalab_machine::{Edge, Interconnect, Shape};
use proptest::prelude::*;

fn shaped(spec: &str, shape: Shape) -> Machine {
    let mut machine = machine(spec);
    machine.levels[0].interconnect = Some(Interconnect { shape, link: LinkId(0) });
    machine
}

fn lines(machine: &Machine, depth: usize) -> usize {
    Wires::of(machine, &Layout::of(machine)).lines.get(&depth).map_or(0, Vec::len)
}

#[test]
fn each_link_is_drawn() {
    let small = machine("board:4 socket:4 core:8");
    // 6 lines between the 4 boards; on each board 6 between its 4 sockets, and 4 to the controller.
    assert_eq!(lines(&small, 0), 6);
    assert_eq!(lines(&small, 1), 4 * (6 + 4));
}

#[test]
fn many_nodes_collapse_to_boards() {
    let torus = shaped("board:72 socket:2 core:12", Shape::Torus(vec![3, 6, 4]));
    assert_eq!(Layout::of(&torus).leaf, 1);
    // A torus of 3 × 6 × 4 boards. The dimension of 3 has 24 rows, each with 2 straight links and one that wraps;
    // that of 6 has 12 rows of 5 and 1; that of 4 has 18 rows of 3 and 1. A link that wraps is drawn as two stubs.
    assert_eq!(lines(&torus, 0), 3 * 72 + (24 + 12 + 18));
    assert_eq!(lines(&torus, 1), 0);
}

#[test]
fn a_switch_stands_in_the_middle() {
    let star = shaped("socket:4 core:2", Shape::Star);
    let layout = Layout::of(&star);
    let switches = Wires::of(&star, &layout).switches.remove(&0).unwrap();
    let middle = (layout.size().0 / 2.0, layout.size().1 / 2.0);
    assert_eq!(switches, [middle]);
}

#[test]
fn lines_avoid_boxes_between_their_ends() {
    let edges = vec![
        Edge { from: 0, to: 1, link: LinkId(0) },
        Edge { from: 1, to: 2, link: LinkId(0) },
        Edge { from: 0, to: 2, link: LinkId(0) },
    ];
    // A controller makes its children a row, in which the line from 0 to 2 passes 1.
    let mut boards = machine("board:2 socket:3 core:2");
    boards.levels[1].interconnect = Some(Interconnect { shape: Shape::Edges(edges), link: LinkId(0) });
    let wires = Wires::of(&boards, &Layout::of(&boards));
    let arcs: Vec<bool> = wires.lines[&1].iter().map(|line| line.over.is_some()).collect();
    assert_eq!(arcs.iter().filter(|arc| **arc).count(), 2, "{arcs:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn every_graph_is_well_formed_and_inside_its_frame(
        boards in 1u32..40,
        sockets in 1u32..6,
        cores in 1u32..20,
        which in 0usize..6,
        name in "\\PC{0,12}|[\\x00-\\x20<>&'\"]{0,12}",
    ) {
        let shape = [
            Shape::Mesh,
            Shape::Ring,
            Shape::Torus(vec![boards, 1]),
            Shape::Star,
            Shape::FatTree { arity: 3 },
            Shape::Edges((1..boards).map(|to| Edge { from: to / 2, to, link: LinkId(0) }).collect()),
        ][which].clone();
        let mut machine = shaped(&format!("board:{boards} socket:{sockets} core:{cores}"), shape);
        machine.name = name.clone();
        machine.description = name;
        let picture = graph_svg(&machine);
        let document = roxmltree::Document::parse(&picture).expect("well-formed");
        for node in document.descendants().filter(|node| node.has_tag_name("rect")) {
            let number = |name| node.attribute(name).unwrap().parse::<f64>().unwrap();
            prop_assert!(number("x") >= 0.0 && number("x") + number("width") <= WIDTH + 0.1);
            prop_assert!(number("y") >= 0.0 && number("y") + number("height") <= HEIGHT + 0.1);
        }
    }
}
