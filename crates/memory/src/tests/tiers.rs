//! Memory tiers: results by hand, and promotion of many pages at once compared with one at a time.

use super::{PAGE, in_pages, nodes, pages, touch};
use crate::tiers::Tiers;
use crate::{Demoted, Nodes, PageMap, PagePolicy, PageSize, TierSettings, Touched};
use numalab_base::{Bytes, Span, Time};
use numalab_machine::NodeId;
use proptest::prelude::*;

const MS: u64 = 1_000_000_000;

fn settings() -> TierSettings {
    TierSettings {
        tiers: vec![4, 4, 38],
        hot_threshold: Span(1000 * MS),
        promote_rate: 1 << 36,
        watermark_scale: 0.001,
        balanced: false,
    }
}

/// Two nodes of 60 pages with processors, and a slower node of 200 pages without processors.
fn tiered(settings: TierSettings) -> PageMap<'static> {
    let all = Nodes::even(2, Bytes(60 * PAGE)).and_memory_only([Bytes(200 * PAGE)]);
    let distance = |from: NodeId, to: NodeId| match (from == to, to.0 == 2) {
        (true, _) => 10,
        (false, true) => 17,
        (false, false) => 21,
    };
    PageMap::new(&all, Bytes(PAGE), distance).with_tiers(2, settings)
}

/// A map with 100 pages, of which node 0 holds 60. A scan at 1 s has unmapped all pages that are not on node 0.
fn spilled(settings: TierSettings) -> (PageMap<'static>, usize) {
    let mut store = tiered(settings);
    let region = store.add(Bytes(100 * PAGE), PageSize::Base, PagePolicy::FirstTouch);
    touch(&mut store, region, 0..100, 0);
    assert_eq!(in_pages(&store, region, 0..100), [(0, 60), (2, 40)]);
    store.tell(Time(1000 * MS));
    assert_eq!(store.scan(1 << 30), 40);
    (store, region)
}

/// The machine has 320 pages, 1280 KiB. √(1280 * 16) = 143 KiB are kept free, 27 456 bytes of them on node 0 (60 of
/// 320 pages). Watermarks are a quarter of this apart, 6864 bytes: the high one is 41 184 bytes, promotion 48 048.
///
/// Node 0 is full, so nothing is promoted and its `kswapd` wakes. It spares every page once, then demotes pages from
/// the first on until the promotion watermark and one page, 52 144 bytes, are free: 13 pages, 53 248 bytes. A hot
/// page needs the high watermark and its own size free, 45 280 bytes: 53 248 and 49 152 are enough, 45 056 are not.
/// So two pages are promoted and `kswapd` wakes again: 52 144 - 45 056 bytes are missing, 2 pages.
#[test]
fn a_full_node_makes_room_for_hot_pages() {
    let (mut store, region) = spilled(settings());
    let touched = touch(&mut store, region, 60..100, 0);
    assert_eq!((touched.hints, touched.promoted.pages, touched.migrated.pages), (40, 0, 0));
    let awake = |store: &PageMap| store.awake().collect::<Vec<_>>();
    assert_eq!(awake(&store), [NodeId(0)]);
    let demoted = |pages| Some(Demoted { to: NodeId(2), pages, bytes: Bytes(pages * PAGE) });
    assert_eq!(store.demote(NodeId(0)), demoted(13));
    assert_eq!((store.demote(NodeId(0)), awake(&store)), (None, vec![]));
    assert_eq!(in_pages(&store, region, 0..100), [(2, 13), (0, 47), (2, 40)]);
    store.tell(Time(2000 * MS));
    assert_eq!(store.scan(1 << 30), 53);
    let touched = touch(&mut store, region, 60..100, 0);
    assert_eq!((touched.hints, touched.promoted.pages), (40, 2));
    assert_eq!((store.demote(NodeId(0)), store.demote(NodeId(0))), (demoted(2), None));
    assert_eq!(in_pages(&store, region, 0..100), [(2, 15), (0, 47), (2, 38)]);
}

