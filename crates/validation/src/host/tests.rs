//! Tests with measurements that are invented around simulated values.

use super::*;
use numalab_imports::measurements::measurements_from_text;

fn line(experiment: &str, quantity: &str, params: &str, unit: &str, values: &str) -> String {
    let none = |count: usize| vec!["null"; count].join(",");
    let none = none(values.split(',').count());
    format!(
        "{{\"record\":\"measurement\",\"experiment\":\"{experiment}\",\"quantity\":\"{quantity}\",\"params\":{{{params}}},\
         \"unit\":\"{unit}\",\"checked\":true,\"values\":[{values}],\"others\":[{none}],\"steal\":[{none}],\
         \"waited\":[{none}],\"pace\":[{none}]}}\n"
    )
}

fn locks(kind: &str, values: &str) -> String {
    let params = format!("\"kind\":\"{kind}\",\"executions\":\"100\",\"threads\":\"2\"");
    line("locks", "hand_over", &params, "ns", values)
}

fn had(text: &str, asked: Asked<'_>) -> HostValidation {
    let measured = measurements_from_text("host.jsonl", text).unwrap();
    let machine = numalab_lower::machine("westmere", &[]).unwrap();
    let runtime = numalab_lower::runtime("plain", &[]).unwrap();
    validate(("host.jsonl", &measured), &machine, &runtime, None, asked, &()).unwrap()
}

/// Simulated value of the measurement `locks(kind, "1")`.
fn exact(kind: &str) -> f64 {
    had(&locks(kind, "1"), Asked::default()).rows[0].simulated.unwrap()
}

// Measured 1.25 times the simulated value: 1 / 1.25 = 0.8, 20 % less.
#[test]
fn errors_are_relative_to_the_measurement() {
    let exact = exact("ticket");
    let text = locks("ticket", &format!("{},{},{}", exact * 1.25, exact * 1.25, exact * 1.25));
    let row = had(&text, Asked::default()).rows.remove(0);
    assert!((row.error.unwrap() + 0.2).abs() < 1e-9, "{row:?}");
    assert_eq!((row.within, row.samples, row.spread, row.limit), (Some(false), 3, 0.0, 0.1));
}

// Values of 0.7 to 1.3 times the simulated one, evenly: the 10th percentile is at 0.76 and the 90th at 1.24, so half
// the range is 0.24 of the median of 1.
#[test]
fn a_measurement_that_scatters_sets_its_own_limit() {
    let exact = exact("ticket");
    let values: Vec<String> = (0..=10).map(|at| (exact * (0.7 + 0.06 * f64::from(at))).to_string()).collect();
    let row = had(&locks("ticket", &values.join(",")), Asked::default()).rows.remove(0);
    assert!((row.limit - 0.24).abs() < 1e-9, "{row:?}");
    assert_eq!(row.within, Some(true));
}

#[test]
fn what_was_fitted_on_is_shown_when_asked_for() {
    let construct = |name: &str| {
        let params = format!("\"construct\":\"{name}\",\"executions\":\"10\",\"threads\":\"2\"");
        line("epcc", "overhead", &params, "us", "1")
    };
    let text = locks("mcs", "1") + &construct("parallel") + &construct("barrier");
    let shown = |asked| -> Vec<String> {
        let rows = had(&text, asked).rows;
        rows.iter().map(|row| format!("{} {}", row.experiment, row.role)).collect()
    };
    assert_eq!(shown(Asked::default()), ["epcc predict", "locks predict"]);
    let all = Asked { all: true, ..Asked::default() };
    assert_eq!(shown(all), ["epcc characterise", "epcc predict", "locks predict"]);
    let named = Asked { experiment: Some("epcc"), ..Asked::default() };
    assert_eq!(shown(named), ["epcc characterise", "epcc predict"]);
}

#[test]
fn what_cannot_be_simulated_says_why() {
    let text = line("locks", "hand_over", "\"threads\":\"99\"", "ns", "1")
        + &line("locks", "hand_over", "\"procs\":\"0,77\"", "ns", "1")
        + &line("locks", "hand_over", "\"from\":\"9\"", "ns", "1")
        + &line("locks", "colour", "", "ns", "1")
        + &line("locks", "hand_over", "\"kindd\":\"mcs\"", "ns", "1")
        + &line("weather", "rain", "", "mm", "1");
    let all = had(&text, Asked::default());
    let reasons: Vec<&str> = all.rows.iter().map(|row| row.reason.as_deref().unwrap()).collect();
    assert!(all.rows.iter().all(|row| row.simulated.is_none() && row.within.is_none()));
    assert!(reasons[0].starts_with("it ran on 99 threads, westmere has "), "{reasons:?}");
    assert!(reasons[1].starts_with("it ran on processor 77, westmere has "), "{reasons:?}");
    assert!(reasons[2].starts_with("it is about node 9, westmere has "), "{reasons:?}");
    assert_eq!(reasons[3], "no workload yields colour of locks");
    assert!(reasons[4].contains("kindd") && !reasons[4].contains('\n'), "{reasons:?}");
    assert_eq!(all.warnings, ["experiments that are not known are left out: weather 1"]);
}

#[test]
fn the_order_does_not_depend_on_who_is_done_first() {
    let text: String = ["mcs", "ticket", "backoff", "test-and-set"].map(|kind| locks(kind, "1")).concat();
    assert_eq!(had(&text, Asked::default()), had(&text, Asked::default()));
}

/// Files below `/sys` of a computer of which this process may use processors 4 to 7. Each is a core of the only node.
fn part_of_a_computer() -> String {
    let mut files: Vec<(String, String)> = Vec::new();
    let cpu = "/sys/devices/system/cpu";
    for at in 4..8 {
        let topology = format!("{cpu}/cpu{at}/topology");
        files.push((format!("{topology}/physical_package_id"), "0".into()));
        files.push((format!("{topology}/core_id"), at.to_string()));
        files.push((format!("{topology}/thread_siblings_list"), at.to_string()));
    }
    files.push((format!("{cpu}/online"), "4-7".into()));
    files.push(("/sys/devices/system/node/node0/cpulist".into(), "4-7".into()));
    let line = |(path, text): &(String, String)| {
        format!("{{\"record\":\"file\",\"path\":\"{path}\",\"text\":\"{text}\\n\"}}\n")
    };
    files.iter().map(line).collect()
}

/// The machine described from the computer has the computer's numbers of processors, of which 4 is the first.
#[test]
fn processors_keep_the_numbers_of_the_computer() {
    let params = "\"procs\":\"4,6\",\"threads\":\"2\"";
    let text = part_of_a_computer() + &line("locks", "hand_over", params, "ns", "1");
    let rows = had(&text, Asked::default()).rows;
    assert_eq!(rows[0].params, "procs=4,6;threads=2");
    assert!(rows[0].simulated.is_some(), "{rows:?}");
}

// Quantiles of Student's distribution with 2, 4 and 14 degrees of freedom, at 95 %: 2.92, 2.13 and 1.76, over 1.645.
#[test]
fn few_samples_say_little_about_measuring_again() {
    for (samples, factor) in [(3, 1.78), (5, 1.30), (15, 1.07), (1000, 1.0)] {
        let found = again(0.12816, samples) / 0.1;
        assert!((found / factor - 1.0).abs() < 0.07, "{samples}: {found}");
    }
    assert_eq!(again(0.0, 1), 0.0);
}
