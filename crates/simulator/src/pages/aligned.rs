//! Training of the schedule `align`: measurements in the training rounds, and the limits that result from them.
//!
//! Loops with equal numbers of iterations share one map from iterations to threads, as loops of a program that name
//! one map do. A map is trained twice, under `static` and then under the first limits, each time in two rounds. In
//! the first round every page that a thread writes faults once more, which shows the iteration that begins the page;
//! pages also migrate to their users. Faults distort times, so times are taken in the second round. Limits follow
//! from both rounds.

use crate::engine::setup::Setup;
use numalab_base::{Snapshot, Time};
use numalab_openmp::{Cuts, align, even_cuts};
use numalab_workload::{Access, Mode, Phase, RegionId, Schedule};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// Number of training rounds of the schedule `align`. Pages are marked in every other round; times are taken in the
/// others.
const ROUNDS: u32 = 4;

/// Training of the schedule `align` for all loops with the same number of iterations.
#[derive(Clone, Debug, Default)]
struct Map {
    rounds: u32,
    /// Loops executed in the present round of training, as indices of phases.
    executed: BTreeSet<usize>,
    /// Picoseconds that each thread spent in the loops of the present round; empty in rounds that mark pages.
    times: Vec<u64>,
    limits: Option<Arc<[u64]>>,
}

/// State of the schedule `align`: measurements and limits learned in training rounds, by number of iterations (loops
/// with equal numbers share one map).
#[derive(Clone, Debug, Default)]
pub(crate) struct Aligned {
    maps: BTreeMap<u64, Map>,
    /// Loop whose times are being taken: its number of iterations and the instant of its start.
    training: Option<(u64, Time)>,
}

impl Aligned {
    /// Begins a loop under `align`. `number`: index of the loop's phase; `page`: bytes of a page. Returns true if the
    /// pages that the loop writes are marked, so that writes fault.
    pub fn begin(&mut self, setup: &Setup<'_>, number: usize, page: u64, now: Time) -> bool {
        self.training = None;
        let phases = &setup.workload.phases;
        let phase = &phases[number];
        // On a single node no page is shared. Loops that are split by the costs of iterations are not trained.
        let nodes = setup.machine.levels.first().map_or(1, |level| setup.fabric.nodes() / level.count).max(1);
        let first = setup.team.members.first().map(|member| member.node.0 / nodes);
        let alone = setup.team.members.iter().all(|member| Some(member.node.0 / nodes) == first);
        if alone || phase.costs.is_some() {
            return false;
        }
        let threads = setup.team.members.len();
        let map = self.maps.entry(phase.iterations).or_default();
        if map.rounds < ROUNDS && map.executed.contains(&number) {
            map.rounds += 1;
            if map.rounds.is_multiple_of(2) {
                let loops: Vec<&Phase> = map.executed.iter().map(|number| &phases[*number]).collect();
                let limits = learned(&loops, page, map.limits.as_deref(), &map.times);
                map.limits = limits.map(Arc::from);
                // Without limits `align` equals `static`, so the training ends.
                map.rounds = if map.limits.is_some() { map.rounds } else { ROUNDS };
            }
            map.executed.clear();
            map.times.clear();
        }
        if map.rounds == ROUNDS {
            return false;
        }
        map.executed.insert(number);
        let marks = map.rounds.is_multiple_of(2);
        if !marks {
            map.times.resize(threads, 0);
            self.training = Some((phase.iterations, now));
        }
        marks
    }

    /// Called for a construct that `align` does not train. Returns false: the construct's pages are not marked.
    pub fn pass(&mut self) -> bool {
        self.training = None;
        false
    }

    /// Adds the time of a thread that has finished its share of a trained loop.
    pub fn end(&mut self, thread: u32, now: Time) {
        let Some((iterations, began)) = self.training else { return };
        let time = self.maps.get_mut(&iterations).and_then(|map| map.times.get_mut(thread as usize));
        if let Some(time) = time {
            *time += (now - began).0;
        }
    }

    /// First iteration of each thread, and the end of the last range. `None` if no limits are learned yet, if the
    /// loop is split by the costs of iterations, or if `policy` is not `align`.
    pub fn limits(&self, phase: &Phase, policy: Schedule) -> Option<Arc<[u64]>> {
        match policy == Schedule::Align && phase.costs.is_none() {
            true => self.maps.get(&phase.iterations)?.limits.clone(),
            false => None,
        }
    }

    /// Adds the state that decides later limits to a snapshot.
    pub fn snapshot(&self, into: &mut Snapshot) {
        let Aligned { maps, training: _ } = self;
        for (iterations, Map { rounds, executed, times, limits }) in maps {
            into.add(&(iterations, rounds, executed, times, limits));
        }
    }
}

/// Limits after two rounds, chosen among the iterations at which written pages of `page` bytes begin. `before`:
/// limits in these rounds; `None` for equal parts. `times`: picoseconds of each thread in the second round.
fn learned(loops: &[&Phase], page: u64, before: Option<&[u64]>, times: &[u64]) -> Option<Vec<u64>> {
    let iterations = loops.first()?.iterations;
    // A region that several loops write has the same pages in all of them.
    let mut regions: BTreeSet<RegionId> = BTreeSet::new();
    let accesses = loops.iter().flat_map(|phase| &phase.accesses);
    let written: Vec<_> = accesses
        .filter(|access| access.mode.is_data() && access.mode != Mode::Read)
        .filter(|access| regions.insert(access.region))
        .collect();
    let bytes = |access: &Access, iteration: u64| {
        let piece = access.slice.piece(iteration, iteration + 1)?;
        (piece.touched > 0 && piece.touched == piece.end - piece.start).then_some(piece.start..piece.end)
    };
    let begins_page = |iteration: &u64| {
        let begins = |bytes: Range<u64>| bytes.start.next_multiple_of(page) < bytes.end;
        written.iter().any(|access| bytes(access, *iteration).is_some_and(begins))
    };
    let candidates: Vec<u64> = (0..iterations).filter(begins_page).collect();
    let shared = |cut: u64| {
        let both = |access: &&&Access| {
            let (Some(left), Some(right)) =
                (bytes(access, cut.saturating_sub(1)), bytes(access, cut.min(iterations - 1)))
            else {
                return false;
            };
            cut > 0 && cut < iterations && (left.end - 1) / page == right.start / page
        };
        written.iter().filter(both).count() as u64
    };
    let begins = before.map_or_else(|| even_cuts(iterations, times.len() as u32), <[u64]>::to_vec);
    align(&Cuts { iterations, candidates: &candidates, shared: &shared }, &begins, times)
}
