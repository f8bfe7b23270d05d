//! A construct as the sequence of acts of each thread.

use numalab_base::Snapshot;
use numalab_workload::{Construct, Iterations, Phase};

/// Element of a thread's script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// Begins the phase with this position among those that share a region.
    Enter(u32),
    /// Opens a region, or waits until the region is opened.
    Open(Level),
    /// Arrives at the end of a region.
    Close(Level),
    /// Requests work from the loop or the tasks until none is left.
    Share,
    /// Executes the iteration of the thread's own number.
    Body,
    /// Executes the iteration of the thread's own number if the thread has won its claim of a `single` region.
    BodyIfWon,
    /// Executes the iteration of the thread's own number if the thread is the first of its team.
    BodyIfFirst,
    /// Adds to reduction variables in a shared page.
    Sum,
    /// Executes the thread's share of a pipeline step.
    Step,
    Barrier,
    /// Sends messages to the nodes of other threads, and waits for their return.
    Echo,
    /// Runs a program on the construct's shared lines.
    Run(Program),
}

/// Level of the team that a region belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Level {
    /// Outer team: each of its threads opens an inner team.
    Outer,
    /// Inner team, which executes the construct.
    Inner,
    /// Inner team whose threads' values are combined at the end (reduction).
    Reducing,
}

/// Programs of constructs, each of which reads or writes shared lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Program {
    /// Claims a `single` region: the first thread to claim the region executes it.
    Claim,
    /// Acquires the lock of the construct.
    Acquire,
    /// Releases the lock of the construct.
    Release,
    /// Adds to a shared variable.
    Atomic,
    /// Waits for the thread's turn.
    Await,
    /// Passes the turn on to the next thread.
    Pass,
    /// Stores to the thread's own element, plainly or atomically.
    Update,
}

impl Program {
    /// True if the program is an instruction of the simulated workload, on a line of the workload; false if it
    /// belongs to the OpenMP runtime.
    pub fn is_the_programs(self) -> bool {
        match self {
            Program::Atomic | Program::Update => true,
            Program::Claim | Program::Acquire | Program::Release | Program::Await | Program::Pass => false,
        }
    }

    /// True if the program waits for a lock or a turn.
    pub fn takes_turns(self) -> bool {
        match self {
            Program::Acquire | Program::Await => true,
            Program::Claim | Program::Release | Program::Atomic | Program::Pass | Program::Update => false,
        }
    }

    /// True if the program releases a lock or passes a turn on.
    pub fn passes_on(self) -> bool {
        match self {
            Program::Release | Program::Pass => true,
            Program::Claim | Program::Acquire | Program::Atomic | Program::Await | Program::Update => false,
        }
    }
}

// Glossary: script: Acts of one thread in a phase, in order: opening a region, loops, programs, barriers.
/// Acts of one thread in a phase: `before`, then `times` passes of `each`, then `after`.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    before: Vec<Act>,
    each: Vec<Act>,
    times: u32,
    after: Vec<Act>,
}

/// Position of a thread in its script: part (0 `before`, 1 `each`, 2 `after`), index in the part, and pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Position {
    part: u8,
    at: u32,
    pass: u32,
}

impl Script {
    /// Script of a thread whose team executes the construct of a phase `times` times, or a pipeline for all its steps.
    /// Several phases share a region: the thread executes their constructs in turn. `outer`: the thread opens an inner
    /// team and belongs to an outer team. `sums`: threads add to variables in a page at the end of the loop, one after
    /// another.
    pub fn new(phases: &[Phase], (outer, sums): (bool, bool)) -> Script {
        let Phase { construct, times, .. } = phases[0];
        let inner = if construct == Construct::Reduction { Level::Reducing } else { Level::Inner };
        let mut each = match phases {
            [_] => acts(construct),
            phases => {
                let of = |(place, phase): (u32, &Phase)| {
                    std::iter::once(Act::Enter(place)).chain(acts(phase.construct))
                };
                (0..).zip(phases).flat_map(of).collect()
            }
        };
        if sums && let Some(share) = each.iter().position(|act| *act == Act::Share) {
            let turn = [Act::Run(Program::Acquire), Act::Sum, Act::Run(Program::Release)];
            each.splice(share + 1..share + 1, turn);
        }
        let times = match construct.facts().iterations {
            Iterations::Steps(steps) => steps,
            Iterations::OnePerThread | Iterations::Scheduled => times,
        };
        let (mut before, mut after) = (Vec::new(), Vec::new());
        // Outside of all regions no thread can open an inner one.
        let outer = outer && !construct.is_alone();
        if outer {
            before.push(Act::Open(Level::Outer));
        }
        if construct.opens() && phases.len() == 1 {
            each.insert(0, Act::Open(inner));
            each.push(Act::Close(inner));
        } else if !construct.is_alone() {
            before.push(Act::Open(inner));
            after.push(Act::Close(inner));
        }
        if outer {
            after.push(Act::Close(Level::Outer));
        }
        Script { before, each, times, after }
    }

