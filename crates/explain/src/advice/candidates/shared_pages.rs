//! Remedies for pages that nodes share in software: loops cut at page boundaries, pages sent ahead, several writers
//! of a page.

use super::{MATTERS, Remedy, part};
use crate::case::Case;
use numalab_machine::{Consistency, Technique};
use numalab_results::Explanation;
use numalab_workload::Schedule;

/// Page-aligned loops, other techniques and other consistency models, if page faults matter.
pub(super) fn changes(case: &Case, seen: &Explanation) -> Vec<Remedy> {
    let Some(dsm) = &case.hardware().dsm else { return Vec::new() };
    if part(seen, |row| row.kind.starts_with("shared pages")) < MATTERS {
        return Vec::new();
    }
    let measured = || case.workload.phases.iter().filter(|phase| phase.measured);
    let open = measured().any(|phase| phase.construct.is_loop() && phase.schedule.is_none());
    let align = (open && case.schedule == Schedule::Static { chunk: None })
        .then_some(Remedy::Schedule { phase: None, schedule: Schedule::Align });
    let points = measured().any(|phase| phase.vsp.is_some());
    let techniques = match dsm.consistency {
        Consistency::Sequential => &[Technique::Presend, Technique::Chopper, Technique::Final][..],
        Consistency::Lazy | Consistency::HomeBased => &[],
    };
    let fits = |technique: &Technique| points || *technique != Technique::Chopper;
    let techniques = techniques.iter().copied().filter(fits).filter(|technique| *technique != dsm.technique);
    let consistencies = match dsm.technique {
        Technique::None => &Consistency::ALL[..],
        Technique::Presend | Technique::Preinvalidate | Technique::Chopper | Technique::Final => &[],
    };
    let consistencies = consistencies.iter().copied().filter(|consistency| *consistency != dsm.consistency);
    let sharing = techniques.map(Remedy::Technique).chain(consistencies.map(Remedy::Consistency));
    align.into_iter().chain(sharing).collect()
}
