//! The page map agrees with a plain array of pages under random operations.

use super::homes;
use super::plain::{Plain, PlainRegion};
use crate::zones::Zones;
use crate::{Nodes, PageMap, PagePolicy, PageSize, ScanClock, ScanSettings};
use numalab_base::{Bytes, Span, Time};
use numalab_machine::NodeId;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

const NODES: u32 = 4;
const BASE: u64 = 64;
const REGIONS: usize = 3;

#[derive(Clone, Debug)]
enum Ask {
    Touch(usize, Range<u64>, u32),
    Fetch(usize, Range<u64>, u32),
    Mark(usize, Range<u64>),
    PagePolicy(usize, PagePolicy),
    Release(usize),
    Wait(u64),
}

fn policy(interleave: bool) -> impl Strategy<Value = PagePolicy> {
    let set = prop::collection::btree_set(0..NODES, 1..=NODES as usize)
        .prop_map(|set: BTreeSet<u32>| set.into_iter().map(NodeId).collect());
    let list = prop::collection::vec((0..NODES).prop_map(NodeId), NODES as usize);
    let which = 0..if interleave { 8 } else { 5 };
    (set, list, 0..NODES, which).prop_map(|(set, list, node, which): (Arc<[NodeId]>, _, _, _)| match which {
        0 => PagePolicy::FirstTouch,
        1 => PagePolicy::Bind(set),
        2 => PagePolicy::Preferred(NodeId(node)),
        3 => PagePolicy::PreferredMany(set),
        4 => PagePolicy::Nearby(list.into()),
        5 => {
            let weighted = set.iter().flat_map(|node| vec![*node; 1 + node.0 as usize]);
            PagePolicy::Interleave(weighted.collect())
        }
        _ => PagePolicy::Interleave(set),
    })
}

fn page() -> impl Strategy<Value = PageSize> {
    prop_oneof![
        Just(PageSize::Base),
        Just(PageSize::Explicit(Bytes(2 * BASE))),
        Just(PageSize::Transparent { huge: Bytes(4 * BASE) }),
    ]
}

fn ask(interleave: bool) -> impl Strategy<Value = Ask> {
    let bytes = || (0u64..2500, 0u64..900).prop_map(|(start, length)| start..start + length);
    prop_oneof![
        8 => (0..REGIONS, bytes(), 0..NODES).prop_map(|(region, bytes, node)| Ask::Touch(region, bytes, node)),
        2 => (0..REGIONS, bytes(), 0..NODES).prop_map(|(region, bytes, node)| Ask::Fetch(region, bytes, node)),
        2 => (0..REGIONS, bytes()).prop_map(|(region, bytes)| Ask::Mark(region, bytes)),
        1 => (0..REGIONS, policy(interleave)).prop_map(|(region, policy)| Ask::PagePolicy(region, policy)),
        1 => (0..REGIONS).prop_map(Ask::Release),
        3 => (0u64..50).prop_map(Ask::Wait),
    ]
}

/// A thread walks upwards through a region and resumes where it stopped.
fn upwards() -> impl Strategy<Value = Vec<Ask>> {
    let lengths = prop::collection::vec(1u64..300, 2..6);
    (0..REGIONS, 0..NODES, 0u64..2000, lengths).prop_map(|(region, node, start, lengths)| {
        let ends = lengths.iter().scan(start, |at, length| {
            let from = *at;
            *at += length;
            Some(from..*at)
        });
        ends.map(|bytes| Ask::Touch(region, bytes, node)).collect()
    })
}

fn asked(interleave: bool) -> impl Strategy<Value = Vec<Ask>> {
    let some = prop_oneof![12 => ask(interleave).prop_map(|ask| vec![ask]), 1 => upwards()];
    prop::collection::vec(some, 1..50).prop_map(|some| some.concat())
}

#[derive(Clone, Debug)]
struct Setting {
    capacity: u64,
    /// True if node 1 has processors and no memory.
    memoryless: bool,
    distance: Vec<u64>,
    regions: Vec<(u64, PageSize, PagePolicy)>,
    balancing: Option<ScanSettings>,
}

fn setting(interleave: bool) -> impl Strategy<Value = Setting> {
    let scans = (1u64..700, 1u64..30, 0u64..60).prop_map(|(size, period, delay)| ScanSettings {
        scan_size: Bytes(size),
        scan_period: Span(period),
        scan_delay: Span(delay),
    });
    let region = (0u64..2500, page(), policy(interleave));
    (
        0u64..4000,
        any::<bool>(),
        prop::collection::vec(10u64..14, (NODES * NODES) as usize),
        prop::collection::vec(region, REGIONS),
        prop::option::of(scans),
    )
        .prop_map(|(capacity, memoryless, distance, regions, balancing)| Setting {
            capacity,
            memoryless,
            distance,
            regions,
            balancing,
        })
}

