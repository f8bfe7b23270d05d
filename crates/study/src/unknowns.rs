//! Values of machine, runtime and workload that are not known exactly, and runs with other values in their place.

use crate::files::SealedMachine;
use crate::spec::Given;
use crate::{Files, ResolvedRun, SpecError};
use numalab_base::{FileValue, ValueOrigin, ValueOrigins};
use numalab_des::{Domain, Streams};
use numalab_files::{Loaded, Origin, Override, WrittenValue};
use numalab_lower::WorkloadValue;
use numalab_machine::MachinePart;
use numalab_runtime::profile::RuntimePart;

/// A value of the machine, the runtime or the workload that may be off.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// Path as `--set` takes it, such as `machine.memory.latency`.
    pub path: String,
    pub origin: ValueOrigin,
    /// Largest relative error: a value `v` lies between `v / (1 + within)` and `v (1 + within)`.
    pub within: f64,
    whose: Whose,
}

#[derive(Clone, Debug)]
enum Whose {
    Machine(FileValue<MachinePart>),
    Runtime(FileValue<RuntimePart>),
    Workload(WrittenValue),
}

impl Unknown {
    /// The table of the value, such as `machine.memory`.
    pub fn table(&self) -> &str {
        self.path.rsplit_once('.').map_or(&*self.path, |(table, _)| table)
    }

    /// Factor at a place in the value's range, from -1 at its lower to 1 at its upper end; 0 leaves the value.
    pub fn factor(&self, place: f64) -> f64 {
        (1.0 + self.within).powf(place)
    }
}

/// Unknown values among those of a file. Values of 0 stay 0 within any relative error.
fn unknown<P>(
    file: &str,
    origins: &ValueOrigins,
    values: Vec<FileValue<P>>,
    whose: fn(FileValue<P>) -> Whose,
) -> impl Iterator<Item = Unknown> {
    values.into_iter().filter_map(move |value| {
        let (origin, within) = (origins.of(&value), origins.within(&value));
        let path = format!("{file}.{}", value.path);
        (within > 0.0 && value.number > 0.0).then(|| Unknown { path, origin, within, whose: whose(value) })
    })
}

impl ResolvedRun {
    /// All values of machine, runtime and workload that may be off, in the order of the files.
    pub fn unknowns(&self) -> Vec<Unknown> {
        let (machine, runtime) = (&self.machine.loaded.value, &self.runtime.value);
        unknown("machine", &machine.origins, machine.file_values(), Whose::Machine)
            .chain(unknown("runtime", &runtime.origins, runtime.file_values(), Whose::Runtime))
            .chain(self.experiment.values.iter().filter_map(of_workload))
            .collect()
    }

    /// The run with values multiplied by factors. An error if the machine or the workload is then impossible.
    pub fn with_values(&self, factors: &[(&Unknown, f64)], files: &Files) -> Result<ResolvedRun, SpecError> {
        let (mut machine, mut runtime) = (self.machine.loaded.value.clone(), self.runtime.value.clone());
        let mut overrides = Vec::new();
        for (unknown, factor) in factors {
            match &unknown.whose {
                Whose::Machine(value) => machine.set(value, value.number * factor),
                Whose::Runtime(value) => runtime.set(value, value.number * factor),
                // An override, since a workload's values are known only once machine and team are.
                Whose::Workload(value) => {
                    let other = value.times(*factor).unwrap_or_else(|| value.text.clone());
                    overrides.push(Override::of_workload(&value.path, &other, Origin::Run));
                }
            }
        }
        let mut spec = self.spec.clone();
        spec.overrides.workload.extend(overrides);
        spec.machine = Given::loaded(SealedMachine::new(Loaded::in_memory(machine))?);
        spec.runtime = Some(Given::loaded(Loaded::in_memory(runtime)));
        (spec.overrides.machine, spec.overrides.runtime) = (Vec::new(), Vec::new());
        spec.unsure = None;
        spec.resolve(files)
    }

    /// True if the run is possible with the value at either end of its range.
    fn may_vary(&self, value: &Unknown, files: &Files) -> bool {
        [-1.0, 1.0].into_iter().all(|place| self.with_values(&[(value, value.factor(place))], files).is_ok())
    }

    /// `number` runs in which all unknown values are drawn within their ranges, each range in `number` parts of which
    /// every run has another one (a Latin hypercube). The draws depend on the seed, the path and the number of the run.
    pub(crate) fn sampled(&self, number: u32, files: &Files) -> Result<Vec<ResolvedRun>, SpecError> {
        let mut unknowns = self.unknowns();
        // A program may have no sense with another number, such as a count that has to divide another one.
        unknowns.retain(|value| !matches!(value.whose, Whose::Workload(_)) || self.may_vary(value, files));
        let places: Vec<Vec<f64>> =
            unknowns.iter().map(|unknown| places(self.spec.seed, &unknown.path, number)).collect();
        let sample = |at: usize| {
            let drawn = |reach: f64| -> Vec<(&Unknown, f64)> {
                let pairs = unknowns.iter().zip(&places);
                pairs.map(|(unknown, places)| (unknown, unknown.factor(reach * places[at]))).collect()
            };
            // Values that do not fit together, such as reads above the whole bandwidth, come closer to those of the file.
            let reaches = [1.0, 0.5, 0.25, 0.0].into_iter();
            let mut found = reaches.map(|reach| self.with_values(&drawn(reach), files));
            let impossible = |run: &Result<ResolvedRun, SpecError>| matches!(run, Err(SpecError::Machine(_)));
            found.find(|run| !impossible(run)).unwrap_or_else(|| Ok(self.clone()))
        };
        (0..number as usize).map(sample).collect()
    }
}