/// A scan of 20 pages passes 60 pages of node 0, which count as 7.5, and unmaps 12 and a half of
/// the others: 13 start there. The next scan starts in the middle of a page, whose rest counts.
#[test]
fn top_tier_pages_cost_less_scan_effort() {
    let mut store = tiered(settings());
    let region = store.add(Bytes(100 * PAGE), PageSize::Base, PagePolicy::FirstTouch);
    touch(&mut store, region, 0..100, 0);
    assert_eq!([store.scan(20 * u128::from(PAGE)), store.scan(20 * u128::from(PAGE))], [13, 20]);
}

/// Node 0 is full. A page accessed 999 ms after the scan is hot: it requests its promotion, which fails and wakes
/// `kswapd`. A page accessed after 1000 ms is cold and requests nothing, so `kswapd` sleeps.
#[test]
fn cold_pages_stay() {
    for (later, wakes) in [(999, 1), (1000, 0)] {
        let (mut store, region) = spilled(settings());
        store.tell(Time((1000 + later) * MS));
        touch(&mut store, region, 60..100, 0);
        assert_eq!(store.awake().count(), wakes, "{later} ms");
    }
}

/// Pages accessed after the hand passed are spared. The first step passes all 60 pages of node 0 and demotes pages 0
/// to 12; then pages 13 to 32 are read. Two promotions make a second step necessary: it spares the pages read, and
/// demotes 33 and 34.
#[test]
fn pages_in_use_have_a_second_chance() {
    let (mut store, region) = spilled(settings());
    touch(&mut store, region, 60..100, 0);
    // The first step passes all pages, and demotes the first 13.
    store.demote(NodeId(0));
    assert_eq!(touch(&mut store, region, 13..33, 0), Touched::default(), "looking costs nothing");
    store.tell(Time(2000 * MS));
    store.scan(1 << 30);
    touch(&mut store, region, 60..100, 0);
    store.demote(NodeId(0));
    assert_eq!(in_pages(&store, region, 0..60), [(2, 13), (0, 20), (2, 2), (0, 25)]);
}

/// Pages with a policy of their own are not promoted, but are demoted like all others.
#[test]
fn bound_pages_are_demoted() {
    let mut store = tiered(settings());
    let bound = store.add(Bytes(60 * PAGE), PageSize::Base, PagePolicy::Bind(nodes(&[0])));
    let region = store.add(Bytes(40 * PAGE), PageSize::Base, PagePolicy::FirstTouch);
    touch(&mut store, bound, 0..60, 0);
    touch(&mut store, region, 0..40, 0);
    assert_eq!(store.scan(1 << 30), 40);
    touch(&mut store, region, 0..40, 0);
    assert_eq!(store.demote(NodeId(0)).map(|demoted| demoted.pages), Some(13));
    assert_eq!(in_pages(&store, bound, 0..60), [(2, 13), (0, 47)]);
    assert_eq!(store.scan(1 << 30), 40, "what was demoted is outside of balancing");
}

#[test]
fn huge_pages_stay_whole() {
    let all = Nodes::even(1, Bytes(8 << 30)).and_memory_only([Bytes(8 << 30)]);
    let settings = TierSettings { tiers: vec![4, 9], ..settings() };
    let mut store = PageMap::new(&all, Bytes(PAGE), |_, _| 10).with_tiers(1, settings);
    let region =
        store.add(Bytes(10 << 30), PageSize::Transparent { huge: Bytes(2 << 20) }, PagePolicy::FirstTouch);
    // Node 0's lack of room makes the others base pages.
    assert_eq!(store.touch(region, 0..10 << 30, NodeId(0)).unwrap().fresh.huge, 4096);
    store.scan(1 << 40);
    let touched = store.touch(region, 8 << 30..10 << 30, NodeId(0)).unwrap();
    assert_eq!((touched.hints, touched.promoted.pages), (1 << 19, 0));
    let first = store.demote(NodeId(0)).unwrap();
    assert_eq!((first.pages, first.bytes), (1, Bytes(2 << 20)));
    let more = std::iter::from_fn(|| store.demote(NodeId(0))).map(|step| step.pages).sum::<u64>();
    // Of 16 GiB, 16 384 KiB are kept free, 8192 KiB of them on node 0. Watermarks are 0.001 of node 0's memory apart,
    // which is more than a quarter of 8192 KiB; three distances are 25 769 802 bytes. Promotion is at 34 158 410
    // bytes: 17 pages of 2 MiB.
    assert_eq!(1 + more, 17);
    let slow = store.add(
        Bytes(4 << 20),
        PageSize::Transparent { huge: Bytes(2 << 20) },
        PagePolicy::Bind(nodes(&[1])),
    );
    assert_eq!(store.touch(slow, 0..4 << 20, NodeId(0)).unwrap().fresh.huge, 2);
    store.set_policy(slow, PagePolicy::FirstTouch);
    store.scan(1 << 40);
    let promoted = store.touch(slow, 0..4 << 20, NodeId(0)).unwrap().promoted;
    assert_eq!((promoted.pages, promoted.bytes), (2, Bytes(4 << 20)));
}

