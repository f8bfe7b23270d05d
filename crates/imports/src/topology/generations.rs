//! Generations of processors, for machines without measurements: `reference/processors.csv`, from the makers' data sheets.
//!
//! | column | |
//! |---|---|
//! | `models` | alternatives, separated by a bar; a model name has to contain all words of one |
//! | `memory` | peak of a socket in GB/s |
//! | `link` | peak between two sockets, each direction, in GB/s; empty for single sockets |
//! | `inside` | peak between two nodes of a socket, each direction, in GB/s; empty if as much as a node's memory |
//! | `farther` | ns that a miss takes longer in another node of the socket, and in another socket; empty for [`INSIDE`] and [`OUTSIDE`] of `latency` |
//! | `stacked` | sustained GB/s and GiB of the memory in a socket's package |
//! | `flops` | double-precision operations of a core in a cycle |
//! | `latency` | idle latency of local memory in nanoseconds, an assumption: no data sheet states it |
//! | `core` | [`CoreDesign`]; empty to keep the core of a synthetic machine |
//!
//! The first row that matches counts. Patterns of words are those of [`like`].

use super::core_designs::{self as cores, CoreDesign};
use super::reference::{self, list};
use std::sync::LazyLock;

/// Additional latency of a miss to another node of the socket, there and back, as a fraction of local latency: an
/// assumption of the order of EPYC with four nodes a socket.
pub(super) const INSIDE: f64 = 0.1;
/// Additional latency of a miss to another socket, there and back, as a fraction of local latency: an assumption.
pub(super) const OUTSIDE: f64 = 0.7;

/// Row of the table. Each bandwidth is a peak, and the text beside it states the factors of the peak.
pub(super) struct Generation {
    pub name: &'static str,
    models: Vec<Vec<&'static str>>,
    pub memory: (f64, &'static str),
    pub link: Option<(f64, &'static str)>,
    pub inside: Option<(f64, &'static str)>,
    pub farther: Farther,
    pub stacked: Option<Stacked>,
    pub flops: (f64, &'static str),
    pub latency: f64,
    pub core: Option<&'static CoreDesign>,
}

/// Additional latency of a miss, there and back, in nanoseconds.
pub(super) struct Farther {
    /// To another node of the socket.
    pub inside: f64,
    /// To another socket.
    pub outside: f64,
}

impl Generation {
    /// Name of the core design; `None` if it is not known.
    pub fn core_name(&self) -> Option<&'static str> {
        self.core.map(|core| core.name)
    }
}

/// Memory in the package of a processor.
pub(super) struct Stacked {
    /// Sustained GB/s of a socket.
    pub bandwidth: f64,
    /// GiB of a socket.
    pub capacity: u64,
    pub made_of: &'static str,
}

impl Stacked {
    /// Kind of the memory, as a word of a machine file.
    pub fn kind(&self) -> &'static str {
        if self.made_of.starts_with("MCDRAM") { "mcdram" } else { "hbm" }
    }
}

const TABLE: &str = include_str!("../../../../reference/processors.csv");

static GENERATIONS: LazyLock<Vec<Generation>> =
    LazyLock::new(|| reference::rows(TABLE, row).flatten().collect());

/// Generation of a processor by its model name.
pub(super) fn generation(model: &str) -> Option<&'static Generation> {
    let words = words(model);
    GENERATIONS.iter().find(|one| one.models.iter().any(|parts| matches(parts, &words)))
}

/// Generation by its name in the table.
pub(super) fn named(name: &str) -> Option<&'static Generation> {
    GENERATIONS.iter().find(|one| one.name == name)
}

/// All generations, in the order of the table.
#[cfg(test)]
pub(super) fn all() -> &'static [Generation] {
    &GENERATIONS
}

/// Words of a model name: `Intel(R) Xeon(R) Gold 6230` and `Xeon Gold 6230` are the same model, and so are
/// `E5-2680v4` and `E5-2680 v4`.
fn words(model: &str) -> Vec<String> {
    let mut plain = model.to_owned();
    for mark in ["(R)", "(TM)", "(r)", "(tm)"] {
        plain = plain.replace(mark, " ");
    }
    let separate = |c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')');
    let mut words = Vec::new();
    for word in plain.split(separate).filter(|word| !word.is_empty()) {
        let old = ["E3-", "E5-", "E7-"].iter().any(|begin| word.starts_with(begin));
        match word.rsplit_once(['v', 'V']).filter(|(_, version)| old && is_number(version)) {
            Some((number, version)) => words.extend([number.to_owned(), format!("v{version}")]),
            None => words.push(word.to_owned()),
        }
    }
    words
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// True for `v4`, which tells an Intel processor from an older one with the same number.
fn is_version(word: &str) -> bool {
    word.strip_prefix(['v', 'V']).is_some_and(is_number)
}

/// True if a name has all words of a row's alternative. A version has to be in both.
fn matches(parts: &[&str], words: &[String]) -> bool {
    let has = |part: &&str| match *part {
        "!" => words.iter().all(|word| word.bytes().all(|byte| !byte.is_ascii_digit())),
        part => words.iter().any(|word| like(part, word)),
    };
    let versions = words.iter().filter(|word| is_version(word));
    parts.iter().all(has)
        && versions.into_iter().all(|version| parts.iter().any(|part| part.eq_ignore_ascii_case(version)))
}

