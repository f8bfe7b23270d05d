//! Analytic models beside the simulation: one row per team size, and the phases of the largest
//! team.

#[cfg(test)]
mod tests;

use crate::numbers::{TimeScale, count, signed_percent, significant};
use crate::page::{Page, Rows, Sheet, View};
use crate::style::{Ink, Style};
use crate::views::summary::unusual_runtime;
use numalab_base::{Bandwidth, Span};
use numalab_results::{Model, ModelArray, ModelPhase, ModelPoint};

impl View for Model {
    fn page(&self, _: &Style) -> Page {
        let mut facts = vec![self.machine.name.clone(), self.workload.name.clone()];
        facts.extend(unusual_runtime(self.runtime.as_ref()));
        facts.push(self.policy.clone());
        let page = Page::titled(facts).table(points(self));
        let Some(point) = self.points.iter().max_by_key(|point| point.threads) else { return page };
        let largest = (point.phases.len() > 1).then(|| phases(&point.phases));
        let page = page.with(largest, |page, phases| {
            page.table_under(Ink::Bold, format!("phases on {}", count(point.threads, "thread")), phases)
        });
        let unknown = "The workload states no number of operations (`flops` of a loop).";
        page.text((point.flops() == 0.0).then(|| unknown.to_owned()))
    }
}

impl Rows for Model {
    fn csv(&self) -> String {
        points(self).csv()
    }
}

fn points(model: &Model) -> Sheet<&ModelPoint> {
    let Model { machine, workload, policy, points, .. } = model;
    let scale = TimeScale::of(points.iter().flat_map(|p| [p.simulated_ps, p.roofline_ps, p.extended_ps]));
    let time = |pick: fn(&ModelPoint) -> u64| move |point: &&ModelPoint| scale.show(pick(point) as f64);
    let rate = |point: &&ModelPoint| {
        let seconds = point.simulated_ps as f64 / 1e12;
        (point.simulated_ps > 0).then(|| significant(point.flops() / seconds / 1e9))
    };
    Sheet::of(points)
        .inputs(machine, workload)
        .file("policy", |_| policy.clone())
        .count("threads", "threads", |point| point.threads)
        .file("simulated_ps", |point| point.simulated_ps)
        .file("roofline_ps", |point| point.roofline_ps)
        .file("extended_ps", |point| point.extended_ps)
        .file("roofline_error", |point| point.roofline_error)
        .file("extended_error", |point| point.extended_error)
        .file("bytes", |point| point.bytes())
        .file("flops", |point| point.flops())
        .file("bandwidth_bytes_per_s", |point| point.bandwidth_bytes_per_s)
        .file("peak_flop_per_s", |point| point.peak_flop_per_s)
        .number("simulated", time(|point| point.simulated_ps))
        .number("roofline", time(|point| point.roofline_ps))
        .number("error", |point| point.roofline_error.map(signed_percent))
        .number("extended", time(|point| point.extended_ps))
        .number("error", |point| point.extended_error.map(signed_percent))
        .number("triad", |point| Bandwidth(point.bandwidth_bytes_per_s).to_string())
        .when(points.iter().any(|point| point.flops() > 0.0), |sheet| sheet.number("GFLOP/s", rate))
}

fn phases(phases: &[ModelPhase]) -> Sheet<&ModelPhase> {
    let scale = TimeScale::of(phases.iter().flat_map(|p| [p.simulated_ps, p.roofline_ps, p.extended_ps]));
    let time = |pick: fn(&ModelPhase) -> u64| move |phase: &&ModelPhase| scale.show(pick(phase) as f64);
    let seconds = |array: &ModelArray| array.bytes as f64 / array.bandwidth_bytes_per_s;
    let slowest = |phase: &&ModelPhase| {
        let slowest = phase.arrays.iter().max_by(|a, b| seconds(a).total_cmp(&seconds(b)));
        slowest.map_or("-".to_owned(), |array| {
            format!("{} {} at {}", array.mode, array.name, Bandwidth(array.bandwidth_bytes_per_s))
        })
    };
    Sheet::of(phases)
        .text("phase", |phase| phase.name.clone())
        .number("simulated", time(|phase| phase.simulated_ps))
        .number("roofline", time(|phase| phase.roofline_ps))
        .number("extended", time(|phase| phase.extended_ps))
        .number("thereof sync", |phase| Span(phase.sync_ps).to_string())
        .text("slowest array", slowest)
}
