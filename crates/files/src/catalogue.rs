//! Catalogue of the names that the command line accepts.

use crate::lookup::{self, Kind};
use numalab_syntax::tree::{Node, Value};
use numalab_syntax::{toml_tree, yaml_tree};

/// A machine, workload, runtime, sweep or policy of the catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub kind: Kind,
    /// Name by which the command line accepts the file.
    pub name: String,
    pub description: String,
    /// Path of the file, or `built in`.
    pub place: String,
}

/// All machines, workloads, runtimes, sweeps and policies, sorted by name. Files in `./machines`, `./workloads`,
/// `./runtimes`, `./sweeps` and `./policies` hide built-in ones of the same name, as in a look-up.
pub fn catalogue() -> Vec<Item> {
    KINDS.into_iter().flat_map(items).collect()
}

const KINDS: [Kind; 5] = [Kind::Machine, Kind::Workload, Kind::Runtime, Kind::Sweep, Kind::Policy];

fn items(kind: Kind) -> Vec<Item> {
    let mut items = Vec::new();
    for (name, path) in lookup::local(kind) {
        let description = match lookup::glance(kind, &path) {
            // In a checkout of the program the files are those that the binary carries.
            Ok(source) => match kind.built_in(&name) {
                Some(file) if file.text == source.text => file.description.to_owned(),
                _ => describe(kind, &source.text),
            },
            Err(_) => "(cannot be read)".to_owned(),
        };
        items.push(Item { kind, name, description, place: path.display().to_string() });
    }
    let hidden = |name: &str| items.iter().any(|item| item.name == name);
    let visible: Vec<Item> = (kind.embedded().iter())
        .filter(|file| !hidden(file.name))
        .map(|file| Item {
            kind,
            name: file.name.to_owned(),
            description: file.description.to_owned(),
            place: "built in".to_owned(),
        })
        .collect();
    items.extend(visible);
    items.sort_by(|a, b| a.name.cmp(&b.name));
    items
}

fn describe(kind: Kind, text: &str) -> String {
    let parsed = match kind {
        Kind::Machine | Kind::Runtime => toml_tree::parse(text, 0),
        Kind::Workload | Kind::Sweep | Kind::Policy => yaml_tree::parse(text, 0),
    };
    match parsed.root.get("description") {
        Some(Node { value: Value::Str(text), .. }) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: The description that the build took from a built-in file is the value of its key.
    #[test]
    fn carried_descriptions_equal_parsed_ones() {
        for kind in KINDS {
            for file in kind.embedded() {
                let parsed = describe(kind, file.text);
                assert!(!parsed.is_empty() && file.description == parsed, "{}: {parsed}", file.name);
            }
        }
    }
}
