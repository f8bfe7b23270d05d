//! Sets of processors in the formats of Linux and hwloc: `0-3,8` and `0xf00,0x0000000f`.

use super::MAX_NUMBER;
use std::collections::BTreeSet;

/// Parses a list such as `0-3,8,10-11` (`cpulist`); an empty text is an empty set. `None` if malformed.
pub fn list(text: &str) -> Option<BTreeSet<u32>> {
    let mut set = BTreeSet::new();
    for part in text.trim().split(',').map(str::trim) {
        if part.is_empty() && text.trim().is_empty() {
            break;
        }
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (number(first)?, number(last)?);
        if first > last {
            return None;
        }
        set.extend(first..=last);
    }
    Some(set)
}

/// Parses a bitmap in groups of 32 bits, the highest first, as in `shared_cpu_map` and in hwloc's XML, whose groups
/// begin with `0x` and may be empty if 0. `None` if malformed or endless (`0xf...f`).
pub fn bitmap(text: &str) -> Option<BTreeSet<u32>> {
    let mut set = BTreeSet::new();
    // A single number of any length, as taskset writes it.
    let whole = text.trim().trim_start_matches("0x");
    if whole.len() > 8 && !whole.contains(',') {
        for (place, digit) in (0..).zip(whole.chars().rev()) {
            let bits = digit.to_digit(16)?;
            for bit in (0..4).filter(|bit| bits >> bit & 1 == 1) {
                let number = u32::checked_mul(place, 4)?.checked_add(bit)?;
                set.insert(Some(number).filter(|number| *number < MAX_NUMBER)?);
            }
        }
        return Some(set);
    }
    for (group, word) in text.trim().rsplit(',').enumerate() {
        let digits = word.trim().trim_start_matches("0x");
        if digits.is_empty() {
            continue;
        }
        let bits = u32::from_str_radix(digits, 16).ok()?;
        let first = u32::try_from(group).ok()?.checked_mul(32)?;
        for bit in (0..32).filter(|bit| bits >> bit & 1 == 1) {
            set.insert(first.checked_add(bit).filter(|number| *number < MAX_NUMBER)?);
        }
    }
    Some(set)
}

/// Parses the number of a processor or a node.
pub fn number(text: &str) -> Option<u32> {
    text.trim().parse().ok().filter(|number| *number < MAX_NUMBER)
}

/// Parses a size: `48K`, `2048 kB`, `32M`, or bytes.
pub fn size(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let shift = match text[digits..].trim().trim_end_matches(['B', 'b', 'i']) {
        "" => 0,
        "K" | "k" => 10,
        "M" => 20,
        "G" => 30,
        _ => return None,
    };
    text[..digits].parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// Clock in hertz at the end of a processor's name: `Intel(R) Xeon(R) CPU X7550 @ 2.00GHz`.
pub fn clock_in(model: &str) -> Option<f64> {
    let (_, clock) = model.rsplit_once('@')?;
    let gigahertz: f64 = clock.trim().strip_suffix("GHz")?.trim().parse().ok()?;
    (gigahertz.is_finite() && gigahertz > 0.0).then_some(gigahertz * 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(numbers: &[u32]) -> Option<BTreeSet<u32>> {
        Some(numbers.iter().copied().collect())
    }

    #[test]
    fn lists_are_ranges_and_numbers() {
        assert_eq!(list("0-2,8\n"), set(&[0, 1, 2, 8]));
        assert_eq!(list(" \n"), set(&[]));
        for wrong in ["0-", "3-1", "a", "0,,1", "1,", "0-4294967295", "65536", "-1", "0x3"] {
            assert_eq!(list(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn bitmaps_have_the_highest_group_first() {
        assert_eq!(bitmap("0x00000003"), set(&[0, 1]));
        assert_eq!(bitmap("00000001,80000000"), set(&[31, 32]));
        assert_eq!(bitmap("0x1,,0x2"), set(&[1, 64]));
        assert_eq!(bitmap("0x0"), set(&[]));
        assert_eq!(bitmap("0x100000000"), set(&[32]));
        assert_eq!(bitmap("8000000000000001"), set(&[0, 63]));
        for wrong in ["0xf...f", "g", "0x100000000,0x1", "0x00000000g", "1 2"] {
            assert_eq!(bitmap(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn sizes_and_clocks() {
        assert_eq!(size("48K\n"), Some(49152));
        assert_eq!(size("25276500 kB"), Some(25_276_500 << 10));
        assert_eq!(size("7"), Some(7));
        for wrong in ["", "K4", "4T", "-4K", "99999999999999999999", "99999999999G"] {
            assert_eq!(size(wrong), None, "{wrong}");
        }
        assert_eq!(clock_in("Intel(R) Xeon(R) CPU X7550 @ 2.00GHz"), Some(2e9));
        assert_eq!(clock_in("AMD EPYC 7551 32-Core Processor"), None);
        assert_eq!(clock_in("x @ -1GHz"), None);
    }
}
