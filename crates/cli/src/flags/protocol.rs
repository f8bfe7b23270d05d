//! Flags of `numalab protocol`.

use crate::output::Destination;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum, ValueHint};
use numalab_machine::Protocol as Name;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Protocol {
    /// Protocol to print
    #[arg(value_parser = names())]
    pub name: Name,

    /// Format of the table [default: table, or what the ending of --output says]
    #[arg(long, value_enum)]
    format: Option<ProtocolFormat>,

    /// Write the table to FILE instead of standard output; "-" is standard output
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,

    /// Also write the states and transitions for Graphviz to FILE; "-" is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub dot: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  numalab protocol mesif
  numalab protocol moesi --format csv -o moesi.csv
      Includes the combinations that never occur, with reasons.
  numalab protocol mesif -o mesif.md
      Includes the meaning of every word of the table.
  numalab protocol mesi -o mesi.txt --dot - | dot -Tsvg -o mesi.svg
      The states as a picture.";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProtocolFormat {
    /// For reading.
    Table,
    /// One object.
    Json,
    /// For a spreadsheet or a data frame.
    Csv,
    /// A page, as in docs/protocols.
    Markdown,
}

impl Protocol {
    pub fn destination(&self) -> Destination {
        self.output.clone().map_or(Destination::Stdout, Destination::from)
    }

    /// The format of `--format`, otherwise that of the file name's ending.
    pub fn format(&self) -> ProtocolFormat {
        let ending = || self.output.as_ref()?.extension()?.to_str();
        self.format.unwrap_or_else(|| match ending() {
            Some("json") => ProtocolFormat::Json,
            Some("csv") => ProtocolFormat::Csv,
            Some("md") => ProtocolFormat::Markdown,
            _ => ProtocolFormat::Table,
        })
    }
}

fn names() -> impl TypedValueParser<Value = Name> {
    // The inner parser accepts only known names.
    PossibleValuesParser::new(Name::NAMES).map(|name| Name::from_name(&name).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_wins_over_the_ending() {
        let format = |format, file: &str| {
            Protocol { name: Name::Mesi, format, output: Some(file.into()), dot: None }.format()
        };
        assert_eq!(format(None, "a.md"), ProtocolFormat::Markdown);
        assert_eq!(format(None, "a.csv"), ProtocolFormat::Csv);
        assert_eq!(format(None, "-"), ProtocolFormat::Table);
        assert_eq!(format(Some(ProtocolFormat::Json), "a.md"), ProtocolFormat::Json);
    }
}
