//! Phases and their loops.

use super::Resolver;
use crate::nearest::hint;
use crate::quantity::Expression;
use crate::tree::{shorten, show};
use crate::workload_file::{LoopFile, ModeFile, ModeWord, PhaseFile, SliceFile, TouchFile, WorkloadFile};
use numalab_program::{Access, Allocation, Mode, Phase, Region, RegionId, Slice};
use numalab_units::Bytes;
use std::sync::Arc;

/// Iterations of one loop.
const MOST_ITERATIONS: u64 = 100_000_000;
/// Iterations of one phase, repeats and rounds included.
const MOST_IN_ALL: u64 = 1_000_000_000;

impl Resolver<'_, '_> {
    /// The phases; `None` for those that are left out.
    pub(super) fn phases(
        &mut self,
        file: &WorkloadFile,
        regions: &[Region],
        rounds: u32,
    ) -> Vec<Option<Phase>> {
        let mut phases = Vec::new();
        let (mut measured, mut left) = (false, false);
        for (index, phase) in file.phases.iter().enumerate() {
            let path = format!("phases[{index}]");
            if measured && !phase.measured {
                let message = "this phase follows a measured one and is not measured";
                let label = "expected the phases that are not measured first";
                self.report.at(&format!("{path}.name"), message, label);
            }
            measured |= phase.measured;
            if !self.holds(&format!("{path}.when"), phase.when.as_ref()) {
                self.left_out(&format!("{path}.loop"), &phase.body, regions);
                phases.push(None);
                continue;
            }
            left |= phase.measured;
            let repeat = self.whole(&format!("{path}.repeat"), &phase.repeat, 1.0, 1e9).unwrap_or(1) as u32;
            let runs = u64::from(repeat) * if phase.measured { u64::from(rounds) } else { 1 };
            let resolved = self.phase(&format!("{path}.loop"), phase, regions, runs);
            phases.push(Some(Phase { repeat, ..resolved }));
        }
        if !measured {
            self.report.at("phases", "no phase is measured", "expected `measured: true` in at least one");
        } else if !left {
            self.complain("phases", "every measured phase is left out", "expected one whose `when` is not 0");
        }
        phases
    }

    fn phase(&mut self, path: &str, phase: &PhaseFile, regions: &[Region], runs: u64) -> Phase {
        let body = &phase.body;
        let iterations = self.iterations(&format!("{path}.iterations"), &body.iterations, runs);
        let mut accesses = Vec::new();
        for (index, touch) in body.touches.iter().enumerate() {
            let path = format!("{path}.touches[{index}]");
            accesses.extend(self.access(&path, touch, regions, iterations));
        }
        let mut optional = |key: &str, text: &Option<Expression>, least, most| {
            text.as_ref().and_then(|text| self.between(&format!("{path}.{key}"), text, least, most))
        };
        let per_byte = optional("instructions_per_byte", &body.instructions_per_byte, 0.0, 1e9);
        let overlap = optional("overlap", &body.overlap, 0.0, 1.0);
        let outstanding = optional("outstanding", &body.outstanding, 1e-3, 1e6);
        let flops = optional("flops", &body.flops, 0.0, 1e24);
        Phase {
            construct: numalab_program::Construct::ParallelFor,
            times: 1,
            teams: 1,
            tasking: numalab_program::Tasking { grain: 1, ..Default::default() },
            name: phase.name.clone(),
            repeat: 1,
            measured: phase.measured,
            schedule: body.schedule.0,
            iterations: iterations.unwrap_or(1),
            accesses,
            instructions_per_byte: per_byte.unwrap_or(0.0),
            instructions: self.instructions(&format!("{path}.instructions"), body, iterations),
            overlap: overlap.unwrap_or(0.0),
            outstanding,
            flops: flops.unwrap_or(0.0),
            allocation: self.allocation(&format!("{path}.allocate"), body),
        }
    }

    fn iterations(&mut self, path: &str, text: &Expression, runs: u64) -> Option<u64> {
        let value = self.constant(path, text)?;
        let most = (MOST_IN_ALL as f64 / runs as f64).min(MOST_ITERATIONS as f64);
        let wanted = match value {
            _ if value < 1.0 => "expected at least 1".to_owned(),
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
            self.complain(path, message, "expected a number between 0 and 1e18");
        }
        column.into()
    }

