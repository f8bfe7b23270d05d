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
    /// Most by which rounding may have changed `bytes`.
    pub rounded: f64,
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
    let unit_bytes = f64::from(1_u32 << shift);
    let bytes = value * unit_bytes;
    // One decimal is printed, and none if it is zero.
    let rounded = if shift == 0 { 0.0 } else { 0.05 * unit_bytes };
    let told = match told {
        Some(count) => StatedFor::Instances(count),
        // Old versions wrote units of one letter.
        None if unit.len() == 1 && unit != "B" => StatedFor::Each,
        None => StatedFor::All,
    };
    Ok((bytes >= 1.0).then_some(Size { level, bytes, rounded, told, line: field.span }))
}

/// Bytes of each of `count` caches. Sums are printed with one decimal: of all sizes whose sum is printed so, the one
/// that the highest power of two divides, since caches have such sizes.
pub fn of_one(size: &Size, count: usize) -> u64 {
    if size.told == StatedFor::Each {
        return size.bytes as u64;
    }
    let count = count.max(1) as f64;
    let (mean, slack) = (size.bytes / count, size.rounded / count * (1.0 + 1e-6));
    let round = |shift: u32| {
        let step = (1_u64 << shift) as f64;
        let one = (mean / step).round() * step;
        (one > 0.0 && (one - mean).abs() <= slack).then_some(one as u64)
    };
    // Sums of different sizes have no common one: the mean in KiB.
    (10..40).rev().find_map(round).unwrap_or_else(|| ((mean / 1024.0).round() as u64).max(1) << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text of a sum as lscpu prints it.
    fn printed(bytes: u64) -> (f64, f64) {
        let unit = match bytes {
            bytes if bytes >= 1 << 30 => 1 << 30,
            bytes if bytes >= 1 << 20 => 1 << 20,
            _ => 1 << 10,
        } as f64;
        ((bytes as f64 / unit * 10.0).round() / 10.0 * unit, 0.05 * unit)
    }

    /// Sizes of caches that are sold come back from sums over all usual numbers of cores.
    #[test]
    fn rounded_sums_give_the_size_back() {
        for (level, kib) in
            [(1, 32), (1, 48), (1, 64), (1, 128), (2, 256), (2, 512), (2, 1024), (2, 1280), (2, 2048)]
        {
            for count in 1..=192_usize {
                let (bytes, rounded) = printed((kib << 10) * count as u64);
                let size = Size {
                    level,
                    bytes,
                    rounded,
                    told: StatedFor::Instances(count as u32),
                    line: Default::default(),
                };
                assert_eq!(of_one(&size, count), kib << 10, "{kib} KiB x {count}");
            }
        }
        for kib in [
            16384, 19712, 22528, 25344, 28160, 30720, 30976, 32768, 36608, 39424, 46080, 61440, 107520,
            115200,
        ] {
            for count in [1, 2, 4, 8] {
                let (bytes, rounded) = printed((kib << 10) * count as u64);
                let size = Size { level: 3, bytes, rounded, told: StatedFor::All, line: Default::default() };
                assert_eq!(of_one(&size, count), kib << 10, "{kib} KiB x {count}");
            }
        }
    }
}
