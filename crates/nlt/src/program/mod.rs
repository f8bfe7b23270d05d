//! The exact work of a simulated run: regions, phases, and what each iteration computes and
//! accesses.
//!
//! A recording of a real program has measured costs. Of a simulated run everything is known, and its replay is the
//! same run to the picosecond. `stored` encodes numbers and lists, `parts` the parts of a workload, and `check`
//! refuses invalid programs, so that a simulator can rely on what is read.

mod check;
mod parts;
mod stored;

pub use check::check_executions;

use crate::columns::{ColumnReader, ColumnWriter};
use crate::container::{Kind, MOST_PLAIN, Writer};
use numalab_workload::{Context, Phase, RegionId, RegionTeam, Section, Tasking, Workload};
use std::io::{self, Write};
use std::sync::Arc;
use stored::Stored;

/// First version of the encoding.
const VERSION: u64 = 1;
/// Version that adds the virtual synchronisation points of all phases.
const WITH_POINTS: u64 = 2;
/// Version that adds the contexts of phases.
const WITH_CONTEXTS: u64 = 3;
/// Version that adds the number of iterations that one iteration of a phase stands for.
const WITH_UNITS: u64 = 4;
/// Version that adds flags of phases.
const WITH_FLAGS: u64 = 5;
/// Version that adds the teams of phases with a team of their own.
const WITH_TEAMS: u64 = 6;
/// Version that adds the regions of the phases' reductions.
const WITH_REDUCTIONS: u64 = 7;
/// Version that adds the flag of phases that share a parallel region.
const WITH_SHARED_REGIONS: u64 = 8;
/// Version that adds the sections of iterations.
const WITH_SECTIONS: u64 = 9;
/// Version that adds the later steps of tasks, and the bytes that are copied for tasks.
const WITH_STEPS: u64 = 10;
/// Flag of a phase that runs once in addition to the rounds.
const ONCE: u64 = 1;
const ONLY_CHOPPED: u64 = 2;
/// Flag of a phase that runs in the region of the phase before it.
const CONTINUES: u64 = 4;
/// Limit of the plain bytes of a program.
const MOST_BYTES: usize = 512 << 20;
/// Number of bytes of the program in each of its blocks.
const PIECE: usize = MOST_PLAIN / 8;

