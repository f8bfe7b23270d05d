//! From what a workload file says to the workload: parameters get values, expressions become slices
//! and costs, names become indices, and everything that does not fit together is reported.

use crate::expression::{self, Program};
use crate::nearest::hint;
use crate::quantity::Expression;
use crate::report::Report;
use crate::slices;
use crate::tree::{shorten, show};
use crate::workload_file::{LoopFile, PieceFile, SliceFile, TouchFile, WorkloadFile};
use numalab_program::{Access, Binding, Page, Phase, Pieces, Placement, Region, RegionId, Slice, Workload};
use numalab_units::Bytes;
use std::sync::Arc;

/// Iterations in one workload, repeats included.
const MOST_ITERATIONS: u64 = 100_000_000;
/// Bytes of all regions, and bytes touched by all phases.
const MOST_BYTES: u64 = 1 << 60;

/// Builds the workload.
pub(crate) fn resolve(file: &WorkloadFile, report: &mut Report<'_>) -> Workload {
    let mut resolver = Resolver { report, names: Vec::new(), values: Vec::new(), bounds: Vec::new() };
    resolver.parameters(file);
    let regions = resolver.regions(file);
    let phases = resolver.phases(file, &regions);
    resolver.totals(&phases);
    let written = |name: &String| Some((name.clone(), file.parameters.get(name)?.0.clone()));
    Workload {
        name: file.name.clone(),
        description: file.description.clone(),
        parameters: report.root.keys_of("parameters").iter().filter_map(written).collect(),
        regions,
        phases,
        rounds: 1,
        binding: Binding::default(),
        compare: file.compare.iter().filter_map(|schedule| schedule.0).collect(),
    }
}

/// A partition that may serve another access: its weight, iterations and region size.
type Shared = (String, u64, u64, Arc<[u64]>);

struct Resolver<'r, 'n> {
    report: &'r mut Report<'n>,
    names: Vec<String>,
    values: Vec<f64>,
    bounds: Vec<Shared>,
}

impl Resolver<'_, '_> {
    fn parameters(&mut self, file: &WorkloadFile) {
        for name in self.report.root.keys_of("parameters") {
            let path = format!("parameters.{name}");
            if !expression::is_name(&name) {
                let label = "expected letters, digits and _, not beginning with a digit";
                self.report.at(&path, format!("`{}` cannot name a parameter", shorten(&name)), label);
            } else if expression::reserved().any(|reserved| reserved == name) {
                self.report.at(
                    &path,
                    format!("`{name}` has a meaning in expressions"),
                    "expected another name",
                );
            }
            let Some(text) = file.parameters.get(&name) else { continue };
            let value = self.constant(&path, text).unwrap_or_else(|| {
                self.report.repair(&path);
                1.0
            });
            self.names.push(name);
            self.values.push(value);
        }
    }

    /// Parses and binds an expression; errors are reported.
    fn program(&mut self, path: &str, text: &Expression, index: bool) -> Option<Program> {
        let bound =
            expression::parse(&text.0).and_then(|parsed| parsed.bind(&self.names, &self.values, index));
        bound.map_err(|error| self.report.within(path, &text.0, error)).ok()
    }

    /// A finite number that does not depend on the index.
    fn constant(&mut self, path: &str, text: &Expression) -> Option<f64> {
        let value = self.program(path, text, false)?.at(0);
        if !value.is_finite() {
            self.report.at(path, format!("{path} is {}", show(value)), "expected a finite number");
            return None;
        }
        Some(value)
    }

    /// A constant between two limits.
    fn between(&mut self, path: &str, text: &Expression, least: f64, most: f64) -> Option<f64> {
        let value = self.constant(path, text)?;
        if (least..=most).contains(&value) {
            return Some(value);
        }
        // What a wrong parameter leads to has been said already.
        if !self.report.is_repaired("parameters") {
            let wanted = if value < least {
                format!("at least {}", show(least))
            } else {
                format!("at most {}", show(most))
            };
            self.report.at(path, format!("{path} is {}", show(value)), format!("expected {wanted}"));
        }
        None
    }

