//! Shipped files with random changes; the tests of sweep files use them, too.

use proptest::prelude::*;

/// Bytes of a file with random pieces cut, doubled and overwritten.
pub fn mutated(text: &'static str) -> impl Strategy<Value = Vec<u8>> {
    let snippet = prop_oneof![
        Just("nan"),
        Just("-1"),
        Just("1e308"),
        Just("\""),
        Just("["),
        Just("]"),
        Just("{"),
        Just("}"),
        Just(": "),
        Just("\n"),
        Just("&a "),
        Just("*a"),
        Just("é"),
        Just("0"),
        Just("99999999999999999999"),
        Just("i / 0"),
        Just("[[level]]"),
        Just("- "),
        Just("!t "),
        Just("---\n"),
        Just("'"),
        Just("#"),
        Just("\\"),
        Just("\t"),
        Just("whole"),
        Just("10 ^ 15"),
        Just("(((((("),
        Just("~"),
        Just("? "),
        Just("| "),
        Just("\r\n"),
        Just("if(i, 1, "),
        Just(" == "),
        Just("base_time"),
        Just("{ gather: i, element: 8 }"),
        Just("matrix: x\n"),
        Just("threads"),
        Just("construct: barrier\n"),
        Just("random(k, 1)"),
        Just("depth"),
        Just("1..100000"),
        Just("1..9*2"),
        Just("default"),
        Just("{ from: 1, to: 8, count: 100000 }"),
        Just("5 %"),
    ];
    let edit = (0..text.len(), 0..40_usize, snippet);
    prop::collection::vec(edit, 1..6).prop_map(move |edits| {
        let mut bytes = text.as_bytes().to_vec();
        for (at, length, snippet) in edits {
            let at = at.min(bytes.len());
            let end = (at + length).min(bytes.len());
            bytes.splice(at..end, snippet.bytes());
        }
        bytes
    })
}
