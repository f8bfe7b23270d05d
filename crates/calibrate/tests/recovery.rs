//! A fit to synthetic measurements of a known machine finds that machine again.

use numalab_calibrate::fit::FittedTable::{Cache, Controller, Core, Fork, Link, Memory, Os, Tasks};
use numalab_calibrate::fit::{Finding, Fitted, Inputs, Origin, Otherwise, Subject, Target, fit};
use numalab_calibrate::synthesize;
use numalab_imports::{Evidence, measurements};
use numalab_machine::{Fabric, Level, LinkId, LoadedLatency, Machine, NodeId, ReaderId, synthetic};
use numalab_runtime::Profile;

/// Standard deviation of a synthetic sample, as a fraction of the value.
const NOISE: f64 = 0.03;
/// Maximum relative error of a fitted value that counts as recovered.
const CLOSE: f64 = 0.05;

/// Machine whose values differ from the start of every fit: those of `spec`, multiplied by factors.
fn known(spec: &str, changes: &[(Target, f64)]) -> Subject {
    let mut machine = synthetic(spec).unwrap();
    // Values that a file of measurements does not contain are the same in both machines.
    machine.name = "again".to_owned();
    let mut subject = Subject::new(machine, Profile::default());
    for (target, factor) in changes {
        let value = subject.get(*target);
        subject.set(*target, value * factor);
    }
    subject.settle();
    subject
}

fn found(known: &Subject, seed: u64) -> Fitted {
    found_in(&synthesize(known, NOISE, seed).unwrap())
}

fn found_in(text: &str) -> Fitted {
    let measured = measurements::measurements_from_text("known.jsonl", text).unwrap();
    assert_eq!(measured.warnings, Vec::<String>::new());
    let evidence = [Evidence::Measurements(Box::new(measured))];
    let inputs = Inputs::new("again", &evidence, Profile::default()).unwrap();
    fit(&inputs, &|_, _| ()).unwrap()
}

/// Levels whose units contain memory, if a container has more than one of them.
fn holding(machine: &Machine) -> Vec<&Level> {
    let holding = machine.levels.iter().take_while(|level| level.kind.holds_memory());
    holding.filter(|level| level.count > 1).collect()
}

/// Link of the known machine that corresponds to a link of the fitted machine. `None` if the levels of the machines
/// differ: the system's description does not show all kinds of links, and one fitted value then stands for several.
fn counterpart(known: &Machine, fitted: &Machine, link: LinkId) -> Option<LinkId> {
    let (known, fitted) = (holding(known), holding(fitted));
    if known.iter().map(|level| level.count).ne(fitted.iter().map(|level| level.count)) {
        return None;
    }
    let joined =
        |level: &Level| level.interconnect.as_ref().map(|joined| (joined.link, joined.shape.clone()));
    let controller = |level: &Level| level.controller.as_ref().map(|controller| controller.link);
    let pairs = known.iter().zip(&fitted);
    let mut same = pairs.filter_map(|(known, fitted)| match (joined(fitted), joined(known)) {
        (Some((there, shape)), Some((here, own))) if there == link => (shape == own).then_some(here),
        _ => (controller(fitted) == Some(link)).then(|| controller(known)).flatten(),
    });
    same.next()
}

