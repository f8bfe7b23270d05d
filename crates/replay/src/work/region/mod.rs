//! Derives the constructs of a region from the parts of each team member.

mod chunks;
mod lined;
mod part;

pub(in crate::work) use part::{Part, Taken};

use super::instance::{Instance, Key, Sample};
use super::packed::Parts;
use super::{Form, Recorded};
use chunks::{blocks, dealt, gathered, in_order};
use lined::{Lined, keys};
use numalab_nlt::RecorderCosts;
use numalab_nlt::ompt::{invoker, work};

/// Mean time in nanoseconds below which bodies belong to the runtime, if their total is also below `SMALL_PART` of
/// the region.
const SHORT_BODY_NS: u64 = 10_000;
/// Mean time in nanoseconds below which bodies always belong to the runtime.
const TINY_BODY_NS: u64 = 2_000;
const SMALL_PART: f64 = 0.05;
/// Time in nanoseconds below which single constructs are left out.
const SHORT_SINGLE_NS: u64 = 2_000;

/// One execution of a parallel region by its team.
#[derive(Debug, Default)]
pub(in crate::work) struct Region {
    pub site: u64,
    pub invoker: u8,
    pub team: u32,
    pub nested: bool,
    pub locked_ns: u64,
    /// True if a member waited for the ordered part of an iteration.
    pub ordered: bool,
    pub parts: Parts,
}

/// Instances of classes of work that a region's execution consists of: the part before the first construct, then each
/// construct and the part after it.
#[derive(Debug, Default)]
pub(in crate::work) struct Pieces {
    /// Instances with the number of constructs before each.
    pub instances: Vec<(u32, Instance)>,
    /// Time that belongs to no instance, in nanoseconds.
    pub left_out_ns: u64,
}

impl Region {
    /// Divides the region into instances, in the order of the member that executed most constructs. `created` gives
    /// the number of tasks created after a number of constructs.
    pub(in crate::work) fn pieces(&self, created: &dyn Fn(u32) -> u64, costs: &RecorderCosts) -> Pieces {
        let constructs = |parts: &[Part]| parts.iter().filter(|part| part.is_construct()).count();
        let members = self.with_codes();
        let Some(longest) = members.iter().max_by_key(|parts| constructs(parts)) else {
            return Pieces::default();
        };
        let keys = keys(longest);
        let lined_up: Vec<Lined> = members.iter().map(|parts| Lined::of(parts, &keys)).collect();
        let total: u64 =
            members.iter().flat_map(|parts| parts.iter()).map(Part::ns).fold(0, u64::saturating_add);
        let mut pieces = Pieces::default();
        for slot in 0..=keys.len() {
            if slot > 0 {
                let parts: Vec<(usize, &Part)> = lined_up
                    .iter()
                    .enumerate()
                    .filter_map(|(member, lined)| Some((member, lined.constructs[slot - 1]?)))
                    .collect();
                self.construct(slot as u32, &parts, (created, costs), &mut pieces);
            }
            let samples: Vec<Sample> = lined_up.iter().map(|lined| lined.bodies[slot]).collect();
            self.body(slot as u32, samples, keys.is_empty(), total, (created, costs), &mut pieces);
        }
        pieces
    }

    /// Parts of each member, with the address of every construct. For combined loops of gcc the runtime reports the
    /// address for the first member only. All members execute the same constructs in the same order, so the address
    /// holds for all of them.
    fn with_codes(&self) -> Vec<Vec<Part>> {
        let mut members = self.parts.by_member();
        let unknown = |parts: &Vec<Part>| parts.iter().any(|part| part.code() == Some(0));
        if !members.iter().any(unknown) {
            return members;
        }
        let mut known: Vec<u64> = Vec::new();
        for parts in &members {
            for (at, code) in parts.iter().filter_map(Part::code).enumerate() {
                if at == known.len() {
                    known.push(0);
                }
                if known[at] == 0 {
                    known[at] = code;
                }
            }
        }
        for parts in &mut members {
            let codes = parts.iter_mut().filter_map(Part::code_mut);
            for (code, known) in codes.zip(&known).filter(|(code, _)| **code == 0) {
                *code = if *known == 0 { self.site } else { *known };
            }
        }
        members
    }

    fn body(
        &self,
        slot: u32,
        samples: Vec<Sample>,
        alone: bool,
        total: u64,
        (created, costs): (&dyn Fn(u32) -> u64, &RecorderCosts),
        pieces: &mut Pieces,
    ) {
        let all: u64 = samples.iter().map(|sample| sample.ns).fold(0, u64::saturating_add);
        let members = samples.len() as u64;
        let sum = all.saturating_sub(members.saturating_mul(costs.body_ns));
        let small = (sum as f64) < SMALL_PART * total as f64;
        let short = sum < TINY_BODY_NS * members || (sum < SHORT_BODY_NS * members && small);
        if sum == 0 || (short && !alone) || creates_only(sum, created(slot)) {
            pieces.left_out_ns += sum.saturating_sub(created(slot).saturating_mul(costs.create_ns));
            return;
        }
        let inline = self.invoker == invoker::PROGRAM;
        let (form, schedule) =
            if inline { (Form::Loop, Recorded::Inline) } else { (Form::Body, Recorded::None) };
        let key = Key { site: self.site, form, iterations: members, team: self.team, schedule, after: 0 };
        let mut instance = Instance::new(key, samples);
        instance.locked_ns = if alone { self.locked_ns } else { 0 };
        pieces.instances.push((slot, instance));
    }

