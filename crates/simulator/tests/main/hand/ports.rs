//! Ports of chips and clusters to their node.

use crate::builders::{MB, MS, computing, looped, machine, near, placed, run_on, run_under};
use numalab_base::Bandwidth;
use numalab_machine::{Machine, NodePort};
use numalab_runtime::Profile;
use numalab_simulator::RunOutcome;
use numalab_workload::{Construct, Mode, Phase};

/// Two chips of two clusters of two cores, in front of a memory of 100 GB/s. A cluster reads 8 GB/s and writes 2 GB/s,
/// a chip reads 12 GB/s.
fn chips() -> Machine {
    let mut machine = machine("socket:2 chip:2 cluster:2 core:2");
    machine.memory.bandwidth = Bandwidth(100e9);
    machine.links[0].bandwidth = Bandwidth(100e9);
    let gigabytes = |number: f64| Some(Bandwidth(number * 1e9));
    machine.levels[1].port = Some(NodePort { read_bandwidth: gigabytes(12.0), write_bandwidth: None });
    machine.levels[2].port =
        Some(NodePort { read_bandwidth: gigabytes(8.0), write_bandwidth: gigabytes(2.0) });
    machine
}

/// Each of `threads` neighbouring threads accesses `bytes` that it has placed.
fn together(threads: u64, mode: Mode, bytes: u64) -> RunOutcome {
    let bounds: Vec<u64> = (0..=threads).map(|thread| thread * bytes).collect();
    run_on(&chips(), threads as u32, "static", &[placed(&bounds), looped(mode, &bounds)])
}

/// One thread: 6.4 GB/s by its own lines in flight. Two threads of a cluster: 8 GB/s by the cluster's port. Four
/// threads of a chip: 12 GB/s by the chip's port. Eight threads of two chips: 24 GB/s. Each reads for 1 ms.
#[test]
fn a_port_limits_what_its_cores_read() {
    near(together(1, Mode::Read, 6_400_000).makespan_ps, MS);
    near(together(2, Mode::Read, 4 * MB).makespan_ps, MS);
    near(together(4, Mode::Read, 3 * MB).makespan_ps, MS);
    near(together(8, Mode::Read, 3 * MB).makespan_ps, MS);
}

/// Streaming stores only leave: 2 GB/s of a cluster, at 1 MB for each of its two threads. Plain stores are fetched as
/// well, through the direction into the cluster, and take as long.
#[test]
fn a_port_limits_what_its_cores_write() {
    for mode in [Mode::StreamingWrite, Mode::Write] {
        let run = together(2, mode, MB);
        near(run.makespan_ps, MS);
        let full = run.resources.iter().find(|resource| resource.peak_utilisation == 1.0).unwrap();
        assert_eq!((full.name.as_str(), full.bytes), ("out of cluster 0", 2 * MB));
    }
}

/// Bytes of the other socket cross the reader's ports, too. Two threads of a cluster would read 2 × 640 B / 200 ns =
/// 6.4 GB/s; a port of 4 GB/s lets 4 MB through in 1 ms.
#[test]
fn bytes_of_other_nodes_cross_the_ports_of_the_reader() {
    let mut machine = chips();
    machine.levels[2].port.as_mut().unwrap().read_bandwidth = Some(Bandwidth(4e9));
    // Thread 0 of socket 0 places 4 MB; threads 8 and 9 of socket 1 read 2 MB each.
    let (mut owned, mut used) = (vec![4 * MB; 11], vec![0; 11]);
    owned[0] = 0;
    (used[9], used[10]) = (2 * MB, 4 * MB);
    let run = run_on(&machine, 10, "static", &[placed(&owned), looped(Mode::Read, &used)]);
    near(run.makespan_ps, MS);
    let port = run.resources.iter().find(|resource| resource.name == "into cluster 4").unwrap();
    assert_eq!((port.bytes, port.peak_utilisation), (4 * MB, 1.0));
}

/// Lines of a lock cross no port: sixteen threads of two sockets take the same time through ports that let
/// a line through in 64 ns as without ports.
#[test]
fn lines_of_locks_cross_no_port() {
    let mut narrow = chips();
    for level in &mut narrow.levels {
        if let Some(port) = &mut level.port {
            (port.read_bandwidth, port.write_bandwidth) = (Some(Bandwidth(1e9)), Some(Bandwidth(1e9)));
        }
    }
    let mut free = narrow.clone();
    free.levels.iter_mut().for_each(|level| level.port = None);
    let phase = Phase { construct: Construct::Critical, times: 10, ..computing(&[100.0; 16]) };
    let run = |machine: &Machine| run_under(&Profile::free(), machine, 16, &phase);
    assert_eq!(run(&narrow).makespan_ps, run(&free).makespan_ps);
}
