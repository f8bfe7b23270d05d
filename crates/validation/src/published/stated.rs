//! Rows about sizes that a machine file or a workload states: checks of these files against their sources.

use super::cases::{self, Variant};
use super::reference::Published;
use super::{RowContext, workloads};
use numalab_files::Kind;
use numalab_lower::DisplayUnit;
use numalab_study::StudyError;
use serde::Deserialize;

/// Figure that a machine file states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fact {
    Cores,
    Nodes,
    /// Clock in GHz.
    Clock,
    /// Page size of the software-shared memory; of ordinary memory if the machine has no shared one.
    PageSize,
    NodeMemory,
    /// Memory of all nodes together.
    Memory,
    LinkBandwidth,
}

/// Value of the workload parameter that states a size of the published program, `quantity=PARAMETER` in
/// `reference/variants.csv`: a check of the workload against its sources. `None` for rows about other quantities.
pub fn size_of_program(
    row: &Published,
    variants: &[Variant],
    context: &RowContext<'_>,
) -> Result<Option<f64>, StudyError> {
    let Some(parameter) = cases::parameter(variants, row) else { return Ok(None) };
    let Some(run) = workloads::resolve(&row.with(String::new()), &context.files)? else { return Ok(None) };
    let experiment = &run.experiment;
    if !experiment.workload.value.parameters.iter().any(|(name, _)| name == parameter) {
        return Ok(None);
    }
    // Sizes may be expressions, such as a value of the table of a program's classes.
    let value = experiment.questions.value(parameter, &|_, _| None);
    value.map(Some).ok_or_else(|| row.wrong(format!("{parameter} has no value")))
}

/// Value that the machine file states, in the row's unit: a check of the file against its sources.
pub fn by_machine(row: &Published, fact: Fact, context: &RowContext<'_>) -> Result<Option<f64>, StudyError> {
    if !numalab_files::is_known(Kind::Machine, &row.machine) {
        return Ok(None);
    }
    let machine = numalab_lower::machine(&row.machine, &[])?.value;
    let sizes = || workloads::size(row, &context.files).map(Option::unwrap_or_default);
    let amount = |value: f64| -> Result<f64, StudyError> {
        let unit: DisplayUnit = row.unit.parse().map_err(|error| row.wrong(error))?;
        Ok(unit.show(value))
    };
    Ok(Some(match fact {
        Fact::Cores => f64::from(sizes()?.1),
        Fact::Nodes => f64::from(sizes()?.0),
        Fact::Clock => machine.core.clock.0 / 1e9,
        Fact::PageSize => amount(machine.dsm.as_ref().map_or(machine.memory.page, |dsm| dsm.page).0 as f64)?,
        Fact::NodeMemory => amount(machine.memory.capacity.0 as f64)?,
        Fact::Memory => amount(machine.memory.capacity.0 as f64 * f64::from(sizes()?.0))?,
        Fact::LinkBandwidth => {
            let named = |name: &str| machine.links.iter().find(|link| link.name == name);
            let Some(link) = row.param("link").and_then(named) else { return Ok(None) };
            amount(link.bandwidth.0)?
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::reference::published_as;

    /// Sizes of a program are parameters of its workload: NAS CG of class B has 75 000 rows and 75 outer iterations,
    /// from the workload's table of classes, for any other parameters of the row. Parameters that the file of
    /// variants does not name are no sizes.
    #[test]
    fn a_workload_states_the_sizes_of_its_program() {
        let variants = cases::variants().unwrap();
        let size = |row: &Published| size_of_program(row, &variants, &RowContext::default()).unwrap();
        assert_eq!(size(&published_as("dsm.cg.b.na")), Some(75_000.0));
        assert_eq!(size(&published_as("dsm.cg.b.niter")), Some(75.0));
        assert_eq!(size(&published_as("ol.bots.health")), Some(144.0));
        assert_eq!(size(&published_as("dsm.cgb.1.static")), None);
    }

    #[test]
    fn a_file_states_what_its_sources_say() {
        let value = |row: &Published, fact| by_machine(row, fact, &RowContext::default()).unwrap();
        assert_eq!(value(&published_as("bcs.xlink.max"), Fact::LinkBandwidth), Some(3.4));
        assert_eq!(value(&published_as("ol.m910.machine"), Fact::Cores), Some(32.0));
        assert_eq!(value(&published_as("dsm.hw.kandake.ram"), Fact::NodeMemory), Some(0.128));
        let row = published_as("bcs.xlink.max");
        assert_eq!(value(&row.with("link=none".to_owned()), Fact::LinkBandwidth), None);
    }
}