/// Number of promoted pages, where each page requests its promotion alone.
fn one_by_one(tiers: &mut Tiers, to: NodeId, free: u64, scanned: u32, pages: u64, page: u64) -> u64 {
    (0..pages).fold(0, |done, _| done + tiers.promotes(to, free - done * page, scanned, 1, page))
}

proptest! {
    /// Law: Promoting many pages at once equals promoting them one by one.
    ///
    /// Rates and thresholds afterwards are equal, too. A node is asked for at most as many pages as fit into its free
    /// memory.
    #[test]
    fn batch_promotion_equals_single_pages(
        capacity in 1u64 << 28..1 << 33,
        promote_rate in 0u64..1 << 30,
        asks in prop::collection::vec((0u64..100_000, 0u64..3000, 0f64..1.0, 0u64..600, prop::bool::ANY), 1..20),
    ) {
        let settings = TierSettings { promote_rate, ..settings() };
        let mut tiers = [(); 2].map(|()| Tiers::new(settings.clone(), 2, &[capacity, capacity, capacity]));
        let mut now = 0;
        for (later, latency, full, count, huge) in asks {
            now += later;
            tiers.iter_mut().for_each(|tiers| tiers.tell(Time(now * MS)));
            let scanned = now.saturating_sub(latency) as u32;
            let page = if huge { 2 << 20 } else { PAGE };
            let free = (capacity as f64 * full) as u64;
            let count = count.min(free / page);
            let [together, apart] = &mut tiers;
            let all = together.promotes(NodeId(1), free, scanned, count, page);
            prop_assert_eq!(all, one_by_one(apart, NodeId(1), free, scanned, count, page));
            let states = [&tiers[0], &tiers[1]].map(|tiers| {
                let mut into = numalab_base::Snapshot::new(numalab_base::Time::ZERO);
                tiers.snapshot(&mut into);
                format!("{into:?}")
            });
            prop_assert_eq!(&states[0], &states[1]);
        }
    }

    /// No sequence of touches, scans and demotions loses a page or fills a node beyond its memory.
    #[test]
    fn tiers_conserve_pages(asks in prop::collection::vec((0u32..4, 0u64..100, 1u64..60, 0u32..2), 1..60)) {
        let mut store = tiered(settings());
        let region = store.add(Bytes(100 * PAGE), PageSize::Base, PagePolicy::FirstTouch);
        let mut now = 0;
        for (what, from, length, node) in asks {
            now += 300;
            store.tell(Time(now * MS));
            match what {
                0 => drop(store.scan(u128::from(length * PAGE))),
                1 => drop(store.demote(NodeId(node))),
                _ => drop(store.touch(region, pages(from..(from + length).min(100)), NodeId(node)).unwrap()),
            }
            let used: Vec<u64> = (0..3).map(|node| store.usage(NodeId(node)).0).collect();
            prop_assert_eq!(used.iter().sum::<u64>(), store.placed(region) * PAGE);
            prop_assert!(used[0] <= 60 * PAGE && used[1] <= 60 * PAGE && used[2] <= 200 * PAGE);
            let mut found = [0; 3];
            super::homes(&store, region, pages(0..100)).iter().for_each(|&(node, bytes)| found[node as usize] += bytes);
            prop_assert_eq!(found.to_vec(), used);
        }
    }
}
