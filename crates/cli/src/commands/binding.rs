//! Thread binding from flags and environment. For each setting a flag takes precedence over the variable of OpenMP,
//! and this over variables of single runtimes.

use super::load;
use crate::excerpt;
use crate::failure::Failure;
use crate::flags;
use crate::hints;
use numalab_openmp::binding::{AffinityFormat, Binding, BindingError, thread_counts};
use numalab_openmp::environment::{self, Others};
use numalab_study::RunSpec;
use std::ffi::OsString;

#[derive(Debug, Default, PartialEq)]
pub struct Said {
    pub binding: Binding,
    /// Flag or variable that gives the places, for messages.
    pub places_from: &'static str,
    /// Flag that places pages; `None` without such a flag.
    pub placement_from: Option<&'static str>,
    /// Flag that lists processors; `None` without such a flag.
    pub processors_from: Option<&'static str>,
    pub threads: Option<u32>,
    /// Format of the printed binding; `None` if the binding is not printed.
    pub display: Option<AffinityFormat>,
    /// Settings from variables of OpenMP runtimes.
    pub others: Others,
}

impl Said {
    /// Flags or variables that give each setting, for messages.
    pub fn sources(&self) -> hints::Sources {
        hints::Sources {
            places: self.places_from,
            placement: self.placement_from.unwrap_or("--placement"),
            processors: self.lists_processors().unwrap_or("--procs"),
        }
    }

    /// Flag or variable that limits the processors.
    fn lists_processors(&self) -> Option<&'static str> {
        let subset = self.others.subset.as_ref().map(|_| "KMP_HW_SUBSET");
        self.processors_from.or(self.others.processors_from).or(subset)
    }

    /// Adds the flags that place pages and list processors. A processor list from flags overrides one from a
    /// variable, and a list overrides a part of the machine.
    pub fn with_flags(self, pages: Option<&'static str>, processors: Option<&'static str>) -> Said {
        let mut said = Said { placement_from: pages, processors_from: processors, ..self };
        let others = &mut said.others;
        if processors.is_some() && others.processors.take().is_some() {
            others.overridden.extend(others.processors_from.map(str::to_owned));
        }
        let listed = processors.is_some() || others.processors.is_some();
        if listed && others.subset.take().is_some() {
            others.overridden.push("KMP_HW_SUBSET".to_owned());
        }
        said
    }

    /// The run with the schedule that `OMP_SCHEDULE` names.
    pub fn with_schedule(&self, mut spec: RunSpec) -> Result<RunSpec, Failure> {
        if let Some(schedule) = &self.others.schedule {
            let name = schedule.file().map_or(schedule.to_string(), |file| file.typed());
            let meaning = load::overrides(&[format!("runtime.schedule.runtime={name}")], None)?;
            // Values of `--set` follow these values and override them.
            spec.overrides.runtime.splice(0..0, meaning.runtime);
        }
        Ok(spec)
    }
}

/// Reads the flags and, if `--omp-env` is given, the environment of this process.
pub fn resolve(flags: &flags::Binding, threads: Option<u32>) -> Result<Said, Failure> {
    // Names that are not UTF-8 do not belong to an OpenMP runtime.
    let set: Vec<String> = match flags.omp_env {
        true => std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()).collect(),
        false => Vec::new(),
    };
    said(flags, threads, &|name| std::env::var_os(name), &set)
}

fn said(
    flags: &flags::Binding,
    threads: Option<u32>,
    environment: &dyn Fn(&str) -> Option<OsString>,
    set: &[String],
) -> Result<Said, Failure> {
    let variable = |name: &str| if flags.omp_env { read(name, environment) } else { Ok(None) };
    let typed = parse(("--places", flags.places.as_deref()), ("--proc-bind", flags.proc_bind.as_deref()))?;
    let places_from = if typed.places.is_some() { "--places" } else { "OMP_PLACES" };
    let mut others = environment::others(&variable, set, !typed.is_empty())?;
    if let Some(name) = others.named_schedule.take() {
        let policy = numalab_files::schedule(&name).ok().filter(|schedule| schedule.file().is_some());
        match policy {
            Some(policy) => others.schedule = Some(policy),
            None => others
                .not_understood
                .push(format!("OMP_SCHEDULE={}", variable("OMP_SCHEDULE")?.unwrap_or(name))),
        }
    }
    if let Some(wrong) = others.wrong.first() {
        return Err(excerpt::failure(wrong.name, &wrong.text, &wrong.error));
    }
    // A variable that a flag or another variable overrides is not read.
    let kmp = others.overrides_standard();
    let places = if kmp || typed.places.is_some() { None } else { variable("OMP_PLACES")? };
    let policies = if kmp || typed.proc_bind.is_some() { None } else { variable("OMP_PROC_BIND")? };
    let from_variables = parse(("OMP_PLACES", places.as_deref()), ("OMP_PROC_BIND", policies.as_deref()))?;
    let binding = typed.or(from_variables);
    let binding = binding.or(others.binding.clone());
    let threads = match threads {
        Some(threads) => Some(threads),
        None => outermost(variable("OMP_NUM_THREADS")?)?,
    };
    let display = flags.display_affinity || asks_for_display(variable("OMP_DISPLAY_AFFINITY")?)?;
    let display = if display { Some(format(variable("OMP_AFFINITY_FORMAT")?)?) } else { None };
    Ok(Said { binding, places_from, placement_from: None, processors_from: None, threads, display, others })
}

