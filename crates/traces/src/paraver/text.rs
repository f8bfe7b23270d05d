//! Records of a `.prv` file.

use numalab_syntax::diagnostics::Diagnostic;
use numalab_syntax::tree::{TextRange, shorten};

/// Largest number of records.
const MOST_RECORDS: usize = 50_000_000;
/// Largest number of threads.
const MOST_THREADS: u64 = 1 << 20;
/// Largest number of errors that are reported.
const MOST_ERRORS: usize = 20;

/// Records of one process. Times are in nanoseconds, threads are numbered from 0.
#[derive(Debug, Default)]
pub struct Trace {
    pub until: u64,
    /// States of threads, by thread and time.
    pub states: Vec<State>,
    /// Events of threads, by time.
    pub events: Vec<Event>,
}

/// State of a thread during an interval.
#[derive(Clone, Copy, Debug)]
pub struct State {
    pub thread: u32,
    pub from: u64,
    pub to: u64,
    pub state: u64,
}

/// Event of a thread: from `time` on, `kind` (a type of event) has the value `value`.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    pub thread: u32,
    pub time: u64,
    pub kind: u64,
    pub value: u64,
}

/// Reads all records of states and events.
pub fn read(text: &str) -> Result<Trace, Vec<Diagnostic>> {
    let (mut trace, mut errors) = (Trace::default(), Vec::new());
    let mut lines = text.lines();
    let head = lines.next().unwrap_or("");
    let span = |line: &str| {
        let start = line.as_ptr() as usize - text.as_ptr() as usize;
        TextRange { source: 0, start, end: start + line.len() }
    };
    let Some((until, ns_per_tick)) = header(head) else {
        let expected = "expected #Paraver (date at time):end_ns:nodes(…):…";
        return Err(vec![Diagnostic::new(span(head), "this is no header of Paraver", expected)]);
    };
    trace.until = until.saturating_mul(ns_per_tick);
    let mut process = None;
    let mut count = 0;
    for line in lines {
        if line.is_empty() || line.starts_with(['#', 'c']) || line.starts_with("3:") {
            continue;
        }
        let expected = match record(line, ns_per_tick, &mut trace) {
            Some(found) if *process.get_or_insert(found) == found => {
                count += 1;
                if count > MOST_RECORDS {
                    let message = format!("there are more than {MOST_RECORDS} records");
                    return Err(vec![Diagnostic::new(
                        span(line),
                        message,
                        "cut a part out of it, with Paraver",
                    )]);
                }
                continue;
            }
            Some(_) => {
                let message = "records of several processes".to_owned();
                let label = "expected those of one: cut a single one out, with Paraver";
                return Err(vec![Diagnostic::new(span(line), message, label)]);
            }
            None => "expected 1:cpu:app:task:thread:from:to:state or 2:cpu:app:task:thread:time:type:value",
        };
        if errors.len() < MOST_ERRORS {
            errors.push(Diagnostic::new(span(line), format!("{} is no record", shorten(line)), expected));
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    trace.states.sort_by_key(|state| (state.thread, state.from));
    trace.events.sort_by_key(|event| event.time);
    Ok(trace)
}

/// End of the trace, and nanoseconds of a unit of its times (microseconds if the header states none).
fn header(line: &str) -> Option<(u64, u64)> {
    let rest = line.strip_prefix("#Paraver (")?.split_once("):")?.1;
    let (end, _) = rest.split_once(':')?;
    let (number, unit) = end.split_once('_').unwrap_or((end, "us"));
    let ns = match unit {
        "ns" => 1,
        "us" => 1000,
        "ms" => 1_000_000,
        _ => return None,
    };
    Some((number.parse().ok()?, ns))
}

/// Adds a record; returns its process as application and task, or `None` if malformed. `ns`: nanoseconds of a unit of
/// time.
fn record(line: &str, ns: u64, trace: &mut Trace) -> Option<(u64, u64)> {
    let mut fields = line.split(':').map(|field| field.trim().parse::<u64>().ok());
    let mut next = || fields.next().flatten();
    let kind = next()?;
    let (_, application, task) = (next()?, next()?, next()?);
    let thread = next()?.checked_sub(1).filter(|thread| *thread < MOST_THREADS)? as u32;
    let time = next()?.checked_mul(ns)?;
    match kind {
        1 => {
            let (to, state) = (next()?.checked_mul(ns)?, next()?);
            if to < time {
                return None;
            }
            trace.states.push(State { thread, from: time, to, state });
        }
        2 => {
            let mut any = false;
            while let Some(kind) = next() {
                trace.events.push(Event { thread, time, kind, value: next()? });
                any = true;
            }
            if !any {
                return None;
            }
        }
        _ => return None,
    }
    if fields.next().is_some() {
        return None;
    }
    Some((application, task))
}
