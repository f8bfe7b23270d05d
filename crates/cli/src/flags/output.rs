//! `--format` and `--output`, shared by all commands with results, and the formats that endings of
//! file names select.

use crate::failure::Failure;
use crate::output::Destination;
use clap::{Args, ValueEnum, ValueHint};
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For reading.
    Table,
    /// One object, numbers in full precision.
    Json,
    /// For a spreadsheet or a data frame.
    Csv,
}

/// Form of the results of `sim`: a format, rows for data frames, or a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Text(Format),
    /// Rows for data frames.
    Parquet,
    Svg,
    /// Report for a browser.
    Html,
}

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
    /// Destination of the results; fails if the ending of the file name belongs to no format.
    pub fn destination(&self) -> Result<Destination, Failure> {
        let is_known = self.format.is_some() || self.of_ending().is_some();
        known_ending(self.output.as_deref(), is_known, "a table, JSON or CSV", ".txt, .json or .csv")?;
        Ok(self.place())
    }

    /// The format of `--format`, otherwise that of the file name's ending.
    pub fn format(&self) -> Format {
        self.format.or(self.of_ending()).unwrap_or(Format::Table)
    }

    /// Form and destination of the results of `sim`.
    pub fn seen(&self) -> Result<(Form, Destination), Failure> {
        let ending = self.output.as_deref().and_then(ending);
        let form = match (self.format, ending.as_deref()) {
            (Some(format), _) => Form::Text(format),
            (None, Some("parquet")) => Form::Parquet,
            (None, Some("svg")) => Form::Svg,
            (None, Some("html" | "htm")) => Form::Html,
            (None, _) => Form::Text(self.format()),
        };
        let is_known = !matches!(form, Form::Text(_)) || self.format.is_some() || self.of_ending().is_some();
        let all = "a table, JSON, CSV, Parquet, a picture or a report";
        known_ending(self.output.as_deref(), is_known, all, ".txt, .json, .csv, .parquet, .svg or .html")?;
        Ok((form, self.place()))
    }

    fn place(&self) -> Destination {
        self.output.clone().map_or(Destination::Stdout, Destination::from)
    }

    /// Format that the ending of the output's name selects; `None` for an unknown ending.
    fn of_ending(&self) -> Option<Format> {
        match self.output.as_deref().and_then(ending).as_deref() {
            Some("json") => Some(Format::Json),
            Some("csv") => Some(Format::Csv),
            Some("txt") | None => Some(Format::Table),
            Some(_) => None,
        }
    }
}

/// Ending of a file name, in lower case.
pub fn ending(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

/// Refuses an output file whose ending belongs to another format.
fn known_ending(path: Option<&Path>, is_known: bool, forms: &str, endings: &str) -> Result<(), Failure> {
    let Some(path) = path.filter(|_| !is_known) else { return Ok(()) };
    let ending = ending(path).unwrap_or_default();
    Err(Failure::request(
        format!("\".{ending}\" is not a format of results (they are {forms})"),
        format!("end the file name in {endings}, or type --format"),
    ))
}

/// Parses the name of a picture file, which has the ending `.svg` or none.
pub fn picture(name: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    match ending(&path).as_deref() {
        None | Some("svg") => Ok(path),
        Some(_) => Err("a picture is written as SVG: end the file name in .svg".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(format: Option<Format>, file: &str) -> Output {
        Output { format, output: Some(file.into()) }
    }

    #[test]
    fn the_flag_wins_over_the_ending() {
        let format = |format, file: &str| output(format, file).format();
        assert_eq!(format(None, "a.json"), Format::Json);
        assert_eq!(format(None, "a.csv"), Format::Csv);
        assert_eq!(format(None, "-"), Format::Table);
        assert_eq!(format(Some(Format::Table), "a.json"), Format::Table);
    }

    #[test]
    fn endings_select_the_form() {
        let form = |file: &str| output(None, file).seen().map(|seen| seen.0).ok();
        assert_eq!(form("a.HTML"), Some(Form::Html));
        assert_eq!(form("a.svg"), Some(Form::Svg));
        assert_eq!(form("a.parquet"), Some(Form::Parquet));
        assert_eq!(form("a.csv"), Some(Form::Text(Format::Csv)));
        assert_eq!(form("a"), Some(Form::Text(Format::Table)));
        assert_eq!(form("a.png"), None);
        assert!(output(None, "a.html").destination().is_err());
        assert!(output(Some(Format::Csv), "a.dat").destination().is_ok());
        assert!(picture("a.png").is_err() && picture("a.svg").is_ok() && picture("-").is_ok());
    }
}
