//! The clinic: every schedule for each loop, the best of them together, learning, and other changes.

#[cfg(test)]
mod tests;

use crate::numbers::{TimeScale, count, percent, signed_percent};
use crate::page::{Page, Rows, Sheet, View};
use crate::style::{Ink, Style};
use crate::views::explanation::advice;
use crate::views::origins;
use crate::views::replay::above;
use crate::views::summary::unusual_runtime;
use numalab_results::{Clinic, Learner, LoopSchedule, LoopSchedules, Together};

/// Part of the run that a loop takes at least to be shown in full.
const MATTERS: f64 = 0.05;

/// Largest number of schedules shown for a loop; the present one is always shown.
const MOST: usize = 12;

/// Text of [`LoopSchedule::needs`] for schedules that every compiler has.
const EVERY: &str = "any compiler";

impl View for Clinic {
    fn page(&self, _: &Style) -> Page {
        let scale = TimeScale::of([self.makespan_ps]);
        let mut facts = vec![self.machine.name.clone(), self.workload.name.clone()];
        facts.push(count(self.threads, "thread"));
        facts.extend(unusual_runtime(Some(&self.runtime)));
        facts.push(format!("{} with the present schedules", scale.show(self.makespan_ps as f64)));
        let page = above(Page::titled(facts), self.replay.as_ref());
        if self.loops.is_empty() {
            let none = "No measured phase is a loop that different schedules can execute.".to_owned();
            return page.text([none]);
        }
        let large: Vec<&LoopSchedules> = self.loops.iter().filter(|one| one.share >= MATTERS).collect();
        let page = large.iter().fold(page, |page, one| {
            let left_out = one.schedules.len().saturating_sub(shown(one).len());
            let more = (left_out > 0).then(|| format!("{} more", count(left_out, "slower schedule")));
            page.table_under(Ink::Bold, heading(one), schedules(one)).below(more)
        });
        let small = self.loops.len() - large.len();
        let page = page.text((small > 0).then(|| {
            let takes = if small == 1 { "takes" } else { "take" };
            format!("{} {takes} less than 5% of the time each.", count(small, "other loop"))
        }));
        let page = page
            .text((self.refused > 0).then(|| {
                format!("{} cannot be simulated on this machine.", count(self.refused, "schedule"))
            }));
        let page = page.text(verdict(self, &scale)).text(typed(self));
        let learned = large.iter().filter(|one| !one.learners.is_empty());
        let page = learned.fold(page, |page, one| {
            let heading = format!(
                "learning the schedule of {} while the program runs, over {} time steps",
                one.name,
                Learner::STEPS
            );
            page.table_under(Ink::Bold, heading, learners(one)).below(Some(candidates(one)))
        });
        let beside = self.typed.as_ref().or(self.best.as_ref());
        let makespan = beside.map_or(self.makespan_ps, |together| together.makespan_ps);
        let page = advice::add(page, &self.advice, self.tried, makespan);
        page.text(origins::sentences(&self.machine, &self.workload))
            .text((self.left_out > 0).then(|| format!("Left out: {}.", count(self.left_out, "run"))))
    }
}

fn heading(one: &LoopSchedules) -> String {
    let (share, present) = (percent(one.share), &one.present);
    match one.iterations {
        Some(iterations) => {
            let iterations = count(iterations, "iteration");
            format!("loop {}: {iterations}, {share} of the run under {present}", one.name)
        }
        None => format!("tasks of {}: {share} of the run under {present}", one.name),
    }
}

/// The first rows, and the present schedule.
fn shown(one: &LoopSchedules) -> Vec<&LoopSchedule> {
    let is_shown = |(at, row): &(usize, &LoopSchedule)| *at < MOST || row.schedule == one.present;
    one.schedules.iter().enumerate().filter(is_shown).map(|(_, row)| row).collect()
}

fn schedules(one: &LoopSchedules) -> Sheet<&LoopSchedule> {
    let rows = shown(one);
    let scale = TimeScale::of(rows.iter().map(|row| row.median_ps));
    let vary = rows.iter().any(|row| row.high_ps as f64 > row.low_ps as f64 * 1.01);
    let imbalance = rows.iter().any(|row| row.imbalance.is_some());
    let best = one.schedules.first().map_or("", |row| &row.schedule).to_owned();
    let present = one.present.clone();
    Sheet::of(rows)
        .text("schedule", |row| row.schedule.clone())
        .number("time", |row| scale.show(row.median_ps as f64))
        .when(vary, |sheet| sheet.number("replicas", |row| scale.range(row.low_ps, row.high_ps)))
        .number("loses", |row| if row.schedule == best { "-".to_owned() } else { regret(row.regret) })
        .when(imbalance, |sheet| sheet.number("imbalance", |row| row.imbalance.map(percent)))
        .text("", |row| marks(row, &best, &present))
        .text("to type", |row| to_type(row))
}

