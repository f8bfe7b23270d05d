//! Topology records in a file of measurements: hwloc's XML, files of `/sys`, or both.

use super::{Topology, hwloc, sys};
use numalab_syntax::diagnostics::{Diagnostic, Diagnostics, Source};
use numalab_syntax::tree::TextRange;

/// Collected while the file is read.
#[derive(Default)]
pub(crate) struct Records {
    xml: Option<Source>,
    dump: sys::Dump,
}

impl Records {
    /// A file of the system, and where it stands.
    pub fn file(&mut self, path: &str, text: &str, span: TextRange) {
        self.dump.add(path, sys::File { text: text.to_owned(), span });
    }

    /// hwloc's XML, and what errors call it. The last of several counts.
    pub fn hwloc(&mut self, name: &str, text: &str) {
        self.xml = Some(Source { name: name.to_owned(), text: text.to_owned() });
    }

    /// Joins the records: hwloc first, which also knows which processors we may use, and what it leaves open
    /// from `/sys`. Errors in files go to `errors`, those in the XML, which is a text of its own, are returned.
    pub fn topology(self, errors: &mut Vec<Diagnostic>) -> Result<Option<Topology>, Diagnostics> {
        let from_sys = sys::read(&self.dump).unwrap_or_else(|found| {
            errors.extend(found);
            None
        });
        let Some(xml) = self.xml else { return Ok(from_sys) };
        let mut topology = hwloc::read(&xml.text).map_err(|found| Diagnostics::new(vec![xml], found))?;
        if let Some(other) = from_sys {
            // Where hwloc was shown a part of the machine, the two are about different processors.
            let _ = topology.fill_from(&other);
        }
        Ok(Some(topology))
    }
}
