//! Experiments of the fit: the workload that simulates each kernel, and its role.

use crate::fit::Mechanism;
use numalab_imports::measurements::Row;

// Glossary: EPCC overhead: Time of a construct beyond that of the work inside it, as the EPCC benchmarks
//   measure it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Parameters are fitted to measurements of the experiment.
    Characterise,
    /// Measurements of the experiment are predicted from parameters fitted to others.
    Predict,
}

impl Role {
    /// Name of the role in results.
    pub fn name(self) -> &'static str {
        match self {
            Role::Characterise => "characterise",
            Role::Predict => "predict",
        }
    }
}

/// Kind of measurement, with the workload that simulates it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Experiment {
    /// Name in files of measurements.
    pub name: &'static str,
    /// Workload that simulates the kernel.
    pub workload: &'static str,
    /// Workload parameters that describe the kernel, where the workload has no default: `key=value`, separated by
    /// semicolons.
    params: &'static str,
    pub role: Role,
    /// Mechanism that dominates the measured time.
    pub mechanism: Mechanism,
    /// Name of the quantity that the kernel measures, and name of the workload's measure; `None` if the names agree.
    pub measure: Option<(&'static str, &'static str)>,
    /// Instructions per cycle of the kernel's own computing if it is a dependent chain; `None` otherwise.
    pub per_cycle: Option<f64>,
    /// Minimum relative error of the experiment's rows: how roughly the workload describes the kernel.
    pub rough: f64,
}

/// Minimum relative error of any row, since simulated values are rounded and change in steps.
pub const ROUGH: f64 = 0.01;
/// Minimum relative error of chases. A kernel's chase visits its lines in a fixed order, of which caches keep less
/// than of the random order in its workload.
const ROUGH_CHASE: f64 = 0.05;

/// Minimum relative error of rows that depend on counted instructions, since a compiler may need fewer than were
/// counted.
const ROUGH_COUNT: f64 = 0.10;

impl Experiment {
    /// Workload parameters that describe the kernel, as name and value.
    pub fn params(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.params.split(';').filter_map(|pair| pair.split_once('='))
    }
}

// The following was counted in compiled code (-O2, vectors of two): instructions for each byte that the workload
// accesses. The code waits only for its loads, which are predictable.

/// Vector addition of `loadbal`: seven instructions for two elements of 24 bytes; stores go through the caches.
const ADDITION: &str = "stores=ordinary;instructions_per_byte=0.146;overlap=core_overlap;lines=1000000";
/// Dense matrix-vector product of `matvec`: a load, a multiplication with another load and an addition for each
/// element of 8 bytes, and a part of the loop's own instructions.
const PRODUCT: &str = "numa_balancing=off;instructions_per_byte=0.42;overlap=core_overlap";
/// Stencil of `heat`: fifteen instructions for two points of 16 bytes.
const STENCIL: &str = "instructions_per_byte=0.47;overlap=core_overlap";

/// Sparse matrix-vector product of `cg`: six instructions for each non-zero, of 20 bytes including the vector
/// element. The latency of its dependent additions is not counted as instructions.
const GATHER: &str = "instructions_per_byte=0.3;overlap=core_overlap;pieces=64";

const fn characterise(name: &'static str) -> Experiment {
    let (params, mechanism) = ("", Mechanism::Data);
    Experiment {
        name,
        workload: name,
        params,
        role: Role::Characterise,
        mechanism,
        measure: None,
        per_cycle: None,
        rough: ROUGH,
    }
}

const fn predict(name: &'static str, params: &'static str) -> Experiment {
    Experiment { params, role: Role::Predict, ..characterise(name) }
}

const fn of_lines(experiment: Experiment) -> Experiment {
    Experiment { mechanism: Mechanism::Lines, ..experiment }
}

/// Experiment with a delay loop, which runs at one instruction per cycle: its dependent multiplication and addition
/// take four cycles, and counting the loop overlaps with them.
const fn of_delays(experiment: Experiment) -> Experiment {
    Experiment { per_cycle: Some(1.0), ..of_lines(experiment) }
}

