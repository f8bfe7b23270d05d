use super::*;
use numalab_machine::Fabric;
use numalab_simulator::Team;

fn spec(workload: &str) -> RunSpec {
    RunSpec::new("bcs16", workload)
}

/// bcs16 by hand: of the 24 bytes that STREAM counts, all are read and 8 are written back. A node's
/// controller reads 15.6 GB/s, and 21.7 GB/s in both directions suffice for 16.3: so 15.6 GB/s per
/// node. A core computes 4 operations in each of 2 G cycles per second: 8 GFLOP/s, 1024 in total
/// [bcs.roof.flops].
#[test]
fn roofs_by_hand() {
    let machine = numalab_lower::machine("bcs16", &[]).unwrap().value;
    let roofs = roofs::of_parts(&machine, &Fabric::new(&machine).unwrap()).unwrap();
    let names: Vec<(&str, u32)> = roofs.iter().map(|roof| (roof.name.as_str(), roof.cores)).collect();
    assert_eq!(names, [("1 core", 1), ("1 node", 8), ("1 board", 32), ("16 nodes", 128)]);
    let read = machine.memory.read_bandwidth.unwrap().0;
    let node = read.min(machine.memory.bandwidth.0 * 0.75);
    assert!((roofs[1].bandwidth_bytes_per_s / node - 1.0).abs() < 0.01, "{roofs:?}");
    assert!((roofs[3].bandwidth_bytes_per_s / (16.0 * node) - 1.0).abs() < 0.01);
    assert!((roofs[3].peak_flop_per_s / 1024e9 - 1.0).abs() < 1e-9);
}

/// bcs16 by hand: a core has 32 GB/s from its first and its second cache level, and 16 GB/s from the third, so 128
/// cores have 4 096 and 2 048 GB/s.
#[test]
fn roofs_of_caches_by_hand() {
    let machine = numalab_lower::machine("bcs16", &[]).unwrap().value;
    let roofs = roofs::of_caches(&machine, &Fabric::new(&machine).unwrap()).unwrap();
    let levels: Vec<u8> = roofs.iter().map(|roof| roof.level).collect();
    assert_eq!(levels, [1, 2, 3]);
    for (roof, expected) in roofs.iter().zip([4096e9, 4096e9, 2048e9]) {
        assert!((roof.bandwidth_bytes_per_s / expected - 1.0).abs() < 0.01, "{roofs:?}");
    }
}

/// bw(t) comes from a triad with data in memory, so the triad's roofline equals its simulation.
#[test]
fn roofline_of_a_stream_is_its_time() {
    let text = "\
name: triad
description: a = b + s c
regions:
  a: { size: threads * 128 MB }
  b: { size: threads * 128 MB }
  c: { size: threads * 128 MB }
phases:
  - name: fill
    loop:
      iterations: threads
      schedule: static
      touches:
        - { region: a, slice: { partition: 1 }, mode: streaming-write }
        - { region: b, slice: { partition: 1 }, mode: streaming-write }
        - { region: c, slice: { partition: 1 }, mode: streaming-write }
  - name: triad
    measured: true
    loop:
      iterations: threads
      schedule: static
      overlap: 1
      flops: 2 * threads * 16e6
      touches:
        - { region: b, slice: { partition: 1 }, mode: read }
        - { region: c, slice: { partition: 1 }, mode: read }
        - { region: a, slice: { partition: 1 }, mode: write }
compare: [static]
";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("triad.yaml");
    std::fs::write(&path, text).unwrap();
    let model = model(&spec(path.to_str().unwrap()), &[1, 8, 128], &Files::default(), &()).unwrap();
    for point in &model.points {
        assert!(point.roofline_error.unwrap().abs() < 0.02, "{point:?}");
        // 2 operations per 24 bytes.
        assert!((point.intensity().unwrap() - 2.0 / 24.0).abs() < 1e-9);
    }
}

#[test]
fn default_sizes_are_the_series_or_powers_of_two() {
    assert_eq!(usual(&spec("matvec"), &Files::default()).unwrap(), [1, 2, 4, 8, 16, 32, 64, 128]);
    assert_eq!(
        usual(&RunSpec { threads: Some(12), ..spec("loadbal") }, &Files::default()).unwrap(),
        [1, 2, 4, 8, 12]
    );
}

/// Bandwidth of parts of unequal length, which one pass reads in stream order: the longest part decides.
#[test]
fn uneven_parts_are_local_to_their_threads() {
    let machine = numalab_lower::machine("bcs16", &[]).unwrap().value;
    let fabric = Fabric::new(&machine).unwrap();
    let team = Team::on(&fabric, [0, 8]);
    let mut character = Character::new(&machine, &fabric, &team);
    let (short, long) = (100_000_000, 300_000_000);
    let uneven = character.stream(&[(0, short), (short, long)], numalab_workload::Mode::Read).unwrap();
    // One thread reads 10 lines in 134.7 ns, 4.75 GB/s, and has three quarters of the bytes.
    let alone = 10.0 * 64.0 / 134.7e-9;
    assert!((uneven / (alone * 4.0 / 3.0) - 1.0).abs() < 0.02, "{uneven}");
}

/// An empty loop equals the simulation of sync(t): both are the same program on the same lines, except in the first
/// of a hundred repetitions, when the lines are uncached.
#[test]
fn empty_loop_is_pure_synchronisation() {
    let text = "\
name: empty
description: nothing
regions: {}
phases:
  - name: nothing
    measured: true
    repeat: 100
    loop: { iterations: threads, schedule: static }
compare: [static]
";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.yaml");
    std::fs::write(&path, text).unwrap();
    let model = model(&spec(path.to_str().unwrap()), &[1, 8, 64], &Files::default(), &()).unwrap();
    for point in &model.points {
        assert_eq!(point.roofline_ps, 0);
        assert_eq!(point.extended_ps, point.phases[0].sync_ps);
        assert!(point.extended_error.unwrap().abs() < 0.05, "{point:?}");
    }
    // Larger teams are farther apart, so their loops take longer.
    assert!(model.points.is_sorted_by_key(|point| point.extended_ps), "{model:?}");
}
