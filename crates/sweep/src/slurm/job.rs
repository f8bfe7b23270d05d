//! The script of a job array, and the command that submits it.

use super::{Elements, SlurmError, folder};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A job array that runs a sweep.
#[derive(Clone, Debug)]
pub struct Job {
    pub name: String,
    pub program: PathBuf,
    /// Arguments after `numalab sweep`: the file and the flags that determine the points.
    pub arguments: Vec<String>,
    /// Folder from which the job is submitted, at which relative file names start.
    pub folder: PathBuf,
    /// Absolute path of the store.
    pub store: PathBuf,
    pub plan: String,
    /// Number of all points of the plan.
    pub points: usize,
    pub of: u32,
    /// The user's additional arguments of `sbatch`.
    pub sbatch: Vec<String>,
}

impl Job {
    pub fn script_file(&self) -> PathBuf {
        folder(&self.store).join("job.sh")
    }

    /// All arguments of `sbatch`. The user's arguments come last and override the others.
    pub fn options(&self, elements: &Elements) -> Result<Vec<String>, SlurmError> {
        // `sbatch` expands `%` in the name of a log file.
        let logs = text(&folder(&self.store))?.replace('%', "%%");
        let mut options = vec![
            "--parsable".to_owned(),
            format!("--array={elements}"),
            "--requeue".to_owned(),
            // A requeued element appends to its log.
            "--open-mode=append".to_owned(),
            format!("--job-name={}", self.name),
            format!("--chdir={}", text(&self.folder)?),
            format!("--output={logs}/%A_%a.log"),
        ];
        options.extend(self.sbatch.iter().cloned());
        options.push(text(&self.script_file())?.to_owned());
        Ok(options)
    }

    /// The submitting command, quoted for a shell.
    pub fn command(&self, elements: &Elements) -> Result<String, SlurmError> {
        let options = self.options(elements)?;
        let words: Result<Vec<_>, _> = options.iter().map(|option| quoted(option)).collect();
        Ok(format!("sbatch {}", words?.join(" ")))
    }

    /// The script that every element of the array runs; `elements` are the elements of the first submission.
    pub fn script(&self, elements: &Elements) -> Result<String, SlurmError> {
        let Job { points, of, .. } = self;
        let own = |path: &Path| text(path).and_then(quoted);
        let (program, script) = (own(&self.program)?, own(&self.script_file())?);
        let (folder, store, plan) = (own(&self.folder)?, own(&self.store)?, quoted(&self.plan)?);
        let sweep = self.arguments.iter().map(|word| quoted(word)).collect::<Result<Vec<_>, _>>()?.join(" ");
        let command = self.command(elements)?;
        let comment = format!(
            "The sweep {}: {points} points in {of} shards, one for each element of a job array.
`numalab sweep --slurm` wrote this and submitted it with

    {command}

An element runs those points of its shard that the store lacks, and appends them to a file of its own.
To end it at any moment, to put it back into the queue or to run it twice does no harm. Without Slurm,
element 1 is

    SLURM_ARRAY_TASK_ID=1 sh {script}

and what is still missing says

    {program} sweep {sweep} --store {store} --collect
",
            self.name
        );
        let mut script = "#!/bin/sh\n".to_owned();
        for line in comment.lines() {
            // Empty comment lines have no trailing blank.
            let _ = writeln!(script, "{}", format!("# {line}").trim_end());
        }
        let _ = write!(
            script,
            "set -eu

# Where it was submitted: names of files are meant from here.
cd {folder}

# --plan: it refuses to run if the files say another sweep by now than when they were submitted.
# --jobs: as many runs at a time as Slurm gives it processors (--sbatch-arg=--cpus-per-task=N), else one.
# exec: signals go to the program, which may simply die of them.
exec {program} sweep {sweep} \\
    --shard \"$SLURM_ARRAY_TASK_ID/{of}\" \\
    --store {store} \\
    --plan {plan} \\
    --jobs \"${{SLURM_CPUS_PER_TASK:-1}}\"
"
        );
        Ok(script)
    }

