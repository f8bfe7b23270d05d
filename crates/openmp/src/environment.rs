//! Variables of OpenMP runtimes other than OMP_PLACES and OMP_PROC_BIND: read, or listed as not understood.

use crate::ProcList;
use crate::binding::Binding;
use numalab_workload::Schedule;

/// Prefixes of the variables of OpenMP runtimes.
const RUNTIMES: [&str; 3] = ["OMP_", "GOMP_", "KMP_"];

/// Variables that this module or `binding` reads.
const UNDERSTOOD: [&str; 9] = [
    "OMP_PLACES",
    "OMP_PROC_BIND",
    "OMP_NUM_THREADS",
    "OMP_DISPLAY_AFFINITY",
    "OMP_AFFINITY_FORMAT",
    "OMP_DISPLAY_ENV",
    "OMP_SCHEDULE",
    "GOMP_CPU_AFFINITY",
    "KMP_AFFINITY",
];

/// Settings from the variables of OpenMP runtimes, except `OMP_PLACES` and `OMP_PROC_BIND`.
#[derive(Debug, Default, PartialEq)]
pub struct Others {
    /// Binding from `KMP_AFFINITY`.
    pub binding: Binding,
    /// Processors in the order in which threads take them; `None` if no variable lists processors.
    pub processors: Option<ProcList>,
    /// Name of the variable that listed `processors`.
    pub processors_from: Option<&'static str>,
    /// Schedule of `schedule(runtime)`, from `OMP_SCHEDULE`.
    pub schedule: Option<Schedule>,
    /// Settings to print, from `OMP_DISPLAY_ENV`; `None` prints nothing.
    pub shown: Option<Shown>,
    /// Variables of OpenMP runtimes that are set, but not understood, each as `NAME=value`.
    pub not_understood: Vec<String>,
    /// Variables that would place threads, but are overridden by other settings, each as `NAME=value`.
    pub overridden: Vec<String>,
}

/// Settings that `OMP_DISPLAY_ENV` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// `true`: the variables of the standard.
    Standard,
    /// `verbose`: the variables of the standard and `OMP_DISPLAY_AFFINITY`.
    Verbose,
}

/// Reads the variables of OpenMP runtimes. `variable` returns the value of a variable, `None` if the variable is not
/// set; `set` has the names of all variables that are set. If `placed`, other settings already place the threads and
/// override the variables.
///
/// # Errors
///
/// Returns the first error of `variable`.
pub fn others<E>(
    variable: &dyn Fn(&str) -> Result<Option<String>, E>,
    set: &[String],
    placed: bool,
) -> Result<Others, E> {
    let mut others = Others::default();
    let is_theirs = |name: &&String| {
        RUNTIMES.iter().any(|runtime| name.starts_with(runtime)) && !UNDERSTOOD.contains(&name.as_str())
    };
    let mut rest: Vec<&String> = set.iter().filter(is_theirs).collect();
    rest.sort_unstable();
    for name in rest {
        if let Some(text) = variable(name)? {
            others.not_understood.push(shown(name, &text));
        }
    }
    if let Some(text) = variable("OMP_DISPLAY_ENV")? {
        match text.trim().to_ascii_lowercase().as_str() {
            "true" | "1" => others.shown = Some(Shown::Standard),
            "verbose" => others.shown = Some(Shown::Verbose),
            "false" | "0" => {}
            _ => others.not_understood.push(shown("OMP_DISPLAY_ENV", &text)),
        }
    }
    if let Some(text) = variable("OMP_SCHEDULE")? {
        // The modifiers monotonic and nonmonotonic do not change which iterations a thread gets.
        let plain = text.trim().to_ascii_lowercase();
        let plain = plain.rsplit(':').next().unwrap_or_default().replace(' ', "");
        let standard = |schedule: &Schedule| {
            matches!(schedule, Schedule::Static { .. } | Schedule::Dynamic { .. } | Schedule::Guided { .. })
        };
        others.schedule = plain.parse().ok().filter(standard);
        if others.schedule.is_none() {
            others.not_understood.push(shown("OMP_SCHEDULE", &text));
        }
    }
    if placed {
        for name in ["GOMP_CPU_AFFINITY", "KMP_AFFINITY"] {
            others.overridden.extend(variable(name)?.map(|text| shown(name, &text)));
        }
        return Ok(others);
    }
    if let Some(text) = variable("GOMP_CPU_AFFINITY")? {
        let list = text.split([' ', '\t', ',']).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(",");
        match list.parse() {
            Ok(list) => {
                (others.processors, others.processors_from) = (Some(list), Some("GOMP_CPU_AFFINITY"));
            }
            Err(_) => others.not_understood.push(shown("GOMP_CPU_AFFINITY", &text)),
        }
    }
    if let Some(text) = variable("KMP_AFFINITY")? {
        match kmp(&text) {
            Some(Kmp::Bound(binding)) => others.binding = binding,
            Some(Kmp::Listed(list)) => {
                others.processors_from = Some("KMP_AFFINITY");
                if others.processors.replace(list).is_some() {
                    let theirs = variable("GOMP_CPU_AFFINITY")?;
                    others.overridden.extend(theirs.map(|text| shown("GOMP_CPU_AFFINITY", &text)));
                }
            }
            None => others.not_understood.push(shown("KMP_AFFINITY", &text)),
        }
    }
    Ok(others)
}

