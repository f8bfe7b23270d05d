use super::*;
use crate::fit::FittedTable::{Cache, Core, Os};
use numalab_imports::measurements::{Limits, Row, Sample};
use numalab_machine::synthetic;
use numalab_runtime::Profile;

/// A hand-over that took 50 ns in three rounds and 230 in two: the value is the median, far from the start, and
/// uncertain.
#[test]
fn a_row_of_several_states_is_believed_and_leaves_its_value_unsure() {
    let params = [("procs", "0,1"), ("threads", "2")];
    let row = Row {
        experiment: "core_to_core".to_owned(),
        quantity: "handover".to_owned(),
        params: params.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect(),
        unit: "ns".to_owned(),
        samples: vec![Sample::of(1.0)],
        source: "host.jsonl:1".to_owned(),
    };
    let mut subject = Subject::new(synthetic("socket:1 core:2").unwrap(), Profile::default());
    let target = Cache(subject.machine.caches.len() - 1).number(numalab_machine::Cache::core_to_core);
    let start = subject.get(target);
    subject.set(target, 2.0 * start);
    let row = Observation::of(&row, &Limits::default());
    let row = Observation { value: row.simulate(&subject).unwrap().unwrap(), ..row };
    subject.set(target, start);
    let found = solve(&mut subject, &[target], &[Weighted { row: &row, error: 1.4 }]).unwrap();
    let off = found[0].value / (2.0 * start) - 1.0;
    assert!(off.abs() < 0.12, "{off}");
    assert_eq!(found[0].rests_on, [0]);
    assert!(found[0].error > 0.5, "{found:?}");
}

// Instructions per nanosecond are clock times instructions per cycle. With the clock known to a tenth, instructions
// per cycle are not known better, however little the row scatters. The row does not depend on page faults.
#[test]
fn errors_of_what_was_fitted_before_are_errors_of_what_follows() {
    let row = Row {
        experiment: "compute".to_owned(),
        quantity: "instructions_per_ns".to_owned(),
        params: [("threads".to_owned(), "1".to_owned())].into(),
        unit: "1".to_owned(),
        samples: vec![Sample::of(8.0)],
        source: "host.jsonl:1".to_owned(),
    };
    let row = Observation::of(&row, &Limits::default());
    let rows = [Weighted { row: &row, error: 0.01 }];
    let subject = Subject::new(synthetic("socket:1 core:2").unwrap(), Profile::default());
    let pace = [Core.number(numalab_machine::Core::instructions_per_cycle)];
    let by = |earlier| errors_by_earlier(&subject, &pace, &rows, &[earlier]).unwrap()[0];
    let clock = by((Core.number(numalab_machine::Core::clock), Sides::even(0.1)));
    assert!((clock / 0.1 - 1.0).abs() < 0.02, "{clock}");
    assert_eq!(by((Os.number(numalab_machine::Os::page_fault), Sides::even(0.5))), 0.0);
    // Raising a limit that is not reached changes nothing, so the smaller of the clock's errors counts.
    let limit = by((Core.number(numalab_machine::Core::clock), Sides { down: 0.02, up: 1.0 }));
    assert!((limit / 0.02 - 1.0).abs() < 0.02, "{limit}");
}

#[test]
fn files_have_four_digits() {
    for (value, shown) in
        [(13587623135.673338, 13_590_000_000.0), (3.776633, 3.777), (0.0, 0.0), (999.96, 1000.0)]
    {
        assert_eq!(significant(value), shown);
    }
}

#[test]
fn a_far_row_counts_less_and_its_slope_is_the_curve_s() {
    assert!((soft(0.1) - 0.1).abs() < 1e-4);
    // 3 sqrt(2 (sqrt(1 + 100) - 1)) = 3 sqrt(18.1) = 12.76 instead of 30.
    assert!((soft(30.0) - 12.763).abs() < 0.01);
    for off in [-40.0, -2.0, 1e-10, 0.5, 7.0] {
        let step = 1e-5;
        let slope = (soft(off + step) - soft(off - step)) / (2.0 * step);
        assert!((slope - soft_slope(off)).abs() < 1e-4, "{off}: {slope}");
    }
}