    fn allocation(&mut self, path: &str, body: &LoopFile) -> Option<Allocation> {
        let file = body.allocate.as_ref()?;
        let bytes = self.between(&format!("{path}.size"), &file.size, 1.0, super::MOST_BYTES as f64);
        let mapped = self.between(&format!("{path}.mapped"), &file.mapped, 0.0, 1.0);
        Some(Allocation { bytes: Bytes(bytes? as u64), mapped: mapped? })
    }

    fn access(
        &mut self,
        path: &str,
        touch: &TouchFile,
        regions: &[Region],
        iterations: Option<u64>,
    ) -> Option<Access> {
        let region = self.region(path, touch, regions)?;
        let mode = self.mode(&format!("{path}.mode"), &touch.mode);
        if !self.holds(&format!("{path}.when"), touch.when.as_ref()) {
            self.names(&format!("{path}.slice"), touch);
            return None;
        }
        let size = regions[region].size.0;
        let slice = match &touch.slice {
            SliceFile::Whole(_) => Slice::Whole(size),
            SliceFile::Piece(piece) => self.piece(&format!("{path}.slice"), piece, iterations, size)?,
        };
        Some(Access { region: RegionId(region), slice, mode: mode? })
    }

    fn region(&mut self, path: &str, touch: &TouchFile, regions: &[Region]) -> Option<usize> {
        let found = regions.iter().position(|region| region.name == touch.region);
        if found.is_none() {
            let label = hint(&touch.region, regions.iter().map(|region| region.name.as_str()));
            let message = format!("unknown region `{}`", shorten(&touch.region));
            self.report.at(&format!("{path}.region"), message, label);
        }
        found
    }

    fn mode(&mut self, path: &str, mode: &ModeFile) -> Option<Mode> {
        Some(match mode {
            ModeFile::Word(ModeWord::Read) => Mode::Read,
            ModeFile::Word(ModeWord::Write) => Mode::Write,
            ModeFile::Word(ModeWord::StreamingWrite) => Mode::StreamingWrite,
            ModeFile::Word(ModeWord::Update) => Mode::Update,
            ModeFile::Word(ModeWord::Fetch) => Mode::Fetch,
            ModeFile::Word(ModeWord::NextTouch) => Mode::NextTouch,
            ModeFile::Pages(pages) => Mode::Migrate(self.node(&format!("{path}.migrate"), &pages.migrate)?),
        })
    }

    /// Looks the names of a loop up that does not run.
    fn left_out(&mut self, path: &str, body: &LoopFile, regions: &[Region]) {
        let allocate = body.allocate.as_ref();
        let texts = [
            ("iterations", Some(&body.iterations)),
            ("instructions_per_byte", body.instructions_per_byte.as_ref()),
            ("overlap", body.overlap.as_ref()),
            ("outstanding", body.outstanding.as_ref()),
            ("flops", body.flops.as_ref()),
            ("allocate.size", allocate.map(|allocate| &allocate.size)),
            ("allocate.mapped", allocate.map(|allocate| &allocate.mapped)),
        ];
        for (key, text) in texts.into_iter().filter_map(|(key, text)| Some((key, text?))) {
            self.program(&format!("{path}.{key}"), text, false);
        }
        if let Some(text) = &body.instructions {
            self.program(&format!("{path}.instructions"), text, true);
        }
        for (index, touch) in body.touches.iter().enumerate() {
            let path = format!("{path}.touches[{index}]");
            self.region(&path, touch, regions);
            if let ModeFile::Pages(pages) = &touch.mode {
                self.program(&format!("{path}.mode.migrate"), &pages.migrate, false);
            }
            if let Some(text) = &touch.when {
                self.program(&format!("{path}.when"), text, false);
            }
            self.names(&format!("{path}.slice"), touch);
        }
    }

    /// Looks the names of a slice up that is not used.
    fn names(&mut self, path: &str, touch: &TouchFile) {
        let SliceFile::Piece(piece) = &touch.slice else { return };
        for (key, text) in piece.expressions() {
            self.program(&format!("{path}.{key}"), text, true);
        }
    }
}
