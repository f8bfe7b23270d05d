//! From what each member of a team did to the constructs of a region.

use super::instance::{Instance, Key, Sample};
use super::packed::{Chunks, Parts};
use super::{Form, Recorded};
use crate::events::ompt::{invoker, work};
use std::collections::BTreeMap;

/// Bodies on average shorter than that, and together less than this part of their region, are the runtime's own.
const SHORT_BODY_NS: u64 = 10_000;
/// Bodies on average shorter than that in any case.
const TINY_BODY_NS: u64 = 2_000;
const SMALL_PART: f64 = 0.05;
/// Chunks that nobody saw one by one, and that are told apart all the same.
const MOST_DEALT: u64 = 1 << 20;
/// Most chunks of a loop.
const MOST_SEEN: usize = 1 << 20;
/// Single constructs shorter than that.
const SHORT_SINGLE_NS: u64 = 2_000;

/// Piece of what a member of a team did.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// Outside of worksharing.
    Body(Sample),
    /// Its part of a loop.
    Loop { code: u64, work: u8, iterations: u64, chunks: Chunks, before_ns: u64 },
    /// A single construct, which one member executes.
    Single { code: u64, sample: Option<Sample> },
    /// A barrier.
    Barrier,
}

/// A chunk that a member took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Taken {
    /// Value of the loop variable.
    pub first: u64,
    /// Instant at which it was taken.
    pub at: u64,
    /// Its cost.
    pub sample: Sample,
}

impl Part {
    pub(super) fn new_loop(code: u64, work: u8, iterations: u64) -> Part {
        Part::Loop { code, work, iterations, chunks: Chunks::default(), before_ns: 0 }
    }

    pub(super) fn is_construct(&self) -> bool {
        matches!(self, Part::Loop { .. } | Part::Single { .. })
    }

    fn code(&self) -> Option<u64> {
        match self {
            Part::Loop { code, .. } | Part::Single { code, .. } => Some(*code),
            Part::Body(_) | Part::Barrier => None,
        }
    }

    fn code_mut(&mut self) -> Option<&mut u64> {
        match self {
            Part::Loop { code, .. } | Part::Single { code, .. } => Some(code),
            Part::Body(_) | Part::Barrier => None,
        }
    }
}

/// An instance of a region.
#[derive(Debug, Default)]
pub(super) struct Region {
    pub site: u64,
    pub invoker: u8,
    pub team: u32,
    pub nested: bool,
    pub locked_ns: u64,
    /// Parts of what its members did.
    pub parts: Parts,
}

/// Parts of a region: what members do before the first construct, then each construct and what follows it.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    /// Instances after so many constructs: bodies, and the construct that comes then.
    pub instances: Vec<(u32, Instance)>,
    /// Time that is in none.
    pub left_out_ns: u64,
}