    fn regions(&mut self, file: &WorkloadFile) -> Vec<Region> {
        let mut regions = Vec::new();
        let mut total: u64 = 0;
        for name in self.report.root.keys_of("regions") {
            let Some(region) = file.regions.get(&name) else { continue };
            let path = format!("regions.{name}.size");
            let size = self.between(&path, &region.size, 1.0, MOST_BYTES as f64).map(|size| size as u64);
            if size.is_none() {
                self.report.repair(&path);
            }
            total = total.saturating_add(size.unwrap_or(1));
            regions.push(Region {
                name,
                size: Bytes(size.unwrap_or(1)),
                placement: Placement::FirstTouch,
                page: Page::Base,
            });
        }
        if total > MOST_BYTES {
            let message = format!("the regions have {} together", Bytes(total));
            self.report.at("regions", message, "expected at most 1 EiB");
        }
        regions
    }

    fn phases(&mut self, file: &WorkloadFile, regions: &[Region]) -> Vec<Phase> {
        let mut phases = Vec::new();
        let mut measured = false;
        for (index, phase) in file.phases.iter().enumerate() {
            let path = format!("phases[{index}]");
            if measured && !phase.measured {
                let label = "expected the phases that are not measured first";
                self.report.at(
                    &format!("{path}.name"),
                    "this phase follows a measured one and is not measured",
                    label,
                );
            }
            measured |= phase.measured;
            let body = &phase.body;
            let path = format!("{path}.loop");
            let iterations = self.iterations(&path, body, phase.repeat);
            let mut accesses = Vec::new();
            for (index, touch) in body.touches.iter().enumerate() {
                let path = format!("{path}.touches[{index}]");
                accesses.extend(self.access(&path, touch, regions, iterations));
            }
            let optional = |this: &mut Self, key: &str, text: &Option<Expression>, least, most| {
                text.as_ref().and_then(|text| this.between(&format!("{path}.{key}"), text, least, most))
            };
            phases.push(Phase {
                name: phase.name.clone(),
                repeat: phase.repeat,
                measured: phase.measured,
                schedule: body.schedule.0,
                iterations: iterations.unwrap_or(1),
                accesses,
                instructions_per_byte: optional(
                    self,
                    "instructions_per_byte",
                    &body.instructions_per_byte,
                    0.0,
                    1e9,
                )
                .unwrap_or(0.0),
                instructions: self.instructions(&format!("{path}.instructions"), body, iterations),
                overlap: optional(self, "overlap", &body.overlap, 0.0, 1.0).unwrap_or(0.0),
                outstanding: optional(self, "outstanding", &body.outstanding, 1e-3, 1e6),
                allocation: None,
            });
        }
        if !measured {
            self.report.at("phases", "no phase is measured", "expected `measured: true` in at least one");
        }
        phases
    }

    fn iterations(&mut self, path: &str, body: &LoopFile, repeat: u32) -> Option<u64> {
        let path = format!("{path}.iterations");
        let value = self.constant(&path, &body.iterations)?;
        let most = MOST_ITERATIONS as f64 / f64::from(repeat);
        let wanted = match value {
            _ if value < 1.0 => "expected at least 1".to_owned(),
            _ if value > most && repeat > 1 => {
                format!(
                    "expected at most {MOST_ITERATIONS} in all, which is {most:.0} in each of {repeat} repeats"
                )
            }
            _ if value > most => format!("expected at most {MOST_ITERATIONS} iterations"),
            _ if value.fract() != 0.0 => "expected a whole number; floor(…) makes one".to_owned(),
            _ => return Some(value as u64),
        };
        if !self.report.is_repaired("parameters") {
            self.report.at(&path, format!("the loop has {} iterations", show(value)), wanted);
        }
        None
    }

