//! Notes about what a replay does not know, in sentences.

use super::one_thread::Sums;
use super::parameters::Parameters;
use super::phases::{Data, Replay, name, readable};
use crate::Recording;
use crate::work::{Class, Form};
use numalab_files::Facts;
use numalab_nlt::Token;

/// Fraction of the time below which an effect is not noted.
const WORTH_A_WORD: f64 = 0.01;

/// Fraction of the time from which on a replay without it proves nothing.
const MOST_LEFT_OUT: f64 = 0.1;

/// Notes on what was taken out of the costs, and on their sum.
fn costs(recording: &Recording) -> Vec<String> {
    let mut notes = Vec::new();
    let work = &recording.work;
    let (mut own, mut kept) = (0u64, 0u64);
    for (step, rounds) in work.order.steps() {
        let class = &work.classes[step.class as usize];
        let times = u64::from(step.times).saturating_mul(rounds.into());
        // The start of the runtime is no part of the program, however short the program is.
        if class.form != Form::Serial {
            own = own.saturating_add(class.recorder_ns.saturating_mul(times));
            kept = kept.saturating_add(class.cost_ns().saturating_mul(times));
        }
    }
    let of_recorder = part(own, own.saturating_add(kept));
    if of_recorder > MOST_LEFT_OUT {
        notes.push(format!(
            "{:.0} % of the recorded time in regions were the recorder's and the runtime's, and are taken out",
            100.0 * of_recorder
        ));
    }
    let Some(sums) = Sums::of(recording).filter(Sums::differ) else { return notes };
    let ms = |ns: u64| ns as f64 / 1e6;
    let scaled = match sums.part() < 1.0 {
        true => ": costs are those of one thread, and `most` has them as recorded",
        false => "",
    };
    notes.push(format!(
        "unproven: {:.3} ms were recorded in regions, and one thread takes {:.3} ms there{scaled}",
        ms(sums.recorded_ns),
        ms(sums.one_thread_ns),
    ));
    notes
}

/// Notes on a recording and its replay, for a reader of the results.
pub fn notes(recording: &Recording, replay: &Replay, parameters: &Parameters, facts: &Facts) -> Vec<String> {
    let work = &recording.work;
    let counts = match parameters.overlap {
        1.0 => "of computing as recorded and waiting for them the longer counts",
        _ => "computing and waiting for them overlap in part",
    };
    let mut notes = vec![match replay.data {
        Data::Lent => format!("data are lent by a file: {counts}"),
        Data::Recorded => format!("data are the pages that were watched: {counts}"),
        Data::Partly(part) => format!(
            "of {:.0} % of its time it is known which pages are touched: {counts}; the rest only computes",
            100.0 * part
        ),
        Data::Unknown => {
            "it has no footprints: only computing is replayed, and nothing here depends on where data are"
                .to_owned()
        }
    }];
    match recording.meta.token {
        Token::Passed => {}
        Token::Broken => notes
            .push("unproven: threads waited for each other unseen, so that costs were disturbed".to_owned()),
        Token::Off => notes.push(
            "unproven: all threads worked at a time, so that costs are those of a busy computer".to_owned(),
        ),
    }
    if let Some(status) = recording.meta.exit_status {
        notes.push(format!("the program ended with exit status {status}"));
    }
    if recording.meta.partial {
        notes.push(
            "the recording ended at its size limit: what the program did later is not replayed".to_owned(),
        );
    }
    notes.extend(costs(recording));
    for class in replay.sparse.iter().map(|at| &work.classes[*at]) {
        let bandwidth = recording.meta.recorder.map_or(0, |costs| costs.bandwidth);
        let seconds =
            1e-9 * class.cost_ns() as f64 * readable(class, bandwidth, replay.part) as f64 / bandwidth as f64;
        notes.push(format!(
            "unproven: {}: its pages as a whole are {:.0} GB/s, and one thread reads {:.0}; from one line of each page \
             up to that are replayed",
            name(recording, class),
            1e-9 * class.touched_bytes() as f64 / seconds,
            1e-9 * bandwidth as f64,
        ));
    }
    for class in work.classes.iter().filter(|class| class.ordered) {
        notes.push(format!(
            "unproven: {}: its iterations have ordered parts, which a replay runs at the same time",
            name(recording, class)
        ));
    }
    if !recording.gaps.is_empty() {
        notes.push(format!("the file has lost {} of its blocks", recording.gaps.len()));
    }
    let compared: Vec<&Class> = replay.compared.iter().map(|at| &work.classes[*at]).collect();
    for (class, at) in compared.iter().zip(&replay.compared) {
        let (name, team) = (name(recording, class), class.team);
        let place = replay.classes.iter().position(|class| *class as usize == *at);
        let unit = place.and_then(|place| replay.phases[place].unit).unwrap_or(1);
        if unit > 1 {
            notes.push(format!(
                "{name}: {unit} iterations are one here: dynamic,1 takes {unit}, and chunks are whole multiples of that"
            ));
        }
        if class.form == Form::Loop && class.grain() > unit {
            notes.push(format!(
                "{name}: measured in chunks of up to {} iterations; what smaller ones cost is interpolated",
                class.grain()
            ));
        }
        if class.filled {
            notes.push(format!("{name}: its chunks were not seen one by one; their costs are interpolated"));
        }
        if class.form == Form::Loop
            && facts.threads > team
            && class.grain() > class.iterations / u64::from(facts.threads)
        {
            notes.push(format!(
                "{name}: recorded with a team of {team}; for {} threads costs are interpolated",
                facts.threads
            ));
        }
        if part(class.locked_ns, class.cost_ns()) > WORTH_A_WORD {
            let percent = 100.0 * part(class.locked_ns, class.cost_ns());
            notes.push(format!("{name}: {percent:.0} % of it is under locks, on which no thread waits here"));
        }
    }
    if work.classes.iter().any(|class| class.varies) {
        notes.push("unproven: tasks differed from run to run; the first run is replayed".to_owned());
    }
    let whole: u64 = work
        .order
        .steps()
        .map(|(step, rounds)| {
            work.classes[step.class as usize]
                .cost_ns()
                .saturating_mul(u64::from(step.times) * u64::from(rounds))
        })
        .fold(0, u64::saturating_add);
    // The program's part of it is at most what one thread takes beyond the costs.
    let beyond =
        Sums::of(recording).map_or(u64::MAX, |sums| sums.one_thread_ns.saturating_sub(sums.recorded_ns));
    let left_out_ns = work.order.left_out_ns.min(beyond);
    let left_out = part(left_out_ns, whole.saturating_add(left_out_ns));
    if left_out > WORTH_A_WORD {
        let percent = 100.0 * left_out;
        let doubt = if left_out > MOST_LEFT_OUT { "unproven: " } else { "" };
        notes.push(format!(
            "{doubt}{percent:.1} % of its time is left out: parts of regions too short to tell from the recorder"
        ));
    }
    if replay.rounds_only {
        notes.push(format!(
            "measured are its {} repetitions; what comes before them runs, what comes after does not",
            replay.rounds
        ));
    }
    notes
}

fn part(one: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { one as f64 / whole as f64 }
}
