//! Memory tiers. Two sockets with 60 pages of memory each, and node 2 next to socket 0 with 200 pages of slower
//! memory. Thread 0 places 100 pages: 60 on its node, 40 on node 2. A scan unmaps the pages on node 2 every
//! microsecond.

use crate::builders::{PAGE, US, charging, looped, placed, run_placed};
use numalab_base::{Bandwidth, Bytes, Span};
use numalab_machine::{LevelKind, Machine, MemoryOnly};
use numalab_simulator::RunOutcome;
use numalab_workload::{Mode, Phase, Placement};

const ALL: u64 = 100 * PAGE;
const SPILLED: u64 = 60 * PAGE;

fn tiered() -> Machine {
    let mut machine = charging();
    let latency = machine.memory.latency;
    machine.memory.capacity = Bytes(60 * PAGE);
    machine.memory_only = vec![MemoryOnly {
        name: "cxl".to_owned(),
        near: LevelKind::Socket,
        only_at: Some(0),
        ..MemoryOnly::new(Bytes(200 * PAGE), latency, Bandwidth(3.2e9))
    }];
    let balancing = &mut machine.os.balancing;
    balancing.hint_fault = Span(US);
    (balancing.scan_period, balancing.scan_delay) = (Span(US), Span(US));
    machine
}

/// Outcome of `times` passes of thread 0 over the spilled pages, after it placed all pages.
fn passes(machine: &Machine, placement: Placement, times: usize) -> RunOutcome {
    let mut phases = vec![placed(&[0, ALL, ALL])];
    phases.extend(
        (0..times).map(|at| Phase { name: format!("{at}"), ..looped(Mode::Read, &[SPILLED, ALL, ALL]) }),
    );
    run_placed(machine, 2, placement, &phases)
}

fn moves(run: &RunOutcome) -> Vec<(u64, u64, u64)> {
    run.phases.iter().map(|phase| (phase.pages_promoted, phase.pages_demoted, phase.pages_moved)).collect()
}

/// Law: Hot pages take the place of cold ones.
///
/// By the watermarks (calculated in `memory`'s test of the same numbers) kswapd frees 13 pages after the first pass,
/// in which no page finds room; then 2 hot pages fit, and 2 cold pages leave.
#[test]
fn hot_pages_take_the_place_of_cold_ones() {
    let run = passes(&tiered(), Placement::Tiering, 3);
    assert_eq!(moves(&run), [(0, 13, 13), (2, 2, 4), (2, 2, 4)]);
    let near = |pages: u64| run.team[0].bytes_by_node.get(0) == pages * PAGE;
    // The second pass reads 2 pages of 40 from node 0, the third 4.
    assert!(near(2 + 4), "{:?}", run.team[0].bytes_by_node);
    assert_eq!(moves(&passes(&tiered(), Placement::FirstTouch, 3)), [(0, 0, 0); 3]);
}

/// Limit of one promoted byte a second: the first page in each new second is let through, finds no room and wakes
/// kswapd. All other pages of that second are held back.
#[test]
fn thresholds_and_rates_hold_promotion_back() {
    let mut slow = tiered();
    slow.os.tiering.promote_rate = Bandwidth(1.0);
    assert_eq!(moves(&passes(&slow, Placement::Tiering, 3)), [(0, 13, 13), (0, 0, 0), (0, 0, 0)]);
}

/// Copies of kswapd take memory bandwidth. If every processor of the node has a thread, they also take the thread's
/// time; if the node has another processor, they do not. In the pass over the first 60 pages the 13 demoted pages are
/// hot: 2 of them find room, and 2 other pages leave.
#[test]
fn demotion_takes_a_processor_if_none_is_free() {
    let with = |cores: u32| {
        let mut machine = tiered();
        machine.levels.last_mut().unwrap().count = cores;
        // Threads 0 and 1 are on the first core of each socket.
        let mut phases = vec![placed(&[0, ALL, ALL]), looped(Mode::Read, &[SPILLED, ALL, ALL])];
        phases.push(looped(Mode::Read, &[0, SPILLED, SPILLED]));
        run_placed(&machine, if cores == 1 { 2 } else { 1 }, Placement::Tiering, &phases)
    };
    let (full, spare) = (with(1), with(2));
    assert_eq!((moves(&full), moves(&spare)), (vec![(2, 15, 17)], vec![(2, 15, 17)]));
    assert!(full.team[0].overhead_ps > spare.team[0].overhead_ps);
    // Each page that moves is read and written, beside the 100 that the thread reads.
    let carried = |run: &RunOutcome| run.resources.iter().map(|used| used.bytes).collect::<Vec<_>>();
    assert!(carried(&spare).iter().sum::<u64>() >= (2 * 17 + 100) * PAGE, "{:?}", carried(&spare));
}
