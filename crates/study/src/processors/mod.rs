//! Processors of a machine from the expressions of numactl and likwid-pin.

mod domains;
mod likwid;

use crate::SealedMachine;
use domains::Domains;

pub use likwid::numbers;

/// An expression that cannot be parsed, or names parts that the machine lacks.
#[derive(Clone, Debug, PartialEq)]
pub struct InvalidProcessors {
    /// Part of the expression that is wrong.
    pub part: String,
    /// Description of valid expressions.
    pub expected: String,
}

impl InvalidProcessors {
    pub fn new(part: impl Into<String>, expected: impl Into<String>) -> InvalidProcessors {
        InvalidProcessors { part: part.into(), expected: expected.into() }
    }
}

/// Numbers of all processors: the first hardware threads of all cores, then the second ones.
pub fn all(machine: &SealedMachine) -> Vec<u32> {
    Domains::new(machine).all()
}

/// Processors of an expression of likwid-pin, such as `S0:0-3@S1:0-3`, in the order of the expression.
pub fn of_likwid_pin(text: &str, machine: &SealedMachine) -> Result<Vec<u32>, InvalidProcessors> {
    likwid::processors(text, &Domains::new(machine))
}

/// Processors of nodes, as numactl lists them: `0-3,6` or `all`.
pub fn of_nodes(text: &str, machine: &SealedMachine) -> Result<Vec<u32>, InvalidProcessors> {
    let domains = Domains::new(machine);
    let expected = || match domains.nodes() {
        1 => "node 0, the only one with processors".to_owned(),
        nodes => format!("nodes with processors, 0 to {}", nodes - 1),
    };
    let nodes = match text.trim() {
        "all" => (0..domains.nodes()).collect(),
        text => numbers(text).ok_or_else(|| InvalidProcessors::new(text, expected()))?,
    };
    let each = nodes
        .iter()
        .map(|&node| domains.node(node).ok_or_else(|| InvalidProcessors::new(node.to_string(), expected())));
    Ok(each.collect::<Result<Vec<_>, _>>()?.concat())
}
