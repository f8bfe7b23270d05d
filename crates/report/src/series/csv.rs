//! The series for a data frame: one row for each point and policy, one column for each measure.

use super::unit;
use crate::csv_text::written;
use numalab_results::{Measure, Point, PointRun, Series};

/// Before the column of what changes, and behind it.
const INPUTS: [&str; 5] = ["machine", "machine_hash", "workload", "workload_hash", "seed"];
const RUN: [&str; 3] = ["policy", "threads", "makespan_ps"];

/// Tidy rows under a header. The columns of measures are named after them, with the unit in brackets.
pub fn series_csv(series: &Series) -> String {
    let rows = series.points.iter().flat_map(|point| point.runs.iter().map(|run| row(series, point, run)));
    written(std::iter::once(header(series)).chain(rows))
}

/// The column of what changes. Threads have a column anyway.
fn over(series: &Series) -> Option<String> {
    match &series.over[..] {
        "threads" => None,
        // A parameter may have the name of another column.
        name if INPUTS.contains(&name) || RUN.contains(&name) => Some(format!("parameter_{name}")),
        name => Some(name.to_owned()),
    }
}

fn header(series: &Series) -> Vec<String> {
    let measure = |measure: &Measure| match unit(&measure.unit) {
        "" => measure.name.clone(),
        unit => format!("{} [{unit}]", measure.name),
    };
    let mut header = INPUTS.map(str::to_owned).to_vec();
    header.extend(over(series));
    header.extend(RUN.map(str::to_owned));
    header.extend(series.measures.iter().map(measure));
    header
}

fn row(series: &Series, point: &Point, run: &PointRun) -> Vec<String> {
    let Series { machine, workload, .. } = series;
    let mut row: Vec<String> =
        [&machine.name, &machine.hash, &workload.name, &workload.hash].map(String::clone).into();
    row.push(series.seed.to_string());
    row.extend(over(series).map(|_| point.label()));
    row.extend([run.policy.clone(), run.threads.to_string(), run.makespan_ps.to_string()]);
    let value = |at: usize| run.values.get(at).copied().flatten();
    row.extend(
        (0..series.measures.len()).map(|at| value(at).map_or(String::new(), |value| value.to_string())),
    );
    row
}
