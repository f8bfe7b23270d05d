//! Translates the flags of other tools: flags for pages become a placement, flags for threads a processor list.

use super::binding::Said;
use crate::brief;
use crate::failure::Failure;
use crate::flags::Tools;
use crate::hints;
use numalab_imports::topology::processors_of_bitmap;
use numalab_openmp::ProcList;
use numalab_study::processors::{self, InvalidProcessors};
use numalab_study::{Files, RunSpec, SealedMachine};
use numalab_workload::Placement;

fn refused(flag: &str, wrong: InvalidProcessors) -> Failure {
    Failure::request(
        format!("{flag}: \"{}\" is not understood", brief::beginning(&wrong.part)),
        format!("expected {}", wrong.expected),
    )
}

/// Placement of pages from the flags of other tools; `None` without such a flag.
fn placement(flags: &Tools) -> Result<Option<Placement>, Failure> {
    let nodes = |flag: &str, word: &str, text: &str| {
        let policy = if text.trim() == "all" && word.ends_with("interleave") {
            word.to_owned()
        } else {
            format!("{word}:{}", text.trim())
        };
        let relative = text.contains(['+', '!']);
        let parsed = policy.parse().ok().filter(|_| !relative);
        parsed.ok_or_else(|| {
            refused(flag, InvalidProcessors::new(text, "nodes such as 0-3,6 (+ and ! are not supported)"))
        })
    };
    if let Some(text) = &flags.weighted_interleave {
        return nodes("--weighted-interleave", "weighted-interleave", text).map(Some);
    }
    if let Some(text) = &flags.preferred_many {
        return nodes("--preferred-many", "preferred-many", text).map(Some);
    }
    Ok(match (&flags.interleave, &flags.membind, &flags.preferred) {
        (Some(text), _, _) => Some(nodes("--interleave", "interleave", text)?),
        (_, Some(text), _) => Some(nodes("--membind", "bind", text)?),
        (_, _, Some(text)) => Some(nodes("--preferred", "preferred", text)?),
        _ if flags.localalloc => Some(Placement::FirstTouch),
        _ => None,
    })
}

/// Name of the other tool's flag that places pages; `None` if no such flag is typed.
pub fn placement_flag(flags: &Tools) -> Option<&'static str> {
    if flags.localalloc {
        return Some("--localalloc");
    }
    let typed = [
        ("--weighted-interleave", &flags.weighted_interleave),
        ("--preferred-many", &flags.preferred_many),
        ("--interleave", &flags.interleave),
        ("--membind", &flags.membind),
        ("--preferred", &flags.preferred),
    ];
    typed.iter().find(|(_, text)| text.is_some()).map(|(flag, _)| *flag)
}

/// Name of the other tool's flag that lists processors; `None` if no such flag is typed.
pub fn processors_flag(flags: &Tools) -> Option<&'static str> {
    let typed = [
        ("--cpunodebind", &flags.cpunodebind),
        ("--physcpubind", &flags.physcpubind),
        ("--likwid-pin", &flags.likwid_pin),
        ("--cpuset", &flags.cpuset),
    ];
    typed.iter().find(|(_, text)| text.is_some()).map(|(flag, _)| *flag)
}

/// The run with the page placement and processor list of other tools' flags.
pub fn translate(flags: &Tools, mut spec: RunSpec, files: &Files, said: &Said) -> Result<RunSpec, Failure> {
    spec.placement = spec.placement.or(placement(flags)?);
    said.with_schedule(on_its_machine(flags, spec, files, said)?)
}

/// Applies the processor lists of other tools' flags, which refer to parts of the run's machine.
pub fn on_its_machine(
    flags: &Tools,
    mut spec: RunSpec,
    files: &Files,
    said: &Said,
) -> Result<RunSpec, Failure> {
    if processors_flag(flags).is_some() {
        let machine = files.machine(&spec.machine, &spec.overrides.machine);
        let machine = machine.map_err(|error| hints::spec(error, said.sources()))?;
        spec.processors = processors(flags, &machine)?;
    }
    Ok(spec)
}

/// Processors from the flags of other tools, in the order in which threads are bound to them; `None` without such a
/// flag.
fn processors(flags: &Tools, machine: &SealedMachine) -> Result<Option<ProcList>, Failure> {
    let (flag, list) = if let Some(text) = &flags.cpunodebind {
        ("--cpunodebind", processors::of_nodes(text, machine))
    } else if let Some(text) = &flags.physcpubind {
        let all = text.trim() == "all";
        let list = if all {
            Ok(processors::all(machine))
        } else {
            processors::numbers(text).ok_or_else(|| InvalidProcessors::new(text, "processors such as 0-7,16"))
        };
        ("--physcpubind", list)
    } else if let Some(text) = &flags.likwid_pin {
        ("--likwid-pin", processors::of_likwid_pin(text, machine))
    } else if let Some(text) = &flags.cpuset {
        let bitmap = processors_of_bitmap(text).filter(|list| !list.is_empty());
        (
            "--cpuset",
            bitmap.ok_or_else(|| {
                InvalidProcessors::new(text, "a bitmap with at least one bit, such as 0x0000000f")
            }),
        )
    } else {
        return Ok(None);
    };
    let list = list.map_err(|wrong| refused(flag, wrong))?;
    let text = list.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    let parsed = text.parse::<ProcList>();
    parsed.map(Some).map_err(|error| Failure::request(format!("{flag}: {}", error.problem()), error.remedy()))
}