/// Text that sets the schedule, with the runtimes that have it unless every compiler does.
fn to_type(row: &LoopSchedule) -> String {
    match &row.typed {
        Some(typed) if row.needs == EVERY => typed.clone(),
        Some(typed) => format!("{typed} ({})", row.needs),
        None => format!("- ({})", row.needs),
    }
}

/// Time lost beside the best schedule, in percent, or as a multiple from ten times on.
fn regret(regret: f64) -> String {
    if regret < 9.0 { signed_percent(regret) } else { format!("{:.0} times", regret + 1.0) }
}

/// Words about a row: best, tie, unstable, present.
fn marks(row: &LoopSchedule, best: &str, present: &str) -> String {
    let marks = [
        (row.schedule == best, "best"),
        (row.schedule != best && row.ties, "tie"),
        (row.unstable, "unstable"),
        (row.schedule == present, "present"),
    ];
    let marks: Vec<&str> = marks.into_iter().filter_map(|(so, mark)| so.then_some(mark)).collect();
    marks.join(", ")
}

/// Sentence on the best schedules of all loops in one program.
fn verdict(clinic: &Clinic, scale: &TimeScale) -> Option<String> {
    let Some(best) = &clinic.best else {
        return Some("No schedules gain more than 1% beside the present ones.".to_owned());
    };
    Some(format!("With {}.", gains(clinic, best, scale)))
}

/// Sentence on the best schedules that common compilers have.
fn typed(clinic: &Clinic) -> Option<String> {
    let scale = TimeScale::of([clinic.makespan_ps]);
    let Some(best) = &clinic.best else { return None };
    match &clinic.typed {
        Some(typed) => {
            Some(format!("Of those that common compilers have: {}.", gains(clinic, typed, &scale)))
        }
        None if best_is_common(clinic, best) => None,
        None => Some("None that common compilers have gains more than 1%.".to_owned()),
    }
}

/// True if common compilers have each of the schedules.
fn best_is_common(clinic: &Clinic, together: &Together) -> bool {
    clinic.loops.iter().zip(&together.schedules).all(|(one, schedule)| {
        one.schedules.iter().find(|row| row.schedule == *schedule).is_some_and(|row| row.is_common)
    })
}

/// Changed schedules by loop, with time and gain of the program.
fn gains(clinic: &Clinic, together: &Together, scale: &TimeScale) -> String {
    let changed = clinic
        .loops
        .iter()
        .zip(&together.schedules)
        .filter(|(one, schedule)| one.present != **schedule)
        .map(|(one, schedule)| format!("{schedule} in {}", one.name));
    let changed: Vec<String> = changed.collect();
    format!(
        "{} the program takes {} ({})",
        changed.join(", "),
        scale.show(together.makespan_ps as f64),
        signed_percent(-together.gain)
    )
}

fn learners(one: &LoopSchedules) -> Sheet<&Learner> {
    Sheet::of(&one.learners)
        .text("method", |learner| learner.name.clone())
        .number("tries", |learner| match learner.exploration {
            0 => "-".to_owned(),
            steps => count(steps, "step"),
        })
        .text("settles on", |learner| learner.settles.clone())
        .number("loses beside the best", |learner| format!("{:.1} steps", learner.lost_steps))
        .number("pays after", |learner| {
            learner.pays_after.map_or("never".to_owned(), |steps| count(steps, "step"))
        })
}

/// Line below the table of methods: what they choose from, and how often the loop runs.
fn candidates(one: &LoopSchedules) -> String {
    let names = one.learners.first().map_or(String::new(), |learner| learner.candidates.join(", "));
    format!("among {names}; the loop is executed {}", count(one.steps, "time"))
}

impl Rows for Clinic {
    /// One CSV line for each schedule of each loop.
    fn csv(&self) -> String {
        let rows = self.loops.iter().flat_map(|one| one.schedules.iter().map(move |row| (one, row)));
        Sheet::of(rows)
            .inputs(&self.machine, &self.workload)
            .file("threads", |_| self.threads)
            .file("loop", |(one, _)| one.name.clone())
            .file("iterations", |(one, _)| one.iterations)
            .file("steps", |(one, _)| one.steps)
            .file("present", |(one, row)| one.present == row.schedule)
            .file("schedule", |(_, row)| row.schedule.clone())
            .file("time_ps", |(_, row)| row.time_ps)
            .file("time_low_ps", |(_, row)| row.low_ps)
            .file("time_median_ps", |(_, row)| row.median_ps)
            .file("time_high_ps", |(_, row)| row.high_ps)
            .file("replicas", |(_, row)| row.replicas)
            .file("regret", |(_, row)| row.regret)
            .file("ties", |(_, row)| row.ties)
            .file("unstable", |(_, row)| row.unstable)
            .file("imbalance", |(_, row)| row.imbalance)
            .file("typed", |(_, row)| row.typed.clone())
            .file("needs", |(_, row)| row.needs.clone())
            .file("common", |(_, row)| row.is_common)
            .csv()
    }
}
