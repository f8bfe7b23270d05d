//! Costs of the loops of predicted kernels, measured by the kernels themselves.
//!
//! One thread runs each kernel on data in its caches. Its time is computing, since cached data overlaps with it: the
//! instructions per byte are those with which the simulated time equals the measured one. The predictions are about
//! schedules, threads, placement and contention.
//!
//! A loop that takes longer than its counted instructions waits for something else, such as its own additions. It
//! then executes the counted instructions at fewer per cycle. Only executed instructions take room in the core's
//! window, which limits the lines in random order in flight.
//!
//! The part of waiting for memory that overlaps with computing differs between loops: dependent additions fill a
//! core's window, a sum of loads does not. The kernel on one thread with data beyond all caches shows it, once its
//! computing is known; without that row the core's own value is used, which another loop measured. A loop that takes
//! even longer than computing and waiting in sequence has fewer lines in flight than the core's streams: prefetchers
//! look less far ahead, or it alternates between sequences. The same row shows how many.

use crate::experiments::{self, Experiment};
use crate::fit::{Observation, Subject};
use std::borrow::Cow;

/// Name of the workload parameter for the instructions per byte of a loop.
pub const COST: &str = "instructions_per_byte";
/// Name of the workload parameter for the overlap of waiting with computing.
pub const OVERLAP: &str = "overlap";
/// Bounds of the instructions per byte: those of a copy of whole lines, and of a call for each byte.
const BOUNDS: (f64, f64) = (1e-4, 100.0);
/// Number of bisections of the instructions per byte. The logarithms of the bounds differ by 14, and 14 / 2^20
/// changes simulated times by less than their rounding.
const HALVINGS: u32 = 20;
/// Number of bisections of a fraction, which is then known to a thousandth.
const HALVINGS_OF_PART: u32 = 10;
/// Relative residual below which a loop meets a row.
const MET: f64 = 0.05;
/// Multiple of the largest cache's size from which nearly all of a loop's data is from memory.
const BEYOND: u64 = 2;

/// Properties of a kernel's loop, from measurements of the same kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OwnLoop {
    /// Instruction cost for each byte that the workload accesses: instructions that the core could execute in the
    /// loop's time.
    pub cost: f64,
    /// Fraction of the loop's waiting for memory that overlaps with computing; `None` if not measured.
    pub overlap: Option<f64>,
    /// Lines in flight of the loop, divided by those of the core's streams.
    pub lines: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct LoopCost {
    pub experiment: String,
    /// Properties of the kernel's loop, from the kernel's rows.
    pub own: OwnLoop,
    /// Instructions executed for each accessed byte.
    pub instructions_per_byte: f64,
    /// Instructions per cycle of the core in this loop.
    pub instructions_per_cycle: f64,
    /// Relative error of the row that shows the cost.
    pub error: f64,
    /// Source of the row that shows the cost, for output.
    pub source: String,
}

impl OwnLoop {
    /// Loop with this cost that waits for memory like the core's streams.
    pub fn of_cost(cost: f64) -> OwnLoop {
        OwnLoop { cost, overlap: None, lines: 1.0 }
    }

    /// Instructions executed for each byte: those counted for the experiment, but at most the cost.
    pub(crate) fn executed(self, experiment: &Experiment) -> f64 {
        let counted = experiment.params().find(|(key, _)| *key == COST);
        let counted = counted.and_then(|(_, text)| text.parse::<f64>().ok());
        counted.map_or(self.cost, |counted| counted.min(self.cost))
    }

    /// Copy of `subject` whose core has the loop's instructions per cycle and lines in flight. `executed`: executed
    /// instructions per byte.
    pub(crate) fn subject(self, subject: &Subject, executed: f64) -> Cow<'_, Subject> {
        if executed >= self.cost && self.lines >= 1.0 {
            return Cow::Borrowed(subject);
        }
        let mut own = subject.clone();
        let core = &mut own.machine.core;
        core.instructions_per_cycle *= executed / self.cost;
        core.outstanding *= self.lines;
        for part in [&mut core.stream_outstanding, &mut core.store_outstanding].into_iter().flatten() {
            *part *= self.lines;
        }
        Cow::Owned(own)
    }
}

/// Costs of the kernels' loops, from rows of one thread whose data fits its core's caches.
pub fn costs(rows: &[Observation], subject: &Subject) -> Vec<LoopCost> {
    let alone = rows.iter().filter(|row| experiments::is_loop_alone(&row.row));
    alone
        .filter_map(|row| cost(row, subject))
        .map(|cost| LoopCost { own: waiting(&cost, rows, subject).unwrap_or(cost.own), ..cost })
        .collect()
}

