//! Results for other programs: JSON with everything, CSV with a flat row per run.

use crate::json::readable;
use crate::summary::busiest;
use numalab_results::{Comparison, Run, Validation};
use serde::Serialize;

/// The whole comparison as one JSON object, fields in the order of the records, a newline at the end.
pub fn json(comparison: &Comparison) -> String {
    readable(comparison)
}

/// The whole validation as one JSON object.
pub fn validation_json(validation: &Validation) -> String {
    readable(validation)
}

/// One row per run under a header, quoted as RFC 4180 has it. Times are sums over the team.
pub fn csv(comparison: &Comparison) -> String {
    rows(comparison.runs.iter().map(|run| RunRow::of(comparison, run)), RunRow::HEADER)
}

/// One row per published value under a header.
pub fn validation_csv(validation: &Validation) -> String {
    let header =
        "id,source,machine,experiment,quantity,params,role,published,simulated,unit,error,tolerance,note";
    rows(&validation.rows, header)
}

/// The header is written even without rows, so that a reader finds the columns.
pub(crate) fn rows<T: Serialize>(records: impl IntoIterator<Item = T>, header: &str) -> String {
    let mut writer =
        csv::WriterBuilder::new().has_headers(false).from_writer(format!("{header}\n").into_bytes());
    for record in records {
        writer.serialize(record).expect("a flat record into memory");
    }
    let bytes = writer.into_inner().expect("memory takes every byte");
    String::from_utf8(bytes).expect("written from strings")
}

#[derive(Serialize)]
struct RunRow<'a> {
    machine: &'a str,
    machine_hash: &'a str,
    workload: &'a str,
    workload_hash: &'a str,
    seed: u64,
    policy: &'a str,
    threads: u32,
    makespan_ps: u64,
    events: u64,
    bytes_node: u64,
    bytes_socket: u64,
    bytes_board: u64,
    bytes_machine: u64,
    compute_ps: u128,
    stall_ps: u128,
    overhead_ps: u128,
    idle_ps: u128,
    packages: u64,
    stolen: u64,
    busiest_resource: &'a str,
    busiest_peak_utilisation: Option<f64>,
    busiest_mean_utilisation: Option<f64>,
}

impl<'a> RunRow<'a> {
    const HEADER: &'static str = "machine,machine_hash,workload,workload_hash,seed,policy,threads,makespan_ps,\
        events,bytes_node,bytes_socket,bytes_board,bytes_machine,compute_ps,stall_ps,overhead_ps,idle_ps,\
        packages,stolen,busiest_resource,busiest_peak_utilisation,busiest_mean_utilisation";

    fn of(comparison: &'a Comparison, run: &'a Run) -> RunRow<'a> {
        let team = || run.team.iter();
        let busiest = busiest(run);
        RunRow {
            machine: &comparison.machine.name,
            machine_hash: &comparison.machine.hash,
            workload: &comparison.workload.name,
            workload_hash: &comparison.workload.hash,
            seed: comparison.seed,
            policy: &run.policy,
            threads: run.threads,
            makespan_ps: run.makespan_ps,
            events: run.events,
            bytes_node: run.bytes_by_level.node,
            bytes_socket: run.bytes_by_level.socket,
            bytes_board: run.bytes_by_level.board,
            bytes_machine: run.bytes_by_level.machine,
            compute_ps: team().map(|member| u128::from(member.compute_ps)).sum(),
            stall_ps: team().map(|member| u128::from(member.stall_ps)).sum(),
            overhead_ps: team().map(|member| u128::from(member.overhead_ps)).sum(),
            idle_ps: team().map(|member| u128::from(member.idle_ps)).sum(),
            packages: team().map(|member| member.packages).sum(),
            stolen: team().map(|member| member.stolen).sum(),
            busiest_resource: busiest.map_or("", |busiest| &busiest.resource.name),
            busiest_peak_utilisation: busiest.map(|busiest| busiest.resource.peak_utilisation),
            busiest_mean_utilisation: busiest.map(|busiest| busiest.mean),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures;

    #[test]
    fn json_reads_back_as_it_was() {
        let comparison = fixtures::small();
        let text = json(&comparison);
        assert!(text.ends_with("}\n"));
        assert!(text.starts_with("{\n  \"schema_version\": 1,\n  \"seed\": 7,\n  \"machine\": {"));
        assert_eq!(serde_json::from_str::<Comparison>(&text).unwrap(), comparison);
    }

    #[test]
    fn csv_is_flat_and_quotes_what_needs_it() {
        let mut comparison = fixtures::small();
        comparison.machine.name = "a \"big\" one, with commas".into();
        comparison.runs.truncate(1);
        insta::assert_snapshot!(csv(&comparison), @r#"
        machine,machine_hash,workload,workload_hash,seed,policy,threads,makespan_ps,events,bytes_node,bytes_socket,bytes_board,bytes_machine,compute_ps,stall_ps,overhead_ps,idle_ps,packages,stolen,busiest_resource,busiest_peak_utilisation,busiest_mean_utilisation
        "a ""big"" one, with commas",00ff,loadbal,00ff,7,static,4,1000000000000,1000,2500000000,0,0,0,1250000000000,1250000000000,0,1500000000000,40,0,board 0 node 0 memory,0.9,0.25
        "#);
    }

    #[test]
    fn the_header_names_every_field() {
        let comparison = fixtures::small();
        let text = csv(&comparison);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let columns = reader.headers().unwrap().len();
        assert_eq!(columns, 22);
        // The reader refuses rows of any other length.
        assert_eq!(reader.records().map(Result::unwrap).count(), comparison.runs.len());
        let row = serde_json::to_value(RunRow::of(&comparison, &comparison.runs[0])).unwrap();
        for name in RunRow::HEADER.split(',') {
            assert!(row.get(name).is_some(), "{name} is no field");
        }
    }
}