    /// Writes the script, and creates the folder of the logs.
    pub fn write_script(&self, elements: &Elements) -> Result<(), SlurmError> {
        let path = self.script_file();
        let script = self.script(elements)?;
        std::fs::create_dir_all(folder(&self.store))
            .and_then(|()| std::fs::write(&path, script))
            .map_err(|error| SlurmError::File { path, why: error.to_string() })
    }
}

fn text(path: &Path) -> Result<&str, SlurmError> {
    path.to_str().ok_or_else(|| SlurmError::NotText(path.to_owned()))
}

/// The word in quotes if a shell needs them; an error if it cannot be quoted.
fn quoted(word: &str) -> Result<String, SlurmError> {
    let quoted = shlex::try_quote(word).map_err(|_| SlurmError::NotText(word.into()))?;
    Ok(quoted.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> Job {
        Job {
            name: "policies".into(),
            program: "/opt/numa lab/numalab".into(),
            arguments: vec!["my sweep.yaml".into(), "--filter".into(), "it's".into()],
            folder: "/home/me".into(),
            store: "/data/100%/s".into(),
            plan: "0a1b".into(),
            points: 200,
            of: 8,
            sbatch: vec!["--time=60".into(), "--comment=two words".into()],
        }
    }

    #[test]
    fn user_arguments_come_last() {
        let elements: Elements = [1, 2, 3, 7].into_iter().collect();
        assert_eq!(
            job().options(&elements).unwrap(),
            [
                "--parsable",
                "--array=1-3,7",
                "--requeue",
                "--open-mode=append",
                "--job-name=policies",
                "--chdir=/home/me",
                "--output=/data/100%%/s/slurm/%A_%a.log",
                "--time=60",
                "--comment=two words",
                "/data/100%/s/slurm/job.sh",
            ]
        );
    }

    #[test]
    fn script_is_valid_shell() {
        let script = job().script(&Elements::all(8)).unwrap();
        let (comments, lines): (Vec<&str>, Vec<&str>) =
            script.lines().filter(|line| !line.is_empty()).partition(|line| line.starts_with('#'));
        let words = shlex::split(&lines.join("\n").replace("\\\n", " ")).unwrap();
        assert_eq!(words[..5], ["set", "-eu", "cd", "/home/me", "exec"]);
        assert_eq!(
            words[5..11],
            ["/opt/numa lab/numalab", "sweep", "my sweep.yaml", "--filter", "it's", "--shard"]
        );
        assert_eq!(
            words[11..],
            [
                "$SLURM_ARRAY_TASK_ID/8",
                "--store",
                "/data/100%/s",
                "--plan",
                "0a1b",
                "--jobs",
                "${SLURM_CPUS_PER_TASK:-1}"
            ]
        );
        // The command in the script's comment can be pasted into a shell.
        let typed = comments.iter().find_map(|line| line.strip_prefix("#     sbatch ")).unwrap();
        assert_eq!(shlex::split(typed).unwrap(), job().options(&Elements::all(8)).unwrap());
    }

    #[test]
    fn names_cannot_leave_the_comment() {
        let nasty = "a\nrm -rf b".to_owned();
        let job = Job { name: nasty.clone(), arguments: vec![nasty], ..job() };
        let script = job.script(&Elements::all(1)).unwrap();
        let before = script.lines().take_while(|line| *line != "set -eu");
        assert!(before.into_iter().all(|line| line.starts_with('#')), "{script}");
    }

    #[cfg(unix)]
    #[test]
    fn non_utf8_name_is_refused() {
        use std::os::unix::ffi::OsStrExt;
        let store = std::ffi::OsStr::from_bytes(b"/data/\xff").into();
        let error = Job { store, ..job() }.script(&Elements::all(1)).unwrap_err();
        assert!(error.to_string().contains("UTF-8"), "{error}");
    }
}
