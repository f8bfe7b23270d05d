//! Sentences on the reliability of a replay, above its results.

use crate::page::Page;
use numalab_results::{HeldAgainst, Met, Replay};

/// Sentences on the replay's agreement with the recording computer, then on facts that the recording leaves open.
pub fn replay_sentences(replay: &Replay) -> Vec<String> {
    let held_against = replay.held_against.iter().flat_map(sentences);
    held_against.chain(replay.notes.iter().cloned()).collect()
}

/// Adds the sentences on the replay below the title; nothing if `replay` is `None`.
pub(crate) fn above(page: Page, replay: Option<&Replay>) -> Page {
    page.with(replay, |page, replay| {
        page.text(replay_sentences(replay).into_iter().map(|sentence| format!("note: {sentence}")))
    })
}

fn sentences(held: &HeldAgainst) -> Vec<String> {
    let mut all = vec![sentence(&held.machine, "one thread", &held.alone)];
    let Some(team) = &held.team else {
        all.push("no free team was recorded: the replay of teams is unchecked".to_owned());
        return all;
    };
    let subject = format!("a free team of {} in its regions", team.threads);
    all.push(sentence(&held.machine, &subject, &team.met));
    if let Some(times) = team.taken_away.filter(|times| *times > 0 && !team.met.holds) {
        let s = if times == 1 { "" } else { "s" };
        all.push(format!(
            "the recorded team lost a processor to other work {times} time{s}: the replay causes only a part of the error"
        ));
    }
    all
}

fn sentence(machine: &str, subject: &str, met: &Met) -> String {
    let ms = |ps: u64| format!("{:.3}", ps as f64 / 1e9);
    let simulated = match (ms(met.least_ps), ms(met.most_ps)) {
        (least, most) if least == most => format!("{least} ms"),
        (least, most) => format!("{least} to {most} ms"),
    };
    let (doubt, verdict) = if met.holds { ("", "within") } else { ("unproven: ", "beyond") };
    format!(
        "{doubt}on {machine}, {subject} takes {simulated} simulated and {} ms recorded: {:+.1} %, {verdict} {:.0} %",
        ms(met.recorded_ps),
        // Adding 0.0 turns -0 into 0.
        100.0 * met.missed_by + 0.0,
        100.0 * met.allowed,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures;
    use crate::{markdown, table};
    use numalab_results::MetTeam;

    /// Replay of a program with one thread recorded at 105 ms and simulated at 100 to 110 ms, and a team of two
    /// recorded at 100 ms and simulated at 40 to 50 ms.
    fn replay() -> Replay {
        let team = Met::new((40_000_000_000, 50_000_000_000), 100_000_000_000, 0.15);
        Replay {
            held_against: Some(HeldAgainst {
                machine: "host".into(),
                alone: Met::new((100_000_000_000, 110_000_000_000), 105_000_000_000, 0.02),
                team: Some(MetTeam { threads: 2, met: team, taken_away: Some(3) }),
            }),
            notes: vec!["the file has lost 2 of its blocks".into()],
        }
    }

    /// Law: The comparison with the recording machine stands above every answer.
    #[test]
    fn check_stands_above_every_view() {
        let expected = [
            "on host, one thread takes 100.000 to 110.000 ms simulated and 105.000 ms recorded: +0.0 %, within 2 %",
            "unproven: on host, a free team of 2 in its regions takes 40.000 to 50.000 ms simulated and 100.000 ms \
             recorded: -50.0 %, beyond 15 %",
            "the recorded team lost a processor to other work 3 times: the replay causes only a part of the error",
            "the file has lost 2 of its blocks",
        ];
        assert_eq!(replay_sentences(&replay()), expected);
        let mut comparison = fixtures::small();
        comparison.replay = Some(replay());
        let mut explanation = fixtures::explanation();
        explanation.replay = Some(replay());
        let wide = crate::Style { width: 200, ..crate::Style::default() };
        for (text, first) in [
            (table(&comparison, wide), "policy"),
            (table(&explanation, wide), "where the time"),
            (markdown(&explanation), "where the time"),
        ] {
            let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part} is not in {text}"));
            assert!(expected.iter().all(|sentence| at(sentence) > at("tiny")), "{text}");
            assert!(at(expected[0]) < at(expected[3]), "{text}");
            assert!(at(expected[3]) < at(first), "{text}");
        }
        assert!(!table(&fixtures::small(), wide).contains("note:"));
    }
}
