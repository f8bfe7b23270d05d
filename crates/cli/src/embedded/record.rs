//! Records of answers, in the forms in which commands write them.

use numalab_draw as draw;
use numalab_report::{self as report, Style};
use numalab_results::{Clinic, Comparison, DistanceTable, Explanation, HostValidation, Series, Validation};

/// Record of an answer, which the other program reads instead of a text.
#[derive(Debug)]
pub enum Record {
    /// Policies on one machine.
    Comparison(Box<Comparison>),
    /// Runs over the values of one parameter.
    Series(Box<Series>),
    /// Causes of a run's time.
    Explanation(Box<Explanation>),
    /// Schedules of each loop.
    Clinic(Box<Clinic>),
    /// Published rows beside their simulations.
    Validation(Box<Validation>),
    /// Measurements of a host beside their simulations.
    HostValidation(Box<HostValidation>),
    /// Distances between the nodes of a machine.
    Distances(Box<DistanceTable>),
}

/// Evaluates an expression for the value of any record.
macro_rules! of_any {
    ($record:expr, $of:ident => $form:expr) => {
        match $record {
            Record::Comparison($of) => $form,
            Record::Series($of) => $form,
            Record::Explanation($of) => $form,
            Record::Clinic($of) => $form,
            Record::Validation($of) => $form,
            Record::HostValidation($of) => $form,
            Record::Distances($of) => $form,
        }
    };
}

impl Record {
    /// Kind of the answer, in lower case, such as `comparison`.
    pub fn kind(&self) -> &'static str {
        match self {
            Record::Comparison(_) => "comparison",
            Record::Series(_) => "series",
            Record::Explanation(_) => "explanation",
            Record::Clinic(_) => "clinic",
            Record::Validation(_) | Record::HostValidation(_) => "validation",
            Record::Distances(_) => "distances",
        }
    }

    /// The text of `--format json`.
    pub fn json(&self) -> String {
        of_any!(self, of => report::json(&**of))
    }

    /// The text of `--format csv`.
    pub fn csv(&self) -> String {
        of_any!(self, of => report::csv(&**of))
    }

    /// The table that the command prints, in plain characters and `width` columns wide.
    pub fn table(&self, width: usize) -> String {
        let style = Style { width, ..Style::default() };
        of_any!(self, of => report::table(&**of, style))
    }

    /// A picture as SVG; `None` if the command draws none.
    pub fn picture(&self) -> Option<String> {
        match self {
            Record::Comparison(of) => Some(draw::comparison_svg(of)),
            Record::Series(of) => Some(draw::series_svg(of, None)),
            Record::HostValidation(of) => Some(draw::host_validation_svg(of)),
            Record::Distances(of) => Some(draw::distances_svg(of)),
            Record::Explanation(_) | Record::Clinic(_) | Record::Validation(_) => None,
        }
    }
}
