//! Bottleneck of a run: the cause of most of its lost time, from the sums that every run keeps.

use numalab_machine::{Closeness, Fabric, ResourceClass};
use numalab_results::Bottleneck;
use numalab_simulator::{Loss, LostTime, RunOutcome};

/// Cause with the most lost time of the team over all phases, and the phase with most of that time. `None` if no time
/// was lost.
pub fn bottleneck(run: &RunOutcome, fabric: &Fabric) -> Option<Bottleneck> {
    let mut sums: Vec<LostTime> = Vec::new();
    for lost in run.losses.iter().flatten() {
        match sums.iter_mut().find(|sum| sum.to == lost.to) {
            Some(sum) => {
                sum.time_ps += lost.time_ps;
                sum.from_ps = sum.from_ps.min(lost.from_ps);
                sum.to_ps = sum.to_ps.max(lost.to_ps);
            }
            None => sums.push(*lost),
        }
    }
    // The first of several causes with equal losses, in order of occurrence.
    let worst = sums.into_iter().rev().max_by_key(|sum| sum.time_ps).filter(|sum| sum.time_ps > 0)?;
    let most = worst.to;
    let of = |losses: &Vec<LostTime>| losses.iter().find(|lost| lost.to == most).copied();
    let phases = run.phases.iter().zip(&run.losses).filter_map(|(phase, losses)| Some((phase, of(losses)?)));
    let (phase, _) = phases.rev().max_by_key(|(_, lost)| lost.time_ps)?;
    let class = |id| Loss::Full(fabric.class(id));
    // The first of several resources with equal delays.
    let delays = run.delays.iter().filter(|delay| class(delay.resource) == most);
    let place = delays.rev().max_by_key(|delay| delay.late_ps);
    let whole = run.team.len() as f64 * run.makespan_ps as f64;
    let share = |time: u128| if whole > 0.0 { time as f64 / whole } else { 0.0 };
    Some(Bottleneck {
        name: loss_name(most, fabric),
        share: share(worst.time_ps),
        phase: phase.name.clone(),
        resource: place.map(|place| fabric.name(place.resource)),
        resource_share: place.map(|place| share(place.late_ps)),
        from_ps: worst.from_ps,
        to_ps: worst.to_ps,
    })
}

/// Name of a cause of lost time.
pub fn loss_name(loss: Loss, fabric: &Fabric) -> String {
    match loss {
        Loss::Full(ResourceClass::Memory) => "memory bandwidth",
        Loss::Full(class) => return fabric.class_name(class),
        Loss::Latency(Closeness::Node) => "local latency",
        Loss::Latency(Closeness::Socket) => "latency in the socket",
        Loss::Latency(Closeness::Board) => "latency on the board",
        Loss::Latency(Closeness::Machine) => "latency of far memory",
        Loss::Cache => "caches",
        Loss::Pages => "shared pages",
        Loss::Fault => "page faults",
        Loss::Kernel => "moves of pages",
        Loss::AddressSpace => "address space",
        Loss::Scanner => "scanner",
        Loss::Runtime => "runtime",
        Loss::Turn => "a lock or turn",
        Loss::Line => "lines to write",
        Loss::Barrier => "the last thread",
        Loss::NoWork => "something to do",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use crate::{Files, RunSpec};

    /// Under `dynamic` the hot spot moves from memory to memory. Each memory loses a small share, for a short time;
    /// all of them together lose time throughout the run.
    #[test]
    fn share_and_period_are_of_the_same_wait() {
        let schedules = vec!["dynamic".parse().unwrap()];
        let spec = RunSpec { schedules, ..RunSpec::new("bcs16", "loadbal") };
        let run = spec.resolve(&Files::default()).unwrap().simulate(Some(1), &()).unwrap().remove(0);
        let moving = run.bottleneck.unwrap();
        assert_eq!(moving.name, "memory bandwidth");
        assert!(moving.resource_share.unwrap() < moving.share / 3.0, "{moving:?}");
        assert!((moving.to_ps - moving.from_ps) as f64 > 0.9 * run.makespan_ps as f64, "{moving:?}");
    }
}
