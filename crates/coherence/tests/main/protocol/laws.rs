//! Laws that hold in every world that caches can reach.

use crate::oracle::{Inside, Member, World};
use numalab_coherence::protocol::{CacheState, State};

/// Error with the first law that the world breaks. `mixed`: directories of different scopes have different tables.
pub fn check(world: &World, mixed: bool) -> Result<(), String> {
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
    if !world.home.answers() && !world.memory {
        return Err("what was written last is lost".to_owned());
    }
    agree(&world.home, mixed)
}

/// Checks that directories agree with the copies of their members, and that members hold no more than their group was
/// granted.
fn agree(group: &Member, mixed: bool) -> Result<(), String> {
    use CacheState::*;
    let Inside::Group { state, cache, members, .. } = &group.inside else { return Ok(()) };
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
    if *cache == Some(false) && matches!(state, State::Shared | State::Forwarded) {
        return Err("a shared cache does not have what its caches have".to_owned());
    }
    let allowed = match group.held {
        Invalid => *state == State::Uncached,
        // An owner whose data was written to memory for a request from outside may share the line inside its group
        // again; the directories above do not know it.
        Shared | Forward => {
            matches!(state, State::Shared | State::Forwarded) || mixed && *state == State::OwnedShared
        }
        Exclusive => *state != State::Uncached && count(&[Modified]) == 0,
        Owned => matches!(state, State::Shared | State::OwnedShared),
        // The home's directory is included, which may be empty.
        Modified => true,
    };
    if !allowed {
        return Err(format!("a group that holds {:?} is {state:?} inside", group.held));
    }
    members.iter().try_for_each(|member| agree(member, mixed))
}
