//! OpenMP runtime that a workload names.

use super::Resolver;
use numalab_files::lookup::{self, Kind};
use numalab_files::workload_file::WorkloadFile;
use numalab_syntax::nearest::hint;
use numalab_syntax::tree::shorten;
use std::path::Path;

impl Resolver<'_, '_> {
    /// Name of the workload's runtime. Reports an error if it does not exist; its contents are checked when it is read.
    pub(super) fn runtime(&mut self, file: &WorkloadFile, folder: &Path) -> Option<String> {
        let name = &lookup::beside(Kind::Runtime, folder, file.runtime.as_ref()?);
        let known = lookup::names(Kind::Runtime);
        if !known.iter().any(|known| known == Kind::Runtime.stem(name)) && !Path::new(name).exists() {
            let hint = hint(name, known.iter().map(String::as_str));
            self.report.at("runtime", format!("there is no runtime `{}`", shorten(name)), hint);
        }
        Some(name.clone())
    }
}