/// Expected value of a fitted parameter, `None` if there is no single one. A fit gives a link the bandwidth of all
/// its lanes together. The bandwidth of stores follows from the memory's bandwidth, since each stored line moves more
/// than once. Without a limit of its own, one stream has as many lines in flight as all streams. The latency of
/// memory includes the way inside the node, which the system does not state.
fn truth(known: &Subject, fitted: &Subject, target: Target) -> Option<f64> {
    let Machine { core, memory, links, .. } = &known.machine;
    Some(match (target.table, target.parameter.name) {
        (Link(link), name) => {
            let LinkId(own) = counterpart(&known.machine, &fitted.machine, link)?;
            let value = known.get(Link(LinkId(own)).number(target.parameter));
            if name == "bandwidth" { value * f64::from(links[own].lanes) } else { value }
        }
        (Controller(at), name) => {
            let level = |level: &&Level| std::ptr::eq(*level, &raw const fitted.machine.levels[at]);
            let place = holding(&fitted.machine).iter().position(level)?;
            let requests = holding(&known.machine).get(place)?.controller.as_ref()?.requests;
            (name == "requests").then_some(requests).flatten()?
        }
        (Memory, "write_bandwidth") if memory.write_bandwidth.is_none() => {
            memory.bandwidth.0 / (1.0 + memory.write_cost.unwrap_or(1.0))
        }
        (Memory, "latency") => Fabric::new(&known.machine).unwrap().latency(NodeId(0), ReaderId(0)).0 as f64,
        (Core, "stream_outstanding") if core.stream_outstanding.is_none() => core.outstanding,
        // A curve has no single value.
        (Memory, "loaded_latency") => return None,
        _ => known.get(target),
    })
}

/// True if the known machine has no limit of the target's kind.
fn is_unlimited(known: &Subject, target: Target) -> bool {
    let core = &known.machine.core;
    match (target.table, target.parameter.name) {
        (Core, "copy_bandwidth") => core.copy_bandwidth.is_none(),
        (Core, "store_outstanding") => core.store_outstanding.is_none(),
        _ => false,
    }
}

/// Every parameter is within 5 % of the truth, or the fit reports it as uncertain: its error explains the difference,
/// or it is not identifiable. At least `least` parameters are identifiable and within 5 %.
fn assert_recovered(known: &Subject, fitted: &Fitted, least: usize) {
    let (mut close, mut wrong) = (0, Vec::new());
    for finding in &fitted.estimates {
        let Finding { estimate, .. } = finding;
        if is_unlimited(known, estimate.target) {
            println!("{finding}: there is no such limit, said {:?}", finding.verdict);
            wrong.extend(finding.is_identifiable().then(|| format!("{finding}: there is no such limit")));
            continue;
        }
        let Some(truth) = truth(known, &fitted.subject, estimate.target) else {
            println!("{finding} has no counterpart, said {:?}", finding.verdict);
            continue;
        };
        // A time of zero is found as less than a cycle.
        if truth == 0.0 && estimate.value < 1e12 / known.machine.core.clock.0 {
            continue;
        }
        let off = (estimate.value / truth - 1.0).abs();
        let said = !finding.is_identifiable() || 3.0 * estimate.error > off;
        let line = format!(
            "{finding}, truly {truth}: {:.1} % off, said {:?} +-{:.1} %",
            off * 100.0,
            finding.verdict,
            estimate.error * 100.0
        );
        println!("{line}");
        wrong.extend((off > CLOSE && !said).then_some(line));
        close += usize::from(off <= CLOSE && finding.is_identifiable());
    }
    assert_eq!(wrong, Vec::<String>::new());
    println!("{close} of {} known and within 5 %", fitted.estimates.len());
    assert!(close >= least, "{close} of {} recovered", fitted.estimates.len());
}