/// Appends the program, in as many blocks as it needs. An error, before anything is written, if no replay would accept
/// the number of its tasks.
pub fn write<W: Write>(program: &Workload, to: &mut Writer<W>) -> io::Result<()> {
    let refused = |problem| io::Error::other(format!("the program is too large for a recording: {problem}"));
    check_executions(program).map_err(refused)?;
    let mut columns = ColumnWriter::default();
    let points: Vec<Option<u64>> = program.phases.iter().map(|phase| phase.vsp).collect();
    let contexts: Vec<Option<u64>> = program.phases.iter().map(|phase| phase.context.map(number)).collect();
    let units: Vec<Option<u64>> = program.phases.iter().map(|phase| phase.unit).collect();
    let flags: Vec<Option<u64>> = program.phases.iter().map(flags).collect();
    let teams: Vec<Option<RegionTeam>> = program.phases.iter().map(|phase| phase.team.clone()).collect();
    let reductions: Vec<Option<u64>> =
        program.phases.iter().map(|phase| phase.reduction.map(|region| region.0 as u64)).collect();
    let sections: Vec<Option<Section>> = program.phases.iter().map(|phase| phase.section.clone()).collect();
    let steps: Vec<Option<Steps>> = program.phases.iter().map(|phase| steps(&phase.tasking)).collect();
    let version = match contexts.iter().any(Option::is_some) {
        _ if steps.iter().any(Option::is_some) => WITH_STEPS,
        _ if sections.iter().any(Option::is_some) => WITH_SECTIONS,
        _ if program.phases.iter().any(|phase| phase.continues) => WITH_SHARED_REGIONS,
        _ if reductions.iter().any(Option::is_some) => WITH_REDUCTIONS,
        _ if teams.iter().any(Option::is_some) => WITH_TEAMS,
        _ if flags.iter().any(Option::is_some) => WITH_FLAGS,
        _ if units.iter().any(Option::is_some) => WITH_UNITS,
        true => WITH_CONTEXTS,
        false if points.iter().any(Option::is_some) => WITH_POINTS,
        false => VERSION,
    };
    columns.number(version);
    program.put(&mut columns);
    if version >= WITH_POINTS {
        points.put(&mut columns);
    }
    if version >= WITH_CONTEXTS {
        contexts.put(&mut columns);
    }
    if version >= WITH_UNITS {
        units.put(&mut columns);
    }
    if version >= WITH_FLAGS {
        flags.put(&mut columns);
    }
    if version >= WITH_TEAMS {
        teams.put(&mut columns);
    }
    if version >= WITH_REDUCTIONS {
        reductions.put(&mut columns);
    }
    if version >= WITH_SECTIONS {
        sections.put(&mut columns);
    }
    if version >= WITH_STEPS {
        steps.put(&mut columns);
    }
    let bytes = columns.finish();
    if bytes.len() > MOST_BYTES {
        return Err(io::Error::other("the program has too many iterations for a recording"));
    }
    let pieces = bytes.chunks(PIECE);
    let count = pieces.len() as u64;
    for (number, piece) in (0..).zip(pieces) {
        let mut block = ColumnWriter::default();
        block.number(number);
        block.number(count);
        block.raw(piece);
        to.block(Kind::Program, &block.finish())?;
    }
    Ok(())
}

/// Joins the pieces of a program, one from each of its blocks.
#[derive(Debug, Default)]
pub struct Pieces {
    bytes: Vec<u8>,
    next: u64,
    count: u64,
}

impl Pieces {
    /// Adds the next piece; the error is the reason why the piece cannot follow.
    pub fn take(&mut self, plain: &[u8]) -> Result<(), String> {
        let mut columns = ColumnReader::new(plain);
        let (Some(number), Some(count)) = (columns.number(), columns.number()) else {
            return Err("it holds no program".to_owned());
        };
        if (number, number < count) != (self.next, true) || (number > 0 && count != self.count) {
            return Err(format!("it is part {number} of a program, and part {} was expected", self.next));
        }
        if self.bytes.len() + columns.left() > MOST_BYTES {
            return Err(format!("the program has more than {MOST_BYTES} bytes"));
        }
        self.bytes.extend_from_slice(columns.rest());
        (self.next, self.count) = (number + 1, count);
        Ok(())
    }

    /// The program; `None` if the file has none.
    pub fn finish(self) -> Option<Result<Workload, String>> {
        if self.next == 0 {
            return None;
        }
        Some(if self.next < self.count {
            Err(format!("{} of the program's {} parts are lost", self.count - self.next, self.count))
        } else {
            read(&self.bytes)
        })
    }
}

fn read(bytes: &[u8]) -> Result<Workload, String> {
    let mut columns = ColumnReader::new(bytes);
    let version = columns.number().filter(|version| (VERSION..=WITH_STEPS).contains(version));
    let version = version.ok_or("a later version wrote the program")?;
    let program = program(&mut columns, version).filter(|_| columns.left() == 0);
    let program = program.ok_or("the program is not what a simulation writes")?;
    check::check(&program).map_err(|problem| format!("the program cannot run: {problem}"))?;
    Ok(program)
}

