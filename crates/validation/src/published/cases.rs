//! Runs of one row: one run, or one for each alternative in the row's parameters or order.

use super::expected::Expected;
use super::reference::{Published, read};
use numalab_study::StudyError;
use serde::Deserialize;

/// `reference/variants.csv`: names of a source, with the workload parameters that they mean.
const VARIANTS: &str = include_str!("../../../../reference/variants.csv");

/// Name that a source uses for workload parameters, in one experiment.
#[derive(Deserialize)]
pub struct Variant {
    experiment: String,
    /// `key=value` as in a row's parameters, or the name of a run in an order.
    name: String,
    params: String,
}

pub fn variants() -> Result<Vec<Variant>, StudyError> {
    read("reference/variants.csv", VARIANTS)
}

/// Parameters of an experiment's sequential program; `None` if `variants.csv` does not list that program.
pub fn sequential(experiment: &str) -> Result<Option<String>, StudyError> {
    let known = |variant: &Variant| variant.experiment == experiment && variant.name == "version=sequential";
    Ok(variants()?.into_iter().find(known).map(|variant| variant.params))
}

/// Parameters of a variant; the variant's name if the file does not list it.
fn translated(variants: &[Variant], experiment: &str, name: &str) -> String {
    let known = variants.iter().find(|variant| variant.experiment == experiment && variant.name == name);
    known.map_or(name, |variant| &variant.params).to_owned()
}

/// Parameters of an experiment, with the source's names translated. Names whose translation is empty are left out.
pub fn translate(variants: &[Variant], experiment: &str, params: &str) -> String {
    let pairs = params.split(';').filter(|pair| !pair.is_empty());
    let pairs = pairs.map(|pair| translated(variants, experiment, pair));
    pairs.filter(|pair| !pair.is_empty()).collect::<Vec<_>>().join(";")
}

/// Name of the workload parameter that states a row's quantity, if the file of variants lists one.
pub fn parameter<'a>(variants: &'a [Variant], row: &Published) -> Option<&'a str> {
    let known = variants.iter().find(|variant| {
        variant.experiment == row.experiment && variant.name.strip_prefix("quantity=") == Some(&row.quantity)
    });
    known.map(|variant| &*variant.params)
}

/// Splits a row into one row per simulated run: one for each name in an order, or for each alternative in the
/// parameters.
pub fn cases(row: &Published, expected: &Expected, variants: &[Variant]) -> Vec<Published> {
    let of = |experiment: &str, params: &str| translate(variants, experiment, params);
    let own = |params: &str| of(&row.experiment, params);
    match expected {
        Expected::Order(names) => {
            let each = names.iter().map(|name| {
                let named = translated(variants, &row.experiment, name);
                row.with(own(&format!("{};{named}", row.params)))
            });
            each.collect()
        }
        _ => {
            // A name of the source may stand for several runs.
            let each = alternatives(&own(&row.params)).into_iter();
            let each = each.map(|params| match program(&params) {
                Some((name, rest)) => Published { experiment: name.to_owned(), ..row.with(of(name, &rest)) },
                None => row.with(own(&params)),
            });
            each.collect()
        }
    }
}

/// Experiment and other parameters of a row about a program of a benchmark suite, which `program=NAME` names. `None`
/// for other rows.
fn program(params: &str) -> Option<(&str, String)> {
    let name = params.split(';').find_map(|pair| pair.strip_prefix("program="))?;
    let rest = params.split(';').filter(|pair| !pair.starts_with("program="));
    Some((name, rest.collect::<Vec<_>>().join(";")))
}

/// Row with `a=mean(1,2)` rewritten as `a=1|2`, and true if the row has such a parameter: its value is the mean of
/// the runs.
pub fn averaged(row: &Published) -> (Published, bool) {
    let each = |pair: (&str, &str)| {
        let several = pair.1.strip_prefix("mean(").and_then(|rest| rest.strip_suffix(')'));
        (
            several.is_some(),
            format!("{}={}", pair.0, several.map_or(pair.1.to_owned(), |list| list.replace(',', "|"))),
        )
    };
    let pairs: Vec<(bool, String)> = row.params().map(each).collect();
    if !pairs.iter().any(|(mean, _)| *mean) {
        return (row.clone(), false);
    }
    (row.with(pairs.into_iter().map(|(_, pair)| pair).collect::<Vec<_>>().join(";")), true)
}

/// Splits `a=1|2;b=3` into `a=1;b=3` and `a=2;b=3`. Several parameters with alternatives change together.
fn alternatives(params: &str) -> Vec<String> {
    let several = params.split(';').map(|pair| pair.split('|').count()).max().unwrap_or(1);
    let nth = |at: usize| {
        let pairs = params.split(';').map(|pair| {
            let mut values = pair.split('|');
            let first = values.next().unwrap_or_default();
            let key = first.split_once('=').map(|(key, _)| key);
            match (at.checked_sub(1).and_then(|at| values.nth(at)), key) {
                (Some(value), Some(key)) => format!("{key}={value}"),
                _ => first.to_owned(),
            }
        });
        pairs.collect::<Vec<_>>().join(";")
    };
    (0..several).map(nth).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::reference::published_as;

    #[test]
    fn a_mean_is_over_several_runs() {
        let row = published_as("epcc.intel.128").with("a=3;nodes=mean(2,4,8);b=x".to_owned());
        let (several, mean) = averaged(&row);
        assert_eq!((several.params.as_str(), mean), ("a=3;nodes=2|4|8;b=x", true));
        assert_eq!(alternatives(&several.params), ["a=3;nodes=2;b=x", "a=3;nodes=4;b=x", "a=3;nodes=8;b=x"]);
        assert!(!averaged(&row.with("nodes=2|4".to_owned())).1);
    }

    #[test]
    fn a_suite_is_several_programs() {
        let row = published_as("ol.bots.32.overheadidle");
        let cases = cases(&row, &row.value.parse().unwrap(), &variants().unwrap());
        let programs: Vec<&str> = cases.iter().map(|case| &*case.experiment).collect();
        assert_eq!(programs, ["bots_alignment", "fib", "health", "bots_sort", "bots_sparselu"]);
        assert!(cases.iter().all(|case| case.params.contains("threads=32;runtime=intel-14")), "{cases:?}");
    }

    #[test]
    fn alternatives_stand_side_by_side() {
        assert_eq!(alternatives("a=1;b=2"), ["a=1;b=2"]);
        assert_eq!(alternatives("a=1|2;b=3;c=x|y"), ["a=1;b=3;c=x", "a=2;b=3;c=y"]);
        assert_eq!(alternatives(""), [""]);
    }

    #[test]
    fn an_order_is_a_run_for_each_name() {
        let row = published_as("cg.bound.better");
        let cases = cases(&row, &row.value.parse().unwrap(), &variants().unwrap());
        let params: Vec<&str> = cases.iter().map(|case| &*case.params).collect();
        assert_eq!(
            params,
            [
                "variant=serial_init;threads=128;proc_bind=close",
                "variant=serial_init;threads=128;proc_bind=false"
            ]
        );
    }

    #[test]
    fn a_name_of_the_source_is_translated() {
        let row = published_as("ol.health.8.intel");
        let cases = cases(&row, &row.value.parse().unwrap(), &variants().unwrap());
        assert_eq!(cases.len(), 1);
        assert!(
            cases[0].params.contains("runtime=intel-14;schedule=tasks:thread-local"),
            "{}",
            cases[0].params
        );
    }
}
