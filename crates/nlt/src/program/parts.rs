//! Encoding of the parts of a workload.

use super::stored::{Stored, stored, stored_as_text};
use crate::columns::{ColumnReader, ColumnWriter};
use numalab_base::Bytes;
use numalab_workload::{
    Access, Allocation, BindingText, Construct, Demand, Dependences, Exact, LockKind, Mode, PageKind, Phase,
    Pieces, Placement, Producers, Region, RegionId, RegionTeam, Schedule, Section, Slice, Sparse, Task,
    TaskAffinity, Tasking, Tree, Workload,
};
use std::sync::Arc;

stored!(Workload { name, description, parameters, regions, phases, rounds, compare, binding, runtime });
stored!(BindingText { places, proc_bind });
stored!(Region { name, size, placement, page });
stored!(Phase {
    name,
    construct,
    repeat,
    times,
    teams,
    tasking,
    measured,
    schedule,
    iterations,
    costs,
    accesses,
    instructions_per_byte,
    instructions,
    overlap,
    outstanding,
    flops,
    allocation,
} elsewhere { vsp, context, unit, once, presend, team, reduction, continues, section });
stored!(Section { construct, times, instructions });
stored!(RegionTeam { threads, binding } elsewhere { processors });
stored!(Access { region, slice, mode, demand });
stored!(Demand { outstanding, instructions_per_byte });
stored!(Allocation { bytes, mapped, released });
stored!(Tasking { producers, grain, tree, dependences, affinity } elsewhere { copied });
stored!(Task { first, count, wait, after });
stored!(TaskAffinity { region, offsets });
stored_as_text!(Schedule, Placement);

impl Stored for RegionId {
    fn put(&self, to: &mut ColumnWriter) {
        to.number(self.0 as u64);
    }

    fn get(from: &mut ColumnReader<'_>) -> Option<RegionId> {
        usize::try_from(from.number()?).ok().map(RegionId)
    }
}

impl Stored for Tree {
    fn put(&self, to: &mut ColumnWriter) {
        // `next` is stored with the copies of tasks (see `program::steps`).
        let Tree { tasks, children, roots, next: _ } = self;
        tasks.to_vec().put(to);
        children.put(to);
        roots.put(to);
    }

    fn get(from: &mut ColumnReader<'_>) -> Option<Tree> {
        let tasks = Vec::<Task>::get(from)?.into();
        let (children, roots) = (Stored::get(from)?, Stored::get(from)?);
        Some(Tree { tasks, children, roots, next: [].into() })
    }
}

impl Stored for Arc<Dependences> {
    fn put(&self, to: &mut ColumnWriter) {
        let Dependences { first, successors, predecessors } = &**self;
        for list in [first, successors, predecessors] {
            Arc::<[u32]>::from(&list[..]).put(to);
        }
    }

    fn get(from: &mut ColumnReader<'_>) -> Option<Arc<Dependences>> {
        let mut list = || Arc::<[u32]>::get(from).map(|list| list.to_vec());
        Some(Arc::new(Dependences { first: list()?, successors: list()?, predecessors: list()? }))
    }
}

impl Stored for Producers {
    fn put(&self, to: &mut ColumnWriter) {
        to.byte(match self {
            Producers::Parallel => 0,
            Producers::Single => 1,
        });
    }

    fn get(from: &mut ColumnReader<'_>) -> Option<Producers> {
        match from.byte()? {
            0 => Some(Producers::Parallel),
            1 => Some(Producers::Single),
            _ => None,
        }
    }
}

impl Stored for PageKind {
    fn put(&self, to: &mut ColumnWriter) {
        match self {
            PageKind::Base => to.byte(0),
            PageKind::Transparent => to.byte(1),
            PageKind::Fixed(bytes) => {
                to.byte(2);
                bytes.put(to);
            }
        }
    }

    fn get(from: &mut ColumnReader<'_>) -> Option<PageKind> {
        match from.byte()? {
            0 => Some(PageKind::Base),
            1 => Some(PageKind::Transparent),
            2 => Bytes::get(from).map(PageKind::Fixed),
            _ => None,
        }
    }
}

impl Stored for Mode {
    fn put(&self, to: &mut ColumnWriter) {
        let (number, node) = match self {
            Mode::Read => (0, None),
            Mode::Write => (1, None),
            Mode::StreamingWrite => (2, None),
            Mode::Update => (3, None),
            Mode::Fetch => (4, None),
            Mode::NextTouch => (5, None),
            Mode::Migrate(node) => (6, Some(node)),
            Mode::Replicate => (7, None),
        };
        to.byte(number);
        if let Some(node) = node {
            node.put(to);
        }
    }

    fn get(from: &mut ColumnReader<'_>) -> Option<Mode> {
        Some(match from.byte()? {
            0 => Mode::Read,
            1 => Mode::Write,
            2 => Mode::StreamingWrite,
            3 => Mode::Update,
            4 => Mode::Fetch,
            5 => Mode::NextTouch,
            6 => Mode::Migrate(u32::get(from)?),
            7 => Mode::Replicate,
            _ => return None,
        })
    }
}

