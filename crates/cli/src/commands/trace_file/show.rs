//! `numalab trace show`: lists the parts of a program with their costs.

use crate::failure::Failure;
use crate::flags::{Format, TraceShow};
use crate::output::check_apart;
use numalab_nlt::Token;
use numalab_replay::Recording;
use numalab_replay::recording;
use numalab_replay::work::{Class, Form, Recorded};
use numalab_report::{csv_text, escaped_json, printable};
use serde_json::json;
use std::fmt::Write;

/// Row of the table: one class of work, such as the chunks of one loop.
struct Row {
    name: String,
    form: &'static str,
    iterations: u64,
    schedule: String,
    times: u64,
    cost_ns: u64,
    /// Time of the recorder, which is not in the cost.
    recorder_ns: u64,
    least_ns: u64,
    most_ns: u64,
    part: f64,
    spread: f64,
    undisturbed: u32,
    /// Bytes that one instance of the class touches: of whole pages, or as many as one thread can read. `None` if no
    /// pages were recorded.
    touched: Option<u64>,
    /// Bytes of the touched pages.
    pages: Option<u64>,
}

/// Prints the classes of work of a recording in program order.
pub fn run(flags: &TraceShow) -> Result<(), Failure> {
    let output = flags.output.destination()?;
    check_apart(&[("the recording's parts", &output)])?;
    let recording = recording(&flags.file.to_string_lossy())?;
    if let Some(program) = &recording.program {
        let text = super::program::text(&recording, program, flags.output.format());
        return output.write(text.as_bytes());
    }
    let rows = rows(&recording);
    let text = match flags.output.format() {
        Format::Table => table(&recording, &rows),
        Format::Json => json(&recording, &rows),
        Format::Csv => csv(&rows),
    };
    output.write(text.as_bytes())
}

fn rows(recording: &Recording) -> Vec<Row> {
    let work = &recording.work;
    let mut times = vec![0u64; work.classes.len()];
    for (step, rounds) in work.order.steps() {
        times[step.class as usize] += u64::from(step.times) * u64::from(rounds);
    }
    let cost = |(class, times): (&Class, &u64)| u128::from(class.cost_ns()) * u128::from(*times);
    let watched = |class: &Class| (!class.footprint.is_empty()).then(|| class.touched_bytes());
    let whole: u128 = work.classes.iter().zip(&times).map(cost).sum();
    let row = |(class, times): (&Class, &u64)| {
        let chunks = class.chunks.iter();
        let (spread, sum) = chunks.fold((0.0, 0.0), |(spread, sum), chunk| {
            (spread + chunk.spread_ns as f64, sum + chunk.cost_ns as f64)
        });
        Row {
            name: if class.site == 0 { "end".to_owned() } else { recording.name(class.site) },
            form: form(class.form),
            iterations: class.iterations,
            schedule: schedule(class.schedule),
            times: *times,
            cost_ns: class.cost_ns(),
            recorder_ns: class.recorder_ns,
            least_ns: class.least_ns,
            most_ns: class.most_ns,
            part: if whole == 0 { 0.0 } else { cost((class, times)) as f64 / whole as f64 },
            spread: if sum == 0.0 { 0.0 } else { spread / sum },
            undisturbed: class.chunks.iter().map(|chunk| chunk.samples).min().unwrap_or(0),
            touched: watched(class).map(|bytes| {
                let density = class.density(recording.meta.recorder.map_or(0, |costs| costs.bandwidth));
                density.map_or(bytes, |density| (density.most * bytes as f64) as u64)
            }),
            pages: watched(class),
        }
    };
    work.classes.iter().zip(&times).map(row).collect()
}

fn form(form: Form) -> &'static str {
    match form {
        Form::Serial => "serial",
        Form::Body => "region",
        Form::Loop => "loop",
        Form::Single => "single",
        Form::Tasks => "tasks",
    }
}

fn schedule(schedule: Recorded) -> String {
    match schedule {
        Recorded::None => String::new(),
        Recorded::Static => "static".to_owned(),
        Recorded::StaticChunk(chunk) => format!("static,{chunk}"),
        Recorded::Dynamic(chunk) => format!("dynamic,{chunk}"),
        Recorded::Guided(chunk) => format!("guided,{chunk}"),
        Recorded::Inline => "inline".to_owned(),
        Recorded::Other => "other".to_owned(),
    }
}

