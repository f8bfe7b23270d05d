//! Flags of `numalab plot`.

use super::view::Results;
use crate::output::Destination;
use clap::{Args, ValueHint};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Plot {
    #[command(flatten)]
    pub rows: Results,

    /// Column on the horizontal axis
    #[arg(long, value_name = "COLUMN")]
    pub x: String,

    /// Column on the vertical axis
    #[arg(long, value_name = "COLUMN", default_value = "makespan")]
    pub y: String,

    /// One line, or one bar in each group, per value of this column; "file" separates the files
    #[arg(long, visible_alias = "colour", value_name = "COLUMN")]
    pub color: Option<String>,

    /// One panel per value of this column
    #[arg(long, value_name = "COLUMN")]
    pub facet: Option<String>,

    /// Logarithmic horizontal axis
    #[arg(long)]
    pub log_x: bool,

    /// Logarithmic vertical axis, which then does not begin at 0
    #[arg(long)]
    pub log_y: bool,

    /// Give each panel a vertical axis of its own
    #[arg(long)]
    pub free_y: bool,

    /// Title [default: the columns, and the workload and the machine if they are the same
    /// everywhere]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,

    /// Write the picture to FILE, as HTML if it ends in .html; "-" is standard output
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  numalab plot results.csv --x threads --color policy --facet machine --log-x -o policies.svg
  numalab plot results.csv --x policy --only machine=bcs16 --only threads=128 -o policies.html
  numalab plot results.csv --x threads --y bytes_machine --color placement --only policy=static > far.svg
  numalab plot before.csv after.csv --x policy --color file --facet machine -o changed.html";

impl Plot {
    pub fn destination(&self) -> Destination {
        self.output.clone().map_or(Destination::Stdout, Destination::from)
    }

    /// True if the picture is an HTML page.
    pub fn html(&self) -> bool {
        self.ending().is_some_and(|ending| ["html", "htm"].contains(&&*ending))
    }

    /// Ending of the output's name if it is neither SVG nor HTML; otherwise `None`.
    pub fn other_ending(&self) -> Option<String> {
        self.ending().filter(|ending| !["html", "htm", "svg", "xml"].contains(&&**ending))
    }

    fn ending(&self) -> Option<String> {
        Some(self.output.as_ref()?.extension()?.to_str()?.to_ascii_lowercase())
    }
}
