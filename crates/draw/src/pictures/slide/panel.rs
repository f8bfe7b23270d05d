//! Panel of one policy: heading, bars, makespan marker, axes.

use super::palette::Palette;
use super::{TimeAxis, schedule};
use crate::chart::colour::GREYS;
use crate::chart::shapes::{Tone, centred, ending, label, line, rect, text_width, titled};
use numalab_report::numbers::{TimeScale, percent};
use numalab_report::team::{Bar, Part, bars};
use numalab_report::views::summary::{Distances, Summary};
use numalab_results::{Layout, Run, Timeline};
use svg::node::element::Group;

/// Size of the largest team in which each thread has a bar.
const ALONE: usize = 256;
/// Largest number of bars for teams above `ALONE` threads.
const MOST: usize = 144;

/// Rectangle of the panel that contains the bars.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// A panel, with the properties that all panels share.
pub(super) struct Panel<'a> {
    pub run: &'a Run,
    /// Timeline that is drawn in place of bars; `None` for bars.
    pub timeline: Option<&'a Timeline>,
    pub layout: Layout,
    pub best_ps: u64,
    pub distances: Distances,
    pub scale: TimeScale,
    pub axis: &'a TimeAxis,
    pub palette: &'a Palette,
    /// True if the panel is the lowest of a column and carries the tick labels.
    pub last: bool,
}

