//! Tree by the digits of thread numbers to a base. Level `k` looks at digit `k`, from the lowest. A thread whose
//! digits up to `k` are all 0 is the parent of the threads that differ from it in digit `k` only.

use super::order::ParentOrder;

pub(super) fn order(threads: u32, branching: u32) -> ParentOrder {
    let base = u64::from(branching.max(2));
    let all = u64::from(threads);
    let children = |thread: u64| {
        let mut children = Vec::new();
        let mut step = 1;
        while step < all && thread.is_multiple_of(step * base) {
            let siblings = (1..base).map(|digit| thread + digit * step);
            children.extend(siblings.take_while(|child| *child < all).map(|child| child as u32));
            step *= base;
        }
        children
    };
    ParentOrder::by_levels((0..all).map(children))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_digits() {
        // Base 4, 18 threads: 0 has 1 2 3 (first digit), 4 8 12 (second), 16 (third).
        let order = order(18, 4);
        assert_eq!(order.gather(0), [1, 2, 3, 4, 8, 12, 16]);
        assert_eq!(order.release(0).collect::<Vec<u32>>(), [16, 12, 8, 4, 3, 2, 1]);
        assert_eq!(order.gather(4), [5, 6, 7]);
        assert_eq!(order.gather(16), [17]);
        assert!(order.gather(5).is_empty());
    }
}
