//! Examines a file of measurements: contradictions, disturbances, drifts, gaps, and experiments to repeat.

use crate::experiments;
use crate::fit::{Fitted, Inputs, Observation, Origin, Verdict};
use crate::together::slow_pairs;
use numalab_imports::measurements::{Measurements, Row};
use std::collections::BTreeMap;

/// Ratio of a stated cache size to the measured one, or the inverse, above which the two contradict each other. The
/// stated size must also be outside of the measured size's interval.
const FAR: f64 = 1.5;
/// A measurement drifts if the largest median of its runs exceeds the smallest by more than twice this fraction.
const DRIFT: f64 = 0.15;
/// Ratio of the 90th to the 10th percentile above which samples come from several states of the machine, so that no
/// single value describes them.
const STATES: f64 = 3.0;
/// Two virtual processors count as moved by the hypervisor if fewer than this fraction of the runs have the usual
/// time of handing a line from one to the other. If more runs have it, the other runs count as accidents.
const SELDOM: f64 = 0.9;
/// Relative difference between the fastest and the slowest clock in the samples above which the clock counts as
/// changing.
const CLOCKS: f64 = 0.06;
/// Relative excess of a latency on small pages over that on huge pages above which address translation is reported.
const WALKS: f64 = 0.25;
/// Relative growth of the chase's latency between its two largest footprints above which the curve is not flat at its
/// end.
const FLAT: f64 = 0.1;

/// Kind of a complaint, gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Two statements in the files cannot both be true.
    Contradictory,
    /// Other programs ran during the measurement.
    Disturbed,
    /// The measured quantity changed during the measurements.
    Drifting,
    /// A measurement was never taken, or the model lacks an effect that the measurements show.
    Missing,
}

impl Kind {
    /// Heading of the list of complaints of this kind.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Contradictory => "contradictory",
            Kind::Disturbed => "disturbed",
            Kind::Drifting => "drifting",
            Kind::Missing => "missing",
        }
    }
}

/// Complaint about a file of measurements.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Complaint {
    pub kind: Kind,
    /// Text of the complaint, one sentence.
    pub what: String,
    /// Experiment to repeat or to add; `None` if no experiment would help.
    pub again: Option<String>,
}

/// Finds complaints of all kinds about measurements, the inputs of a fit and its result, gravest first.
pub fn examine(measured: &Measurements, inputs: &Inputs, fitted: &Fitted) -> Vec<Complaint> {
    let mut all = Vec::new();
    claims(inputs, fitted, &mut all);
    contradictions(fitted, &mut all);
    mates(inputs, fitted, &mut all);
    translations(measured, &mut all);
    disturbed(&inputs.rows, &mut all);
    moved(measured, &mut all);
    drifts(measured, &mut all);
    missing(measured, inputs, fitted, &mut all);
    all.sort();
    all
}

fn say(all: &mut Vec<Complaint>, kind: Kind, what: String, again: Option<&str>) {
    all.push(Complaint { kind, what, again: again.map(str::to_owned) });
}

/// Adds complaints about stated cache sizes that differ from those that the chase shows.
fn claims(inputs: &Inputs, fitted: &Fitted, all: &mut Vec<Complaint>) {
    for (at, claimed) in inputs.subject.machine.caches.iter().enumerate() {
        let path = format!("cache[{at}].size");
        let found = fitted.estimates.iter().find(|finding| finding.path == path);
        let Some(found) = found.filter(|finding| finding.verdict != Verdict::Untold) else { continue };
        let off = (found.estimate.value / claimed.size.0 as f64).ln().abs();
        if off > FAR.ln().max(found.interval().ln()) {
            let what = format!(
                "the system claims {} of cache level {}, and the measurements find {} ({})",
                claimed.size,
                claimed.level,
                found.value,
                found.sure()
            );
            say(all, Kind::Contradictory, what, None);
        }
    }
}

fn contradictions(fitted: &Fitted, all: &mut Vec<Complaint>) {
    for finding in fitted.estimates.iter().filter(|finding| finding.verdict == Verdict::Contradicted) {
        let what = format!("{finding} is far from the {} rows that it rests on", finding.rows.len());
        say(all, Kind::Contradictory, what, None);
    }
    for (row, checked) in fitted.rows.iter().filter(|(_, checked)| checked.beyond) {
        let what = format!(
            "{} ({}) is {:+.0} % from what other rows of its stage say",
            named(row),
            row.row.source,
            checked.missed.unwrap_or_default() * 100.0
        );
        say(all, Kind::Contradictory, what, Some(&row.row.experiment));
    }
}

