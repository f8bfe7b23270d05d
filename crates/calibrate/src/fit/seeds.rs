//! Start values of stages. Cache sizes and latencies start at the chase's curve, capacities at the greatest value
//! seen: a capacity that starts too high limits nothing, so no row shows how far to lower it.

use super::curve::{self, Claim, Point};
use super::observation::Observation;
use super::subject::Subject;
use numalab_base::{Bandwidth, Bytes, Span};
use numalab_machine::{Cache, Fabric, LinkId, Machine, NodeId};

/// Multiple of one core's bandwidth at which a controller is no bottleneck.
const AMPLE: f64 = 100.0;

/// Minimum fraction of a chase's loads that a level serves for the level's latency to be visible.
const SEEN: f64 = 0.2;

/// Bytes fetched, and bytes written back, for each accessed byte. `None` if the row does not state them.
pub(super) fn moves(row: &Observation) -> Option<(f64, f64)> {
    Some(match row.row.quantity.as_str() {
        "read_bandwidth" => (1.0, 0.0),
        // A store fetches its line first.
        "write_bandwidth" => (1.0, 1.0),
        "copy_bandwidth" => (1.0, 1.0 / 2.0),
        "triad_bandwidth" => (1.0, 1.0 / 3.0),
        "bandwidth" if row.row.experiment == "stream" => (1.0, 1.0 / 3.0),
        "bandwidth" => (1.0, 0.0),
        _ => return None,
    })
}

/// Maximum bandwidth of the rows; `part` selects fetched or written-back bytes, or both.
fn most(rows: &[&Observation], part: fn((f64, f64)) -> f64) -> Option<Bandwidth> {
    let seen = rows.iter().filter_map(|row| Some(part(moves(row)?) * row.value * 1e9));
    seen.filter(|rate| *rate > 0.0).reduce(f64::max).map(Bandwidth)
}

/// Points of a chase's curve, one from each row with a footprint.
fn points(rows: &[&Observation]) -> Vec<Point> {
    let point = |row: &&Observation| {
        let (footprint, error) = (row.number("footprint")?, row.error.max(row.rough()));
        Some(Point { footprint, latency: row.value, error })
    };
    rows.iter().filter_map(point).collect()
}

/// Sets the starts of cache sizes and latencies, and of the memory latency, from a chase. A level that serves few
/// loads at every footprint keeps its latency.
pub fn caches(subject: &mut Subject, rows: &[&Observation]) {
    let points = points(rows);
    let machine = &mut subject.machine;
    let claim = |cache: &Cache| Claim { size: cache.size.0 as f64, shared: cache.shared_by > 1 };
    let claims: Vec<Claim> = machine.caches.iter().map(claim).collect();
    let Some(reading) = curve::read(&points, &claims) else { return };
    let latency = |level: usize| {
        let seen = points.iter().any(|point| reading.part(level, point.footprint) > SEEN);
        seen.then(|| Span::from_secs_ceil(reading.latencies[level] * 1e-9))
    };
    for (at, cache) in machine.caches.iter_mut().enumerate() {
        cache.size = Bytes(reading.sizes[at] as u64);
        cache.latency = latency(at).unwrap_or(cache.latency);
    }
    machine.memory.latency = latency(claims.len()).unwrap_or(machine.memory.latency);
}

/// Relative errors of rows, larger where a cache holds a part of the footprint, since replacement decides there.
pub fn at_the_edge_of_a_cache(rows: &[&Observation], subject: &Subject) -> Vec<f64> {
    let sizes: Vec<f64> = subject.machine.caches.iter().map(|cache| cache.size.0 as f64).collect();
    let knee = curve::knee(&points(rows), &sizes);
    let doubt = |row: &&Observation| {
        row.number("footprint").map_or(0.0, |footprint| curve::doubt(&sizes, footprint, knee))
    };
    rows.iter().map(doubt).collect()
}

