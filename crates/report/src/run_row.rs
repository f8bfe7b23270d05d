//! A run as a flat row of CSV.

use crate::summary::busiest;
use numalab_results::{Comparison, Executed, Member, Run, TaskSum};
use serde::Serialize;

/// Times are sums over the team. What only tasks have is empty without any.
#[derive(Serialize)]
pub(crate) struct RunRow<'a> {
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
    sequential_equivalent_ps: u64,
    work_time_inflation_ps: i64,
    transactions: u64,
    tasks_created: Option<u64>,
    tasks_at_once: Option<u64>,
    tasks_by_creator: Option<u64>,
    tasks_same_socket: Option<u64>,
    tasks_same_board: Option<u64>,
    tasks_remote: Option<u64>,
    by_creator_ps: Option<u64>,
    same_socket_ps: Option<u64>,
    same_board_ps: Option<u64>,
    remote_ps: Option<u64>,
    steals: Option<u64>,
    failed_steals: Option<u64>,
    longest_queue: Option<u64>,
    creators: Option<u64>,
    creating_ps: Option<u64>,
    busiest_creator_ps: Option<u64>,
    fetching_ps: Option<u64>,
    searching_ps: Option<u64>,
    working_ps: Option<u64>,
    longest_task_ps: Option<u64>,
    findings: String,
}

impl<'a> RunRow<'a> {
    pub const HEADER: &'static str = "machine,machine_hash,workload,workload_hash,seed,policy,threads,makespan_ps,\
        events,bytes_node,bytes_socket,bytes_board,bytes_machine,compute_ps,stall_ps,overhead_ps,idle_ps,\
        packages,stolen,busiest_resource,busiest_peak_utilisation,busiest_mean_utilisation,\
        sequential_equivalent_ps,work_time_inflation_ps,transactions,\
        tasks_created,tasks_at_once,tasks_by_creator,tasks_same_socket,tasks_same_board,tasks_remote,\
        by_creator_ps,same_socket_ps,same_board_ps,remote_ps,steals,failed_steals,longest_queue,creators,\
        creating_ps,busiest_creator_ps,fetching_ps,searching_ps,working_ps,longest_task_ps,findings";

    pub fn of(comparison: &'a Comparison, run: &'a Run) -> RunRow<'a> {
        let sum = |part: fn(&Member) -> u64| run.team.iter().map(|member| u128::from(part(member))).sum();
        let count = |part: fn(&Member) -> u64| run.team.iter().map(part).sum();
        let tasks = |part: fn(&TaskSum) -> u64| run.tasks.as_ref().map(part);
        let place = |place: fn(&TaskSum) -> &Executed| {
            let place = run.tasks.as_ref().map(place);
            (place.map(|done| done.tasks), place.map(|done| done.time_ps))
        };
        let (tasks_by_creator, by_creator_ps) = place(|tasks| &tasks.by_creator);
        let (tasks_same_socket, same_socket_ps) = place(|tasks| &tasks.same_socket);
        let (tasks_same_board, same_board_ps) = place(|tasks| &tasks.same_board);
        let (tasks_remote, remote_ps) = place(|tasks| &tasks.remote);
        let findings: Vec<&str> = run.findings.iter().map(|finding| finding.name.as_str()).collect();
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
            compute_ps: sum(|member| member.compute_ps),
            stall_ps: sum(|member| member.stall_ps),
            overhead_ps: sum(|member| member.overhead_ps),
            idle_ps: sum(|member| member.idle_ps),
            packages: count(|member| member.packages),
            stolen: count(|member| member.stolen),
            busiest_resource: busiest.map_or("", |busiest| &busiest.resource.name),
            busiest_peak_utilisation: busiest.map(|busiest| busiest.resource.peak_utilisation),
            busiest_mean_utilisation: busiest.map(|busiest| busiest.mean),
            sequential_equivalent_ps: run.sequential_equivalent_ps,
            work_time_inflation_ps: run.work_time_inflation_ps,
            transactions: run.transactions,
            tasks_created: tasks(|tasks| tasks.created),
            tasks_at_once: tasks(|tasks| tasks.at_once),
            tasks_by_creator,
            tasks_same_socket,
            tasks_same_board,
            tasks_remote,
            by_creator_ps,
            same_socket_ps,
            same_board_ps,
            remote_ps,
            steals: tasks(|tasks| tasks.steals),
            failed_steals: tasks(|tasks| tasks.failed_steals),
            longest_queue: tasks(|tasks| tasks.longest_queue),
            creators: tasks(|tasks| tasks.creators.into()),
            creating_ps: tasks(|tasks| tasks.creating_ps),
            busiest_creator_ps: tasks(|tasks| tasks.busiest_creator_ps),
            fetching_ps: tasks(|tasks| tasks.fetching_ps),
            searching_ps: tasks(|tasks| tasks.searching_ps),
            working_ps: tasks(|tasks| tasks.working_ps),
            longest_task_ps: tasks(|tasks| tasks.longest_task_ps),
            findings: findings.join(" "),
        }
    }
}
