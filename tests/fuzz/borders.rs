//! Border values: valid files in which values, keys and lists are replaced where their structure has them.

use crate::chance::Chance;
use numalab_syntax::tree::{Node, TextRange, Value};
use numalab_syntax::{toml_tree, yaml_tree};
use std::sync::OnceLock;

/// Numbers at the borders of types, of floating point, and of sense.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "-1",
    "-0",
    "0.5",
    "255",
    "256",
    "65535",
    "65536",
    "1048576",
    "2147483647",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e15",
    "1e18",
    "1e308",
    "-1e308",
    "5e-324",
    "1e-9",
    "0.999999",
];

/// Units of all quantities.
const UNITS: &[&str] =
    &["ns", "us", "s", "ps", "B", "KiB", "GB", "TiB", "GB/s", "B/s", "GHz", "Hz", "%", "cycles"];

/// Values that are no number, and no text that a number can be computed from.
const NO_NUMBERS: &[&str] = &["\"1 parsec\"", "\"1e999 ns\"", "\"\\u0000\"", "\"1 2\""];

/// Values of other types, and texts like numbers, of which some are valid in some places.
const OTHERS: &[&str] = &[
    "[]", "{}", "\"\"", "\" \"", "true", "[[]]", "\"nan\"", "\"-inf\"", "nan", "inf", ".nan", "null", "[0]",
];

/// Names that end lines, control terminals, command CI runners, reorder texts, are formulas or paths.
pub const NAMES: &[&str] = &[
    "a\\n::error file=x::b",
    "\\u001b[2J",
    "\\u009b2J\\u2028",
    "\\u202eabc\\u2066",
    "=1+1",
    "",
    " ",
    "..",
    "/dev/full",
    "a/b",
    "a.b",
    "*",
    "%s",
    "<b>&amp;",
    "threads",
    "i",
    "-p",
    "é🦀",
];

/// A copy of a TOML or YAML file with one to three border values. The flag is true if the file certainly makes no
/// sense.
pub fn bordered(text: &str, is_toml: bool, chance: &mut Chance) -> (String, bool) {
    let (mut text, mut nonsense) = (text.to_owned(), false);
    for _ in 0..1 + chance.below(4) / 3 {
        let parsed = if is_toml { toml_tree::parse(&text, 0) } else { yaml_tree::parse(&text, 0) };
        let mut places = Vec::new();
        collect(&parsed.root, &mut places);
        if !parsed.complete || places.is_empty() {
            break;
        }
        let place = &places[chance.below(places.len())];
        let (range, new, certain) = replacement(&text, place, &places, chance);
        // A second change may remove the first.
        nonsense = certain;
        text.replace_range(range, &new);
    }
    (text, nonsense)
}

/// A value or a key of the file.
enum Place<'t> {
    Value(&'t Node),
    Entry(TextRange, &'t Node),
}

fn collect<'t>(node: &'t Node, to: &mut Vec<Place<'t>>) {
    match &node.value {
        Value::List(items) => items.iter().for_each(|item| collect(item, to)),
        Value::Table(entries) => {
            for entry in entries {
                to.push(Place::Entry(entry.key_span, &entry.node));
                collect(&entry.node, to);
            }
        }
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) | Value::Refused => {}
    }
    to.push(Place::Value(node));
}

type Replacement = (std::ops::Range<usize>, String, bool);

