//! Writes a machine or a runtime as the text of its file, with a comment for each value.

use crate::machine_write;
use crate::origins::OriginsFile;
use crate::runtime_file::RuntimeFile;
use crate::table::is_left_out;
use crate::written::written_values;
use numalab_base::{FileValue, ValueOrigins, covers};
use numalab_machine::Machine;
use numalab_runtime::Profile;
use numalab_syntax::toml_tree;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Text of a machine file that reads back to the same machine, with links in the order of their names. `comment`
/// returns the lines above a key, by its path (`memory.latency`, `cache[0].size`).
pub fn machine_text(machine: &Machine, comment: &dyn Fn(&str) -> Option<String>) -> String {
    with_origins(
        file_text(&machine_write::file(machine), 3, comment),
        &machine.origins,
        &machine.file_values(),
    )
}

/// Text of a runtime file that reads back to the same runtime, with comments as in [`machine_text`].
pub fn runtime_text(profile: &Profile, comment: &dyn Fn(&str) -> Option<String>) -> String {
    with_origins(file_text(&RuntimeFile::of(profile), 0, comment), &profile.origins, &profile.file_values())
}

/// Adds the table of origins to the text of a file, whose own type leaves it out.
fn with_origins<P>(text: String, origins: &ValueOrigins, values: &[FileValue<P>]) -> String {
    let mut file = OriginsFile::of(origins);
    let written = written_values(&toml_tree::parse(&text, 0).root);
    let is_written =
        |path: &String| written.iter().any(|one| covers(path, &one.path) || covers(path, &one.place));
    // A default that is not written out is known to be one.
    file.default.retain(is_written);
    // Words and sizes that equal a default are left out of the text.
    let is_value = |path: &String| {
        is_written(path) || values.iter().any(|one| covers(path, &one.path) || covers(path, &one.place))
    };
    for paths in [&mut file.measured, &mut file.sheet, &mut file.assumed] {
        paths.retain(is_value);
    }
    file.within.retain(|path, _| is_value(path));
    match file.is_empty() {
        true => text,
        false => text + "\n" + &toml::to_string(&BTreeMap::from([("origins", file)])).unwrap_or_default(),
    }
}

fn file_text(file: &impl Serialize, decimals: i32, comment: &dyn Fn(&str) -> Option<String>) -> String {
    // Every value of a file has a TOML form.
    let plain = toml::to_string(file).unwrap_or_default();
    let mut text = String::new();
    let mut section = String::new();
    let mut seen: Vec<(String, usize)> = Vec::new();
    for line in plain.lines() {
        if let Some(name) = line.strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]")) {
            let at = match seen.iter_mut().find(|(known, _)| known == name) {
                Some((_, count)) => {
                    *count += 1;
                    *count
                }
                None => {
                    seen.push((name.to_owned(), 0));
                    0
                }
            };
            section = format!("{name}[{at}].");
        } else if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = format!("{}.", of_element(name, &seen));
        } else if let Some((key, value)) = line.split_once(" = ") {
            let path = format!("{section}{key}");
            if is_left_out(&path, value) {
                continue;
            }
            for line in comment(&path).iter().flat_map(|text| text.lines()) {
                let _ = writeln!(text, "# {line}");
            }
            let _ = writeln!(text, "{key} = {}", readable(value, decimals));
            continue;
        }
        let _ = writeln!(text, "{line}");
    }
    text
}

/// Path of a table with the index of its last array element: `level.controller` becomes `level[N].controller`.
fn of_element(name: &str, seen: &[(String, usize)]) -> String {
    let whole = |(table, at): &(String, usize)| {
        let rest = name.strip_prefix(table.as_str())?.strip_prefix('.')?;
        Some(format!("{table}[{at}].{rest}"))
    };
    seen.iter().find_map(whole).unwrap_or_else(|| name.to_owned())
}

/// Larger units of each base unit, with powers of 1000 as factors; `SIZES` has powers of 1024.
const THOUSANDS: [(&str, &[(f64, &str)]); 3] = [
    ("ps", &[(1e12, "s"), (1e9, "ms"), (1e6, "us"), (1e3, "ns")]),
    ("B/s", &[(1e12, "TB/s"), (1e9, "GB/s"), (1e6, "MB/s")]),
    ("Hz", &[(1e9, "GHz"), (1e6, "MHz")]),
];
const SIZES: [(f64, &str); 3] =
    [((1_u64 << 30) as f64, "GiB"), ((1_u64 << 20) as f64, "MiB"), ((1_u64 << 10) as f64, "KiB")];

/// FileValue in the largest unit that needs at most `decimals` decimals; other values unchanged.
fn readable(value: &str, decimals: i32) -> String {
    let places = 10_f64.powi(decimals);
    let quantity = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).and_then(|rest| {
        let (number, unit) = rest.split_once(' ')?;
        Some((number.parse::<f64>().ok()?, unit))
    });
    let Some((number, unit)) = quantity else { return value.to_owned() };
    if (number, unit) == (0.0, "ps") {
        return "\"0 ns\"".to_owned();
    }
    let steps: &[(f64, &str)] = match unit {
        "B" => &SIZES,
        _ => THOUSANDS.iter().find(|(base, _)| *base == unit).map_or(&[], |(_, steps)| steps),
    };
    let short = |&(factor, unit): &(f64, &str)| {
        let scaled = number / factor;
        let text = format!("{}", (scaled * places).round() / places);
        // The value must be exact, and a size a whole number of bytes.
        let exact = text.parse::<f64>().is_ok_and(|read| read * factor == number);
        (scaled >= 1.0 && exact).then(|| format!("\"{text} {unit}\""))
    };
    steps.iter().find_map(short).unwrap_or_else(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_as_people_write_them() {
        for (exact, short) in [
            ("\"134700 ps\"", "\"134.7 ns\""),
            ("\"134711 ps\"", "\"134.711 ns\""),
            ("\"1000000 ps\"", "\"1 us\""),
            ("\"21700000000 B/s\"", "\"21.7 GB/s\""),
            ("\"18874368 B\"", "\"18 MiB\""),
            ("\"1000 B\"", "\"1000 B\""),
            ("\"0 ps\"", "\"0 ns\""),
            ("\"xqpi\"", "\"xqpi\""),
            ("3.4", "3.4"),
        ] {
            assert_eq!(readable(exact, 3), short);
        }
        assert_eq!(readable("\"1500000 ps\"", 0), "\"1500 ns\"");
    }
}
