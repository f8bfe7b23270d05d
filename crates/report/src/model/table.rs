//! Simulation and models in a terminal: a row for each size of the team.

use crate::numbers::{TimeScale, significant};
use crate::style::{Ink, Style};
use crate::summary::unusual_runtime;
use crate::table::{Grid, fit, printable};
use numalab_results::{Model, ModelPhase, ModelPoint};
use numalab_units::{Bandwidth, Span};

/// The models, and below them the phases of the largest team.
pub fn model_table(model: &Model, style: Style) -> String {
    let mut facts = vec![model.machine.name.clone(), model.workload.name.clone()];
    facts.extend(unusual_runtime(model.runtime.as_ref()));
    facts.push(model.policy.clone());
    let title = fit(&printable(&facts.join(style.pick(" · ", ", "))), style.columns(), &style);
    let mut sections =
        vec![format!("{}\n", style.paint(Ink::Bold, &title)), points(&model.points).draw(&style)];
    if let Some(point) = model.points.iter().max_by_key(|point| point.threads) {
        if point.phases.len() > 1 {
            let plural = if point.threads == 1 { "" } else { "s" };
            let title = format!("phases on {} thread{plural}", point.threads);
            sections.push(format!(
                "{}\n{}",
                style.paint(Ink::Bold, &title),
                phases(&point.phases).draw(&style)
            ));
        }
        if point.flops() == 0.0 {
            sections.push(
                "The workload does not say how many operations it has (`flops` of a loop).\n".to_owned(),
            );
        }
    }
    sections.join("\n")
}

fn points(points: &[ModelPoint]) -> Grid {
    let rows = || points.iter();
    let scale = TimeScale::of(rows().flat_map(|p| [p.simulated_ps, p.roofline_ps, p.extended_ps]));
    let time = |pick: fn(&ModelPoint) -> u64| rows().map(move |point| scale.show(pick(point) as f64));
    let mut grid = Grid::new()
        .number("threads", rows().map(|point| point.threads.to_string()))
        .number("simulated", time(|point| point.simulated_ps))
        .number("roofline", time(|point| point.roofline_ps))
        .number("error", rows().map(|point| percent(point.roofline_error)))
        .number("extended", time(|point| point.extended_ps))
        .number("error", rows().map(|point| percent(point.extended_error)))
        .number("triad", rows().map(|point| Bandwidth(point.bandwidth_bytes_per_s).to_string()));
    if rows().any(|point| point.flops() > 0.0) {
        let rate = |point: &ModelPoint| match point.simulated_ps {
            0 => "-".to_owned(),
            ps => significant(point.flops() / (ps as f64 / 1e12) / 1e9),
        };
        grid = grid.number("GFLOP/s", rows().map(rate));
    }
    grid
}

fn phases(phases: &[ModelPhase]) -> Grid {
    let scale = TimeScale::of(phases.iter().flat_map(|p| [p.simulated_ps, p.roofline_ps, p.extended_ps]));
    let time = |pick: fn(&ModelPhase) -> u64| phases.iter().map(move |phase| scale.show(pick(phase) as f64));
    let slowest = |phase: &ModelPhase| {
        let seconds = |array: &numalab_results::ModelArray| array.bytes as f64 / array.bandwidth_bytes_per_s;
        let slowest = phase.arrays.iter().max_by(|a, b| seconds(a).total_cmp(&seconds(b)));
        slowest.map_or("-".to_owned(), |array| {
            format!("{} {} at {}", array.mode, array.name, Bandwidth(array.bandwidth_bytes_per_s))
        })
    };
    Grid::new()
        .text("phase", phases.iter().map(|phase| phase.name.clone()))
        .number("simulated", time(|phase| phase.simulated_ps))
        .number("roofline", time(|phase| phase.roofline_ps))
        .number("extended", time(|phase| phase.extended_ps))
        .number("of it sync", phases.iter().map(|phase| Span(phase.sync_ps).to_string()))
        .text("most of it", phases.iter().map(slowest))
}

fn percent(error: Option<f64>) -> String {
    error.map_or("-".to_owned(), |error| format!("{:+.1}%", error * 100.0))
}