/// Sets the starts of a core's copy bandwidth and lines in flight, and a controller bandwidth that does not limit
/// them.
pub fn one_core(subject: &mut Subject, rows: &[&Observation]) {
    let far = subject.machine.caches.iter().map(|cache| cache.size.0 as f64).fold(0.0, f64::max);
    let from_memory = |row: &&&Observation| {
        row.number("footprint").or_else(|| row.number("share")).is_none_or(|bytes| bytes > far)
    };
    let rows: Vec<&Observation> = rows.iter().filter(from_memory).copied().collect();
    let machine = &mut subject.machine;
    // A single core fills its controller only if it is the only one. A known capacity stays.
    if let Some(moved) = most(&rows, |(fetched, written)| fetched + written)
        && subject.capacity.is_none()
    {
        machine.memory.bandwidth = Bandwidth(AMPLE * moved.0);
        (machine.memory.read_bandwidth, machine.memory.write_bandwidth) = (None, None);
    }
    let in_flight =
        |rate: Bandwidth| rate.0 * machine.memory.latency.as_secs() / machine.memory.line.0 as f64;
    let alone: Vec<&Observation> =
        rows.iter().filter(|row| moves(row) == Some((1.0, 0.0))).copied().collect();
    if let Some(read) = most(&alone, |(fetched, _)| fetched) {
        machine.core.stream_outstanding = Some(in_flight(read));
    }
    if let Some(fetched) = most(&rows, |(fetched, _)| fetched) {
        machine.core.outstanding = in_flight(fetched);
    }
    // Slow stores have two possible causes, few stores in flight or a low copy bandwidth; the stage chooses one.
    let stored: Vec<&Observation> =
        rows.iter().filter(|row| moves(row) == Some((1.0, 1.0))).copied().collect();
    if let Some(fetched) = most(&stored, |(fetched, _)| fetched) {
        machine.core.store_outstanding = Some(in_flight(fetched));
    }
    if let Some(moved) = most(&rows, |(fetched, written)| fetched + written) {
        machine.core.copy_bandwidth = Some(moved);
    }
}

/// Sets the start of the lines in random order that a core keeps in flight, by Little's law, and of its window: these
/// lines times the additions beside each line. Both starts are the greatest values of the rows.
pub fn random_lines(subject: &mut Subject, rows: &[&Observation]) {
    let latency = subject.machine.memory.latency.as_secs() * 1e9;
    let lines = |row: &&&Observation| latency / row.value;
    let beside = |row: &&&Observation| row.number("adds").unwrap_or(0.0);
    let buffers = rows.iter().map(|row| lines(&row)).fold(0.0, f64::max);
    let window = rows.iter().map(|row| lines(&row) * beside(&row)).fold(0.0, f64::max);
    let core = &mut subject.machine.core;
    core.random_outstanding = (buffers > 0.0).then_some(buffers).or(core.random_outstanding);
    core.window = (window > 0.0).then_some(window).or(core.window);
}

/// Sets the starts of the random lines in flight from the last cache, by Little's law, and of the fraction of
/// computing that overlaps with these lines: one half.
pub fn random_lines_of_caches(subject: &mut Subject, rows: &[&Observation]) {
    let Machine { core, caches, .. } = &mut subject.machine;
    let Some(last) = caches.last_mut() else { return };
    let lines = rows.iter().map(|row| last.latency.as_secs() * 1e9 / row.value).fold(0.0, f64::max);
    if lines > 0.0 {
        (last.random_outstanding, core.random_overlap) = (Some(lines), Some(0.5));
    }
}

/// Sets the start of the overlap of streams with random lines to one half.
pub fn random_lines_beside_streams(subject: &mut Subject, _: &[&Observation]) {
    subject.machine.core.random_beside_streams = Some(0.5);
}

/// Number of nodes over which the threads of a row are spread.
pub(super) fn nodes_of(row: &Observation, machine: &Machine) -> f64 {
    let totals = numalab_machine::totals(machine);
    let cores = (totals.cores / totals.nodes.max(1)).max(1);
    let threads = row.number("threads").unwrap_or(f64::from(totals.cores));
    match row.param("proc_bind") {
        Some("spread") => threads.min(f64::from(totals.nodes)).max(1.0),
        _ => (threads / f64::from(cores)).ceil().max(1.0),
    }
}

/// Start of the lock hold time of fresh pages: as if the fastest team on a node spent all of its time in the lock,
/// one thread after another. With a shorter start the lock is uncontended, and the rows show no slope.
pub fn pages(subject: &mut Subject, rows: &[&Observation]) {
    let machine = &mut subject.machine;
    let together = rows.iter().filter(|row| row.number("threads").is_some_and(|threads| threads > 1.0));
    let most = together.map(|row| row.value * 1e9 / nodes_of(row, machine)).fold(0.0, f64::max);
    if most > 0.0 {
        machine.os.page_lock = Span::from_secs_ceil(machine.memory.page.0 as f64 / most);
    }
}

