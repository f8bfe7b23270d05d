use super::*;
use numalab_results::{Measure, SCHEMA_VERSION};

fn input(name: &str) -> Input {
    Input {
        name: name.to_owned(),
        hash: name.to_owned(),
        overrides: Vec::new(),
        resolved: Default::default(),
        origins: Vec::new(),
        published_rows: None,
    }
}

/// Series over threads on a machine, whose makespan is a picosecond for each thread.
fn over_threads(machine: &str, points: &[(f64, &str)]) -> Series {
    let run = |at: f64| PointRun {
        by: None,
        policy: "static".to_owned(),
        threads: at as u32,
        makespan_ps: at as u64,
        replicas: None,
        values: vec![Some(at)],
        bottleneck: None,
    };
    let point = |&(at, text): &(f64, &str)| Point { at, text: text.to_owned(), runs: vec![run(at)] };
    Series {
        schema_version: SCHEMA_VERSION,
        seed: 0,
        machine: input(machine),
        workload: input("w"),
        placement: None,
        binding: None,
        runtime: Some(input("plain")),
        replay: None,
        over: "threads".to_owned(),
        by: None,
        measures: vec![Measure { name: "m".to_owned(), unit: "1".to_owned() }],
        points: points.iter().map(point).collect(),
        summary: Vec::new(),
    }
}

/// Points as `value: curve curve`.
fn shape(series: &Series) -> Vec<String> {
    let curves = |point: &Point| {
        point.runs.iter().map(|run| run.by.as_deref().unwrap_or("-")).collect::<Vec<_>>().join(" ")
    };
    series.points.iter().map(|point| format!("{}: {}", point.label(), curves(point))).collect()
}

#[test]
fn points_of_several_curves_stand_in_one_order() {
    let few = over_threads("a", &[(1.0, ""), (8.0, "")]);
    let many = over_threads("b", &[(1.0, ""), (4.0, ""), (8.0, ""), (16.0, "")]);
    let both = merged("machine", vec![("a", few), ("b", many)]).unwrap();
    assert_eq!(shape(&both), ["1: a b", "4: b", "8: a b", "16: b"]);
    assert_eq!(
        (both.by.as_deref(), &*both.machine.name, &*both.workload.name),
        (Some("machine"), "a, b", "w")
    );
    assert_eq!(both.values_of_second(), ["a", "b"]);
    assert_eq!(both.policies().collect::<Vec<_>>(), ["static"]);
}

/// Words keep the order in which they were typed, whatever their values in expressions are.
#[test]
fn points_that_do_not_ascend_keep_their_order() {
    let one = over_threads("a", &[(2.0, "late"), (1.0, "early")]);
    let other = over_threads("a", &[(2.0, "late"), (1.0, "early"), (3.0, "never")]);
    let both = merged("n", vec![("1", one), ("2", other)]).unwrap();
    assert_eq!(shape(&both), ["late: 1 2", "early: 1 2", "never: 2"]);
    assert!(merged("n", Vec::new()).is_none());
}

/// Two curves of 3 of 4 and 1 of 2 parts are 3/8 and 3/4 of all.
#[test]
fn progress_of_a_curve_is_its_part_of_all() {
    struct Last(std::sync::Mutex<(u64, u64)>);
    impl Progress for Last {
        fn report(&self, done: u64, total: u64) {
            *self.0.lock().unwrap() = (done, total);
        }
    }
    let last = Last(Default::default());
    let fraction = |number, done, total| {
        Part { whole: &last, number, parts: 2 }.report(done, total);
        let (done, total) = *last.0.lock().unwrap();
        done as f64 / total as f64
    };
    assert_eq!(fraction(0, 3, 4), 0.375);
    assert_eq!(fraction(1, 1, 2), 0.75);
    assert_eq!(fraction(1, 0, 0), 0.5);
}