impl Stored for Construct {
    fn put(&self, to: &mut ColumnWriter) {
        let number = match self {
            Construct::ParallelFor => 0,
            Construct::Parallel => 1,
            Construct::Reduction => 2,
            Construct::Serial => 3,
            Construct::For { .. } => 4,
            Construct::Barrier => 5,
            Construct::Single { nowait: false } => 6,
            Construct::Critical => 7,
            Construct::Lock(_) => 8,
            Construct::Atomic => 9,
            Construct::Ordered => 10,
            Construct::Update { .. } => 11,
            Construct::Pipeline { .. } => 12,
            Construct::Echo { .. } => 13,
            Construct::Single { nowait: true } => 14,
            Construct::Master => 15,
            Construct::Sections { .. } => 16,
        };
        to.byte(number);
        match self {
            Construct::For { nowait } | Construct::Sections { nowait } => nowait.put(to),
            Construct::Lock(kind) => kind.map(|kind| kind.name().to_owned()).put(to),
            Construct::Update { spacing, atomic } => {
                spacing.put(to);
                atomic.put(to);
            }
            Construct::Pipeline { steps, descending } => {
                steps.put(to);
                descending.put(to);
            }
            Construct::Echo { size, in_flight, count } => {
                size.put(to);
                in_flight.put(to);
                count.put(to);
            }
            Construct::ParallelFor
            | Construct::Parallel
            | Construct::Reduction
            | Construct::Serial
            | Construct::Barrier
            | Construct::Single { .. }
            | Construct::Master
            | Construct::Critical
            | Construct::Atomic
            | Construct::Ordered => {}
        }
    }

    fn get(from: &mut ColumnReader<'_>) -> Option<Construct> {
        Some(match from.byte()? {
            0 => Construct::ParallelFor,
            1 => Construct::Parallel,
            2 => Construct::Reduction,
            3 => Construct::Serial,
            4 => Construct::For { nowait: bool::get(from)? },
            5 => Construct::Barrier,
            6 => Construct::Single { nowait: false },
            7 => Construct::Critical,
            8 => Construct::Lock(match Option::<String>::get(from)? {
                Some(name) => Some(LockKind::from_name(&name)?),
                None => None,
            }),
            9 => Construct::Atomic,
            10 => Construct::Ordered,
            11 => Construct::Update { spacing: Bytes::get(from)?, atomic: bool::get(from)? },
            12 => Construct::Pipeline { steps: u32::get(from)?, descending: bool::get(from)? },
            13 => Construct::Echo {
                size: Bytes::get(from)?,
                in_flight: u32::get(from)?,
                count: u32::get(from)?,
            },
            14 => Construct::Single { nowait: true },
            15 => Construct::Master,
            16 => Construct::Sections { nowait: bool::get(from)? },
            _ => return None,
        })
    }
}

impl Stored for Slice {
    fn put(&self, to: &mut ColumnWriter) {
        match self {
            Slice::Partition(bounds) => {
                to.byte(0);
                bounds.put(to);
            }
            Slice::Explicit(pieces) => {
                to.byte(1);
                let lengths = pieces.slices().iter().map(|(start, length)| (*start, start + length));
                lengths.collect::<Arc<[(u64, u64)]>>().put(to);
            }
            Slice::Sparse(sparse) => {
                to.byte(2);
                sparse.put(to);
            }
            Slice::Whole(size) => {
                to.byte(3);
                size.put(to);
            }
            Slice::Partial(partial) => {
                to.byte(4);
                partial.iterations().iter().map(|at| u64::from(*at)).collect::<Arc<[u64]>>().put(to);
                partial.slice().put(to);
            }
        }
    }

    fn get(from: &mut ColumnReader<'_>) -> Option<Slice> {
        match from.byte()? {
            4 => {
                let iterations = Arc::<[u64]>::get(from)?;
                let touching = iterations.iter().map(|at| u32::try_from(*at).ok()).collect::<Option<_>>()?;
                let form = from.byte()?;
                Some(Slice::partial(u64::MAX, touching, of_all(form, from)?))
            }
            form => of_all(form, from),
        }
    }
}

/// Decodes a slice of all iterations. Partial slices are not nested.
fn of_all(form: u8, from: &mut ColumnReader<'_>) -> Option<Slice> {
    Some(match form {
        0 => Slice::Partition(Stored::get(from)?),
        1 => {
            let ranges = Arc::<[(u64, u64)]>::get(from)?;
            let slice = |(start, end): &(u64, u64)| Some((*start, end.checked_sub(*start)?));
            Slice::Explicit(Pieces::new(ranges.iter().map(slice).collect::<Option<_>>()?))
        }
        2 => Slice::Sparse(Sparse::get(from)?),
        3 => Slice::Whole(u64::get(from)?),
        _ => return None,
    })
}

impl Stored for Sparse {
    fn put(&self, to: &mut ColumnWriter) {
        self.windows().put(to);
        self.is_scattered().put(to);
        self.touched().collect::<Arc<[u64]>>().put(to);
        match self.exact() {
            Exact::Unknown => to.byte(0),
            Exact::Pieces(pieces) => {
                to.byte(1);
                pieces.put(to);
            }
            Exact::Drawn { element, counts, key } => {
                to.byte(2);
                element.put(to);
                counts.put(to);
                key.put(to);
            }
        }
    }

    fn get(from: &mut ColumnReader<'_>) -> Option<Sparse> {
        let windows = Arc::<[(u64, u64)]>::get(from)?;
        let drawn = bool::get(from)?;
        let touched = Arc::<[u64]>::get(from)?;
        touched.iter().try_fold(0u64, |sum, bytes| sum.checked_add(*bytes))?;
        let exact = match from.byte()? {
            0 => Exact::Unknown,
            1 => Exact::Pieces(Stored::get(from)?),
            2 => Exact::Drawn { element: u64::get(from)?, counts: Stored::get(from)?, key: u64::get(from)? },
            _ => return None,
        };
        Some(Sparse::new(windows, touched.iter().copied(), drawn).exactly(exact))
    }
}
