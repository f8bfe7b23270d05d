//! Parameters of machines and runtimes. [`parameters!`](crate::parameters!) declares each once: name, unit, default,
//! bounds, description. The struct, its file type with schema, the check, writing, display and what a fit may change
//! follow from the declaration.

mod declare;
mod rule;
mod value;

pub use rule::{LONGEST, Rule};
pub use value::{Field, Kind, Value};

/// One parameter as it is declared.
#[derive(Debug)]
pub struct Parameter {
    /// Key in its table of the file, and field of the struct.
    pub name: &'static str,
    /// Description, in the lines of the declaration.
    pub doc: &'static str,
    /// Unit.
    pub kind: Kind,
    /// Whether it may be absent.
    pub optional: bool,
    /// Value where the file says none, or that it is absent; without one the file has to.
    pub default: Option<fn() -> Value>,
    /// Bounds, and where it is written.
    pub rule: Rule,
}

/// A table of parameters as it is declared.
#[derive(Debug)]
pub struct Section {
    /// Name in the schema of the files.
    pub name: &'static str,
    /// Description.
    pub doc: &'static str,
    /// Its parameters, in the order in which files have them.
    pub parameters: &'static [Parameter],
}

/// A value outside the bounds of its parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct OutOfBounds {
    /// Path below the table: `scan_size`, `balancing.scan_size`.
    pub path: String,
    /// The value.
    pub value: Value,
    /// Values that are allowed, as in `at least 1`.
    pub expected: String,
}

/// A struct that [`parameters!`](crate::parameters!) declares.
pub trait Parameters: Clone + Sized {
    /// Its declaration.
    const SECTION: &'static Section;
    /// The values in the order of the declaration.
    fn values(&self) -> Vec<Value>;
    /// The struct with these values; `None` if a value has another kind than its parameter.
    fn from_values(values: Vec<Value>) -> Option<Self>;

    /// Every value outside its bounds.
    fn out_of_bounds(&self) -> Vec<OutOfBounds> {
        Self::SECTION.out_of_bounds(&self.values(), "")
    }

    /// Phrases for people about values that are not the default.
    fn phrases(&self) -> Vec<String> {
        let values = self.values();
        let all = Self::SECTION.parameters.iter().zip(&values);
        let told = all.filter(|(parameter, value)| parameter.default_value().as_ref() != Some(*value));
        told.filter_map(|(parameter, value)| Some(parameter.rule.phrase?.replace("{}", &value.to_string())))
            .collect()
    }
}

/// Numbers by their names.
pub trait Numbers {
    /// The value of a parameter; `None` if there is no such parameter.
    fn get(&self, name: &str) -> Option<Value>;
    /// Changes a parameter to a number in base units, which becomes a value of its kind. Does nothing if there is no
    /// such parameter or it is no number.
    fn set_number(&mut self, name: &str, number: f64);
}

impl<T: Parameters> Numbers for T {
    fn get(&self, name: &str) -> Option<Value> {
        let at = T::SECTION.parameters.iter().position(|parameter| parameter.name == name)?;
        self.values().into_iter().nth(at)
    }

    fn set_number(&mut self, name: &str, number: f64) {
        let parameters = T::SECTION.parameters.iter();
        let set = |(parameter, old): (&Parameter, Value)| match parameter.kind.of_number(number) {
            Some(new) if parameter.name == name => new,
            _ => old,
        };
        if let Some(changed) = T::from_values(parameters.zip(self.values()).map(set).collect()) {
            *self = changed;
        }
    }
}

impl Parameter {
    /// The default; `None` where a file has to say it.
    pub fn default_value(&self) -> Option<Value> {
        self.default.map(|default| default())
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