/// Sets in every row the properties of the row's loop; `None` in rows of kernels that `costs` does not contain.
pub fn apply(costs: &[LoopCost], rows: &mut [Observation]) {
    for row in rows {
        let cost = costs.iter().find(|cost| cost.experiment == row.row.experiment);
        row.own = cost.map(|cost| cost.own);
    }
}

/// Sets the properties of the loop in the rows of one kernel, before the costs of all kernels are known.
pub fn apply_own(kernel: &str, rows: &mut [Observation], subject: &Subject) {
    let is_its = |row: &Observation| row.row.experiment == kernel;
    let own: Vec<Observation> = rows.iter().filter(|row| is_its(row)).cloned().collect();
    let costs = costs(&own, subject);
    rows.iter_mut().filter(|row| is_its(row)).for_each(|row| apply(&costs, std::slice::from_mut(row)));
}

/// Relative excess of a row's simulated value, with the loop `own`, over the measured value; `None` if the row cannot
/// be simulated.
fn off(row: &Observation, own: OwnLoop, subject: &Subject) -> Option<f64> {
    let row = Observation { own: Some(own), ..row.clone() };
    Some(row.simulate(subject).ok()?? / row.value - 1.0)
}

/// Loop cost at which the simulated value of a row equals the measured one, by bisection, since more instructions
/// never make a loop faster. `None` if there is no such cost.
fn cost(row: &Observation, subject: &Subject) -> Option<LoopCost> {
    let (mut low, mut high) = (BOUNDS.0.ln(), BOUNDS.1.ln());
    let off = |cost: f64| off(row, OwnLoop::of_cost(cost.exp()), subject);
    // 1 for a time, which grows with the cost; -1 for a rate, which falls.
    let slower = (off(high)? - off(low)?).signum();
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        match off(middle)? * slower > 0.0 {
            true => high = middle,
            false => low = middle,
        }
    }
    let found = (low + high) / 2.0;
    // If the bisection ended at a bound, the cost does not meet the row.
    let met = off(found)?.abs() < MET;
    let own = OwnLoop::of_cost(found.exp());
    let executed = own.executed(experiments::find(&row.row.experiment)?);
    met.then(|| LoopCost {
        experiment: row.row.experiment.clone(),
        own,
        instructions_per_byte: executed,
        instructions_per_cycle: own.subject(subject, executed).machine.core.instructions_per_cycle,
        error: row.error,
        source: row.row.source.clone(),
    })
}