impl Panel<'_> {
    pub fn draw(&self, frame: Frame) -> Group {
        let mut group = self.grid_lines(Group::new(), frame);
        group = group.add(match self.timeline {
            Some(timeline) => schedule::strips(timeline, self.axis, frame),
            None => self.bars(frame),
        });
        group = self.thread_numbers(group, frame);
        group = self.heading(group, frame);
        self.marker(group, frame)
    }

    fn grid_lines(&self, mut group: Group, frame: Frame) -> Group {
        let bottom = frame.y + frame.height;
        for (value, text) in &self.axis.scale.ticks {
            let x = frame.x + self.axis.scale.at(*value) * frame.width;
            group = group.add(line((x, frame.y), (x, bottom + 4.0), GREYS.grid, 1.0));
            if self.last {
                group = group.add(centred(x, bottom + 19.0, 13.0, text, Tone::Soft));
            }
        }
        if self.last {
            let name = format!("time in {}", self.axis.unit.unit);
            let x = frame.x + frame.width / 2.0;
            group = group.add(centred(x, bottom + 38.0, 14.0, &name, Tone::Plain));
        }
        group.add(line((frame.x, bottom), (frame.x + frame.width, bottom), GREYS.axis, 1.0))
    }

    fn bars(&self, frame: Frame) -> Group {
        let bars = bars(self.run, self.layout, ALONE, MOST);
        let pitch = frame.height / bars.len().max(1) as f64;
        // Thin bars touch, since gaps would make them paler, and align with pixels, since smoothed
        // edges would show the background.
        let (gap, edges) = if pitch >= 4.0 { ((pitch * 0.18).min(4.0), "auto") } else { (0.0, "crispEdges") };
        let mut group = Group::new().set("shape-rendering", edges);
        for (at, bar) in bars.iter().enumerate() {
            let y = frame.y + at as f64 * pitch + gap / 2.0;
            group = group.add(self.bar(bar, frame, y, pitch - gap));
        }
        group
    }

    /// Draws a bar. Its parts are in node order, so that parts of one node align across threads.
    fn bar(&self, bar: &Bar, frame: Frame, y: f64, height: f64) -> Group {
        let mut parts = bar.parts.clone();
        parts.sort_by_key(|(part, _)| match part {
            Part::Data(_, node) => (0, *node),
            Part::Compute => (1, 0),
            Part::Overhead => (2, 0),
            Part::Idle => (3, 0),
        });
        let busy = self.scale.show(bar.busy_ps());
        let mut group = titled(&format!("{}: {busy}", bar.label()));
        let mut start_ps = 0.0;
        for run in parts.chunk_by(|a, b| self.fill(a.0) == self.fill(b.0)) {
            let ps: f64 = run.iter().map(|(_, ps)| ps).sum();
            let from = self.axis.at(start_ps).min(1.0);
            start_ps += ps;
            // Parts beyond the axis are cut.
            let (x, width) =
                (frame.x + from * frame.width, (self.axis.at(start_ps).min(1.0) - from) * frame.width);
            // Parts narrower than 0.02 pixels are invisible and omitted.
            if width >= 0.02 {
                group = group.add(rect(x, y, width, height, self.fill(run[0].0)));
            }
        }
        group
    }

    fn fill(&self, part: Part) -> &str {
        match part {
            Part::Data(_, node) => self.palette.colour(node),
            Part::Compute => GREYS.compute,
            Part::Overhead => GREYS.overhead,
            Part::Idle => GREYS.idle,
        }
    }

    /// Draws the numbers of some threads beside their bars.
    fn thread_numbers(&self, mut group: Group, frame: Frame) -> Group {
        let threads = self.run.team.len();
        let most = ((frame.height / 26.0) as usize).clamp(2, 9);
        let step = threads.div_ceil(most).next_power_of_two();
        for at in (0..threads).step_by(step) {
            let y = frame.y + (at as f64 + 0.5) / threads as f64 * frame.height;
            let number = self.run.team[at].thread.to_string();
            group = group.add(ending(frame.x - 9.0, y + 4.0, 12.0, &number, Tone::Soft)).add(line(
                (frame.x - 5.0, y),
                (frame.x, y),
                GREYS.axis,
                1.0,
            ));
        }
        let (x, y) = (frame.x - 44.0, frame.y + frame.height / 2.0);
        group.add(
            centred(0.0, 0.0, 13.0, "thread", Tone::Soft)
                .set("transform", format!("translate({x:.1} {y:.1}) rotate(-90)")),
        )
    }

    fn heading(&self, group: Group, frame: Frame) -> Group {
        let y = frame.y - 26.0;
        let right = frame.x + frame.width;
        let group = group.add(label(frame.x, y, 17.0, &self.run.policy, Tone::Strong));
        match self.facts_that_fit(frame) {
            Some(facts) => group.add(ending(right, y, 13.0, &facts, Tone::Soft)),
            None => group,
        }
    }

    /// Facts in the most detailed form that fits beside the policy's name; `None` if none fits.
    fn facts_that_fit(&self, frame: Frame) -> Option<String> {
        let room = frame.width - text_width(&self.run.policy, 18.0) - 12.0;
        self.facts().into_iter().find(|facts| text_width(facts, 13.0) <= room)
    }

    /// Texts with the shares of near and far data and of idle time, from the most to the least detailed.
    fn facts(&self) -> [String; 3] {
        let Summary { distance, idle, .. } = Summary::of(self.run, self.best_ps);
        let idle = format!("{} idle", percent(idle));
        let local = format!("{} local", percent(distance.local));
        let mut facts = Vec::new();
        if let Some(near) = self.distances.near {
            facts.push(format!("{} {near}", percent(distance.near)));
        }
        if self.distances.remote {
            facts.push(format!("{} remote", percent(distance.remote)));
        }
        if self.distances.memory_only {
            facts.push(format!("{} memory only", percent(distance.memory_only)));
        }
        if facts.is_empty() {
            // On a machine with one distance, all data is local.
            return [idle.clone(), idle.clone(), idle];
        }
        [format!("{local} · {} · {idle}", facts.join(" · ")), format!("{local} · {idle}"), local]
    }

    /// Draws a line at the end of the run, with the makespan above it.
    fn marker(&self, group: Group, frame: Frame) -> Group {
        let ps = self.run.makespan_ps as f64;
        let cut = self.axis.at(ps) > 1.0;
        let x = frame.x + self.axis.at(ps).min(1.0) * frame.width;
        let ratio = if self.best_ps > 0 && self.run.makespan_ps > self.best_ps {
            format!(" ({:.2} × best)", ps / self.best_ps as f64)
        } else {
            String::new()
        };
        let mut text = format!("{}{ratio}", self.scale.show(ps));
        if cut {
            text += ", cut";
        }
        // If the heading has no room for facts, the marker states the local share.
        if self.facts_that_fit(frame).is_none()
            && let [.., local] = self.facts()
        {
            text += &format!(" · {local}");
        }
        // The text is centred on the line, but stays inside the frame.
        let half = text_width(&text, 15.5) / 2.0;
        let centre = x.min(frame.x + frame.width - half).max(frame.x + half);
        group.add(line((x, frame.y - 4.0), (x, frame.y + frame.height), "#1a1a1a", 1.5)).add(centred(
            centre,
            frame.y - 8.0,
            14.0,
            &text,
            Tone::Strong,
        ))
    }
}
