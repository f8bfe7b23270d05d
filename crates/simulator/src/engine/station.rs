//! A station serves one customer after another, in the order of their arrival: the lock of the address space,
//! and a processor that does something for others than its threads.

use std::collections::VecDeque;

// Glossary: station: A server that serves one customer after another in the order of arrival: a lock of the
//   kernel, or a processor.
/// The customer that is served, and those who wait.
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
    /// A customer comes. Whether it is served at once.
    pub fn enter(&mut self, customer: C) -> bool {
        if self.served.is_some() {
            self.waiting.push_back(customer);
            return false;
        }
        self.served = Some(customer);
        true
    }

    /// The customer that is served.
    pub fn served(&self) -> Option<C> {
        self.served
    }

    /// The customer that was served leaves. The next one, which is served from now on.
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
