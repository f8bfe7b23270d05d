//! Resolves loops, and bodies of constructs, which are loops over threads.

use super::Resolver;
use numalab_base::Bytes;
use numalab_files::quantity::Expression;
use numalab_files::workload_file::LoopFile;
use numalab_syntax::expression::INDEX;
use numalab_syntax::tree::show;
use numalab_workload::{Allocation, Phase, Region, RegionId, Tasking};
use std::sync::Arc;

/// Largest number of iterations of one loop.
const MOST_ITERATIONS: u64 = 100_000_000;
/// Largest number of iterations that one phase executes, including repeats and rounds.
const MOST_IN_ALL: u64 = 1_000_000_000;

impl Resolver<'_, '_> {
    /// Phase of one loop. `runs`: number of executions of the loop, including repeats and rounds, which limits its
    /// iterations.
    pub(super) fn one_loop(
        &mut self,
        path: &str,
        name: &str,
        body: &LoopFile,
        regions: &[Region],
        runs: u64,
    ) -> Phase {
        self.define(&format!("{path}.let"), &body.names, &[INDEX]);
        let iterations = self.iterations(&format!("{path}.iterations"), &body.iterations, runs);
        if self.counts {
            self.scope.locals.clear();
            let tasks = body.tasks.as_ref();
            let grain = tasks.map_or(1, |file| self.grain(&format!("{path}.tasks"), file, iterations));
            let tasking = Tasking { grain, ..Tasking::default() };
            return Phase { schedule: body.schedule.0, tasking, ..Phase::new(name, iterations.unwrap_or(1)) };
        }
        let mut accesses = Vec::new();
        for (index, touch) in body.touches.iter().enumerate() {
            let path = format!("{path}.touches[{index}]");
            accesses.extend(self.access(&path, touch, regions, iterations));
        }
        if iterations == Some(0) {
            accesses.clear();
        }
        let mut optional = |key: &str, text: &Option<Expression>, least, most| {
            text.as_ref().and_then(|text| self.between(&format!("{path}.{key}"), text, least, most))
        };
        let per_byte = optional("instructions_per_byte", &body.instructions_per_byte, 0.0, 1e9);
        let overlap = optional("overlap", &body.overlap, 0.0, 1.0);
        let outstanding = optional("outstanding", &body.outstanding, 1e-3, 1e6);
        let flops = optional("flops", &body.flops, 0.0, 1e24);
        let vsp = body.vsp.as_ref().and_then(|text| self.whole(&format!("{path}.vsp"), text, 1.0, 1e9));
        let phase = Phase {
            schedule: body.schedule.0,
            costs: self.costs(&format!("{path}.split_by"), body, iterations),
            accesses,
            instructions_per_byte: per_byte.unwrap_or(0.0),
            instructions: self.instructions(&format!("{path}.instructions"), body, iterations),
            overlap: overlap.unwrap_or(0.0),
            outstanding,
            section: self.section(&format!("{path}.critical"), body.critical.as_ref(), iterations),
            flops: flops.unwrap_or(0.0),
            vsp,
            presend: body.presend.unwrap_or(true),
            reduction: self.reduction(path, body, regions),
            allocation: self.allocation(&format!("{path}.allocate"), body),
            tasking: self.tasking(path, body, regions, iterations),
            ..Phase::new(name, iterations.unwrap_or(1))
        };
        self.scope.locals.clear();
        phase
    }

    fn iterations(&mut self, path: &str, text: &Expression, runs: u64) -> Option<u64> {
        let value = self.constant(path, text)?;
        let most = (MOST_IN_ALL as f64 / runs as f64).min(MOST_ITERATIONS as f64);
        let wanted = match value {
            _ if value < 0.0 => "expected at least 0".to_owned(),
            _ if value > MOST_ITERATIONS as f64 => format!("expected at most {MOST_ITERATIONS} iterations"),
            _ if value > most => {
                format!("expected at most {MOST_IN_ALL} in all, which is {most:.0} in each of {runs} repeats")
            }
            _ if value.fract() != 0.0 => "expected a whole number; floor(…) makes one".to_owned(),
            _ => return Some(value as u64),
        };
        self.complain(path, format!("the loop has {} iterations", show(value)), wanted);
        None
    }

