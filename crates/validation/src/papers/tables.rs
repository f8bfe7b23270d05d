//! Rows about published tables: distances between nodes by the firmware, and counts of accesses by thread and node.

use crate::published::Published;
use numalab_files::Kind;
use numalab_machine::Machine;
use numalab_study::{StudyError, distance_matrix, firmware_distances};

/// Text of the published table of accesses by thread and node.
const ACCESSES: &str = include_str!("../../../../reference/tnt-mg8.csv");

/// Distance between the two nodes of the row's `between=0-4`, as the firmware states it.
pub fn distance(row: &Published) -> Result<Option<f64>, StudyError> {
    let Some(Pair { machine, from, to }) = pair_of(row)? else { return Ok(None) };
    let table = firmware_distances(&machine)?;
    Ok(table.get(from).and_then(|row| row.get(to)).copied().flatten())
}

/// Distance between the two nodes of the row's `between=0-4` by the bandwidth of reads: 10 for a node's own memory.
pub fn simulated_distance(row: &Published) -> Result<Option<f64>, StudyError> {
    let Some(Pair { machine, from, to }) = pair_of(row)? else { return Ok(None) };
    let bandwidths = distance_matrix(&machine)?;
    let of = |from: usize, to: usize| bandwidths.get(from).and_then(|row| row.get(to)).copied().flatten();
    Ok(of(0, 0).zip(of(from, to)).map(|(own, other)| 10.0 * own / other))
}

/// Two nodes of a machine.
struct Pair {
    machine: Machine,
    from: usize,
    to: usize,
}

/// Machine and nodes of a row; `None` without two numbers in `between`, or without a file of the machine.
fn pair_of(row: &Published) -> Result<Option<Pair>, StudyError> {
    let between = row.param("between").and_then(|pair| pair.split_once('-'));
    let Some((Ok(from), Ok(to))) = between.map(|(a, b)| (a.parse(), b.parse())) else { return Ok(None) };
    if !numalab_files::is_known(Kind::Machine, &row.machine) {
        return Ok(None);
    }
    Ok(Some(Pair { machine: numalab_lower::machine(&row.machine, &[])?.value, from, to }))
}

/// Remote accesses of a thread that runs on a node. Thread and node are counted from 1, as in the table.
pub fn remote_requests(row: &Published) -> Option<f64> {
    let number = |name: &str| row.param(name)?.parse::<usize>().ok()?.checked_sub(1);
    let (thread, node) = (number("thread")?, number("node")?);
    let line = ACCESSES.lines().nth(thread + 1)?;
    let counts: Vec<f64> = line.split(',').skip(1).filter_map(|cell| cell.trim().parse().ok()).collect();
    (node < counts.len()).then(|| counts.iter().sum::<f64>() - counts[node])
}
