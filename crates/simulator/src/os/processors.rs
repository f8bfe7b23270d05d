//! Services that processors perform for the system or for other threads. Each processor is a station; a service takes
//! time from the threads that compute on it.

use crate::account::cause::Cause;
use crate::engine::calendar::take;
use crate::engine::station::Station;
use numalab_base::{Span, Time};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Work of a processor for the system or for another thread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Service {
    pub span: Span,
    /// Cause of the time that the processor's threads lose.
    pub cause: Cause,
}

/// Stations of the processors that have performed a service so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Processors {
    /// Station of each processor, and the end of its present service.
    stations: BTreeMap<u32, (Station<Service>, Time)>,
    /// Ends of the present services: instant and processor, earliest first.
    ends: BinaryHeap<Reverse<(Time, u32)>>,
}

impl Processors {
    /// Requests a service. Returns true if the service begins immediately.
    pub fn request(&mut self, processor: u32, service: Service, now: Time) -> bool {
        let (station, until) = self.stations.entry(processor).or_default();
        let begins = station.enter(service);
        if begins {
            *until = now + service.span;
            self.ends.push(Reverse((*until, processor)));
        }
        begins
    }

    /// Earliest end of a present service; `None` if no processor performs a service.
    #[inline]
    pub fn next(&self) -> Option<Time> {
        self.ends.peek().map(|Reverse((at, _))| *at)
    }

    /// Takes a processor whose service ends by `now`.
    pub fn take_end(&mut self, now: Time) -> Option<u32> {
        take(&mut self.ends, now)
    }

    /// Present service of a processor and the end of that service; `None` if the processor performs none.
    pub fn serving(&self, processor: u32) -> Option<(Service, Time)> {
        let (station, until) = self.stations.get(&processor)?;
        Some((station.served()?, *until))
    }

    /// True if no processor performs a service.
    pub fn are_idle(&self) -> bool {
        self.stations.values().all(|(station, _)| station.served().is_none())
    }

    /// Ends a processor's present service. Returns the next service, which begins now; `None` if none waits.
    pub fn end(&mut self, processor: u32, now: Time) -> Option<Service> {
        let (station, until) = self.stations.get_mut(&processor)?;
        let next = station.leave()?;
        *until = now + next.span;
        self.ends.push(Reverse((*until, processor)));
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_of_a_processor_follow_each_other() {
        let service = |span| Service { span: Span(span), cause: Cause::Scanner };
        let mut processors = Processors::default();
        assert!(processors.serving(3).is_none());
        assert!(
            processors.request(3, service(10), Time(100)) && processors.request(4, service(1), Time(100))
        );
        assert!(!processors.request(3, service(5), Time(102)));
        assert_eq!(processors.serving(3), Some((service(10), Time(110))));
        assert_eq!(processors.end(3, Time(110)), Some(service(5)));
        assert_eq!(processors.serving(3), Some((service(5), Time(115))));
        assert_eq!((processors.end(3, Time(115)), processors.serving(3)), (None, None));
    }
}
