//! A result as a line of a part file: a JSON object that starts with the key and ends with a checksum of the text
//! before the checksum.

use crate::key::{ENGINE, Key};
use crate::point_result::PointResult;
use serde::Serialize;

#[derive(Serialize)]
struct Record<'a> {
    key: String,
    engine: &'a str,
    #[serde(flatten)]
    outcome: &'a PointResult,
}

const BEFORE_KEY: &[u8] = b"{\"key\":\"";
const BEFORE_SUM: &[u8] = b",\"sum\":\"";
const AFTER_SUM: &[u8] = b"\"}";
const SUM_DIGITS: usize = 16;

/// Line of a part file for a result, with its newline.
pub(super) fn write(key: Key, outcome: &PointResult) -> Vec<u8> {
    let record = Record { key: key.to_string(), engine: ENGINE, outcome };
    let mut text = serde_json::to_vec(&record).expect("records serialise into memory");
    text.pop();
    let sum = sum(&text);
    text.extend_from_slice(BEFORE_SUM);
    text.extend_from_slice(format!("{sum:016x}").as_bytes());
    text.extend_from_slice(AFTER_SUM);
    text.push(b'\n');
    text
}

/// Key and checksum of a line without its newline; `None` if the line is damaged.
pub(super) fn check(text: &[u8]) -> Option<(Key, u64)> {
    let key = text.strip_prefix(BEFORE_KEY)?.get(..Key::DIGITS)?;
    let (body, end) = text.split_at_checked(text.len().checked_sub(SUM_DIGITS + AFTER_SUM.len())?)?;
    let body = body.strip_suffix(BEFORE_SUM)?;
    let stored = u64::from_str_radix(std::str::from_utf8(end.strip_suffix(AFTER_SUM)?).ok()?, 16).ok()?;
    (stored == sum(body)).then_some((Key::parse(key)?, stored))
}

/// Parses the result in a line that `check` has accepted.
pub(super) fn read(text: &[u8]) -> serde_json::Result<PointResult> {
    serde_json::from_slice(text)
}

fn sum(text: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&blake3::hash(text).as_bytes()[..8]);
    u64::from_be_bytes(bytes)
}
