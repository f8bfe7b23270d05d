//! Machines: tree, graph and routes.

use crate::commands::load;
use crate::failure::Failure;
use crate::flags::Show;
use crate::output::{Destination, check_apart};
use crate::terminal;
use numalab_draw as draw;
use numalab_files::Entry;
use numalab_machine::{Machine, NodeId, totals};
use numalab_report as report;

/// Writes the drawings that the flags request; without such flags, prints a description of the machine.
pub fn run(entry: &Entry, name: &str, flags: &Show) -> Result<(), Failure> {
    let dot = flags.dot.clone().map(Destination::from);
    let svg = flags.svg.clone().map(Destination::from);
    let between = flags.between.as_ref().map(|_| Destination::Stdout);
    let named = [("the graph", &dot), ("the picture", &svg), ("the route", &between)];
    let places: Vec<_> = named.iter().filter_map(|(name, place)| Some((*name, place.as_ref()?))).collect();
    check_apart(&places)?;

    let machine = load::machine_in(entry, name, &flags.overrides)?.value;
    if let Some(dot) = &dot {
        drawable(&machine)?;
        dot.write(report::dot(&machine).as_bytes())?;
    }
    if let Some(svg) = &svg {
        svg.write(draw::graph_svg(&machine).as_bytes())?;
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

/// Largest number of memory ports and link directions that `--dot` draws; larger graphs can be neither laid out nor
/// read.
const MOST_DRAWN: u64 = 100_000;

fn drawable(machine: &Machine) -> Result<(), Failure> {
    let directions = machine.most_resources();
    if directions <= MOST_DRAWN {
        return Ok(());
    }
    Err(Failure::request(
        format!(
            "{} has {directions} memory ports and link directions; --dot draws up to {MOST_DRAWN}",
            machine.name
        ),
        "draw a smaller machine (--set machine.level.LEVEL.count=N), or its outline with --svg",
    ))
}

fn node(machine: &Machine, number: u32) -> Result<NodeId, Failure> {
    let all = totals(machine);
    let nodes = all.nodes + all.memory_only;
    if number < nodes {
        return Ok(NodeId(number));
    }
    let last = nodes.saturating_sub(1);
    Err(Failure::request(
        format!("--between names NUMA node {number}, but {} has {nodes}", machine.name),
        format!("its nodes are 0-{last}"),
    ))
}
