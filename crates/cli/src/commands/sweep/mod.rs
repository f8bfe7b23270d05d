//! `numalab sweep`: plans the points, runs the missing ones, writes the results.

mod deliver;
mod gates;
mod slurm;

use super::bare;
use crate::failure::{Failure, tell};
use crate::flags::{Assume, Sweep};
use crate::interrupt;
use crate::message::shown;
use crate::output::plain;
use crate::progress::Points;
use numalab_sweep::{self as sweep, Damage, Plan, RunError, Store, StoreError};
use std::path::PathBuf;

/// Plans the points, runs those that the store lacks, writes the results.
pub fn run(flags: &Sweep) -> Result<(), Failure> {
    let outputs = deliver::outputs(flags)?;
    let read = numalab_sweep::file::sweep(&flags.file)?;
    let filters = filters(flags, &read)?;
    let plan = Plan::on(&read, &filters, machines(&read)?)?;
    deliver::spare_inputs(flags, &outputs)?;
    if plan.points().is_empty() {
        return Err(Failure::request(
            format!("no point of {} passes the filters", read.name),
            "check `keep` in the file, and --filter",
        ));
    }
    sweep::gate::check(&read, &plan.columns())?;
    slurm::same_plan(&flags.slurm, &plan)?;
    let folder = flags.store.clone().unwrap_or_else(|| PathBuf::from(format!("{}.store", read.name)));
    let label =
        flags.shard.map_or("all".to_owned(), |shard| format!("shard-{}-of-{}", shard.number, shard.of));
    if flags.slurm.collect && !folder.exists() {
        return Err(Failure::request(
            format!("there is no store \"{}\"", folder.display()),
            "name the store of the shards with --store DIR",
        ));
    }
    let mut store = Store::open(&folder, &label)?;
    warn(store.damaged());
    let missing = sweep::missing(&plan, &store, flags.shard);
    let cluster = |missing: Vec<usize>| slurm::Cluster {
        flags: &flags.slurm,
        plan: &plan,
        store: &folder,
        missing,
        arguments: arguments(flags),
    };
    if flags.slurm.slurm {
        if !flags.slurm.dry_run {
            store.create()?;
        }
        return cluster(missing).submit();
    }
    let ran = match flags.slurm.collect {
        true => 0,
        false => {
            let bar = Points::new(&read.name);
            sweep::run(&plan, &mut store, &missing, flags.jobs, &bar)?;
            let left = sweep::missing(&plan, &store, flags.shard).len();
            if left > 0 && interrupt::pressed() {
                let (done, of, folder) =
                    (missing.len().saturating_sub(left), missing.len(), folder.display());
                return Err(Failure::Interrupted(format!(
                    "{done} of {of} points are new in \"{folder}\"; the same command continues there"
                )));
            }
            missing.len() as u64
        }
    };
    if let Some(shard) = flags.shard {
        return deliver::share(&plan, &store, shard, ran);
    }
    let collected = match flags.slurm.collect {
        true => cluster(missing).collect(),
        false => Ok(()),
    };
    // A wrong request ends here; missing points do not: the results so far are written.
    if let Err(Failure::Request { .. } | Failure::Input(_)) = collected {
        return collected;
    }
    let complete = collected.is_ok();
    let held =
        deliver::all(&deliver::Finished { flags, plan: &plan, store: &store, ran, complete }, &outputs);
    collected.and(held)
}

/// Machines of the sweep of which only the topology is known, as pairs of name and file completed with assumed
/// values.
fn machines(read: &numalab_sweep::file::Sweep) -> Result<Vec<(String, numalab_files::Entry)>, Failure> {
    let mut found = Vec::new();
    let assume = Assume { assume: read.assume, assume_as: None };
    for name in read.machines() {
        let name = read.outside(numalab_files::Kind::Machine, name);
        let in_a_file = |failure| match failure {
            Failure::Request { problem, .. } if !read.assume => Failure::request(
                format!("{}: {problem}", read.file()),
                "add `assume: true` to the file, which takes them from a table of processor generations",
            ),
            other => other,
        };
        let entry = bare::entry(&name, Some(numalab_files::Kind::Machine), &assume, &[]);
        if let Some(entry) = entry.map_err(in_a_file)? {
            found.push((name, entry));
        }
    }
    Ok(found)
}

/// Indices of the filters that the flags name.
fn filters(flags: &Sweep, read: &numalab_sweep::file::Sweep) -> Result<Vec<usize>, Failure> {
    let number = |name: &String| {
        read.filters.iter().position(|filter| filter.name == *name).ok_or_else(|| {
            let known = read.filters.iter().map(|filter| &*filter.name);
            Failure::request(
                format!("{} has no filter \"{name}\"", read.name),
                numalab_syntax::nearest::hint(name, known),
            )
        })
    };
    flags.filters.iter().map(number).collect()
}

/// Arguments with which `numalab sweep` plans these points again, for a job script.
fn arguments(flags: &Sweep) -> Vec<String> {
    let filters = flags.filters.iter().flat_map(|name| ["--filter".to_owned(), name.clone()]);
    std::iter::once(flags.file.clone()).chain(filters).collect()
}

/// Warns of damaged results in the store.
fn warn(damaged: &[Damage]) {
    for Damage { path, line, what } in damaged {
        let text = format!("warning: {}:{line}: {what}\n", shown(path));
        tell(&text);
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        match error {
            RunError::Store(error) => error.into(),
            RunError::Changed(problem) => {
                Failure::request(problem, "run the sweep again; stored results remain valid")
            }
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        match &error {
            StoreError::NoStore(_) => {
                Failure::request(error.to_string(), "name a new or an empty folder with --store")
            }
            StoreError::Version(_, version) if !version.is_later() => Failure::request(
                error.to_string(),
                "its points have to run again: delete the folder, or name another with --store",
            ),
            StoreError::Version(..) | StoreError::Mark(_) => {
                Failure::request(error.to_string(), "name another folder with --store, or delete it")
            }
            StoreError::System(path, error) => {
                Failure::Run(format!("the store: \"{}\": {}", path.display(), plain(error)))
            }
        }
    }
}
