//! The operating system's numbering of processors, and the processors that are off line.

use super::Unsuited;
use super::hierarchy::Levels;
use numalab_machine::{CoreId, Fabric, Machine, NumberSequence, Numbering};
use std::collections::BTreeSet;

const ORDERS: [Numbering; 3] = [Numbering::CoresFirst, Numbering::ThreadsFirst, Numbering::RoundRobinSockets];

/// Sets the machine's numbering so that processors have the operating system's numbers, or at least its order: one of the
/// three orders, otherwise a list. If even that cannot be, warns. Returns the operating system's numbers in the machine's
/// order.
pub(super) fn set(
    machine: &mut Machine,
    levels: &Levels,
    warnings: &mut Vec<String>,
) -> Result<Vec<Option<u32>>, Unsuited> {
    let there = numbers_by_place(machine, levels)?;
    let full = there.iter().all(Option::is_some);
    let orders = levels.positions.numbering.map_or(ORDERS.to_vec(), |order| vec![order]);
    for order in orders {
        machine.numbering = order;
        let numbers = in_order(machine, &there)?;
        let equal = (0..).zip(&numbers).all(|(at, number)| number.is_none_or(|number| number == at));
        if equal || full && numbers.is_sorted() {
            set_offline(machine, &numbers);
            return Ok(numbers);
        }
    }
    machine.numbering = Numbering::default();
    match listed(&there) {
        Some(listed) => machine.processors = listed,
        None => warnings
            .push("the operating system numbers processors in a way that the model does not know".to_owned()),
    }
    let numbers = in_order(machine, &there)?;
    set_offline(machine, &numbers);
    Ok(numbers)
}

fn set_offline(machine: &mut Machine, numbers: &[Option<u32>]) {
    machine.offline = (0..).zip(numbers).filter(|(_, number)| number.is_none()).map(|(at, _)| at).collect();
}

/// The operating system's number of each hardware thread, core by core; `None` where there is none.
fn numbers_by_place(machine: &Machine, levels: &Levels) -> Result<Vec<Option<u32>>, Unsuited> {
    let fabric = fabric(machine)?;
    let threads = fabric.threads_per_core() as usize;
    let mut numbers = vec![None; fabric.processors() as usize];
    for (core, places) in levels.cores.iter().zip(&levels.positions.places) {
        for (number, (position, thread)) in core.threads.iter().zip(places) {
            let missing = || Unsuited::new("cores are missing from the topology".to_owned());
            *numbers.get_mut(position * threads + thread).ok_or_else(missing)? = Some(*number);
        }
    }
    Ok(numbers)
}

/// The numbers in the machine's order.
fn in_order(machine: &Machine, by_place: &[Option<u32>]) -> Result<Vec<Option<u32>>, Unsuited> {
    let fabric = fabric(machine)?;
    let mut numbers = vec![None; by_place.len()];
    let threads = fabric.threads_per_core();
    for (at, number) in (0..).zip(by_place) {
        let ours = fabric.os_number(CoreId(at / threads), at % threads).number();
        numbers[ours as usize] = *number;
    }
    Ok(numbers)
}

/// All numbers as a list, in which missing processors have those that are left; `None` if a number is too large.
fn listed(by_place: &[Option<u32>]) -> Option<NumberSequence> {
    let taken: BTreeSet<u32> = by_place.iter().flatten().copied().collect();
    let all = by_place.len() as u32;
    if taken.last().is_some_and(|last| *last >= all) {
        return None;
    }
    let mut left = (0..all).filter(|number| !taken.contains(number));
    let numbers: Option<Vec<u32>> = by_place.iter().map(|number| number.or_else(|| left.next())).collect();
    numbers.map(NumberSequence)
}

fn fabric(machine: &Machine) -> Result<Fabric, Unsuited> {
    Fabric::new(machine).map_err(|problems| {
        let first = problems.first().map_or(String::new(), ToString::to_string);
        Unsuited::new(format!("this machine cannot be simulated: {first}"))
    })
}
