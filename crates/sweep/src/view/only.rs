//! Row filters of the form `policy=static,numa-steal:*`.

use super::{ViewError, column, distinct, named};
use crate::file::matches;
use numalab_results::Frame;
use std::str::FromStr;

/// A column and its allowed values; `*` matches any text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Only {
    column: String,
    wanted: String,
}

impl FromStr for Only {
    type Err = String;

    fn from_str(text: &str) -> Result<Only, String> {
        match text.split_once('=') {
            Some((column, wanted)) if !column.trim().is_empty() && !wanted.trim().is_empty() => {
                Ok(Only { column: column.trim().to_owned(), wanted: wanted.trim().to_owned() })
            }
            _ => Err("expected COLUMN=VALUE,… such as policy=static,numa-steal:*".to_owned()),
        }
    }
}

impl Only {
    /// Keeps the rows that all filters allow. A row passes several filters of one column if it passes one of them.
    pub fn choose(choices: &[Only], frame: &mut Frame) -> Result<(), ViewError> {
        let mut columns: Vec<(usize, Vec<String>)> = Vec::new();
        for only in choices {
            let at = column(frame, &only.column)?;
            let patterns = only.patterns(frame, at)?;
            match columns.iter_mut().find(|(column, _)| *column == at) {
                Some((_, earlier)) => earlier.extend(patterns),
                None => columns.push((at, patterns)),
            }
        }
        let keep = |row: usize| {
            let holds = |(at, patterns): &(usize, Vec<String>)| {
                let value = named(frame, row, *at);
                patterns.iter().any(|pattern| matches(pattern, &value))
            };
            columns.iter().all(holds)
        };
        let kept: Vec<bool> = (0..frame.rows.len()).map(keep).collect();
        let mut kept = kept.into_iter();
        frame.rows.retain(|_| kept.next().unwrap_or(false));
        match frame.rows.is_empty() && !choices.is_empty() {
            true => Err(ViewError::NothingChosen),
            false => Ok(()),
        }
    }

    /// Patterns between commas; or the whole text as one pattern if it matches a row, since policies such as
    /// `static,4` contain commas. Each pattern must match a row.
    fn patterns(&self, frame: &Frame, at: usize) -> Result<Vec<String>, ViewError> {
        let values = distinct(frame, at);
        let matches_a_row = |pattern: &str| values.iter().any(|value| matches(pattern, value));
        if matches_a_row(&self.wanted) {
            return Ok(vec![self.wanted.clone()]);
        }
        let patterns: Vec<&str> =
            self.wanted.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
        match patterns.iter().find(|pattern| !matches_a_row(pattern)) {
            Some(pattern) => Err(ViewError::NoSuchValue {
                column: frame.columns[at].name.clone(),
                wanted: (*pattern).to_owned(),
                values,
            }),
            None => Ok(patterns.into_iter().map(str::to_owned).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use numalab_results::{Cell, CellKind, Column};
    use proptest::prelude::*;

    fn policies() -> Frame {
        let row = |policy: &str| vec![Cell::Text(policy.to_owned())];
        let rows = ["static", "static,4", "numa-steal:random", "numa-steal:nearest", ""].map(row);
        Frame { columns: vec![Column::new("policy", CellKind::Text)], rows: rows.to_vec() }
    }

    fn chosen(choices: &[&str]) -> Vec<String> {
        let mut frame = policies();
        let choices: Vec<Only> = choices.iter().map(|text| text.parse().unwrap()).collect();
        Only::choose(&choices, &mut frame).unwrap();
        frame.rows.iter().map(|row| row[0].text()).collect()
    }

    #[test]
    fn values_between_commas_and_wildcards() {
        assert_eq!(chosen(&["policy=static,*:nearest"]), ["static", "numa-steal:nearest"]);
        assert_eq!(chosen(&["policy=static,4"]), ["static,4"]);
        assert_eq!(chosen(&["policy=static,4", "policy=static"]), ["static", "static,4"]);
        assert_eq!(chosen(&["policy=default"]), [""]);
        assert_eq!(chosen(&["policy=*"]).len(), 5);
        assert_eq!(chosen(&[]).len(), 5);
    }

    #[test]
    fn filter_without_match_is_an_error() {
        let error = |text: &str| {
            let choice = [text.parse::<Only>().unwrap()];
            Only::choose(&choice, &mut policies()).unwrap_err()
        };
        let none = error("policy=static,dynamic");
        assert_eq!(none.to_string(), "no row has policy=\"dynamic\"");
        assert!(matches!(none, ViewError::NoSuchValue { values, .. } if values[0] == "static"));
        assert!(matches!(error("polcy=static"), ViewError::NoColumn { close, .. } if close == ["policy"]));
        assert!("static".parse::<Only>().is_err());
        assert!("=static".parse::<Only>().is_err());
    }

    proptest! {
        #[test]
        fn a_wildcard_is_any_text(parts in proptest::collection::vec("[ab]{0,3}", 1..4), fill in "[ab]{0,3}") {
            prop_assert!(matches(&parts.join("*"), &parts.join(&fill)));
            prop_assert_eq!(matches(&parts.concat(), &parts.join(&fill)), parts.concat() == parts.join(&fill));
        }
    }
}
