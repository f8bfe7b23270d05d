//! Notes about what a replay does not know, in sentences.

use super::parameters::Parameters;
use super::phases::{Data, Replay, name};
use crate::Recording;
use crate::work::{Class, Form};
use numalab_files::Facts;
use numalab_nlt::Token;

/// Fraction of the time below which an effect is not noted.
const WORTH_A_WORD: f64 = 0.01;

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
    if part(work.order.left_out_ns, whole) > WORTH_A_WORD {
        let percent = 100.0 * part(work.order.left_out_ns, whole);
        notes.push(format!(
            "{percent:.1} % of its time is left out: parts of regions too short to tell from the recorder"
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
