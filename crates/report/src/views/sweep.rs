//! Summary of a sweep.

use crate::numbers::{TimeScale, count};
use crate::page::{Page, Sheet, View};
use crate::style::Style;
use numalab_results::{Contest, Entrant, Replicas, SweepSummary};
use std::collections::BTreeMap;

/// Largest number of points shown; further points are only counted.
const SHOWN: usize = 40;
/// Largest number of different failure reasons shown.
const FAILURES: usize = 10;

impl View for SweepSummary {
    /// Arranges the counts of points, and for each point the fastest, second and slowest policy.
    fn page(&self, style: &Style) -> Page {
        let mut page = Page::default().below(Some(headline(self)));
        let shown = &self.contests[..self.contests.len().min(SHOWN)];
        if !shown.is_empty() {
            let more = self.contests.len() - shown.len();
            let rest =
                if style.elsewhere.is_empty() { String::new() } else { format!("; {}", style.elsewhere) };
            let ties = shown.iter().flat_map(|contest| &contest.entrants).any(|entrant| entrant.tied);
            page = page
                .table(sheet(shown))
                .below((more > 0).then(|| format!("and {more} more{rest}")))
                .below(ties.then(|| "tie: the ranges of the replicas have values in common".to_owned()));
        }
        let reasons = reasons(&self.failed);
        for (reason, points) in reasons.iter().take(FAILURES) {
            let which = match points[..] {
                [point] => point.to_owned(),
                [first, ..] => format!("{} points, the first is {first}", points.len()),
                [] => String::new(),
            };
            page = page.text([format!("failed: {which}: {reason}")]);
        }
        let more = reasons.len().saturating_sub(FAILURES);
        page.below((more > 0).then(|| format!("and {more} more reasons")))
    }
}

/// Reasons for failures, each once, with the names of the failed points.
fn reasons(failed: &[(String, String)]) -> Vec<(&str, Vec<&str>)> {
    let mut numbers = BTreeMap::new();
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for (point, reason) in failed {
        let at = *numbers.entry(reason).or_insert_with(|| {
            reasons.push((reason, Vec::new()));
            reasons.len() - 1
        });
        reasons[at].1.push(point);
    }
    reasons
}

fn headline(summary: &SweepSummary) -> String {
    let SweepSummary { sweep, points, ran, known, missing, failed, .. } = summary;
    let mut parts = vec![sweep.clone()];
    parts.extend(summary.workload.clone());
    parts.push(count(*points, "point"));
    let counts = [
        (*ran, "run now"),
        (*known, "stored before"),
        (failed.len() as u64, "failed"),
        (*missing, "missing"),
    ];
    parts.extend(counts.iter().filter(|count| count.0 > 0).map(|(number, what)| format!("{number} {what}")));
    parts.join(" · ")
}

/// Selects the entrant of a column, such as the second-fastest policy; `None` if the point has too few policies.
type Which = fn(&Contest) -> Option<&Entrant>;

