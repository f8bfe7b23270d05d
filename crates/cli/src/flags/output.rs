//! `--format` and `--output`, the same for every command that has results.

use crate::output::Destination;
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;

/// Format of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For reading.
    Table,
    /// One object, every number in full.
    Json,
    /// For a spreadsheet or a data frame.
    Csv,
}

/// Format and place of results.
#[derive(Debug, Args)]
pub struct Output {
    /// Format of the results [default: table, or what the ending of --output says]
    #[arg(long, value_enum)]
    format: Option<Format>,

    /// Write the results to FILE instead of standard output; "-" is standard output
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

impl Output {
    /// Destination of the results.
    pub fn destination(&self) -> Destination {
        self.output.clone().map_or(Destination::Stdout, Destination::from)
    }

    /// As asked for; else as the file's name says.
    pub fn format(&self) -> Format {
        let ending = || self.output.as_ref()?.extension()?.to_str();
        self.format.unwrap_or_else(|| match ending() {
            Some("json") => Format::Json,
            Some("csv") => Format::Csv,
            _ => Format::Table,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_wins_over_the_ending() {
        let format = |format, file: &str| Output { format, output: Some(file.into()) }.format();
        assert_eq!(format(None, "a.json"), Format::Json);
        assert_eq!(format(None, "a.csv"), Format::Csv);
        assert_eq!(format(None, "-"), Format::Table);
        assert_eq!(format(Some(Format::Table), "a.json"), Format::Table);
    }
}
