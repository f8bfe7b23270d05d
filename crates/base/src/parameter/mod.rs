//! Parameters of machines and runtimes. [`parameters!`](crate::parameters!) declares each once:
//! name, unit, default, bounds, description. The struct, its file type with schema, checks, output
//! and the bounds of fits are derived from the declaration.

mod declare;
mod rule;
mod value;

pub use rule::{LONGEST, Rule, StandIn};
pub use value::{Field, Kind, Value};

/// Declaration of one parameter. Two declarations are equal if their tables and names are equal.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Name of the [`Section`] to which the parameter belongs.
    pub table: &'static str,
    /// Key in its table of the file, and field of the struct.
    pub name: &'static str,
    /// Description, with the line breaks of the declaration.
    pub doc: &'static str,
    /// Type and unit.
    pub kind: Kind,
    /// True if the value may be absent.
    pub optional: bool,
    /// Value if the file gives none (possibly `Absent`). `None` if the file must give a value.
    pub default: Option<fn() -> Value>,
    /// Bounds of the value, options of its output, and its role in a fit.
    pub rule: Rule,
}

/// Declaration of a table of parameters.
#[derive(Debug)]
pub struct Section {
    /// Name in the schema of the files.
    pub name: &'static str,
    pub doc: &'static str,
    /// The parameters, in the order of files.
    pub parameters: &'static [Parameter],
}

/// A value outside the bounds of its parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct OutOfBounds {
    /// Path of the parameter below the table, such as `scan_size` or `balancing.scan_size`.
    pub path: String,
    pub value: Value,
    /// Allowed values, such as `at least 1`.
    pub expected: String,
}

/// A struct that [`parameters!`](crate::parameters!) declares.
pub trait Parameters: Clone + Sized {
    const SECTION: &'static Section;
    /// The values in the order of the declaration.
    fn values(&self) -> Vec<Value>;
    /// The struct with the values in the order of the declaration; `None` if a value has a wrong kind.
    fn from_values(values: Vec<Value>) -> Option<Self>;

    /// All values outside their bounds.
    fn out_of_bounds(&self) -> Vec<OutOfBounds> {
        Self::SECTION.out_of_bounds(&self.values(), "")
    }

    /// Phrases for users about values that differ from the default.
    fn phrases(&self) -> Vec<String> {
        let values = self.values();
        let all = Self::SECTION.parameters.iter().zip(&values);
        let told = all.filter(|(parameter, value)| parameter.default_value().as_ref() != Some(*value));
        told.filter_map(|(parameter, value)| Some(parameter.rule.phrase?.replace("{}", &value.to_string())))
            .collect()
    }
}

/// Access to values by the declaration of their parameter.
pub trait Table {
    /// Value of a parameter; `None` if it belongs to another table.
    fn get(&self, parameter: &Parameter) -> Option<Value>;
    /// Changes the value of a parameter. Does nothing if the parameter belongs to another table or the value has another
    /// kind.
    fn set(&mut self, parameter: &Parameter, value: Value);
}

impl<T: Parameters> Table for T {
    fn get(&self, parameter: &Parameter) -> Option<Value> {
        let at = T::SECTION.parameters.iter().position(|other| other == parameter)?;
        self.values().into_iter().nth(at)
    }

    fn set(&mut self, parameter: &Parameter, value: Value) {
        let mut values = self.values();
        let at = T::SECTION.parameters.iter().position(|other| other == parameter);
        if let Some(old) = at.and_then(|at| values.get_mut(at)) {
            *old = value;
        }
        if let Some(changed) = T::from_values(values) {
            *self = changed;
        }
    }
}

impl Parameter {
    fn key(&self) -> (&str, &str) {
        (self.table, self.name)
    }

    /// The default of the parameter; `None` if a file must give the value.
    pub fn default_value(&self) -> Option<Value> {
        self.default.map(|default| default())
    }
}

impl PartialEq for Parameter {
    fn eq(&self, other: &Parameter) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Parameter {}

impl PartialOrd for Parameter {
    fn partial_cmp(&self, other: &Parameter) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Parameter {
    fn cmp(&self, other: &Parameter) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

impl Section {
    fn out_of_bounds(&self, values: &[Value], above: &str) -> Vec<OutOfBounds> {
        let mut found = Vec::new();
        for (parameter, value) in self.parameters.iter().zip(values) {
            if let (Kind::Table(inner), Value::Table(values)) = (&parameter.kind, value) {
                found.extend(inner.out_of_bounds(values, &format!("{above}{}.", parameter.name)));
            } else if let Some(expected) = parameter.rule.refuses(value) {
                let path = format!("{above}{}", parameter.name);
                found.push(OutOfBounds { path, value: value.clone(), expected });
            }
        }
        found
    }
}

#[cfg(test)]
mod tests;