    fn instructions(&mut self, path: &str, body: &LoopFile, iterations: Option<u64>) -> Arc<[f64]> {
        let Some(text) = &body.instructions else { return Arc::new([]) };
        let Some(program) = self.program(path, text, true) else { return Arc::new([]) };
        let Some(iterations) = iterations.filter(|_| program.constant() != Some(0.0)) else {
            return Arc::new([]);
        };
        let mut column = Vec::with_capacity(iterations as usize);
        program.each(0, iterations, |_, values| column.extend_from_slice(values));
        if let Some(i) = column.iter().position(|value| !(0.0..=1e18).contains(value)) {
            let message = format!("iteration {i} has {} instructions", show(column[i]));
            self.report.at(path, message, "expected a number between 0 and 1e18");
        }
        column.into()
    }

    fn access(
        &mut self,
        path: &str,
        touch: &TouchFile,
        regions: &[Region],
        iterations: Option<u64>,
    ) -> Option<Access> {
        let Some(region) = regions.iter().position(|region| region.name == touch.region) else {
            let label = hint(&touch.region, regions.iter().map(|region| region.name.as_str()));
            self.report.at(
                &format!("{path}.region"),
                format!("unknown region `{}`", shorten(&touch.region)),
                label,
            );
            return None;
        };
        let size = regions[region].size.0;
        let slice = match &touch.slice {
            SliceFile::Whole(_) => Slice::Whole(size),
            SliceFile::Piece(piece) => self.piece(&format!("{path}.slice"), piece, iterations, size)?,
        };
        Some(Access { region: RegionId(region), slice, mode: touch.mode.into() })
    }

    fn piece(&mut self, path: &str, piece: &PieceFile, iterations: Option<u64>, size: u64) -> Option<Slice> {
        match piece {
            PieceFile { partition: Some(weight), start: None, length: None } => {
                let path = format!("{path}.partition");
                let program = self.program(&path, weight, true)?;
                let iterations = iterations?;
                let known =
                    self.bounds.iter().find(|(w, n, s, _)| *w == weight.0 && (*n, *s) == (iterations, size));
                if let Some((.., bounds)) = known {
                    return Some(Slice::Partition(Arc::clone(bounds)));
                }
                let bounds = slices::partition(&program, iterations, size);
                let bounds = bounds.map_err(|message| self.report.at(&path, message, "")).ok()?;
                self.bounds.push((weight.0.clone(), iterations, size, Arc::clone(&bounds)));
                Some(Slice::Partition(bounds))
            }
            PieceFile { partition: None, start: Some(start), length: Some(length) } => {
                let start = self.program(&format!("{path}.start"), start, true);
                let length = self.program(&format!("{path}.length"), length, true);
                let slices = slices::explicit(&start?, &length?, iterations?, size);
                slices
                    .map(|slices| Slice::Explicit(Pieces::new(slices)))
                    .map_err(|message| self.outside(path, message))
                    .ok()
            }
            _ => {
                let label = "expected `whole`, { partition: … } or { start: …, length: … }";
                self.report.at(path, "this says no slice", label);
                None
            }
        }
    }

    fn outside(&mut self, path: &str, message: String) {
        if !self.report.is_repaired("parameters") && !self.report.is_repaired("regions") {
            self.report.at(path, message, "expected slices inside the region");
        }
    }

    /// Bytes touched in all, which the simulator adds up.
    fn totals(&mut self, phases: &[Phase]) {
        let mut total: u128 = 0;
        for (index, phase) in phases.iter().enumerate() {
            let bytes = |access: &Access| -> u128 {
                match &access.slice {
                    Slice::Partition(bounds) => bounds.last().copied().unwrap_or(0).into(),
                    Slice::Explicit(pieces) => {
                        pieces.slices().iter().map(|(_, length)| u128::from(*length)).sum()
                    }
                    Slice::Sparse(sparse) => sparse.total().into(),
                    Slice::Whole(size) => u128::from(*size) * u128::from(phase.iterations),
                }
            };
            total += phase.accesses.iter().map(bytes).sum::<u128>() * u128::from(phase.repeat);
            if total > u128::from(MOST_BYTES) {
                let message = format!("the phases up to here touch {total} bytes");
                let label = format!("expected at most {MOST_BYTES} (1 EiB) in all");
                self.report.at(&format!("phases[{index}].loop.touches"), message, label);
                return;
            }
        }
    }
}