fn program(columns: &mut ColumnReader<'_>, version: u64) -> Option<Workload> {
    let mut program = Workload::get(columns)?;
    let phases = program.phases.len();
    let points: Vec<Option<u64>> = of_phases(columns, phases, version >= WITH_POINTS)?;
    let contexts: Vec<Option<u64>> = of_phases(columns, phases, version >= WITH_CONTEXTS)?;
    let units: Vec<Option<u64>> = of_phases(columns, phases, version >= WITH_UNITS)?;
    let flags: Vec<Option<u64>> = of_phases(columns, phases, version >= WITH_FLAGS)?;
    let teams: Vec<Option<RegionTeam>> = of_phases(columns, phases, version >= WITH_TEAMS)?;
    let reductions: Vec<Option<u64>> = of_phases(columns, phases, version >= WITH_REDUCTIONS)?;
    let sections: Vec<Option<Section>> = of_phases(columns, phases, version >= WITH_SECTIONS)?;
    let steps: Vec<Option<Steps>> = of_phases(columns, phases, version >= WITH_STEPS)?;
    for (phase, (next, copied)) in
        program.phases.iter_mut().zip(steps).filter_map(|(phase, steps)| Some((phase, steps?)))
    {
        match &mut phase.tasking.tree {
            Some(tree) => tree.next = next,
            None if next.is_empty() => {}
            None => return None,
        }
        phase.tasking.copied = copied;
    }
    program.phases.iter_mut().zip(sections).for_each(|(phase, section)| phase.section = section);
    program.phases.iter_mut().zip(points).for_each(|(phase, points)| phase.vsp = points);
    program.phases.iter_mut().zip(contexts).for_each(|(phase, number)| phase.context = number.map(context));
    program.phases.iter_mut().zip(units).for_each(|(phase, unit)| phase.unit = unit);
    program.phases.iter_mut().zip(teams).for_each(|(phase, team)| phase.team = team);
    for (phase, number) in program.phases.iter_mut().zip(reductions) {
        phase.reduction = match number {
            Some(number) => Some(RegionId(usize::try_from(number).ok()?)),
            None => None,
        };
    }
    let plain = program.phases.iter_mut().zip(flags.into_iter().chain(std::iter::repeat(None)));
    plain.for_each(|(phase, flags)| {
        let flags = flags.unwrap_or(0);
        (phase.once, phase.presend) = (flags & ONCE != 0, flags & ONLY_CHOPPED == 0);
        phase.continues = flags & CONTINUES != 0;
    });
    Some(program)
}

/// Next step of each task (see `Tree::next`), and bytes that are copied for each task.
type Steps = (Arc<[u32]>, Arc<[u32]>);

/// Steps and copies of the tasks of a phase; `None` if there are none.
fn steps(tasking: &Tasking) -> Option<Steps> {
    let next = tasking.tree.as_ref().map_or_else(|| [].into(), |tree| Arc::clone(&tree.next));
    let copied = Arc::clone(&tasking.copied);
    (!next.is_empty() || !copied.is_empty()).then_some((next, copied))
}

/// A column with a value for each phase; empty if the version has no such column.
fn of_phases<T>(columns: &mut ColumnReader<'_>, phases: usize, has: bool) -> Option<Vec<Option<T>>>
where
    Vec<Option<T>>: Stored,
{
    if !has {
        return Some(Vec::new());
    }
    Vec::get(columns).filter(|values: &Vec<Option<T>>| values.len() == phases)
}

/// Flags of a phase; `None` if none is set.
fn flags(phase: &Phase) -> Option<u64> {
    let set = [(phase.once, ONCE), (!phase.presend, ONLY_CHOPPED), (phase.continues, CONTINUES)];
    let flags: u64 = set.into_iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag).sum();
    (flags > 0).then_some(flags)
}

/// Number of a context in the file: 0 for none, otherwise the number of the context's phase plus one.
fn number(context: Context) -> u64 {
    match context {
        Context::None => 0,
        Context::Of(phase) => phase as u64 + 1,
    }
}

fn context(number: u64) -> Context {
    match number.checked_sub(1) {
        None => Context::None,
        Some(phase) => Context::Of(usize::try_from(phase).unwrap_or(usize::MAX)),
    }
}
