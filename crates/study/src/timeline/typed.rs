//! Parses the flags that limit a trace.

use numalab_base::{Bytes, Span};
use std::ops::Range;

/// Parses a window such as `0.2s..0.3s`. The result is in picoseconds.
pub fn trace_window(text: &str) -> Result<Range<u64>, String> {
    let (from, to) = text.split_once("..").ok_or("expected two times, such as 0.2s..0.3s")?;
    let time = |text: &str| text.trim().parse::<Span>().map_err(|error| error.to_string());
    let (Span(from), Span(to)) = (time(from)?, time(to)?);
    match from < to {
        true => Ok(from..to),
        false => Err("the window ends before it begins".to_owned()),
    }
}

/// Parses a size limit such as `64MB`. The result is in bytes.
pub fn trace_limit(text: &str) -> Result<u64, String> {
    let Bytes(bytes) = text.parse().map_err(|error: numalab_base::ParseError| error.to_string())?;
    match bytes >= 1 << 16 {
        true => Ok(bytes),
        false => Err("at least 64 KiB, such as 64MB".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_and_limits_are_read() {
        assert_eq!(trace_window("0.2s..0.3 s"), Ok(200_000_000_000..300_000_000_000));
        assert_eq!(trace_limit("64MB"), Ok(64_000_000));
        for wrong in ["1s", "1s..", "2s..1s", "1..2"] {
            assert!(trace_window(wrong).is_err(), "{wrong}");
        }
        assert!(trace_limit("1kB").is_err());
    }
}