#[test]
fn one_socket() {
    let known = known(
        "socket:1 core:4",
        &[
            (Core.number(numalab_machine::Core::clock), 1.5),
            (Core.number(numalab_machine::Core::instructions_per_cycle), 1.3),
            (Cache(0).number(numalab_machine::Cache::latency), 0.8),
            (Cache(1).number(numalab_machine::Cache::latency), 1.3),
            (Cache(2).number(numalab_machine::Cache::latency), 1.4),
            (Cache(1).number(numalab_machine::Cache::size), 4.0),
            (Memory.number(numalab_machine::Memory::latency), 0.7),
            (Cache(0).number(numalab_machine::Cache::bandwidth), 2.0),
            (Cache(1).number(numalab_machine::Cache::bandwidth), 1.6),
            (Core.number(numalab_machine::Core::outstanding), 1.4),
            // The first change is a factor on all lines in flight, the second on the assumed window.
            (Core.number(numalab_machine::Core::random_outstanding), 0.6),
            (Core.number(numalab_machine::Core::window), 0.7),
            (Core.number(numalab_machine::Core::random_overlap), 0.6),
            (Core.number(numalab_machine::Core::random_beside_streams), 0.4),
            (Cache(2).number(numalab_machine::Cache::random_outstanding), 0.6),
            (Memory.number(numalab_machine::Memory::bandwidth), 1.2),
            (Cache(2).number(numalab_machine::Cache::core_to_core), 0.8),
            (Os.number(numalab_machine::Os::page_fault), 0.6),
            // The lock is held long enough that threads wait for it.
            (Os.number(numalab_machine::Os::page_lock), 4.0),
            (Os.number(numalab_machine::Os::map), 1.5),
            (Os.number(numalab_machine::Os::wake), 1.4),
            (Fork.number(numalab_runtime::profile::Fork::fixed), 2.0),
            (Fork.number(numalab_runtime::profile::Fork::open), 3.0),
            (Tasks.number(numalab_runtime::profile::TaskProfile::create), 1.5),
        ],
    );
    let fitted = found(&known, 1);
    assert_recovered(&known, &fitted, 16);
    let findings = fitted.estimates;
    let lock = findings.iter().find(|finding| finding.path == "os.page_lock").unwrap();
    assert!(lock.is_identifiable(), "{lock}: {}", lock.estimate.error);
    let window = findings.iter().find(|finding| finding.path == "core.window").unwrap();
    assert!(window.is_identifiable(), "{window}: {}", window.estimate.error);
}

/// A machine of the catalogue is found again from synthetic measurements of it; `synthesize` refuses a cluster.
fn assert_found_again(name: &str) {
    let machine = numalab_lower::machine(name, &[]).unwrap().value;
    let subject = Subject::new(machine, Profile::default());
    println!("\n{name}");
    if subject.machine.dsm.is_some() {
        let refused = synthesize(&subject, NOISE, 3).unwrap_err().to_string();
        assert!(refused.contains("not simulated between nodes that share memory by pages"), "{refused}");
    } else {
        assert_recovered(&subject, &found(&subject, 3), 10);
    }
}

/// The known machine has different numbers of lines in flight for loads and stores, channels that turn round, and
/// other latencies under load than a fit assumes.
#[test]
fn a_machine_of_the_catalogue() {
    assert_found_again("xeon-5218");
}

/// All machines of the catalogue. Most take a minute, the largest half an hour:
/// `cargo test --release -p numalab-calibrate --test recovery -- --ignored --nocapture`, with MACHINES="a b" for some
/// of them.
#[test]
#[ignore = "fits every machine of the catalogue"]
fn every_machine_of_the_catalogue() {
    let named = std::env::var("MACHINES").ok();
    let catalogue = numalab_files::catalogue();
    let all = catalogue.iter().filter(|item| item.kind == numalab_files::Kind::Machine);
    let names: Vec<String> = match &named {
        Some(list) => list.split_whitespace().map(str::to_owned).collect(),
        None => all.map(|item| item.name.clone()).collect(),
    };
    names.iter().for_each(|name| assert_found_again(name));
}

#[test]
fn two_sockets() {
    let known = known(
        "socket:2 core:2",
        &[
            (Link(LinkId(0)).number(numalab_machine::Link::latency), 1.5),
            (Link(LinkId(0)).number(numalab_machine::Link::bandwidth), 0.3),
            (Memory.number(numalab_machine::Memory::latency), 0.8),
            // The change is a factor on all lines in flight.
            (Core.number(numalab_machine::Core::store_outstanding), 0.6),
            (Os.number(numalab_machine::Os::page_migration), 1.7),
        ],
    );
    let fitted = found(&known, 2);
    assert_recovered(&known, &fitted, 14);
    let findings = fitted.estimates;
    for target in [
        Link(LinkId(0)).number(numalab_machine::Link::latency),
        Link(LinkId(0)).number(numalab_machine::Link::bandwidth),
        Core.number(numalab_machine::Core::store_outstanding),
        Os.number(numalab_machine::Os::page_migration),
    ] {
        let finding = findings.iter().find(|finding| finding.estimate.target == target).unwrap();
        assert!(finding.is_identifiable(), "{finding}: {}", finding.estimate.error);
    }
}

