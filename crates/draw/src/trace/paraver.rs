//! Paraver's text format: states of threads, communications where work changes hands, counters of
//! resources. The legend (`.pcf`) names states and counters, the rows file (`.row`) names the
//! threads. Times are in nanoseconds.

use numalab_base::printable;
use numalab_results::{Account, SpanKind, Timeline, TimelineThread};
use std::fmt::Write as _;
use std::io::{self, Write};

const PS_PER_NS: u64 = 1000;

/// Types of Paraver events: reason of a span (`REASON`) and phase of the program (`PHASE`). Resource `i` has the type
/// `COUNTERS + i`.
const REASON: u64 = 90_000_001;
const PHASE: u64 = 90_000_002;
const COUNTERS: u64 = 91_000_000;

/// Contents of the two files that Paraver reads beside a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParaverFiles {
    /// Names of states and events (`.pcf`).
    pub legend: String,
    /// Names of threads (`.row`).
    pub rows: String,
}

/// Writes the trace; returns the files to write beside it.
pub fn paraver(timeline: &Timeline, out: &mut dyn Write) -> io::Result<ParaverFiles> {
    let threads = timeline.threads.len();
    let until = (timeline.to_ps - timeline.from_ps) / PS_PER_NS;
    // One application with one process on one machine, and one processor per thread.
    writeln!(out, "#Paraver (01/01/2000 at 00:00):{until}_ns:1({threads}):1:1({threads}:1)")?;
    let mut records: Vec<(u64, String)> = Vec::new();
    let nanoseconds =
        |ps: u64| ps.clamp(timeline.from_ps, timeline.to_ps).saturating_sub(timeline.from_ps) / PS_PER_NS;
    for thread in 0..threads {
        let thread_id = format!("{0}:1:1:{0}", thread + 1);
        for (from, span) in timeline.spans_of(thread) {
            let (from, to) = (nanoseconds(from), nanoseconds(span.to_ps));
            if from < to {
                let state = state(timeline.kinds[span.kind as usize].account);
                records.push((from, format!("1:{thread_id}:{from}:{to}:{state}")));
                records.push((from, format!("2:{thread_id}:{from}:{REASON}:{}", span.kind + 1)));
            }
        }
    }
    let names = phases(timeline);
    for phase in &timeline.phases {
        let number = names.iter().position(|name| *name == phase.name).map_or(0, |at| at + 1);
        for (at, value) in [(phase.from_ps, number), (phase.to_ps, 0)] {
            records.push((nanoseconds(at), format!("2:1:1:1:1:{}:{PHASE}:{value}", nanoseconds(at))));
        }
    }
    for handover in &timeline.handovers {
        let (from, to, at) = (handover.from + 1, handover.to + 1, nanoseconds(handover.at_ps));
        let ends = format!("3:{from}:1:1:{from}:{at}:{at}:{to}:1:1:{to}:{at}:{at}");
        records.push((at, format!("{ends}:{}:1", handover.iterations)));
    }
    for (number, resource) in (COUNTERS..).zip(&timeline.resources) {
        for (bin, rate) in (0..).zip(timeline.rates(&resource.bytes)) {
            let at = bin * timeline.bin_ps / PS_PER_NS;
            records.push((at.min(until), format!("2:1:1:1:1:{}:{number}:{rate:.0}", at.min(until))));
        }
    }
    records.sort_by_key(|record| record.0);
    for (_, record) in records {
        writeln!(out, "{record}")?;
    }
    Ok(ParaverFiles { legend: legend(timeline), rows: rows(timeline) })
}

/// Number of Paraver's standard state for an account: idle, running, scheduling (for overhead) or blocked (for
/// memory).
fn state(account: Account) -> u32 {
    match account {
        Account::Idle => 0,
        Account::Compute => 1,
        Account::Overhead => 7,
        Account::Stall => 9,
    }
}

