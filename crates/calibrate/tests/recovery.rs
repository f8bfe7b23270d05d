//! A fit of what a known machine would measure finds that machine again.

use numalab_calibrate::fit::FittedTable::{Cache, Core, Fork, Link, Memory, Os, Tasks};
use numalab_calibrate::fit::{Finding, Inputs, Subject, Target, fit};
use numalab_calibrate::synthesize;
use numalab_imports::{Evidence, measurements};
use numalab_machine::{LinkId, synthetic};
use numalab_runtime::Profile;

/// Error of a sample.
const NOISE: f64 = 0.03;
/// Error that a recovered value may have.
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

/// Value that a parameter has to be found as. A fit gives a link the lanes that it has together, and stores what they get of a
/// memory for which a line written costs more than one read: after each of them it was fetched.
fn truth(known: &Subject, target: Target) -> f64 {
    let memory = &known.machine.memory;
    match (target.table, target.name) {
        (Link(LinkId(at)), "bandwidth") => known.get(target) * f64::from(known.machine.links[at].lanes),
        (Memory, "write_bandwidth") if memory.write_bandwidth.is_none() && memory.write_cost.is_some() => {
            memory.bandwidth.0 / (1.0 + memory.write_cost.unwrap_or(1.0))
        }
        _ => known.get(target),
    }
}

/// Whether the machine has no limit of this kind.
fn is_unlimited(known: &Subject, target: Target) -> bool {
    let core = &known.machine.core;
    match (target.table, target.name) {
        (Core, "copy_bandwidth") => core.copy_bandwidth.is_none(),
        // That of all streams together, then.
        (Core, "stream_outstanding") => core.stream_outstanding.is_none(),
        _ => false,
    }
}

/// Every parameter is within 5 %, or the fit says that the rows do not tell: because its own error is larger
/// than that, or because it calls the value not identifiable.
fn assert_recovered(known: &Subject, findings: &[Finding], least: usize) {
    let mut close = 0;
    for finding in findings {
        let (estimate, truth) = (&finding.estimate, truth(known, finding.estimate.target));
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
            (Core.number("clock"), 1.5),
            (Core.number("instructions_per_cycle"), 1.3),
            (Cache(0).number("latency"), 0.8),
            (Cache(1).number("latency"), 1.3),
            (Cache(2).number("latency"), 1.4),
            (Cache(1).number("size"), 4.0),
            (Memory.number("latency"), 0.7),
            (Cache(0).number("bandwidth"), 2.0),
            (Cache(1).number("bandwidth"), 1.6),
            (Core.number("outstanding"), 1.4),
            // Of all in flight, and of the window that is assumed where nobody says one.
            (Core.number("random_outstanding"), 0.6),
            (Core.number("window"), 0.7),
            (Memory.number("bandwidth"), 1.2),
            (Cache(2).number("core_to_core"), 0.8),
            (Os.number("page_fault"), 0.6),
            // So long that threads wait for it.
            (Os.number("page_lock"), 4.0),
            (Os.number("map"), 1.5),
            (Os.number("wake"), 1.4),
            (Fork.number("fixed"), 2.0),
            (Fork.number("open"), 3.0),
            (Tasks.number("create"), 1.5),
        ],
    );
    let findings = found(&known, 1);
    assert_recovered(&known, &findings, 16);
    let lock = findings.iter().find(|finding| finding.path == "os.page_lock").unwrap();
    assert!(lock.is_identifiable(), "{lock}: {}", lock.estimate.error);
    let window = findings.iter().find(|finding| finding.path == "core.window").unwrap();
    assert!(window.is_identifiable(), "{window}: {}", window.estimate.error);
}

/// Machines of the catalogue with their runtimes, each fitted to what the kernels would measure on it. Takes an hour: `cargo
/// test --release -p numalab-calibrate --test recovery -- --ignored --nocapture`, with MACHINES="a b" for some of them.
#[test]
#[ignore = "fits every machine of the catalogue"]
fn every_machine_of_the_catalogue() {
    let named = std::env::var("MACHINES").ok();
    let catalogue = numalab_formats::catalogue();
    let all = catalogue.iter().filter(|item| item.kind == numalab_formats::Kind::Machine);
    let names: Vec<String> = match &named {
        Some(list) => list.split_whitespace().map(str::to_owned).collect(),
        None => all.map(|item| item.name.clone()).collect(),
    };
    for name in &names {
        let machine = numalab_formats::machine(name, &[]).unwrap().value;
        let subject = Subject { machine, runtime: Profile::default() };
        println!("\n{name}");
        assert_recovered(&subject, &found(&subject, 3), 10);
    }
}

#[test]
fn two_sockets() {
    let known = known(
        "socket:2 core:2",
        &[
            (Link(LinkId(0)).number("latency"), 1.5),
            (Link(LinkId(0)).number("bandwidth"), 0.3),
            (Memory.number("latency"), 0.8),
            (Os.number("page_migration"), 1.7),
        ],
    );
    let findings = found(&known, 2);
    assert_recovered(&known, &findings, 14);
    for target in
        [Link(LinkId(0)).number("latency"), Link(LinkId(0)).number("bandwidth"), Os.number("page_migration")]
    {
        let finding = findings.iter().find(|finding| finding.estimate.target == target).unwrap();
        assert!(finding.is_identifiable(), "{finding}: {}", finding.estimate.error);
    }
}