impl Region {
    /// The constructs, in the order of the member that met most of them. `created` says how many tasks were created after
    /// how many constructs.
    pub(super) fn pieces(&self, created: &dyn Fn(u32) -> u64) -> Pieces {
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
                self.construct(slot as u32, &parts, created, &mut pieces);
            }
            let samples: Vec<Sample> = lined_up.iter().map(|lined| lined.bodies[slot]).collect();
            self.body(slot as u32, samples, keys.is_empty(), total, created, &mut pieces);
        }
        pieces
    }

    /// Parts of each member, with the address of every construct. Of gcc's combined loops the runtime tells it of the first
    /// member alone; all members meet constructs in the same order, so that the others have theirs from there.
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
        created: &dyn Fn(u32) -> u64,
        pieces: &mut Pieces,
    ) {
        let sum: u64 = samples.iter().map(|sample| sample.ns).fold(0, u64::saturating_add);
        let members = samples.len() as u64;
        let small = (sum as f64) < SMALL_PART * total as f64;
        let short = sum < TINY_BODY_NS * members || (sum < SHORT_BODY_NS * members && small);
        if sum == 0 || (short && !alone) || creates_only(sum, created(slot)) {
            pieces.left_out_ns += sum;
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
        created: &dyn Fn(u32) -> u64,
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
                    pieces.left_out_ns += sample.ns;
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
                if instance.key.iterations > 0 {
                    pieces.instances.push((slot, instance));
                }
            }
            Some(Part::Body(_) | Part::Barrier) | None => {}
        }
    }

    fn shared_loop(&self, code: u64, work: u8, iterations: u64, parts: &[(usize, &Part)]) -> Instance {
        // Chunks and what a member without any took, by member.
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
        // The last chunk is what was left.
        let last = taken.iter().max_by_key(|taken| taken.at).map(|taken| taken.at);
        let others = taken.iter().filter(|taken| taken.at != last.unwrap_or(0) || taken.sample.count == most);
        let least = others.map(|taken| taken.sample.count).min().unwrap_or(most);
        let fixed = matches!(work, work::STATIC | work::LOOP);
        let team = u64::from(self.team.max(1));
        let (samples, filled, schedule) = if work == work::SECTIONS {
            // Sections have no numbers: they are in the order in which they were taken.
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

impl Part {
    fn ns(&self) -> u64 {
        match self {
            Part::Body(sample) => sample.ns,
            Part::Loop { chunks, before_ns, .. } => {
                chunks.iter().map(|taken| taken.sample.ns).fold(*before_ns, u64::saturating_add)
            }
            Part::Single { sample, .. } => sample.map_or(0, |sample| sample.ns),
            Part::Barrier => 0,
        }
    }
}

/// Whether a time is what creating so many tasks takes: the target's runtime has its own cost of that.
fn creates_only(ns: u64, tasks: u64) -> bool {
    const CREATION_NS: u64 = 5_000;
    tasks > 0 && ns / tasks < CREATION_NS
}

/// The constructs of a member: address, and how often it was met before.
fn keys(parts: &[Part]) -> Vec<(u64, usize)> {
    let mut met: BTreeMap<u64, usize> = BTreeMap::new();
    let codes = parts.iter().filter_map(Part::code);
    codes
        .map(|code| {
            let times = met.entry(code).or_default();
            *times += 1;
            (code, *times - 1)
        })
        .collect()
}

/// A member's parts beside the others'.
struct Lined<'p> {
    constructs: Vec<Option<&'p Part>>,
    /// Before the first construct, and after each.
    bodies: Vec<Sample>,
}

impl<'p> Lined<'p> {
    fn of(parts: &'p [Part], keys: &[(u64, usize)]) -> Lined<'p> {
        let places: BTreeMap<(u64, usize), usize> =
            keys.iter().enumerate().map(|(at, key)| (*key, at)).collect();
        let empty = Sample { count: 1, ..Sample::default() };
        let mut lined = Lined { constructs: vec![None; keys.len()], bodies: vec![empty; keys.len() + 1] };
        let mut met: BTreeMap<u64, usize> = BTreeMap::new();
        let mut slot = 0;
        for part in parts {
            match part {
                Part::Body(sample) => {
                    let body = &mut lined.bodies[slot];
                    body.ns = body.ns.saturating_add(sample.ns);
                    body.disturbed |= sample.disturbed;
                    if body.touched == 0 {
                        body.touched = sample.touched;
                    }
                }
                Part::Loop { code, .. } | Part::Single { code, .. } => {
                    let times = met.entry(*code).or_default();
                    if let Some(at) = places.get(&(*code, *times)) {
                        lined.constructs[*at] = Some(part);
                        slot = at + 1;
                    }
                    *times += 1;
                }
                Part::Barrier => {}
            }
        }
        lined
    }
}

/// Chunks in the order of iterations. The loop variable may fall: then what was taken first has the highest value.
fn in_order(mut taken: Vec<Taken>) -> Vec<Sample> {
    taken.sort_by_key(|taken| taken.first as i64);
    let first = taken.iter().min_by_key(|taken| taken.at).map(|taken| taken.first);
    if taken.len() > 1 && taken.last().map(|taken| taken.first) == first {
        taken.reverse();
    }
    taken.iter().map(|taken| taken.sample).collect()
}

/// Neighbouring chunks as one where there are very many: a replay tells no more of them apart.
fn gathered(samples: Vec<Sample>) -> Vec<Sample> {
    if samples.len() <= MOST_SEEN {
        return samples;
    }
    let one = |chunks: &[Sample]| Sample {
        count: chunks.iter().map(|sample| sample.count).fold(0, u64::saturating_add),
        ns: chunks.iter().map(|sample| sample.ns).fold(0, u64::saturating_add),
        disturbed: chunks.iter().any(|sample| sample.disturbed),
        touched: 0,
    };
    samples.chunks(samples.len().div_ceil(MOST_SEEN)).map(one).collect()
}

/// One block for each member, as `schedule(static)` deals them: the first ones have one iteration more where they do not
/// divide evenly.
fn blocks(iterations: u64, team: u64, members: &[(u64, u64)]) -> Vec<Sample> {
    let (share, more) = (iterations / team, iterations % team);
    let each = members.iter().map(|(member, ns)| {
        let count = share + u64::from(*member < more);
        Sample { count, ns: *ns, ..Sample::default() }
    });
    each.filter(|sample| sample.count > 0).collect()
}

/// All chunks of `schedule(static,c)`, of which only the first of each member was seen: in turn, with the member's time in
/// proportion to their iterations.
fn dealt(iterations: u64, team: u64, chunk: u64, seen: &[Taken]) -> Vec<Sample> {
    // The first chunks lie side by side, in the order of members.
    let firsts = in_order(seen.to_vec());
    let chunks = iterations.div_ceil(chunk);
    if chunks > MOST_DEALT {
        // So small that their costs differ by chance.
        let ns = firsts.iter().map(|sample| sample.ns).fold(0, u64::saturating_add);
        let disturbed = firsts.iter().any(|sample| sample.disturbed);
        return vec![Sample { count: iterations, ns, disturbed, touched: 0 }];
    }
    let count = |number: u64| chunk.min(iterations - number * chunk);
    let mut totals = vec![0u64; firsts.len()];
    for number in 0..chunks {
        if let Some(total) = totals.get_mut((number % team) as usize) {
            *total += count(number);
        }
    }
    (0..chunks)
        .map(|number| {
            let member = (number % team) as usize;
            let (sample, total) =
                (firsts.get(member).copied().unwrap_or_default(), totals.get(member).copied().unwrap_or(0));
            let ns = sample.ns as f64 * count(number) as f64 / total.max(1) as f64;
            Sample { count: count(number), ns: ns.round() as u64, disturbed: sample.disturbed, touched: 0 }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(first: u64, count: u64, at: u64, ns: u64) -> Taken {
        Taken { first, at, sample: Sample { count, ns, ..Sample::default() } }
    }

    // schedule(static,4) over 18 iterations by 2: the first has 0-3, 8-11, 16-17 (10 iterations, 100 ns), the second 4-7
    // and 12-15 (8 iterations, 40 ns): 40, 20, 40, 20, and 2 of 10 iterations: 20.
    #[test]
    fn chunks_that_were_not_seen_are_dealt() {
        let samples = dealt(18, 2, 4, &[taken(0, 4, 0, 100), taken(4, 4, 9, 40)]);
        let pairs: Vec<(u64, u64)> = samples.iter().map(|sample| (sample.count, sample.ns)).collect();
        assert_eq!(pairs, [(4, 40), (4, 20), (4, 40), (4, 20), (2, 20)]);
    }

    // Two members of a loop over 30 iterations by 10: the first, which has the address, took the second chunk.
    #[test]
    fn members_whose_constructs_have_no_address_share_the_loop_of_the_others() {
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
            let pieces = region.pieces(&|_| 0);
            let [(_, instance)] = &pieces.instances[..] else { panic!("{pieces:?}") };
            assert_eq!((instance.key.site, instance.key.iterations), (7, 30));
            let costs: Vec<u64> = instance.samples.iter().map(|sample| sample.ns).collect();
            assert_eq!(costs, [10, 20, 30]);
        }
    }

    #[test]
    fn very_many_chunks_are_gathered_and_none_is_lost() {
        let all: Vec<Sample> =
            (0..3_000_000).map(|ns| Sample { count: 2, ns: ns % 7, ..Sample::default() }).collect();
        let ns: u64 = all.iter().map(|sample| sample.ns).sum();
        let few = gathered(all);
        assert_eq!(few.len(), 1_000_000);
        assert!(few.iter().all(|sample| sample.count == 6));
        assert_eq!(few.iter().map(|sample| sample.ns).sum::<u64>(), ns);
    }

    #[test]
    fn a_loop_may_count_downwards() {
        let samples = in_order(vec![taken(7, 3, 5, 70), taken(10, 3, 1, 100), taken(4, 3, 9, 40)]);
        assert_eq!(samples.iter().map(|sample| sample.ns).collect::<Vec<_>>(), [100, 70, 40]);
        // -2 is less than 1.
        let samples = in_order(vec![taken(1, 3, 5, 10), taken(-2i64 as u64, 3, 1, 20)]);
        assert_eq!(samples.iter().map(|sample| sample.ns).collect::<Vec<_>>(), [20, 10]);
    }

    // 10 iterations by 4: 3, 3, 2, 2.
    #[test]
    fn blocks_are_those_of_the_standard() {
        let members: Vec<(u64, u64)> = (0..4).map(|member| (member, 5)).collect();
        assert_eq!(
            blocks(10, 4, &members).iter().map(|sample| sample.count).collect::<Vec<_>>(),
            [3, 3, 2, 2]
        );
    }
}