fn shown(name: &str, text: &str) -> String {
    format!("{name}={text}")
}

enum Kmp {
    Bound(Binding),
    Listed(ProcList),
}

/// Reads `granularity=fine,compact`, `none` or `explicit,proclist=[0,2]`. `scatter` is not
/// supported: its order, with consecutive threads on different sockets, has no equivalent among
/// OpenMP places.
fn kmp(text: &str) -> Option<Kmp> {
    let lower = text.trim().to_ascii_lowercase();
    let (rest, list) = match lower.split_once("proclist=[") {
        Some((before, list)) => {
            let (list, after) = list.split_once(']')?;
            (format!("{before}{after}"), Some(list.to_owned()))
        }
        None => (lower, None),
    };
    let is_modifier = |word: &str| {
        let modifiers = [
            "",
            "verbose",
            "noverbose",
            "warnings",
            "nowarnings",
            "respect",
            "norespect",
            "reset",
            "noreset",
            "0",
        ];
        modifiers.contains(&word) || word.starts_with("granularity=")
    };
    let mut words = rest.split(',').map(str::trim).filter(|word| !is_modifier(word));
    let kind = words.next()?;
    if words.next().is_some() {
        return None;
    }
    match (kind, list) {
        ("explicit", Some(list)) => list.parse().ok().map(Kmp::Listed),
        ("compact", None) => Binding::parse(Some("threads"), Some("close")).ok().map(Kmp::Bound),
        ("none" | "disabled", None) => Binding::parse(None, Some("false")).ok().map(Kmp::Bound),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, value: &str, placed: bool) -> Others {
        let set = [name.to_owned(), "PATH".to_owned()];
        let variable = |asked: &str| Ok::<_, ()>((asked == name).then(|| value.to_owned()));
        others(&variable, &set, placed).unwrap()
    }

    #[test]
    fn understood_variables_are_used() {
        for (text, schedule) in
            [("dynamic,4", "dynamic,4"), ("GUIDED", "guided"), ("monotonic:static, 8", "static,8")]
        {
            assert_eq!(read("OMP_SCHEDULE", text, false).schedule, Some(schedule.parse().unwrap()), "{text}");
        }
        let listed = |text: &str| text.parse::<ProcList>().ok();
        assert_eq!(read("GOMP_CPU_AFFINITY", "0 3 1-2 4-8:2", false).processors, listed("0,3,1-2,4-8:2"));
        let explicit = "verbose,granularity=fine,explicit,proclist=[0,2,4-6]";
        assert_eq!(read("KMP_AFFINITY", explicit, false).processors, listed("0,2,4-6"));
        let compact = Binding::parse(Some("threads"), Some("close")).unwrap();
        assert_eq!(read("KMP_AFFINITY", "granularity=fine,compact,0,0", false).binding, compact);
        let overridden = vec!["KMP_AFFINITY=compact".to_owned()];
        assert_eq!(read("KMP_AFFINITY", "compact", true), Others { overridden, ..Others::default() });
    }

    #[test]
    fn settings_are_printed_on_request() {
        for (text, expected) in
            [(" TRUE", Some(Shown::Standard)), ("verbose", Some(Shown::Verbose)), ("False", None)]
        {
            assert_eq!(read("OMP_DISPLAY_ENV", text, false), Others { shown: expected, ..Others::default() });
        }
    }

    #[test]
    fn unknown_variables_are_listed() {
        for (name, text) in [
            ("OMP_DISPLAY_ENV", "maybe"),
            ("KMP_AFFINITY", "scatter"),
            ("KMP_AFFINITY", "compact,1,0"),
            ("KMP_AFFINITY", "explicit"),
            ("GOMP_CPU_AFFINITY", "zero"),
            ("OMP_SCHEDULE", "auto"),
            ("OMP_SCHEDULE", "sometimes"),
            ("OMP_WAIT_POLICY", "active"),
            ("OMP_OF_TOMORROW", "1"),
            ("KMP_SETTINGS", "1"),
        ] {
            let others = read(name, text, false);
            let expected = Others { not_understood: vec![format!("{name}={text}")], ..Others::default() };
            assert_eq!(others, expected);
        }
    }
}
