//! A fit of what a known machine would measure finds that machine again.

use numalab_calibrate::fit::{Finding, Inputs, Subject, Target, fit};
use numalab_calibrate::synthesize;
use numalab_imports::{Evidence, measurements};
use numalab_machine::{LinkId, synthetic};
use numalab_runtime::Profile;

/// What a sample is off by.
const NOISE: f64 = 0.03;
/// What a recovered value may be off by.
const CLOSE: f64 = 0.05;

/// A machine that is unlike the one from which every fit begins.
fn known(spec: &str, changes: &[(Target, f64)]) -> Subject {
    let mut machine = synthetic(spec).unwrap();
    // What a file of measurements does not say stays equal on both sides.
    machine.name = "again".to_owned();
    let mut subject = Subject { machine, runtime: Profile::default() };
    for (target, factor) in changes {
        let value = subject.get(*target);
        subject.set(*target, value * factor);
    }
    subject.settle();
    subject
}

fn found(known: &Subject, seed: u64) -> Vec<Finding> {
    let text = synthesize(known, NOISE, seed).unwrap();
    let measured = measurements::measurements_from_text("known.jsonl", &text).unwrap();
    assert_eq!(measured.warnings, Vec::<String>::new());
    let evidence = [Evidence::Measurements(Box::new(measured))];
    let inputs = Inputs::new("again", &evidence, Profile::default()).unwrap();
    fit(&inputs, &|_, _| ()).unwrap().estimates
}

/// Whether the machine has no limit of this kind.
fn is_unlimited(known: &Subject, target: Target) -> bool {
    let core = &known.machine.core;
    match target {
        Target::CopyBandwidth => core.copy_bandwidth.is_none(),
        // That of all streams together, then.
        Target::StreamOutstanding => core.stream_outstanding.is_none(),
        _ => false,
    }
}

/// Every parameter is within 5 %, or the fit says that the rows do not tell: because its own error is larger
/// than that, or because it calls the value not identifiable.
fn assert_recovered(known: &Subject, findings: &[Finding], least: usize) {
    let mut close = 0;
    for finding in findings {
        let (estimate, truth) = (finding.estimate, known.get(finding.estimate.target));
        if is_unlimited(known, estimate.target) {
            assert!(!finding.is_identifiable(), "{finding}: there is no such limit");
            continue;
        }
        let off = (estimate.value / truth - 1.0).abs();
        let said = !finding.is_identifiable() || 3.0 * estimate.error > off;
        println!("{finding}, truly {truth}: {:+.1} %, said +-{:.1} %", off * 100.0, estimate.error * 100.0);
        assert!(off <= CLOSE || said, "{finding}, not {truth}: {off}, and sure to {}", estimate.error);
        close += usize::from(off <= CLOSE && finding.is_identifiable());
    }
    assert!(close >= least, "{close} of {} recovered", findings.len());
}

#[test]
fn one_socket() {
    let known = known(
        "socket:1 core:4",
        &[
            (Target::Clock, 1.5),
            (Target::InstructionsPerCycle, 1.3),
            (Target::CacheLatency(0), 0.8),
            (Target::CacheLatency(1), 1.3),
            (Target::CacheLatency(2), 1.4),
            (Target::CacheSize(1), 4.0),
            (Target::MemoryLatency, 0.7),
            (Target::CacheBandwidth(0), 2.0),
            (Target::CacheBandwidth(1), 1.6),
            (Target::Outstanding, 1.4),
            (Target::MemoryBandwidth, 1.2),
            (Target::CoreToCore(2), 0.8),
            (Target::PageFault, 0.6),
            (Target::Map, 1.5),
            (Target::Wake, 1.4),
            (Target::ForkFixed, 2.0),
            (Target::ForkOpen, 3.0),
            (Target::TaskCreate, 1.5),
        ],
    );
    assert_recovered(&known, &found(&known, 1), 14);
}

#[test]
fn two_sockets() {
    let known = known(
        "socket:2 core:2",
        &[
            (Target::LinkLatency(LinkId(0)), 1.5),
            (Target::LinkBandwidth(LinkId(0)), 0.3),
            (Target::MemoryLatency, 0.8),
            (Target::PageMigration, 1.7),
        ],
    );
    let findings = found(&known, 2);
    assert_recovered(&known, &findings, 14);
    for target in [Target::LinkLatency(LinkId(0)), Target::LinkBandwidth(LinkId(0)), Target::PageMigration] {
        let finding = findings.iter().find(|finding| finding.estimate.target == target).unwrap();
        assert!(finding.is_identifiable(), "{finding}: {}", finding.estimate.error);
    }
}
