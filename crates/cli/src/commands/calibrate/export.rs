//! `numalab calibrate export`: writes the kernels to a folder.

use crate::failure::Failure;
use crate::flags::CalibrateExport;
use crate::message::shown;
use crate::output::{Destination, cannot_write};
use numalab_calibrate::{ExportError, export};
use std::path::Path;

/// Writes the kernels and prints the next commands.
pub fn run(flags: &CalibrateExport) -> Result<(), Failure> {
    export(&flags.folder, flags.force).map_err(|problem| match problem {
        ExportError::NotEmpty(_) => {
            Failure::request(problem.to_string(), "name another folder, or write into this one with --force")
        }
        ExportError::CannotWrite(folder, error) => cannot_write(&folder, &error),
    })?;
    let folder = shown(&flags.folder);
    let name = flags.folder.file_name().map_or("kernels".into(), |name| shown(Path::new(name)));
    let next = format!(
        "The kernels are in {folder}. To measure HOST and fit a machine file to it:\n  \
         scp -r {folder} HOST:{name}\n  \
         ssh HOST 'cd {name} && make && ./run.sh -o host.jsonl' && scp HOST:{name}/host.jsonl .\n  \
         numalab calibrate fit host.jsonl -o machines/host.toml\n"
    );
    Destination::Stdout.write(next.as_bytes())
}