/// One row per point; on narrow terminals without the slowest policy.
fn sheet(contests: &[Contest]) -> Sheet<&Contest> {
    let entrants = || contests.iter().flat_map(|contest| &contest.entrants);
    let scale = TimeScale::of(entrants().map(|entrant| entrant.makespan_ps as u64));
    // A single policy has no competitor.
    let contested = contests.iter().any(|contest| contest.entrants.len() > 1);
    let most = |contest: &Contest| contest.entrants.iter().map(Entrant::spread).max_by(f64::total_cmp);
    let spread = |contest: &&Contest| most(contest).map(|spread| format!("≤ {:.1}%", spread * 100.0));
    let name = |entrant: Option<&Entrant>| entrant.map(|entrant| entrant.policy.clone());
    let behind = |contest: &Contest, entrant: Option<&Entrant>| {
        let ratio = entrant?.makespan_ps / contest.entrants.first()?.makespan_ps - 1.0;
        let tie = if entrant?.tied { " tie" } else { "" };
        ratio.is_finite().then(|| format!("+{:.1}%{tie}", ratio * 100.0))
    };
    let best = |contest: &&Contest| contest.entrants.first().map(|best| scale.show(best.makespan_ps));
    let sheet = Sheet::of(contests)
        .text("point", |contest| contest.point.clone())
        .text(if contested { "fastest" } else { "policy" }, |contest| name(contest.entrants.first()))
        .either(true, "makespan", best)
        .when(entrants().any(|entrant| entrant.spread() > Replicas::SHOWN), |sheet| {
            sheet.either(true, "spread of\nreplicas", spread)
        });
    let others: [(&str, u8, Which); 2] = [
        ("next", u8::MAX, |contest| contest.entrants.get(1)),
        ("slowest", 1, |contest| contest.entrants.iter().skip(2).next_back()),
    ];
    sheet.each(others.into_iter().filter(|_| contested), |sheet, (header, step, which)| {
        let sheet = sheet.text(header, |contest| name(which(contest))).until(step);
        sheet.either(true, "slower\nby", |contest| behind(contest, which(contest))).until(step)
    })
}

#[cfg(test)]
mod tests {
    use crate::*;
    use numalab_results::{Contest, Entrant, SweepSummary};

    fn entrant(policy: &str, seconds: f64, replicas: u64) -> Entrant {
        let makespan_ps = seconds * 1e12;
        Entrant {
            policy: policy.to_owned(),
            replicas,
            makespan_ps,
            least_ps: makespan_ps,
            most_ps: makespan_ps * if replicas > 1 { 1.02 } else { 1.0 },
            tied: policy == "guided",
        }
    }

    #[test]
    fn names_the_fastest_the_next_and_the_slowest() {
        let contest = |point: &str, entrants| Contest { point: point.to_owned(), entrants };
        let mut summary = SweepSummary {
            sweep: "policies".into(),
            workload: Some("loadbal".into()),
            points: 9,
            ran: 5,
            known: 3,
            missing: 1,
            failed: vec![("m · w · 4096 threads".into(), "a team of 4096 threads is too large".into())],
            contests: vec![
                contest(
                    "bcs16 · 128 threads",
                    vec![
                        entrant("numa-steal:most-loaded", 0.683, 3),
                        entrant("guided", 0.69, 3),
                        entrant("static", 1.149, 3),
                        entrant("dynamic", 1.564, 3),
                    ],
                ),
                contest("s6030 · 32 threads", vec![entrant("dynamic", 2.45, 3), entrant("static", 4.54, 1)]),
            ],
        };
        insta::assert_snapshot!(table(&summary, Style { width: 120, ..Style::default() }), @r"
    policies · loadbal · 9 points · 5 run now · 3 stored before · 1 failed · 1 missing

                                                           spread of             slower            slower
    point                fastest                 makespan   replicas  next           by  slowest       by
    ─────────────────────────────────────────────────────────────────────────────────────────────────────
    bcs16 · 128 threads  numa-steal:most-loaded   0.683 s     ≤ 2.0%  guided  +1.0% tie  dynamic  +129.0%
    s6030 · 32 threads   dynamic                  2.450 s     ≤ 2.0%  static     +85.3%
    tie: the ranges of the replicas have values in common

    failed: m · w · 4096 threads: a team of 4096 threads is too large
    ");
        for contest in &mut summary.contests {
            contest.entrants.truncate(1);
            contest.entrants[0].replicas = 1;
        }
        summary.failed.clear();
        insta::assert_snapshot!(table(&summary, Style::default()), @r"
        policies · loadbal · 9 points · 5 run now · 3 stored before · 1 missing

                                                               spread of
        point                policy                  makespan   replicas
        ────────────────────────────────────────────────────────────────
        bcs16 · 128 threads  numa-steal:most-loaded   0.683 s     ≤ 2.0%
        s6030 · 32 threads   dynamic                  2.450 s     ≤ 2.0%
        ");
    }
}