    /// Cumulative costs of the iterations, scaled to a sum of 2^52, so that an `f64` holds each sum exactly.
    fn costs(&mut self, path: &str, body: &LoopFile, iterations: Option<u64>) -> Option<Arc<[u64]>> {
        const WHOLE: u64 = 1 << 52;
        let program = self.program(path, body.split_by.as_ref()?, true)?;
        // A loop without iterations has no costs to split by.
        let iterations = iterations.filter(|iterations| *iterations > 0)?;
        match self.partitions.get(&program, iterations, WHOLE) {
            Ok(sums) => Some(sums),
            Err(problem) => {
                self.complain(path, problem, "expected what an iteration costs, such as i + 1");
                None
            }
        }
    }

    fn instructions(&mut self, path: &str, body: &LoopFile, iterations: Option<u64>) -> Arc<[f64]> {
        let Some(text) = &body.instructions else { return Arc::new([]) };
        let Some(program) = self.program(path, text, true) else { return Arc::new([]) };
        let Some(iterations) = iterations.filter(|_| program.constant() != Some(0.0)) else {
            return Arc::new([]);
        };
        // Written in place: a copy of the largest column would take another 800 MB.
        let mut column: Arc<[f64]> = std::iter::repeat_n(0.0, iterations as usize).collect();
        let to = Arc::get_mut(&mut column).unwrap_or_default();
        program.each(0, iterations, |first, values| {
            to[first as usize..][..values.len()].copy_from_slice(values)
        });
        if let Some(i) = column.iter().position(|value| !(0.0..=1e18).contains(value)) {
            let message = format!("iteration {i} has {} instructions", show(column[i]));
            self.complain(path, message, "expected a number between 0 and 1e18");
        }
        column
    }

    fn allocation(&mut self, path: &str, body: &LoopFile) -> Option<Allocation> {
        let file = body.allocate.as_ref()?;
        let bytes = self.between(&format!("{path}.size"), &file.size, 1.0, super::MOST_BYTES as f64);
        let mapped = self.between(&format!("{path}.mapped"), &file.mapped, 0.0, 1.0);
        let released = file
            .released
            .as_ref()
            .map_or(Some(0.0), |released| self.between(&format!("{path}.released"), released, 0.0, 1.0));
        Some(Allocation { bytes: Bytes(bytes? as u64), mapped: mapped?, released: released? })
    }

    fn reduction(&mut self, path: &str, body: &LoopFile, regions: &[Region]) -> Option<RegionId> {
        self.region(&format!("{path}.reduction"), body.reduction.as_ref()?, regions).map(RegionId)
    }

    /// Checks the names in a loop that the `when` of its phase leaves out.
    pub(super) fn loop_names(&mut self, path: &str, body: &LoopFile, regions: &[Region]) {
        let allocate = body.allocate.as_ref();
        self.define(&format!("{path}.let"), &body.names, &[INDEX]);
        let texts = [
            ("iterations", Some(&body.iterations)),
            ("instructions_per_byte", body.instructions_per_byte.as_ref()),
            ("overlap", body.overlap.as_ref()),
            ("outstanding", body.outstanding.as_ref()),
            ("flops", body.flops.as_ref()),
            ("vsp", body.vsp.as_ref()),
            ("allocate.size", allocate.map(|allocate| &allocate.size)),
            ("allocate.mapped", allocate.map(|allocate| &allocate.mapped)),
            ("allocate.released", allocate.and_then(|allocate| allocate.released.as_ref())),
        ];
        for (key, text) in texts.into_iter().filter_map(|(key, text)| Some((key, text?))) {
            self.program(&format!("{path}.{key}"), text, false);
        }
        for (key, text) in [("instructions", &body.instructions), ("split_by", &body.split_by)] {
            text.as_ref().and_then(|text| self.program(&format!("{path}.{key}"), text, true));
        }
        for (index, touch) in body.touches.iter().enumerate() {
            self.access_names(&format!("{path}.touches[{index}]"), touch, regions);
        }
        self.reduction(path, body, regions);
        self.section_names(&format!("{path}.critical"), body.critical.as_ref());
        self.tasking_names(path, body, regions);
        self.scope.locals.clear();
    }
}
