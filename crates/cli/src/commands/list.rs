//! `numalab list`: names of the catalogue.

use crate::failure::Failure;
use crate::flags::{Format, List};
use crate::output::check_apart;
use crate::terminal;
use numalab_files::{Item, Kind, catalogue};
use numalab_report::{Bars, Style, csv_text, printable};
use serde_json::json;
use std::fmt::Write;

pub fn run(flags: &List) -> Result<(), Failure> {
    let output = flags.output.destination()?;
    check_apart(&[("the list", &output)])?;
    let items = catalogue();
    let text = match flags.output.format() {
        Format::Table => table(&items, terminal::style(&output, Bars::None)),
        Format::Json => json(&items),
        Format::Csv => csv(&items),
    };
    output.write(text.as_bytes())
}

/// Table of the catalogue: name and description of each file, by kind. A user's file that hides a built-in one is
/// followed by its path.
fn table(items: &[Item], style: Style) -> String {
    let (bold, plain) = if style.colour { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
    let column = items.iter().map(|item| item.name.chars().count()).max().unwrap_or(0) + 4;
    let mut text = String::new();
    for (kind, heading) in [
        (Kind::Machine, "Machines"),
        (Kind::Workload, "Workloads"),
        (Kind::Runtime, "Runtimes"),
        (Kind::Sweep, "Sweeps"),
        (Kind::Policy, "Policies"),
    ] {
        let gap = if text.is_empty() { "" } else { "\n" };
        let _ = writeln!(text, "{gap}{bold}{heading}{plain}");
        for item in items.iter().filter(|item| item.kind == kind) {
            let place = if item.place == BUILT_IN { String::new() } else { format!(" ({})", item.place) };
            let lines =
                wrap(&format!("{}{place}", item.description), style.width.saturating_sub(column).max(20));
            let mut name = printable(&item.name);
            for line in lines {
                let _ =
                    writeln!(text, "{}", format!("  {name:<width$}{line}", width = column - 2).trim_end());
                name.clear();
            }
        }
    }
    text += "\nBuilt in, unless a file is named. numalab show NAME describes one.\n";
    text
}

/// Text of `place` for files without a path, since they are built in.
const BUILT_IN: &str = "built in";

/// Breaks a text into lines of at most `width` characters, unless a word is longer; returns at least one line.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in printable(text).split_whitespace() {
        let last = lines.len() - 1;
        if lines[last].is_empty() {
            lines[last].push_str(word);
        } else if lines[last].chars().count() + 1 + word.chars().count() <= width {
            lines[last] = format!("{} {word}", lines[last]);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

fn json(items: &[Item]) -> String {
    let of = |kind| {
        let items = items.iter().filter(move |item| item.kind == kind);
        items
            .map(|item| json!({ "name": item.name, "description": item.description, "place": item.place }))
            .collect::<Vec<_>>()
    };
    let list = json!({
        "machines": of(Kind::Machine),
        "workloads": of(Kind::Workload),
        "runtimes": of(Kind::Runtime),
        "sweeps": of(Kind::Sweep),
        "policies": of(Kind::Policy),
    });
    numalab_report::json(&list)
}

fn csv(items: &[Item]) -> String {
    let field = |text: &str| format!("\"{}\"", csv_text(text).replace('"', "\"\""));
    let mut text = "kind,name,description,place\n".to_owned();
    for item in items {
        let fields = [item.kind.name(), &item.name, &item.description, &item.place].map(field);
        let _ = writeln!(text, "{}", fields.join(","));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(kind: Kind, name: &str, description: &str) -> Item {
        Item { kind, name: name.into(), description: description.into(), place: BUILT_IN.into() }
    }

    #[test]
    fn descriptions_wrap_beside_their_names() {
        let mut items = vec![
            item(Kind::Machine, "m", "one two three four five"),
            item(Kind::Workload, "long", ""),
            item(Kind::Runtime, "r", ""),
            item(Kind::Sweep, "s", ""),
            item(Kind::Policy, "p", ""),
        ];
        items[0].place = "machines/m.toml".into();
        let style = Style { width: 30, colour: false, unicode: true, bars: Bars::None, elsewhere: "" };
        let expected = "\
Machines
  m     one two three four
        five (machines/m.toml)

Workloads
  long

Runtimes
  r

Sweeps
  s

Policies
  p

Built in, unless a file is named. numalab show NAME describes one.
";
        assert_eq!(table(&items, style), expected);
    }

    #[test]
    fn csv_quotes_what_needs_it() {
        let text = csv(&[item(Kind::Machine, "m", "a \"b\", c")]);
        assert_eq!(text, "kind,name,description,place\n\"machine\",\"m\",\"a \"\"b\"\", c\",\"built in\"\n");
    }
}