pub const ALL: [Experiment; 23] = [
    Experiment { rough: ROUGH_COUNT, ..characterise("compute") },
    Experiment { rough: ROUGH_CHASE, ..characterise("pointer_chase") },
    Experiment { params: "overlap=core_overlap", ..characterise("serial_bandwidth") },
    Experiment { rough: ROUGH_COUNT, ..characterise("random_reads") },
    // Streams are throttled by rate in the workload, by computing in the kernel.
    Experiment { rough: ROUGH_CHASE, ..characterise("loaded_latency") },
    characterise("parallel_bandwidth"),
    characterise("node_bandwidth"),
    characterise("stream"),
    characterise("memory_go_around"),
    Experiment { measure: Some(("handover", "one_way")), ..of_lines(characterise("core_to_core")) },
    of_lines(characterise("contended_word")),
    of_delays(characterise("atomic_order")),
    characterise("first_touch_init"),
    characterise("page_migration"),
    characterise("malloc"),
    of_delays(characterise("epcc")),
    of_delays(characterise("epcc_task")),
    predict("loadbal", ADDITION),
    predict("matvec", PRODUCT),
    predict("cg", GATHER),
    predict("heat", STENCIL),
    of_lines(predict("false_sharing", "kind=atomic")),
    of_delays(predict("locks", "")),
];

/// Role of a row; `None` for an unknown experiment. It is the experiment's role, with exceptions: rows that show the
/// cost of a predicted kernel's loop characterise, and so do rows of `false_sharing` with one thread. Rows of `epcc`
/// with several threads are predicted, except those of the construct `parallel`.
pub fn role(row: &Row) -> Option<Role> {
    let experiment = find(&row.experiment)?;
    let alone = row.param("threads") == Some("1");
    // Time of a store to an exclusive line.
    let is_store_alone = experiment.name == "false_sharing" && alone;
    let is_loop = is_loop_alone(row) || is_loop_of_one(row) || is_loop_of_chunks(row);
    if is_loop || is_store_alone {
        return Some(Role::Characterise);
    }
    let derived = experiment.name == "epcc" && row.param("construct") != Some("parallel") && !alone;
    Some(if derived { Role::Predict } else { experiment.role })
}

/// Maximum data of a loop, in bytes, that counts as inside the caches of its core.
const IN_CACHE: u64 = 1 << 20;

/// True for a row of a predicted kernel on one thread whose data fits its core's caches. The row shows the
/// instruction cost of the kernel's loop.
pub fn is_loop_alone(row: &Row) -> bool {
    row.param("threads") == Some("1") && loop_bytes(row).is_some_and(|bytes| bytes <= IN_CACHE)
}

/// True for a row of a predicted kernel on one thread whose data exceeds its core's caches. The row shows the overlap
/// of waiting and computing.
pub fn is_loop_of_one(row: &Row) -> bool {
    row.param("threads") == Some("1") && loop_bytes(row).is_some_and(|bytes| bytes > IN_CACHE)
}

/// True for a row whose threads request chunks (`dynamic`) of data that fits their cores' caches. The row shows the
/// cost of a chunk.
pub fn is_loop_of_chunks(row: &Row) -> bool {
    let asks = row.param("schedule").is_some_and(|schedule| schedule.starts_with("dynamic"));
    let many = row.param("threads").is_some_and(|threads| threads != "1");
    asks && many && loop_bytes(row).is_some_and(|bytes| bytes <= IN_CACHE)
}

/// Bytes that the loop of a predicted kernel visits.
pub fn loop_bytes(row: &Row) -> Option<u64> {
    let number = |name: &str| row.param(name).and_then(|text| text.parse::<u64>().ok());
    match row.experiment.as_str() {
        "loadbal" => number("footprint"),
        "matvec" => number("n").and_then(|n| n.checked_mul(n)?.checked_mul(8)),
        // A value and a column index for each non-zero.
        "cg" => number("nnz").and_then(|count| count.checked_mul(12)),
        "heat" => number("rows").zip(number("columns")).and_then(|(a, b)| a.checked_mul(b)?.checked_mul(16)),
        _ => None,
    }
}

/// True if the quantity of a predicted loop's row is a time, so that a smaller value is faster.
pub fn is_time(row: &Row) -> bool {
    ["makespan", "step"].contains(&row.quantity.as_str())
}

pub fn find(name: &str) -> Option<&'static Experiment> {
    ALL.iter().find(|experiment| experiment.name == name)
}
