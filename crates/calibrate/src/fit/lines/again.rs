//! Corrects values read off core-to-core rows until a simulated pair gives the rows back.

use super::pairs::pair;
use super::{Class, ONE_WAY, STAGE, classes, is_one_way};
use crate::experiments;
use crate::fit::observation::Observation;
use crate::fit::staged::Fit;
use crate::fit::subject::Subject;
use crate::fit::target::FittedTable::{Level, Link};
use crate::fit::target::Target;
use crate::fit::{Finding, Verdict};
use numalab_base::Span;
use numalab_base::parameter::Value;
use numalab_machine::{Fabric, LinkId, Machine};
use numalab_study::Files;
use std::collections::BTreeMap;

/// Maximum number of simulations for one value.
const ROUNDS: usize = 16;
/// Relative difference of a simulated latency from the rows at which a value is good enough.
const SAME: f64 = 0.002;
/// Relative difference of a simulated latency from the rows that a message names.
const MISSED: f64 = 0.05;
/// Relative error of a link's latency of which rows show an upper bound only.
const UPPER_BOUND: f64 = 0.5;
/// Bounds of the change of a simulated latency by a change of its parameter: a hand-over is two transfers, of which
/// one or both have the value of the parameter.
const SLOPES: std::ops::RangeInclusive<f64> = 0.25..=2.0;

impl Fit<'_> {
    /// Corrects the values of all classes of core-to-core rows, after the other values are known. Shortens links that
    /// no row determines and that are too long for the rows. Warns of classes that no value gives back.
    pub(in crate::fit) fn give_lines_back(&mut self) {
        let files = Files::default();
        // Caches come first, since the latency between units contains that of their caches.
        for class in classes(&self.subject, &self.rows) {
            self.shorten_link(&class);
            let Some(found) = give_back(&mut self.subject, &class, &files) else { continue };
            let path = class.target.path(&self.subject.machine);
            let value = class.target.value(&self.subject);
            if let Some(finding) = self.estimates.iter_mut().find(|finding| finding.path == path) {
                finding.estimate.value = self.subject.get(class.target);
                finding.value = value.unwrap_or(Value::Absent);
            }
            if (found / class.median() - 1.0).abs() > MISSED {
                self.warnings.push(format!(
                    "{path}: {} core-to-core rows take {:.0} ns one way, simulated {found:.0} ns: {}",
                    class.rows.len(),
                    class.median(),
                    reason(&self.subject.machine, class.target),
                ));
            }
        }
    }

    /// Shortens the link of a class's level if a line cannot cross it there and back in the latency of the rows. No
    /// effect if measured rows determine the link.
    fn shorten_link(&mut self, class: &Class) {
        let machine = &self.subject.machine;
        let Some(link) = link_of(machine, class.target) else { return };
        // The caches of both units take part of the time as well.
        let caches = match machine.shared_cache().map(|at| &machine.caches[at]) {
            Some(cache) => cache.latency + cache.between_cores(),
            None => machine.caches.last().map_or(Span::ZERO, |cache| cache.latency),
        };
        let span = Span((class.median() * 1e3) as u64);
        let (most, known) = (span.saturating_sub(caches) / 2, &machine.links[link.0]);
        let target = Link(link).number(numalab_machine::Link::latency);
        let path = target.path(machine);
        let finding = self.estimates.iter().find(|finding| finding.path == path);
        // Rows beyond those of the inputs are derived from distances.
        let is_measured = |row: &usize| *row < self.inputs.rows.len();
        let origin = match finding {
            None => "as assumed",
            Some(finding) if finding.rows.iter().any(is_measured) => return,
            Some(_) => "by the firmware's distances",
        };
        if known.latency <= most {
            return;
        }
        self.warnings.push(format!(
            "{path}: {} rows have lines of the other unit in {span}, so that a crossing takes {most} at most, not {} \
             {origin}: the rows count",
            class.rows.len(),
            known.latency
        ));
        target.set(&mut self.subject, most.0 as f64);
        let sure = (UPPER_BOUND, Verdict::Wide);
        self.keep(Finding::read_off(&self.subject, target, sure, STAGE, &class.rows));
    }
}

fn link_of(machine: &Machine, target: Target) -> Option<LinkId> {
    let Level(at) = target.table else { return None };
    machine.levels[at].interconnect.as_ref().map(|joined| joined.link)
}

/// True reason why no value of a parameter gives its rows back.
fn reason(machine: &Machine, target: Target) -> String {
    match (link_of(machine, target), machine.shared_cache()) {
        (Some(LinkId(link)), _) => {
            let link = &machine.links[link];
            format!("the way over {} there and back, {} by other rows, takes longer", link.name, link.latency)
        }
        (None, None) => format!(
            "no input names a cache that cores share, so that lines come from memory, which takes {}",
            machine.memory.latency
        ),
        (None, Some(at)) => {
            format!(
                "the L{} cache, {} by other rows, takes longer",
                machine.caches[at].level, machine.caches[at].latency
            )
        }
    }
}

/// Searches the value of a class's parameter with which its rows come back. Returns the simulated latency in
/// nanoseconds; `None` if the pair cannot be simulated.
fn give_back(subject: &mut Subject, class: &Class, files: &Files) -> Option<f64> {
    let (target, goal) = (class.target, class.median());
    let least = link_of(&subject.machine, target)
        .map_or(0.0, |LinkId(link)| 2.0 * subject.machine.links[link].latency.0 as f64);
    let mut value = subject.get(target).max(least);
    target.set(subject, value);
    let mut at = one_way(subject, class.processors, files)?;
    let mut best = (value, at);
    let mut slope: f64 = 1.0;
    for _ in 0..ROUNDS {
        if (at / goal - 1.0).abs() < SAME {
            break;
        }
        let next = (value + (goal - at) * 1e3 / slope).round().max(least);
        if next == value {
            break;
        }
        target.set(subject, next);
        let Some(found) = one_way(subject, class.processors, files) else { break };
        let measured = (found - at) * 1e3 / (next - value);
        slope = measured.clamp(*SLOPES.start(), *SLOPES.end());
        (value, at) = (next, found);
        if (at / goal).ln().abs() < (best.1 / goal).ln().abs() {
            best = (value, at);
        }
    }
    target.set(subject, best.0);
    Some(best.1)
}

/// Simulated latency between two processors in nanoseconds, one way; `None` if the machine is unsound.
fn one_way(subject: &Subject, (a, b): (u32, u32), files: &Files) -> Option<f64> {
    let experiment = experiments::find("core_to_core")?;
    let procs = format!("{a},{b}");
    let params = [("procs", procs.as_str()), ("threads", "2")];
    let found = subject.simulate(experiment, (ONE_WAY, "ns"), params.into_iter(), None, files).ok()??;
    (found > 0.0).then_some(found)
}

/// Simulated latencies of the core-to-core rows, by the index of the row. Rows of one parameter and one distance share
/// a simulation.
pub(in crate::fit) fn simulated(subject: &Subject, rows: &[Observation]) -> BTreeMap<usize, f64> {
    let Ok(fabric) = Fabric::new(&subject.machine) else { return BTreeMap::new() };
    let files = Files::default();
    let mut known: BTreeMap<(Target, Span), Option<f64>> = BTreeMap::new();
    let one = |(at, row): (usize, &Observation)| {
        let pair = pair(row, &subject.machine, &fabric).ok()?;
        let found =
            known.entry((pair.target, pair.way)).or_insert_with(|| one_way(subject, pair.processors, &files));
        found.map(|found| (at, found))
    };
    rows.iter().enumerate().filter(|(_, row)| is_one_way(row)).filter_map(one).collect()
}
