//! Recorded programs: written files read back, and arbitrary files do no harm.

use numalab_nlt::{Event, EventBlock, Kind, Meta, NltError, Reader, Site, Slots, Step, What, Writer};
use numalab_replay::work::{
    Allocation, Chunk, Class, Footprint, Form, Order, Recorded, Refusal, Run, Step as OrderStep, TaskNode,
    Walk, Work,
};
use numalab_replay::{Gap, Recording};
use proptest::collection::vec;
use proptest::prelude::*;
use std::io::Cursor;

fn event() -> impl Strategy<Value = Event> {
    let kinds = What::NAMES.iter().map(|(number, _)| *number).collect::<Vec<u8>>();
    (any::<u64>(), any::<u32>(), any::<bool>(), proptest::sample::select(kinds), any::<(u8, u64, u64, u64)>())
        .prop_map(|(time, switches, asked, kind, (detail, a, b, c))| {
            // Values that the kind does not have are not written.
            let what = What::of(kind, Slots { detail, a, b, c }).unwrap();
            Event { time, switches: switches >> 1, asked, what }
        })
}

fn class() -> impl Strategy<Value = Class> {
    let chunks = vec((1u64..1000, any::<u64>(), any::<u64>(), any::<u32>()), 0..50);
    (chunks, any::<u64>(), any::<u32>(), any::<bool>()).prop_map(|(chunks, site, team, tasks)| {
        let chunks: Vec<Chunk> = chunks
            .into_iter()
            .map(|(count, cost_ns, spread_ns, samples)| Chunk { count, cost_ns, spread_ns, samples })
            .collect();
        let task = |at: usize| TaskNode {
            parent: (at as u32).checked_sub(1).filter(|_| !at.is_multiple_of(3)),
            waits: at.is_multiple_of(2),
            after_ns: at as u64 * 7,
            predecessors: if at % 5 == 4 { vec![at as u32 / 2, at as u32 - 1] } else { Vec::new() },
        };
        let run =
            |at: u32| Run { allocation: 0, written: at % 2 == 1, first: u64::from(at) << 12, bytes: 4096 };
        let part = |chunk: &Chunk| Footprint { count: chunk.count, runs: (0..team % 4).map(run).collect() };
        Class {
            site,
            footprint: if team % 3 == 0 { chunks.iter().map(part).collect() } else { Vec::new() },
            form: if tasks { Form::Tasks } else { Form::Loop },
            iterations: chunks.iter().map(|chunk| chunk.count).sum(),
            team,
            schedule: Recorded::Guided(3),
            instances: 2,
            filled: false,
            varies: true,
            recorder_ns: 9,
            least_ns: 1,
            most_ns: 2,
            ordered: tasks,
            locked_ns: 5,
            tasks: if tasks { (0..chunks.len()).map(task).collect() } else { Vec::new() },
            chunks,
        }
    })
}

/// A file with the given events and classes of work, and the recording that it was written from.
fn file(events: &[EventBlock], classes: &[Class]) -> (Vec<u8>, Recording) {
    let steps = (0..classes.len() as u32).map(|class| OrderStep { class, times: class + 1 }).collect();
    let recording = Recording {
        meta: Meta { command: vec!["./prog".into(), "a b".into()], threads: 8, rounds: 2, ..Meta::default() },
        sites: vec![Site { address: 7, file: Some("a.c".into()), line: Some(3), ..Site::default() }],
        allocations: vec![Allocation { start: 4096, bytes: 1 << 20, site: 7 }],
        work: Work {
            classes: classes.to_vec(),
            order: Order { body: steps, rounds: 3, ..Order::default() },
            refusals: vec![Refusal::NestedTeams { site: 7, team: 2 }],
        },
        ..Recording::default()
    };
    let mut writer = Writer::new(Vec::new()).unwrap();
    writer.block(Kind::Meta, &serde_json::to_vec(&recording.meta).unwrap()).unwrap();
    writer.block(Kind::Allocations, &serde_json::to_vec(&recording.allocations).unwrap()).unwrap();
    for block in events {
        writer.block(Kind::Events, &block.bytes()).unwrap();
    }
    recording.write_end(&mut writer).unwrap();
    (writer.finish().unwrap(), recording)
}

/// Kind and plain bytes of a block.
type Plain = (Kind, Vec<u8>);

