//! Rows of results for `plot`, `rank` and `pareto`.

use crate::failure::Failure;
use crate::flags::Results;
use crate::hints;
use numalab_results::Frame;
use numalab_sweep::view::{FILE, Only, together};
use numalab_syntax::streams;
use std::path::{Path, PathBuf};

/// Rows of all files that pass `--only`. `shown` are the columns by which the caller distinguishes rows; the
/// pseudo-column `file` may be one of them.
pub(super) fn rows(flags: &Results, shown: &[Option<&str>]) -> Result<Frame, Failure> {
    let apart = shown.contains(&Some(FILE)) && flags.files.len() > 1;
    let mut frames = Vec::new();
    for (at, path) in flags.files.iter().enumerate() {
        if flags.files[..at].iter().any(|other| streams::is_same_stream(path, other)) {
            let problem = format!("{} is named twice, but can be read only once", streams::name(path));
            return Err(Failure::request(problem, "name it once"));
        }
    }
    for (path, name) in flags.files.iter().zip(names(&flags.files)) {
        frames.push((name, numalab_result_files::frame(path).map_err(hints::frame)?));
    }
    let refused = |error| hints::view(&flags.files, error);
    let mut frame = together(frames, apart).map_err(refused)?;
    if frame.rows.is_empty() {
        let problem = format!("{}: no rows", streams::names(&flags.files));
        return Err(Failure::Request { problem, advice: None });
    }
    Only::choose(&flags.only, &mut frame).map_err(refused)?;
    Ok(frame)
}

/// Name of each file: without folder and ending if that is unique, otherwise the path.
fn names(files: &[PathBuf]) -> Vec<String> {
    let stem = |path: &PathBuf| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let stems: Vec<String> = files.iter().map(stem).collect();
    let alone = |at: usize| stems.iter().filter(|other| **other == stems[at]).count() == 1;
    let whole = |path: &Path| path.display().to_string();
    (0..files.len()).map(|at| if alone(at) { stems[at].clone() } else { whole(&files[at]) }).collect()
}
