//! Refuses programs that no workload file could express, so that a simulator can rely on them.

use numalab_workload::{
    Access, Construct, Context, Dependences, Exact, Iterations, LAST_STEP, PageKind, Phase, Region, Slice,
    Tasking, Tree, Workload, parents_first,
};

/// Limit of the iterations of a phase.
const MOST_ITERATIONS: u64 = 100_000_000;
/// Limit of the iterations of a phase, including repeats and rounds.
const MOST_IN_ALL: u64 = 1_000_000_000;
/// Limit of the bytes of all regions together, and of the bytes that all phases touch: 1 EiB.
const MOST_BYTES: u64 = 1 << 60;
/// Limit of the bytes of a page.
const MOST_PAGE: u64 = 1 << 40;
/// Limit of the sections of an iteration.
const MOST_SECTIONS: u32 = 1_000_000;
/// Limit of the phases that share a region.
const MOST_SHARED: usize = 10_000;
/// Limit of the bytes that are copied for a task.
const MOST_COPIED: u32 = 1 << 30;
/// Limit of the executions of tasks, and of their later steps, in a phase.
const MOST_EXECUTIONS: f64 = 1e8;

type Checked = Result<(), String>;

/// Refuses a program one of whose phases executes more tasks than a replay accepts. A workload file may allow more. The
/// error is the phase and the reason.
pub fn check_executions(program: &Workload) -> Result<(), String> {
    for phase in &program.phases {
        // A tree with missing tasks has no executions; a reader refuses it.
        let tree = phase.tasking.tree.as_ref().filter(|tree| graph(tree, phase.iterations as usize).is_ok());
        let checked = tree.and_then(Tree::executions).map_or(Ok(()), |executions| few(&executions));
        checked.map_err(|problem| format!("{}: {problem}", phase.name))?;
    }
    Ok(())
}

fn few(executions: &[f64]) -> Checked {
    let problem = "it executes more than 1e8 tasks and steps of tasks; `cutoff` makes fewer of the same work";
    holds(executions.iter().sum::<f64>() <= MOST_EXECUTIONS, problem)
}

/// Checks a program; the error is the problem.
pub(super) fn check(program: &Workload) -> Checked {
    let Workload { regions, phases, rounds, .. } = program;
    holds(*rounds >= 1, "it has no rounds")?;
    holds(phases.iter().any(|phase| phase.measured), "no phase is measured")?;
    holds(
        phases.windows(2).all(|pair| pair[1].measured || !pair[0].measured),
        "a phase that is not measured follows a measured one",
    )?;
    let measured: Vec<bool> = phases
        .iter()
        .filter(|phase| phase.measured)
        .map(|phase| phase.once)
        .skip_while(|once| *once)
        .collect();
    holds(
        !measured.iter().rev().skip_while(|once| **once).any(|once| *once),
        "a phase that runs once is in the middle of a round",
    )?;
    holds(
        phases.iter().all(|phase| phase.measured || !phase.once),
        "a phase that runs once is not measured",
    )?;
    let sizes = regions.iter().map(|region| region.size.0);
    let sum = sizes.fold(0, u64::saturating_add);
    holds(sum <= MOST_BYTES, "its regions are larger than 1 EiB")?;
    regions.iter().try_for_each(region)?;
    let known = |context| match context {
        Context::None => true,
        Context::Of(phase) => phase < phases.len(),
    };
    holds(phases.iter().all(|phase| phase.context.is_none_or(known)), "a context refers to a missing phase")?;
    let teams = phases.iter().filter_map(|phase| phase.team.as_ref());
    holds(teams.clone().all(|team| team.threads >= 1), "a team has no threads")?;
    let combines = |phase: &Phase| phase.reduction.is_none_or(|region| region.0 < regions.len());
    holds(phases.iter().all(combines), "a reduction refers to a missing region")?;
    let shares = |phases: &[Phase]| phases.len() == 1 || is_region(phases);
    holds(Phase::by_region(phases).all(shares), "its phases cannot share a parallel region")?;
    let mut touched = 0u128;
    for one in phases {
        let runs = u64::from(one.repeat) * u64::from(one.rounds(*rounds));
        let checked = phase(one, regions, runs.saturating_mul(one.times.into()));
        touched = touched.saturating_add(checked.map_err(|problem| format!("{}: {problem}", one.name))?);
    }
    holds(touched <= MOST_BYTES.into(), "its phases touch more than 1 EiB")
}