/// Adds complaints about processors that slow each other although the system states different cores for them.
fn mates(inputs: &Inputs, fitted: &Fitted, all: &mut Vec<Complaint>) {
    let pairs = slow_pairs(&inputs.rows, &fitted.subject.machine);
    for pair in pairs.iter().filter(|pair| !pair.are_mates) {
        let numbers: Vec<String> = pair.processors.iter().map(u32::to_string).collect();
        let what = format!(
            "the processors {} of the machine compute at {:.0} % of their speed when both do ({}): they share a core or a \
             clock, which the system does not say",
            numbers.join(" and "),
            pair.part * 100.0,
            pair.source
        );
        say(all, Kind::Contradictory, what, None);
    }
}

/// Adds complaints about latencies that consist largely of address translation, which the model lacks.
fn translations(measured: &Measurements, all: &mut Vec<Complaint>) {
    let chase = |quantity: &str, footprint: &str| {
        let found = measured.rows.iter().find(|row| {
            row.experiment == "pointer_chase"
                && row.quantity == quantity
                && row.param("footprint") == Some(footprint)
        });
        found.map(|row| row.undisturbed(&measured.limits()).median)
    };
    for row in measured.rows.iter().filter(|row| row.quantity == "latency_on_small_pages") {
        let Some(footprint) = row.param("footprint") else { continue };
        let both = chase("latency", footprint).zip(chase("latency_on_small_pages", footprint));
        if let Some((huge, small)) = both.filter(|(huge, small)| *small > huge * (1.0 + WALKS)) {
            let what = format!(
                "a load on small pages takes {small:.1} ns and one on huge pages {huge:.1} ns where {footprint} bytes are \
                 chased through: programs without huge pages wait that much longer, which is not simulated"
            );
            say(all, Kind::Missing, what, None);
        }
    }
}

/// Experiment, quantity and parameters of a row, as text.
fn named(row: &Observation) -> String {
    let params = row.row.params.iter().map(|(key, value)| format!(" {key}={value}"));
    format!("{} {}{}", row.row.experiment, row.row.quantity, params.collect::<String>())
}

fn disturbed(rows: &[Observation], all: &mut Vec<Complaint>) {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for row in rows {
        let (disturbed, total) = counts.entry(&row.row.experiment).or_default();
        *disturbed += usize::from(row.disturbed);
        *total += 1;
    }
    for (experiment, (disturbed, total)) in counts.into_iter().filter(|(_, (disturbed, _))| *disturbed > 0) {
        let what = format!("{experiment}: of {disturbed} of {total} rows too few samples were undisturbed");
        say(all, Kind::Disturbed, what, Some(experiment));
    }
}

/// Lowest and highest positive value, after dropping an eighth of the values at either end. `None` if no value is
/// left.
fn ends(mut values: Vec<f64>) -> Option<(f64, f64)> {
    values.retain(|value| *value > 0.0);
    values.sort_by(f64::total_cmp);
    ends_at(&values, values.len() / 8)
}

/// Lowest and highest of sorted values, after dropping `skip` values at either end. `None` if no value is left.
fn ends_at(values: &[f64], skip: usize) -> Option<(f64, f64)> {
    Some((*values.get(skip)?, *values.get(values.len().checked_sub(1 + skip)?)?))
}

/// Complaint text for a row whose samples, sorted in `values`, come from several states of the machine; `None` for
/// other rows. Examples of states: the thread that holds a lock, or the hypervisor's placement of two processors.
fn states(row: &Row, values: &[f64]) -> Option<String> {
    let (least, most) = ends_at(values, values.len() / 10)?;
    let apart = most / least;
    let params: String = row.params.iter().map(|(key, value)| format!(" {key}={value}")).collect();
    (apart > STATES).then(|| {
        format!(
            "{}{params}: eight of ten samples lie between {least:.3} and {most:.3} {}, a factor of {apart:.1}: they are of \
             several states of the machine, which one value does not predict; believe the interval",
            row.experiment, row.unit
        )
    })
}

/// Adds complaints about pairs of processors whose line hand-over takes different times in different runs.
fn moved(measured: &Measurements, all: &mut Vec<Complaint>) {
    for ((first, last), usual) in measured.limits().states.iter() {
        let Some(others) = usual.others.filter(|_| usual.part < SELDOM) else { continue };
        let what = format!(
            "the processors {first} and {last} move: in {:.0} % of the runs a line goes from one to the other in {:.0} to {:.0} \
             ns, in the others in {others:.0} ns or so; samples of the former count",
            usual.part * 100.0,
            usual.range.0,
            usual.range.1
        );
        say(all, Kind::Drifting, what, None);
    }
}

