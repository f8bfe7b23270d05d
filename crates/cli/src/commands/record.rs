//! `numalab record`: records a program on this computer.

use crate::failure::{Failure, tell};
use crate::flags::{Record, RecordExport, RecordStep};
use crate::hints;
use crate::interrupt::{self, Held};
use crate::message::shown;
use crate::output::{Destination, cannot_write, check_apart};
use numalab_nlt::Token;
use numalab_recorder::{
    Compiler, ExportError, RecordError, Request, Round, Summary, Watch, Watcher, convert, export, record,
};
use numalab_syntax::files_read;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

/// Records a program, or exports the recorder.
pub fn run(flags: &Record) -> Result<(), Failure> {
    match &flags.step {
        Some(RecordStep::Export(flags)) => exported(flags),
        None => recorded(flags),
    }
}

fn recorded(flags: &Record) -> Result<(), Failure> {
    let path = flags.output.clone().unwrap_or_else(|| named_after(&flags.command));
    let output = Destination::from(path.clone());
    if output == Destination::Stdout {
        return Err(Failure::request("a recording goes to a file", "name one with -o FILE"));
    }
    // The program and files among its arguments must not be overwritten.
    flags.command.iter().for_each(|word| files_read::note(Path::new(word)));
    output.spare_inputs()?;
    check_apart(&[("the recording", &output)])?;
    let request = request(flags)?;
    // Ctrl-C reaches the program, too; the incomplete file is then removed here. A conversion ends at once.
    let held = flags.raw.is_empty().then(Held::new);
    let tell_of = |news: &str| tell(&format!("numalab: {news}\n"));
    let watcher = Watcher { stops: &interrupt::pressed, tell: &tell_of };
    let mut answer = None;
    let written = output.fill(|to| {
        let made = match &flags.raw[..] {
            [] => record(&request, to, watcher),
            folders => convert(folders, &request, to),
        };
        let failed = made.is_err();
        answer = Some(made);
        if failed { Err(io::Error::other("not recorded")) } else { Ok(()) }
    });
    drop(held);
    match answer {
        None => written?,
        // The program ended because of the signal, by itself or not.
        Some(Err(_)) if interrupt::pressed() => {
            return Err(Failure::Interrupted("nothing is recorded and nothing is written".to_owned()));
        }
        Some(Err(RecordError::Write(error))) => return Err(cannot_write(&path, &error)),
        Some(Err(error)) => return Err(hints::not_recorded(error)),
        Some(Ok(summary)) => {
            written?;
            // Standard output belongs to the recorded program.
            tell(&summary_text(&summary, &path));
        }
    }
    Ok(())
}

fn request(flags: &Record) -> Result<Request, Failure> {
    let cc = flags.cc.clone().or_else(|| std::env::var("CC").ok().filter(|cc| !cc.trim().is_empty()));
    let cc = cc.unwrap_or_else(|| "cc".to_owned());
    let compiler = Compiler::parse(&cc).ok_or_else(|| {
        Failure::request(format!("--cc \"{cc}\" is not a command"), "name a compiler, such as --cc gcc")
    })?;
    let here = std::thread::available_parallelism().map_or(2, |count| count.get() as u32);
    Ok(Request {
        command: flags.command.clone(),
        threads: flags.threads.unwrap_or(here.max(2)),
        rounds: flags.rounds,
        token: (!flags.free).then_some(flags.patience),
        libomp: flags.libomp.clone(),
        compiler,
        // If all threads run at once, accesses to pages cannot be attributed to a thread.
        pages: if flags.free { Watch::Off } else { flags.pages },
        limit: flags.limit,
    })
}

/// Default path of the recording, from the program's name: `prog.nlt` for `./prog`.
fn named_after(command: &[String]) -> PathBuf {
    let name = command.first().and_then(|program| Path::new(program).file_stem());
    PathBuf::from(format!("{}.nlt", name.map_or("program".into(), |name| name.to_string_lossy())))
}

/// Summary of a recording in a few lines.
fn summary_text(summary: &Summary, path: &Path) -> String {
    let Summary { recording, rounds, refusals, unwatched } = summary;
    let work = &recording.work;
    let mut text = String::new();
    let events: u64 = rounds.iter().map(|round| round.events).sum();
    let timed = rounds.iter().filter(|round| !round.watched).count();
    let _ = writeln!(
        text,
        "{}: {} kinds of work, {events} events in {timed} round{} with a team of {}{}",
        shown(path),
        work.classes.len(),
        if timed == 1 { "" } else { "s" },
        recording.meta.threads,
        if timed < rounds.len() { ", and one in which pages were watched" } else { "" },
    );
    if let Some(drift) = drift(rounds) {
        let _ = writeln!(text, "the slowest round took {:+.0} % longer than the quickest", 100.0 * drift);
    }
    if recording.meta.partial {
        text.push_str("the recording ended at its size limit (--limit), and the program ran on without it\n");
    }
    if let Some(status) = recording.meta.exit_status {
        let _ = writeln!(text, "the program ended with exit status {status}");
    }
    if recording.meta.token == Token::Broken {
        text.push_str(
            "threads waited for each other outside OpenMP: from then on all ran at once and costs are disturbed; \
             --patience SECONDS waits longer\n",
        );
    }
    if let Some(why) = unwatched {
        let _ = writeln!(text, "it has no footprints, since {why}: memory accesses are not replayed");
    }
    for refusal in refusals {
        let _ = writeln!(text, "it cannot be replayed: {}", numalab_replay::refused(refusal, recording));
    }
    text
}

/// Relative excess of the slowest round over the fastest; `None` unless several rounds were timed. A round in which
/// pages were watched does not count.
fn drift(rounds: &[Round]) -> Option<f64> {
    let seconds = || {
        rounds
            .iter()
            .filter(|round| !round.watched)
            .map(|round| round.seconds)
            .filter(|seconds| *seconds > 0.0)
    };
    let (least, most) = (seconds().reduce(f64::min)?, seconds().reduce(f64::max)?);
    (seconds().count() > 1).then_some(most / least - 1.0)
}

fn exported(flags: &RecordExport) -> Result<(), Failure> {
    export(&flags.folder).map_err(|problem| match problem {
        ExportError::NotEmpty(_) => Failure::request(problem.to_string(), "name another folder"),
        ExportError::CannotWrite(folder, error) => cannot_write(&folder, &error),
    })?;
    let folder = shown(&flags.folder);
    let text = format!("The recorder is in {folder}; {folder}/README.md says how to build and use it.\n");
    Destination::Stdout.write(text.as_bytes())
}
