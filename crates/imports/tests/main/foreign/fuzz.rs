//! Reading an arbitrary file ends with a valid value or with an error.

use super::SAMPLES;
use numalab_imports::foreign::{NodeMatrix, Tool, from_text};
use proptest::prelude::*;

fn survives(text: &str) {
    for tool in [None].into_iter().chain(Tool::ALL.map(Some)) {
        match from_text("FILE", text, tool) {
            Err(error) => assert!(error.count() > 0 && !error.render(true).is_empty()),
            Ok(found) => {
                let positive = |value: f64| value.is_finite() && value > 0.0;
                assert!(found.rows.iter().all(|row| !row.samples.is_empty()));
                assert!(found.rows.iter().flat_map(|row| &row.samples).all(|sample| positive(sample.value)));
                assert!(
                    found
                        .loaded_latency
                        .iter()
                        .all(|point| positive(point.latency) && positive(point.bandwidth))
                );
                let square = |matrix: &NodeMatrix| {
                    matrix.cells.len() == matrix.from.len()
                        && matrix.cells.iter().all(|row| row.len() == matrix.to.len())
                };
                assert!(found.latency.iter().chain(&found.bandwidth).all(square));
                if let Some(topology) = found.topology {
                    assert!(topology.processors.is_sorted_by_key(|processor| processor.number));
                    assert!(
                        topology.caches.iter().all(|cache| cache.size > 0 && !cache.processors.is_empty())
                    );
                    assert!(topology.distances.is_none_or(|rows| rows.len() == topology.nodes.len()));
                }
            }
        }
    }
}

/// Text of any sample.
fn sample() -> impl Strategy<Value = &'static str> {
    prop::sample::select(SAMPLES.iter().map(|(_, text)| *text).collect::<Vec<_>>())
}

/// Last character boundary up to `at`, where the text can be cut.
fn fit(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

const SNIPPETS: &[&str] = &[
    "",
    "\n",
    ",",
    ";",
    "\t",
    "\"",
    "é",
    "±",
    "-",
    "-1",
    "0",
    "nan",
    "inf",
    "1e999",
    "99999999999999999999",
    ":",
    "(",
    ")",
    "#",
    "\r",
    " ",
    "\u{2003}",
    "\u{feff}",
    "{",
    "}",
    "[",
    "Numa node 0 1\n",
    "node distances:\n",
    "available: 9 nodes (0-99)\n",
    "CPU(s): 4\n",
    "# CPU,Core\n",
    "CPU NODE\n",
    "CPU 0 1\n",
    "Triad: 1 1 1 1\n",
    "MByte/s: 1.00\n",
    "Test: load\n",
    "ALL Reads : 1",
    "Measuring idle latencies (in ns)...\n",
    "0-65535",
    "12,5",
    "Socket(s): 65535\nCore(s) per socket: 65535\n",
    "NUMA node9 CPU(s):\n",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in "\\PC{0,120}") {
        survives(&text);
    }

    #[test]
    fn text_of_the_right_characters(text in "[a-cx0-9.,;:#{}\" \\t\\n±-]{0,160}", start in 0..SNIPPETS.len()) {
        survives(&format!("{}{text}", SNIPPETS[start]));
    }

    #[test]
    fn truncations(text in sample(), at in any::<prop::sample::Index>()) {
        survives(&text[..fit(text, at.index(text.len() + 1))]);
        survives(&text[fit(text, at.index(text.len() + 1))..]);
    }

    #[test]
    fn mutations(text in sample(), edits in prop::collection::vec((any::<prop::sample::Index>(), 0..20usize, 0..SNIPPETS.len()), 1..5)) {
        let mut text = text.to_owned();
        for (at, length, snippet) in edits {
            let at = at.index(text.len() + 1);
            let (start, end) = (fit(&text, at), fit(&text, at + length));
            text.replace_range(start..end, SNIPPETS[snippet]);
        }
        survives(&text);
    }

    #[test]
    fn lines_in_disorder(text in sample(), edits in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..5)) {
        let mut lines: Vec<&str> = text.lines().collect();
        for (a, b) in edits {
            let (a, b) = (a.index(lines.len()), b.index(lines.len()));
            lines.swap(a, b);
            if a % 3 == 0 {
                lines.remove(b.min(lines.len() - 1));
            } else if a % 3 == 1 {
                lines.insert(a, lines[b]);
            }
            if lines.is_empty() {
                break;
            }
        }
        survives(&lines.join("\n"));
    }
}
