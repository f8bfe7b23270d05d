//! `numalab trace show` for a simulated run: its phases, their data and instructions.

use crate::flags::Format;
use numalab_replay::Recording;
use numalab_report::{csv_text, escaped_json, printable};
use numalab_workload::{Phase, Workload};
use serde_json::json;
use std::fmt::Write;

pub fn text(recording: &Recording, program: &Workload, format: Format) -> String {
    match format {
        Format::Table => table(recording, program),
        Format::Json => json(recording, program),
        Format::Csv => csv(program),
    }
}

/// Number of executions of a phase in one run of the program.
fn times(program: &Workload, phase: &Phase) -> u64 {
    let rounds = if phase.measured { program.rounds } else { 1 };
    u64::from(phase.repeat) * u64::from(phase.times) * u64::from(rounds)
}

/// Bytes that all iterations of a phase touch in one execution.
fn touched(phase: &Phase) -> u128 {
    phase.accesses.iter().map(|access| access.slice.total(phase.iterations)).sum()
}

/// Instructions of all iterations of a phase, except those per accessed byte.
fn instructions(phase: &Phase) -> f64 {
    // The sum of an empty list is -0.
    phase.instructions.iter().sum::<f64>() + 0.0
}

fn schedule(phase: &Phase) -> String {
    phase.schedule.map_or("compared".to_owned(), |schedule| schedule.to_string())
}

fn what(phase: &Phase) -> &'static str {
    if phase.needs_tasks() {
        return "tasks";
    }
    phase.construct.facts().word
}

fn table(recording: &Recording, program: &Workload) -> String {
    let mut text = format!(
        "{}\nsimulated with a team of {}: bytes and instructions are exact\n\n",
        printable(&recording.meta.command.join(" ")),
        recording.meta.threads
    );
    let names = program.phases.iter().map(|phase| phase.name.chars().count());
    let width = names.max().unwrap_or(0).max(5);
    let _ = writeln!(
        text,
        "{:<width$}  {:<9}{:>12}  {:<22}{:>8}{:>20}{:>20}",
        "phase", "what", "iterations", "schedule", "times", "bytes", "instructions"
    );
    for phase in &program.phases {
        let _ = writeln!(
            text,
            "{:<width$}  {:<9}{:>12}  {:<22}{:>8}{:>20}{:>20}",
            printable(&phase.name),
            what(phase),
            phase.iterations,
            schedule(phase),
            times(program, phase),
            readable(touched(phase)),
            readable(instructions(phase).round() as u128),
        );
    }
    text
}

/// Text of a number with digits in groups, for tables; JSON and CSV have numbers without groups.
fn readable(number: u128) -> String {
    u64::try_from(number).map_or_else(|_| number.to_string(), numalab_report::grouped)
}

fn json(recording: &Recording, program: &Workload) -> String {
    let phases: Vec<_> = program
        .phases
        .iter()
        .map(|phase| {
            json!({
                "phase": phase.name,
                "what": what(phase),
                "iterations": phase.iterations,
                "schedule": schedule(phase),
                "times": times(program, phase),
                "measured": phase.measured,
                "bytes": touched(phase) as f64,
                "instructions": instructions(phase),
            })
        })
        .collect();
    escaped_json(format!("{:#}\n", json!({ "recording": recording.meta, "phases": phases })))
}

fn csv(program: &Workload) -> String {
    let mut text = "phase,what,iterations,schedule,times,bytes,instructions\n".to_owned();
    for phase in &program.phases {
        let _ = writeln!(
            text,
            "\"{}\",{},{},\"{}\",{},{},{}",
            csv_text(&phase.name).replace('"', "\"\""),
            what(phase),
            phase.iterations,
            schedule(phase),
            times(program, phase),
            touched(phase),
            instructions(phase),
        );
    }
    text
}
