//! Variables of OpenMP runtimes other than OMP_PLACES and OMP_PROC_BIND: read, or listed as not understood.

mod waiting;

pub use waiting::{Limit, WaitPolicy, Waiting};

use crate::binding::{Binding, KmpValue, KmpWord};
use crate::places::TextError;
use crate::{HwSubset, ProcList};
use numalab_workload::Schedule;

/// Prefixes of the variables of OpenMP runtimes.
const RUNTIMES: [&str; 3] = ["OMP_", "GOMP_", "KMP_"];

/// Variables that this module or `binding` reads.
const UNDERSTOOD: [&str; 13] = [
    "OMP_PLACES",
    "OMP_PROC_BIND",
    "OMP_NUM_THREADS",
    "OMP_DISPLAY_AFFINITY",
    "OMP_AFFINITY_FORMAT",
    "OMP_DISPLAY_ENV",
    "OMP_SCHEDULE",
    "GOMP_CPU_AFFINITY",
    "KMP_AFFINITY",
    "KMP_HW_SUBSET",
    "OMP_WAIT_POLICY",
    "KMP_BLOCKTIME",
    "GOMP_SPINCOUNT",
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
    /// Part of the machine that the program uses, from `KMP_HW_SUBSET`.
    pub subset: Option<HwSubset>,
    /// Schedule of `schedule(runtime)`, from `OMP_SCHEDULE`.
    pub schedule: Option<Schedule>,
    /// Value of `OMP_SCHEDULE` without modifier, if it is no schedule of the standard. It may name a policy file.
    pub named_schedule: Option<String>,
    /// Spinning times of waiting threads.
    pub waiting: Waiting,
    /// Settings to print, from `OMP_DISPLAY_ENV`; `None` prints nothing.
    pub shown: Option<Shown>,
    /// Variables of OpenMP runtimes that are set, but not understood, each as `NAME=value`.
    pub not_understood: Vec<String>,
    /// Variables that would place threads, but are overridden by other settings, each as `NAME=value`.
    pub overridden: Vec<String>,
    /// Parts of values that change nothing in a simulated run, each as `NAME: PART`.
    pub idle: Vec<String>,
    /// Variables whose value is wrong.
    pub wrong: Vec<Wrong>,
}

/// A variable with a wrong value.
#[derive(Clone, Debug, PartialEq)]
pub struct Wrong {
    pub name: &'static str,
    pub text: String,
    pub error: TextError,
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
        others.display(&text);
    }
    if let Some(text) = variable("OMP_SCHEDULE")? {
        others.schedule(&text);
    }
    if let Some(text) = variable("KMP_HW_SUBSET")? {
        match HwSubset::parse(&text) {
            Ok(subset) => others.subset = Some(subset),
            Err(error) => others.wrong.push(Wrong { name: "KMP_HW_SUBSET", text, error }),
        }
    }
    for name in Waiting::NAMES {
        let Some(text) = variable(name)? else { continue };
        if let Err(error) = others.waiting.take(name, &text) {
            others.wrong.push(Wrong { name, text, error });
        }
    }
    // libomp lets KMP_AFFINITY override the variables of the standard; these override GOMP_CPU_AFFINITY everywhere.
    let mut order = Vec::new();
    for name in ["KMP_AFFINITY", "OMP_PLACES", "OMP_PROC_BIND", "GOMP_CPU_AFFINITY"] {
        order.extend(variable(name)?.map(|text| (name, text)));
    }
    let mut by = if placed { Some("") } else { None };
    for (name, text) in order {
        let standard = name.starts_with("OMP_");
        match by {
            // The standard's two variables belong together; flags override one or both of them elsewhere.
            Some(first) if standard && (first.is_empty() || first.starts_with("OMP_")) => {}
            Some(_) => others.overridden.push(shown(name, &text)),
            None if standard => by = Some(name),
            None => by = others.places(name, text).then_some(name),
        }
    }
    Ok(others)
}

fn shown(name: &str, text: &str) -> String {
    format!("{name}={text}")
}

impl Others {
    /// True if `KMP_AFFINITY` overrides the standard's places and policies.
    pub fn overrides_standard(&self) -> bool {
        !self.binding.is_empty() || self.processors_from == Some("KMP_AFFINITY")
    }

    fn display(&mut self, text: &str) {
        match text.trim().to_ascii_lowercase().as_str() {
            "true" | "1" => self.shown = Some(Shown::Standard),
            "verbose" => self.shown = Some(Shown::Verbose),
            "false" | "0" => {}
            _ => self.not_understood.push(shown("OMP_DISPLAY_ENV", text)),
        }
    }

    fn schedule(&mut self, text: &str) {
        // The modifiers monotonic and nonmonotonic do not change which iterations a thread gets.
        let plain = text.trim().to_ascii_lowercase();
        let plain = plain.rsplit(':').next().unwrap_or_default().replace(' ', "");
        let standard = |schedule: &Schedule| {
            matches!(schedule, Schedule::Static { .. } | Schedule::Dynamic { .. } | Schedule::Guided { .. })
        };
        self.schedule = plain.parse().ok().filter(standard);
        if self.schedule.is_none() {
            self.named_schedule = Some(plain);
        }
    }

