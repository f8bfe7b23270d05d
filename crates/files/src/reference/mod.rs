//! References of the file types as Markdown, printed from their schemas.
//!
//! One section for the file, then one for each type in the order of first use, so that every link points downwards.

mod kinds;

use crate::lookup::Kind;
use crate::schema;
use kinds::{kind_of, limits};
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;

/// Reference of a kind of file, as Markdown.
pub fn reference(kind: Kind) -> String {
    let schema: Json = serde_json::from_str(schema::text(kind)).unwrap_or_default();
    Reference::new(&schema).page(kind)
}

/// Root schema of a file type, and facts about all types of the schema.
struct Reference<'a> {
    root: &'a Json,
    /// Types with the places where they are used; uses of a type inside itself are left out.
    types: Vec<(&'a str, Vec<String>)>,
    /// Example shared by at least three fields of a format, by format; the reference prints it once, with the format.
    usual: BTreeMap<&'a str, &'a str>,
}

impl<'a> Reference<'a> {
    fn new(root: &'a Json) -> Reference<'a> {
        let mut reference = Reference { root, types: Vec::new(), usual: usual_examples(root) };
        reference.meet(root, "");
        let mut at = 0;
        while let Some((name, place)) =
            reference.types.get(at).map(|(name, places)| (*name, places[0].clone()))
        {
            reference.meet(reference.definition(name), &place);
            at += 1;
        }
        reference
    }

    fn definition(&self, name: &str) -> &'a Json {
        &self.root["$defs"][name]
    }

    /// Records the types to which a part of the schema refers; `place` is the part's place in a file.
    fn meet(&mut self, schema: &'a Json, place: &str) {
        let below = |name: &str| if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") };
        if let Some(name) = referred(schema) {
            match self.types.iter_mut().find(|(known, _)| *known == name) {
                Some((_, places)) if places.iter().any(|known| place.starts_with(known.as_str())) => {}
                Some((_, places)) => places.push(place.to_owned()),
                None => self.types.push((name, vec![place.to_owned()])),
            }
        }
        for (name, field) in fields(schema) {
            self.meet(field, &below(name));
        }
        if let Some(items) = schema.get("items") {
            self.meet(items, &format!("{place}[]"));
        }
        if let Some(others) = schema.get("additionalProperties").filter(|others| others.is_object()) {
            self.meet(others, &below("NAME"));
        }
        for choice in choices(schema) {
            self.meet(choice, place);
        }
    }

    fn page(&self, kind: Kind) -> String {
        let name = kind.name();
        let (folder, extensions) = kind.folder();
        let mut page = format!("# {}{} files\n\n", name[..1].to_uppercase(), &name[1..]);
        page += "<!-- Made of the schema. -->\n\n";
        page += &format!("{}\n\n", prose(self.root));
        page += &format!(
            "A file `NAME.{}`, of which `numalab` is given the path, or the name where it lies in `./{folder}`. Keys that \
             are required stand first, in **bold**. A key that is not listed is a mistake, which is reported with the \
             nearest one that is.\n\n",
            extensions[0]
        );
        page += &self.legend();
        page += &format!("## The {name}\n\n{}", self.table(self.root));
        for (name, places) in &self.types {
            let definition = self.definition(name);
            let places = places.join("`, `");
            page += &format!("\n## {}\n\nIn `{places}`. {}\n\n", self.title(name), prose(definition));
            page += &self.body(definition);
        }
        page
    }

    /// Table of the formats with their usual examples.
    fn legend(&self) -> String {
        if self.usual.is_empty() {
            return String::new();
        }
        let rows = self.usual.iter().map(|(format, example)| format!("| {format} | `{}` |\n", cell(example)));
        format!("| a value that is a | is written as |\n|---|---|\n{}\n", rows.collect::<String>())
    }

    /// Section of a type: its keys, words, or alternatives.
    fn body(&self, schema: &'a Json) -> String {
        let words: Vec<_> = choices(schema).filter(|choice| choice.get("const").is_some()).collect();
        if !words.is_empty() {
            let rows =
                words.iter().map(|word| format!("| `{}` | {} |\n", text(&word["const"]), cell(&prose(word))));
            return format!("| word | meaning |\n|---|---|\n{}", rows.collect::<String>());
        }
        let alternatives: Vec<_> = choices(schema).filter(|choice| choice["type"] != "null").collect();
        if !alternatives.is_empty() {
            let lines = alternatives.iter().map(|choice| {
                let example = self.examples(choice);
                format!("- {}: {}{example}\n", kind_of(self, choice), prose(choice))
            });
            return lines.collect();
        }
        self.table(schema)
    }

    /// Keys of a table: required keys in their order, then optional ones.
    fn table(&self, schema: &'a Json) -> String {
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
        let optional = fields(schema).map(|(name, _)| name).filter(|name| !required.contains(name));
        let mut rows = String::new();
        for name in required.iter().copied().chain(optional) {
            let field = &schema["properties"][name];
            let key = if required.contains(&name) { format!("**`{name}`**") } else { format!("`{name}`") };
            let about = [prose(field), limits(field), default(field), self.examples(field)];
            let about: Vec<_> =
                about.iter().map(|part| part.trim()).filter(|part| !part.is_empty()).collect();
            rows += &format!("| {key} | {} | {} |\n", kind_of(self, field), cell(&about.join(" ")));
        }
        if let Some(others) = schema.get("additionalProperties").filter(|others| others.is_object()) {
            rows += &format!("| any other | {} | {} |\n", kind_of(self, others), cell(&prose(others)));
        }
        format!("| key | value | what |\n|---|---|---|\n{rows}")
    }

