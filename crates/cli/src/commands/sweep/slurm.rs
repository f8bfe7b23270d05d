//! A sweep as a Slurm job array: submits it, shows its state, submits elements with missing points again.

use crate::failure::{Failure, tell};
use crate::flags::Slurm;
use crate::message::shown;
use crate::output::Destination;
use numalab_sweep::Plan;
use numalab_sweep::slurm::{self, Elements, Job, Missing, SlurmError, Submitted};
use std::path::Path;

/// A sweep that runs on a cluster.
pub struct Cluster<'a> {
    pub flags: &'a Slurm,
    pub plan: &'a Plan<'a>,
    pub store: &'a Path,
    /// Indices of the points that the store lacks.
    pub missing: Vec<usize>,
    /// Arguments of `numalab sweep` that determine its points, for the job script.
    pub arguments: Vec<String>,
}

/// Fails if the plan differs from the plan of the job array, since a file or the program has changed.
pub fn same_plan(flags: &Slurm, plan: &Plan<'_>) -> Result<(), Failure> {
    let now = plan.hash();
    match &flags.plan {
        Some(then) if *then != now => Err(Failure::request(
            format!("the plan of the sweep has changed: it was submitted as {then} and is now {now}"),
            "one of its files or the program has changed; submit it again with --slurm",
        )),
        _ => Ok(()),
    }
}

impl Cluster<'_> {
    /// `--slurm`: submits the elements whose points the store lacks.
    pub fn submit(&self) -> Result<(), Failure> {
        let of = self.flags.tasks.unwrap_or_else(|| slurm::default_tasks(self.plan.points().len()));
        let elements = self.missing().owners(of);
        if elements.is_empty() {
            tell(&format!("Nothing to submit: all {} points are in the store.\n", self.plan.points().len()));
            return Ok(());
        }
        if !self.flags.dry_run
            && let Some(before) = Submitted::read(self.store)?
            && let Ok(queued) = slurm::queued(&before.jobs)
            && let Some(problem) = busy(&before, &queued)
        {
            let jobs: Vec<_> = before.jobs.iter().map(|job| job.number.to_string()).collect();
            return Err(Failure::request(
                problem.trim_end(),
                format!(
                    "--collect --resubmit keeps them; to start over, end them first: scancel {}",
                    jobs.join(" ")
                ),
            ));
        }
        let fresh =
            Submitted { plan: self.plan.hash(), of, sbatch: self.flags.sbatch.clone(), jobs: Vec::new() };
        self.send(fresh, &elements)
    }

    /// `--collect`: fails with a list of the points that are missing, if any are. With `--resubmit`, submits the
    /// elements with missing points again, except those that wait or run.
    pub fn collect(&self) -> Result<(), Failure> {
        let missing = self.missing();
        let submitted = Submitted::read(self.store)?;
        let here = submitted.as_ref().filter(|submitted| submitted.plan == self.plan.hash());
        if self.flags.resubmit && here.is_none() && !self.missing.is_empty() {
            return Err(match submitted {
                None => {
                    Failure::request("no job has been submitted for this store", "submit it with --slurm")
                }
                Some(_) => Failure::request(
                    "the job submitted for this store has another plan than this sweep",
                    "submit it with --slurm; valid results are kept",
                ),
            });
        }
        if self.missing.is_empty() {
            return Ok(());
        }
        let mut running = Elements::default();
        if let Some(here) = here {
            match slurm::queued(&here.jobs) {
                Ok(queued) => {
                    busy(here, &queued).iter().for_each(|text| tell(text));
                    queued.iter().for_each(|elements| running.extend(elements.iter()));
                }
                // Results can be collected on a computer without Slurm.
                Err(SlurmError::NoSlurm { .. }) if !self.flags.resubmit => {}
                Err(error) if !self.flags.resubmit => tell(&format!("note: {error}\n")),
                Err(error) => return Err(error.into()),
            }
        }
        let text = missing.text(here.map(|here| here.of), |place| self.name(place));
        if let Some(here) = here.filter(|_| self.flags.resubmit) {
            let elements = missing.owners(here.of).without(&running);
            let mut again = here.clone();
            again.sbatch.extend(self.flags.sbatch.iter().cloned());
            match elements.is_empty() {
                true => tell("Nothing to submit: the elements whose points are missing still wait or run.\n"),
                false => self.send(again, &elements)?,
            }
        }
        Err(Failure::Run(text.trim_end().to_owned()))
    }

    /// Writes the script, submits elements and records the job.
    fn send(&self, mut submitted: Submitted, elements: &Elements) -> Result<(), Failure> {
        let job = self.job(&submitted)?;
        if self.flags.dry_run {
            let text = format!("{}\n# {}\n", job.script(elements)?, job.command(elements)?);
            return Destination::Stdout.write(text.as_bytes());
        }
        job.write_script(elements)?;
        let id = slurm::submit(&job, elements)?;
        submitted.jobs.push(id.clone());
        submitted.write(self.store)?;
        tell(&format!(
            "Submitted job {}: {} of {} elements ({elements}). Their logs: {}\n",
            id.number,
            elements.len(),
            job.of,
            shown(&slurm::folder(self.store))
        ));
        Ok(())
    }

    fn job(&self, submitted: &Submitted) -> Result<Job, Failure> {
        let system = |what: &str, error: std::io::Error| Failure::Run(format!("{what}: {error}"));
        Ok(Job {
            name: self.plan.sweep().name.clone(),
            program: std::env::current_exe().map_err(|error| system("where this program is", error))?,
            arguments: self.arguments.clone(),
            folder: std::env::current_dir().map_err(|error| system("the working folder", error))?,
            store: std::path::absolute(self.store).map_err(|error| system("the store", error))?,
            plan: submitted.plan.clone(),
            points: self.plan.points().len(),
            of: submitted.of,
            sbatch: submitted.sbatch.clone(),
        })
    }

    fn missing(&self) -> Missing {
        Missing { places: self.missing.clone(), points: self.plan.points().len() }
    }

    /// Name of a point: the values of its coordinates, as in `bcs16 loadbal static threads=128 seed=3`.
    fn name(&self, place: usize) -> String {
        let Some(point) = self.plan.points().get(place) else { return String::new() };
        let cells = self.plan.coordinates(point);
        let word = |(column, cell): (&numalab_results::Column, &numalab_results::Cell)| {
            let text = cell.text();
            match &*column.name {
                _ if text.is_empty() => None,
                "machine" | "workload" | "policy" => Some(text),
                name => Some(format!("{name}={text}")),
            }
        };
        self.plan.columns().iter().zip(&cells).filter_map(word).collect::<Vec<_>>().join(" ")
    }
}

/// One line per job that still waits or runs; `None` if no job does.
fn busy(submitted: &Submitted, queued: &[Elements]) -> Option<String> {
    let line = |(job, elements): (&slurm::JobId, &Elements)| {
        let count = elements.len();
        format!("job {} is still running: {count} of {} elements\n", job.number, submitted.of)
    };
    let busy = submitted.jobs.iter().zip(queued).filter(|(_, elements)| !elements.is_empty());
    Some(busy.map(line).collect::<String>()).filter(|text| !text.is_empty())
}
