//! Idle processors that look for threads: when they look, and which thread they find.

use super::Balancer;
use super::domains::Level;
use super::queue::RunQueue;
use numalab_base::Time;
use std::cmp::Reverse;
use std::ops::Range;

impl Balancer {
    /// Movable thread for a processor that has just become idle, from a queue with several threads. `None` if there
    /// is no such thread, if the processor is not idle, or if its mean idle time is below the cost of a move.
    pub fn at_once(&self, place: usize, movable: impl Fn(u32) -> bool) -> Option<u32> {
        let queue = &self.queues[place];
        if !queue.awake.is_empty() || queue.mean_idle < self.cost {
            return None;
        }
        self.domains.levels.iter().find_map(|level| self.find(level, place, &movable))
    }

    /// True if idle processors search for threads at this instant.
    pub fn look_is_due(&self, now: Time) -> bool {
        self.look.is_some_and(|look| look <= now)
    }

    /// Movable thread for an idle processor whose interval is due, with the processor's index. `None` once all
    /// processors that are due have searched.
    pub fn look(&mut self, now: Time, movable: impl Fn(u32) -> bool) -> Option<(u32, usize)> {
        for (level, offset) in self.domains.levels.iter().zip(&self.offsets) {
            for domain in level.domains.all().filter(|domain| self.is_time(domain, *offset, now)) {
                let found = domain
                    .filter(|place| self.queues[*place].awake.is_empty())
                    .find_map(|place| Some((self.find(level, place, &movable)?, place)));
                if found.is_some() {
                    return found;
                }
            }
        }
        self.rearm(now);
        None
    }

    /// Movable thread from another group of the processor's domain: from the busiest group among those that have more
    /// threads than processors. In this group, the longest queue that holds a movable thread gives the one that came
    /// last. Queues with one thread give none.
    fn find(&self, level: &Level, place: usize, movable: &impl Fn(u32) -> bool) -> Option<u32> {
        if self.crowded == 0 {
            return None;
        }
        let domain = level.domains.around(place);
        let threads = |group: &Range<usize>| -> usize {
            self.queues[group.clone()].iter().map(|queue| queue.awake.len()).sum()
        };
        let others = level.groups.inside(domain).filter(|group| !group.contains(&place));
        let overloaded =
            others.map(|group| (threads(&group), group)).filter(|(all, group)| *all > group.len());
        // Compares threads per processor without dividing; the first of equals wins.
        let busiest = overloaded
            .reduce(|most, next| if next.0 * most.1.len() > most.0 * next.1.len() { next } else { most });
        let (_, group) = busiest?;
        let mut queues: Vec<&RunQueue> =
            self.queues[group].iter().filter(|queue| queue.awake.len() > 1).collect();
        queues.sort_by_key(|queue| Reverse(queue.awake.len()));
        queues.iter().find_map(|queue| queue.awake.iter().rev().copied().find(|thread| movable(*thread)))
    }

    /// True if an interval of a domain ends now.
    fn is_time(&self, domain: &Range<usize>, offset: u64, now: Time) -> bool {
        let (interval, now) = (self.interval.0.saturating_mul(domain.len() as u64), now + self.passed);
        now.0 >= offset && (now.0 - offset).is_multiple_of(interval)
    }

    /// Computes the next instant at which a periodic search would find a thread, if every thread can be moved.
    pub(super) fn rearm(&mut self, now: Time) {
        let before = self.look.take();
        if self.crowded == 0 || self.idle == 0 {
            return;
        }
        for (level, offset) in self.domains.levels.iter().zip(&self.offsets) {
            for domain in level.domains.all() {
                let interval = self.interval.0.saturating_mul(domain.len() as u64);
                let looks =
                    (now + self.passed).0.checked_sub(*offset).map_or(0, |since| since / interval + 1);
                let at = looks.saturating_mul(interval).saturating_add(*offset);
                let at = Time(at.saturating_sub(self.passed.0));
                if self.look.is_some_and(|look| look <= at) {
                    continue;
                }
                if self.finds(level, domain) {
                    self.look = Some(at);
                }
            }
        }
        self.waits += u64::from(before.is_none() && self.look.is_some());
    }

    /// True if an idle processor of a domain would find a thread in another group.
    pub(super) fn finds(&self, level: &Level, domain: Range<usize>) -> bool {
        let (mut overloaded, mut idle) = (0, [false; 2]);
        for group in level.groups.inside(domain) {
            let queues = &self.queues[group];
            let threads: usize = queues.iter().map(|queue| queue.awake.len()).sum();
            let is_overloaded = threads > queues.len();
            overloaded += u32::from(is_overloaded);
            idle[usize::from(is_overloaded)] |= queues.iter().any(|queue| queue.awake.is_empty());
        }
        (overloaded > 0 && idle[0]) || (overloaded > 1 && idle[1])
    }
}
