//! A station serves one customer after another in the order of arrival: the lock of the address space, or a processor
//! that serves the system.

use std::collections::VecDeque;

// Glossary: station: A server that serves one customer after another in the order of arrival: a lock of the
//   kernel, or a processor.
/// Station: the customer in service and a queue.
#[derive(Clone, Debug)]
pub(crate) struct Station<C> {
    served: Option<C>,
    waiting: VecDeque<C>,
}

impl<C> Default for Station<C> {
    fn default() -> Station<C> {
        Station { served: None, waiting: VecDeque::new() }
    }
}

impl<C: Copy> Station<C> {
    /// Adds a customer. Returns true if the customer's service begins immediately.
    pub fn enter(&mut self, customer: C) -> bool {
        if self.served.is_some() {
            self.waiting.push_back(customer);
            return false;
        }
        self.served = Some(customer);
        true
    }

    /// Customer in service; `None` if the station is idle.
    pub fn served(&self) -> Option<C> {
        self.served
    }

    /// Ends the present service. Returns the next customer, whose service begins.
    pub fn leave(&mut self) -> Option<C> {
        self.served = self.waiting.pop_front();
        self.served
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: A station serves in the order of arrival.
    #[test]
    fn first_come_first_served() {
        let mut station = Station::default();
        assert_eq!([1, 2, 3].map(|customer| station.enter(customer)), [true, false, false]);
        assert_eq!(station.served(), Some(1));
        assert_eq!([station.leave(), station.leave(), station.leave()], [Some(2), Some(3), None]);
        assert!(station.served().is_none() && station.enter(4));
    }
}
