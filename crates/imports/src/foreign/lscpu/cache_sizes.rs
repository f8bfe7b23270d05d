//! Sizes of caches: `32K` (each cache), `1 MiB` (all caches), `1 MiB (32 instances)`.

use super::super::number::{index, number, with_point};
use super::fields::{Field, is_cache};
use numalab_syntax::cells::Cell;
use numalab_syntax::diagnostics::Diagnostic;

/// Stated size of the caches of one level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Level of the caches; level 1 is next to the core.
    pub level: u8,
    /// Bytes of one cache, or of several caches together, as `told` says.
    pub bytes: f64,
    pub told: StatedFor,
    pub line: numalab_syntax::tree::TextRange,
}

/// Number of caches that a stated size includes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatedFor {
    /// The size is that of each cache (up to util-linux 2.33).
    Each,
    /// The size is the sum over all caches, of unknown number (2.34 to 2.36).
    All,
    /// The size is the sum over this many caches (2.37 and later).
    Instances(u32),
}

/// Sizes of data and unified caches, by level.
pub fn sizes(fields: &[Field]) -> Result<Vec<Size>, Vec<Diagnostic>> {
    let mut sizes = Vec::new();
    for field in fields.iter().filter(|field| is_cache(&field.key) && !field.key.ends_with('i')) {
        if let Some(size) = size(field).map_err(|error| vec![error])? {
            sizes.push(size);
        }
    }
    sizes.sort_by_key(|size: &Size| size.level);
    sizes.dedup_by_key(|size| size.level);
    Ok(sizes)
}

fn size(field: &Field) -> Result<Option<Size>, Diagnostic> {
    let level = field.key.as_bytes().get(1).map_or(0, |digit| digit - b'0');
    let (text, told) = match field.value.split_once('(') {
        Some((text, count)) => {
            let count = count.split_whitespace().next().unwrap_or_default();
            let count = index(Cell { text: count, span: field.span }, "\"(… instances)\"")?;
            (text.trim(), Some(count))
        }
        None => (field.value.trim(), None),
    };
    if text.is_empty() || text == "-" || told == Some(0) {
        return Ok(None);
    }
    let end = text.find(|c: char| c.is_alphabetic()).unwrap_or(text.len());
    let (value, unit) = (text[..end].trim(), text[end..].trim());
    let shift = match unit {
        "" | "B" | "bytes" => 0,
        "K" | "KiB" | "kB" | "KB" => 10,
        "M" | "MiB" | "MB" => 20,
        "G" | "GiB" | "GB" => 30,
        _ => {
            let message = format!("`{}` is no size", numalab_syntax::tree::shorten(text));
            return Err(field.refused(message, "expected a size, such as 32K or 1.5 MiB"));
        }
    };
    let local = with_point(value);
    let value = number(Cell { text: local.as_deref().unwrap_or(value), span: field.span }, "a size")?;
    let bytes = value * f64::from(1_u32 << shift);
    let told = match told {
        Some(count) => StatedFor::Instances(count),
        // Old versions wrote units of one letter.
        None if unit.len() == 1 && unit != "B" => StatedFor::Each,
        None => StatedFor::All,
    };
    Ok((bytes >= 1.0).then_some(Size { level, bytes, told, line: field.span }))
}

/// Bytes of each of `count` caches. Sums are printed with a decimal of MiB, so the result is rounded to KiB.
pub fn of_one(size: &Size, count: usize) -> u64 {
    let bytes = if size.told == StatedFor::Each { size.bytes } else { size.bytes / count.max(1) as f64 };
    if bytes.fract() == 0.0 { bytes as u64 } else { ((bytes / 1024.0).round() as u64).max(1) << 10 }
}
