//! Grains of other tools: a table of chunks and tasks with their costs.
//!
//! A row with `first` and `count` is a chunk of a loop, any other row is a task. The header names the columns, of
//! which `id`, `region` and `us` are required.

use super::grain_data::Arrays;
use numalab_nlt::{Meta, Site};
use numalab_replay::Recording;
use numalab_replay::work::{Chunk, Class, Footprint, Form, Order, Recorded, Run, TaskNode, Work};
use numalab_syntax::cells::{Cell, Line, comma_separated};
use numalab_syntax::diagnostics::{Diagnostic, Diagnostics, Source};
use numalab_syntax::nearest::hint;
use numalab_syntax::tree::{TextRange, shorten};
use std::collections::BTreeMap;

const COLUMNS: [&str; 8] = ["id", "parent", "region", "first", "count", "us", "after", "data"];
/// Required columns.
const NEEDED: [&str; 3] = ["id", "region", "us"];
/// Largest number of rows.
const MOST_ROWS: usize = 1_000_000;
/// Largest cost of a grain: a year.
const MOST_US: f64 = 3.2e13;

// Glossary: grain: A chunk or a task of a program, as a row of a table with what it costs.
/// A grain, from its row of the table.
struct Grain<'t> {
    id: &'t str,
    parent: Option<Cell<'t>>,
    region: &'t str,
    chunk: Option<(u64, u64)>,
    ns: u64,
    after: Vec<Cell<'t>>,
    /// Bytes that the grain touches.
    data: Vec<Run>,
    line: &'t Line<'t>,
}

/// Reads a table of grains as a recording.
pub fn grains(source: Source) -> Result<Recording, Diagnostics> {
    match recording(&source) {
        Ok(recording) => Ok(recording),
        Err(errors) => Err(Diagnostics::new(vec![source], errors)),
    }
}

