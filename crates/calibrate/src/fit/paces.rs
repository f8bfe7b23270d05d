//! Instructions per cycle of loops that read lines in random order.
//!
//! Rows of such a loop with data in a core's own caches do not wait: all their time is computing, possibly at fewer
//! instructions per cycle than another loop. With data in outer caches, the loop executes as many instructions per
//! cycle as with data in a core's own caches.

use super::observation::Observation;
use super::subject::Subject;

/// Sets the instructions per cycle of each row of `random_reads` without a stream. The value is that of the row with
/// as many additions and the least data; `None` if a core's own caches do not hold this data.
pub(super) fn of_random_lines(rows: &mut [Observation], subject: &Subject) {
    let own = subject.machine.caches.iter().rev().nth(1).map_or(0, |inner| inner.size.0);
    let footprint = |row: &Observation| row.number("footprint").unwrap_or(f64::INFINITY);
    let places: Vec<usize> = (0..rows.len()).filter(|row| is_alone(&rows[*row])).collect();
    for at in &places {
        let adds = rows[*at].number("adds");
        let like_it = places.iter().filter(|other| rows[**other].number("adds") == adds);
        let least = like_it.min_by(|a, b| footprint(&rows[**a]).total_cmp(&footprint(&rows[**b])));
        let least = least.map(|least| &rows[*least]).filter(|row| footprint(row) <= own as f64);
        rows[*at].pace = least.and_then(|row| pace(row, subject));
    }
}

fn is_alone(row: &Observation) -> bool {
    row.row.experiment == "random_reads" && row.number("beside").unwrap_or(0.0) == 0.0
}

/// Instructions per cycle at which the simulated time of a row without memory waits equals the measured time. `None`
/// if the row cannot be simulated.
fn pace(row: &Observation, subject: &Subject) -> Option<f64> {
    let row = Observation { pace: None, ..row.clone() };
    let simulated = row.simulate(subject).ok()??;
    Some(subject.machine.core.instructions_per_cycle * simulated / row.value)
}
