//! Topology from counts of sockets, cores and threads, and from the processors of each node.

use super::super::Foreign;
use super::super::number::{index, with_point};
use super::super::page::Page;
use super::super::processors::list;
use super::cache_sizes::Size;
use super::fields::{Field, node};
use super::sharing::{assign, caches};
use crate::topology::{Node, Processor, Topology};
use numalab_syntax::diagnostics::Diagnostic;
use std::collections::BTreeMap;

pub fn topology(
    page: &Page<'_>,
    fields: &[Field],
    sizes: &[Size],
    found: &mut Foreign,
) -> Result<Topology, Vec<Diagnostic>> {
    let told = Said::new(fields);
    let mut nodes = nodes(&told)?;
    let (online, offline) = processors(page, &told, &nodes)?;
    for node in &mut nodes {
        node.processors.retain(|processor| online.binary_search(processor).is_ok());
    }
    let mut topology = Topology {
        model: told.text("Model name").map(str::to_owned),
        vendor: told.text("Vendor ID").or(told.text("Architecture")).map(str::to_owned),
        features: told.text("Flags").unwrap_or_default().split_whitespace().map(str::to_owned).collect(),
        clock: clock(&told),
        processors: online.iter().map(|&number| Processor { number, ..Processor::default() }).collect(),
        offline,
        nodes,
        ..Topology::default()
    };
    let line = told.get("CPU(s)").map_or(1, |field| line_of(page, field));
    let shape = told.shape()?;
    if shape.is_some_and(|shape| shape.threads() == online.len()) {
        let shape = shape.unwrap_or_default();
        assign(&mut topology, shape, told.text("Architecture").unwrap_or_default(), line, found);
    } else {
        topology.core_kinds = shape
            .filter(|_| topology.offline.is_empty())
            .and_then(|shape| kinds(shape, online.len()))
            .unwrap_or_default();
        found.note(line, "sockets, cores and threads do not make as many processors as are on-line: which processors share a core is not known");
    }
    topology.caches = caches(page, &topology, sizes, found);
    Ok(topology)
}

/// Processors of cores with two hardware threads, and of cores with one, if only both together make `processors`.
fn kinds(shape: Shape, processors: usize) -> Option<Vec<u32>> {
    let cores = shape.sockets.checked_mul(shape.cores)?;
    let two = processors.checked_sub(cores).filter(|two| shape.threads == 2 && (1..cores).contains(two))?;
    Some(vec![2 * two as u32, (cores - two) as u32])
}

fn line_of(page: &Page<'_>, field: &Field) -> usize {
    page.text.get(..field.span.start).map_or(1, |text| text.matches('\n').count() + 1)
}

struct Said<'a>(&'a [Field]);

/// Counts of sockets in the machine, of cores in a socket, and of threads in a core.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shape {
    pub sockets: usize,
    pub cores: usize,
    pub threads: usize,
}

impl Shape {
    fn threads(&self) -> usize {
        self.sockets.saturating_mul(self.cores).saturating_mul(self.threads)
    }
}

impl<'a> Said<'a> {
    fn new(fields: &'a [Field]) -> Said<'a> {
        Said(fields)
    }

    fn get(&self, key: &str) -> Option<&'a Field> {
        self.0.iter().find(|field| field.key == key)
    }

    fn text(&self, key: &str) -> Option<&'a str> {
        self.get(key).map(|field| field.value.trim()).filter(|value| !value.is_empty() && *value != "-")
    }

    fn count(&self, key: &str) -> Result<Option<usize>, Vec<Diagnostic>> {
        let Some(field) = self.get(key).filter(|_| self.text(key).is_some()) else { return Ok(None) };
        match index(field.cell(), "a count") {
            Ok(0) => Err(vec![field.refused("a count of zero", "expected 1 or more")]),
            Ok(count) => Ok(Some(count as usize)),
            Err(error) => Err(vec![error]),
        }
    }

    /// Counts of the machine. Mainframes have sockets in books and drawers; some ARM machines count clusters instead
    /// of sockets.
    fn shape(&self) -> Result<Option<Shape>, Vec<Diagnostic>> {
        let (sockets, clusters) = (self.count("Socket(s)")?, self.count("Cluster(s)")?);
        let books = self
            .count("Book(s) per drawer")?
            .zip(self.count("Drawer(s)")?)
            .map(|(books, drawers)| books * drawers);
        let books = books.or(self.count("Book(s)")?);
        let in_books = self.count("Socket(s) per book")?.zip(books).map(|(sockets, books)| sockets * books);
        let cores = match (self.count("Core(s) per socket")?, self.count("Core(s) per cluster")?) {
            (Some(cores), _) => Some((sockets.or(in_books), cores)),
            (None, Some(cores)) => Some((clusters, cores)),
            _ => None,
        };
        let threads = self.count("Thread(s) per core")?;
        Ok(match (cores, threads) {
            (Some((Some(sockets), cores)), Some(threads)) => Some(Shape { sockets, cores, threads }),
            _ => None,
        })
    }
}

