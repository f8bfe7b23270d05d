//! Statistics and limits of samples, calculated by hand.

use super::*;

fn row(samples: Vec<Sample>) -> Row {
    let [experiment, quantity, unit, source] = ["compute", "time", "ns", "f:1"].map(str::to_owned);
    Row { experiment, quantity, params: Vec::new(), unit, samples, source }
}

fn values(values: impl IntoIterator<Item = f64>) -> Vec<Sample> {
    values.into_iter().map(Sample::of).collect()
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-9, "{a} is not {b}");
}

/// The median of 1 to 11 is the 6th. The 10th percentile lies at index 0.1 x 10 = 1, which is 2, the 90th at index 9,
/// which is 10: spread (10 - 2) / 2 / 6 = 2/3. The quartiles lie at indices 2.5 and 7.5: 3.5 and 8.5, so that sigma
/// is 5 / 1.349, and the error is sqrt(pi / 2 / 11) times sigma.
#[test]
fn statistics_by_hand() {
    let undisturbed = row(values((1..=11).rev().map(f64::from))).undisturbed(&Limits::default());
    assert_eq!((undisturbed.values.len(), undisturbed.dropped, undisturbed.disturbed), (11, 0, false));
    close(undisturbed.median, 6.0);
    close(undisturbed.spread, 2.0 / 3.0);
    close(undisturbed.error, (std::f64::consts::PI / 22.0).sqrt() * 5.0 / 1.349);
    // 2 is a third of 6, and 10 is five thirds.
    close(undisturbed.scatter(), 3_f64.ln());
}

/// Four of ten samples are 100 times the others: the spread is 4950 %, the scatter only the logarithm of 100.
#[test]
fn a_long_tail_scatters_by_its_logarithm() {
    let mixed = row(values([1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 100.0, 100.0, 100.0, 100.0]))
        .undisturbed(&Limits::default());
    close(mixed.spread, 49.5);
    close(mixed.scatter(), 100_f64.ln());
}

/// Between two samples, the median is half way; one sample has no spread.
#[test]
fn few_samples() {
    let two = row(values([4.0, 2.0])).undisturbed(&Limits::default());
    close(two.median, 3.0);
    // 2.2 to 3.8.
    close(two.spread, 0.8 / 3.0);
    let one = row(values([5.0])).undisturbed(&Limits::default());
    assert_eq!((one.median, one.spread, one.error, one.disturbed), (5.0, 0.0, 0.0, false));
}

/// Three runs, each without any spread: 10, 11 and 12. Quartiles of the runs are 10.5 and 11.5, sigma is 1 / 1.349
/// and the error sqrt(pi / 2 / 3) times sigma, however many samples a run has. (Of all 300 samples it would be
/// smaller: quartiles 10 and 12, sigma 2 / 1.349, times sqrt(pi / 2 / 300).)
#[test]
fn drift_between_runs_is_an_error_that_samples_do_not_heal() {
    let of_run =
        |run: u32| values([10.0 + f64::from(run); 100]).into_iter().map(move |s| Sample { run, ..s });
    let undisturbed = row((0..3).flat_map(of_run).collect()).undisturbed(&Limits::default());
    close(undisturbed.error, (std::f64::consts::PI / 6.0).sqrt() / 1.349);
}

#[test]
fn each_limit_drops_by_itself() {
    let limits = Limits { pace: 0.4, ..Limits::default() };
    let sample = Sample { pace: 0.35, ..Sample::of(1.0) };
    let disturbed = [
        Sample { others: 0.21, ..sample },
        Sample { steal: 0.021, ..sample },
        Sample { pace: 0.41, ..sample },
        Sample { waited: 11.0, others: 0.03, ..sample },
        Sample { value: -1.0, ..sample },
    ];
    let undisturbed = [
        Sample { others: 0.2, ..sample },
        Sample { steal: 0.02, ..sample },
        Sample { pace: 0.4, ..sample },
        // A team larger than the machine: its threads preempt each other.
        Sample { waited: 500.0, others: 0.0, ..sample },
    ];
    assert!(disturbed.iter().all(|sample| limits.disturbed(sample)));
    assert!(!undisturbed.iter().any(|sample| limits.disturbed(sample)));
    let undisturbed = row(disturbed.into_iter().chain(undisturbed).collect()).undisturbed(&limits);
    assert_eq!((undisturbed.values.len(), undisturbed.dropped, undisturbed.disturbed), (4, 5, false));
}

#[test]
fn the_least_disturbed_count_if_too_few_are_undisturbed() {
    let busy = Sample { others: 1.0, ..Sample::of(2.0) };
    let of = |undisturbed: usize, disturbed: usize| {
        let samples = [vec![Sample::of(1.0); undisturbed], vec![busy; disturbed]].concat();
        let undisturbed = row(samples).undisturbed(&Limits::default());
        (undisturbed.values.len(), undisturbed.dropped, undisturbed.disturbed)
    };
    assert_eq!(of(3, 12), (3, 12, false), "three, and a fifth");
    assert_eq!(of(3, 13), (4, 12, true), "less than a fifth: the least disturbed fifth");
    assert_eq!(of(2, 1), (3, 0, true), "less than three");
    assert_eq!(of(2, 0), (2, 0, false), "two, both undisturbed");
}

/// Paces 1, 2, 3, 4, 5: the lower quartile is 2, so more than 2.5, a quarter more, is too slow. Zeros are unknown
/// paces.
#[test]
fn the_usual_pace_is_the_lower_quartile() {
    let paces = [3.0, 0.0, 5.0, 1.0, 2.0, 0.0, 4.0];
    let samples = paces.map(|pace| Sample { pace, ..Sample::of(1.0) }).to_vec();
    let rows = [row(samples[..3].to_vec()), row(samples[3..].to_vec())];
    close(Limits::of(&rows, 2).pace, 2.5);
    assert_eq!(Limits::of(&[], 2), Limits::default());
}

/// 200 processors are four times 50: 0.8 of them may be busy with something else.
#[test]
fn large_machines_have_room_for_daemons() {
    let (small, large) = (Limits::of(&[], 50), Limits::of(&[], 200));
    close(small.others, 0.2);
    close(large.others, 0.8);
    close(large.steal, 0.08);
}