fn table(recording: &Recording, rows: &[Row]) -> String {
    let meta = &recording.meta;
    let token = match meta.token {
        Token::Passed => "one thread at a time",
        Token::Broken => "one thread at a time until a wait timed out",
        Token::Off => "all threads at a time",
    };
    let free = meta.free.as_ref().map_or(String::new(), |free| {
        let ms = free.regions_ns.iter().map(|ns| format!("{:.3}", *ns as f64 / 1e6));
        let ms = ms.collect::<Vec<_>>().join(", ");
        let away = match free.switches.iter().copied().fold(0, u64::saturating_add) {
            0 => String::new(),
            1 => "; it lost a processor to other work once".to_owned(),
            times => format!("; it lost a processor to other work {times} times"),
        };
        format!("in its regions a free team of {} took {ms} ms{away}\n", free.threads)
    });
    let one = meta.one_thread.as_ref().map_or(String::new(), |one| {
        let ms = one.regions_ns.iter().map(|ns| format!("{:.3}", *ns as f64 / 1e6)).collect::<Vec<_>>();
        format!("in its regions one thread took {} ms\n", ms.join(", "))
    });
    let status =
        meta.exit_status.map_or(String::new(), |status| format!("it ended with exit status {status}\n"));
    let status =
        if meta.partial { format!("{status}the recording ended at its size limit\n") } else { status };
    let plural = |count: u32| if count == 1 { "" } else { "s" };
    // Traces of other tools do not name a runtime.
    let runtime =
        if meta.runtime.is_empty() { String::new() } else { format!(", {}", printable(&meta.runtime)) };
    let mut text = format!(
        "{}\nteam of {}, {} round{}, {token}{runtime}\n{one}{free}{status}\n",
        printable(&meta.command.join(" ")),
        meta.threads,
        meta.rounds,
        plural(meta.rounds),
    );
    if !recording.gaps.is_empty() {
        let _ = writeln!(
            text,
            "{} blocks of the file are damaged: numalab trace check lists them\n",
            recording.gaps.len()
        );
    }
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(5);
    let watched = rows.iter().any(|row| row.touched.is_some());
    let touched = if watched { format!("{:>14}", "touched") } else { String::new() };
    let _ = writeln!(
        text,
        "{:<width$}  {:<7}{:>12}  {:<12}{:>8}{:>14}{:>8}{:>8}{:>7}{}",
        "place", "what", "iterations", "recorded", "times", "alone", "part", "spread", "quiet", touched
    );
    for row in rows {
        let _ = writeln!(
            text,
            "{:<width$}  {:<7}{:>12}  {:<12}{:>8}{:>11} ms{:>6.1} %{:>6.1} %{:>7}{}",
            printable(&row.name),
            row.form,
            row.iterations,
            row.schedule,
            row.times,
            // What was recorded is mostly the recorder's.
            format!(
                "{}{:.3}",
                if row.recorder_ns > row.cost_ns { "~" } else { "" },
                row.cost_ns as f64 / 1e6
            ),
            100.0 * row.part,
            100.0 * row.spread,
            row.undisturbed,
            row.touched.map_or(String::new(), |bytes| {
                let least = if row.pages > row.touched { "<" } else { "" };
                format!("{:>11} MB", format!("{least}{:.3}", bytes as f64 / 1e6))
            }),
        );
    }
    text
}

fn json(recording: &Recording, rows: &[Row]) -> String {
    let classes: Vec<_> = rows
        .iter()
        .map(|row| {
            json!({
                "place": row.name,
                "what": row.form,
                "iterations": row.iterations,
                "recorded": row.schedule,
                "times": row.times,
                "alone_ns": row.cost_ns,
                "part": row.part,
                "spread": row.spread,
                "quiet_samples": row.undisturbed,
                "recorder_ns": row.recorder_ns,
                "least_ns": row.least_ns,
                "most_ns": row.most_ns,
                "touched_bytes": row.touched,
                "touched_pages_bytes": row.pages,
            })
        })
        .collect();
    escaped_json(format!("{:#}\n", json!({ "recording": recording.meta, "classes": classes })))
}

fn csv(rows: &[Row]) -> String {
    let mut text =
        "place,what,iterations,recorded,times,alone_ns,part,spread,quiet_samples,touched_bytes\n".to_owned();
    for row in rows {
        let _ = writeln!(
            text,
            "\"{}\",{},{},\"{}\",{},{},{},{},{},{}",
            csv_text(&row.name).replace('"', "\"\""),
            row.form,
            row.iterations,
            row.schedule,
            row.times,
            row.cost_ns,
            row.part,
            row.spread,
            row.undisturbed,
            row.touched.map_or(String::new(), |bytes| bytes.to_string())
        );
    }
    text
}