/// True if phases can share a parallel region: their constructs can, and they run equally often on the same threads.
fn is_region(phases: &[Phase]) -> bool {
    let alike = |phase: &Phase| {
        (phase.repeat, phase.times, phase.teams, phase.team.clone(), phase.measured, phase.once)
    };
    phases.len() <= MOST_SHARED
        && phases.iter().all(|phase| phase.construct.shares_region() && alike(phase) == alike(&phases[0]))
}

fn holds(condition: bool, problem: &str) -> Checked {
    if condition { Ok(()) } else { Err(problem.to_owned()) }
}

fn region(region: &Region) -> Checked {
    match region.page {
        PageKind::Base | PageKind::Transparent => Ok(()),
        PageKind::Fixed(page) => holds(
            page.0.is_power_of_two() && (64..=MOST_PAGE).contains(&page.0),
            "a region has an impossible page size",
        ),
    }
}

/// Checks a phase. Returns the bytes that all runs of the phase touch.
fn phase(phase: &Phase, regions: &[Region], runs: u64) -> Result<u128, String> {
    let Phase { repeat, times, teams, iterations, .. } = phase;
    holds(*repeat >= 1 && *times >= 1 && *teams >= 1, "it never runs")?;
    holds(*iterations <= MOST_ITERATIONS, "it has too many iterations")?;
    holds(*iterations > 0 || phase.accesses.is_empty(), "it accesses memory in no iteration")?;
    holds(iterations.saturating_mul(runs) <= MOST_IN_ALL, "it has too many iterations in all")?;
    let count = *iterations as usize;
    let instructions = &phase.instructions;
    holds(
        instructions.is_empty() || instructions.len() == count,
        "the number of instruction counts differs from that of iterations",
    )?;
    holds(instructions.iter().all(|one| (0.0..=1e18).contains(one)), "an instruction count is out of range")?;
    if let Some(section) = &phase.section {
        let construct = section.construct;
        let excludes = matches!(construct, Construct::Critical | Construct::Lock(_) | Construct::Atomic);
        let each = section.instructions.len();
        let fits = excludes && section.times.len() == count && (each == 0 || each == count);
        let few = section.times.iter().all(|times| *times <= MOST_SECTIONS);
        holds(
            fits && few && section.instructions.iter().all(|one| (0.0..=1e18).contains(one)),
            "its sections are wrong",
        )?;
    }
    if let Some(costs) = &phase.costs {
        holds(
            costs.len() == count + 1 && costs[0] == 0 && costs.is_sorted(),
            "its costs are not cumulative",
        )?;
        holds(costs[count] > 0 && costs[count] <= 1 << 53, "its costs are zero or too large")?;
    }
    holds(optional(phase.outstanding, 1e-3, 1e6), "its lines in flight are out of range")?;
    holds((0.0..=1e9).contains(&phase.instructions_per_byte), "its instructions per byte are out of range")?;
    holds((0.0..=1.0).contains(&phase.overlap), "its overlap is not between 0 and 1")?;
    holds((0.0..=1e24).contains(&phase.flops), "its operations are out of range")?;
    holds(
        phase.vsp.is_none_or(|every| (1..=1_000_000_000).contains(&every)),
        "its virtual synchronisation points are out of range",
    )?;
    holds(
        phase.unit.is_none_or(|unit| (1..=1 << 53).contains(&unit)),
        "its iterations stand for zero or too many",
    )?;
    if let Some(block) = &phase.allocation {
        let parts = [block.mapped, block.released].iter().all(|part| (0.0..=1.0).contains(part));
        holds(parts && (1..=MOST_BYTES).contains(&block.bytes.0), "its blocks cannot be allocated")?;
    }
    phase.construct.problem(*iterations).map_or(Ok(()), |problem| Err(problem.to_owned()))?;
    let in_steps = matches!(phase.construct.facts().iterations, Iterations::Steps(_));
    holds(!in_steps || *times == 1 && *teams == 1, "its steps do not divide its iterations")?;
    phase.accesses.iter().try_for_each(|one| access(one, count, regions))?;
    let executions = tasking(&phase.tasking, count, regions)?;
    let bytes = |access: &Access| match &executions {
        None => access.slice.total(*iterations),
        Some(executions) => {
            let each = executions.iter().zip(0..).map(|(times, task)| {
                let bytes = access.slice.piece(task, task + 1).map_or(0, |piece| piece.touched + piece.again);
                times * bytes as f64
            });
            each.sum::<f64>() as u128
        }
    };
    let once: u128 = phase.accesses.iter().map(bytes).fold(0, u128::saturating_add);
    Ok(once.saturating_mul(runs.into()))
}

