//! Output of `likwid-topology`: hardware threads, groups of processors that share caches, NUMA domains.
//!
//! ```text
//! HWThread        Thread        Core        Die        Socket        Available
//! 0               0             0           0          0             *
//! Level:                  3
//! Size:                   25 MB
//! Cache groups:           ( 0 1 2 3 ) ( 4 5 6 7 )
//! Domain:                 0
//! Processors:             ( 0 1 2 3 )
//! Distances:              10 21
//! Total memory:           32000 MB
//! ```

use super::Foreign;
use super::number::{index, number};
use super::page::{Line, Page};
use super::processors::list;
use crate::topology::{CacheUnit, Node, Processor, Topology};
use numalab_syntax::diagnostics::Diagnostic;
use std::collections::BTreeSet;

pub fn printed(page: &Page<'_>) -> bool {
    page.lines.iter().any(is_header)
}

fn is_header(line: &Line<'_>) -> bool {
    let words = line.words();
    words.first().is_some_and(|word| word.text == "HWThread")
        && words.iter().any(|word| word.text == "Socket")
}

pub fn read(page: &Page<'_>, found: &mut Foreign) -> Result<(), Vec<Diagnostic>> {
    let mut topology = Topology::default();
    let mut header: Vec<&str> = Vec::new();
    let mut cores: BTreeSet<(u32, u32)> = BTreeSet::new();
    let mut rows: Vec<(u32, u32, u32)> = Vec::new();
    let (mut level, mut size) = (0_u8, 0_u64);
    let mut distances: Vec<Vec<f64>> = Vec::new();
    for line in &page.lines {
        let words = line.words();
        if is_header(line) {
            header = words.iter().map(|word| word.text).collect();
            continue;
        }
        let Some((key, value)) = line.split(':') else {
            let is_row =
                !header.is_empty() && words.first().is_some_and(|word| super::number::whole(word.text));
            if is_row {
                let at = |name: &str| header.iter().position(|column| *column == name);
                let of = |name: &str| at(name).and_then(|at| words.get(at)).copied();
                let value = |name: &str| match of(name) {
                    Some(cell) => index(cell, "a number").map_err(|error| vec![error]),
                    None => Err(vec![
                        line.refused(format!("the row has no {name}"), "expected that of the header"),
                    ]),
                };
                let (processor, core, socket) = (value("HWThread")?, value("Core")?, value("Socket")?);
                if of("Available").is_some_and(|cell| cell.text == "-") {
                    topology.offline.push(processor);
                    continue;
                }
                cores.insert((socket, core));
                rows.push((processor, socket, core));
            } else if !line.is_empty() {
                header.clear();
            }
            continue;
        };
        match key.text {
            "CPU name" => topology.model = Some(value.text.to_owned()),
            "Level" => level = index(value, "a level").map_err(|error| vec![error])? as u8,
            "Size" => size = bytes(line, value.text)?,
            "Cache line size" => {}
            "Cache groups" => {
                for processors in groups(line, value.text)? {
                    topology.caches.push(CacheUnit { level, size, line: None, processors });
                }
            }
            "Domain" => {
                let number = index(value, "a domain's number").map_err(|error| vec![error])?;
                topology.nodes.push(Node { number, ..Node::default() });
            }
            "Processors" => {
                if let Some(node) = topology.nodes.last_mut() {
                    node.processors = groups(line, value.text)?.concat();
                    node.processors.sort_unstable();
                }
            }
            "Distances" => {
                let row = value.text.split_whitespace().map(|word| number(line.part(word), "a distance"));
                distances.push(row.collect::<Result<_, _>>().map_err(|error| vec![error])?);
            }
            "Total memory" => {
                let total = bytes(line, value.text)?;
                if let Some(node) = topology.nodes.last_mut() {
                    node.capacity = Some(total);
                }
            }
            _ => {}
        }
    }
    rows.sort_unstable();
    if let Some(pair) = rows.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let message = format!("hardware thread {} has two rows", pair[0].0);
        return Err(vec![Diagnostic::new(page.end(), message, "expected one for each")]);
    }
    if rows.is_empty() {
        let expected = "expected a row for each below the header; is the file cut?";
        return Err(vec![Diagnostic::new(page.end(), "there are no hardware threads", expected)]);
    }
    // Core numbers may begin at 0 again in each socket.
    let core =
        |socket: u32, core: u32| cores.iter().position(|one| *one == (socket, core)).map(|at| at as u32);
    topology.processors = rows
        .iter()
        .map(|&(number, package, own)| Processor { number, package: Some(package), core: core(package, own) })
        .collect();
    let online: BTreeSet<u32> = rows.iter().map(|row| row.0).collect();
    topology.caches.iter_mut().for_each(|cache| cache.processors.retain(|number| online.contains(number)));
    topology.caches.retain(|cache| !cache.processors.is_empty() && (1..=9).contains(&cache.level));
    topology.nodes.iter_mut().for_each(|node| node.processors.retain(|number| online.contains(number)));
    topology.caches.sort_by_key(|cache| (cache.level, cache.processors.first().copied()));
    topology.offline.sort_unstable();
    let nodes = topology.nodes.len();
    let square = distances.len() == nodes && distances.iter().all(|row| row.len() == nodes);
    topology.distances = (square && nodes > 0).then_some(distances);
    topology.nodes.sort_by_key(|node| node.number);
    found.add_topology(topology);
    Ok(())
}

/// Groups in brackets: `( 0 1 2 ) ( 3 4 5 )`.
fn groups(line: &Line<'_>, text: &str) -> Result<Vec<Vec<u32>>, Vec<Diagnostic>> {
    let raw = line.raw();
    let start = text.as_ptr() as usize - raw.as_ptr() as usize;
    let text = &raw[start..start + text.len()];
    let parts = text.split('(').skip(1).map(|part| part.split(')').next().unwrap_or_default());
    parts
        .map(|part| list(line.part(part), "processors, such as 0 1 2").map_err(|error| vec![error]))
        .collect()
}

/// Size in a unit of 2^10, 2^20 or 2^30 bytes, as `32 kB` and `32000.5 MB`.
fn bytes(line: &Line<'_>, text: &str) -> Result<u64, Vec<Diagnostic>> {
    let (amount, unit) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    let shift = match unit.trim() {
        "" => 0,
        "kB" | "KB" => 10,
        "MB" => 20,
        "GB" => 30,
        _ => return Err(vec![line.refused("this is no size", "expected one such as 32 kB")]),
    };
    let amount: f64 = amount
        .parse()
        .ok()
        .filter(|amount| (0.0..1e12).contains(amount))
        .ok_or_else(|| vec![line.refused("this is no size", "expected one such as 32 kB")])?;
    Ok((amount * f64::from(1_u32 << shift)) as u64)
}