fn recording(source: &Source) -> Result<Recording, Vec<Diagnostic>> {
    let lines = comma_separated(&source.text);
    let Some((header, rows)) = lines.split_first() else {
        let expected = format!("expected a header such as {}", COLUMNS.join(","));
        return Err(vec![Diagnostic::new(TextRange::default(), "there are no grains", expected)]);
    };
    let columns = columns(header)?;
    if let Some(row) = rows.get(MOST_ROWS) {
        let message = format!("there are {} grains", rows.len());
        return Err(vec![Diagnostic::new(row.span, message, format!("expected at most {MOST_ROWS}"))]);
    }
    let mut errors = Vec::new();
    let mut arrays = Arrays::default();
    let grains: Vec<Grain<'_>> = rows
        .iter()
        .filter_map(|row| grain(row, header, &columns, &mut arrays).map_err(|error| errors.push(error)).ok())
        .collect();
    let work = work(&grains, &mut errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    let (work, names) = work;
    let site = |(at, name): (usize, &String)| Site {
        address: at as u64 + 1,
        function: Some(name.clone()),
        ..Site::default()
    };
    let (allocations, of_arrays) = arrays.finish(names.len());
    Ok(Recording {
        meta: Meta { command: vec![source.name.clone()], threads: 1, rounds: 1, ..Meta::default() },
        sites: names.iter().enumerate().map(site).chain(of_arrays).collect(),
        allocations,
        work,
        ..Recording::default()
    })
}

/// Index of each column in the header.
fn columns(header: &Line<'_>) -> Result<[Option<usize>; COLUMNS.len()], Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut found = [None; COLUMNS.len()];
    for (at, cell) in header.cells.iter().enumerate() {
        match COLUMNS.iter().position(|name| *name == cell.text) {
            Some(column) if found[column].is_none() => found[column] = Some(at),
            Some(_) => {
                let message = format!("the column {} is there twice", shorten(cell.text));
                errors.push(Diagnostic::new(cell.span, message, "expected it once"));
            }
            None => {
                let message = format!("no column of grains is called {}", shorten(cell.text));
                errors.push(Diagnostic::new(cell.span, message, hint(cell.text, COLUMNS)));
            }
        }
    }
    for name in NEEDED {
        let at = COLUMNS.iter().position(|column| *column == name);
        if errors.is_empty() && at.is_none_or(|at| found[at].is_none()) {
            errors.push(Diagnostic::new(
                header.span,
                format!("the column {name} is missing"),
                "expected it in the header",
            ));
        }
    }
    if errors.is_empty() { Ok(found) } else { Err(errors) }
}

fn grain<'t>(
    line: &'t Line<'t>,
    header: &Line<'_>,
    columns: &[Option<usize>; COLUMNS.len()],
    arrays: &mut Arrays,
) -> Result<Grain<'t>, Diagnostic> {
    if line.cells.len() != header.cells.len() {
        let message = format!("this line has {} cells", line.cells.len());
        return Err(Diagnostic::new(
            line.span,
            message,
            format!("expected {}, as in the header", header.cells.len()),
        ));
    }
    let cell = |name: &str| {
        let column = COLUMNS.iter().position(|column| *column == name)?;
        columns[column].map(|at| line.cells[at]).filter(|cell| !cell.text.is_empty())
    };
    let needed = |name: &str| {
        let missing =
            || Diagnostic::new(line.span, format!("the {name} is missing"), "expected it in its column");
        cell(name).ok_or_else(missing)
    };
    let whole = |cell: Cell<'_>, least: u64| {
        let wrong = || {
            Diagnostic::new(
                cell.span,
                format!("{} is no number of iterations", shorten(cell.text)),
                "expected a whole number",
            )
        };
        cell.text.parse::<u64>().ok().filter(|number| (least..1 << 53).contains(number)).ok_or_else(wrong)
    };
    let us = needed("us")?;
    let cost = us
        .text
        .parse::<f64>()
        .ok()
        .filter(|us| (0.0..MOST_US).contains(us) && numalab_base::is_sensible(*us))
        .ok_or_else(|| {
            Diagnostic::new(
                us.span,
                format!("{} is no time", shorten(us.text)),
                "expected microseconds, such as 12.5",
            )
        })?;
    let chunk = match (cell("first"), cell("count")) {
        (Some(first), Some(count)) => Some((whole(first, 0)?, whole(count, 1)?)),
        (None, None) => None,
        _ => {
            return Err(Diagnostic::new(
                line.span,
                "of first and count one is missing",
                "expected both or none",
            ));
        }
    };
    let after = cell("after").map_or(Vec::new(), |after| {
        numalab_syntax::cells::words(after.text, after.text)
            .map(|word| Cell { span: after.span, ..word })
            .collect()
    });
    Ok(Grain {
        id: needed("id")?.text,
        parent: cell("parent"),
        region: needed("region")?.text,
        chunk,
        ns: (cost * 1000.0).round() as u64,
        after,
        data: cell("data").map_or(Ok(Vec::new()), |data| arrays.runs(data))?,
        line,
    })
}

