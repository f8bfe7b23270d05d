//! Follows each thread from event to event, and adds the time between them to its present activity.

use super::footprint::{Touch, Touches};
use super::instance::Sample;
use super::packed::{Chunks, Courses};
use super::region::{Part, Region, Taken};
use super::task_map::TaskMap;
use super::tasks::Clauses;
use numalab_nlt::ompt::{chunk, mutex, wait, work};
use numalab_nlt::{Event, EventBlock, RecorderCosts, What};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU64;

/// Kinds of waits other than barriers.
const TASK_WAITS: [u8; 2] = [wait::TASKS, wait::TASK_GROUP];

/// Collects the work of a program from blocks of events, which must be in order for each thread.
#[derive(Debug, Default)]
pub struct Walk {
    pub(super) threads: BTreeMap<(u32, u32), Thread>,
    pub(super) regions: BTreeMap<(u32, u64), Region>,
    pub(super) tasks: TaskMap,
    pub(super) clauses: Clauses,
    pub(super) touches: Touches,
    /// Runs with watched pages.
    pub(super) watched: BTreeSet<u32>,
    pub(super) costs: RecorderCosts,
}

/// Serial part or region that a thread executed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Course {
    /// A serial part, up to the region at this address; 0 for the end of the program.
    Serial(u64, Sample),
    /// An instance of a region, by number.
    Region(u64),
}

#[derive(Debug, Default)]
enum Position {
    /// Unknown, as before the thread's first event.
    #[default]
    Nothing,
    /// The program outside of regions.
    Serial,
    /// A part of a region outside of worksharing constructs.
    Body,
    Loop(Part),
    /// A single construct at this address.
    Single(u64),
}

#[derive(Debug, Default)]
pub(super) struct Thread {
    /// Serial parts and regions that the thread has executed outside of other regions.
    pub course: Courses,
    position: Position,
    /// Time of the thread's last event. `active` is true if the thread has worked since that event.
    cursor: u64,
    active: bool,
    /// Nanoseconds in the present activity, and context switches at the start of the activity.
    spent: u64,
    switches: u32,
    /// Index of the list of bytes touched in the present activity.
    touched: u32,
    locked: u32,
    region: Option<(u64, u32)>,
    /// Number of constructs that the thread has executed in its present region.
    met: u32,
    implicit: u64,
    waiting: bool,
    /// Number of the explicit task that the thread executes; 0 for none.
    task: u64,
    /// Numbers of the nested regions that the thread opened.
    inner: Vec<u64>,
    /// Number of the region that the thread opened last.
    opened: u64,
}

impl Walk {
    /// Takes the next events of a thread.
    pub fn take(&mut self, block: &EventBlock) {
        // For each event, the context switches counted at the next event that queried them, which may be the event
        // itself.
        let mut known = block.events.last().map_or(0, |event| event.switches);
        let mut after: Vec<u32> = block
            .events
            .iter()
            .rev()
            .map(|event| {
                if event.asked {
                    known = event.switches;
                }
                known
            })
            .collect();
        after.reverse();
        for (event, after) in block.events.iter().zip(after) {
            self.event(block.round, block.thread, event, after);
        }
    }