    /// Act at a position; `None` after the last. Moves the position on past finished parts.
    pub fn act(&self, position: &mut Position) -> Option<Act> {
        loop {
            let part = match position.part {
                0 => &self.before,
                1 if position.pass < self.times => &self.each,
                1 => &Vec::new(),
                2 => &self.after,
                _ => return None,
            };
            if let Some(act) = part.get(position.at as usize) {
                return Some(*act);
            }
            position.at = 0;
            if position.part == 1 && position.pass + 1 < self.times {
                position.pass += 1;
            } else {
                position.part += 1;
            }
        }
    }
}

/// Acts of one execution of a construct, apart from its region.
fn acts(construct: Construct) -> Vec<Act> {
    let (mut acts, nowait) = match construct {
        Construct::ParallelFor => (vec![Act::Share], true),
        Construct::For { nowait } | Construct::Sections { nowait } => (vec![Act::Share], nowait),
        Construct::Parallel | Construct::Reduction | Construct::Serial => (vec![Act::Body], true),
        Construct::Barrier => (vec![Act::Body], false),
        Construct::Single { nowait } => (vec![Act::Run(Program::Claim), Act::BodyIfWon], nowait),
        Construct::Master => (vec![Act::BodyIfFirst], true),
        Construct::Critical | Construct::Lock(_) => {
            (vec![Act::Run(Program::Acquire), Act::Body, Act::Run(Program::Release)], true)
        }
        Construct::Atomic => (vec![Act::Body, Act::Run(Program::Atomic)], true),
        Construct::Ordered => (vec![Act::Run(Program::Await), Act::Body, Act::Run(Program::Pass)], true),
        Construct::Pipeline { .. } => {
            (vec![Act::Run(Program::Await), Act::Step, Act::Run(Program::Pass)], true)
        }
        Construct::Update { .. } => (vec![Act::Body, Act::Run(Program::Update)], true),
        Construct::Echo { .. } => (vec![Act::Echo], true),
    };
    if !nowait {
        acts.push(Act::Barrier);
    }
    acts
}

impl Position {
    /// Number of earlier passes through the repeated part.
    pub fn pass(&self) -> u32 {
        self.pass
    }

    /// Number of passes that remain after the present one, of `times`; 0 outside of the repeated part.
    pub fn passes_ahead(&self, times: u32) -> u32 {
        if self.part == 1 { times.saturating_sub(self.pass + 1) } else { 0 }
    }

    /// Skips passes, if the position is in the repeated part.
    pub fn skip(&mut self, passes: u32) {
        if self.part == 1 {
            self.pass += passes;
        }
    }

    /// Adds the position to a snapshot, with passes counted from `from`.
    pub fn snapshot(&self, from: u32, into: &mut Snapshot) {
        let Position { part, at, pass } = *self;
        into.add(&(part, at));
        if part == 1 {
            into.add(&pass.wrapping_sub(from));
        }
    }

    pub fn advance(&mut self) {
        self.at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn acts(construct: Construct, times: u32, outer: bool) -> Vec<Act> {
        script(&[Phase { construct, times, ..Phase::new("", 1) }], outer)
    }

    fn script(phases: &[Phase], outer: bool) -> Vec<Act> {
        let script = Script::new(phases, (outer, false));
        let mut position = Position::default();
        let mut acts = Vec::new();
        while let Some(act) = script.act(&mut position) {
            acts.push(act);
            position.advance();
        }
        acts
    }

    #[test]
    fn regions_open_each_time_or_once() {
        use Act::{Barrier, Body, Close, Open};
        use Level::{Inner, Outer};
        assert_eq!(
            acts(Construct::Parallel, 2, false),
            [Open(Inner), Body, Close(Inner), Open(Inner), Body, Close(Inner)]
        );
        assert_eq!(
            acts(Construct::Barrier, 2, true),
            [Open(Outer), Open(Inner), Body, Barrier, Body, Barrier, Close(Inner), Close(Outer)]
        );
        assert_eq!(acts(Construct::Serial, 3, false), [Body; 3]);
        let phase = |construct, continues| Phase { construct, continues, times: 2, ..Phase::new("", 1) };
        let shared = [phase(Construct::Parallel, false), phase(Construct::For { nowait: true }, true)];
        let (first, second) = (Act::Enter(0), Act::Enter(1));
        assert_eq!(
            script(&shared, false),
            [Open(Inner), first, Body, second, Act::Share, first, Body, second, Act::Share, Close(Inner)]
        );
        assert_eq!(acts(Construct::Serial, 1, true), [Body]);
        assert_eq!(acts(Construct::Serial, 0, false), []);
    }
}