/// All readable blocks, and the number of lost ones.
fn blocks(bytes: &[u8]) -> Result<(Vec<Plain>, usize), NltError> {
    let mut reader = Reader::new(bytes)?;
    let (mut blocks, mut lost) = (Vec::new(), 0);
    while let Some(step) = reader.step()? {
        match step {
            Step::Block(block) => blocks.push((block.kind, block.plain)),
            Step::Skipped(_) => {}
            Step::Damaged { .. } | Step::Torn { .. } => lost += 1,
        }
    }
    Ok((blocks, lost))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn events_come_back(round in any::<u32>(), thread in any::<u32>(), events in vec(event(), 0..200)) {
        let block = EventBlock { round, thread, events };
        prop_assert_eq!(EventBlock::read(&block.bytes()), Some(block));
    }

    #[test]
    fn classes_come_back(class in class()) {
        prop_assert_eq!(Class::read(&class.bytes()), Some(class));
    }

    #[test]
    fn recordings_come_back(classes in vec(class(), 1..4), events in vec(event(), 0..50)) {
        let (bytes, recording) = file(&[EventBlock { round: 0, thread: 1, events }], &classes);
        prop_assert_eq!(Recording::read(Cursor::new(bytes)).unwrap(), recording);
    }

    /// Law: A torn recording loses one block.
    ///
    /// A file truncated at any byte loses the block of that byte, and no other.
    #[test]
    fn a_torn_file_loses_one_block(class in class(), cut in any::<proptest::sample::Index>()) {
        let events = EventBlock { round: 0, thread: 0, events: Vec::new() };
        let (bytes, _) = file(&[events.clone(), events], &[class]);
        let (whole, lost) = blocks(&bytes).unwrap();
        prop_assert_eq!(lost, 0);
        let cut = 8 + cut.index(bytes.len() - 8);
        let (rest, lost) = blocks(&bytes[..cut]).unwrap();
        prop_assert_eq!(&whole[..rest.len()], &rest[..]);
        // At a block border nothing is lost.
        let (complete, torn) = blocks(&bytes[..cut.saturating_sub(lost)]).unwrap();
        prop_assert!(lost <= 1 && complete.len() == rest.len() && torn <= 1);
        let read = Recording::read(Cursor::new(&bytes[..cut])).unwrap();
        prop_assert_eq!(read.gaps.len(), lost);
    }

    /// A changed byte costs at most its block, and never yields a different block.
    #[test]
    fn a_changed_byte_is_noticed(class in class(), at in any::<proptest::sample::Index>(), by in 1u8..) {
        let (mut bytes, _) = file(&[], &[class]);
        let (whole, _) = blocks(&bytes).unwrap();
        let at = 8 + at.index(bytes.len() - 8);
        bytes[at] ^= by;
        if let Ok((rest, _)) = blocks(&bytes) {
            prop_assert!(rest.iter().all(|block| whole.contains(block)));
            prop_assert!(rest.len() < whole.len());
        }
        let _ = Recording::read(Cursor::new(bytes));
    }

    /// Arbitrary bytes cause no panic, and no more memory than a few blocks.
    #[test]
    fn arbitrary_bytes_do_no_harm(kind in 0u8..8, plain in vec(any::<u8>(), 0..300), tail in vec(any::<u8>(), 0..40)) {
        let _ = EventBlock::read(&plain);
        let _ = Class::read(&plain);
        if let Some(kind) = Kind::of(kind) {
            let mut writer = Writer::new(Vec::new()).unwrap();
            writer.block(kind, &plain).unwrap();
            let mut bytes = writer.finish().unwrap();
            bytes.extend(&tail);
            let _ = Recording::read(Cursor::new(bytes));
        }
        let mut bytes = b"NLT\x1a\x01\0\0\0".to_vec();
        bytes.extend(plain);
        let _ = Recording::read(Cursor::new(bytes));
    }

    /// Law: Lost parts of a recording are rebuilt from its events.
    ///
    /// Events of any kind in any order yield some work, and lost work can be derived from them again.
    #[test]
    fn any_events_yield_work(events in vec(event(), 0..100), thread in 0u32..3) {
        let mut walk = Walk::default();
        let block = EventBlock { round: 0, thread, events };
        walk.take(&block);
        let work = walk.finish(&|address| address, &[]);
        for class in &work.classes {
            prop_assert_eq!(Class::read(&class.bytes()), Some(class.clone()));
        }
        let mut writer = Writer::new(Vec::new()).unwrap();
        writer.block(Kind::Events, &block.bytes()).unwrap();
        let read = Recording::read(Cursor::new(writer.finish().unwrap())).unwrap();
        prop_assert_eq!(read.work, work);
    }
}

