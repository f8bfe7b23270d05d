use super::*;
use crate::fixtures::machine;

#[test]
fn boards_sockets_and_cores() {
    insta::assert_snapshot!(tree(&machine("board:4 socket:4 core:8"), Style::default()), @r"
    synthetic: synthetic machine board:4 socket:4 core:8
      4 boards, each linked to every other by board-link (12.8 GB/s each way, 150 ns)
        controller, joined to each socket by controller-link (12.8 GB/s each way, 25.0 ns)
        4 sockets (16 in all), each linked to every other by socket-link (12.8 GB/s each way, 25.0 ns)
          memory 16 GiB, 21.6 GB/s (15.6 GB/s reads, 10.8 GB/s writes), 135 ns, lines of 64 B, pages of 4 KiB
          L3 cache 18 MiB, 20.0 ns, 16.0 GB/s to a core, shared by 8 cores
          8 cores (128 in all)
            2.00 GHz, 4 flops and 1.5 instructions per cycle, 10 lines in flight
            L2 cache 256 KiB, 5.00 ns, 32.0 GB/s to a core
            L1 cache 32 KiB, 2.00 ns, 32.0 GB/s to a core

    boards            4
    sockets           16
    NUMA nodes        16
    cores             128
    hardware threads  128
    memory            256 GiB
    memory bandwidth  346 GB/s
    peak              1024 GFLOP/s
    ");
}

#[test]
fn no_levels_but_cores() {
    insta::assert_snapshot!(tree(&machine("core:4"), Style::default()), @r"
    synthetic: synthetic machine core:4
      memory 16 GiB, 21.6 GB/s (15.6 GB/s reads, 10.8 GB/s writes), 135 ns, lines of 64 B, pages of 4 KiB
      L3 cache 18 MiB, 20.0 ns, 16.0 GB/s to a core, shared by 4 cores
      4 cores
        2.00 GHz, 4 flops and 1.5 instructions per cycle, 10 lines in flight
        L2 cache 256 KiB, 5.00 ns, 32.0 GB/s to a core
        L1 cache 32 KiB, 2.00 ns, 32.0 GB/s to a core

    NUMA nodes        1
    cores             4
    hardware threads  4
    memory            16 GiB
    memory bandwidth  21.6 GB/s
    peak              32.0 GFLOP/s
    ");
}

#[test]
fn shapes_in_words() {
    let mut machine = machine("socket:8 core:2");
    let link = LinkId(0);
    let edges = vec![numalab_machine::Edge { from: 0, to: 1, link }];
    let mut words = |shape: Shape| {
        machine.levels[0].interconnect = Some(Interconnect { shape, link });
        let text = tree(&machine, Style::default());
        let line = text.lines().find(|line| line.contains("8 sockets")).unwrap().to_owned();
        line.split_once(", ").unwrap().1.split(" (").next().unwrap().to_owned()
    };
    assert!(words(Shape::Torus(vec![2, 4])).starts_with("in a 2 × 4 torus of "));
    assert!(words(Shape::Ring).starts_with("in a ring of "));
    assert!(words(Shape::Hypercube).starts_with("in a hypercube of "));
    assert!(words(Shape::Star).starts_with("each linked to one switch by "));
    assert!(words(Shape::FatTree { arity: 4 }).starts_with("in a fat tree of 4 to a switch, by "));
    assert!(words(Shape::Edges(edges)).starts_with("joined by 1 links as listed: "));
}

#[test]
fn sizes_in_the_units_that_fit() {
    assert_eq!(size(Bytes(18 << 20)), "18 MiB");
    assert_eq!(size(Bytes(1536)), "1.50 KiB");
    assert_eq!(size(Bytes(16_000_000_000)), "16 GB");
    assert_eq!(size(Bytes(64)), "64 B");
}
