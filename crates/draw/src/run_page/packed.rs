//! Compact encoding of the page's content: spans as variable-length numbers, series as steps
//! relative to their maximum, all deflated. Browsers inflate without a library.

use numalab_results::Timeline;

/// Compresses JSON to a text that the page's scripts decode.
pub(super) fn text(json: &serde_json::Value) -> String {
    let level = 9;
    base64(&miniz_oxide::deflate::compress_to_vec_zlib(json.to_string().as_bytes(), level))
}

/// Encodes values as numbers of steps between 0 and `most`, one character per value.
pub(super) fn steps(values: &[f64], most: f64) -> String {
    let step = |value: &f64| match most > 0.0 {
        true => (value / most * STEPS).round().clamp(0.0, STEPS) as u8,
        false => 0,
    };
    values.iter().map(|value| char::from(FIRST + step(value))).map(plain).collect()
}

/// Number of steps between zero and the maximum. A number of steps is encoded as the character at this distance from
/// [`FIRST`].
const STEPS: f64 = 89.0;
/// Character that encodes zero.
const FIRST: u8 = b'$';

/// Replaces the backslash, which JSON would escape, by `~`, which is above all other characters of the encoding.
fn plain(character: char) -> char {
    if character == '\\' { '~' } else { character }
}

/// Encodes the spans of all threads: for each thread the number of spans, then length (in units of `unit_ps`) and
/// kind of each span.
pub(super) fn spans(timeline: &Timeline, unit_ps: u64) -> String {
    let mut bytes = Vec::new();
    for thread in 0..timeline.threads.len() {
        let at = |ps: u64| (ps - timeline.from_ps) / unit_ps;
        let parts: Vec<(u64, u32)> = timeline
            .spans_of(thread)
            .map(|(from, span)| (at(span.to_ps) - at(from), span.kind))
            .filter(|(long, _)| *long > 0)
            .collect();
        varint(&mut bytes, parts.len() as u64);
        for (long, kind) in parts {
            varint(&mut bytes, long);
            varint(&mut bytes, u64::from(kind));
        }
    }
    base64(&bytes)
}

fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let at = |place: usize| u32::from(chunk.get(place).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for place in 0..4 {
            text.push(match place <= chunk.len() {
                true => char::from(LETTERS[(bits >> (18 - 6 * place) & 63) as usize]),
                false => '=',
            });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    // Examples of RFC 4648, section 10.
    #[test]
    fn base64_is_the_usual_one() {
        let texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|text| base64(text.as_bytes()));
        assert_eq!(texts, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]);
    }

    #[test]
    fn steps_are_one_character_each() {
        assert_eq!(steps(&[0.0, 1.0, 2.0], 2.0), "$Q}");
        assert_eq!(steps(&[0.0, 0.0], 0.0), "$$");
        let all: Vec<f64> = (0..=89).map(f64::from).collect();
        let text = steps(&all, 89.0);
        let different: std::collections::BTreeSet<char> = text.chars().collect();
        assert_eq!((text.len(), different.len()), (90, 90));
        assert!(!text.contains(['"', '\\']));
    }
}