fn optional(value: Option<f64>, least: f64, most: f64) -> bool {
    value.is_none_or(|value| (least..=most).contains(&value))
}

fn access(access: &Access, count: usize, regions: &[Region]) -> Checked {
    let demand = &access.demand;
    holds(optional(demand.outstanding, 1e-3, 1e6), "an access has lines in flight out of range")?;
    holds(
        optional(demand.instructions_per_byte, 0.0, 1e9),
        "an access has instructions per byte out of range",
    )?;
    let Some(region) = regions.get(access.region.0) else {
        return Err("it accesses a missing region".to_owned());
    };
    let size = region.size.0;
    holds(size > 0, "it accesses an empty region")?;
    holds(inside(&access.slice, count, size), "it accesses bytes outside a region")
}

/// True if `count` iterations touch bytes of a region of `size` bytes.
fn inside(slice: &Slice, count: usize, size: u64) -> bool {
    match slice {
        Slice::Whole(whole) => *whole == size,
        Slice::Partition(bounds) => bounds.len() == count + 1 && bounds.is_sorted() && bounds[count] <= size,
        Slice::Explicit(pieces) => {
            let inside =
                |(start, length): &(u64, u64)| start.checked_add(*length).is_some_and(|end| end <= size);
            pieces.slices().len() == count && pieces.slices().iter().all(inside)
        }
        Slice::Sparse(sparse) => {
            let windows = sparse.windows();
            let touched = sparse.touched().zip(&windows[..]);
            let inside = windows.iter().all(|(start, end)| start <= end && *end <= size);
            windows.len() == count
                && inside
                && sparse.touched().count() == count
                && sparse.total() <= MOST_BYTES
                && touched.into_iter().all(|(bytes, (start, end))| bytes == 0 || start < end)
                && exact(sparse.exact(), windows)
        }
        Slice::Partial(partial) => {
            let touching = partial.iterations();
            touching.is_sorted_by(|one, next| one < next)
                && touching.last().is_none_or(|last| (*last as usize) < count)
                && inside(partial.slice(), touching.len(), size)
        }
    }
}

fn exact(exact: &Exact, windows: &[(u64, u64)]) -> bool {
    match exact {
        Exact::Unknown => true,
        Exact::Pieces(pieces) => {
            let fits = |((length, count), (start, end)): (&(u64, u64), &(u64, u64))| {
                *count == 0 || (*length <= end - start && *count <= end - start)
            };
            pieces.len() == windows.len() && pieces.iter().zip(windows).all(fits)
        }
        Exact::Drawn { element, counts, .. } => {
            let fits = |(count, (start, end)): (&u64, &(u64, u64))| *count == 0 || start < end;
            *element > 0 && counts.len() == windows.len() && counts.iter().zip(windows).all(fits)
        }
    }
}

/// Checks tasks. Returns the number of executions of each task if tasks create tasks.
fn tasking(tasking: &Tasking, count: usize, regions: &[Region]) -> Result<Option<Vec<f64>>, String> {
    let Tasking { grain, tree, dependences, affinity, copied, producers: _ } = tasking;
    holds((1..=count.max(1) as u64).contains(grain), "its grain size is out of range")?;
    let tasks = (count as u64).div_ceil(*grain) as usize;
    holds(
        copied.is_empty() || copied.len() == tasks && copied.iter().all(|bytes| *bytes <= MOST_COPIED),
        "the copies of its tasks are wrong",
    )?;
    if let Some(affinity) = affinity {
        let region = regions.get(affinity.region.0).map_or(0, |region| region.size.0);
        holds(
            affinity.offsets.len() == count && affinity.offsets.iter().all(|offset| *offset < region),
            "a task affinity is outside a region",
        )?;
    }
    if let Some(dependences) = dependences {
        order(dependences, tasks)?;
    }
    let Some(tree) = tree else { return Ok(None) };
    graph(tree, count)?;
    let executions = tree.executions().ok_or("its tasks form a cycle")?;
    if let Some(dependences) = dependences {
        holds(*grain == 1, "its tasks have dependences and several iterations")?;
        among_siblings(tree, dependences)?;
    }
    few(&executions)?;
    Ok(Some(executions))
}

