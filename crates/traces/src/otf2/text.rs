//! Lines of `otf2-print -A`.

use super::definitions::{Definitions, references};
use super::{Event, What};
use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::tree::{TextRange, shorten};
use std::collections::BTreeMap;

/// Largest number of events.
const MOST_EVENTS: usize = 50_000_000;
/// Largest number of errors that are reported.
const MOST_ERRORS: usize = 20;

/// Name of a task in the archive: team, creating thread in that team, and number among that thread's tasks.
type Name = (u64, u64, u64);

/// Numbers of tasks by name.
#[derive(Default)]
struct Tasks {
    numbers: BTreeMap<Name, u32>,
    created: Vec<bool>,
}

impl Tasks {
    /// Number of a task; a new name gets the next one.
    fn number(&mut self, name: Name) -> u32 {
        let next = self.created.len() as u32;
        let number = *self.numbers.entry(name).or_insert(next);
        if number == next {
            self.created.push(false);
        }
        number
    }
}

/// Reads definitions and events, in the order of time.
pub fn read(text: &str) -> Result<(Definitions, Vec<Event>), Vec<Diagnostic>> {
    let (mut definitions, mut tasks) = (Definitions::default(), Tasks::default());
    let (mut events, mut errors) = (Vec::new(), Vec::new());
    let mut in_events = false;
    for line in text.lines() {
        let at = line.as_ptr() as usize - text.as_ptr() as usize;
        if line.starts_with("===") {
            in_events = line.starts_with("=== Events");
            continue;
        }
        // Attributes are indented lines below their event.
        if line.is_empty() || line.starts_with([' ', '-']) {
            continue;
        }
        let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        let known = if in_events {
            event(kind, rest, at, &definitions, &mut tasks).map(|event| events.extend(event))
        } else {
            definitions.take(kind, rest)
        };
        if known.is_none() && errors.len() < MOST_ERRORS {
            let span = TextRange { source: 0, start: at, end: at + line.len() };
            let what = if in_events { "event" } else { "definition" };
            let message = format!("{} is no {what} of otf2-print", shorten(line));
            errors.push(Diagnostic::new(span, message, "expected a line of `otf2-print -A`, version 2 or 3"));
        }
        if events.len() > MOST_EVENTS {
            return Err(vec![plain(
                format!("there are more than {MOST_EVENTS} events"),
                "trace a shorter run, or print a part of the time",
            )]);
        }
    }
    if errors.is_empty() {
        errors.extend(unusable(&definitions, &events));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    events.sort_by_key(|event| event.time);
    number_by_creation(&mut events, &tasks.created);
    Ok((definitions, events))
}

fn plain(message: String, label: &str) -> Diagnostic {
    Diagnostic::new(TextRange::default(), message, label)
}

fn unusable(definitions: &Definitions, events: &[Event]) -> Option<Diagnostic> {
    if definitions.threads.is_empty() || definitions.ticks_per_second == 0 {
        return Some(plain("there are no threads, or no clock".to_owned(), "print with otf2-print -A"));
    }
    let mut processes: Vec<u64> =
        events.iter().map(|event| definitions.threads[event.thread as usize].process).collect();
    processes.sort_unstable();
    processes.dedup();
    match processes.len() {
        0 => Some(plain("there are no events of threads".to_owned(), "expected those of OpenMP")),
        1 => None,
        many => Some(plain(
            format!("there are events of {many} processes"),
            "expected one: of a program with MPI, trace a run of a single rank",
        )),
    }
}

/// Parses an event: `Some(None)` if the event is of a kind not used here, `None` if it is malformed.
fn event(
    kind: &str,
    rest: &str,
    at: usize,
    definitions: &Definitions,
    tasks: &mut Tasks,
) -> Option<Option<Event>> {
    let mut words = rest.splitn(2, char::is_whitespace);
    let location: u64 = match words.next()?.parse() {
        Ok(location) => location,
        // Header of the table.
        Err(_) if kind == "Event" => return Some(None),
        Err(_) => return None,
    };
    let rest = words.next()?.trim_start();
    let (time, said) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let (time, said) = (time.parse().ok()?, said.trim_start());
    // Locations other than threads, such as counters.
    let Some(thread) = definitions.numbers.get(&location).copied() else { return Some(None) };
    let region = || {
        let number = u32::try_from(references(said).last()?).ok()?;
        definitions.regions.contains_key(&number).then_some(number)
    };
    let what = match kind {
        "ENTER" => What::Enter(region()?),
        "LEAVE" => What::Leave(region()?),
        "THREAD_FORK" | "OMP_FORK" => What::Fork(after(said, "# Requested Threads: ")?.try_into().ok()?),
        "THREAD_JOIN" | "OMP_JOIN" => What::Join,
        "THREAD_TEAM_BEGIN" => What::TeamBegin(references(said).next()?),
        "THREAD_TEAM_END" => What::TeamEnd,
        "THREAD_TASK_CREATE" | "OMP_TASK_CREATE" => {
            let number = tasks.number(name(said)?);
            tasks.created[number as usize] = true;
            What::Create(number)
        }
        "THREAD_TASK_SWITCH" | "OMP_TASK_SWITCH" => What::Switch(Some(tasks.number(name(said)?))),
        "THREAD_TASK_COMPLETE" | "OMP_TASK_COMPLETE" => What::Complete(tasks.number(name(said)?)),
        _ => return Some(None),
    };
    Some(Some(Event { at, time, thread, what }))
}

/// Number after `name`.
fn after(text: &str, name: &str) -> Option<u64> {
    let (_, rest) = text.split_once(name)?;
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..end].parse().ok()
}

/// Name of a task. Older archives state only a number.
fn name(said: &str) -> Option<Name> {
    match after(said, "Generation Number: ") {
        Some(generation) => {
            let (team, creator) = said.rsplit_once("Creating Thread: ")?;
            let end = creator.find(|c: char| !c.is_ascii_digit()).unwrap_or(creator.len());
            Some((references(team).last().unwrap_or(u64::MAX), creator[..end].parse().ok()?, generation))
        }
        None => Some((u64::MAX, u64::MAX, after(said, "Task: ")?)),
    }
}

/// Numbers tasks from 1 in the order of creation. A task without creation is the implicit work of its thread.
fn number_by_creation(events: &mut Vec<Event>, created: &[bool]) {
    let mut numbers = vec![0; created.len()];
    let mut next = 0;
    for event in events.iter() {
        if let What::Create(task) = event.what
            && numbers[task as usize] == 0
        {
            next += 1;
            numbers[task as usize] = next;
        }
    }
    events.retain_mut(|event| {
        match &mut event.what {
            What::Create(task) => *task = numbers[*task as usize],
            What::Complete(task) => {
                *task = numbers[*task as usize];
                return *task != 0;
            }
            What::Switch(task) => *task = task.map(|task| numbers[task as usize]).filter(|task| *task != 0),
            What::Enter(_)
            | What::Leave(_)
            | What::Fork(_)
            | What::Join
            | What::TeamBegin(_)
            | What::TeamEnd => {}
        }
        true
    });
}
