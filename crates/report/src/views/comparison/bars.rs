//! Bars of threads or groups of threads, divided by the distance between the thread and the data.

use crate::numbers::TimeScale;
use crate::page::fit;
use crate::style::{Bars, Ink, Style};
use crate::team::{Bar, Part, bars};
use crate::views::summary::Distances;
use numalab_results::{Comparison, Run, Sharing};
use std::collections::BTreeSet;

/// Size of the largest team in which each thread has a bar.
const ALONE: usize = 32;
/// Largest number of bars for teams above `ALONE` threads.
const MOST: usize = 16;

/// Appearance of a part of a bar, in the order along the bar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Look {
    Local,
    Near,
    Remote,
    MemoryOnly,
    Compute,
    Overhead,
    Idle,
}

const LOOKS: [Look; 7] =
    [Look::Local, Look::Near, Look::Remote, Look::MemoryOnly, Look::Compute, Look::Overhead, Look::Idle];

impl Look {
    fn of(part: Part) -> Look {
        match part {
            Part::Data(Sharing::Node, _) => Look::Local,
            Part::Data(Sharing::Socket | Sharing::Board, _) => Look::Near,
            Part::Data(Sharing::Machine, _) => Look::Remote,
            Part::Data(Sharing::MemoryOnly, _) => Look::MemoryOnly,
            Part::Compute => Look::Compute,
            Part::Overhead => Look::Overhead,
            Part::Idle => Look::Idle,
        }
    }

    fn glyph(self, style: &Style) -> char {
        match self {
            Look::Local => style.pick('█', '#'),
            Look::Near => style.pick('▓', '+'),
            Look::Remote => style.pick('░', '-'),
            Look::MemoryOnly => style.pick('▒', 'm'),
            Look::Compute => '=',
            Look::Overhead => style.pick('×', 'x'),
            Look::Idle => style.pick('·', '.'),
        }
    }

    fn ink(self) -> Ink {
        match self {
            Look::Local => Ink::Blue,
            Look::Near => Ink::Orange,
            Look::Remote => Ink::Red,
            Look::MemoryOnly => Ink::Orange,
            Look::Compute => Ink::Green,
            Look::Overhead => Ink::Purple,
            Look::Idle => Ink::Grey,
        }
    }

    fn name(self, near: &'static str) -> &'static str {
        match self {
            Look::Local => "local",
            Look::Near => near,
            Look::Remote => "remote",
            Look::MemoryOnly => "memory only",
            Look::Compute => "no data",
            Look::Overhead => "runtime",
            Look::Idle => "idle",
        }
    }
}

/// Bars of the policies on a common scale, and a legend.
pub(super) fn sections(comparison: &Comparison, style: &Style) -> Vec<String> {
    let runs = chosen(comparison, style.bars);
    let Some(longest) = runs.iter().map(|run| run.makespan_ps).max().filter(|&ps| ps > 0) else {
        return Vec::new();
    };
    let scale = TimeScale::of(runs.iter().map(|run| run.makespan_ps));
    let drawn: Vec<Vec<Bar>> = runs.iter().map(|run| bars(run, comparison.layout, ALONE, MOST)).collect();
    let all = || drawn.iter().flatten();
    let labels = all().map(|bar| bar.label().len()).max().unwrap_or(0);
    let times = all().map(|bar| scale.show(bar.busy_ps()).len()).max().unwrap_or(0);
    let cells = style.columns() - (labels + times + 3);
    let mut sections = Vec::new();
    let mut seen = BTreeSet::new();
    for (run, bars) in runs.iter().zip(&drawn) {
        let heading = format!("{} ({})", style.plain(&run.policy), scale.show(run.makespan_ps as f64));
        let mut text = style.paint(Ink::Bold, &fit(&heading, style.columns(), style)) + "\n";
        for bar in bars {
            let strip = strip(bar, longest as f64 / cells as f64);
            seen.extend(strip.iter().map(|(look, _)| *look));
            let length: usize = strip.iter().map(|(_, cells)| cells).sum();
            let drawn: String = strip
                .iter()
                .map(|&(look, cells)| style.paint(look.ink(), &look.glyph(style).to_string().repeat(cells)))
                .collect();
            let blank = " ".repeat(cells.saturating_sub(length));
            let time = scale.show(bar.busy_ps());
            text += &format!(" {:labels$} {drawn}{blank} {time:>times$}\n", bar.label());
        }
        sections.push(text);
    }
    sections.push(legend(comparison, &seen, style));
    sections
}

/// Number of character cells per part of a bar. Boundaries, not lengths, are rounded, so that the bar's length
/// matches its time.
fn strip(bar: &Bar, ps_per_cell: f64) -> Vec<(Look, usize)> {
    let (mut ends, mut end_ps, mut drawn) = (Vec::new(), 0.0, 0);
    for look in LOOKS {
        end_ps += bar.parts.iter().filter(|(part, _)| Look::of(*part) == look).map(|(_, ps)| ps).sum::<f64>();
        let end = (end_ps / ps_per_cell).round() as usize;
        if end > drawn {
            ends.push((look, end - drawn));
            drawn = end;
        }
    }
    ends
}

/// Legend of the parts that occur in the bars; parts too short for a cell are omitted.
fn legend(comparison: &Comparison, seen: &BTreeSet<Look>, style: &Style) -> String {
    let near = Distances::of(comparison).near.unwrap_or("same board");
    let entries: Vec<String> = seen
        .iter()
        .map(|look| {
            let glyph = style.paint(look.ink(), &look.glyph(style).to_string());
            format!("{glyph} {}", look.name(near))
        })
        .collect();
    // Machines with memory-only nodes have few levels: six entries fit the narrowest width.
    format!("{}\n", entries.join("  "))
}

/// Runs that the selection of bars shows, in the order of the comparison.
fn chosen(comparison: &Comparison, bars: Bars) -> Vec<&Run> {
    let runs = &comparison.runs;
    let extreme = |worst: bool| {
        let key = |at: &usize| if worst { u64::MAX - runs[*at].makespan_ps } else { runs[*at].makespan_ps };
        (0..runs.len()).min_by_key(key)
    };
    let (best, worst) = (extreme(false), extreme(true));
    let shown = |at: usize| match bars {
        Bars::All => true,
        Bars::Few => runs.len() <= 3 || Some(at) == best || Some(at) == worst,
        Bars::None => false,
    };
    runs.iter().enumerate().filter(|(at, _)| shown(*at)).map(|(_, run)| run).collect()
}
