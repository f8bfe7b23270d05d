//! Topology records in a file of measurements: hwloc's XML, files of `/sys`, or both.

use super::{Topology, hwloc, sys};
use numalab_syntax::diagnostics::{Diagnostic, Diagnostics, Source};
use numalab_syntax::tree::TextRange;

/// Records collected while the file is read.
#[derive(Default)]
pub(crate) struct Records {
    xml: Option<Source>,
    dump: sys::Dump,
}

impl Records {
    /// Adds a file of the system, with its position.
    pub fn file(&mut self, path: &str, text: &str, span: TextRange) {
        self.dump.add(path, sys::File { text: text.to_owned(), span });
    }

    /// Adds hwloc's XML; `name` appears in errors. The last one counts.
    pub fn hwloc(&mut self, name: &str, text: &str) {
        self.xml = Some(Source { name: name.to_owned(), text: text.to_owned() });
    }

    /// Joins the records: hwloc first, which also knows the usable processors, and the rest from `/sys`. Errors in
    /// files go to `errors`; those in the XML, a text of its own, are returned.
    pub fn topology(self, errors: &mut Vec<Diagnostic>) -> Result<Option<Topology>, Diagnostics> {
        let from_sys = sys::read(&self.dump).unwrap_or_else(|found| {
            errors.extend(found);
            None
        });
        let Some(xml) = self.xml else { return Ok(from_sys) };
        let mut topology = hwloc::read(&xml.text).map_err(|found| Diagnostics::new(vec![xml], found))?;
        if let Some(other) = from_sys {
            // If hwloc saw only a part of the machine, the two list different processors, and only hwloc's facts
            // count.
            let _ = topology.fill_from(&other);
        }
        Ok(Some(topology))
    }
}
