//! Tables and words of files, generated from `numalab_base::parameters!` and `words!`: schema, reading, writing,
//! bounds.

mod schema;

use crate::quantity::Quantity;
use numalab_base::Word;
use numalab_base::parameter::{Kind, OutOfBounds, Parameters, Section, Value};
use numalab_runtime::profile::{BarrierProfile, Fork, LockProfile, TaskProfile, WaitProfile, Worksharing};
use numalab_syntax::report::Report;
use serde::de::Error;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value as Json};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table<T>(pub T);

/// Value that a file writes as one of a fixed set of words.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Named<T>(pub T);

impl<T: Parameters + Default + PartialEq> Table<T> {
    /// True if all values are defaults; files and records then leave out the table.
    pub fn is_default(&self) -> bool {
        self.0 == T::default()
    }
}

impl<T: Parameters> Table<T> {
    /// Reports every value outside its bounds.
    pub fn check(&self, path: &str, report: &mut Report<'_>) {
        for OutOfBounds { path: below, value, expected } in self.0.out_of_bounds() {
            let path = format!("{path}.{below}");
            report.at(&path, format!("{path} is {value}"), format!("expected {expected}"));
        }
    }
}

impl<T: Parameters> Serialize for Table<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Entries(T::SECTION, &self.0.values()).serialize(serializer)
    }
}

impl<'de, T: Parameters> Deserialize<'de> for Table<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let values = values(T::SECTION, &Map::deserialize(deserializer)?);
        values.and_then(T::from_values).map(Table).ok_or_else(|| D::Error::custom("a value of another kind"))
    }
}

impl<T: Word> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.word())
    }
}

impl<'de, T: Word> Deserialize<'de> for Named<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        T::from_word(&word).map(Named).ok_or_else(|| D::Error::custom("an unknown word"))
    }
}

/// Parameters of a table, in the order of declaration.
struct Entries<'a>(&'static Section, &'a [Value]);

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Entries(section, values) = self;
        let mut map = serializer.serialize_map(None)?;
        for (parameter, value) in section.parameters.iter().zip(*values) {
            let is_default = || parameter.default_value().as_ref() == Some(value);
            if parameter.rule.key || *value == Value::Absent || parameter.rule.silent && is_default() {
                continue;
            }
            match (&parameter.kind, value) {
                (Kind::Table(section), Value::Table(values)) => {
                    map.serialize_entry(parameter.name, &Entries(section, values))?
                }
                _ => map.serialize_entry(parameter.name, &json(value))?,
            }
        }
        map.end()
    }
}

/// Value that is no table, in file notation.
fn json(value: &Value) -> Json {
    let json = match value {
        Value::Absent | Value::Table(_) => Ok(Json::Null),
        Value::Flag(flag) => serde_json::to_value(flag),
        Value::Whole(number) => serde_json::to_value(number),
        Value::Number(number) => serde_json::to_value(number),
        Value::Time(span) => serde_json::to_value(Quantity(*span)),
        Value::Rate(rate) => serde_json::to_value(Quantity(*rate)),
        Value::Size(size) => serde_json::to_value(Quantity(*size)),
        Value::Clock(clock) => serde_json::to_value(Quantity(*clock)),
        Value::Text(text) => serde_json::to_value(text),
        Value::Word(word) => serde_json::to_value(word),
        Value::Curve(points) => serde_json::to_value(points),
    };
    // Serialising these types cannot fail.
    json.unwrap_or_default()
}

/// True if runtime files omit this value because it is the default of a `brief` parameter; `path` is the path of the
/// parameter's key.
pub fn is_left_out(path: &str, value: &str) -> bool {
    let tables = [
        ("fork", Fork::SECTION),
        ("barrier", BarrierProfile::SECTION),
        ("lock", LockProfile::SECTION),
        ("wait", WaitProfile::SECTION),
        ("worksharing", Worksharing::SECTION),
        ("tasks", TaskProfile::SECTION),
    ];
    let Some((table, key)) = path.split_once('.') else { return false };
    let known = tables.iter().filter(|(name, _)| *name == table).flat_map(|(_, section)| section.parameters);
    let Ok(value) = serde_json::from_str::<Json>(value) else { return false };
    let is_default = |default: fn() -> Value| json(&default()) == value;
    known.filter(|one| one.name == key && one.rule.brief).filter_map(|one| one.default).any(is_default)
}

/// Values of a table, with defaults for absent ones; `None` if a value without default is missing, or a value has the
/// wrong type.
fn values(section: &'static Section, table: &Map<String, Json>) -> Option<Vec<Value>> {
    let value = |parameter: &numalab_base::parameter::Parameter| match table.get(parameter.name) {
        None | Some(Json::Null) => parameter.default_value(),
        Some(json) => value(&parameter.kind, json),
    };
    section.parameters.iter().map(value).collect()
}

fn value(kind: &Kind, json: &Json) -> Option<Value> {
    match kind {
        Kind::Flag => json.as_bool().map(Value::Flag),
        Kind::Whole(_) => u32::try_from(json.as_u64()?).ok().map(Value::Whole),
        Kind::Number => json.as_f64().map(Value::Number),
        Kind::Time => json.as_str()?.parse().ok().map(Value::Time),
        Kind::Rate => json.as_str()?.parse().ok().map(Value::Rate),
        Kind::Size => json.as_str()?.parse().ok().map(Value::Size),
        Kind::Clock => json.as_str()?.parse().ok().map(Value::Clock),
        Kind::Text => json.as_str().map(|text| Value::Text(text.to_owned())),
        Kind::Curve => serde_json::from_value(json.clone()).ok().map(Value::Curve),
        Kind::Word(words) => {
            words.all.iter().find(|known| Some(known.0) == json.as_str()).map(|known| Value::Word(known.0))
        }
        Kind::Table(section) => values(section, json.as_object()?).map(Value::Table),
    }
}
