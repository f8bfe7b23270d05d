//! Tree: the children of thread `t` are the threads from `branching * t + 1` to `branching * t + branching`.

use super::order::ParentOrder;

pub(super) fn order(threads: u32, branching: u32) -> ParentOrder {
    let branching = branching.max(1);
    let children = |thread: u32| {
        let first = thread.saturating_mul(branching).saturating_add(1);
        (first..first.saturating_add(branching)).take_while(move |child| *child < threads)
    };
    ParentOrder::new((0..threads).map(children))
}
