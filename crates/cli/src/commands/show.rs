//! `numalab show`: what a machine is, or a runtime.

use super::load;
use crate::failure::Failure;
use crate::flags::{RuntimeFormat, Show};
use crate::output::{Destination, check_apart};
use crate::terminal;
use numalab_machine::{Machine, NodeId, totals};
use numalab_report as report;

/// Describes the runtime, or the machine.
pub fn run(flags: &Show) -> Result<(), Failure> {
    // One of the two was named.
    match (&flags.runtime, &flags.machine) {
        (Some(runtime), _) => self::runtime(runtime, flags),
        (None, machine) => self::machine(machine.as_deref().unwrap_or_default(), flags),
    }
}

/// In words, or as a file.
fn runtime(name: &str, flags: &Show) -> Result<(), Failure> {
    let profile = load::runtime(name, &flags.overrides)?.value;
    let text = match flags.format {
        RuntimeFormat::Table => {
            report::runtime(&profile, terminal::style(&Destination::Stdout, report::Bars::None))
        }
        RuntimeFormat::Toml => numalab_formats::runtime_text(&profile, &|_| None),
    };
    Destination::Stdout.write(text.as_bytes())
}

/// Draws the machine, or describes it where no drawing was asked for.
fn machine(name: &str, flags: &Show) -> Result<(), Failure> {
    let dot = flags.dot.clone().map(Destination::from);
    let svg = flags.svg.clone().map(Destination::from);
    let between = flags.between.as_ref().map(|_| Destination::Stdout);
    let named = [("the graph", &dot), ("the picture", &svg), ("the route", &between)];
    let places: Vec<_> = named.iter().filter_map(|(name, place)| Some((*name, place.as_ref()?))).collect();
    check_apart(&places)?;

    let machine = load::machine(name, &flags.overrides)?.value;
    if let Some(dot) = &dot {
        dot.write(report::dot(&machine).as_bytes())?;
    }
    if let Some(svg) = &svg {
        svg.write(report::graph_svg(&machine).as_bytes())?;
    }
    let style = terminal::style(&Destination::Stdout, report::Bars::None);
    if let Some(ends) = &flags.between {
        let (from, to) = (node(&machine, ends[0])?, node(&machine, ends[1])?);
        let fabric = load::fabric(&machine)?;
        Destination::Stdout.write(report::path(&fabric, from, to, style).as_bytes())?;
    }
    if places.is_empty() {
        Destination::Stdout.write(report::tree(&machine, style).as_bytes())?;
    }
    Ok(())
}

fn node(machine: &Machine, number: u32) -> Result<NodeId, Failure> {
    let nodes = totals(machine).nodes;
    if number < nodes {
        return Ok(NodeId(number));
    }
    let last = nodes.saturating_sub(1);
    Err(Failure::request(
        format!("--between names NUMA node {number}, but {} has {nodes}", machine.name),
        format!("its nodes are 0-{last}"),
    ))
}