fn legend(timeline: &Timeline) -> String {
    let mut text = String::from(
        "DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\n\nSTATES\n",
    );
    for account in Account::ALL {
        let _ = writeln!(text, "{:<4}{}", state(account), account.name());
    }
    text += "\nSTATES_COLOR\n";
    for (account, colour) in
        Account::ALL.into_iter().zip(["0,114,178", "213,94,0", "204,121,167", "190,190,190"])
    {
        let _ = writeln!(text, "{:<4}{{{colour}}}", state(account));
    }
    let _ = write!(text, "\nEVENT_TYPE\n0    {REASON}    Reason of a span\nVALUES\n0      none\n");
    for (number, kind) in (1..).zip(&timeline.kinds) {
        let _ = writeln!(text, "{number:<7}{}", SpanKind::to_string(kind));
    }
    let _ = write!(text, "\nEVENT_TYPE\n0    {PHASE}    Phase of the program\nVALUES\n0      none\n");
    for (number, name) in (1..).zip(phases(timeline)) {
        let _ = writeln!(text, "{number:<7}{}", printable(name));
    }
    for (number, resource) in (COUNTERS..).zip(&timeline.resources) {
        let _ = write!(text, "\nEVENT_TYPE\n7    {number}    {} [B/s]\n", printable(&resource.name));
    }
    text
}

/// Distinct names of the phases, in order of occurrence.
fn phases(timeline: &Timeline) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for phase in &timeline.phases {
        if !names.contains(&phase.name.as_str()) {
            names.push(&phase.name);
        }
    }
    names
}

fn rows(timeline: &Timeline) -> String {
    let threads = &timeline.threads;
    let mut text = format!("LEVEL CPU SIZE {}\n", threads.len());
    for thread in threads {
        let _ = writeln!(text, "processor {}", thread.processor);
    }
    let _ = write!(
        text,
        "\nLEVEL NODE SIZE 1\n{}\n\nLEVEL THREAD SIZE {}\n",
        printable(&timeline.machine),
        threads.len()
    );
    for (number, thread) in threads.iter().enumerate() {
        let TimelineThread { node, socket, board, processor } = thread;
        let _ =
            writeln!(text, "thread {number} processor {processor} node {node} socket {socket} board {board}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_page::tests::timeline;

    /// Start, end and reason of a span.
    type Span = (u64, u64, u64);

    /// Parses a trace: spans of each thread, and the number of communications.
    fn read(text: &str) -> (Vec<Vec<Span>>, usize) {
        let mut lines = text.lines();
        let head = lines.next().unwrap();
        let threads = head.split(['(', ')']).nth(3).unwrap().parse().unwrap();
        let mut spans: Vec<Vec<Span>> = vec![Vec::new(); threads];
        let mut handovers = 0;
        for line in lines {
            let fields: Vec<u64> = line.split(':').map(|field| field.parse().unwrap()).collect();
            match fields[..] {
                [1, cpu, 1, 1, thread, from, to, _state] => {
                    assert_eq!(cpu, thread);
                    spans[thread as usize - 1].push((from, to, 0));
                }
                [2, _, 1, 1, thread, at, REASON, kind] => {
                    let last = spans[thread as usize - 1].last_mut().unwrap();
                    assert_eq!(last.0, at);
                    last.2 = kind - 1;
                }
                [2, 1, 1, 1, 1, _, counter, _] => assert!(counter == PHASE || counter >= COUNTERS),
                [3, ..] => {
                    assert_eq!(fields.len(), 15);
                    handovers += 1;
                }
                _ => panic!("no record of Paraver's: {line}"),
            }
        }
        (spans, handovers)
    }

    /// Law: Fields of a trace are those of the schema, and spans can be read back.
    #[test]
    fn trace_reads_back() {
        let timeline = timeline("dynamic");
        let mut bytes = Vec::new();
        let files = paraver(&timeline, &mut bytes).unwrap();
        let (spans, handovers) = read(&String::from_utf8(bytes).unwrap());
        let expected: Vec<Vec<Span>> = (0..timeline.threads.len())
            .map(|thread| {
                let spans = timeline.spans_of(thread);
                spans.map(|(from, span)| (from / 1000, span.to_ps / 1000, span.kind.into())).collect()
            })
            .collect();
        assert_eq!((spans, handovers), (expected, 1));
        for phase in &timeline.phases {
            assert!(files.legend.contains(&phase.name));
        }
        for kind in &timeline.kinds {
            assert!(files.legend.contains(&kind.to_string()));
        }
        assert!(files.rows.contains("LEVEL THREAD SIZE 2\nthread 0 processor 0 node 0"));
    }
}
