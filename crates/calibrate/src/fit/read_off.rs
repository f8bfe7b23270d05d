//! Values that are read off instead of fitted, since a row states them unambiguously.

use super::observation::Observation;
use numalab_base::parameter::Parameters;
use numalab_base::{Frequency, Span};
use numalab_machine::{Core, Machine, SKYLAKE_WINDOW};

/// Line fill buffers of a Skylake core (Intel's manual).
const BUFFERS: f64 = 12.0;
/// Cycles of a PAUSE instruction on a Skylake core (Intel's manual).
const PAUSE: f64 = 140.0;
/// Defaults measured on a guest on Zen 4 cores. `ATOMIC_AHEAD` and `ATOMIC_PAST`: fractions of an atomic operation's
/// wait that overlap with computing before and after the operation. `PASSED_ON`: fraction of the core-to-core latency
/// that a hand-over takes.
const ATOMIC_AHEAD: f64 = 0.75;
const ATOMIC_PAST: f64 = 1.0;
const PASSED_ON: f64 = 0.43;

/// Minimum wait for an atomic addition's line, as a fraction of the addition's time, at which the rows show the wait.
const SEEN: f64 = 0.05;

const OF_ATOMICS: [&str; 2] = ["core.atomic_ahead", "core.atomic_past"];

/// Name of the experiment that states a value directly; `None` if the value is not read off.
pub(super) fn experiment(path: &str) -> Option<&'static str> {
    match path {
        "core.clock" | "core.pause" => Some("compute"),
        path if OF_ATOMICS.contains(&path) => Some("atomic_order"),
        _ => None,
    }
}

/// Sets all values that a row states directly, and removes these rows. Without such a row the clock stays, and every
/// other value gets a default; the paths of defaults are added to `assumed`. Returns the paths of the values that
/// rows state, with their sources.
pub(super) fn all(
    machine: &mut Machine,
    rows: &mut Vec<Observation>,
    assumed: &mut Vec<String>,
) -> Vec<(String, String)> {
    let shared = machine.shared_cache();
    let Machine { core, caches, .. } = machine;
    let mut stated = Vec::new();
    let mut take = |path: &str, quantity: &str, by: &str| {
        let at = rows.iter().position(|row| row.row.quantity == quantity)?;
        let row = rows.remove(at);
        stated.push((path.to_owned(), format!("{by} ({})", row.row.source)));
        Some(row.value)
    };
    if let Some(clock) = take("core.clock", "frequency", "a chain of additions") {
        core.clock = Frequency(clock * 1e9);
    }
    core.pause = match take("core.pause", "pause", "rests one after another") {
        Some(pause) => Span((pause * 1e3).round() as u64),
        None => Span((PAUSE * 1e12 / core.clock.0).round() as u64),
    };
    (core.atomic_ahead, core.atomic_past) = (ATOMIC_AHEAD, ATOMIC_PAST);
    if let Some((ahead, past, by)) = order_of_atomics(rows) {
        (core.atomic_ahead, core.atomic_past) = (ahead, past);
        stated.extend(OF_ATOMICS.map(|path| (path.to_owned(), by.clone())));
    }
    rows.retain(|row| row.row.experiment != "atomic_order");
    // A synthetic machine has no window, so its lines in random order would cost as much as streams.
    (core.window, core.random_outstanding) = (Some(SKYLAKE_WINDOW), Some(BUFFERS));
    let of_core = Core::SECTION.parameters.iter().filter(|parameter| parameter.rule.assumed_of.is_some());
    assumed.extend(of_core.map(|parameter| format!("core.{}", parameter.name)));
    if let Some(at) = shared {
        caches[at].passed_on = PASSED_ON;
        assumed.push(format!("cache[{at}].passed_on"));
    }
    assumed.retain(|path| stated.iter().all(|(known, _)| known != path));
    stated
}

/// Fractions of the wait for an atomic operation's line that overlap with computing before and after the operation
/// (`core.atomic_ahead`, `core.atomic_past`), and their source. The wait is the extra time of an addition whose
/// result is used; no more of it can overlap than the computing takes. `None` if a row is missing, or if the line
/// moves too fast to be visible.
fn order_of_atomics(rows: &[Observation]) -> Option<(f64, f64, String)> {
    let turn = |order: &str| {
        rows.iter().find(|row| row.row.experiment == "atomic_order" && row.param("order") == Some(order))
    };
    let (none, chained) = (turn("none")?, turn("chained")?);
    let wait = chained.value - none.value;
    if wait < SEEN * chained.value {
        return None;
    }
    let computing = chained.number("delay_ns")?;
    let hidden = |order: &Observation| ((chained.value - order.value) / wait.min(computing)).clamp(0.0, 1.0);
    let source = format!("additions beside computing ({})", chained.row.source);
    Some((hidden(turn("after")?), hidden(turn("before")?), source))
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_imports::measurements::{Limits, Row, Sample};

    fn row(order: &str, value: f64) -> Observation {
        let row = Row {
            experiment: "atomic_order".to_owned(),
            quantity: "turn".to_owned(),
            params: vec![("order".to_owned(), order.to_owned()), ("delay_ns".to_owned(), "50".to_owned())],
            unit: "ns".to_owned(),
            samples: vec![Sample::of(value)],
            source: "here".to_owned(),
        };
        Observation::of(&row, &Limits::default())
    }

    fn read(values: [f64; 4]) -> Option<(f64, f64)> {
        let orders = ["none", "chained", "before", "after"];
        let rows: Vec<Observation> =
            orders.iter().zip(values).map(|(order, value)| row(order, value)).collect();
        order_of_atomics(&rows).map(|(ahead, past, _)| (ahead, past))
    }

    /// The line takes 30 ns. Computing after the operation hides all 30 ns, computing before the operation two
    /// thirds.
    #[test]
    fn what_computing_hides_of_a_line() {
        assert_eq!(read([60.0, 90.0, 60.0, 70.0]), Some((20.0 / 30.0, 1.0)));
    }

    /// The line takes 200 ns, beside 50 ns of computing. After the operation all 50 ns overlap, before it none.
    #[test]
    fn no_more_is_hidden_than_is_computed() {
        assert_eq!(read([60.0, 260.0, 210.0, 261.0]), Some((0.0, 1.0)));
    }

    #[test]
    fn a_line_that_takes_no_time_says_nothing() {
        assert_eq!(read([60.0, 61.0, 60.0, 61.0]), None);
    }
}
