//! Starts `sbatch` and `squeue`.

use super::{Elements, Job, JobId, SlurmError, Tool, answers};
use std::io::ErrorKind;
use std::process::{Command, Stdio};

/// Submits elements of a job array. The script of the job must exist.
pub fn submit(job: &Job, elements: &Elements) -> Result<JobId, SlurmError> {
    let printed = ask(Tool::Sbatch, &job.options(elements)?)?;
    answers::job(&printed).ok_or(SlurmError::Unclear { printed })
}

/// Waiting and running elements of each job array.
pub fn queued(jobs: &[JobId]) -> Result<Vec<Elements>, SlurmError> {
    let on = |job: &JobId| {
        let cluster = job.cluster.iter().map(|cluster| format!("--clusters={cluster}"));
        let options: Vec<String> = answers::ASK.into_iter().map(str::to_owned).chain(cluster).collect();
        Ok(answers::elements(&ask(Tool::Squeue, &options)?, job.number))
    };
    jobs.iter().map(on).collect()
}

/// Runs a Slurm program; returns its standard output.
fn ask(tool: Tool, options: &[String]) -> Result<String, SlurmError> {
    let mut command = Command::new(tool.name());
    command.args(options).stdin(Stdio::null());
    // Inside a job, `sbatch` would inherit the surrounding job's number of processors.
    command.env_remove("SLURM_CPUS_PER_TASK");
    let refused = |why: String| SlurmError::Refused { tool, why };
    let output = command.output().map_err(|error| match error.kind() {
        ErrorKind::NotFound => SlurmError::NoSlurm { tool },
        _ => refused(error.to_string()),
    })?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => {
            let message = String::from_utf8_lossy(&output.stderr);
            Err(refused(match message.trim() {
                "" => output.status.to_string(),
                message => message.to_owned(),
            }))
        }
    }
}
