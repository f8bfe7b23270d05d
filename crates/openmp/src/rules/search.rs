//! Searches for a victim, step by step as a policy file states them.
//!
//! A search asks one thread after the other and costs one line for each. It ends after its stated tries and rounds, so
//! every thread leaves the loop.

use crate::steal::{Choice, MostLoaded, Nearest, Random};
use crate::{Exhausted, IterationSource, Proximity};
use numalab_base::{Span, ThreadId};
use numalab_des::{Domain, Stream, Streams};
use numalab_workload::policy::{Order, Reach, SearchStep, StealRule};
use std::ops::Range;

/// Present search of a thief.
#[derive(Clone, Default)]
struct Hunt {
    /// Number of the step.
    step: usize,
    /// Threads asked in this step.
    asked: u32,
    /// Number of the next candidate of this step, in its order.
    next: u64,
    rounds: u32,
    wait: Span,
    /// Last thread from which the thief took work.
    last: Option<ThreadId>,
    stream: Option<Stream>,
}

/// Searches of all threads.
pub(super) struct Search<'a> {
    rule: &'static StealRule,
    proximity: &'a dyn Proximity,
    streams: Streams,
    threads: u32,
    hunts: Vec<Hunt>,
    /// Threads of each domain, ascending.
    members: Vec<Vec<ThreadId>>,
    /// Domains by distance from a domain, made at the first search in that domain.
    nearest: Vec<Option<Box<[u32]>>>,
    /// Choices among threads with work, kept up to date only if a step uses them.
    random: Option<Random>,
    near: Option<Nearest<'a>>,
    most: Option<MostLoaded>,
}

/// True if a step asks threads with work in the whole machine in one of the orders that have a choice of their own.
fn has_choice(step: &SearchStep, order: Order) -> bool {
    step.loaded_only && step.within == Reach::Machine && step.order == order
}