/// Parses places and policies. Each text comes with the flag or variable that it is from, for messages.
fn parse(places: (&str, Option<&str>), policies: (&str, Option<&str>)) -> Result<Binding, Failure> {
    Binding::parse(places.1, policies.1).map_err(|error| {
        let (name, text) = match error {
            BindingError::Places(_) => places,
            BindingError::ProcBind(_) => policies,
        };
        excerpt::failure(name, text.unwrap_or_default(), error.error())
    })
}

/// Value of an environment variable; `None` if it is unset or blank.
fn read(name: &str, environment: &dyn Fn(&str) -> Option<OsString>) -> Result<Option<String>, Failure> {
    let Some(value) = environment(name) else { return Ok(None) };
    match value.into_string() {
        Ok(text) => Ok(Some(text).filter(|text| !text.trim().is_empty())),
        Err(_) => Err(Failure::request(format!("{name} is not UTF-8 text"), format!("unset {name}"))),
    }
}

/// The first number of the list `OMP_NUM_THREADS`: the size of the outermost team.
fn outermost(text: Option<String>) -> Result<Option<u32>, Failure> {
    let Some(text) = text else { return Ok(None) };
    let counts = thread_counts(&text).map_err(|error| excerpt::failure("OMP_NUM_THREADS", &text, &error))?;
    Ok(counts.first().copied())
}

fn asks_for_display(text: Option<String>) -> Result<bool, Failure> {
    match text.unwrap_or_default().trim().to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" | "" => Ok(false),
        other => Err(Failure::request(
            format!("OMP_DISPLAY_AFFINITY is \"{}\"", other.escape_debug()),
            "export OMP_DISPLAY_AFFINITY=true",
        )),
    }
}

fn format(text: Option<String>) -> Result<AffinityFormat, Failure> {
    let Some(text) = text else { return Ok(AffinityFormat::default()) };
    text.parse().map_err(|error| excerpt::failure("OMP_AFFINITY_FORMAT", &text, &error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_openmp::binding::ProcBind;

    const ENVIRONMENT: [(&str, &str); 5] = [
        ("OMP_PLACES", "sockets"),
        ("OMP_PROC_BIND", "spread,close"),
        ("OMP_NUM_THREADS", "8,4"),
        ("OMP_DISPLAY_AFFINITY", " TRUE "),
        ("OMP_AFFINITY_FORMAT", "%n"),
    ];

    fn with(flags: flags::Binding, threads: Option<u32>, change: (&str, &str)) -> Result<Said, Failure> {
        let value = |name: &str| {
            let changed = Some(change).filter(|(changed, _)| *changed == name);
            let pair = changed.or(ENVIRONMENT.into_iter().find(|(known, _)| *known == name));
            pair.map(|(_, value)| value.into())
        };
        said(&flags, threads, &value, &[])
    }

    fn places(said: &Said) -> Option<&str> {
        said.binding.places.as_ref().map(|list| list.text())
    }

    #[test]
    fn the_environment_is_read_only_on_request() {
        assert_eq!(
            with(flags::Binding::default(), None, ("", "")).unwrap(),
            Said { places_from: "OMP_PLACES", ..Said::default() }
        );
        let flags = flags::Binding { omp_env: true, ..flags::Binding::default() };
        let said = with(flags, None, ("", "")).unwrap();
        assert_eq!((places(&said), said.threads), (Some("sockets"), Some(8)));
        assert_eq!(said.binding.proc_bind.unwrap(), [ProcBind::Spread, ProcBind::Close]);
        assert_eq!(said.display, Some("%n".parse().unwrap()));
    }

    #[test]
    fn flags_win_one_by_one() {
        let flags = flags::Binding { omp_env: true, places: Some("0,1".into()), ..flags::Binding::default() };
        let said = with(flags, Some(3), ("", "")).unwrap();
        assert_eq!((places(&said), said.threads, said.places_from), (Some("0,1"), Some(3), "--places"));
        assert_eq!(said.binding.proc_bind.unwrap()[0], ProcBind::Spread);
    }

    #[test]
    fn a_wrong_variable_counts_only_where_it_is_used() {
        let flags = flags::Binding { omp_env: true, places: Some("0,1".into()), ..flags::Binding::default() };
        assert!(with(flags.clone(), None, ("OMP_PLACES", "nonsense")).is_ok());
        for (name, value) in [
            ("OMP_PROC_BIND", "closed"),
            ("OMP_NUM_THREADS", "0"),
            ("OMP_DISPLAY_AFFINITY", "yes"),
            ("OMP_AFFINITY_FORMAT", "%z"),
        ] {
            let Err(Failure::Request { problem, .. }) = with(flags.clone(), None, (name, value)) else {
                panic!("{name}={value} passed");
            };
            assert!(problem.contains(name), "{problem}");
        }
        // An empty variable counts as unset.
        assert_eq!(with(flags, None, ("OMP_NUM_THREADS", " ")).unwrap().threads, None);
    }
}
