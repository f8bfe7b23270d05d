//! Leaves the regions of a task when it is suspended, and enters them again when it resumes.
//!
//! An archive records a switch from one task to another and goes on with the other's regions. The regions entered and
//! left on a thread are then no stack, and viewers draw nonsense. This module leaves all open regions of a task when
//! it is suspended, innermost first, and enters them again where it resumes, on any thread.

use super::definitions::Definitions;
use super::{Event, What};
use crate::places::Places;
use numalab_results::TaskDistance;
use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::tree::TextRange;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Class of tasks: distance of the executing thread from the thread that created the task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Distance between the threads' nodes.
    Known(TaskDistance),
    /// The executing thread is not the creator, and the distance between the threads is unknown.
    Elsewhere,
}

impl Class {
    /// Name of the class in the archive.
    pub fn name(self) -> &'static str {
        match self {
            Class::Known(distance) => distance.name(),
            Class::Elsewhere => "another thread",
        }
    }
}

/// An archive whose regions nest.
#[derive(Clone, Debug, Default)]
pub struct Nested {
    /// Entries and exits in the order of time.
    events: Vec<Step>,
    /// Number of tasks that began in each class, and their time of execution in ticks.
    pub classes: BTreeMap<Class, (u64, u64)>,
    /// Number of suspensions of tasks with open regions.
    pub suspended: u64,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    time: u64,
    thread: u32,
    region: u32,
    /// Class of the task if this step enters the task's outermost region; otherwise `None`.
    class: Option<Class>,
    enters: bool,
}

/// Open regions of a task, and its creator.
#[derive(Clone, Debug, Default)]
struct Task {
    creator: u32,
    open: Vec<u32>,
    begun: bool,
    /// Thread that executes the task now.
    on: Option<u32>,
    since: u64,
}

#[derive(Clone, Debug, Default)]
struct Thread {
    /// Open regions outside of explicit tasks.
    open: Vec<u32>,
    task: Option<u32>,
    /// Regions that the last completed task left open: the archive leaves these regions after the task's completion.
    over: Vec<u32>,
}

/// Makes all regions nest. `text` is the source of the events, for errors.
pub fn nest(
    definitions: &Definitions,
    events: &[Event],
    places: &Places,
    text: &str,
) -> Result<Nested, Diagnostic> {
    let mut threads = vec![Thread::default(); definitions.threads.len()];
    let mut tasks: BTreeMap<u32, Task> = BTreeMap::new();
    let mut nested = Nested::default();
    let name = |region: u32| definitions.regions.get(&region).map_or("", |region| region.name.as_str());
    // Threads have different clocks: a task may resume before its creation.
    for event in events {
        if let What::Create(task) = event.what {
            tasks.entry(task).or_default().creator = event.thread;
        }
    }
    for event in events {
        let Event { at, time, thread: number, what } = *event;
        let fail = |message: String, label: String| {
            let end = text[at..].find('\n').map_or(text.len(), |length| at + length);
            Diagnostic::new(TextRange { source: 0, start: at, end }, message, label)
        };
        let thread = &mut threads[number as usize];
        match what {
            What::Enter(region) => {
                thread.over.clear();
                let (open, class) = match thread.task.and_then(|task| tasks.get_mut(&task)) {
                    Some(task) => {
                        let class = class(places, number, task.creator);
                        let outermost = task.open.is_empty();
                        (&mut task.open, outermost.then_some(class))
                    }
                    None => (&mut thread.open, None),
                };
                open.push(region);
                nested.events.push(Step { time, thread: number, region, class, enters: true });
            }
            What::Leave(region) => {
                if thread.over.last() == Some(&region) {
                    thread.over.pop();
                    continue;
                }
                let open = match thread.task.and_then(|task| tasks.get_mut(&task)) {
                    Some(task) => &mut task.open,
                    None => &mut thread.open,
                };
                match open.pop() {
                    Some(inside) if inside == region => {
                        nested.events.push(Step { time, thread: number, region, class: None, enters: false });
                    }
                    Some(inside) => {
                        let message = format!("{} is left while {} is open", name(region), name(inside));
                        return Err(fail(message, format!("expected {} to be left first", name(inside))));
                    }
                    None => {
                        let message = format!("{} is left and was not entered", name(region));
                        return Err(fail(message, "expected it to be entered before".to_owned()));
                    }
                }
            }
            What::Switch(task) => {
                if thread.task == task {
                    continue;
                }
                thread.over.clear();
                if let Some(before) = thread.task.take().and_then(|task| tasks.get_mut(&task)) {
                    nested.suspended += u64::from(!before.open.is_empty());
                    nested.suspend(before, number, time, places);
                }
                let Some(task) = task else { continue };
                let next = tasks.entry(task).or_default();
                if let Some(other) = next.on {
                    let message = format!("thread {other} has not left the task that goes on here");
                    return Err(fail(message, "expected a switch to another task there first".to_owned()));
                }
                thread.task = Some(task);
                nested.resume(next, number, time, places);
            }
            What::Complete(task) => {
                if thread.task != Some(task) {
                    let message = "a task is completed that this thread does not execute".to_owned();
                    return Err(fail(message, "expected a switch to it before".to_owned()));
                }
                thread.task = None;
                if let Some(done) = tasks.get_mut(&task) {
                    nested.suspend(done, number, time, places);
                    thread.over = std::mem::take(&mut done.open);
                }
            }
            What::Create(_) | What::TeamEnd | What::Fork(_) | What::Join | What::TeamBegin(_) => {}
        }
    }
    let end = events.last().map_or(0, |event| event.time);
    for (number, thread) in (0..).zip(&threads) {
        let inside = thread.task.and_then(|task| tasks.get(&task)).map_or(&[][..], |task| &task.open);
        for region in inside.iter().rev().chain(thread.open.iter().rev()) {
            nested.events.push(Step {
                time: end,
                thread: number,
                region: *region,
                class: None,
                enters: false,
            });
        }
    }
    Ok(nested)
}