    fn event(&mut self, round: u32, thread: u32, event: &Event, switches: u32) {
        let Walk { threads, regions, tasks, clauses, touches, watched, costs: _ } = self;
        let thread = threads.entry((round, thread)).or_default();
        thread.pass(event.time, switches, round, regions, tasks);
        match event.what {
            What::Started { spent } => {
                // The runtime starts with the first construct; bytes touched before the construct are reported before
                // the event `Started`.
                let touched = thread.touched;
                thread.begin(Position::Serial, switches);
                (thread.spent, thread.touched) = (spent, touched);
                thread.active = true;
            }
            What::Ended {} => thread.end_serial(0, switches),
            What::Touched { written, address, bytes } => {
                watched.insert(round);
                let touch = Touch { address, bytes, written: written != 0 };
                let list = match thread.task {
                    0 => &mut thread.touched,
                    task => &mut tasks.entry(round, task).touched,
                };
                touches.add(list, touch);
            }
            What::ParallelBegin { invoker, region, code, asked: _ } => {
                thread.opened = region;
                let found = regions.entry((round, region)).or_default();
                (found.site, found.invoker) = (code, invoker);
                if thread.region.is_some() {
                    found.nested = true;
                    thread.inner.push(region);
                } else {
                    thread.end_serial(code, switches);
                    thread.course.push(Course::Region(region));
                    thread.active = false;
                }
            }
            What::ImplicitBegin { region, member, task } => {
                let (team, member) = ((member >> 32) as u32, member as u32);
                regions.entry((round, region)).or_default().team = team;
                if thread.inner.last() != Some(&region) {
                    (thread.region, thread.met) = (Some((region, member)), 0);
                    (thread.implicit, thread.task, thread.waiting) = (task, 0, false);
                    thread.begin(Position::Body, switches);
                    thread.active = true;
                }
            }
            What::ImplicitEnd { .. } => {}
            What::ParallelEnd { region } => {
                if thread.inner.last() == Some(&region) {
                    thread.inner.pop();
                } else {
                    thread.end_body(round, switches, regions);
                    thread.region = None;
                    thread.begin(Position::Serial, switches);
                    thread.active = true;
                }
            }
            What::WorkBegin { .. } | What::WorkEnd { .. } | What::Chunk { .. }
                if !thread.inner.is_empty() => {}
            What::WorkBegin { work: work::TASKLOOP | work::SCOPE, .. }
            | What::WorkEnd { work: work::TASKLOOP | work::SCOPE, .. }
            | What::Chunk { chunk: chunk::TASKLOOP, .. } => {}
            What::WorkBegin { work, code, iterations, .. } => {
                thread.end_body(round, switches, regions);
                let position = match work {
                    work::SINGLE => Position::Single(code),
                    work::SINGLE_OTHER => {
                        thread.part(round, Part::Single { code, sample: None }, regions);
                        Position::Body
                    }
                    _ => Position::Loop(Part::new_loop(code, work, iterations)),
                };
                thread.begin(position, switches);
            }
            What::Chunk { first, count, .. } => {
                let sample = thread.sample(count, switches);
                if let Position::Loop(Part::Loop { chunks, before_ns, .. }) = &mut thread.position {
                    close(chunks, before_ns, sample);
                    chunks.open(Taken {
                        first,
                        at: event.time,
                        sample: Sample { count, ..Sample::default() },
                    });
                    (thread.spent, thread.switches, thread.touched) = (0, event.switches, 0);
                }
            }
            What::WorkEnd { work: work::SINGLE_OTHER, .. } => {}
            What::WorkEnd { .. } => {
                let sample = thread.sample(1, switches);
                match std::mem::take(&mut thread.position) {
                    Position::Loop(mut part) => {
                        if let Part::Loop { chunks, before_ns, .. } = &mut part {
                            close(chunks, before_ns, sample);
                        }
                        thread.part(round, part, regions);
                    }
                    Position::Single(code) => {
                        thread.part(round, Part::Single { code, sample: Some(sample) }, regions);
                    }
                    Position::Nothing | Position::Serial | Position::Body => {}
                }
                thread.begin(Position::Body, switches);
            }
            What::TaskCreate { task, code: _, creator } => {
                let record = tasks.entry(round, task);
                record.creator = NonZeroU64::new(creator).filter(|creator| creator.get() != thread.implicit);
                if let Some((region, member)) = thread.region {
                    record.place = (region, thread.constructs(), member);
                }
            }
            What::Dependence { dependence, task, address } => {
                clauses.entry((round, task)).or_default().push((dependence, address));
            }
            What::TaskSwitch { after, .. } => {
                thread.task = if after == thread.implicit || thread.region.is_none() { 0 } else { after };
                thread.active = match thread.task {
                    0 => !thread.waiting,
                    task => !tasks.entry(round, task).waiting,
                };
            }
            What::WaitBegin { wait, .. } => {
                match thread.task {
                    0 => {
                        thread.waiting = true;
                        if !TASK_WAITS.contains(&wait) && thread.inner.is_empty() {
                            thread.end_body(round, switches, regions);
                            thread.part(round, Part::Barrier, regions);
                            thread.begin(Position::Body, switches);
                        }
                    }
                    task => tasks.entry(round, task).wait(),
                }
                thread.active = false;
            }
            What::WaitEnd { .. } => {
                match thread.task {
                    0 => thread.waiting = false,
                    task => tasks.entry(round, task).waiting = false,
                }
                thread.active = true;
            }
            What::MutexAcquire { .. } => thread.active = false,
            What::MutexAcquired { mutex, .. } => {
                thread.active = true;
                if mutex == mutex::ORDERED
                    && let Some((region, _)) = thread.region
                {
                    regions.entry((round, region)).or_default().ordered = true;
                }
                thread.locked += 1;
            }
            What::MutexReleased { .. } => thread.locked = thread.locked.saturating_sub(1),
        }
    }
}

/// Ends the open chunk with its cost. If none is open, the time counts as the loop's time before its first chunk.
fn close(chunks: &mut Chunks, before_ns: &mut u64, sample: Sample) {
    if !chunks.close(sample) {
        *before_ns = before_ns.saturating_add(sample.ns);
    }
}

impl Thread {
    /// Adds the time since the last event to the present activity.
    fn pass(
        &mut self,
        time: u64,
        switches: u32,
        round: u32,
        regions: &mut BTreeMap<(u32, u64), Region>,
        tasks: &mut TaskMap,
    ) {
        let passed = time.saturating_sub(self.cursor);
        self.cursor = time;
        if !self.active {
            return;
        }
        if self.locked > 0
            && let Some((region, _)) = self.region
        {
            let region = regions.entry((round, region)).or_default();
            region.locked_ns = region.locked_ns.saturating_add(passed);
        }
        match self.task {
            0 => self.spent = self.spent.saturating_add(passed),
            task => tasks.entry(round, task).pass(passed, switches),
        }
    }

    fn begin(&mut self, position: Position, switches: u32) {
        self.position = position;
        (self.spent, self.switches, self.touched) = (0, switches, 0);
    }

    /// Cost of the present activity so far.
    fn sample(&self, count: u64, switches: u32) -> Sample {
        Sample { count, ns: self.spent, disturbed: switches != self.switches, touched: self.touched }
    }

    fn end_serial(&mut self, site: u64, switches: u32) {
        if let Position::Serial = self.position {
            self.course.push(Course::Serial(site, self.sample(1, switches)));
        }
        self.begin(Position::Nothing, switches);
    }

    fn end_body(&mut self, round: u32, switches: u32, regions: &mut BTreeMap<(u32, u64), Region>) {
        if let Position::Body = self.position {
            self.part(round, Part::Body(self.sample(1, switches)), regions);
        }
    }

    /// Adds a part to the region that the thread is in.
    fn part(&mut self, round: u32, part: Part, regions: &mut BTreeMap<(u32, u64), Region>) {
        if let Some((region, member)) = self.region {
            let region = regions.entry((round, region)).or_default();
            self.met = self.met.saturating_add(u32::from(part.is_construct()));
            region.parts.push(member, part);
        }
    }

    /// Number of constructs that the thread has executed in its present region, including the present construct.
    fn constructs(&self) -> u32 {
        let within = matches!(self.position, Position::Loop(_) | Position::Single(_));
        self.met.saturating_add(u32::from(within))
    }
}
