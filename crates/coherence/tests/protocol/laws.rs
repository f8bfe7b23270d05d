//! What holds in every state.

use crate::world::{Inside, Member, World};
use numalab_coherence::protocol::{CacheState, State};

/// The first law that the world breaks.
pub fn check(world: &World) -> Result<(), String> {
    let caches = world.home.caches();
    let held = |wanted: &[CacheState]| caches.iter().filter(|(held, _)| wanted.contains(held)).count();
    let copies = caches.len() - held(&[CacheState::Invalid]);
    let writers = held(&[CacheState::Exclusive, CacheState::Modified]);
    if writers > 0 && copies > 1 {
        return Err("one may write while others read".to_owned());
    }
    if caches.iter().any(|(held, fresh)| *held != CacheState::Invalid && !fresh) {
        return Err("a copy is stale".to_owned());
    }
    if held(&[CacheState::Modified, CacheState::Owned]) == 0 && !world.memory {
        return Err("what was written last is lost".to_owned());
    }
    agree(&world.home)
}

/// Directories say what their members hold, and members hold no more than their group was granted.
fn agree(group: &Member) -> Result<(), String> {
    use CacheState::*;
    let Inside::Group { state, members } = &group.inside else { return Ok(()) };
    let count = |wanted: &[CacheState]| members.iter().filter(|m| wanted.contains(&m.held)).count();
    let counts = (count(&[Shared]), count(&[Forward]), count(&[Exclusive, Modified]), count(&[Owned]));
    let agrees = match state {
        State::Uncached => counts == (0, 0, 0, 0),
        State::Shared => counts.0 > 0 && (counts.1, counts.2, counts.3) == (0, 0, 0),
        State::Forwarded => (counts.1, counts.2, counts.3) == (1, 0, 0),
        State::Owned => counts == (0, 0, 1, 0),
        State::OwnedShared => (counts.1, counts.2, counts.3) == (0, 0, 1),
    };
    if !agrees {
        return Err(format!("the directory says {state:?}"));
    }
    let allowed = match group.held {
        Invalid => *state == State::Uncached,
        Shared | Forward => matches!(state, State::Shared | State::Forwarded),
        Exclusive => *state != State::Uncached && count(&[Modified]) == 0,
        Owned => matches!(state, State::Shared | State::OwnedShared),
        // The home's directory, too, which may be empty.
        Modified => true,
    };
    if !allowed {
        return Err(format!("a group that holds {:?} is {state:?} inside", group.held));
    }
    members.iter().try_for_each(agree)
}