    /// Examples that are particular to a field.
    fn examples(&self, field: &Json) -> String {
        let usual = field["format"].as_str().and_then(|format| self.usual.get(format));
        let all = field["examples"].as_array().into_iter().flatten().map(text);
        let own: Vec<_> = all.filter(|example| usual != Some(&example.as_str())).collect();
        if own.is_empty() {
            return String::new();
        }
        format!(" For example `{}`.", own.join("`, `"))
    }

    fn title(&self, name: &str) -> String {
        let bare = name.strip_suffix("File").or_else(|| name.strip_suffix("Word")).unwrap_or(name);
        let twice =
            name.ends_with("Word") && self.types.iter().any(|(other, _)| *other == format!("{bare}File"));
        let mut title = String::new();
        for letter in bare.chars() {
            if letter.is_uppercase() && !title.is_empty() {
                title.push(' ');
            }
            title.extend(letter.to_lowercase());
        }
        if twice { format!("{title} word") } else { title }
    }

    fn link(&self, name: &str) -> String {
        let title = self.title(name);
        format!("[{title}](#{})", title.replace(' ', "-"))
    }
}

/// For each format the most frequent example, if at least three fields have it.
fn usual_examples(root: &Json) -> BTreeMap<&str, &str> {
    let mut counts: BTreeMap<(&str, &str), u32> = BTreeMap::new();
    count_examples(root, &mut counts);
    let mut usual: BTreeMap<&str, (u32, &str)> = BTreeMap::new();
    for ((format, example), count) in counts {
        let best = usual.entry(format).or_insert((0, example));
        if count > best.0 {
            *best = (count, example);
        }
    }
    usual
        .into_iter()
        .filter(|(_, (count, _))| *count >= 3)
        .map(|(format, (_, text))| (format, text))
        .collect()
}

fn count_examples<'a>(schema: &'a Json, counts: &mut BTreeMap<(&'a str, &'a str), u32>) {
    if let (Some(format), Some(examples)) = (schema["format"].as_str(), schema["examples"].as_array()) {
        for example in examples.iter().filter_map(Json::as_str) {
            *counts.entry((format, example)).or_default() += 1;
        }
    }
    match schema {
        Json::Object(map) => map.values().for_each(|part| count_examples(part, counts)),
        Json::Array(list) => list.iter().for_each(|part| count_examples(part, counts)),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
    }
}

/// Name of the type to which a part of a schema refers; `None` if it refers to none.
fn referred(schema: &Json) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix("#/$defs/")
}

fn fields(schema: &Json) -> impl Iterator<Item = (&str, &Json)> {
    let map: Option<&Map<String, Json>> = schema["properties"].as_object();
    map.into_iter().flatten().map(|(name, field)| (name.as_str(), field))
}

fn choices(schema: &Json) -> impl Iterator<Item = &Json> {
    ["anyOf", "oneOf"].iter().filter_map(|name| schema[name].as_array()).flatten()
}

/// Description on one line.
fn prose(schema: &Json) -> String {
    schema["description"].as_str().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Default of a field as text; empty if the field has none, or if it is empty or a table.
fn default(field: &Json) -> String {
    match &field["default"] {
        Json::Null | Json::Object(_) => String::new(),
        Json::Array(list) if list.is_empty() => String::new(),
        Json::String(word) if word.is_empty() => String::new(),
        Json::String(word) => format!("Default: `{}`.", readable(word)),
        value => format!("Default: `{}`.", text(value)),
    }
}

/// Quantity in the largest unit that gives a whole number; schemas use the smallest unit.
fn readable(word: &str) -> String {
    const SPANS: &[(u64, &str)] =
        &[(1_000_000_000_000, "s"), (1_000_000_000, "ms"), (1_000_000, "us"), (1000, "ns"), (1, "ps")];
    const SIZES: &[(u64, &str)] = &[(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"), (1, "B")];
    let Some((number, unit)) = word.split_once(' ') else { return word.to_owned() };
    let units = match unit {
        "ps" => SPANS,
        "B" => SIZES,
        _ => return word.to_owned(),
    };
    let Ok(number) = number.parse::<u64>() else { return word.to_owned() };
    let suits = units.iter().find(|(size, _)| number >= *size && number % size == 0);
    suits.map_or_else(|| format!("0 {unit}"), |(size, name)| format!("{} {name}", number / size))
}

/// Value as a file writes it, without quotes around text.
fn text(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Text for a table cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_written_as_people_write_them() {
        for (word, text) in [
            ("4096 B", "4 KiB"),
            ("64 B", "64 B"),
            ("2000000 ps", "2 us"),
            ("1500 ps", "1500 ps"),
            ("0 ps", "0 ps"),
            ("cores-first", "cores-first"),
            ("a word", "a word"),
        ] {
            assert_eq!(readable(word), text);
        }
    }

    #[test]
    fn every_type_of_a_schema_has_a_section_and_every_link_leads_to_one() {
        for kind in [Kind::Machine, Kind::Workload, Kind::Runtime, Kind::Sweep, Kind::Policy] {
            let page = reference(kind);
            let headings: Vec<_> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
            for link in page.split("](#").skip(1).filter_map(|rest| rest.split(')').next()) {
                assert!(headings.iter().any(|heading| heading.replace(' ', "-") == link), "{kind:?}: {link}");
            }
            let mut once = headings.clone();
            once.sort_unstable();
            once.dedup();
            assert_eq!(once.len(), headings.len(), "{kind:?}: two sections of one name");
        }
    }
}
