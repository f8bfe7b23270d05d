//! Advice for `plot`, `rank` and `pareto`.

use crate::failure::Failure;
use numalab_sweep::view::{Axis, FILE, ViewError, some_of};
use numalab_syntax::streams;
use std::path::PathBuf;

/// Failure for results in `files` that cannot be shown.
pub fn view(files: &[PathBuf], error: ViewError) -> Failure {
    let problem = match &error {
        ViewError::NothingChosen => "no row passes every --only".to_owned(),
        ViewError::NoColumn { .. }
        | ViewError::SeveralColumns { .. }
        | ViewError::Words { .. }
        | ViewError::Empty { .. }
        | ViewError::NoCoordinate { .. }
        | ViewError::NoSuchValue { .. }
        | ViewError::Contradiction { .. }
        | ViewError::Twice { .. }
        | ViewError::TooManyValues { .. }
        | ViewError::BarsOnLogarithm { .. }
        | ViewError::NotAboveZero { .. }
        | ViewError::Apart { .. }
        | ViewError::Mixed { .. }
        | ViewError::Alone { .. }
        | ViewError::NoContest { .. } => error.to_string(),
    };
    Failure::request(format!("{}: {problem}", streams::names(files)), advice(&error))
}

fn advice(error: &ViewError) -> String {
    match error {
        ViewError::NoColumn { close, all, .. } => {
            let close = if close.is_empty() {
                String::new()
            } else {
                format!("did you mean {}? ", close.join(" or "))
            };
            format!("{close}the columns are {}", all.join(", "))
        }
        ViewError::SeveralColumns { .. } => "type the whole name of the column".to_owned(),
        ViewError::Words { numbers, .. } | ViewError::Empty { numbers, .. } => match numbers.is_empty() {
            true => "there is no column of numbers: expected what `numalab sweep FILE -o results.csv` writes"
                .to_owned(),
            false => format!("columns of numbers are {}", numbers.join(", ")),
        },
        ViewError::NoCoordinate { coordinates, .. } => {
            format!("coordinates are {}", coordinates.join(", "))
        }
        ViewError::NoSuchValue { values, .. } => format!("its values are {}", some_of(values)),
        ViewError::NothingChosen => "leave out one --only".to_owned(),
        ViewError::Contradiction { .. } => {
            format!("separate the files with --color {FILE}, or leave one of them out")
        }
        ViewError::Twice { .. } => {
            "each run may have one result; give repeated runs different seeds, or a column `replica` with their number"
                .to_owned()
        }
        ViewError::TooManyValues { column, example, .. } => {
            format!("choose some of them, as with --only {column}={example}")
        }
        ViewError::BarsOnLogarithm { .. } => {
            "leave out --log-x and --log-y, or put a column of numbers on --x".to_owned()
        }
        ViewError::NotAboveZero { axis, .. } => {
            let flag = match axis {
                Axis::X => "--log-x",
                Axis::Y => "--log-y",
            };
            format!("leave out {flag}, or choose other rows with --only")
        }
        ViewError::Apart { .. } => "choose two columns that the same runs have".to_owned(),
        ViewError::Mixed { columns, facet, colour } => {
            columns.first().map_or_else(String::new, |(name, values)| unmix(name, values, *facet, *colour))
        }
        ViewError::Alone { .. } => {
            "rank by a coordinate with several values, such as --by threads".to_owned()
        }
        ViewError::NoContest { coordinate } if coordinate == FILE => {
            "choose files with the same points".to_owned()
        }
        ViewError::NoContest { .. } => "choose rows with --only".to_owned(),
    }
}

/// Advice to show the values of a hidden column as panels or colours, or to select one of them with a filter.
fn unmix(name: &str, values: &[String], facet: bool, colour: bool) -> String {
    let single = values.first().map(|value| format!("choose one value with --only {name}=\"{value}\""));
    let panels = (!facet).then(|| format!("give each a panel with --facet {name}"));
    let colours = (!colour).then(|| format!("give each a colour with --color {name}"));
    [single, panels, colours].into_iter().flatten().collect::<Vec<_>>().join(", or ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_free_parts_of_a_picture_are_offered() {
        let values = ["m", "n"].map(str::to_owned);
        assert_eq!(
            unmix("machine", &values, false, true),
            "choose one value with --only machine=\"m\", or give each a panel with --facet machine"
        );
        assert!(
            unmix("machine", &values, true, false).ends_with("or give each a colour with --color machine")
        );
    }
}
