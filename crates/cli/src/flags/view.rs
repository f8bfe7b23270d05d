//! Flags shared by `plot`, `rank` and `pareto`: files of results, row filters, table formats.

use super::output::ending;
use crate::output::Destination;
use clap::{Args, ValueEnum, ValueHint};
use numalab_results::Better;
use numalab_sweep::view::Only;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct Results {
    /// Results of sweeps: CSV, JSON Lines or Parquet. Rows of several files are merged; a row that
    /// occurs in several counts once
    #[arg(required = true, value_name = "RESULTS", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,

    /// Only rows with one of these values, such as policy=static,numa-steal:* ("*" matches any
    /// text); repeat it for other columns
    #[arg(long, value_name = "COLUMN=VALUE,…")]
    pub only: Vec<Only>,
}

#[derive(Debug, Args)]
pub struct ViewOutput {
    /// Format of the results [default: table, or what the ending of --output says]
    #[arg(long, value_enum)]
    format: Option<ViewFormat>,

    /// Write the results to FILE instead of standard output; "-" is standard output
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ViewFormat {
    /// For reading.
    Table,
    /// For a pull request or a page.
    Markdown,
    /// One object, numbers in full precision.
    Json,
    /// For a spreadsheet or a data frame.
    Csv,
}

/// Direction in which values improve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BetterWord {
    /// Smaller values are better.
    Less,
    /// Larger values are better.
    More,
}

impl From<BetterWord> for Better {
    fn from(word: BetterWord) -> Better {
        match word {
            BetterWord::Less => Better::Less,
            BetterWord::More => Better::More,
        }
    }
}

/// Form of an explanation: a format, or a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Explained {
    Text(ViewFormat),
    /// Report for a browser.
    Html,
}

impl ViewOutput {
    /// Form and destination of an explanation, from `--format` and `--output`.
    pub fn seen(&self) -> (Explained, Destination) {
        let ending = self.output.as_deref().and_then(ending);
        let form = match (self.format, ending.as_deref()) {
            (None, Some("html" | "htm")) => Explained::Html,
            (Some(_) | None, _) => Explained::Text(self.format()),
        };
        (form, self.destination())
    }

    pub fn destination(&self) -> Destination {
        self.output.clone().map_or(Destination::Stdout, Destination::from)
    }

    /// The format of `--format`, otherwise that of the file name's ending.
    pub fn format(&self) -> ViewFormat {
        let ending = || self.output.as_ref()?.extension()?.to_str();
        self.format.unwrap_or_else(|| match ending() {
            Some("md") => ViewFormat::Markdown,
            Some("json") => ViewFormat::Json,
            Some("csv") => ViewFormat::Csv,
            _ => ViewFormat::Table,
        })
    }
}
