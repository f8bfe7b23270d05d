//! Origins of values from the table `origins` of a file, checked against the values that the file has.

use numalab_base::{FileValue, ValueOrigin, ValueOrigins, covers};
use numalab_files::origins::OriginsFile;
use numalab_files::table::Named;
use numalab_files::{Override, WrittenValue, written_values};
use numalab_syntax::nearest::hint;
use numalab_syntax::report::Report;
use numalab_syntax::tree::shorten;
use std::cell::OnceCell;

/// Origins of the values of a file. Values that the file leaves out are defaults. Reports paths that are no value's or
/// table's, and tolerances that are no fractions.
pub(crate) fn resolve<P>(
    file: &OriginsFile,
    values: &[FileValue<P>],
    report: &mut Report<'_>,
) -> ValueOrigins {
    let written = OnceCell::new();
    let is_written = |path: &str| {
        let written = written.get_or_init(|| written_values(report.root));
        written.iter().any(|known| covers(path, &known.path) || covers(path, &known.place))
    };
    let is_known = |path: &str| {
        values.iter().any(|known| covers(path, &known.path) || covers(path, &known.place)) || is_written(path)
    };
    let mut wrong: Vec<(String, &str)> = Vec::new();
    let mut origins = ValueOrigins {
        others: file.others.map_or(ValueOrigin::default(), |Named(word)| word),
        ..ValueOrigins::default()
    };
    for (key, paths, origin) in file.lists() {
        for (at, path) in paths.iter().enumerate() {
            match is_known(path) {
                true => origins.listed.push((path.clone(), origin)),
                false => wrong.push((format!("origins.{key}[{at}]"), path)),
            }
        }
    }
    for (path, within) in &file.within {
        let place = format!("origins.within.{path}");
        if !is_known(path) {
            wrong.push((place, path));
        } else if !(0.0..=MOST).contains(within) {
            let message = format!("the tolerance of {path} is {within}");
            report.at(&place, message, format!("expected a number from 0 to {MOST}, such as 0.3 for 30 %"));
        } else {
            origins.within.push((path.clone(), *within));
        }
    }
    for (place, path) in wrong {
        let written = written.get_or_init(|| written_values(report.root));
        let of_written = written.iter().map(|one| one.path.as_str());
        let names = values.iter().map(|one| one.path.as_str()).chain(of_written);
        let label = hint(path, names.clone().chain(names.map(table)));
        report.at(&place, format!("the file has no value `{}`", shorten(path)), label);
    }
    let absent = values.iter().filter(|one| report.root.at(&one.place).is_none());
    let defaults = absent.filter(|one| origins.of(one) != ValueOrigin::Default);
    let defaults: Vec<_> = defaults.map(|one| (one.path.clone(), ValueOrigin::Default)).collect();
    origins.listed.extend(defaults);
    origins
}

/// Marks values that overrides replaced as stated.
pub(crate) fn replaced(origins: &mut ValueOrigins, overrides: &[Override]) {
    for Override { path, .. } in overrides {
        origins.listed.push((path.clone(), ValueOrigin::Stated));
        let place = place_of(path);
        if place != *path {
            origins.listed.push((place, ValueOrigin::Stated));
        }
    }
}

/// Place of an override's path: a position in a list, as `cache.2.latency`, is that of the place `cache[2].latency`.
fn place_of(path: &str) -> String {
    let steps = path.split('.').enumerate().map(|(at, step)| match step.parse::<usize>() {
        Ok(index) => format!("[{index}]"),
        Err(_) if at == 0 => step.to_owned(),
        Err(_) => format!(".{step}"),
    });
    steps.collect()
}

/// A value of a workload that does not only say what the program is.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkloadValue {
    pub written: WrittenValue,
    pub origin: ValueOrigin,
    /// Largest relative error.
    pub within: f64,
}

/// Values of a workload file that have an origin, in the order of the file, without those that `overrides` replaced.
pub(crate) fn of_workload(
    file: &OriginsFile,
    overrides: &[Override],
    report: &mut Report<'_>,
) -> Vec<WorkloadValue> {
    if file.is_empty() {
        return Vec::new();
    }
    let origins = resolve::<()>(file, &[], report);
    let is_replaced = |one: &WrittenValue| {
        overrides.iter().any(|Override { path, .. }| {
            covers(path, &one.path) || covers(path, &one.place) || covers(&place_of(path), &one.place)
        })
    };
    let known = written_values(report.root).into_iter().filter(|one| !is_replaced(one));
    let values = known.map(|written| WorkloadValue {
        origin: origins.at(&written.path, &written.place),
        within: origins.within_at(&written.path, &written.place),
        written,
    });
    values.filter(|one| one.origin != ValueOrigin::Stated).collect()
}

/// Largest tolerance: a value that may be a hundred times as large, or as small, is not known.
const MOST: f64 = 99.0;

/// Path of the table around a value.
fn table(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(table, _)| table)
}
