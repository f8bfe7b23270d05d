//! `--format` and `--output`, the same for every command that has results, and what endings of names mean.

use crate::failure::Failure;
use crate::output::Destination;
use clap::{Args, ValueEnum, ValueHint};
use std::path::{Path, PathBuf};

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

/// Form of the results of `sim`, which can also be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As text.
    Text(Format),
    /// Rows for data frames.
    Parquet,
    /// A picture.
    Svg,
    /// A report for a browser.
    Html,
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
    /// Destination of the results, if the file's name says what they are.
    pub fn destination(&self) -> Result<Destination, Failure> {
        let known = self.format.is_some() || self.of_ending().is_some();
        known_ending(self.output.as_deref(), known, "a table, JSON or CSV", ".txt, .json or .csv")?;
        Ok(self.place())
    }

    /// As asked for; else as the file's name says.
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
        let known = !matches!(form, Form::Text(_)) || self.format.is_some() || self.of_ending().is_some();
        let all = "a table, JSON, CSV, Parquet, a picture or a report";
        known_ending(self.output.as_deref(), known, all, ".txt, .json, .csv, .parquet, .svg or .html")?;
        Ok((form, self.place()))
    }

    fn place(&self) -> Destination {
        self.output.clone().map_or(Destination::Stdout, Destination::from)
    }

    /// The format that the file's name says; `None` for a name that says something else.
    fn of_ending(&self) -> Option<Format> {
        match self.output.as_deref().and_then(ending).as_deref() {
            Some("json") => Some(Format::Json),
            Some("csv") => Some(Format::Csv),
            Some("txt") | None => Some(Format::Table),
            Some(_) => None,
        }
    }
}

/// The ending of a file's name, in small letters.
pub fn ending(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}

/// Refuses a name that promises something else than what would be in the file.
fn known_ending(path: Option<&Path>, known: bool, forms: &str, endings: &str) -> Result<(), Failure> {
    let Some(path) = path.filter(|_| !known) else { return Ok(()) };
    let ending = ending(path).unwrap_or_default();
    Err(Failure::request(
        format!("results are {forms}, and \".{ending}\" is none of them"),
        format!("end the file's name in {endings}, or say the format with --format"),
    ))
}

/// The name of a file that a picture goes to: nothing but SVG.
pub fn picture(name: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    match ending(&path).as_deref() {
        None | Some("svg") => Ok(path),
        Some(_) => Err("the picture is SVG: end the file's name in .svg".to_owned()),
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
    fn endings_mean_what_they_say() {
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
