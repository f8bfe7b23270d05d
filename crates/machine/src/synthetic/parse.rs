//! Parses the text of a synthetic machine.

use super::{SyntheticError, defaults, hwloc};
use crate::LevelKind;
use numalab_base::Bytes;
use std::ops::Range;

pub(super) struct LevelSpec {
    pub kind: LevelKind,
    pub count: u32,
    /// Dimensions of a torus; `None` if the count is written as one number.
    pub torus: Option<Vec<u32>>,
    /// Text of the count, as written.
    pub text: String,
    /// Byte range of the whole word in the text.
    pub span: Range<usize>,
}

pub(super) struct SyntheticSpec {
    pub levels: Vec<LevelSpec>,
    pub threads: u32,
    /// Memory of a node, if it is stated.
    pub capacity: Option<Bytes>,
    /// Stated sizes of caches by level.
    pub caches: Vec<(u8, Bytes)>,
}

const EXAMPLE: &str = "such as \"board:4 socket:4 core:8\"";

pub(super) fn error<T>(span: Range<usize>, message: impl Into<String>) -> Result<T, SyntheticError> {
    expecting(span, message, "")
}

/// An error with the correct text.
fn expecting<T>(
    span: Range<usize>,
    message: impl Into<String>,
    expected: impl Into<String>,
) -> Result<T, SyntheticError> {
    Err(SyntheticError::new(span, message, expected))
}

pub(super) fn parse(spec: &str) -> Result<SyntheticSpec, SyntheticError> {
    if hwloc::is_meant(spec) {
        return hwloc::parse(spec);
    }
    let mut parsed =
        SyntheticSpec { levels: Vec::new(), threads: defaults::THREADS, capacity: None, caches: Vec::new() };
    let mut threads_seen = false;
    for (span, word) in words(spec) {
        let Some((name, count)) = word.split_once(':') else {
            return error(span, format!("expected a level and its count, {EXAMPLE}"));
        };
        let name_span = span.start..span.start + name.len();
        let count_span = name_span.end + 1..span.end;
        let cores_seen = parsed.levels.last().is_some_and(|part: &LevelSpec| part.kind == LevelKind::Core);
        if name == "thread" {
            if !cores_seen || threads_seen {
                return error(span, "threads come once, right after the cores, as in \"core:8 thread:2\"");
            }
            threads_seen = true;
            parsed.threads = number(count, &count_span)?;
            continue;
        }
        let Some(kind) = LevelKind::from_name(name) else { return Err(unknown(name, name_span)) };
        match parsed.levels.last() {
            Some(outer) if outer.kind == kind => {
                return error(name_span, format!("{kind} appears twice"));
            }
            Some(outer) if outer.kind > kind => {
                let outer = outer.kind;
                return expecting(
                    name_span,
                    format!("{kind} cannot lie inside {outer}"),
                    format!("write it before {outer}"),
                );
            }
            _ => {}
        }
        let (number, torus) = counts(kind, count, &count_span)?;
        parsed.levels.push(LevelSpec { kind, count: number, torus, text: count.to_owned(), span });
    }
    match parsed.levels.last() {
        None => error(0..spec.len(), format!("expected levels and their counts, {EXAMPLE}")),
        Some(last) if last.kind != LevelKind::Core => {
            error(spec.len()..spec.len(), format!("the last level must be core, {EXAMPLE}"))
        }
        Some(_) => Ok(parsed),
    }
}

/// Words between white space, each with its byte range in the text.
fn words(spec: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    spec.split_whitespace().map(|word| {
        let start = word.as_ptr().addr() - spec.as_ptr().addr();
        (start..start + word.len(), word)
    })
}

fn unknown(name: &str, span: Range<usize>) -> SyntheticError {
    let names: Vec<&str> = LevelKind::ALL.into_iter().map(LevelKind::name).chain(["thread"]).collect();
    let expected = format!("expected one of {}", names.join(", "));
    SyntheticError { names, ..SyntheticError::new(span, format!("unknown level \"{name}\""), expected) }
}

/// Parses a count, or the dimensions of a torus. Returns the count, which is their product, and the dimensions.
fn counts(
    kind: LevelKind,
    text: &str,
    span: &Range<usize>,
) -> Result<(u32, Option<Vec<u32>>), SyntheticError> {
    if !text.contains('x') {
        return Ok((number(text, span)?, None));
    }
    if !kind.holds_memory() {
        return expecting(
            span.clone(),
            "a torus joins boards, sockets or nodes",
            format!("write {kind} as one number"),
        );
    }
    let (mut dims, mut start) = (Vec::new(), span.start);
    for size in text.split('x') {
        dims.push(number(size, &(start..start + size.len()))?);
        start += size.len() + 1;
    }
    match dims.iter().try_fold(1u32, |product, size| product.checked_mul(*size)) {
        Some(product) => Ok((product, Some(dims))),
        None => error(span.clone(), format!("the dimensions of {text} multiply to more than 4294967295")),
    }
}

pub(super) fn number(text: &str, span: &Range<usize>) -> Result<u32, SyntheticError> {
    if text.is_empty() {
        return error(span.clone(), format!("a count is missing, {EXAMPLE}"));
    }
    if !text.starts_with(|first: char| first.is_ascii_digit())
        || !text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_')
    {
        return error(span.clone(), format!("\"{text}\" is not a whole number"));
    }
    match numalab_base::parse_count(text).ok().map(u32::try_from) {
        Some(Ok(0)) => error(span.clone(), "a count must be at least 1"),
        Some(Ok(number)) => Ok(number),
        _ => expecting(span.clone(), format!("\"{text}\" is too large"), "at most 4294967295"),
    }
}