    /// Takes `KMP_AFFINITY` or `GOMP_CPU_AFFINITY`. Returns true if it places threads.
    fn places(&mut self, name: &'static str, text: String) -> bool {
        if name == "GOMP_CPU_AFFINITY" {
            let list =
                text.split([' ', '\t', ',']).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(",");
            self.processors = list.parse().ok();
        } else {
            match KmpValue::parse(&text) {
                Ok(KmpValue { word, idle }) => {
                    self.idle.extend(idle.into_iter().map(|part| format!("{name}: {part}")));
                    match word {
                        KmpWord::Bound(binding) => self.binding = binding,
                        KmpWord::Listed(list) => self.processors = Some(list),
                        KmpWord::Nothing => return false,
                    }
                }
                Err(error) => {
                    self.wrong.push(Wrong { name, text, error });
                    return false;
                }
            }
        }
        if self.processors.is_some() {
            self.processors_from = Some(name);
        } else if self.binding.is_empty() {
            self.not_understood.push(shown(name, &text));
            return false;
        }
        true
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
        let compact = read("KMP_AFFINITY", "granularity=fine,compact,0,0", false).binding;
        assert_eq!(compact.affinity.unwrap().text(), "granularity=fine,compact,0,0");
        assert_eq!(read("KMP_AFFINITY", "none", false).binding, Binding::unbound());
        assert_eq!(read("KMP_HW_SUBSET", "2s,4c", false).subset, HwSubset::parse("2s,4c").ok());
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
    fn other_schedules_keep_their_names() {
        for (text, name) in
            [("auto", "auto"), ("FAC2, 4", "fac2,4"), ("nonmonotonic:static_steal", "static_steal")]
        {
            let expected = Others { named_schedule: Some(name.to_owned()), ..Others::default() };
            assert_eq!(read("OMP_SCHEDULE", text, false), expected);
        }
    }

    #[test]
    fn unknown_variables_are_listed() {
        for (name, text) in [
            ("OMP_DISPLAY_ENV", "maybe"),
            ("GOMP_CPU_AFFINITY", "zero"),
            ("OMP_OF_TOMORROW", "1"),
            ("KMP_SETTINGS", "1"),
        ] {
            let others = read(name, text, false);
            let expected = Others { not_understood: vec![format!("{name}={text}")], ..Others::default() };
            assert_eq!(others, expected);
        }
    }

    /// `KMP_AFFINITY` before the standard's variables, and these before `GOMP_CPU_AFFINITY`.
    #[test]
    fn one_variable_places_the_threads() {
        let read = |all: &[(&str, &str)], placed| {
            let variable = |asked: &str| {
                let found = all.iter().find(|(name, _)| *name == asked);
                Ok::<_, ()>(found.map(|(_, value)| (*value).to_owned()))
            };
            others(&variable, &[], placed).unwrap()
        };
        let (kmp, gomp) = (("KMP_AFFINITY", "scatter"), ("GOMP_CPU_AFFINITY", "0 1"));
        let (places, policy) = (("OMP_PLACES", "cores"), ("OMP_PROC_BIND", "close"));
        let all = read(&[gomp, policy, places, kmp], false);
        assert!(all.overrides_standard() && all.processors.is_none());
        assert_eq!(all.overridden, ["OMP_PLACES=cores", "OMP_PROC_BIND=close", "GOMP_CPU_AFFINITY=0 1"]);
        let standard = read(&[gomp, policy, places], false);
        assert!(!standard.overrides_standard());
        assert_eq!(standard.overridden, ["GOMP_CPU_AFFINITY=0 1"]);
        assert_eq!(
            read(&[gomp, policy, kmp], true).overridden,
            ["KMP_AFFINITY=scatter", "GOMP_CPU_AFFINITY=0 1"]
        );
        // Modifiers alone leave the choice to the others.
        let idle = read(&[("KMP_AFFINITY", "verbose"), gomp], false);
        assert_eq!(
            (idle.processors_from, &*idle.idle),
            (Some("GOMP_CPU_AFFINITY"), &["KMP_AFFINITY: verbose".to_owned()][..])
        );
    }

    #[test]
    fn wrong_values_are_kept_with_their_error() {
        for (name, text, column) in
            [("KMP_AFFINITY", "sactter", 1), ("KMP_HW_SUBSET", "2s,4x", 5), ("OMP_WAIT_POLICY", "lazy", 1)]
        {
            let wrong = read(name, text, false).wrong;
            assert_eq!((wrong[0].name, &*wrong[0].text, wrong[0].error.column), (name, text, column));
        }
        assert_eq!(read("KMP_AFFINITY", "sactter", true).wrong, []);
    }
}