fn class(places: &Places, thread: u32, creator: u32) -> Class {
    places.distance(thread, creator).map_or(Class::Elsewhere, Class::Known)
}

impl Nested {
    fn suspend(&mut self, task: &mut Task, thread: u32, time: u64, places: &Places) {
        task.on = None;
        let known = self.classes.entry(class(places, thread, task.creator)).or_default();
        known.1 += time.saturating_sub(task.since);
        let leave = |region: &u32| Step { time, thread, region: *region, class: None, enters: false };
        self.events.extend(task.open.iter().rev().map(leave));
    }

    fn resume(&mut self, task: &mut Task, thread: u32, time: u64, places: &Places) {
        let class = class(places, thread, task.creator);
        (task.on, task.since) = (Some(thread), time);
        if !std::mem::replace(&mut task.begun, true) {
            self.classes.entry(class).or_default().0 += 1;
        }
        let enter = |(depth, region): (usize, &u32)| Step {
            time,
            thread,
            region: *region,
            class: (depth == 0).then_some(class),
            enters: true,
        };
        self.events.extend(task.open.iter().enumerate().map(enter));
    }
}

/// Writes the archive in lines: `ticks`, a `thread` each with its node (-1 if unknown) and name, a `region` each with
/// number, role, paradigm, line, class, file and name, then `+` for entering and `-` for leaving with thread, time
/// and region. Tabs separate the cells of definitions.
pub fn write(
    definitions: &Definitions,
    nested: &Nested,
    places: &Places,
    to: &mut dyn Write,
) -> io::Result<()> {
    let plain = |text: &str| text.replace(['\t', '\n', '\r'], " ");
    writeln!(to, "ticks\t{}", definitions.ticks_per_second)?;
    for (number, thread) in (0..).zip(&definitions.threads) {
        let node = places.node(number).map_or(-1, i64::from);
        writeln!(to, "thread\t{node}\t{}", plain(&thread.name))?;
    }
    let mut numbers: BTreeMap<(u32, Option<Class>), usize> = BTreeMap::new();
    for step in nested.events.iter().filter(|step| step.enters) {
        let next = numbers.len();
        numbers.entry((step.region, step.class)).or_insert(next);
    }
    let mut sorted: Vec<_> = numbers.iter().collect();
    sorted.sort_by_key(|(_, number)| **number);
    for ((region, class), number) in sorted {
        let Some(region) = definitions.regions.get(region) else { continue };
        let class = class.map_or("", Class::name);
        writeln!(
            to,
            "region\t{number}\t{}\t{}\t{}\t{class}\t{}\t{}",
            region.role,
            region.paradigm,
            region.line.unwrap_or(0),
            plain(&region.file),
            plain(&region.name),
        )?;
    }
    let mut open: Vec<Vec<(u32, usize)>> = vec![Vec::new(); definitions.threads.len()];
    for step in &nested.events {
        let open = &mut open[step.thread as usize];
        let (sign, number) = if step.enters {
            let number = numbers.get(&(step.region, step.class)).copied().unwrap_or(0);
            open.push((step.region, number));
            ('+', number)
        } else {
            let at = open.iter().rposition(|(region, _)| *region == step.region);
            ('-', at.map_or(0, |at| open.remove(at).1))
        };
        writeln!(to, "{sign} {} {} {number}", step.thread, step.time)?;
    }
    Ok(())
}