impl<'a> Search<'a> {
    pub fn new(
        rule: &'static StealRule,
        left: &[Range<u64>],
        streams: &Streams,
        proximity: &'a dyn Proximity,
    ) -> Search<'a> {
        let threads = left.len() as u32;
        let mut members = vec![Vec::new(); proximity.domains() as usize];
        for thread in ThreadId::first(threads) {
            members[proximity.domain(thread) as usize].push(thread);
        }
        let uses = |order| rule.search.iter().any(|step| has_choice(step, order));
        let mut search = Search {
            rule,
            proximity,
            streams: *streams,
            threads,
            hunts: vec![Hunt { wait: rule.wait, ..Hunt::default() }; left.len()],
            nearest: vec![None; members.len()],
            members,
            random: uses(Order::Random).then(|| Random::new(streams)),
            near: uses(Order::Nearest).then(|| Nearest::new(proximity)),
            most: uses(Order::MostLoaded).then(MostLoaded::default),
        };
        search.each_choice(|choice| choice.start(left));
        search
    }

    fn each_choice(&mut self, mut act: impl FnMut(&mut dyn Choice)) {
        let Search { random, near, most, .. } = self;
        if let Some(random) = random {
            act(random);
        }
        if let Some(near) = near {
            act(near);
        }
        if let Some(most) = most {
            act(most);
        }
    }

    /// Reports that the range of a thread changed.
    pub fn changed(&mut self, thread: ThreadId, before: u64, now: u64) {
        self.each_choice(|choice| choice.changed(thread, before, now));
    }

    /// The next thread that a thief asks, or its wait, or the end of its search.
    pub fn next(&mut self, thief: ThreadId, left: &[Range<u64>]) -> Result<IterationSource, Exhausted> {
        let at = thief.index();
        loop {
            let Some(step) = self.rule.search.get(self.hunts[at].step).copied() else {
                match self.end_round(thief) {
                    Some(wait) if wait > Span::ZERO => return Ok(IterationSource::Wait(wait)),
                    Some(_) => continue,
                    None => return Err(self.exhausted()),
                }
            };
            let scans = step.order == Order::MostLoaded;
            let most = step.tries.unwrap_or(match (scans, step.loaded_only) {
                (true, false) => 1,
                // A thread with work has enough, unless others came first, and these made progress.
                (_, true) if self.rule.least == 1 => u32::MAX,
                (_, true) | (false, false) => self.threads,
            });
            let hunt = &mut self.hunts[at];
            let asks = hunt.asked < most && (step.loaded_only || hunt.asked + 1 < self.threads);
            let victim = if asks { self.candidate(thief, &step, left) } else { None };
            let hunt = &mut self.hunts[at];
            match victim {
                Some(victim) => {
                    hunt.asked += 1;
                    let looks_first = !step.loaded_only && !scans;
                    return Ok(IterationSource::Victim { thread: victim, after_scan: scans, looks_first });
                }
                None => {
                    let unpaid = scans && !step.loaded_only && hunt.asked == 0;
                    (hunt.step, hunt.asked, hunt.next) = (hunt.step + 1, 0, 0);
                    if unpaid {
                        return Ok(IterationSource::Scan);
                    }
                }
            }
        }
    }

    /// Ends a round without success: the wait before the next one, or `None` after the last.
    fn end_round(&mut self, thief: ThreadId) -> Option<Span> {
        let rule = self.rule;
        let hunt = &mut self.hunts[thief.index()];
        hunt.rounds += 1;
        if hunt.rounds >= rule.rounds {
            return None;
        }
        let wait = hunt.wait.min(rule.longest_wait);
        hunt.wait = Span(hunt.wait.0.saturating_mul(2)).min(rule.longest_wait);
        (hunt.step, hunt.asked, hunt.next) = (0, 0, 0);
        Some(wait)
    }

    /// Words that a thread read to find that it leaves the loop.
    fn exhausted(&self) -> Exhausted {
        match self.rule.search.last() {
            Some(step) if step.loaded_only && step.order == Order::MostLoaded => Exhausted::Scan,
            Some(step) if step.loaded_only => Exhausted::SharedCounter,
            // Every range was read on the way.
            Some(_) | None => Exhausted::Own,
        }
    }

    /// Ends the search of a thief that found work at a victim.
    pub fn found(&mut self, thief: ThreadId, victim: ThreadId) {
        let hunt = &mut self.hunts[thief.index()];
        let stream = hunt.stream.take();
        *hunt = Hunt { wait: self.rule.wait, last: Some(victim), stream, ..Hunt::default() };
    }

    /// Next thread of a step, in the step's order; `None` after the last one.
    fn candidate(&mut self, thief: ThreadId, step: &SearchStep, left: &[Range<u64>]) -> Option<ThreadId> {
        if step.loaded_only && step.within == Reach::Machine {
            let found = match step.order {
                Order::Random => self.random.as_mut().map(|random| random.victim(thief, left)),
                Order::Nearest => self.near.as_mut().map(|near| near.victim(thief, left)),
                Order::MostLoaded => self.most.as_mut().map(|most| most.victim(thief, left)),
                Order::Last | Order::Next => None,
            };
            if let Some(found) = found {
                return found;
            }
        }
        match step.order {
            Order::Last => {
                let first = self.hunts[thief.index()].last.unwrap_or(self.after(thief, 1));
                self.in_turn(thief, step, left, first)
            }
            Order::Next => self.in_turn(thief, step, left, self.after(thief, 1)),
            Order::Nearest => self.by_distance(thief, step, left),
            Order::Random => self.at_random(thief, step, left),
            Order::MostLoaded => self.most_loaded(thief, step, left),
        }
    }

    fn after(&self, thread: ThreadId, by: u64) -> ThreadId {
        let threads = u64::from(self.threads);
        ThreadId::new(((u64::from(thread.number()) + by) % threads) as u32)
    }

    fn suits(&self, thief: ThreadId, other: ThreadId, step: &SearchStep, left: &[Range<u64>]) -> bool {
        let (from, to) = (self.proximity.domain(thief), self.proximity.domain(other));
        let has_work = !step.loaded_only || !left[other.index()].is_empty();
        other != thief && has_work && self.proximity.reach(from, to) <= step.within
    }

    /// Next suitable thread in the order of numbers from `first` on.
    fn in_turn(
        &mut self,
        thief: ThreadId,
        step: &SearchStep,
        left: &[Range<u64>],
        first: ThreadId,
    ) -> Option<ThreadId> {
        let from = self.hunts[thief.index()].next;
        let found = (from..u64::from(self.threads))
            .find(|by| self.suits(thief, self.after(first, *by), step, left))?;
        self.hunts[thief.index()].next = found + 1;
        Some(self.after(first, found))
    }

    fn by_distance(&mut self, thief: ThreadId, step: &SearchStep, left: &[Range<u64>]) -> Option<ThreadId> {
        let home = self.proximity.domain(thief);
        let (proximity, domains) = (self.proximity, self.proximity.domains());
        let order = self.nearest[home as usize].get_or_insert_with(|| {
            let mut order: Vec<u32> = (0..domains).collect();
            order.sort_by_cached_key(|&domain| {
                (proximity.distance(home, domain), (domain + domains - home) % domains)
            });
            order.into()
        });
        let mut passed = 0;
        let from = self.hunts[thief.index()].next;
        let mut found = None;
        for domain in order.iter() {
            let members = &self.members[*domain as usize];
            let count = members.len() as u64;
            if passed + count > from {
                let above = members.partition_point(|member| *member <= thief) as u64;
                for by in from.saturating_sub(passed)..count {
                    let other = members[((above + by) % count) as usize];
                    let has_work = !step.loaded_only || !left[other.index()].is_empty();
                    if other != thief && has_work && proximity.reach(home, *domain) <= step.within {
                        found = Some((passed + by + 1, other));
                        break;
                    }
                }
            }
            if found.is_some() {
                break;
            }
            passed += count;
        }
        let (next, other) = found?;
        self.hunts[thief.index()].next = next;
        Some(other)
    }

    /// A thread within reach, all equally likely.
    fn at_random(&mut self, thief: ThreadId, step: &SearchStep, left: &[Range<u64>]) -> Option<ThreadId> {
        let home = self.proximity.domain(thief);
        let near = |domain: &u32| self.proximity.reach(home, *domain) <= step.within;
        // One draw among all needs no list.
        let all = step.within == Reach::Machine && !step.loaded_only;
        let domains = (0..if all { 0 } else { self.members.len() as u32 }).filter(near);
        let loaded: Vec<ThreadId> = domains
            .flat_map(|domain| &self.members[domain as usize])
            .copied()
            .filter(|other| self.suits(thief, *other, step, left))
            .collect();
        let count = if all { u64::from(self.threads).saturating_sub(1) } else { loaded.len() as u64 };
        let most = step.tries.map_or(count, u64::from);
        let (streams, own) = (self.streams, u64::from(thief.number()) + (1 << 32));
        let hunt = &mut self.hunts[thief.index()];
        if count == 0 || u64::from(hunt.asked) >= most {
            return None;
        }
        let stream = hunt.stream.get_or_insert_with(|| streams.stream(Domain::Steal, own));
        let drawn = stream.below(count);
        Some(if all { self.after(thief, drawn + 1) } else { loaded[drawn as usize] })
    }

    /// The thread with most units; of equal ones the one with the lowest number.
    fn most_loaded(&self, thief: ThreadId, step: &SearchStep, left: &[Range<u64>]) -> Option<ThreadId> {
        let units = |thread: &ThreadId| left[thread.index()].end - left[thread.index()].start;
        ThreadId::first(self.threads)
            .filter(|other| self.suits(thief, *other, step, left) && units(other) >= self.rule.least)
            .min_by_key(|other| (std::cmp::Reverse(units(other)), *other))
    }
}