/// Eight cores, half of which use the whole bandwidth of memory. Latency under load follows `curve`.
fn eight_cores(curve: LoadedLatency) -> Subject {
    let mut known = known("socket:1 core:8", &[(Memory.number(numalab_machine::Memory::bandwidth), 0.6)]);
    known.machine.memory.loaded_latency = curve;
    known
}

/// Factor of the loaded-latency curve at the fraction `part` of the bandwidth in use.
fn factor(subject: &Subject, part: f64) -> f64 {
    let points = &subject.machine.memory.loaded_latency.0;
    let after = points.iter().position(|point| point.0 >= part).unwrap();
    let ((x0, y0), (x1, y1)) = (points[after - 1], points[after]);
    y0 + (y1 - y0) * (part - x0) / (x1 - x0)
}

/// Fit to synthetic rows about caches and memory; with rows of latency under load if `under_load`.
fn of_memory(subject: &Subject, under_load: bool) -> Fitted {
    let text = synthesize(subject, NOISE, 4).unwrap();
    let needed = [
        "pointer_chase",
        "serial_bandwidth",
        "parallel_bandwidth",
        "instructions_per_ns",
        "\"file\"",
        "\"host\"",
    ];
    let needed = |line: &&str| {
        needed.iter().any(|name| line.contains(name)) || under_load && line.contains("loaded_latency")
    };
    found_in(&text.lines().filter(needed).map(|line| format!("{line}\n")).collect::<String>())
}

#[test]
fn latency_under_load_is_found_again_and_lines_in_flight_with_it() {
    // Factors above 1 are about twice those of the usual curve.
    let steep = vec![(0.1, 1.0), (0.4, 1.5), (0.7, 2.1), (0.9, 2.9), (1.0, 3.4)];
    let steep = eight_cores(LoadedLatency(steep));
    let fitted = of_memory(&steep, true);
    // The curves are compared at equal bandwidths, in bytes per second: with such latencies the greatest bandwidth is
    // never reached.
    let delivered = |subject: &Subject| {
        let memory = &subject.machine.memory;
        memory.read_bandwidth.unwrap_or(memory.bandwidth).0
    };
    for rate in [6e9, 9e9, 12e9] {
        let [found, truly] =
            [&fitted.subject, &steep].map(|subject| factor(subject, rate / delivered(subject)));
        let off = found / truly - 1.0;
        assert!(off.abs() < 0.1, "×{found:.2} where {rate} bytes a second are moved, truly ×{truly:.2}");
    }
    let outstanding = Core.number(numalab_machine::Core::outstanding);
    let lines = fitted.subject.get(outstanding) / steep.get(outstanding);
    assert!((lines - 1.0).abs() < CLOSE, "{lines} of the lines in flight");
    let curve = fitted.origins.iter().find(|(path, _)| path == "memory.loaded_latency").unwrap();
    assert_eq!(curve.1, Origin::Measured);
}

/// Without rows of latency under load, lines in flight are fitted under other curves than the machine's, and their
/// errors cover the difference.
#[test]
fn latency_under_load_that_nobody_measured_is_in_the_errors() {
    let steepest = numalab_lower::machine("xeon-8280-2p", &[]).unwrap().value.memory.loaded_latency;
    let known = eight_cores(steepest);
    let fitted = of_memory(&known, false);
    assert_recovered(&known, &fitted, 6);
    let curves: Vec<f64> =
        fitted.otherwise.iter().map(|other| other.loaded_latency.last().unwrap().1).collect();
    assert_eq!(curves, [1.66, 1.66, 2.1], "as published of Grace and two Xeons");
    let outstanding = |other: &Otherwise| {
        other.values.iter().find(|(path, _)| path == "core.outstanding").map(|(_, by)| *by)
    };
    let by: Vec<f64> = fitted.otherwise.iter().filter_map(outstanding).collect();
    assert!(by[2] > by[0].max(by[1]) + 0.01, "the longer lines wait, the more are in flight: {by:?}");
}