/// The value as one that may be off; `None` of one that is exact, 0 or no number.
fn of_workload(value: &WorkloadValue) -> Option<Unknown> {
    let WorkloadValue { written, origin, within } = value;
    let changes = written.times(0.5).is_some_and(|half| half != written.text);
    (*within > 0.0 && changes).then(|| Unknown {
        path: format!("workload.{}", written.path),
        origin: *origin,
        within: *within,
        whose: Whose::Workload(written.clone()),
    })
}

/// Places in a range, from -1 to 1: one in each of `number` equal parts, in an order of its own for each path.
fn places(seed: u64, path: &str, number: u32) -> Vec<f64> {
    let streams = Streams::new(seed).part(path.bytes().map(u64::from));
    let draw = |what: u64, at: u32| streams.even(Domain::Values, [what, at.into()]);
    let mut order: Vec<u32> = (0..number).collect();
    order.sort_by(|a, b| draw(0, *a).total_cmp(&draw(0, *b)).then(a.cmp(b)));
    let place = |(at, part): (u32, u32)| 2.0 * (f64::from(part) + draw(1, at)) / f64::from(number) - 1.0;
    (0..number).zip(order).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RunSpec;
    use numalab_files::parse_overrides;

    /// loadbal states three values: what a byte costs within 1 %, lines in flight within 70 %, and an overlap of 0, which no
    /// factor changes.
    #[test]
    fn samples_vary_values_of_the_workload() {
        let files = Files::default();
        let run = RunSpec::new("bcs16", "loadbal").resolve(&files).unwrap();
        let all = run.unknowns();
        let of_workload: Vec<&str> =
            all.iter().filter_map(|one| one.path.strip_prefix("workload.")).collect();
        assert_eq!(of_workload, ["instructions_per_byte", "lines"]);
        let lines = |run: &ResolvedRun| run.experiment.workload.value.phases[1].outstanding;
        let drawn: Vec<f64> = run.sampled(4, &files).unwrap().iter().filter_map(lines).collect();
        assert_eq!((lines(&run), drawn.len()), (Some(6.0), 4));
        assert!(drawn.iter().all(|lines| (6.0 / 1.7..=6.0 * 1.7).contains(lines)), "{drawn:?}");
        assert!(drawn.windows(2).all(|two| two[0] != two[1]), "{drawn:?}");
    }

    /// Two rounds may be 1.6 or 2.5, of which no program is made; words are no numbers. Other values vary all the same.
    #[test]
    fn values_without_which_a_program_makes_no_sense_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("w.yaml");
        let text = "name: w\nparameters: { cost: 4, kind: { choices: [a, b], default: a } }\nregions: {}\nrounds: 2\n\
            phases:\n- { name: p, measured: true, loop: { iterations: 8, instructions: cost } }\n\
            origins: { assumed: [cost, kind, rounds] }\n";
        std::fs::write(&path, text).unwrap();
        let files = Files::default();
        let run = RunSpec::new("bcs16", path.to_str().unwrap()).resolve(&files).unwrap();
        let all = run.unknowns();
        let paths: Vec<&str> = all.iter().filter_map(|one| one.path.strip_prefix("workload.")).collect();
        assert_eq!(paths, ["cost", "rounds"]);
        let drawn = run.sampled(3, &files).unwrap();
        let cost = |run: &ResolvedRun| run.experiment.workload.value.phases[0].instructions[0];
        assert!(drawn.iter().all(|run| run.experiment.workload.value.rounds == 2 && cost(run) != 4.0));
    }

    /// A value that the command line states is exact.
    #[test]
    fn a_set_value_of_the_workload_is_known() {
        let mut spec = RunSpec::new("bcs16", "loadbal");
        spec.overrides = parse_overrides(&["workload.lines=6".to_owned()]).unwrap();
        let run = spec.resolve(&Files::default()).unwrap();
        assert!(run.unknowns().iter().all(|one| one.path != "workload.lines"));
    }

    #[test]
    fn every_part_of_a_range_is_drawn_once() {
        for number in [1, 2, 7, 24] {
            let mut parts: Vec<u32> = places(3, "machine.memory.latency", number)
                .into_iter()
                .map(|place| ((place + 1.0) / 2.0 * f64::from(number)) as u32)
                .collect();
            parts.sort_unstable();
            assert_eq!(parts, (0..number).collect::<Vec<_>>());
        }
        assert_ne!(places(3, "machine.memory.latency", 9), places(3, "machine.memory.bandwidth", 9));
        assert_ne!(places(3, "machine.memory.latency", 9), places(4, "machine.memory.latency", 9));
    }

    /// Law: A sample has each unknown value within its tolerance, and all other values as in the file.
    #[test]
    fn samples_stay_within_tolerances() {
        let files = Files::default();
        let run = RunSpec::new("epyc-9654-2p-nps4", "loadbal").resolve(&files).unwrap();
        let unknowns = run.unknowns();
        let before = run.machine.loaded.value.file_values();
        for sample in run.sampled(5, &files).unwrap() {
            let after = sample.machine.loaded.value.file_values();
            for (before, after) in before.iter().zip(&after) {
                let path = format!("machine.{}", before.path);
                let within = unknowns.iter().find(|one| one.path == path).map_or(0.0, |one| one.within);
                let off = after.number.max(before.number) / after.number.min(before.number).max(1e-300);
                assert!(before.number == after.number || off <= (1.0 + within) * 1.001, "{path}: {off}");
            }
            assert_ne!(before, after);
        }
    }
}