/// True if a word matches a pattern: `?` is any character, `#` a digit, `@` a letter, a final `*` any number of
/// characters. The pattern `!` stands for a name without digits.
fn like(pattern: &str, word: &str) -> bool {
    let (begin, open) = pattern.strip_suffix('*').map_or((pattern, false), |begin| (begin, true));
    let fits = begin.chars().zip(word.chars()).all(|(p, c)| match p {
        '?' => true,
        '#' => c.is_ascii_digit(),
        '@' => c.is_ascii_alphabetic(),
        p => p.eq_ignore_ascii_case(&c),
    });
    let (least, length) = (begin.chars().count(), word.chars().count());
    fits && if open { length >= least } else { length == least }
}

/// Generation of a row; `None` if malformed.
fn row(
    [
        name,
        models,
        memory,
        modules,
        link,
        lanes,
        inside,
        wires,
        farther,
        stacked,
        stacks,
        flops,
        units,
        latency,
        core,
    ]: [&'static str; 15],
) -> Option<Generation> {
    let latency: f64 = latency.parse().ok()?;
    let peak = |text: &'static str, made_of: &'static str| match text {
        "" => Some(None),
        text => Some(Some((text.parse().ok()?, made_of))),
    };
    let or = |text: &str, fraction: f64| match text {
        "" => Some(fraction * latency),
        text => text.parse().ok(),
    };
    let (near, far) = farther.split_once('|').unwrap_or((farther, ""));
    let stacked = match stacked.split_once('|') {
        None => None,
        Some((bandwidth, capacity)) => Some(Stacked {
            bandwidth: bandwidth.parse().ok()?,
            capacity: capacity.parse().ok()?,
            made_of: stacks,
        }),
    };
    Some(Generation {
        name,
        models: list(models).map(|words| words.split(' ').collect()).collect(),
        memory: (memory.parse().ok()?, modules),
        link: peak(link, lanes)?,
        inside: peak(inside, wires)?,
        farther: Farther { inside: or(near, INSIDE)?, outside: or(far, OUTSIDE)? },
        stacked,
        flops: (flops.parse().ok()?, units),
        latency,
        core: if core.is_empty() { None } else { Some(cores::find(core)?) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First number before a word: 8 of `8 channels`.
    fn before(text: &str, word: &str) -> Option<f64> {
        text.split(word).next()?.trim().rsplit(' ').next()?.parse().ok()
    }

    #[test]
    fn every_row_parses() {
        for (line, parsed) in TABLE.lines().skip(1).zip(reference::rows(TABLE, row)) {
            assert!(parsed.is_some(), "{line}");
        }
        assert_eq!(GENERATIONS.len(), TABLE.lines().count() - 1);
    }

    /// Peak = channels of eight bytes × transfers; for links, links × transfers of two bytes each way.
    #[test]
    fn bandwidths_are_what_they_are_made_of() {
        let mut checked = (0, 0);
        for Generation { name, memory: (memory, channels), link, .. } in GENERATIONS.iter() {
            if let Some(count) = before(channels, "channels") {
                // The text after the comma names the data sheet.
                let modules = channels.split(',').next().unwrap_or_default();
                let transfers: f64 = modules.rsplit('-').next().unwrap().parse().unwrap();
                assert!((count * 8.0 * transfers / 1e3 - memory).abs() < 0.1, "{name}: {channels}");
                checked.0 += 1;
            }
            let Some((rate, links)) = link else { continue };
            let counts = ["one", "two", "three", "four", "five", "six"];
            let many = counts.iter().position(|word| links.starts_with(word));
            if let Some(transfers) = before(links, "GT/s") {
                let count = many.unwrap() as f64 + 1.0;
                assert!((count * 2.0 * transfers - rate).abs() < 0.1, "{name}: {links}");
                checked.1 += 1;
            }
        }
        assert!(checked.0 > 100 && checked.1 > 40, "{checked:?}");
    }

    #[test]
    fn model_names_as_processors_say_them() {
        for (model, name) in names() {
            assert_eq!(generation(model).map(|one| one.name), Some(name), "{model}");
        }
        for unknown in
            ["", "Pentium III", "Xeon", "EPYC", "QEMU Virtual CPU version 2.5+", "Common KVM processor"]
        {
            assert!(generation(unknown).is_none(), "{unknown}");
        }
    }

    /// A name with a version is never the processor of the same number without one, or with another one.
    #[test]
    fn versions_are_in_the_name_and_in_the_row() {
        for (model, name) in names().filter(|(model, _)| model.contains(" v")) {
            let version = model.split_whitespace().find(|word| is_version(word)).unwrap();
            let plain = model.replace(&format!(" {version}"), "");
            assert_ne!(generation(&plain).map(|one| one.name), Some(name), "{plain}");
            let later = model.replace(version, "v9");
            assert!(generation(&later).is_none(), "{later}");
            let joined = model.replace(&format!(" {version}"), version);
            assert_eq!(generation(&joined).map(|one| one.name), Some(name), "{joined}");
        }
    }

    /// No row is hidden by those above it: each has a name of the table of names, or a name that is made of its own
    /// first alternative.
    #[test]
    fn every_row_can_be_found() {
        for one in GENERATIONS.iter() {
            let made = |parts: &Vec<&str>| {
                let words = parts
                    .iter()
                    .map(|part| part.replace(['?', '#'], "0").replace('@', "X").replace(['*', '!'], ""));
                let name = words.collect::<Vec<_>>().join(" ");
                generation(&name).is_some_and(|found| found.name == one.name)
            };
            let named = names().any(|(_, name)| name == one.name);
            assert!(named || one.models.iter().any(made), "{}", one.name);
        }
    }

    /// Model names as `lscpu` prints them, and their generations.
    fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
        let lines = include_str!("names.csv").lines();
        lines.map(|line| line.split_once(';').unwrap())
    }
}
