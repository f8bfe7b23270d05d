//! Owners of events and flows.

use numalab_base::ThreadId;

// Glossary: actor: Owner of an event or a flow: a processor, a node's reclaimer, or a thread.
/// Owner of an event or a flow. At one instant actors come in this order, threads by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Actor {
    /// The scanner of automatic balancing.
    Scanner,
    /// The end of what a processor does for others than its threads.
    Processor(u32),
    /// The end of what a node's `kswapd` copies.
    Reclaimer(u32),
    /// A thread of the team.
    Thread(ThreadId),
}

impl Actor {
    /// The number by which the flow network knows a flow's owner: threads have their own, the others the
    /// highest.
    pub fn token(self) -> u32 {
        match self {
            Actor::Thread(thread) => thread.number(),
            Actor::Processor(processor) => FIRST_PROCESSOR - processor,
            Actor::Reclaimer(node) => FIRST_RECLAIMER - node,
            Actor::Scanner => SCANNER,
        }
    }

    /// The owner of a flow.
    pub fn of_token(token: u32) -> Actor {
        match token {
            SCANNER => Actor::Scanner,
            token if token > FIRST_PROCESSOR - MOST => Actor::Processor(FIRST_PROCESSOR - token),
            token if token > FIRST_RECLAIMER - MOST => Actor::Reclaimer(FIRST_RECLAIMER - token),
            token => Actor::Thread(ThreadId::new(token)),
        }
    }
}

const SCANNER: u32 = u32::MAX;
const FIRST_PROCESSOR: u32 = u32::MAX - 1;
const FIRST_RECLAIMER: u32 = FIRST_PROCESSOR - MOST;
/// More processors than any machine has; and twice so many threads less than 2^32 are possible.
const MOST: u32 = 1 << 30;

#[cfg(test)]
mod tests {
    use super::*;

    /// Law: Event sources have a fixed order at one instant.
    #[test]
    fn tokens_tell_actors_apart() {
        let threads = [0, 1, 1 << 20].map(|thread| Actor::Thread(ThreadId::new(thread)));
        for actor in threads.into_iter().chain([
            Actor::Scanner,
            Actor::Processor(0),
            Actor::Processor(9),
            Actor::Reclaimer(0),
            Actor::Reclaimer(7),
        ]) {
            assert_eq!(Actor::of_token(actor.token()), actor);
        }
        assert!(Actor::Scanner < Actor::Processor(3) && Actor::Processor(3) < threads[0]);
        assert!(threads[0] < threads[1]);
    }
}
