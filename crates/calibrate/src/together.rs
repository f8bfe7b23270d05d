//! Processors that slow each other: each computes alone, then both at once on data of their own.
//!
//! Hardware threads of one core slow each other, and so do cores that share a clock. The system need not report this:
//! a hypervisor may run a guest's processors anywhere. Sharing in the machine file is modelled; other sharing makes
//! predictions less certain.

use crate::fit::Observation;
use numalab_machine::{Fabric, Machine, ProcessorId};

/// Pair of processors that compute more slowly together than alone.
#[derive(Clone, Debug, PartialEq)]
pub struct SlowPair {
    /// Processors of the pair, numbered as in the machine file.
    pub processors: Vec<u32>,
    /// Speed of each processor in the pair, divided by its speed alone.
    pub part: f64,
    /// True if both processors are on one core in the machine file.
    pub are_mates: bool,
    /// File and line of the row that shows the pair.
    pub source: String,
}

/// Speed of a processor in a pair, relative to its speed alone, below which the pair is slow. Smaller differences
/// come from changes of the clock.
const SLOW: f64 = 0.9;

/// Pairs of processors that slow each other, from the rows.
pub fn slow_pairs(rows: &[Observation], machine: &Machine) -> Vec<SlowPair> {
    let computes = |row: &&Observation| {
        row.row.experiment == "compute" && row.row.quantity == "instructions_per_ns" && row.value > 0.0
    };
    let alone = rows.iter().filter(computes).find(|row| row.param("threads") == Some("1"));
    let (Some(alone), Ok(fabric)) = (alone, Fabric::new(machine)) else { return Vec::new() };
    let pair = |row: &Observation| {
        let processors = row.numbers("procs");
        let known = processors.len() > 1 && processors.iter().all(|one| *one < fabric.processors());
        let part = row.value / alone.value;
        let core = |number: &u32| fabric.processor(ProcessorId::new(*number)).core;
        (known && part < SLOW).then(|| SlowPair {
            are_mates: processors.iter().all(|one| core(one) == core(&processors[0])),
            part,
            source: row.row.source.clone(),
            processors,
        })
    };
    rows.iter().filter(computes).filter_map(pair).collect()
}

/// Standard deviation, as a logarithm, of the times of teams whose processors slow each other in a way that the
/// machine file lacks. A team that only waits for memory is not slowed, one that only computes is slowed fully, and
/// all values between are equally likely.
pub(crate) fn doubt(rows: &[Observation], machine: &Machine) -> f64 {
    let pairs = slow_pairs(rows, machine).into_iter().filter(|pair| !pair.are_mates);
    pairs.map(|pair| -pair.part.ln()).fold(0.0, f64::max) / 3_f64.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_imports::measurements::{Limits, Row, Sample};
    use numalab_machine::synthetic;

    fn row(params: &[(&str, &str)], value: f64) -> Observation {
        let row = Row {
            experiment: "compute".to_owned(),
            quantity: "instructions_per_ns".to_owned(),
            params: params.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect(),
            unit: "1".to_owned(),
            samples: vec![Sample::of(value)],
            source: "host.jsonl:1".to_owned(),
        };
        Observation::of(&row, &Limits::default())
    }

    // 6 of 10 instructions: -ln 0.6 = 0.511, over sqrt 3 = 0.295.
    #[test]
    fn cores_that_slow_each_other_make_unsure_and_mates_do_not() {
        let rows = |procs: &str, value: f64| {
            vec![row(&[("threads", "1")], 10.0), row(&[("procs", procs), ("threads", "2")], value)]
        };
        let cores = synthetic("socket:1 core:2").unwrap();
        assert!((doubt(&rows("0,1", 6.0), &cores) - 0.295).abs() < 0.001);
        assert_eq!(doubt(&rows("0,1", 9.5), &cores), 0.0, "a clock changes by as much");
        let mut mates = synthetic("socket:1 core:1").unwrap();
        mates.core.threads = 2;
        let found = slow_pairs(&rows("0,1", 6.0), &mates);
        assert!(found[0].are_mates && found[0].part == 0.6, "{found:?}");
        assert_eq!(doubt(&rows("0,1", 6.0), &mates), 0.0);
        assert_eq!(slow_pairs(&rows("0,7", 6.0), &cores), [], "no such processor");
    }
}
