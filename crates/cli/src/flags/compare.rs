//! Flags of `numalab compare`.

use super::Output;
use clap::{Args, ValueHint};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Compare {
    /// Earlier results: CSV, JSON Lines or Parquet
    #[arg(value_name = "A", value_hint = ValueHint::FilePath)]
    pub a: PathBuf,

    /// Later results
    #[arg(value_name = "B", value_hint = ValueHint::FilePath)]
    pub b: PathBuf,

    /// Compare only this column; repeat it for more [default: the makespan and all measures]
    #[arg(long = "measure", value_name = "NAME")]
    pub measures: Vec<String>,

    /// Ignore relative differences up to this, such as "1%" [default: any difference counts]
    #[arg(long, value_name = "PERCENT", value_parser = fraction, default_value = "0%", hide_default_value = true)]
    pub within: f64,

    /// Exit with status 1 if anything changed, or if a point is in only one of the files
    #[arg(long)]
    pub exit_code: bool,

    #[command(flatten)]
    pub output: Output,
}

const EXAMPLES: &str = "\
Examples:
  numalab compare before.csv after.csv
  numalab compare before.parquet after.csv --within 1% --exit-code
      Fails if a point changed by more than 1 %.
  numalab compare before.csv after.csv --measure stolen --format json";

/// Parses a fraction such as `1%`, `1 %` or `0.01`.
fn fraction(text: &str) -> Result<f64, String> {
    let (number, whole) = match text.trim().strip_suffix('%') {
        Some(number) => (number.trim_end(), 100.0),
        None => (text.trim(), 1.0),
    };
    match number.parse::<f64>() {
        // A bare 5 would mean 500 % and hide every change.
        Ok(value) if whole == 1.0 && (1.0..=1e5).contains(&value) => {
            Err(format!("write {value}% for a percentage"))
        }
        // Larger than a factor of 1000, or smaller than the precision of a makespan: a typing
        // error.
        Ok(value) if value == 0.0 || (1e-13..=1e5).contains(&value) => Ok(value / whole),
        _ => Err("expected a percentage such as 1%, or a fraction such as 0.01".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::fraction;

    #[test]
    fn percentages_and_fractions() {
        for beyond in ["1e400", "1e308", "1e308%", "1e-320", "nan", "-1"] {
            assert!(fraction(beyond).unwrap_err().starts_with("expected a percentage"), "{beyond}");
        }
        for (text, value) in [("1%", 0.01), ("0.5 %", 0.005), ("0.02", 0.02), (" 0 ", 0.0)] {
            assert_eq!(fraction(text), Ok(value), "{text}");
        }
        for text in ["", "%", "-1%", "nan", "inf%", "1 % %", "5", "inf", "1e308%", "1e-320%"] {
            assert!(fraction(text).is_err(), "{text}");
        }
    }
}
