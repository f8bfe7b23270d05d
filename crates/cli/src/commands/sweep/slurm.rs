//! A sweep as a job array: submitted, looked after, submitted again where something is missing.

use crate::failure::Failure;
use crate::flags::Slurm;
use numalab_sweep::Plan;
use numalab_sweep::slurm::{self, Elements, Job, Missing, SlurmError, Submitted};
use std::io::Write;
use std::path::Path;

/// Work to do on a cluster.
pub struct Cluster<'a> {
    /// Flags about the cluster, as typed.
    pub flags: &'a Slurm,
    /// All points.
    pub plan: &'a Plan<'a>,
    /// The folder of the store.
    pub store: &'a Path,
    /// The points that the store lacks.
    pub missing: Vec<usize>,
    /// Arguments of `numalab sweep` that decide which points there are.
    pub arguments: Vec<String>,
}

/// Refuses to run other points than those that were submitted.
pub fn same_plan(flags: &Slurm, plan: &Plan<'_>) -> Result<(), Failure> {
    let now = plan.hash();
    match &flags.plan {
        Some(then) if *then != now => Err(Failure::request(
            format!("this is not the sweep that was submitted: its plan was {then} and is now {now}"),
            "a file that it reads has changed since, or the program; submit it again with --slurm",
        )),
        _ => Ok(()),
    }
}

impl Cluster<'_> {
    /// `--slurm`: submits all elements whose points are not there yet.
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
                    "--collect --resubmit waits for them; to begin anew, end them first: scancel {}",
                    jobs.join(" ")
                ),
            ));
        }
        let fresh =
            Submitted { plan: self.plan.hash(), of, sbatch: self.flags.sbatch.clone(), jobs: Vec::new() };
        self.send(fresh, &elements)
    }

    /// `--collect`: says which points are missing, which is a failure, and submits them again if asked to.
    pub fn collect(&self) -> Result<(), Failure> {
        let missing = self.missing();
        let submitted = Submitted::read(self.store)?;
        let here = submitted.as_ref().filter(|submitted| submitted.plan == self.plan.hash());
        if self.flags.resubmit && here.is_none() && !self.missing.is_empty() {
            return Err(match submitted {
                None => Failure::request(
                    "nothing has been submitted for this store, so nothing can be submitted again",
                    "submit it with --slurm",
                ),
                Some(_) => Failure::request(
                    "what was submitted for this store is not this sweep as it is now",
                    "submit it with --slurm; results that still hold are not computed again",
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
                // Results may be collected where there is no Slurm.
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

    /// Writes the script, submits elements of it and remembers that.
    fn send(&self, mut submitted: Submitted, elements: &Elements) -> Result<(), Failure> {
        let job = self.job(&submitted)?;
        if self.flags.dry_run {
            let text = format!("{}\n# {}\n", job.script(elements)?, job.command(elements)?);
            return std::io::stdout().write_all(text.as_bytes()).map_err(|_| Failure::ReaderLeft);
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
            slurm::folder(self.store).display()
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

    /// A point by its coordinates: `bcs16 loadbal static threads=128 seed=3`.
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

/// Jobs that still wait or run, a line for each.
fn busy(submitted: &Submitted, queued: &[Elements]) -> Option<String> {
    let line = |(job, elements): (&slurm::JobId, &Elements)| {
        let count = elements.len();
        format!("job {} is still running: {count} of {} elements\n", job.number, submitted.of)
    };
    let busy = submitted.jobs.iter().zip(queued).filter(|(_, elements)| !elements.is_empty());
    Some(busy.map(line).collect::<String>()).filter(|text| !text.is_empty())
}

fn tell(text: &str) {
    // When standard error is gone, the status still speaks.
    let _ = std::io::stderr().write_all(text.as_bytes());
}