fn graph(tree: &Tree, count: usize) -> Checked {
    let Tree { tasks, children, roots, next } = tree;
    let children_of = |first: u32, count: u32| u64::from(first) + u64::from(count) <= children.len() as u64;
    holds(tasks.len() == count, "the number of tasks differs from that of iterations")?;
    holds(
        tasks.iter().all(|task| children_of(task.first, task.count) && (0.0..=1e18).contains(&task.after)),
        "a task creates a missing task",
    )?;
    let known = |list: &[u32]| list.iter().all(|task| (*task as usize) < count);
    holds(known(children) && known(roots), "a missing task is created")?;
    let is_step = |step: &u32| *step == LAST_STEP || (*step as usize) < count;
    holds(next.is_empty() || next.len() == count && next.iter().all(is_step), "a task has a missing step")?;
    holds(count == 0 || !roots.is_empty(), "its tasks are not created")
}

/// Checks that a task with dependences is created once, by the creator of its predecessors.
fn among_siblings(tree: &Tree, dependences: &Dependences) -> Checked {
    let heads = heads(tree).ok_or("two tasks with dependences share a step")?;
    let is_step = |number: &usize| heads[*number] != *number as u32;
    let mut waits = (0..tree.tasks.len()).filter(is_step);
    let free = |step: usize| {
        dependences.predecessors[step] == 0 && dependences.first[step] == dependences.first[step + 1]
    };
    holds(waits.all(free), "a later step of a task has dependences")?;
    let mut creators: Vec<Vec<usize>> = vec![Vec::new(); tree.tasks.len()];
    // The creator of the first tasks has a number above all tasks.
    let first = tree.tasks.len();
    tree.roots.iter().for_each(|root| creators[*root as usize].push(first));
    for (number, task) in tree.tasks.iter().enumerate() {
        let children = &tree.children[task.first as usize..(task.first + task.count) as usize];
        children.iter().for_each(|child| creators[*child as usize].push(heads[number] as usize));
    }
    holds(creators.iter().all(|by| by.len() <= 1), "a task with dependences is created twice")?;
    let of = |task: usize| creators[task].first();
    let same = |before: usize| {
        let after = dependences.first[before] as usize..dependences.first[before + 1] as usize;
        dependences.successors[after].iter().all(|next| of(*next as usize) == of(before))
    };
    holds((0..first).all(same), "a task waits for one that another task creates")
}

/// First step of the task of each step; `None` if a step follows two steps. The steps form no cycle.
fn heads(tree: &Tree) -> Option<Vec<u32>> {
    let mut before: Vec<Option<u32>> = vec![None; tree.tasks.len()];
    for step in 0..tree.next.len() as u32 {
        let Some(next) = tree.next_step(step) else { continue };
        if before[next as usize].replace(step).is_some() {
            return None;
        }
    }
    let mut heads: Vec<u32> = (0..tree.tasks.len() as u32).collect();
    for first in (0..heads.len() as u32).filter(|step| before[*step as usize].is_none()) {
        let steps = std::iter::successors(Some(first), |step| tree.next_step(*step));
        steps.for_each(|step| heads[step as usize] = first);
    }
    Some(heads)
}

fn order(dependences: &Dependences, tasks: usize) -> Checked {
    let Dependences { first, successors, predecessors } = dependences;
    let lists = first.len() == tasks + 1 && first.is_sorted() && first[0] == 0;
    holds(lists && first[tasks] as usize == successors.len(), "its dependences do not match its tasks")?;
    holds(predecessors.len() == tasks, "its dependences do not match its tasks")?;
    holds(successors.iter().all(|task| (*task as usize) < tasks), "a missing task waits")?;
    let mut waits = vec![0u32; tasks];
    successors.iter().for_each(|task| waits[*task as usize] += 1);
    holds(waits == *predecessors, "the numbers of predecessors are wrong")?;
    let after = |task: u32| &successors[first[task as usize] as usize..first[task as usize + 1] as usize];
    parents_first(tasks, after).map_err(|_| "its dependences form a cycle".to_owned()).map(drop)
}
