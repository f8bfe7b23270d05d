//! Meaning of facts, words, measures and series.

use super::{FILE, load, wrong};
use numalab_base::Bytes;
use numalab_workload::{NodeSet, PageKind, Placement};

#[test]
fn facts_words_and_conditions_decide() {
    let loaded = load(FILE, &[]).unwrap();
    let workload = &loaded.workload.value;
    assert_eq!(workload.regions[0].size, Bytes(2_000_000));
    assert_eq!(workload.regions[0].placement, Placement::Interleave(NodeSet::List(vec![0, 1, 2])));
    assert_eq!(workload.regions[0].page, PageKind::Fixed(Bytes(65536)));
    assert_eq!(workload.phases.len(), 1);
    assert_eq!((workload.rounds, workload.phases[0].repeat, workload.phases[0].iterations), (2, 4, 16));
    assert_eq!(workload.binding.places.as_deref(), Some("cores"));
    let pairs =
        [("n", "threads * 2"), ("variant", "parallel"), ("size", "if(variant == serial, 1 MB, 2 MB)")];
    assert_eq!(workload.parameters, pairs.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let serial = load(FILE, &["workload.variant=serial"]).unwrap().workload;
    assert_eq!(serial.value.regions[0].placement, Placement::Bind(NodeSet::List(vec![3])));
    assert_eq!(serial.value.phases.len(), 2);
    assert_ne!(serial.hash, loaded.workload.hash);
    // A choice may be a word that is no valid name.
    assert!(load(FILE, &["workload.variant=on/off"]).is_ok());
}

#[test]
fn a_condition_decides_where_threads_run() {
    let plain = "binding: { places: cores, proc_bind: close }";
    let chosen = FILE.replace(
        plain,
        "binding: { if: variant == serial, then: { places: sockets, proc_bind: \"spread,close\" }, \
         else: { proc_bind: \"true\" } }",
    );
    let binding = |text: &str, variant: &str| {
        let binding = load(text, &[&format!("workload.variant={variant}")]).unwrap().workload.value.binding;
        (binding.places, binding.proc_bind)
    };
    let said = |text: &str| Some(text.to_owned());
    assert_eq!(binding(&chosen, "serial"), (said("sockets"), said("spread,close")));
    assert_eq!(binding(&chosen, "parallel"), (None, said("true")));
    let open = FILE.replace(plain, "binding: { if: variant == serial, then: { proc_bind: close } }");
    assert_eq!(binding(&open, "parallel"), (None, None));
    let both = wrong(plain, "binding: { if: n > 1, then: { places: cores }, places: sockets }");
    assert!(both.contains("this is not a binding") && both.contains("or `if` and `then`"), "{both}");
    let name = wrong(plain, "binding: { if: m > 1, then: { places: cores } }");
    assert!(name.contains("`m`"), "{name}");
}

#[test]
fn measures_are_evaluated_from_what_runs_yield() {
    let questions = load(FILE, &[]).unwrap().questions;
    let run = |name: &str, change: Option<&numalab_lower::Change>| match (name, change) {
        ("time", None) => Some(2.0),
        ("bytes", None) => Some(8e9),
        ("time", Some(change)) => {
            assert_eq!(change.threads, Some(1));
            assert_eq!(change.overrides[0].original, "workload.parameters.variant=serial");
            Some(9.0)
        }
        _ => None,
    };
    assert_eq!(questions.value("bandwidth", &run), Some(4e9));
    assert_eq!(questions.measures[0].unit.show(4e9), 4.0);
    assert_eq!(questions.value("speedup", &run), Some(4.5));
    assert_eq!(questions.value("drop", &run), Some(4e9));
    assert_eq!(questions.value("n", &run), Some(16.0));
    assert_eq!(questions.value("pages_moved", &run), None);
    // A phase that is left out has the time 0; the time of one that runs is an outcome of the run.
    assert_eq!(questions.value("time_first_touch", &run), Some(0.0));
    assert_eq!(questions.value("time_work", &run), None);
    let drop = &questions.measures[2];
    assert_eq!(drop.of_series(&[(1.0, 4.0), (2.0, 1.0), (4.0, 2.0)]), Some(0.25));
    assert_eq!(drop.unit.show(0.25), 25.0);
    assert_eq!(drop.of_series(&[]), None);
}

#[test]
fn series_end_where_they_say() {
    let values = |text: &str, over: &str| -> Vec<f64> {
        let file = FILE.replace("{ from: 1, to: threads, factor: 2 }", text);
        let file = file.replace("over: threads", &format!("over: {over}"));
        let series = load(&file, &[]).unwrap().questions.series.unwrap();
        series.points.iter().map(|point| point.value).collect()
    };
    assert_eq!(values("{ from: 1, to: 12, factor: 2 }", "threads"), [1.0, 2.0, 4.0, 8.0, 12.0]);
    assert_eq!(values("{ from: 0, to: 1, step: 0.25 }", "n"), [0.0, 0.25, 0.5, 0.75, 1.0]);
    assert_eq!(values("{ from: 3, to: 3, step: 1 }", "n"), [3.0]);
    assert_eq!(values("\"1, max(2, 3), 2 * threads\"", "threads"), [1.0, 3.0, 16.0]);
    assert_eq!(values("[1 KiB, n]", "size"), [1024.0, 16.0]);
    let file = FILE.replace(
        "over: threads, values: { from: 1, to: threads, factor: 2 }",
        "over: variant, values: [serial, on/off]",
    );
    let series = load(&file, &[]).unwrap().questions.series.unwrap();
    let texts: Vec<&str> = series.points.iter().map(|point| point.text.as_str()).collect();
    assert_eq!(texts, ["serial", "on/off"]);
    assert_eq!(series.points[1].change.overrides[0].original, "workload.parameters.variant=on/off");
}

/// Costs 1, 2, .. 16, scaled to a sum of 2^52: the first iteration has 1 of 136 parts.
#[test]
fn iterations_cost_what_the_file_says() {
    let split = FILE.replace("loop: { iterations: n, touches: [{ region: data, slice: { partition: 1 }, mode: read", "loop: { iterations: n, split_by: i + 1, touches: [{ region: data, slice: { partition: 1 }, mode: read");
    let workload = load(&split, &[]).unwrap().workload.value;
    let costs = workload.phases[0].costs.as_ref().unwrap();
    assert_eq!((costs.len(), costs[0], costs[1], costs[16]), (17, 0, (1 << 52) / 136, 1 << 52));
    assert_eq!(load(FILE, &[]).unwrap().workload.value.phases[0].costs, None);
    let none = load(&split.replace("split_by: i + 1", "split_by: 0 * i"), &[]).err().unwrap();
    assert!(none.contains("sum to 0") && none.contains("FILE:"), "{none}");
    let name = load(&split.replace("split_by: i + 1", "split_by: j + 1"), &[]).err().unwrap();
    assert!(name.contains("`j`"), "{name}");
}

/// Of the values 4, 7.95, 8 and 7 at the points 1, 2, 4 and 8, the largest is 8. 7.95 is within one per cent of it
/// and comes first.
#[test]
fn the_point_of_the_greatest_value_is_the_first_of_equals() {
    let text = FILE.replace("of_series: min / first", "of_series: at_max");
    let questions = load(&text, &[]).unwrap().questions;
    let peak = |values: &[(f64, f64)]| questions.measures[2].of_series(values);
    assert_eq!(peak(&[(1.0, 4.0), (2.0, 7.95), (4.0, 8.0), (8.0, 7.0)]), Some(2.0));
    assert_eq!(peak(&[(1.0, 4.0), (2.0, 7.9), (4.0, 8.0), (8.0, 7.0)]), Some(4.0));
    assert_eq!((peak(&[(3.0, -1.0), (5.0, -1.001)]), peak(&[])), (Some(3.0), None));
}