    fn construct(
        &self,
        slot: u32,
        parts: &[(usize, &Part)],
        (created, costs): (&dyn Fn(u32) -> u64, &RecorderCosts),
        pieces: &mut Pieces,
    ) {
        match parts.first().map(|part| part.1) {
            Some(Part::Single { code, .. }) => {
                let done = parts.iter().find_map(|(_, part)| match part {
                    Part::Single { sample, .. } => *sample,
                    Part::Body(_) | Part::Loop { .. } | Part::Barrier => None,
                });
                let Some(sample) = done else { return };
                if sample.ns < SHORT_SINGLE_NS || creates_only(sample.ns, created(slot)) {
                    let own =
                        created(slot).saturating_mul(costs.create_ns).saturating_add(costs.static_chunk_ns);
                    pieces.left_out_ns += sample.ns.saturating_sub(own);
                    return;
                }
                let schedule = Recorded::None;
                let (form, team) = (Form::Single, self.team);
                let key = Key { site: *code, form, iterations: 1, team, schedule, after: 0 };
                pieces.instances.push((slot, Instance::new(key, vec![sample])));
            }
            Some(Part::Loop { code, work, iterations, .. }) => {
                let mut instance = self.shared_loop(*code, *work, *iterations, parts);
                instance.locked_ns = self.locked_ns;
                instance.ordered = self.ordered;
                if instance.key.iterations > 0 {
                    pieces.instances.push((slot, instance));
                }
            }
            Some(Part::Body(_) | Part::Barrier) | None => {}
        }
    }

    fn shared_loop(&self, code: u64, work: u8, iterations: u64, parts: &[(usize, &Part)]) -> Instance {
        // Chunks, and the times of members without any.
        let mut taken: Vec<Taken> = Vec::new();
        let (mut most_each, mut unseen) = (0, Vec::new());
        for (member, part) in parts {
            let Part::Loop { chunks, before_ns, .. } = part else { continue };
            most_each = most_each.max(chunks.len());
            taken.extend(chunks.iter());
            if chunks.len() == 0 {
                unseen.push((*member as u64, *before_ns));
            }
        }
        let seen: u64 = taken.iter().map(|taken| taken.sample.count).fold(0, u64::saturating_add);
        let most = taken.iter().map(|taken| taken.sample.count).max().unwrap_or(0);
        // The chunk taken last has the remaining iterations, so a smaller size of this chunk does not count.
        let last = taken.iter().max_by_key(|taken| taken.at).map(|taken| taken.at);
        let others = taken.iter().filter(|taken| taken.at != last.unwrap_or(0) || taken.sample.count == most);
        let least = others.map(|taken| taken.sample.count).min().unwrap_or(most);
        let fixed = matches!(work, work::STATIC | work::LOOP);
        let team = u64::from(self.team.max(1));
        let (samples, filled, schedule) = if work == work::SECTIONS {
            // Sections have no numbers: they keep the order in which they were taken.
            taken.sort_by_key(|taken| taken.at);
            (taken.iter().map(|taken| taken.sample).collect::<Vec<_>>(), false, Recorded::Dynamic(1))
        } else if taken.is_empty() && fixed {
            (blocks(iterations, team, &unseen), true, Recorded::Static)
        } else if fixed && seen < iterations && most_each <= 1 && most > 0 {
            (dealt(iterations, team, most, &taken), true, Recorded::StaticChunk(most))
        } else {
            let schedule = match work {
                work::STATIC if most_each <= 1 => Recorded::Static,
                work::STATIC => Recorded::StaticChunk(most),
                work::DYNAMIC => Recorded::Dynamic(most),
                work::GUIDED => Recorded::Guided(least),
                _ => Recorded::Other,
            };
            (gathered(in_order(taken)), false, schedule)
        };
        let iterations = samples.iter().map(|sample| sample.count).fold(0, u64::saturating_add);
        let key = Key { site: code, form: Form::Loop, iterations, team: self.team, schedule, after: 0 };
        Instance { filled, ..Instance::new(key, samples) }
    }
}

/// True if `ns` is so short that it is only the time of creating `tasks` tasks, for which the target's runtime has a
/// cost of its own.
fn creates_only(ns: u64, tasks: u64) -> bool {
    const CREATION_NS: u64 = 5_000;
    tasks > 0 && ns / tasks < CREATION_NS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(first: u64, count: u64, at: u64, ns: u64) -> Taken {
        Taken { first, at, sample: Sample { count, ns, ..Sample::default() } }
    }

    // Two members of a loop over 30 iterations by 10: the first, which has the address, took the second
    // chunk.
    #[test]
    fn members_without_address_share_the_loop() {
        let part = |code: u64, chunks: Vec<Taken>| Part::Loop {
            code,
            work: work::DYNAMIC,
            iterations: 30,
            chunks: chunks.into_iter().collect(),
            before_ns: 0,
        };
        for codes in [[7, 0], [0, 7], [0, 0]] {
            let first = part(codes[0], vec![taken(10, 10, 2, 20)]);
            let second = part(codes[1], vec![taken(0, 10, 1, 10), taken(20, 10, 3, 30)]);
            let mut region = Region { site: 7, team: 2, ..Region::default() };
            region.parts.push(0, first);
            region.parts.push(1, second);
            let pieces = region.pieces(&|_| 0, &RecorderCosts::default());
            let [(_, instance)] = &pieces.instances[..] else { panic!("{pieces:?}") };
            assert_eq!((instance.key.site, instance.key.iterations), (7, 30));
            let costs: Vec<u64> = instance.samples.iter().map(|sample| sample.ns).collect();
            assert_eq!(costs, [10, 20, 30]);
        }
    }
}
