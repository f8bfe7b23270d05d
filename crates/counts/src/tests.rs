//! Laws of every struct of counts.

use super::*;
use proptest::prelude::*;

/// Construction of a count from numbers that a test draws.
trait Filled {
    fn filled(numbers: &mut impl FnMut() -> u64) -> Self;
}

impl Filled for u64 {
    fn filled(numbers: &mut impl FnMut() -> u64) -> u64 {
        numbers()
    }
}

impl Filled for u32 {
    fn filled(numbers: &mut impl FnMut() -> u64) -> u32 {
        numbers() as u32
    }
}

impl Filled for String {
    fn filled(_: &mut impl FnMut() -> u64) -> String {
        "name".to_owned()
    }
}

impl Filled for Messages {
    fn filled(numbers: &mut impl FnMut() -> u64) -> Messages {
        std::array::from_fn(|_| numbers())
    }
}

impl<F: Filled> Filled for Vec<F> {
    fn filled(numbers: &mut impl FnMut() -> u64) -> Vec<F> {
        (0..numbers() % 4).map(|_| F::filled(numbers)).collect()
    }
}

/// Implements `Filled` for structs of counts.
macro_rules! fill {
    ($(
        $(#[$meta:meta])*
        pub struct $Type:ident {$($(#[$doc:meta])* $field:ident: $type:ty => $rule:ident $($rest:ident $($text:literal)?)*;)*}
        $(impl { $($method:tt)* })?
    )*) => {$(
        impl Filled for $Type {
            fn filled(numbers: &mut impl FnMut() -> u64) -> $Type {
                $Type { $($field: Filled::filled(numbers)),* }
            }
        }
    )*};
}
phase_counts!(fill);
page_counts!(fill);
run_counts!(fill);
task_counts!(fill);

/// Checks that a multiple equals repeated additions, and that `grow` adds the difference between two readings.
fn check<C: Count + Filled + Clone + PartialEq + std::fmt::Debug>(drawn: &[u64], times: u64) {
    let mut drawn = drawn.iter().copied().cycle();
    let mut numbers = || drawn.next().unwrap();
    let one = C::filled(&mut numbers);
    let mut sum = one.clone();
    (1..times).for_each(|_| sum.add(&one));
    assert_eq!(one.times(times), sum);
    let (before, mut grown) = (C::filled(&mut numbers), one.clone());
    let mut after = before.clone();
    after.add(&one);
    grown.grow(&before, &after, times - 1);
    // Under the rule `max`, the larger of both readings counts, too.
    let mut expected = one.clone();
    (1..times).for_each(|_| expected.add(&one));
    expected.grow(&before, &before, 0);
    expected.grow(&after, &after, 0);
    assert_eq!(grown, expected);
}

proptest! {
    #[test]
    fn times_equals_as_many_additions(drawn in prop::collection::vec(0u64..1 << 40, 64), times in 1u64..20) {
        macro_rules! check {
            ($($(#[$meta:meta])* pub struct $Type:ident { $($fields:tt)* } $(impl { $($method:tt)* })?)*) => {
                $(check::<$Type>(&drawn, times);)*
            };
        }
        phase_counts!(check);
        page_counts!(check);
        run_counts!(check);
        task_counts!(check);
    }
}

#[test]
fn largest_stays_largest() {
    let first = TaskCounts {
        phases: 1,
        created: 10,
        creators: 1,
        by_creator: Executed { tasks: 4, time_ps: 40 },
        remote: Executed { tasks: 6, time_ps: 90 },
        longest_queue: 7,
        working_ps: 130,
        longest_task_ps: 20,
        ..TaskCounts::default()
    };
    let second = TaskCounts { created: 5, longest_queue: 3, longest_task_ps: 50, ..first.clone() };
    let mut sum = TaskCounts::default();
    sum.add(&first);
    assert_eq!(sum, first);
    sum.add(&second);
    assert_eq!((sum.phases, sum.created, sum.creators, sum.working_ps), (2, 15, 1, 260));
    assert_eq!((sum.longest_queue, sum.longest_task_ps), (7, 50));
    assert_eq!(sum.remote, Executed { tasks: 12, time_ps: 180 });
}

#[test]
fn nodes_without_an_amount_are_left_out() {
    let mut by_node = ByNode::default();
    [(2, 7), (0, 1), (2, 1), (3, 0)].into_iter().for_each(|(node, amount)| by_node.add(node, amount));
    assert_eq!(by_node.entries(), [(0, 1), (2, 8)]);
    assert_eq!((by_node.get(2), by_node.get(1), by_node.total()), (8, 0, 9));
    for wrong in [vec![(2, 1), (0, 1)], vec![(0, 1), (0, 1)], vec![(0, 0)]] {
        assert_eq!(ByNode::of(wrong), None);
    }
}
