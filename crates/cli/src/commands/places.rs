//! `numalab places`: makes a place list for a machine.

use super::load;
use crate::failure::Failure;
use crate::flags::{Format, Places};
use crate::output::check_apart;
use crate::terminal;
use numalab_machine::{Fabric, NodeId};
use numalab_report as report;
use numalab_results::{PlaceList, SCHEMA_VERSION, TourRecord};
use numalab_syntax::streams;
use numalab_tours::tour::{Algorithm, MOST_EXACT};
use numalab_tours::{DistanceMatrix, omp_places};
use std::path::Path;

/// Finds tours and writes the chosen one as a place list.
pub fn run(flags: &Places) -> Result<(), Failure> {
    let output = flags.output.destination()?;
    check_apart(&[("the place list", &output)])?;
    let machine = load::machine_or_topology(&flags.machine, &flags.assume, &flags.overrides)?.value;
    let fabric = load::fabric(&machine)?;
    let (rows, distances) = match &flags.from_matrix {
        Some(file) => (from_file(file, &machine.name, &fabric)?, file.display().to_string()),
        None => (latencies(&machine.name, &fabric)?, "latency over local latency".to_owned()),
    };
    let matrix = DistanceMatrix::new(&rows).map_err(|error| {
        let from =
            flags.from_matrix.as_ref().map_or(String::new(), |file| format!("{}: ", streams::name(file)));
        Failure::request(format!("{from}{error}"), "expected 10 on the diagonal and larger values elsewhere")
    })?;

    let chosen = flags.algorithm.resolve(matrix.nodes());
    let tours = Algorithm::ALL.map(|algorithm| (algorithm, algorithm.tour(&matrix)));
    let Some(tour) =
        tours.iter().find_map(|(algorithm, tour)| tour.as_ref().filter(|_| *algorithm == chosen))
    else {
        let nodes = matrix.nodes();
        return Err(Failure::request(
            format!("{} is not feasible for {nodes} nodes, only for up to {MOST_EXACT}", chosen.name()),
            "use --algorithm best, which falls back to local-search",
        ));
    };
    let mut places: Vec<Vec<u32>> = tour.order.iter().map(|&node| processors(&fabric, node)).collect();
    // A node whose processors are all off line is no place.
    places.retain(|place| !place.is_empty());
    let list = PlaceList {
        schema_version: SCHEMA_VERSION,
        machine: machine.name,
        distances,
        omp_places: omp_places(&places),
        omp_proc_bind: "close".to_owned(),
        tours: tours
            .iter()
            .map(|(algorithm, tour)| TourRecord {
                algorithm: algorithm.name().to_owned(),
                chosen: *algorithm == chosen,
                length: tour.as_ref().map(|tour| tour.length),
                order: tour.iter().flat_map(|tour| &tour.order).map(|&node| node as u32).collect(),
            })
            .collect(),
    };
    let text = match flags.output.format() {
        Format::Table => report::table(&list, terminal::style(&output, report::Bars::None)),
        Format::Json => report::json(&list),
        Format::Csv => report::csv(&list),
    };
    output.write(text.as_bytes())
}

/// Distances by latency as in a firmware table (10 for a node itself), but not rounded.
fn latencies(name: &str, fabric: &Fabric) -> Result<Vec<Vec<f64>>, Failure> {
    let nodes = fabric.nodes();
    if nodes as usize > DistanceMatrix::MOST_NODES {
        let most = DistanceMatrix::MOST_NODES;
        return Err(Failure::request(
            format!("{name} has {nodes} NUMA nodes; a place list is made for up to {most}"),
            "make the machine smaller: --set machine.level.LEVEL.count=N",
        ));
    }
    let row = |a: u32| {
        let local = fabric.line_latency(NodeId(a), NodeId(a)).as_secs();
        (0..nodes).map(|b| 10.0 * fabric.line_latency(NodeId(a), NodeId(b)).as_secs() / local).collect()
    };
    Ok((0..nodes).map(row).collect())
}

/// Distances between the nodes with processors, read from a file.
fn from_file(file: &Path, name: &str, fabric: &Fabric) -> Result<Vec<Vec<f64>>, Failure> {
    let matrix = numalab_imports::distance_matrix(file)?.with_processors();
    let (rows, nodes) = (matrix.rows.len(), fabric.nodes());
    if rows != nodes as usize {
        let each = |count: usize| format!("{count} node{}", if count == 1 { "" } else { "s" });
        return Err(Failure::request(
            format!(
                "\"{}\" has distances of {} with processors, but {name} has {}",
                file.display(),
                each(rows),
                each(nodes as usize)
            ),
            "name the measured machine, or a synthetic one such as \"socket:4 core:8\"",
        ));
    }
    Ok(matrix.rows)
}

/// The operating system's numbers of all hardware threads of a node that are in use.
fn processors(fabric: &Fabric, node: usize) -> Vec<u32> {
    fabric.online_cores(NodeId(node as u32)).flat_map(|core| fabric.online_threads(core)).collect()
}