/// Clock in hertz: the highest one; else the one in the model's name (`… @ 2.60GHz`); else the present one, the only
/// one that old versions print.
fn clock(told: &Said<'_>) -> Option<f64> {
    let megahertz = |key: &str| -> Option<f64> {
        let text = told.text(key)?;
        with_point(text).as_deref().unwrap_or(text).parse().ok()
    };
    let promised = || -> Option<f64> {
        let (_, clock) = told.text("Model name")?.rsplit_once('@')?;
        Some(clock.trim().strip_suffix("GHz")?.trim().parse::<f64>().ok()? * 1e3)
    };
    let clock = megahertz("CPU max MHz").or_else(promised).or_else(|| megahertz("CPU MHz"))?;
    (clock.is_finite() && clock > 0.0).then_some(clock * 1e6)
}

fn nodes(told: &Said<'_>) -> Result<Vec<Node>, Vec<Diagnostic>> {
    let mut nodes = BTreeMap::new();
    for field in told.0 {
        let Some(number) = node(&field.key) else { continue };
        let number = number.parse().ok().filter(|number| *number < crate::topology::MAX_NUMBER);
        let Some(number) = number else {
            return Err(vec![
                field.refused("the number of this node is too large", "expected some thousands at most"),
            ]);
        };
        let cell = field.cell();
        let text = if cell.text.trim() == "-" { "" } else { cell.text };
        let processors = list(numalab_syntax::cells::Cell { text, ..cell }, "processors, such as 0-7")
            .map_err(|error| vec![error])?;
        nodes.insert(number, Node { number, capacity: None, processors, ..Node::default() });
    }
    match told.count("NUMA node(s)")? {
        Some(count) if count != nodes.len() => {
            let field = told.get("NUMA node(s)").map(|field| {
                let message = format!("{count} nodes, but processors of {}", nodes.len());
                field.refused(message, "expected \"NUMA node… CPU(s):\" for each below; is the file cut?")
            });
            Err(field.into_iter().collect())
        }
        _ => Ok(nodes.into_values().collect()),
    }
}

/// Numbers of the processors that are on-line, and numbers of the off-line processors.
fn processors(
    page: &Page<'_>,
    told: &Said<'_>,
    nodes: &[Node],
) -> Result<(Vec<u32>, Vec<u32>), Vec<Diagnostic>> {
    let listed = |key| match told.get(key) {
        Some(field) => list(field.cell(), "processors, such as 0-7").map_err(|error| vec![error]),
        None => Ok(Vec::new()),
    };
    let (mut online, offline) = (listed("On-line CPU(s) list")?, listed("Off-line CPU(s) list")?);
    let count = told.count("CPU(s)")?;
    if online.is_empty() {
        online = nodes.iter().flat_map(|node| node.processors.iter().copied()).collect();
        online.sort_unstable();
        online.dedup();
    }
    if online.is_empty() {
        online = (0..count.unwrap_or(0) as u32).collect();
    }
    if online.is_empty() {
        let expected = "expected \"CPU(s):\" and \"On-line CPU(s) list:\"; is the file cut?";
        return Err(vec![Diagnostic::new(
            page.end(),
            "lscpu does not say which processors there are",
            expected,
        )]);
    }
    if let (Some(count), Some(field)) = (count, told.get("CPU(s)"))
        && count != online.len() + offline.len()
        && told.get("On-line CPU(s) list").is_some()
        && (online.len() > count || told.get("Off-line CPU(s) list").is_some())
    {
        let message =
            format!("{count} processors, but {} on-line and {} off-line", online.len(), offline.len());
        return Err(vec![field.refused(message, "expected their sum")]);
    }
    Ok((online, offline))
}