/// Sets the starts of a controller's bandwidths to the greatest values seen.
pub fn controllers(subject: &mut Subject, rows: &[&Observation]) {
    // Teams on one node show most; teams on several nodes share several controllers.
    let each: Vec<Observation> = rows
        .iter()
        .map(|row| Observation { value: row.value / nodes_of(row, &subject.machine), ..(*row).clone() })
        .collect();
    let each: Vec<&Observation> = each.iter().collect();
    let memory = &mut subject.machine.memory;
    memory.read_bandwidth = most(&each, |(fetched, _)| fetched).or(memory.read_bandwidth);
    memory.write_bandwidth = most(&each, |(_, written)| written).or(memory.write_bandwidth);
    memory.bandwidth = most(&each, |(fetched, written)| fetched + written).unwrap_or(memory.bandwidth);
}

/// Start of the time of an immediately executed task: the least time per task of all rows. Set only if the runtime
/// executes tasks immediately: when a queue is full, or in a team of one. A team of one soon fills its queues, so
/// nearly all of its tasks are executed immediately. The time of queued tasks would be too far away as a start.
pub fn tasks(subject: &mut Subject, rows: &[&Observation]) {
    let tasks = &mut subject.runtime.tasks;
    let least = rows.iter().map(|row| row.value).fold(f64::INFINITY, f64::min);
    if (tasks.bound.is_some() || tasks.alone_at_once) && least.is_finite() && least > 0.0 {
        tasks.at_once = Some(Span::from_secs_ceil(least * 1e-6));
    }
}

/// Start of a chunk's time: the whole time per chunk. A search from zero would end in front of a step, since the
/// order changes in which counters and other requests arrive.
pub fn chunks(subject: &mut Subject, rows: &[&Observation]) {
    let each = |row: &&Observation| Some(row.value * 1e-3 * row.number("threads")? / row.number("packages")?);
    let longest = rows.iter().filter_map(each).fold(0.0, f64::max);
    subject.runtime.worksharing.chunk = Span::from_secs_ceil(longest);
}

/// Start of the overlap: one half, since 0 and 1 have neighbours on one side only.
pub fn overlap(subject: &mut Subject, _: &[&Observation]) {
    subject.machine.core.overlap = 0.5;
}

/// Starts of the bandwidths of links and of the requests in flight of node controllers: the greatest values seen.
pub fn links(subject: &mut Subject, rows: &[&Observation]) {
    let Ok(fabric) = Fabric::new(&subject.machine) else { return };
    let line = subject.machine.memory.line.0 as f64;
    let outside = subject.machine.levels.iter().take_while(|level| level.kind.holds_memory()).count();
    let mut seen = vec![0.0_f64; subject.machine.links.len()];
    let mut in_flight = vec![0.0_f64; outside];
    for row in rows.iter().filter(|row| row.row.experiment != "memory_go_around") {
        let end = |name| row.number(name).map_or(0, |number| number as u32);
        let (reader, home) = (end("from"), end("node"));
        if reader.max(home) >= fabric.nodes() {
            continue;
        }
        let rate = row.value * 1e9;
        let latency = fabric.line_latency(NodeId(home), NodeId(reader)).as_secs();
        for (at, level) in subject.machine.levels[..outside].iter().enumerate() {
            let below: u32 =
                subject.machine.levels[at + 1..outside].iter().map(|level| level.count).product();
            let parted = reader / below != home / below;
            let siblings = parted && reader / below / level.count == home / below / level.count;
            let link = match (siblings, parted) {
                (true, _) => level.interconnect.as_ref().map(|interconnect| interconnect.link),
                (false, true) => level.controller.as_ref().map(|controller| controller.link),
                (false, false) => None,
            };
            if let Some(LinkId(link)) = link {
                seen[link] = seen[link].max(rate);
            }
            if parted && !siblings {
                in_flight[at] = in_flight[at].max(rate * latency / line);
            }
        }
    }
    let machine = &mut subject.machine;
    for (link, rate) in machine.links.iter_mut().zip(seen).filter(|(_, rate)| *rate > 0.0) {
        link.bandwidth = Bandwidth(rate);
    }
    for (level, lines) in machine.levels.iter_mut().zip(in_flight).filter(|(_, lines)| *lines > 0.0) {
        if let Some(requests) = level.controller.as_mut().and_then(|controller| controller.requests.as_mut())
        {
            *requests = lines;
        }
    }
}
