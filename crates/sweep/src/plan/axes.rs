//! The axes of a sweep. Their values are checked as far as possible without a machine.

use crate::file::{Axis, Sweep};
use numalab_openmp::ProcList;
use numalab_openmp::binding::Binding;
use numalab_openmp::places::TextError;
use numalab_results::{CellKind, Column};
use numalab_syntax::diagnostics::Diagnostics;
use numalab_syntax::nearest::nearest;
use numalab_workload::Schedule;

pub(super) struct Axes<'s> {
    pub sweep: &'s Sweep,
}

impl<'s> Axes<'s> {
    /// Checks the syntax of processor lists, places and bindings.
    pub fn of(sweep: &'s Sweep) -> Result<Axes<'s>, Diagnostics> {
        let mut errors = None::<Diagnostics>;
        let mut refuse = |axis: &Axis, at: usize, message: String, label: String| {
            let error = sweep.wrong(&format!("points.{}[{at}]", axis.name()), message, label);
            errors = Some(match errors.take() {
                Some(others) => others.and(error),
                None => error,
            });
        };
        for axis in &sweep.axes {
            match axis {
                Axis::Procs(values) => {
                    for (at, text) in given(values) {
                        if let Err(error) = text.parse::<ProcList>() {
                            refuse(axis, at, error.problem(), error.remedy());
                        }
                    }
                }
                Axis::Places(values) | Axis::ProcBind(values) => {
                    for (at, text) in given(values) {
                        let read = match axis {
                            Axis::Places(_) => Binding::parse(Some(text), None),
                            _ => Binding::parse(None, Some(text)),
                        };
                        if let Err(error) = read {
                            let TextError { span, names, .. } = error.error();
                            let wrong = text.get(span.clone()).unwrap_or_default();
                            let names = names.iter().copied();
                            let label = nearest(wrong, names).map(|name| format!("did you mean `{name}`?"));
                            refuse(axis, at, error.to_string(), label.unwrap_or_default());
                        }
                    }
                }
                Axis::Machine(_)
                | Axis::Workload(_)
                | Axis::Runtime(_)
                | Axis::Schedule(_)
                | Axis::Threads(_)
                | Axis::Placement(_)
                | Axis::Seed(_)
                | Axis::Set { .. } => {}
            }
        }
        errors.map_or(Ok(Axes { sweep }), Err)
    }

    pub fn sizes(&self) -> Vec<usize> {
        self.sweep.axes.iter().map(Axis::len).collect()
    }

    /// Indices of the values of a combination, except those of policy and seed.
    pub fn of_setting(&self, digits: &[usize]) -> Vec<usize> {
        let settles = |(axis, _): &(&Axis, &usize)| !matches!(axis, Axis::Schedule(_) | Axis::Seed(_));
        self.sweep.axes.iter().zip(digits).filter(settles).map(|(_, digit)| *digit).collect()
    }

    /// Policies to run for a combination; `None` if the sweep has no axis of policies.
    pub fn policies(&self, digits: &[usize]) -> Option<Vec<Option<Schedule>>> {
        self.sweep.axes.iter().zip(digits).find_map(|(axis, digit)| match axis {
            Axis::Schedule(values) => Some(vec![values.get(*digit).copied()]),
            _ => None,
        })
    }

    pub fn seed(&self, digits: &[usize]) -> u64 {
        let seed = self.sweep.axes.iter().zip(digits).find_map(|(axis, digit)| match axis {
            Axis::Seed(values) => values.get(*digit).copied(),
            _ => None,
        });
        seed.unwrap_or(0)
    }

    /// Each axis with the index of its value in a combination.
    pub fn values(&self, digits: &[usize]) -> impl Iterator<Item = (&'s Axis, usize)> {
        self.sweep.axes.iter().zip(digits.to_vec())
    }

    /// Columns of the coordinates in a fixed order; machine, workload, policy, threads and seed are
    /// always present.
    pub fn columns(&self) -> Vec<Column> {
        const ALWAYS: [&str; 5] = ["machine", "workload", "policy", "threads", "seed"];
        let has_axis = |name: &str| self.sweep.axes.iter().any(|axis| axis.name() == name);
        let shown = |name: &&str| ALWAYS.contains(name) || has_axis(name);
        let kind = |name: &str| match name {
            "threads" | "seed" => CellKind::Count,
            _ => CellKind::Text,
        };
        let named = |name: &str| Column::new(name, kind(name));
        let (before, after): (Vec<&str>, Vec<&str>) =
            Column::COORDINATES.into_iter().filter(shown).partition(|name| *name != "seed");
        let set = self.sweep.axes.iter().filter_map(|axis| match axis {
            Axis::Set { path, values } => Some(Column::new(path.as_str(), kind_of(values))),
            _ => None,
        });
        before.into_iter().map(named).chain(set).chain(after.into_iter().map(named)).collect()
    }
}

/// Values that are not `default`, with their indices.
fn given(values: &[Option<String>]) -> impl Iterator<Item = (usize, &str)> {
    values.iter().enumerate().filter_map(|(at, value)| Some((at, value.as_deref()?)))
}

/// The narrowest cell type that fits all values.
fn kind_of(values: &[String]) -> CellKind {
    // Readers of result files infer a column's type by the same rule.
    let all = |is: fn(&str) -> bool| values.iter().all(|text| is(text));
    match () {
        () if all(|text| text.parse::<u64>().is_ok()) => CellKind::Count,
        () if all(|text| text.parse::<f64>().is_ok_and(f64::is_finite)) => CellKind::Real,
        () => CellKind::Text,
    }
}