fn replacement(text: &str, place: &Place<'_>, all: &[Place<'_>], chance: &mut Chance) -> Replacement {
    let bytes = |range: TextRange| range.start..range.end.max(range.start);
    let old = |range: TextRange| text.get(bytes(range)).unwrap_or_default();
    match place {
        Place::Entry(key, value) => match chance.below(4) {
            0 => (bytes(*key), quoted(chance), false),
            // The key of another entry, perhaps of the same table.
            1 => {
                let keys: Vec<_> = all.iter().filter_map(Place::key).collect();
                (bytes(*key), old(keys[chance.below(keys.len())]).to_owned(), false)
            }
            // The whole entry twice, or not at all.
            two => {
                let end = text[value.span.end.max(key.end)..]
                    .find('\n')
                    .map_or(text.len(), |at| value.span.end.max(key.end) + at + 1);
                let start = text[..key.start].rfind('\n').map_or(0, |at| at + 1);
                let line = &text[start..end];
                (start..end, if two == 2 { line.repeat(2) } else { String::new() }, false)
            }
        },
        Place::Value(node) => match &node.value {
            Value::Int(_) | Value::Float(_) => match chance.below(6) {
                0 => (bytes(node.span), pick(NO_NUMBERS, chance), true),
                1 => (bytes(node.span), pick(OTHERS, chance), false),
                _ => (bytes(node.span), number(old(node.span), chance), false),
            },
            Value::Str(word) => match (quantity(word), chance.below(6)) {
                (_, 0) => (bytes(node.span), pick(OTHERS, chance), false),
                (Some((number_text, unit)), choice) => {
                    let number = number(number_text, chance);
                    let unit = if choice == 1 { pick(UNITS, chance) } else { unit.to_owned() };
                    (bytes(node.span), format!("\"{number} {unit}\""), false)
                }
                (None, 1) => {
                    let words: Vec<_> = all.iter().filter_map(Place::text).collect();
                    (bytes(node.span), old(words[chance.below(words.len())]).to_owned(), false)
                }
                (None, 2) => (bytes(node.span), number("1", chance), false),
                (None, _) => (bytes(node.span), quoted(chance), false),
            },
            Value::List(items) => {
                let inner = items
                    .first()
                    .zip(items.last())
                    .map(|(first, last)| &text[first.span.start..last.span.end.max(first.span.start)]);
                let times = [1, 2, 1000, 100_000][chance.below(4)];
                match (inner, chance.below(3)) {
                    (Some(inner), 1..)
                        if text[node.span.start..].starts_with('[') && inner.len() * times < 1 << 22 =>
                    {
                        (bytes(node.span), format!("[{}]", vec![inner; times].join(", ")), false)
                    }
                    _ => (bytes(node.span), "[]".to_owned(), false),
                }
            }
            Value::Null | Value::Bool(_) | Value::Table(_) | Value::Refused => {
                (bytes(node.span), pick(OTHERS, chance), false)
            }
        },
    }
}

impl Place<'_> {
    fn key(&self) -> Option<TextRange> {
        match self {
            Place::Entry(key, _) => Some(*key),
            Place::Value(_) => None,
        }
    }

    fn text(&self) -> Option<TextRange> {
        match self {
            Place::Value(Node { span, value: Value::Str(_) }) => Some(*span),
            Place::Value(_) | Place::Entry(..) => None,
        }
    }
}

fn pick(from: &[&str], chance: &mut Chance) -> String {
    chance.pick(from).to_owned()
}

/// A name, as a text of JSON, TOML and YAML.
fn quoted(chance: &mut Chance) -> String {
    if chance.odds(1, 20) {
        return format!("\"{}\"", "long".repeat(50_000));
    }
    format!("\"{}\"", pick(NAMES, chance))
}

/// Number and unit of a quantity such as `80 ns`.
fn quantity(text: &str) -> Option<(&str, &str)> {
    let (number, unit) = text.split_once(' ')?;
    (number.parse::<f64>().is_ok() && !unit.contains(' ')).then_some((number, unit))
}

/// A border of types, a limit that a schema states or its neighbour, or a neighbour of the old value.
fn number(old: &str, chance: &mut Chance) -> String {
    let step = [-1.0, 0.0, 1.0][chance.below(3)];
    let old = old.parse::<f64>().unwrap_or(1.0);
    match chance.below(5) {
        0 => (limits()[chance.below(limits().len())] + step).to_string(),
        1 | 2 => [old + step, old * 2.0, old * 1000.0, -old, old / 1000.0][chance.below(5)].to_string(),
        _ => pick(NUMBERS, chance),
    }
}

/// All limits in the schemas of the file types.
fn limits() -> &'static [f64] {
    static LIMITS: OnceLock<Vec<f64>> = OnceLock::new();
    LIMITS.get_or_init(|| {
        let mut limits = Vec::new();
        for schema in [
            include_str!("../../schemas/machine.schema.json"),
            include_str!("../../schemas/workload.schema.json"),
            include_str!("../../schemas/runtime.schema.json"),
            include_str!("../../schemas/sweep.schema.json"),
        ] {
            gather(&serde_json::from_str(schema).expect("tests hold the schemas"), &mut limits);
        }
        limits.sort_by(f64::total_cmp);
        limits.dedup();
        limits
    })
}

fn gather(value: &serde_json::Value, to: &mut Vec<f64>) {
    match value {
        serde_json::Value::Object(entries) => {
            for (key, value) in entries {
                match value.as_f64() {
                    Some(limit) if key.to_lowercase().contains("minimum") || key.contains("aximum") => {
                        to.push(limit)
                    }
                    _ => gather(value, to),
                }
            }
        }
        serde_json::Value::Array(items) => items.iter().for_each(|item| gather(item, to)),
        _ => {}
    }
}
