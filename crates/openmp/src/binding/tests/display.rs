//! Lines of `OMP_DISPLAY_AFFINITY`.

use super::super::{AffinityFormat, Binding, Site, ThreadBinding, place_team};
use crate::places::Allowed;
use crate::places::model::Model;
use numalab_base::ProcessorId;
use numalab_workload::PlaceRules;

fn lines(format: &str, places: &str) -> Vec<String> {
    let machine = Model::sockets(2, 2, 2);
    let binding = Binding::parse(Some(places), None).unwrap();
    let site = Site { topology: &machine, allowed: &Allowed::all(8), rules: PlaceRules::Standard };
    let placement = place_team(&binding, 2, site).unwrap();
    placement.lines(&format.parse().unwrap(), "big").collect()
}

#[test]
fn the_default_is_that_of_libomp() {
    let placement = ThreadBinding::fixed([3, 1].map(ProcessorId::new));
    let shown: Vec<String> = placement.lines(&AffinityFormat::default(), "big").collect();
    assert_eq!(
        shown,
        [
            "OMP: pid 1 tid 1 thread 0 bound to OS proc set {3}",
            "OMP: pid 1 tid 2 thread 1 bound to OS proc set {1}",
        ]
    );
    let typed: AffinityFormat = "OMP: pid %P tid %i thread %n bound to OS proc set {%A}".parse().unwrap();
    assert_eq!(typed, AffinityFormat::default());
}

/// The example in the specification of `OMP_DISPLAY_AFFINITY`.
#[test]
fn sizes_and_justification() {
    assert_eq!(
        lines("Thread Affinity: %0.3L %.8n %.15{thread_affinity} %.12H", "sockets"),
        [
            "Thread Affinity: 001        0         0-1,4-5          big",
            "Thread Affinity: 001        1         2-3,6-7          big",
        ]
    );
    assert_eq!(lines("%4n|%.2N|%%|%5A|", "threads")[1], "1   | 2|%|4    |");
}

#[test]
fn all_fields() {
    let names = "%{team_num}%{num_teams}%{nesting_level}%{thread_num}%{num_threads}%{ancestor_tnum}";
    assert_eq!(lines(names, "cores")[1], "011120");
    assert_eq!(lines("%t%T%L%n%N%a", "cores")[1], "011120");
    assert_eq!(lines("%{host} %H %P %{process_id} %i %{native_thread_id}", "cores")[1], "big big 1 1 2 2");
    assert_eq!(lines("", "cores"), ["", ""]);
    assert_eq!(lines("ü", "cores")[0], "ü");
}

#[test]
fn processor_ranges_are_merged() {
    assert_eq!(lines("%A", "{0,2:3,6}"), vec!["0,2-4,6"; 2]);
}

#[test]
fn errors_have_their_column() {
    for (text, column, part) in [
        ("100%", 5, "the text ends"),
        ("a%z", 3, "\"z\"; expected one of t, T, L"),
        ("%{threads}", 3, "\"threads\"; expected one of team_num"),
        ("%{host", 2, "\"}\""),
        ("%0n", 1, "a leading 0"),
        ("%.n", 1, "a size"),
        ("%.05n", 1, "does not begin with 0"),
        ("%99999n", 1, "wider than 1000"),
        ("%99999999999999999999999n", 1, "wider than 1000"),
        ("%ü", 2, "expected one of"),
    ] {
        let error = text.parse::<AffinityFormat>().unwrap_err();
        assert_eq!(error.column, column, "{text}: {error}");
        assert!(error.message.contains(part), "{text}: {error}");
    }
}
