//! What a resource delivers, as crowded and as loaded as it is.
//!
//! Three things take from the nominal capacity.
//!
//! - **Crowding**: a curve over the lines outstanding gives the part that is left (retries, conflicts).
//! - **Both directions at once**: a controller that serves others while its own side asks loses more. Its directions
//!   are two resources, and the lesser of their lines is what crowds both: who only serves, or only asks, loses
//!   nothing.
//! - **Load**: lines wait the longer the busier a resource is, long before it is full. Who keeps so many lines
//!   outstanding then moves fewer of them; the load that results is the one at which what everybody moves, waiting
//!   so long, adds up to it. It is less than the capacity and less than what all could ask for, and it is what the
//!   solver shares out.
//!
//! All three follow from how many flows there are, not from their rates, so a solve has no fixed point to look
//! for. The price: a flow that another resource holds back counts here with what it asked for.

use super::{Curve, Fluid, Pull, Resource, solve};
use std::sync::Arc;

/// What a resource loses as it fills.
#[derive(Clone, Debug, Default)]
pub struct Wearing {
    /// Fraction of its capacity that is left when so much weight is outstanding.
    pub crowding: Option<Arc<Curve>>,
    /// Seconds that a line takes longer at so much of its capacity, as a curve of factors that begins at 1, and the
    /// seconds which these multiply.
    pub load: Option<(Arc<Curve>, f64)>,
}

/// Flows on a resource that wait alike.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alike {
    pull: Pull,
    share: f64,
    flows: u32,
}

impl Resource {
    /// The place of flows of this kind among those that wait here.
    pub(super) fn alike(&mut self, pull: Pull, share: f64) -> Option<u32> {
        let Some((curve, seconds)) = &self.wearing.load else { return None };
        let known = self.alike.iter().position(|known| known.pull == pull && known.share == share);
        let place = known.unwrap_or_else(|| {
            let longest = (curve.at(1.0) - 1.0) * seconds;
            self.worst = self.worst.max(pull.ceiling / pull.rate(longest));
            self.alike.push(Alike { pull, share, flows: 0 });
            self.alike.len() - 1
        });
        Some(place as u32)
    }

    /// One of these flows comes or goes.
    pub(super) fn count(&mut self, alike: Option<u32>, comes: bool) {
        if let Some(place) = alike {
            let flows = &mut self.alike[place as usize].flows;
            if comes { *flows += 1 } else { *flows -= 1 }
        }
    }

    /// Delivers so much of its crowded capacity from now on.
    pub(super) fn delivers(&mut self, crowded: f64, capacity: f64) {
        (self.crowded, self.capacity) = (crowded, capacity);
        let calm = crowded * self.calm;
        self.tight_above = calm as u64;
        self.slack_at = (calm * solve::SLACK_AGAIN) as u64;
    }
}

impl Fluid {
    /// Gives a resource that no flow crosses another character.
    pub fn wear(&mut self, resource: u32, wearing: Wearing) {
        let resource = &mut self.resources[resource as usize];
        debug_assert!(resource.users == 0);
        let Wearing { crowding, load } = wearing;
        let crowding = crowding.filter(|curve| !curve.0.is_empty());
        let load = load.filter(|(curve, seconds)| !curve.0.is_empty() && *seconds > 0.0);
        let roomy = crowding.as_ref().map(|curve| (curve.roomy() * 1e3) as u64);
        resource.roomy = roomy.unwrap_or(u64::MAX);
        resource.calm = load.as_ref().map_or(1.0, |(curve, _)| curve.roomy().min(1.0));
        resource.wearing = Wearing { crowding, load };
        resource.delivers(resource.nominal, resource.nominal);
    }

    /// Makes two resources the directions of one controller.
    pub fn oppose(&mut self, one: u32, other: u32) {
        self.resources[one as usize].opposite = Some(other);
        self.resources[other as usize].opposite = Some(one);
    }

    /// Brings the capacity of a resource up to date with its flows.
    pub(super) fn rate_capacity(&mut self, id: u32) {
        let resource = &self.resources[id as usize];
        let lines = |resource: &Resource| resource.crowd as f64 * 1e-3;
        let mut crowded = resource.nominal;
        if let Some(curve) = &resource.wearing.crowding {
            let other = resource.opposite.map(|id| lines(&self.resources[id as usize]));
            crowded *= curve.at(other.map_or(lines(resource), |other| other.min(lines(resource))));
        }
        let demand = resource.demand as f64;
        let capacity = match &resource.wearing.load {
            // Who asks for so much fills it, however long all wait. Each flow's demand is rounded up.
            Some(_) if demand - f64::from(resource.users) > resource.worst * crowded => crowded,
            Some((curve, seconds)) if demand > resource.calm * crowded => {
                let (load, looked_at) = resource.load(crowded, curve, *seconds);
                self.visits += looked_at;
                load
            }
            _ => crowded,
        };
        self.resources[id as usize].delivers(crowded, capacity);
    }
}

impl Resource {
    /// The load at which everybody waits as long as it makes them wait, and how many kinds of flows were looked at.
    fn load(&self, crowded: f64, curve: &Curve, seconds: f64) -> (f64, u64) {
        let mut looked_at = 0;
        // How much more than so much of the capacity they would move if so much of it were in use.
        let mut excess = |utilisation: f64| {
            let longer = (curve.at(utilisation) - 1.0) * seconds;
            looked_at += self.alike.len() as u64;
            let moved = |kind: &Alike| f64::from(kind.flows) * kind.share * kind.pull.rate(longer);
            self.alike.iter().filter(|kind| kind.flows > 0).map(moved).sum::<f64>() - utilisation * crowded
        };
        let load = crowded * crossing(self.calm, 1.0, &mut excess);
        (load, looked_at)
    }
}

/// Where a falling function crosses zero between two places; an end, if it does not.
fn crossing(from: f64, to: f64, value: &mut impl FnMut(f64) -> f64) -> f64 {
    let (mut low, mut high) = (from, to);
    let mut at_high = value(high);
    if at_high >= 0.0 {
        return high;
    }
    let mut at_low = value(low);
    // The secant between the ends, each end counting for half when it stands still: the Illinois method.
    let mut moved = 0;
    for _ in 0..100 {
        if at_low <= 0.0 {
            return low;
        }
        let middle = (high - at_high * (high - low) / (at_high - at_low)).clamp(low, high);
        let at_middle = value(middle);
        if at_middle == 0.0 || high - low <= 1e-14 * high {
            return middle;
        }
        if at_middle > 0.0 {
            if moved > 0 {
                at_high /= 2.0;
            }
            (low, at_low, moved) = (middle, at_middle, 1);
        } else {
            if moved < 0 {
                at_low /= 2.0;
            }
            (high, at_high, moved) = (middle, at_middle, -1);
        }
    }
    (low + high) / 2.0
}
