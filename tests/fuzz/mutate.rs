//! Damage to files: changed, removed and inserted bytes; pieces of other files; words that readers know.

use crate::chance::Chance;

/// Pieces of text that often break readers: bounds of number types, punctuation of formats, first words of lines.
pub const WORDS: &[&str] = &[
    "-1",
    "0",
    "1e308",
    "-1e308",
    "1e-320",
    "nan",
    "inf",
    "18446744073709551615",
    "99999999999999999999",
    "4294967296",
    "1e999",
    "0x10",
    "1_000",
    "-0",
    "1 GB",
    "1e300 GB",
    "\"",
    "'",
    "[",
    "]",
    "{",
    "}",
    "(",
    "((((((((",
    ":",
    ": ",
    ",",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "\0",
    "é",
    "\u{feff}",
    "\u{202e}",
    "#",
    "<",
    ">",
    "/>",
    "&amp;",
    "&x;",
    "<!--",
    "&a ",
    "*a",
    "- ",
    "---\n",
    "? ",
    "| ",
    "!t ",
    "~",
    "%",
    "%%",
    "\\",
    "\\u0000",
    "null",
    "true",
    "i / 0",
    "10 ^ 15",
    "if(i, 1, ",
    "random(k, 1)",
    "threads",
    "..",
    "1..1000000000",
    "1..9*1",
    "[[level]]\n",
    "[x]\n",
    "=",
    "a = ",
    "default",
    "whole",
    "5 %",
    "repeat: 1000000000000\n",
    "count = 4294967295\n",
    "from: 1\nto: 1e18\n",
];

/// A damaged copy of `seed`, possibly with pieces of `other`.
pub fn damaged(seed: &[u8], other: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..1 + chance.below(5) {
        let at = chance.below(bytes.len() + 1);
        let end = (at + chance.below(40)).min(bytes.len());
        match chance.below(9) {
            // Inverts a bit.
            0 if at < bytes.len() => bytes[at] ^= 1 << chance.below(8),
            // Replaces a byte.
            1 if at < bytes.len() => bytes[at] = chance.below(256) as u8,
            // Removes a range.
            2 => drop(bytes.drain(at..end)),
            // Repeats a range, twice or often.
            3 => {
                let times = [1, 2, 100][chance.below(3)];
                let piece = bytes[at..end].repeat(times);
                bytes.splice(at..at, piece);
            }
            // Truncates the file.
            4 if chance.odds(1, 4) => bytes.truncate(at),
            // Inserts a range of another file.
            5 if !other.is_empty() => {
                let from = chance.below(other.len());
                let to = (from + chance.below(200)).min(other.len());
                bytes.splice(at..end, other[from..to].iter().copied());
            }
            // Replaces a number.
            6 => number(&mut bytes, at, chance),
            // Inserts a word, or replaces a range by it.
            7 => {
                let word = WORDS[chance.below(WORDS.len())];
                bytes.splice(at..end, word.bytes());
            }
            _ => {
                let word = WORDS[chance.below(WORDS.len())];
                bytes.splice(at..at, word.bytes());
            }
        }
    }
    bytes
}

/// Replaces the first number at or after byte `at`.
fn number(bytes: &mut Vec<u8>, at: usize, chance: &mut Chance) {
    let Some(begin) = (at..bytes.len()).find(|place| bytes[*place].is_ascii_digit()) else { return };
    let end = (begin..bytes.len()).find(|place| !bytes[*place].is_ascii_digit()).unwrap_or(bytes.len());
    let numbers = [
        "0",
        "1",
        "2",
        "-1",
        "255",
        "65536",
        "4294967295",
        "9007199254740993",
        "1e18",
        "1e308",
        "0.5",
        "1e-320",
    ];
    let number = numbers[chance.below(numbers.len())];
    bytes.splice(begin..end, number.bytes());
}
