//! `numalab plot`.

use super::view::Results;
use crate::output::Destination;
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// Draw results of a sweep: one column over another, as SVG or as a page of HTML
///
/// Over numbers lines are drawn, over words bars, always of the median of replicas, with a band or a line from the
/// least of them to the most. Columns go by their names, with or without the unit: "makespan" is "makespan_ps",
/// "packages" is "workload.packages". Whatever differs between points has to be shown by an axis, a colour or a
/// panel, or chosen with --only, so that no mark mixes points.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Plot {
    #[command(flatten)]
    pub rows: Results,

    /// The column along the horizontal axis
    #[arg(long, value_name = "COLUMN")]
    pub x: String,

    /// The column along the vertical axis
    #[arg(long, value_name = "COLUMN", default_value = "makespan")]
    pub y: String,

    /// A line, or a bar in each group, for each value of this column; "file" tells the files apart
    #[arg(long, visible_alias = "colour", value_name = "COLUMN")]
    pub color: Option<String>,

    /// A panel for each value of this column
    #[arg(long, value_name = "COLUMN")]
    pub facet: Option<String>,

    /// Equal factors are equal lengths along the horizontal axis
    #[arg(long)]
    pub log_x: bool,

    /// Equal factors are equal lengths along the vertical axis, which then does not begin at 0
    #[arg(long)]
    pub log_y: bool,

    /// Give each panel a vertical axis of its own
    #[arg(long)]
    pub free_y: bool,

    /// Title [default: the columns, and the workload and the machine if these are the same for all]
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
    /// Destination of the picture.
    pub fn destination(&self) -> Destination {
        self.output.clone().map_or(Destination::Stdout, Destination::from)
    }

    /// Whether the picture is for a browser.
    pub fn html(&self) -> bool {
        self.ending().is_some_and(|ending| ["html", "htm"].contains(&&*ending))
    }

    /// The ending of the file's name, if it means another kind of picture.
    pub fn other_ending(&self) -> Option<String> {
        self.ending().filter(|ending| !["html", "htm", "svg", "xml"].contains(&&**ending))
    }

    fn ending(&self) -> Option<String> {
        Some(self.output.as_ref()?.extension()?.to_str()?.to_ascii_lowercase())
    }
}
