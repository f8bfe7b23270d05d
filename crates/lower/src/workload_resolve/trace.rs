//! Slices from a recorded program.

use super::Resolver;
use numalab_files::workload_file::PieceFile;
use numalab_replay::{Footprints, Recording, recording_with_hash, watched};
use numalab_syntax::files_read;
use numalab_syntax::nearest::hint;
use numalab_syntax::tree::shorten;
use numalab_workload::Slice;
use std::rc::Rc;

/// Recorded program, with the hash of the recording's file.
pub(super) type Known = (Rc<Recording>, String);

impl Resolver<'_, '_> {
    /// Slices of an array from the pages that each iteration of a recorded loop touched.
    pub(super) fn recorded_slice(
        &mut self,
        path: &str,
        piece: &PieceFile,
        iterations: Option<u64>,
        size: u64,
    ) -> Option<Slice> {
        let (Some(trace), Some(name), Some(array)) = (&piece.trace, &piece.recorded_loop, &piece.array)
        else {
            let label = "expected { trace: FILE.nlt, loop: …, array: … }";
            self.report.at(path, "this is not a recorded slice", label);
            return None;
        };
        let recording = self.recording(&format!("{path}.trace"), trace)?;
        let footprints = Footprints::of(&recording);
        let regions = footprints.regions();
        let Some(region) = regions.iter().find(|region| region.name == *array) else {
            let message = format!("no array that was watched is called {}", shorten(array));
            let label = hint(array, regions.iter().map(|region| region.name.as_str()));
            self.report.at(&format!("{path}.array"), message, label);
            return None;
        };
        if region.size.0 > size {
            let message =
                format!("{} has {} bytes, and the region has {size}", shorten(array), region.size.0);
            self.complain(&format!("{path}.array"), message, "expected a region that is as large");
            return None;
        }
        let loops = watched(&recording);
        let same: Vec<_> = loops.iter().filter(|(known, _)| known == name).collect();
        if same.is_empty() {
            let message = format!("no loop that was watched is called {}", shorten(name));
            let label = hint(name, loops.iter().map(|(name, _)| name.as_str()));
            self.report.at(&format!("{path}.loop"), message, label);
            return None;
        }
        let iterations = iterations?;
        let Some((_, class)) = same.iter().find(|(_, class)| class.iterations == iterations) else {
            let counts: Vec<String> = same.iter().map(|(_, class)| class.iterations.to_string()).collect();
            let message = format!(
                "the recorded loop has {} iterations, and this one {iterations}",
                counts.join(" or ")
            );
            self.complain(&format!("{path}.loop"), message, "expected as many");
            return None;
        };
        let slice = footprints.of_array(class, array, iterations);
        if slice.is_none() {
            let message = format!("{} does not touch {}", shorten(name), shorten(array));
            self.report.at(&format!("{path}.array"), message, "expected an array of this loop");
        }
        slice
    }

    fn recording(&mut self, path: &str, name: &str) -> Option<Rc<Recording>> {
        if let Some((recording, _)) = self.recordings.get(name) {
            return Some(Rc::clone(recording));
        }
        let place = self.folder.join(name);
        files_read::note(&place);
        match recording_with_hash(&place.to_string_lossy()) {
            Ok((recording, hash)) => {
                let recording = Rc::new(recording);
                let known = (Rc::clone(&recording), hash.to_hex().to_string());
                self.recordings.insert(name.to_owned(), known);
                Some(recording)
            }
            Err(error) => {
                let label = "expected the path of a recorded program, relative to this file";
                self.report.at(path, error.brief(), label);
                None
            }
        }
    }
}