#[test]
fn length_field_allocates_nothing() {
    let mut bytes = b"NLT\x1a\x01\0\0\0".to_vec();
    bytes.push(Kind::Events as u8);
    bytes.extend(u32::MAX.to_le_bytes());
    bytes.extend([0; 100]);
    let read = Recording::read(Cursor::new(&bytes)).unwrap();
    assert_eq!(read.gaps, [Gap::Damaged { at: 8 }]);
    bytes[9..13].copy_from_slice(&(16u32 << 20).to_le_bytes());
    let read = Recording::read(Cursor::new(&bytes)).unwrap();
    assert_eq!(read.gaps, [Gap::Torn { at: 8 }]);
}

#[test]
fn other_files_and_later_versions_are_refused() {
    assert!(matches!(Recording::read(Cursor::new(b"name: loadbal\n")), Err(NltError::NotATrace)));
    assert!(matches!(Recording::read(Cursor::new(b"NL")), Err(NltError::NotATrace)));
    let later = b"NLT\x1a\x02\0\x05\0";
    assert!(matches!(Recording::read(Cursor::new(later)), Err(NltError::Later(2, 5))));
}

/// Two threads, a loop of four iterations in chunks of two. The first thread works 10 us serially (3 us before the
/// runtime starts), then 20 us on iterations 0 and 1. The second thread is busy with iterations 2 and 3 from 100 to
/// 155 us, 5 us of which it waits for a lock.
#[test]
fn a_loop_by_hand() {
    let at = |us: u64, what: What| Event { time: us * 1000, switches: 0, asked: true, what };
    let begin = |member: u64| What::ImplicitBegin { region: 1, member: 2 << 32 | member, task: 10 + member };
    let work = What::WorkBegin { work: 11, region: 1, code: 77, iterations: 4 };
    let chunk = |first: u64| What::Chunk { chunk: 3, first, count: 2 };
    let end = What::WorkEnd { work: 11, region: 1 };
    let wait = |task: u64| What::WaitBegin { wait: 9, region: 1, task };
    let first = vec![
        at(0, What::Started { spent: 3000 }),
        at(7, What::ParallelBegin { invoker: 2, region: 1, code: 55, asked: 2 }),
        at(30, begin(0)),
        at(30, work),
        at(31, chunk(0)),
        at(51, end),
        at(51, wait(10)),
        at(200, What::WaitEnd { wait: 9, region: 1, task: 10 }),
        at(200, What::ParallelEnd { region: 1 }),
        at(240, What::Ended {}),
    ];
    let second = vec![
        at(100, begin(1)),
        at(100, work),
        at(100, chunk(2)),
        at(120, What::MutexAcquire { mutex: 5, lock: 9 }),
        at(125, What::MutexAcquired { mutex: 5, lock: 9 }),
        at(135, What::MutexReleased { mutex: 5, lock: 9 }),
        at(155, end),
        at(155, wait(11)),
    ];
    let mut walk = Walk::default();
    for (thread, events) in [(0, first), (1, second)] {
        walk.take(&EventBlock { round: 0, thread, events });
    }
    let work = walk.finish(&|address| address, &[]);
    let costs: Vec<_> = work
        .classes
        .iter()
        .map(|class| {
            (class.form, class.site, class.chunks.iter().map(|chunk| (chunk.count, chunk.cost_ns)).collect())
        })
        .collect();
    assert_eq!(
        costs,
        [
            (Form::Serial, 55, vec![(1, 10_000)]),
            (Form::Loop, 77, vec![(2, 20_000), (2, 50_000)]),
            (Form::Serial, 0, vec![(1, 40_000)]),
        ]
    );
    assert_eq!(work.classes[1].schedule, Recorded::Dynamic(2));
    assert_eq!(work.classes[1].locked_ns, 10_000);
}

