//! Rows and JSON of comparisons.

use crate::*;
use numalab_results::Comparison;

#[test]
fn json_reads_back() {
    let comparison = fixtures::small();
    let text = json(&comparison);
    assert!(text.ends_with("}\n"));
    assert!(text.starts_with("{\n  \"schema_version\": 3,\n  \"seed\": 7,\n  \"machine\": {"));
    assert_eq!(serde_json::from_str::<Comparison>(&text).unwrap(), comparison);
}

#[test]
fn csv_is_flat_and_quotes_what_needs_it() {
    let mut comparison = fixtures::small();
    comparison.machine.name = "a \"big\" one, with commas".into();
    comparison.runs.truncate(1);
    insta::assert_snapshot!(csv(&comparison), @r#"
    machine,machine_hash,workload,workload_hash,seed,policy,threads,makespan_ps,events,bytes_node,bytes_socket,bytes_board,bytes_machine,bytes_memory_only,compute_ps,stall_ps,overhead_ps,idle_ps,iterations,stolen,bottleneck,bottleneck_share,bottleneck_phase,bottleneck_resource,bottleneck_resource_share,bottleneck_from_ps,bottleneck_to_ps,busiest_resource,busiest_peak_utilisation,busiest_mean_utilisation,ideal_work_ps,memory_penalty_ps,sequential_ps,inflation_ps,transactions,tasks_created,tasks_at_once,tasks_by_creator,tasks_same_socket,tasks_same_board,tasks_remote,by_creator_ps,same_socket_ps,same_board_ps,remote_ps,steals,failed_steals,longest_queue,creators,creating_ps,busiest_creator_ps,fetching_ps,searching_ps,working_ps,longest_task_ps,findings
    "a ""big"" one, with commas",00ff,loadbal,00ff,7,static,4,1000000000000,1000,2500000000,0,0,0,,1250000000000,1250000000000,0,1500000000000,40,0,memory,0.15625,work,board 0 node 0 memory,,500000000000,1000000000000,board 0 node 0 memory,0.9,0.25,2500000000000,0,,,0,,,,,,,,,,,,,,,,,,,,,
    "#);
}

#[test]
fn row_has_task_counts() {
    let comparison = fixtures::tasks();
    let text = csv(&comparison);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let columns = reader.headers().unwrap().clone();
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    let cell = |row: usize, name: &str| &rows[row][columns.iter().position(|known| known == name).unwrap()];
    assert_eq!((cell(0, "tasks_created"), cell(1, "tasks_created")), ("", "4000"));
    assert_eq!((cell(1, "remote_ps"), cell(2, "tasks_remote")), ("2600000000000", "10"));
    assert_eq!((cell(0, "findings"), cell(1, "findings")), ("", "tasks-too-fine numa-blind"));
    assert_eq!((cell(1, "transactions"), cell(2, "transactions")), ("0", "8123"));
    // Team time is 4 threads × 2 s. Computing takes 2.4 s. The local share 0.6 s of 2.4 s waiting counts as ideal
    // work, the rest as memory penalty.
    assert_eq!((cell(1, "ideal_work_ps"), cell(1, "memory_penalty_ps")), ("3000000000000", "1800000000000"));
}

#[test]
fn the_header_names_every_field() {
    let comparison = fixtures::small();
    let text = csv(&comparison);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let columns = reader.headers().unwrap().len();
    assert_eq!(columns, 56);
    // The CSV reader rejects rows of different lengths.
    assert_eq!(reader.records().map(Result::unwrap).count(), comparison.runs.len());
}
