//! Values of machines and runtimes by their paths, where they come from, and how far they may be off.

use crate::parameter::{Kind, Parameter, Table, Value};

/// One value of a machine or runtime file that a measurement can state with an error: a time, a rate, a frequency or a
/// number without a unit. Sizes and counts are known exactly. `P` is a part of the machine or runtime with a table of
/// parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct FileValue<P> {
    /// Path as `--set` and the table `origins` take it, such as `cache.L3.latency`.
    pub path: String,
    /// Path in the file, with the positions in lists, such as `cache[2].latency`.
    pub place: String,
    pub part: P,
    pub parameter: &'static Parameter,
    pub value: Value,
    /// The value in base units.
    pub number: f64,
}

impl<P> FileValue<P> {
    /// Value of `parameter` in `table`; `None` if it is absent or of another kind.
    pub fn of(
        table: &dyn Table,
        parameter: &'static Parameter,
        part: P,
        place: (&str, &str),
    ) -> Option<FileValue<P>> {
        let is_measurable = match parameter.kind {
            Kind::Time | Kind::Rate | Kind::Clock | Kind::Number => true,
            Kind::Flag
            | Kind::Whole(_)
            | Kind::Size
            | Kind::Text
            | Kind::Curve
            | Kind::Word(_)
            | Kind::Table(_) => false,
        };
        let value = table.get(parameter).filter(|_| is_measurable)?;
        let number = value.number()?;
        let [path, place] = [place.0, place.1].map(|of| format!("{of}.{}", parameter.name));
        Some(FileValue { path, place, part, parameter, value, number })
    }

    /// A number in base units as another value of the parameter, within its bounds.
    pub fn bounded(&self, number: f64) -> Option<Value> {
        let rule = self.parameter.rule;
        let number = number.max(rule.least.unwrap_or(0.0)).min(rule.most.unwrap_or(f64::INFINITY));
        self.parameter.kind.of_number(number)
    }
}

crate::words! {
    /// Source of a value.
    #[derive(Default)]
    pub enum ValueOrigin as "OriginWord" {
        /// Measured, or fitted to measurements of the machine.
        Measured = "measured",
        /// From a data sheet, a manual or a program's sources, or computed from one.
        Sheet = "sheet",
        /// Of the order that is known of similar machines.
        Assumed = "assumed",
        /// Left out by the file, so that the program's default applies.
        Default = "default",
        /// Stated by the file or the command line without a source.
        Stated = "stated" (default),
    }
}

impl ValueOrigin {
    /// Largest relative error of a value of which no other tolerance is stated. A value `v` with tolerance `t` lies
    /// between `v / (1 + t)` and `v (1 + t)`. Values without a source are taken at their word.
    ///
    /// Rows that machine files are fitted to come back within 5 %; sustained values differ from data sheets by a tenth;
    /// of measured rows of recent machines whose files rest on assumed values, six in seven are within a quarter.
    pub fn within(self) -> f64 {
        match self {
            ValueOrigin::Stated => 0.0,
            ValueOrigin::Measured => 0.05,
            ValueOrigin::Sheet => 0.1,
            ValueOrigin::Assumed => 0.25,
            ValueOrigin::Default => 0.5,
        }
    }
}

/// Origins and tolerances of the values of a machine or runtime.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueOrigins {
    /// Origin of the values that `listed` does not name.
    pub others: ValueOrigin,
    /// Paths of values, or of tables for all values in them, with their origins.
    pub listed: Vec<(String, ValueOrigin)>,
    /// Tolerances that differ from those of the origins, by path.
    pub within: Vec<(String, f64)>,
}

impl ValueOrigins {
    pub fn of<P>(&self, value: &FileValue<P>) -> ValueOrigin {
        self.at(&value.path, &value.place)
    }

    /// Origin of the value with this path, at this place in the file.
    pub fn at(&self, path: &str, place: &str) -> ValueOrigin {
        longest(&self.listed, path, place).unwrap_or(self.others)
    }

    /// Largest relative error of a value.
    pub fn within<P>(&self, value: &FileValue<P>) -> f64 {
        self.within_at(&value.path, &value.place)
    }

    /// Largest relative error of the value with this path, at this place in the file.
    pub fn within_at(&self, path: &str, place: &str) -> f64 {
        let origin = self.at(path, place);
        match origin {
            ValueOrigin::Stated => 0.0,
            ValueOrigin::Measured | ValueOrigin::Sheet | ValueOrigin::Assumed | ValueOrigin::Default => {
                longest(&self.within, path, place).unwrap_or(origin.within())
            }
        }
    }
}

/// Entry of the longest path that is a value's path or that of a table around it; the last of equal ones.
fn longest<T: Copy>(entries: &[(String, T)], path: &str, place: &str) -> Option<T> {
    let names = |of: &str| covers(of, path) || covers(of, place);
    let found = entries.iter().filter(|(path, _)| names(path));
    found.max_by_key(|(path, _)| path.matches('.').count()).map(|(_, value)| *value)
}

/// True if a path is that of a value or of a table around the value.
pub fn covers(path: &str, of: &str) -> bool {
    of.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameter::Rule;

    static LATENCY: Parameter = Parameter {
        table: "MemoryFile",
        name: "latency",
        doc: "",
        kind: Kind::Time,
        optional: false,
        default: None,
        rule: Rule::NONE,
    };

    fn value(path: &str, place: &str) -> FileValue<()> {
        let (path, place, value) = (path.to_owned(), place.to_owned(), Value::Time(crate::Span(1000)));
        FileValue { path, place, part: (), parameter: &LATENCY, value, number: 1000.0 }
    }

    #[test]
    fn the_longest_path_decides() {
        let origins = ValueOrigins {
            others: ValueOrigin::Sheet,
            listed: vec![
                ("memory.latency".to_owned(), ValueOrigin::Measured),
                ("memory".to_owned(), ValueOrigin::Assumed),
                ("cache[2]".to_owned(), ValueOrigin::Assumed),
                ("core.clock".to_owned(), ValueOrigin::Stated),
            ],
            within: vec![("memory".to_owned(), 0.4), ("core.clock".to_owned(), 0.4)],
        };
        for (path, place, origin, within) in [
            ("memory.latency", "memory.latency", ValueOrigin::Measured, 0.4),
            ("memory.bandwidth", "memory.bandwidth", ValueOrigin::Assumed, 0.4),
            ("cache.L3.latency", "cache[2].latency", ValueOrigin::Assumed, 0.25),
            ("cache.L2.latency", "cache[1].latency", ValueOrigin::Sheet, 0.1),
            ("core.clock", "core.clock", ValueOrigin::Stated, 0.0),
            ("core.outstanding", "core.outstanding", ValueOrigin::Sheet, 0.1),
        ] {
            let value = value(path, place);
            assert_eq!((origins.of(&value), origins.within(&value)), (origin, within), "{path}");
        }
    }

    /// `link.qpi` is no part of `link.qpi-bcs`.
    #[test]
    fn tables_are_whole_names() {
        assert!(covers("link.qpi", "link.qpi.latency"));
        assert!(!covers("link.qpi", "link.qpi-bcs.latency"));
    }
}