/// Groups grains into classes of work, one per region for its chunks and one for its tasks, in the order of their
/// first rows. Also returns the names of the regions.
fn work(grains: &[Grain<'_>], errors: &mut Vec<Diagnostic>) -> (Work, Vec<String>) {
    let mut names: Vec<String> = Vec::new();
    let mut regions: Vec<(bool, u64, Vec<&Grain<'_>>)> = Vec::new();
    for grain in grains {
        let site = match names.iter().position(|name| name == grain.region) {
            Some(at) => at,
            None => {
                names.push(grain.region.to_owned());
                names.len() - 1
            }
        } as u64
            + 1;
        let is_loop = grain.chunk.is_some();
        match regions.iter_mut().find(|region| (region.0, region.1) == (is_loop, site)) {
            Some(region) => region.2.push(grain),
            None => regions.push((is_loop, site, vec![grain])),
        }
    }
    let mut work = Work::default();
    let mut numbers = Vec::new();
    for (is_loop, site, members) in regions {
        let class = if is_loop { shared_loop(site, &members, errors) } else { tasks(site, &members, errors) };
        numbers.push(work.classes.len() as u32);
        work.classes.push(class);
    }
    work.order = Order::of(&numbers, 0);
    (work, names)
}

fn class(site: u64, form: Form, schedule: Recorded, chunks: Vec<Chunk>) -> Class {
    Class {
        site,
        form,
        iterations: chunks.iter().map(|chunk| chunk.count).fold(0, u64::saturating_add),
        team: 1,
        schedule,
        instances: 1,
        filled: false,
        varies: false,
        recorder_ns: 0,
        least_ns: 0,
        most_ns: 0,
        ordered: false,
        locked_ns: 0,
        chunks,
        tasks: Vec::new(),
        footprint: Vec::new(),
    }
}

fn shared_loop(site: u64, grains: &[&Grain<'_>], errors: &mut Vec<Diagnostic>) -> Class {
    let mut sorted: Vec<(u64, u64, &Grain<'_>)> =
        grains.iter().filter_map(|grain| grain.chunk.map(|(first, count)| (first, count, *grain))).collect();
    sorted.sort_by_key(|(first, ..)| *first);
    for pair in sorted.windows(2) {
        let [(first, count, _), (next, _, grain)] = pair else { continue };
        if first + count != *next {
            let message = format!("iteration {next} does not follow on {}", first + count - 1);
            errors.push(Diagnostic::new(
                grain.line.span,
                message,
                format!("expected {} as the first iteration", first + count),
            ));
        }
    }
    let chunks = sorted.iter().map(|(_, count, grain)| Chunk {
        count: *count,
        cost_ns: grain.ns,
        spread_ns: 0,
        samples: 1,
    });
    let touched = footprint(sorted.iter().map(|(_, count, grain)| (*count, *grain)));
    // The table does not state a schedule; a loop without a clause is static.
    Class { footprint: touched, ..class(site, Form::Loop, Recorded::Static, chunks.collect()) }
}

/// Footprint of each grain, given with the grain's number of iterations; empty if no grain has data.
fn footprint<'g, 't: 'g>(grains: impl Iterator<Item = (u64, &'g Grain<'t>)>) -> Vec<Footprint> {
    let parts: Vec<Footprint> =
        grains.map(|(count, grain)| Footprint { count, runs: grain.data.clone() }).collect();
    if parts.iter().all(|part| part.runs.is_empty()) { Vec::new() } else { parts }
}

fn tasks(site: u64, grains: &[&Grain<'_>], errors: &mut Vec<Diagnostic>) -> Class {
    let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
    let mut nodes = Vec::with_capacity(grains.len());
    for (number, grain) in (0u32..).zip(grains) {
        // Parents and predecessors must be earlier tasks, so that there are no cycles.
        let mut earlier = |cell: &Cell<'_>, what: &str| {
            let found = numbers.get(cell.text).copied();
            if found.is_none() {
                let message = format!("{what} {} is no earlier task of this region", shorten(cell.text));
                errors.push(Diagnostic::new(cell.span, message, "expected the id of a line above"));
            }
            found
        };
        let parent = grain.parent.as_ref().and_then(|cell| earlier(cell, "the parent"));
        let mut predecessors: Vec<u32> =
            grain.after.iter().filter_map(|cell| earlier(cell, "the task")).collect();
        predecessors.sort_unstable();
        predecessors.dedup();
        if numbers.insert(grain.id, number).is_some() {
            let message = format!("the task {} is there twice", shorten(grain.id));
            errors.push(Diagnostic::new(grain.line.span, message, "expected an id of its own"));
        }
        nodes.push(TaskNode { parent, waits: false, after_ns: 0, predecessors });
    }
    for (node, grain) in nodes.iter().zip(grains) {
        let other = |before: &&u32| nodes[**before as usize].parent != node.parent;
        if let Some(before) = node.predecessors.iter().find(other) {
            let before = shorten(grains[*before as usize].id);
            let message = format!("{} waits for {before}, which another task creates", shorten(grain.id));
            let label = "expected tasks of the same parent: dependences hold between these alone";
            errors.push(Diagnostic::new(grain.line.span, message, label));
        }
    }
    let chunks = grains.iter().map(|grain| Chunk { count: 1, cost_ns: grain.ns, spread_ns: 0, samples: 1 });
    let touched = footprint(grains.iter().map(|grain| (1, *grain)));
    Class { tasks: nodes, footprint: touched, ..class(site, Form::Tasks, Recorded::None, chunks.collect()) }
}