/// Law: Footprints are from watched runs, costs from unwatched ones.
///
/// A loop of two chunks of two iterations by one thread. In the run with watched pages each chunk takes 90 us, which
/// does not count. Bytes whose touches are reported before a chunk's end belong to the chunk.
#[test]
fn footprints_are_from_watched_runs_costs_from_others() {
    let run = |chunk_us: u64, touches: bool| {
        let mut events = Vec::new();
        let mut at =
            |us: u64, what: What| events.push(Event { time: us * 1000, switches: 0, asked: true, what });
        at(0, What::Started { spent: 0 });
        at(10, What::ParallelBegin { invoker: 2, region: 1, code: 55, asked: 1 });
        at(10, What::ImplicitBegin { region: 1, member: 1 << 32, task: 10 });
        at(10, What::WorkBegin { work: 11, region: 1, code: 77, iterations: 4 });
        for chunk in 0..2 {
            let begin = 10 + chunk * chunk_us;
            at(begin, What::Chunk { chunk: 3, first: 2 * chunk, count: 2 });
            if touches {
                let address = 0x10000 + chunk * 0x2000;
                at(begin + chunk_us, What::Touched { written: chunk as u8, address, bytes: 0x2000 });
            }
        }
        at(10 + 2 * chunk_us, What::WorkEnd { work: 11, region: 1 });
        at(10 + 2 * chunk_us, What::ParallelEnd { region: 1 });
        events
    };
    let mut walk = Walk::default();
    walk.take(&EventBlock { round: 0, thread: 0, events: run(20, false) });
    walk.take(&EventBlock { round: 1, thread: 0, events: run(90, true) });
    // The array ends 0x1000 before the last page.
    let allocations = [Allocation { start: 0x10000, bytes: 0x3000, site: 9 }];
    let work = walk.finish(&|address| address, &allocations);
    let class = work.classes.iter().find(|class| class.form == Form::Loop).unwrap();
    assert_eq!(class.chunks.iter().map(|chunk| chunk.cost_ns).collect::<Vec<_>>(), [20_000, 20_000]);
    assert_eq!(class.instances, 1);
    let part = |written: bool, first: u64, bytes: u64| Footprint {
        count: 2,
        runs: vec![Run { allocation: 0, written, first, bytes }],
    };
    assert_eq!(class.footprint, [part(false, 0, 0x2000), part(true, 0x2000, 0x1000)]);
}

/// A millisecond before the first region, in which an array is initialised before the runtime
/// starts, and 5 us between regions at one place: these are two classes of work.
#[test]
fn work_before_first_region_is_own_class() {
    let run = |touches: bool| {
        let mut events = Vec::new();
        let mut at =
            |us: u64, what: What| events.push(Event { time: us * 1000, switches: 0, asked: true, what });
        if touches {
            at(0, What::Touched { written: 1, address: 0x10000, bytes: 0x2000 });
        }
        at(0, What::Started { spent: 1_000_000 });
        for region in 1..4 {
            let from = (region - 1) * 105;
            at(from, What::ParallelBegin { invoker: 2, region, code: 55, asked: 1 });
            at(from, What::ImplicitBegin { region, member: 1 << 32, task: 10 + region });
            at(from, What::WorkBegin { work: 11, region, code: 77, iterations: 1 });
            at(from, What::Chunk { chunk: 3, first: 0, count: 1 });
            at(from + 100, What::WorkEnd { work: 11, region });
            at(from + 100, What::ParallelEnd { region });
        }
        events
    };
    let mut walk = Walk::default();
    walk.take(&EventBlock { round: 0, thread: 0, events: run(false) });
    walk.take(&EventBlock { round: 1, thread: 0, events: run(true) });
    let work = walk.finish(&|address| address, &[Allocation { start: 0x10000, bytes: 0x2000, site: 9 }]);
    let serial = work.classes.iter().filter(|class| class.form == Form::Serial);
    let found: Vec<_> = serial
        .map(|class| {
            let touched =
                class.footprint.iter().flat_map(|part| &part.runs).map(|run| run.bytes).sum::<u64>();
            (class.site, class.instances, class.chunks[0].cost_ns, touched)
        })
        .collect();
    assert_eq!(found, [(55, 1, 1_000_000, 0x2000), (55, 2, 5000, 0)]);
}