/// Loop as shown by the kernel's row of one thread with data beyond all caches: with the overlap that meets the row.
/// If several overlaps meet it, the smallest is taken, since waiting alone then explains the time. If the simulated
/// loop is too fast even without overlap, it gets fewer lines in flight.
fn waiting(cost: &LoopCost, rows: &[Observation], subject: &Subject) -> Option<OwnLoop> {
    let caches: u64 = subject.machine.caches.iter().map(|cache| cache.size.0).max()?;
    let beyond = |row: &&Observation| {
        row.row.experiment == cost.experiment
            && experiments::is_loop_of_one(&row.row)
            && experiments::loop_bytes(&row.row).is_some_and(|bytes| bytes > BEYOND * caches)
    };
    let row = rows.iter().find(beyond)?;
    let with = |part: f64, lines: f64| OwnLoop { overlap: Some(part), lines, ..cost.own };
    let off = |own: OwnLoop| off(row, own, subject);
    let (alternating, beside) = (off(with(0.0, 1.0))?, off(with(1.0, 1.0))?);
    // -1 for a time, which is smaller if the loop is faster; 1 for a rate.
    let faster = if experiments::is_time(&row.row) { -1.0 } else { 1.0 };
    if beside * faster <= 0.0 {
        return Some(with(1.0, 1.0));
    }
    let halved = |own: &dyn Fn(f64) -> OwnLoop| {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..HALVINGS_OF_PART {
            let middle = (low + high) / 2.0;
            match off(own(middle))? * faster >= 0.0 {
                true => high = middle,
                false => low = middle,
            }
        }
        Some(high)
    };
    if alternating * faster >= 0.0 {
        let lines = |lines: f64| with(0.0, lines);
        return Some(lines(halved(&lines)?));
    }
    let part = |part: f64| with(part, 1.0);
    Some(part(halved(&part)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_imports::measurements::{Limits, Row, Sample};
    use numalab_machine::synthetic;
    use numalab_runtime::Profile;

    fn row(experiment: &str, quantity: &str, unit: &str, params: &[(&str, &str)], value: f64) -> Observation {
        let params = params.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        let row = Row {
            experiment: experiment.to_owned(),
            quantity: quantity.to_owned(),
            params,
            unit: unit.to_owned(),
            samples: vec![Sample::of(value)],
            source: "host.jsonl:1".to_owned(),
        };
        Observation::of(&row, &Limits::default())
    }

    /// A time and a rate, each measured as simulated with a known cost.
    #[test]
    fn the_cost_that_was_measured_is_found() {
        let subject = Subject::new(synthetic("socket:1 core:2").unwrap(), Profile::default());
        let loadbal = [("schedule", "static"), ("packages", "1"), ("footprint", "196608"), ("threads", "1")];
        let matvec = [("init", "parallel"), ("n", "152"), ("products", "20"), ("threads", "1")];
        for known in
            [row("loadbal", "makespan", "ms", &loadbal, 1.0), row("matvec", "rate", "GFLOP/s", &matvec, 1.0)]
        {
            let with = Observation { own: Some(OwnLoop::of_cost(0.7)), ..known.clone() };
            let value = with.simulate(&subject).unwrap().unwrap();
            let measured = Observation { value, ..known };
            let found = costs(&[measured], &subject);
            assert!((found[0].own.cost / 0.7 - 1.0).abs() < 0.01, "{found:?}");
            // 0.146 instructions were counted for loadbal, 0.42 for matvec: the core executes fewer per cycle
            // accordingly.
            let counted = if found[0].experiment == "loadbal" { 0.146 } else { 0.42 };
            let pace = subject.machine.core.instructions_per_cycle * counted / 0.7;
            assert_eq!(found[0].instructions_per_byte, counted);
            assert!((found[0].instructions_per_cycle / pace - 1.0).abs() < 0.01, "{found:?}");
        }
    }

    /// A loop computes about as long as it waits: a third of the waiting overlaps with computing; all of it if the
    /// row is faster than any overlap explains. If the row is slower, the loop has fewer lines in flight, here two
    /// thirds: without overlap, and half of its time waiting, that takes a quarter longer.
    #[test]
    fn what_a_loop_waits_for_is_that_of_its_row_from_memory() {
        let mut subject = Subject::new(synthetic("socket:1 core:2").unwrap(), Profile::default());
        subject.machine.core.overlap = 0.9;
        let params = |n: &'static str, products: &'static str| {
            [("init", "parallel"), ("n", n), ("products", products), ("threads", "1")]
        };
        let as_with = |row: Observation, overlap: Option<f64>, lines: f64, factor: f64| {
            let own = OwnLoop { overlap, lines, ..OwnLoop::of_cost(1.5) };
            let with = Observation { own: Some(own), ..row.clone() };
            Observation { value: with.simulate(&subject).unwrap().unwrap() * factor, ..row }
        };
        let alone = as_with(row("matvec", "rate", "GFLOP/s", &params("152", "20"), 1.0), None, 1.0, 1.0);
        let large = || row("matvec", "rate", "GFLOP/s", &params("4096", "1"), 1.0);
        let found = |large: Observation| costs(&[alone.clone(), large], &subject)[0].own;
        let third = found(as_with(large(), Some(0.33), 1.0, 1.0));
        assert!((third.overlap.unwrap() - 0.33).abs() < 0.02 && third.lines == 1.0, "{third:?}");
        let fewer = found(as_with(large(), Some(0.0), 0.667, 1.0));
        assert!((fewer.lines - 0.667).abs() < 0.02 && fewer.overlap == Some(0.0), "{fewer:?}");
        let fast = found(as_with(large(), Some(1.0), 1.0, 1.3));
        assert_eq!((fast.overlap, fast.lines), (Some(1.0), 1.0));
        assert_eq!(found(alone.clone()).overlap, None, "nobody measured it");
        // A team has the same overlap; the row of one thread with data in caches does not wait.
        let mut rows = vec![alone.clone(), as_with(large(), Some(0.33), 1.0, 1.0)];
        let known = costs(&rows, &subject);
        apply(&known, &mut rows);
        assert!(rows.iter().all(|row| row.own.is_some_and(|own| own.overlap.is_some())));
    }

    #[test]
    fn rows_of_teams_and_of_large_data_say_nothing_of_a_loop() {
        let of = |footprint: &str, threads: &str| {
            let params = [("schedule", "static"), ("footprint", footprint), ("threads", threads)];
            experiments::is_loop_alone(&row("loadbal", "makespan", "ms", &params, 1.0).row)
        };
        assert_eq!([of("196608", "1"), of("196608", "2"), of("196608000", "1")], [true, false, false]);
    }
}
