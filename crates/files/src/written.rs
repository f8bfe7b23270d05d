//! Values that a file writes, by the paths that `--set` and the table `origins` take.

mod multiple;

use crate::lookup::Kind;
use crate::schema;
use numalab_syntax::tree::{Node, Value};

/// A value of a file: a number, a quantity, a word, an expression or a list of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenValue {
    /// Path as `--set` and the table `origins` take it, such as `cache.L3.latency`.
    pub path: String,
    /// Path with the positions in lists, such as `cache[2].latency`.
    pub place: String,
    /// Text of the value, as in the file.
    pub text: String,
}

/// Keys of a file that are no facts: what it is called, and what it says about its own values.
const ASIDE: [&str; 3] = ["name", "description", "origins"];

/// All values of a file in its order, without its name, description and origins, and without the keys by which items
/// of lists are named.
pub fn written_values(root: &Node) -> Vec<WrittenValue> {
    let mut values = Vec::new();
    for entry in root.entries().iter().filter(|entry| !ASIDE.contains(&entry.key.as_str())) {
        match entry.key.as_str() {
            PARAMETERS => add_parameters(&entry.node, &mut values),
            key => add(&entry.node, key, key, &mut values),
        }
    }
    values
}

const PARAMETERS: &str = "parameters";

/// Adds the parameters of a workload, whose paths leave out the table `parameters` unless a key of the file has the same
/// name. Of a choice between words the value is the word that is chosen.
fn add_parameters(node: &Node, values: &mut Vec<WrittenValue>) {
    for entry in node.entries() {
        let inside = format!("{PARAMETERS}.{}", entry.key);
        let is_key = schema::of(Kind::Workload).property(&entry.key).is_some();
        let path = if is_key { &inside } else { &entry.key };
        match entry.node.get("default") {
            Some(word) => add(word, path, &format!("{inside}.default"), values),
            None => add(&entry.node, path, &inside, values),
        }
    }
}

fn add(node: &Node, path: &str, place: &str, values: &mut Vec<WrittenValue>) {
    match &node.value {
        Value::Table(entries) => {
            for entry in entries {
                add(&entry.node, &format!("{path}.{}", entry.key), &format!("{place}.{}", entry.key), values);
            }
        }
        Value::List(items) if items.iter().any(|item| matches!(item.value, Value::Table(_))) => {
            for (at, item) in items.iter().enumerate() {
                let (key, name) = item_name(item).unwrap_or(("", at.to_string()));
                // A name means the first item that has it.
                let is_taken =
                    items[..at].iter().any(|item| item_name(item).is_some_and(|one| one.1 == name));
                let name = if is_taken { at.to_string() } else { name };
                for entry in item.entries().iter().filter(|entry| entry.key != key) {
                    let path = format!("{path}.{name}.{}", entry.key);
                    add(&entry.node, &path, &format!("{place}[{at}].{}", entry.key), values);
                }
            }
        }
        _ => values.extend(text(node).map(|text| WrittenValue {
            path: path.to_owned(),
            place: place.to_owned(),
            text,
        })),
    }
}

/// Name of an item of a list in paths, and the key that gives it: `name`, `kind`, or `level` as in `L3`.
fn item_name(item: &Node) -> Option<(&'static str, String)> {
    let word = |key: &'static str| match &item.get(key)?.value {
        Value::Str(text) => Some((key, text.clone())),
        _ => None,
    };
    let level = || match item.get("level")?.value {
        Value::Int(level) => Some(("level", format!("L{level}"))),
        _ => None,
    };
    word("name").or_else(|| word("kind")).or_else(level)
}

/// Text of a value; `None` of one that is empty or was refused.
fn text(node: &Node) -> Option<String> {
    Some(match &node.value {
        Value::Null | Value::Refused | Value::Table(_) => return None,
        Value::Bool(value) => value.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Str(text) => text.clone(),
        Value::List(items) => {
            let items: Vec<String> = items.iter().filter_map(text).collect();
            format!("[{}]", items.join(", "))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_syntax::{toml_tree, yaml_tree};

    fn shown(root: &Node) -> Vec<String> {
        written_values(root)
            .into_iter()
            .map(|one| format!("{} {} {}", one.path, one.place, one.text))
            .collect()
    }

    #[test]
    fn paths_name_levels_caches_and_phases() {
        let machine = "name = \"m\"\n[[level]]\nkind = \"core\"\ncount = 4\nlink = { lanes = 2 }\n[[cache]]\nlevel = 1\n\
             size = \"32 KiB\"\n[memory]\ncurve = [[0.5, 1.0], [1.0, 2.0]]\n[origins]\nothers = \"sheet\"\n";
        let expected = [
            "level.core.count level[0].count 4",
            "level.core.link.lanes level[0].link.lanes 2",
            "cache.L1.size cache[0].size 32 KiB",
            "memory.curve memory.curve [[0.5, 1], [1, 2]]",
        ];
        assert_eq!(shown(&toml_tree::parse(machine, 0).root), expected);
        let workload = "\
            parameters: { cost: 3, kind: { choices: [a, b], default: b }, matrix: 1 }\n\
            phases:\n\
            - { name: work, loop: { overlap: 0.5, touches: [{ region: a, mode: read }] } }\n\
            - { name: work, repeat: 2 }\n";
        let expected = [
            "cost parameters.cost 3",
            "kind parameters.kind.default b",
            "parameters.matrix parameters.matrix 1",
            "phases.work.loop.overlap phases[0].loop.overlap 0.5",
            "phases.work.loop.touches.0.region phases[0].loop.touches[0].region a",
            "phases.work.loop.touches.0.mode phases[0].loop.touches[0].mode read",
            "phases.1.repeat phases[1].repeat 2",
        ];
        assert_eq!(shown(&yaml_tree::parse(workload, 0).root), expected);
    }
}
