//! Requests that leave early, as far as the core's instruction window reaches.

use crate::lab::{Lab, drain};
use numalab_base::{Span, Time};
use numalab_coherence::AgentId;
use numalab_machine::NodeId;
use numalab_runtime::{CodeBuilder, Exec, Word};

const NS: u64 = 1000;
/// Time at which the program under test begins.
const START: u64 = 10_000 * NS;

/// Two cores that execute an instruction each nanosecond. `window`: instructions in a core's window; `None` if not
/// stated.
fn cores(window: Option<f64>) -> Lab {
    let mut lab = Lab::new("socket:1 core:2");
    let core = &mut lab.machine.core;
    (core.clock.0, core.instructions_per_cycle, core.window) = (1e9, 1.0, window);
    lab
}

/// Runs a program of thread 0 that begins after `computed` picoseconds of computing, while thread 1 stores to the
/// word `written` picoseconds after time 0. Returns the nanoseconds that the program takes, and how many of 100 ns of
/// a program's time would overlap with later operations.
fn takes(
    lab: &Lab,
    (computed, written): (u64, u64),
    write: impl Fn(&mut CodeBuilder, &mut Exec<'_>, Word),
) -> (u64, u64) {
    let (mut exec, _) = lab.exec(2, 1);
    let word = exec.add_word(NodeId(0));
    let mut writer = CodeBuilder::new();
    writer.delay(written);
    writer.store(word, 1u32);
    let mut reader = CodeBuilder::new();
    write(&mut reader, &mut exec, word);
    let [writer, reader] = [writer, reader].map(|code| exec.add_code(code.build()));
    exec.start(Time::ZERO, AgentId::new(1), writer, &[]);
    drain(&mut exec);
    exec.began_to_compute(AgentId::new(0), Time(START - computed));
    exec.start(Time(START), AgentId::new(0), reader, &[]);
    let [took, foreseen] =
        [drain(&mut exec)[0].at.0 - START, exec.foreseen(AgentId::new(0), Span(100 * NS)).0];
    // A cycle is rounded up.
    ((took + NS / 2) / NS, (foreseen + NS / 2) / NS)
}

/// Law: Requests leave before their turn.
///
/// A line that the neighbour has written takes 40 ns. The line is requested when its operation enters the window, but
/// neither before the thread began to compute nor before the line was written, which took 135 ns from memory.
#[test]
fn a_line_is_on_its_way_before_its_turn() {
    for (window, computed, written, left) in [
        (None, 1000, 0, 40),
        (Some(30.0), 1000, 0, 10),
        (Some(30.0), 20, 0, 20),
        (Some(300.0), 1000, 0, 0),
        (Some(300.0), 1000, 9839, 14),
    ] {
        let load = |code: &mut CodeBuilder, _: &mut Exec<'_>, word| {
            code.load(word);
        };
        let (took, foreseen) = takes(&cores(window), (computed * NS, written * NS), load);
        assert_eq!((took, foreseen), (left, 100), "{window:?} {computed} {written}");
    }
}

/// Law: Requests leave before their turn.
///
/// An atomic operation also waits for the first-level cache: 2 ns, less the cycle that overlaps for other operations.
/// Its request leaves earlier by the fraction `atomic_ahead` of the 30 ns that the window reaches back. The fraction
/// `atomic_past` of its time overlaps with later operations.
#[test]
fn an_atomic_operation_is_on_its_way_as_far_as_the_machine_says() {
    for (ahead, past, left) in [(0.0, 0.0, 41), (0.5, 0.2, 26), (1.0, 1.0, 11)] {
        let mut lab = cores(Some(30.0));
        (lab.machine.core.atomic_ahead, lab.machine.core.atomic_past) = (ahead, past);
        let add = |code: &mut CodeBuilder, _: &mut Exec<'_>, word| {
            code.fetch_add(word, 1u32);
        };
        let (took, foreseen) = takes(&lab, (1000 * NS, 0), add);
        assert_eq!((took, foreseen), (left, (past * 99.0).round() as u64), "{ahead} {past}");
    }
}

/// A load after an atomic operation on an uncached line, which takes 135 ns and one more, is requested only after
/// that operation, unless the machine states otherwise.
#[test]
fn what_comes_after_an_atomic_operation_is_in_sight_as_far_as_the_machine_says() {
    for (past, left) in [(0.0, 135 + 1 + 40), (1.0, 135 + 1 + 10)] {
        let mut lab = cores(Some(30.0));
        lab.machine.core.atomic_past = past;
        let both = |code: &mut CodeBuilder, exec: &mut Exec<'_>, word| {
            let own = exec.add_word(NodeId(0));
            code.fetch_add(own, 1u32);
            code.load(word);
        };
        assert_eq!(takes(&lab, (1000 * NS, 0), both).0, left, "{past}");
    }
}