fn both(setting: &Setting) -> (PageMap<'static>, Plain) {
    let table = setting.distance.clone();
    let distance = move |from: NodeId, to: NodeId| table[(from.0 * NODES + to.0) as usize];
    // The last node has no processors and half as much memory.
    let mut nodes =
        Nodes::even(NODES - 1, Bytes(setting.capacity)).and_memory_only([Bytes(setting.capacity / 2)]);
    if setting.memoryless {
        nodes.0[1].capacity = Bytes(0);
    }
    let mut store = PageMap::new(&nodes, Bytes(BASE), distance.clone());
    let mut regions = Vec::new();
    for (index, (size, page, policy)) in setting.regions.iter().enumerate() {
        assert_eq!(store.add(Bytes(*size), *page, policy.clone()), index);
        regions.push(PlainRegion::new(*size, BASE, *page, policy.clone()));
    }
    let plain = Plain {
        regions,
        free: nodes.0.iter().map(|node| node.capacity.0).collect(),
        has_memory: nodes.0.iter().map(|node| node.capacity.0 > 0).collect(),
        zones: Zones::new(&nodes, distance),
        balancing: setting.balancing,
        scans: 0,
        scanner: (0, 0),
    };
    (store, plain)
}

/// Homes by the plain array, in the form of the helper `homes`.
fn plain_homes(region: &PlainRegion, bytes: Range<u64>) -> Vec<(u32, u64)> {
    let mut found: Vec<(u32, u64)> = Vec::new();
    for at in region.span(&bytes) {
        let page = at as u64 * region.page..(at as u64 + 1) * region.page;
        let Some(home) = &region.pages[at] else { continue };
        let length = page.end.min(bytes.end) - page.start.max(bytes.start);
        match found.last_mut() {
            Some(last) if last.0 == home.node.0 => last.1 += length,
            _ => found.push((home.node.0, length)),
        }
    }
    found
}

fn agree(setting: &Setting, asked: &[Ask], interleave: bool) -> Result<(), TestCaseError> {
    let (mut store, mut plain) = both(setting);
    let mut clock = setting.balancing.map(ScanClock::new);
    let mut now = 0;
    for ask in asked {
        let within = |region: usize, bytes: &Range<u64>| {
            let size = setting.regions[region].0;
            bytes.start.min(size)..bytes.end.min(size)
        };
        match ask {
            Ask::Touch(region, bytes, node) => {
                let bytes = within(*region, bytes);
                let (touched, left) =
                    plain.touch(*region, plain.regions[*region].span(&bytes), NodeId(*node), now);
                // The plain scanner runs at the time of each touch.
                if let Some(clock) = &mut clock {
                    store.scan(clock.walk_until(Time(now)));
                }
                match store.touch(*region, bytes.clone(), NodeId(*node)) {
                    Ok(ours) => prop_assert_eq!((ours, 0), (touched, left)),
                    Err(full) => prop_assert_eq!(full.pages, left),
                }
                prop_assert_eq!(
                    homes(&store, *region, bytes.clone()),
                    plain_homes(&plain.regions[*region], bytes)
                );
            }
            Ask::Fetch(region, bytes, node) => {
                let bytes = within(*region, bytes);
                let moved = plain.fetch(*region, plain.regions[*region].span(&bytes), NodeId(*node));
                prop_assert_eq!(store.fetch(*region, bytes, NodeId(*node)).unwrap(), moved);
            }
            Ask::Mark(region, bytes) => {
                let bytes = within(*region, bytes);
                let marked = plain.mark(*region, plain.regions[*region].span(&bytes));
                prop_assert_eq!(store.mark(*region, bytes), marked);
            }
            Ask::PagePolicy(region, policy) => {
                store.set_policy(*region, policy.clone());
                plain.regions[*region].policy = policy.clone();
            }
            Ask::Release(region) => {
                store.release(*region);
                plain.release(*region);
            }
            Ask::Wait(time) => now += time,
        }
        laws(setting, &store, &plain, interleave)?;
    }
    Ok(())
}

fn laws(setting: &Setting, store: &PageMap, plain: &Plain, interleave: bool) -> Result<(), TestCaseError> {
    for node in (0..NODES).map(NodeId) {
        prop_assert_eq!(store.usage(node), plain.usage(node));
        prop_assert!(store.usage(node).0 <= setting.capacity);
    }
    for (index, region) in plain.regions.iter().enumerate() {
        let placed = region.pages.iter().flatten().count();
        prop_assert_eq!(store.placed(index), placed as u64);
        prop_assert_eq!(store.complete(index), placed == region.pages.len());
        let all = 0..setting.regions[index].0;
        prop_assert_eq!(homes(store, index, all.clone()), plain_homes(region, all));
        // Runs merge wherever the array has equal neighbours. Interleaved turns are runs of their own.
        if !interleave {
            prop_assert_eq!(store.runs(index), plain.stretches(index));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Law: The page map agrees with a plain array of pages.
    #[test]
    fn page_map_equals_plain_array(
        setting in setting(true), asked in asked(true),
    ) {
        agree(&setting, &asked, true)?;
    }

    #[test]
    fn runs_are_minimal_without_interleaving(
        setting in setting(false), asked in asked(false),
    ) {
        agree(&setting, &asked, false)?;
    }
}
