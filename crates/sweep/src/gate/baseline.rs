//! Gate: each point's value differs from its value in a file of results (the baseline) by at most a fraction.
//!
//! Improvements beyond the fraction fail too: otherwise the baseline would soon be outdated. Points that only the
//! sweep or only the baseline has are reported, since they cannot be compared.

use super::difference::difference;
use super::{Compared, Findings, Known, Measure};
use crate::group::{Key, Labels, REPLICAS, groups_of};
use crate::matching::shared;
use numalab_results::Frame;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

pub fn check(compared: &Compared<'_>, file: &Path, by: f64, known: &Known<'_>) -> Findings {
    let name = file.display();
    let read = || -> Result<_, String> {
        let there =
            (known.read)(file).map_err(|error| format!("the baseline cannot be read: {}", first(&error)))?;
        let of_baseline = |what: String| format!("the baseline {name} does not fit: {what}");
        let column = &compared.frame.columns[compared.measure.column()].name;
        let measure = Measure::find(&there, column).map_err(of_baseline)?;
        let shared = shared(compared.frame, &there, &REPLICAS).map_err(of_baseline)?;
        Ok((there, measure, shared))
    };
    let (there, measure, shared) = match read() {
        Ok(read) => read,
        Err(problem) => return Findings::problem(problem),
    };
    let shared: Vec<&str> = shared.iter().map(String::as_str).collect();
    let sides = Sides { here: compared.frame, there: &there, shared: &shared };
    let (mut findings, missing) = sides.compare(compared, &measure, by);
    let gone = if known.partial { Vec::new() } else { sides.gone() };
    let lines = [
        listed(&missing, &format!("missing in the baseline {name}")),
        listed(&gone, "of the baseline no longer in the sweep"),
        (findings.checked == 0).then(|| "nothing was compared".to_owned()),
    ];
    let lines: Vec<String> = lines.into_iter().flatten().collect();
    findings.problem = Some(lines.join("; ")).filter(|text| !text.is_empty());
    findings
}

/// First line of an error message, with its position in the file.
pub(super) fn first(error: &str) -> String {
    let mut lines = error.lines().map(str::trim);
    let what = lines.next().unwrap_or_default();
    let place = lines.next().and_then(|line| line.strip_prefix("--> "));
    let what = what.strip_prefix("error: ").unwrap_or(what);
    place.map_or(what.to_owned(), |place| format!("{what} ({place})"))
}

struct Sides<'a> {
    here: &'a Frame,
    there: &'a Frame,
    shared: &'a [&'a str],
}

impl Sides<'_> {
    /// Violations of points whose value differs from the baseline's by more than `limit`, and labels of the points
    /// for which the baseline has no value.
    fn compare(&self, compared: &Compared<'_>, measure: &Measure, limit: f64) -> (Findings, Vec<String>) {
        let Sides { here, there, shared } = *self;
        let key = Key::named(there, shared);
        let mut baseline: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for row in 0..there.rows.len() {
            baseline.entry(key.of(there, row)).or_default().push(row);
        }
        let (key, labels) =
            (Key::named(here, shared), Labels::of(here, &["policy", REPLICAS[0], REPLICAS[1]]));
        let policy = Key::named(here, &["policy"]);
        let (mut findings, mut missing) = (Findings::default(), Vec::new());
        for group in groups_of(here, &REPLICAS, compared.rows) {
            let first = group.rows[0];
            let Some(value) = compared.measure.over(here, &group.rows) else { continue };
            let rows = baseline.get(&key.of(here, first));
            let Some(reference_value) = rows.and_then(|rows| measure.over(there, rows)) else {
                missing.push(group.label);
                continue;
            };
            let (point, name) = (labels.of_row(here, first), policy.of(here, first).concat());
            let baseline = ("baseline", &reference_value);
            findings.add(difference((&point, (&name, &value)), baseline, f64::abs, limit));
        }
        (findings, missing)
    }

    /// Names of the points that only the baseline has.
    fn gone(&self) -> Vec<String> {
        let Sides { here, there, shared } = *self;
        let (key, other) = (Key::named(here, shared), Key::named(there, shared));
        let keys: BTreeSet<_> = (0..here.rows.len()).map(|row| key.of(here, row)).collect();
        let all: Vec<usize> = (0..there.rows.len()).collect();
        let points = groups_of(there, &REPLICAS, &all).into_iter();
        points
            .filter(|group| !keys.contains(&other.of(there, group.rows[0])))
            .map(|group| group.label)
            .collect()
    }
}

/// Sentence such as `2 points missing in the baseline, the first is bcs16 · static`; `None` without points.
fn listed(points: &[String], what: &str) -> Option<String> {
    let first = points.first()?;
    Some(match points.len() {
        1 => format!("1 point {what}: {first}"),
        count => format!("{count} points {what}, the first is {first}"),
    })
}
