//! Resolves the axes, in the order of the file.

use super::{MOST_VALUES, Resolver};
use crate::file::{Axis, DEFAULT};
use numalab_files::lookup::{self, Kind};
use numalab_files::quantity;
use numalab_files::sweep_file::{PointsFile, WordsFile};
use numalab_syntax::expression::ExpressionError;
use numalab_workload::Schedule;

impl Resolver<'_, '_> {
    pub(super) fn axes(&mut self, file: &PointsFile) {
        let root = self.report.root;
        for key in root.keys_of("points") {
            match key.as_str() {
                "threads" => self.add(&key, file.threads.as_ref(), Self::threads),
                "seed" => self.add(&key, file.seed.as_ref(), Self::seed),
                "set" => {
                    let paths = root.get("points").map(|points| points.keys_of("set")).unwrap_or_default();
                    if self.few("points.set", paths.len()) {
                        for path in paths {
                            if !file.set.contains_key(&path) {
                                let inner = format!("points.set.{path}");
                                self.report.at_key(
                                    &inner,
                                    format!("{inner} has no value"),
                                    "expected at least one",
                                );
                            }
                            self.add(&path, file.set.get(&path), |this, values| this.set(&path, values));
                        }
                    }
                }
                _ => self.add(&key, file.words(&key), |this, words| this.words(&key, words)),
            }
        }
    }

    /// Reads an axis if the sweep file has it. If the axis has errors, its name is added to `broken`.
    fn add<F>(&mut self, name: &str, file: Option<&F>, read: impl FnOnce(&mut Self, &F) -> Option<Axis>) {
        let Some(file) = file else { return };
        let before = self.report.items.len();
        let axis = read(self, file);
        if axis.is_none() || self.report.items.len() > before {
            self.broken.push(name.to_owned());
        }
        if let Some(axis) = axis {
            self.runs = self.runs.saturating_mul(axis.len() as u64);
            self.axes.push(axis);
        }
    }

    /// Reads an axis whose values are schedules, words or names.
    fn words(&mut self, key: &str, file: &WordsFile) -> Option<Axis> {
        let path = format!("points.{key}");
        let words = file.at(&path);
        if !self.number_of(&path, words.len() as u64) {
            return None;
        }
        let named = |kind| move |this: &mut Self, path: &str, word: &str| this.named(kind, path, word);
        Some(match key {
            "machine" => Axis::Machine(self.each(&words, named(Kind::Machine))),
            "workload" => Axis::Workload(self.each(&words, named(Kind::Workload))),
            "runtime" => Axis::Runtime(self.each(&words, or_default(named(Kind::Runtime)))),
            "policy" => Axis::Schedule(self.each(&words, Self::policy)),
            "placement" => Axis::Placement(self.each(&words, or_default(parsed(quantity::placement)))),
            "procs" => Axis::Procs(self.each(&words, or_default(Self::plain))),
            "places" => Axis::Places(self.each(&words, or_default(Self::plain))),
            _ => Axis::ProcBind(self.each(&words, or_default(Self::plain))),
        })
    }

    /// A policy; the path of a file is relative to the sweep's.
    fn policy(&mut self, path: &str, word: &str) -> Option<Schedule> {
        let (name, chunk) = word.rsplit_once(',').map_or((word, None), |(name, chunk)| (name, Some(chunk)));
        let beside = lookup::beside(Kind::Policy, &self.folder, name);
        let placed = chunk.map_or(beside.clone(), |chunk| format!("{beside},{chunk}"));
        let wrong = |error| self.report.within(path, word, ExpressionError { range: 0..word.len(), ..error });
        quantity::policy(&placed).map_err(wrong).ok()
    }

    /// Reads the values of an axis, and reports values that occur twice.
    fn each<T: Clone + Spelled>(
        &mut self,
        words: &[(String, &str)],
        read: impl Fn(&mut Self, &str, &str) -> Option<T>,
    ) -> Vec<T> {
        let mut values = Vec::new();
        for (path, word) in words {
            if let Some(value) = read(self, path, word.trim()) {
                values.push((value, path));
            }
        }
        self.once(values.iter().map(|(value, path)| (value.spelled(), (*path).clone(), value.spelled())));
        values.into_iter().map(|(value, _)| value).collect()
    }

    /// Checks that an axis has at least one and at most `MOST_VALUES` values.
    pub(super) fn number_of(&mut self, path: &str, values: u64) -> bool {
        let wanted = match values {
            0 => "expected at least one".to_owned(),
            _ if values > MOST_VALUES => format!("expected at most {MOST_VALUES}"),
            _ => return true,
        };
        self.report.at(path, format!("{path} has {values} values"), wanted);
        false
    }

    /// Accepts any text that is not empty.
    fn plain(&mut self, path: &str, word: &str) -> Option<String> {
        if word.is_empty() {
            self.report.at(path, format!("{path} is empty"), "expected a value, or `default`");
            return None;
        }
        Some(word.to_owned())
    }
}

/// Canonical text of a value, by which duplicates are recognised.
trait Spelled {
    fn spelled(&self) -> String;
}

impl Spelled for String {
    fn spelled(&self) -> String {
        self.clone()
    }
}

impl Spelled for Schedule {
    fn spelled(&self) -> String {
        self.to_string()
    }
}

impl Spelled for numalab_workload::Placement {
    fn spelled(&self) -> String {
        self.to_string()
    }
}

impl<T: Spelled> Spelled for Option<T> {
    fn spelled(&self) -> String {
        self.as_ref().map_or(DEFAULT.to_owned(), T::spelled)
    }
}

/// Wraps a reader of one value so that it also accepts `default`, as `None`.
fn or_default<R, T>(
    read: impl Fn(&mut R, &str, &str) -> Option<T>,
) -> impl Fn(&mut R, &str, &str) -> Option<Option<T>> {
    move |this, path, word| if word == DEFAULT { Some(None) } else { read(this, path, word).map(Some) }
}

/// Wraps a parser of one value so that its errors are reported at the value's position.
fn parsed<'r, 'n: 'r, T>(
    read: impl Fn(&str) -> Result<T, ExpressionError>,
) -> impl Fn(&mut Resolver<'r, 'n>, &str, &str) -> Option<T> {
    move |this, path, word| read(word).map_err(|error| this.report.within(path, word, error)).ok()
}