fn drifts(measured: &Measurements, all: &mut Vec<Complaint>) {
    for row in &measured.rows {
        if let Some(what) = states(row, &row.undisturbed(&measured.limits()).values) {
            say(all, Kind::Drifting, what, None);
            continue;
        }
        let runs = row.samples.chunk_by(|a, b| a.run == b.run).map(|run| {
            let mut values: Vec<f64> = run.iter().map(|sample| sample.value).collect();
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        });
        let medians: Vec<f64> = runs.filter(|median| *median > 0.0).collect();
        let (least, most) = medians.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), m| (a.min(*m), b.max(*m)));
        if medians.len() > 1 && most > least * (1.0 + 2.0 * DRIFT) {
            let params = row.params.iter().map(|(key, value)| format!(" {key}={value}")).collect::<String>();
            let what = format!(
                "{}{params}: medians of {} runs lie between {least:.3} and {most:.3} {}",
                row.experiment,
                medians.len(),
                row.unit
            );
            say(all, Kind::Drifting, what, Some(&row.experiment));
        }
    }
    let paces = measured.rows.iter().flat_map(|row| &row.samples).map(|sample| sample.pace).collect();
    if let Some((fast, slow)) = ends(paces).filter(|(fast, slow)| slow / fast > 1.0 + CLOCKS) {
        let what = format!(
            "the cores' clock changes: a step of a chain of additions takes {fast:.3} to {slow:.3} ns, {:.1} to {:.1} GHz if \
             it takes a cycle",
            1.0 / slow,
            1.0 / fast
        );
        say(all, Kind::Drifting, what, None);
    }
}

fn missing(measured: &Measurements, inputs: &Inputs, fitted: &Fitted, all: &mut Vec<Complaint>) {
    let mut unmeasured: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (path, origin) in &fitted.origins {
        if let Origin::Assumed { experiment: Some(experiment), .. } = origin {
            unmeasured.entry(experiment).or_default().push(path);
        }
    }
    for (experiment, paths) in unmeasured {
        let skipped = measured.skipped.iter().find(|(name, _)| name == experiment);
        let why = skipped.map_or_else(String::new, |(_, reason)| format!(" ({reason})"));
        let what = format!("nothing tells {}{why}", paths.join(", "));
        say(all, Kind::Missing, what, Some(experiment));
    }
    let mut chase: Vec<(f64, f64)> = inputs
        .rows
        .iter()
        .filter(|row| {
            row.row.experiment == "pointer_chase" && row.row.quantity == "latency" && row.is_local()
        })
        .filter_map(|row| Some((row.number("footprint")?, row.value)))
        .collect();
    chase.sort_by(|a, b| a.0.total_cmp(&b.0));
    if let [.., before, last] = chase[..]
        && last.1 > before.1 * (1.0 + FLAT)
    {
        let what = format!(
            "the chase still grows at its largest footprint, by {:.0} %: more of it is missing, or translations of \
             addresses take part of it",
            (last.1 / before.1 - 1.0) * 100.0
        );
        say(all, Kind::Missing, what, Some("pointer_chase"));
    }
    let has_loop = |name: &str| {
        measured.rows.iter().any(|row| row.experiment == name && experiments::is_loop_alone(row))
    };
    let without: Vec<&str> =
        ["loadbal", "matvec", "cg", "heat"].into_iter().filter(|name| !has_loop(name)).collect();
    if !without.is_empty() {
        let what = format!(
            "what the loops of {} cost in caches was not measured: counted instructions are taken",
            without.join(", ")
        );
        say(all, Kind::Missing, what, without.first().copied());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight of ten samples between 2 and 9 ns count as several states; between 4 and 9 ns they do not.
    #[test]
    fn samples_that_lie_apart_by_factors_are_said_to_be_of_several_states() {
        let row = Row {
            experiment: "locks".to_owned(),
            quantity: "hand_over".to_owned(),
            params: vec![("kind".to_owned(), "backoff".to_owned())],
            unit: "ns".to_owned(),
            samples: Vec::new(),
            source: "host.jsonl:1".to_owned(),
        };
        let values = |low: f64| [0.1, low, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 9.0, 99.0];
        let said = states(&row, &values(2.0)).unwrap();
        assert!(said.starts_with(
            "locks kind=backoff: eight of ten samples lie between 2.000 and 9.000 ns, a factor of 4.5"
        ));
        assert_eq!(states(&row, &values(4.0)), None);
        assert_eq!(states(&row, &[]), None);
    }
}
