//! Resolves the accesses of iterations.

use super::Resolver;
use numalab_files::quantity::Expression;
use numalab_files::workload_file::{ModeFile, ModeWord, SliceFile, TouchFile};
use numalab_syntax::nearest::hint;
use numalab_syntax::tree::shorten;
use numalab_workload::{Access, Demand, Mode, Region, RegionId, Slice};

impl Resolver<'_, '_> {
    /// Access that every iteration of a loop makes to one region; `None` if there is nothing to access, or after
    /// reporting an error.
    pub(super) fn access(
        &mut self,
        path: &str,
        touch: &TouchFile,
        regions: &[Region],
        iterations: Option<u64>,
    ) -> Option<Access> {
        let region = self.region(&format!("{path}.region"), &touch.region, regions)?;
        let mode = self.mode(&format!("{path}.mode"), &touch.mode);
        if !self.holds(&format!("{path}.when"), touch.when.as_ref()) {
            self.unused_names(path, touch);
            return None;
        }
        let demand = self.demand(path, touch);
        let size = regions[region].size.0;
        let slice = match &touch.slice {
            SliceFile::Whole(_) => Slice::Whole(size),
            SliceFile::Piece(piece) => self.piece(&format!("{path}.slice"), piece, iterations, size)?,
        };
        let access = Access { demand, ..Access::new(RegionId(region), slice, mode?) };
        (size > 0).then_some(access)
    }

    /// Demand of an access; values that the file does not state are absent.
    pub(super) fn demand(&mut self, path: &str, touch: &TouchFile) -> Demand {
        let mut optional = |key: &str, text: &Option<Expression>, least, most| {
            text.as_ref().and_then(|text| self.between(&format!("{path}.{key}"), text, least, most))
        };
        Demand {
            outstanding: optional("outstanding", &touch.outstanding, 1e-3, 1e6),
            instructions_per_byte: optional("instructions_per_byte", &touch.instructions_per_byte, 0.0, 1e9),
        }
    }

    pub(super) fn region(&mut self, path: &str, name: &str, regions: &[Region]) -> Option<usize> {
        let found = regions.iter().position(|region| region.name == name);
        if found.is_none() {
            let label = hint(name, regions.iter().map(|region| region.name.as_str()));
            self.report.at(path, format!("unknown region `{}`", shorten(name)), label);
        }
        found
    }

    pub(super) fn mode(&mut self, path: &str, mode: &ModeFile) -> Option<Mode> {
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

    /// Checks the names in an access of a loop that the `when` of its phase leaves out.
    pub(super) fn access_names(&mut self, path: &str, touch: &TouchFile, regions: &[Region]) {
        self.region(&format!("{path}.region"), &touch.region, regions);
        if let ModeFile::Pages(pages) = &touch.mode {
            self.program(&format!("{path}.mode.migrate"), &pages.migrate, false);
        }
        if let Some(text) = &touch.when {
            self.program(&format!("{path}.when"), text, false);
        }
        self.unused_names(path, touch);
    }

    /// Checks the names in the slice and the demand of an access that `when` leaves out.
    fn unused_names(&mut self, path: &str, touch: &TouchFile) {
        let demand =
            [("outstanding", &touch.outstanding), ("instructions_per_byte", &touch.instructions_per_byte)];
        for (key, text) in demand.into_iter().filter_map(|(key, text)| Some((key, text.as_ref()?))) {
            self.program(&format!("{path}.{key}"), text, false);
        }
        let SliceFile::Piece(piece) = &touch.slice else { return };
        for (key, text) in piece.expressions() {
            self.program(&format!("{path}.slice.{key}"), text, true);
        }
    }
}
