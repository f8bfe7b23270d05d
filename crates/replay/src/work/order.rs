//! Order of instances: consecutive instances of one class form a step, and one sequence of steps may be repeated.

use serde::{Deserialize, Serialize};

/// Instances in order: `before`, then `body` repeated `rounds` times, then `after`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    pub before: Vec<Step>,
    /// The steps that are repeated `rounds` times.
    pub body: Vec<Step>,
    /// Number of repetitions of `body`.
    pub rounds: u32,
    pub after: Vec<Step>,
    /// Time in nanoseconds of one run that belongs to no class because it is short: mostly the opening
    /// of regions.
    pub left_out_ns: u64,
}

/// Consecutive instances of one class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    pub class: u32,
    pub times: u32,
}

/// Longest repeated sequence that is searched for, in steps.
const LONGEST: usize = 64;

impl Order {
    /// Finds the repetition in a list of classes: the shortest sequence whose repetitions cover most of the list.
    pub fn of(classes: &[u32], left_out_ns: u64) -> Order {
        let steps = runs(classes);
        let (mut best, mut found) = (0, None);
        for period in 1..=LONGEST.min(steps.len() / 2) {
            let mut start = 0;
            while start + 2 * period <= steps.len() {
                // Length for which the list equals itself shifted by one period.
                let same =
                    steps[start + period..].iter().zip(&steps[start..]).take_while(|(a, b)| a == b).count();
                let times = 1 + same / period;
                if times > 1 && times * period > best {
                    (best, found) = (times * period, Some((start, period, times)));
                }
                start += same + 1;
            }
        }
        let Some((start, period, times)) = found else {
            return Order { before: Vec::new(), body: steps, rounds: 1, after: Vec::new(), left_out_ns };
        };
        Order {
            before: steps[..start].to_vec(),
            body: steps[start..start + period].to_vec(),
            rounds: u32::try_from(times).unwrap_or(u32::MAX),
            after: steps[start + times * period..].to_vec(),
            left_out_ns,
        }
    }

    /// Number of steps that the order consists of.
    pub fn length(&self) -> usize {
        self.before.len() + self.body.len() + self.after.len()
    }

    /// All steps with their number of repetitions.
    pub fn steps(&self) -> impl Iterator<Item = (Step, u32)> + '_ {
        let once = |step: &Step| (*step, 1);
        let body = self.body.iter().map(|step| (*step, self.rounds));
        self.before.iter().map(once).chain(body).chain(self.after.iter().map(once))
    }
}

/// Merges equal neighbours.
fn runs(classes: &[u32]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for class in classes {
        match steps.last_mut() {
            Some(last) if last.class == *class && last.times < u32::MAX => last.times += 1,
            _ => steps.push(Step { class: *class, times: 1 }),
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn unrolled(order: &Order) -> Vec<u32> {
        let flat = |steps: &[Step]| -> Vec<u32> {
            steps.iter().flat_map(|step| std::iter::repeat_n(step.class, step.times as usize)).collect()
        };
        let mut all = flat(&order.before);
        (0..order.rounds).for_each(|_| all.extend(flat(&order.body)));
        all.extend(flat(&order.after));
        all
    }

    #[test]
    fn repeated_sequence_is_found() {
        let mut list = vec![7, 7, 8];
        (0..100).for_each(|_| list.extend([1, 2, 2, 3]));
        list.push(9);
        let order = Order::of(&list, 0);
        assert_eq!((order.rounds, order.body.len(), order.before.len(), order.after.len()), (100, 3, 2, 1));
        assert_eq!(unrolled(&order), list);
    }

    proptest! {
        #[test]
        fn order_unrolls_to_the_list(list in proptest::collection::vec(0u32..3, 0..60)) {
            prop_assert_eq!(unrolled(&Order::of(&list, 0)), list);
        }
    }
}
