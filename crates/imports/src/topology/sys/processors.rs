//! Processors, and their assignment to cores and packages.

use super::{CPU, Dump};
use crate::topology::Processor;
use crate::topology::lists::{list, number};
use numalab_syntax::diagnostics::Diagnostic;
use std::collections::{BTreeMap, BTreeSet};

const LIST: &str = "a list of processors, such as 0-3,8";

/// Reads the processors that are on-line, and the numbers of those that are off-line.
pub(super) fn read(dump: &Dump, errors: &mut Vec<Diagnostic>) -> (Vec<Processor>, Vec<u32>) {
    let named =
        |name: &str, errors: &mut Vec<Diagnostic>| dump.parsed(&format!("{CPU}{name}"), LIST, errors, list);
    let described: BTreeSet<u32> = dump.numbered(CPU, "cpu").into_iter().collect();
    let online = named("online", errors).unwrap_or_else(|| described.clone());
    // The possible processors include those of empty sockets; the present ones exist.
    let present = named("present", errors).unwrap_or(described);
    let offline = present.difference(&online).copied().collect();
    // Cores are numbered in the order in which their identities are found.
    let mut cores = BTreeMap::new();
    let mut processor = |number| {
        let (package, core) = place(dump, number, errors);
        let next = cores.len() as u32;
        Processor { number, package, core: core.map(|core| *cores.entry(core).or_insert(next)) }
    };
    (online.into_iter().map(&mut processor).collect(), offline)
}

/// Identity of a core in the machine.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Core {
    /// Core named by the lowest of its processor numbers (`core_cpus_list`).
    Sharing(Option<u32>),
    /// Core of older kernels: package, die, and core number, which repeats in every die.
    Numbered(Option<i64>, Option<i64>, i64),
}

/// Package and core of a processor.
fn place(dump: &Dump, number: u32, errors: &mut Vec<Diagnostic>) -> (Option<u32>, Option<Core>) {
    let path = |name: &str| format!("{CPU}cpu{number}/topology/{name}");
    let mut whole =
        |name: &str| dump.parsed(&path(name), "a number", errors, |text| text.parse::<i64>().ok());
    let (package, die, core) = (whole("physical_package_id"), whole("die_id"), whole("core_id"));
    let numbered = core.map(|core| Core::Numbered(package, die, core));
    let siblings = ["core_cpus_list", "thread_siblings_list"]
        .iter()
        .find_map(|name| dump.parsed(&path(name), LIST, errors, list));
    let sharing = siblings.map(|siblings| Core::Sharing(siblings.first().copied()));
    // The package is -1 if the firmware does not state it.
    (package.and_then(|package| u32::try_from(package).ok()), sharing.or(numbered))
}

pub(super) fn model(dump: &Dump) -> Option<String> {
    let keys = ["model name", "Processor", "cpu"];
    keys.iter().find_map(|key| cpuinfo(dump, key)).map(str::to_owned)
}

/// Vendor of the processors; on Arm, where a number is written, the features tell.
pub(super) fn vendor(dump: &Dump) -> Option<String> {
    cpuinfo(dump, "vendor_id").map(str::to_owned)
}

pub(super) fn features(dump: &Dump) -> Vec<String> {
    let flags = ["flags", "Features"].iter().find_map(|key| cpuinfo(dump, key)).unwrap_or_default();
    flags.split_whitespace().map(str::to_owned).collect()
}

/// Highest clock of all processors, in hertz.
pub(super) fn clock(dump: &Dump, errors: &mut Vec<Diagnostic>) -> Option<f64> {
    let clock = |at: u32, errors: &mut Vec<Diagnostic>| {
        let path = format!("{CPU}cpu{at}/cpufreq/cpuinfo_max_freq");
        dump.parsed(&path, "kilohertz", errors, |text| text.parse::<u64>().ok())
    };
    let highest = dump.numbered(CPU, "cpu").into_iter().filter_map(|at| clock(at, errors)).max();
    highest.filter(|kilohertz| *kilohertz > 0).map(|kilohertz| kilohertz as f64 * 1e3)
}

/// First value of a key in `/proc/cpuinfo` that is neither empty nor a number.
fn cpuinfo<'a>(dump: &'a Dump, key: &str) -> Option<&'a str> {
    let lines = dump.text("/proc/cpuinfo")?.lines().filter_map(|line| line.split_once(':'));
    let mut values = lines.filter(|(name, _)| name.trim() == key).map(|(_, value)| value.trim());
    values.find(|value| !value.is_empty() && number(value).is_none())
}
