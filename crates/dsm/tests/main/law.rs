//! Laws of the engine under random programs, and its rights against a plain definition.

use crate::support::{US, drive, drive_from, in_turn, nodes, on};
use numalab_base::{Bytes, Time};
use numalab_counts::NodeCounts;
use numalab_dsm::protocol::{Answer, Ask, Next, Request, Row, Standing, State, Table};
use numalab_dsm::{Meeting, Right, Use};
use numalab_machine::{DirtyPages, Master, Technique};
use proptest::prelude::*;

const USES: [Use; 3] = [Use::Read, Use::Write, Use::Update];

/// Rights of every node to each page after each use, by definition: one writer or many readers.
fn plain(nodes: u32, master: Master, uses: &[(u32, u64, Use)]) -> Vec<Vec<Right>> {
    // By page: its master, and the right of each node.
    let mut pages: Vec<Option<(u32, Vec<Right>)>> = vec![None; 8];
    let mut all = Vec::new();
    for &(node, page, how) in uses {
        let (master, rights) = pages[page as usize].get_or_insert_with(|| {
            let master = match master {
                Master::FirstTouch => node,
                Master::Starter => 0,
                Master::Cyclic => (page % u64::from(nodes)) as u32,
            };
            let mut rights = vec![Right::None; nodes as usize];
            rights[master as usize] = Right::Write;
            (master, rights)
        });
        if how != Use::Read {
            rights.fill(Right::None);
            rights[node as usize] = Right::Write;
        } else if rights[node as usize] == Right::None {
            rights.iter_mut().filter(|right| **right == Right::Write).for_each(|right| *right = Right::Read);
            rights[node as usize] = Right::Read;
            // A shared page has a copy at its master.
            rights[*master as usize] = Right::Read;
        }
        all.push(rights.clone());
    }
    all
}

fn uses(nodes: u32) -> impl Strategy<Value = Vec<(u32, u64, Use)>> {
    prop::collection::vec((0..nodes, 0..8_u64, (0..3_usize).prop_map(|at| USES[at])), 0..60)
}

fn masters() -> impl Strategy<Value = Master> {
    prop_oneof![Just(Master::FirstTouch), Just(Master::Starter), Just(Master::Cyclic)]
}

proptest! {
    /// If each use completes before the next begins, the engine has the same rights as the plain definition.
    #[test]
    fn the_engine_holds_what_the_plain_one_holds(count in 2_u32..6, master in masters(), seed in uses(5)) {
        let uses: Vec<_> = seed.into_iter().map(|(node, page, how)| (node % count, page, how)).collect();
        let mut dsm = nodes(count, 8, |parameters| parameters.master = master);
        let rights = in_turn(&mut dsm, None, &uses);
        prop_assert_eq!(rights, Ok(plain(count, master, &uses)));
        prop_assert_eq!(dsm.disagreement(0..8), None);
    }

    /// Law: A page's entry migrates to a frequent requester, when nothing is in flight.
    ///
    /// Workers use pages concurrently: a writer is the only holder, all workers reach their ends, entries and copies
    /// agree at rest, and as many bytes are received as sent.
    #[test]
    fn laws_hold_while_all_ask(
        count in 2_u32..6,
        more in 0_u32..3,
        master in masters(),
        wake in 0_u64..200,
        think in 0_u64..300,
        migrate in prop::option::of(1_u32..4),
        seed in uses(8),
    ) {
        let workers: Vec<u32> = (0..count + more).map(|worker| worker % count).collect();
        let mut todo = vec![Vec::new(); workers.len()];
        for (worker, page, how) in seed {
            todo[worker as usize % workers.len()].push((page, how));
        }
        let mut dsm = on(count, workers, 8, |parameters| {
            parameters.master = master;
            parameters.wake = numalab_base::Span(wake * US);
            parameters.migrate = migrate;
        });
        let done = drive(&mut dsm, &todo, think * US);
        prop_assert!(done.is_ok(), "{:?}", done);
        prop_assert!(dsm.is_quiet());
        prop_assert_eq!(dsm.disagreement(0..8), None);
        let counts = dsm.counts();
        let sent: u64 = counts.iter().map(|node| node.messages.iter().sum::<u64>()).sum();
        prop_assert_eq!(sent, counts.iter().map(|node| node.received).sum::<u64>());
        let bytes: u64 = counts.iter().map(|node| node.bytes).sum();
        prop_assert_eq!(bytes, counts.iter().map(|node| node.bytes_received).sum::<u64>());
    }
}

/// Executes loops in turn, in four rounds, on an engine that learns the loops. `loops`: work of each worker in each
/// loop. `think`: picoseconds between two uses of a worker. `alone`: only the first worker executes the first loop.
/// `presends`: as for `Dsm::enter`. Returns the time of the end.
fn rounds(
    dsm: &mut numalab_dsm::Dsm,
    loops: &[Vec<Vec<(u64, Use)>>],
    think: u64,
    (alone, presends): (bool, bool),
) -> Result<u64, String> {
    let mut now = 0;
    for _ in 0..4 {
        for (context, todo) in (0..).zip(loops) {
            dsm.close(Time(now));
            if alone && context == 0 {
                dsm.go_alone(context);
                let done = drive_from(dsm, &todo[..1], think, now)?;
                now = done.iter().map(|done| done.at).max().unwrap_or(now);
                continue;
            }
            dsm.enter(context, Some(context), presends);
            let done = drive_from(dsm, todo, think, now)?;
            now = done.iter().map(|done| done.at).max().unwrap_or(now) + 1000 * US;
            for worker in 0..todo.len() as u32 {
                dsm.meet(worker, Meeting::Join, Time(now));
            }
            // Pages sent ahead may be in flight when the first worker continues.
            let mut woken = Vec::new();
            while !woken.contains(&0) {
                now = (dsm.advance(Time::NEVER, &mut 0, &mut woken).ok_or("the join does not end")?).0;
            }
            now += think;
        }
    }
    while dsm.next().is_some() {
        dsm.advance(Time::NEVER, &mut 0, &mut Vec::new());
    }
    Ok(now)
}

proptest! {
    /// Random loops with pages sent ahead or dropped: every loop ends, no request is left over, the directory agrees
    /// with the actual rights, all that was sent is received, and a page that was sent ahead is used at most once.
    #[test]
    fn laws_hold_while_pages_are_sent_ahead(
        count in 2_u32..5,
        think in 0_u64..900,
        technique in 1..Technique::ALL.len(),
        limits in (1_u32..5, 0_u32..5),
        alone in any::<bool>(),
        presends in any::<bool>(),
        dirty in 0..DirtyPages::ALL.len(),
        queue in prop::option::of(1_u64..9000),
        seed in prop::collection::vec((0..3_usize, 0..5_u32, 0..6_u64, 0..3_usize), 1..60),
    ) {
        let mut loops = vec![vec![Vec::new(); count as usize]; 3];
        for (context, worker, page, how) in seed {
            loops[context][(worker % count) as usize].push((page, USES[how]));
        }
        let mut dsm = nodes(count, 8, |parameters| {
            parameters.technique = Technique::ALL[technique];
            parameters.presend_writes = DirtyPages::ALL[dirty];
            parameters.queue = queue.map(Bytes);
            (parameters.vsp_pages, parameters.drop_buffer) = (Some(limits.0), limits.1);
        });
        let ended = rounds(&mut dsm, &loops, think * US, (alone, presends));
        prop_assert!(ended.is_ok(), "{:?}", ended);
        prop_assert!(dsm.is_quiet());
        prop_assert_eq!(dsm.disagreement(0..8), None);
        let sent: u64 = dsm.counts().iter().map(|node| node.messages.iter().sum::<u64>()).sum();
        prop_assert_eq!(sent, dsm.counts().iter().map(|node| node.received).sum::<u64>());
        let bytes: u64 = dsm.counts().iter().map(|node| node.bytes).sum();
        prop_assert_eq!(bytes, dsm.counts().iter().map(|node| node.bytes_received).sum::<u64>());
        // Every page that was sent ahead arrived at a node and was used there at most once.
        let presends: u64 = dsm.counts().iter().map(|node| node.presends).sum();
        prop_assert_eq!(presends, dsm.counts().iter().map(|node| node.ahead).sum::<u64>());
        prop_assert!(dsm.counts().iter().all(|node| node.ahead_used + node.ahead_late <= node.ahead));
    }
}

/// Node 0 writes a page and node 1 reads the page, in turns. Once both loops are learned, neither node faults: the
/// page arrives at its reader before the loop that reads it, and the copy is dropped before the loop that writes the
/// page.
#[test]
fn what_is_learned_saves_all_faults() {
    let loops = [vec![vec![(0, Use::Write)], vec![]], vec![vec![], vec![(0, Use::Read)]]];
    let faults = |technique| {
        let mut dsm = nodes(2, 1, |parameters| parameters.technique = technique);
        rounds(&mut dsm, &loops, 1000 * US, (false, true)).unwrap();
        let [writer, reader] = dsm.counts() else { panic!("two nodes") };
        (writer.faults.upgrade, reader.faults.read, writer.presends)
    };
    // Four rounds have four read faults, and an upgrade in all but the first.
    assert_eq!(faults(Technique::None), (3, 4, 0));
    // The first read is not predicted. The copy is dropped once the predictor expects the first loop after the
    // second.
    assert_eq!(faults(Technique::Presend), (1, 1, 3));
}

/// Node 0 writes pages and node 1 reads these pages, in four rounds. Returns upgrades, read faults, and pages sent
/// ahead.
fn turns(pages: u64, change: impl FnOnce(&mut numalab_machine::Dsm)) -> (u64, u64, u64) {
    let [writer, reader] = counts_of_turns(pages, change);
    (writer.faults.upgrade, reader.faults.read, writer.presends)
}

fn counts_of_turns(pages: u64, change: impl FnOnce(&mut numalab_machine::Dsm)) -> [NodeCounts; 2] {
    let all = |how: Use| (0..pages).map(|page| (page, how)).collect::<Vec<_>>();
    let loops = [vec![all(Use::Write), vec![]], vec![vec![], all(Use::Read)]];
    let mut dsm = nodes(2, 8, change);
    rounds(&mut dsm, &loops, 1000 * US, (false, true)).unwrap();
    dsm.counts().to_vec().try_into().unwrap()
}

/// In three of four rounds two pages are sent to the reader, which uses both after they arrive.
#[test]
fn pages_that_came_ahead_are_used_or_late() {
    let [writer, reader] = counts_of_turns(2, |parameters| parameters.technique = Technique::Presend);
    assert_eq!((writer.presends, writer.ahead), (6, 0));
    assert_eq!((reader.ahead, reader.ahead_used, reader.ahead_late), (6, 6, 0));
}

/// Two nodes read and write a page in turns, each immediately after a barrier. The page is then still in flight, and
/// the master's own worker faults on the page. Pages sent after the last round are neither used nor late.
#[test]
fn a_page_on_its_way_to_its_master_is_late() {
    let loops = [vec![vec![(0, Use::Update)], vec![]], vec![vec![], vec![(0, Use::Update)]]];
    let mut dsm = nodes(2, 1, |parameters| parameters.technique = Technique::Presend);
    rounds(&mut dsm, &loops, 0, (false, true)).unwrap();
    let [master, other] = dsm.counts() else { panic!("two nodes") };
    assert_eq!((master.ahead, master.ahead_used, master.ahead_late), (3, 0, 2));
    assert_eq!(other.ahead, other.ahead_used + other.ahead_late);
}

/// Two nodes read and write a page in turns, in four rounds. All uses but the first follow the other node's: seven
/// read faults and seven upgrades. A loop's successor is known from the loop's second end on, so node 1's use in the
/// first round and node 0's in the second are not predicted. A page that moves with its ownership saves both faults
/// of each other use; a copy saves the read fault only.
#[test]
fn a_dirty_page_moves_is_copied_or_stays() {
    let loops = [vec![vec![(0, Use::Update)], vec![]], vec![vec![], vec![(0, Use::Update)]]];
    let faults = |technique, writes| {
        let change =
            |dsm: &mut numalab_machine::Dsm| (dsm.technique, dsm.presend_writes) = (technique, writes);
        let mut dsm = nodes(2, 1, change);
        rounds(&mut dsm, &loops, 1000 * US, (false, true)).unwrap();
        dsm.counts().iter().fold((0, 0), |sum, node| (sum.0 + node.faults.read, sum.1 + node.faults.upgrade))
    };
    assert_eq!(faults(Technique::None, DirtyPages::Move), (7, 7));
    assert_eq!(faults(Technique::Presend, DirtyPages::Move), (2, 2));
    assert_eq!(faults(Technique::Presend, DirtyPages::Copy), (2, 7));
    assert_eq!(faults(Technique::Presend, DirtyPages::Stay), (7, 7));
}

/// Two pages: six upgrades and eight read faults without a technique. Techniques that send ahead save all read faults
/// but the two of the first round. Techniques that drop copies save all upgrades but the two of the second round,
/// when the first loop was not yet known to follow. A virtual synchronisation point between the two pages forwards
/// one of them, the loop's end the other.
#[test]
fn each_technique_saves_what_it_is_for() {
    let with = |technique| turns(2, |parameters| parameters.technique = technique);
    assert_eq!(with(Technique::None), (6, 8, 0));
    assert_eq!(with(Technique::Presend), (2, 2, 6));
    assert_eq!(with(Technique::Preinvalidate), (2, 8, 0));
    assert_eq!(with(Technique::Chopper), (2, 2, 6));
    assert_eq!(with(Technique::Final), (2, 2, 6));
}

/// Three pages. If one copy is dropped at the end of the reading loop, two upgrades are left in each of the last two
/// rounds, besides three upgrades in the second round. Chopped loops have two sections: page 0, and pages 1 and 2. A
/// virtual synchronisation point that forwards at most one page omits page 1 or 2.
#[test]
fn buffers_and_points_have_limits() {
    let drops = |most| {
        turns(3, |parameters| (parameters.technique, parameters.drop_buffer) = (Technique::Presend, most))
    };
    assert_eq!([0, 1, 2, 3].map(|most| drops(most).0), [9, 7, 5, 3]);
    let points = |most| {
        turns(3, |parameters| (parameters.technique, parameters.vsp_pages) = (Technique::Chopper, most))
    };
    // The point is before page 1, so the sections are page 0, and pages 1 and 2.
    assert_eq!(points(None), (3, 3, 9));
    // One of pages 1 and 2 is not sent in three rounds; and not dropped in two.
    assert_eq!(points(Some(1)), (5, 6, 6));
}

/// Law: Loops that are only chopped send nothing at their ends.
///
/// Node 0 writes pages and node 1 reads them, in four rounds, and the ends of loops send nothing. Under presend the
/// counts are then those without a technique. Under final, points forward the same pages as under chopper, where one
/// page of a section of two is not sent if a point forwards at most one.
#[test]
fn loops_that_are_only_chopped_send_nothing_at_their_ends() {
    let with = |technique, presends, pages: u64, most| {
        let all = |how: Use| (0..pages).map(|page| (page, how)).collect::<Vec<_>>();
        let loops = [vec![all(Use::Write), vec![]], vec![vec![], all(Use::Read)]];
        let mut dsm = nodes(2, 8, |parameters| {
            (parameters.technique, parameters.vsp_pages) = (technique, most);
        });
        rounds(&mut dsm, &loops, 1000 * US, (false, presends)).unwrap();
        let [writer, reader] = dsm.counts() else { panic!("two nodes") };
        (writer.faults.upgrade, reader.faults.read, writer.presends)
    };
    assert_eq!(with(Technique::Presend, true, 2, None), (2, 2, 6));
    assert_eq!(with(Technique::Presend, false, 2, None), with(Technique::None, true, 2, None));
    assert_eq!(with(Technique::Final, true, 3, Some(1)), (3, 3, 9));
    assert_eq!(with(Technique::Final, false, 3, Some(1)), with(Technique::Chopper, true, 3, Some(1)));
}

/// Uses of one page: node 0 writes and becomes master; 1 and 2 read; 1 writes on its copy; 0 reads; 2 writes without
/// a copy; 1 writes the page that 2 owns.
const ROUND: [(u32, u64, Use); 7] = [
    (0, 0, Use::Write),
    (1, 0, Use::Read),
    (2, 0, Use::Read),
    (1, 0, Use::Write),
    (0, 0, Use::Read),
    (2, 0, Use::Write),
    (1, 0, Use::Write),
];

/// Law: Rows of the shared-page protocol keep every law, and a broken row is noticed.
///
/// An engine that executes a broken row has other rights, or does not finish.
#[test]
fn a_broken_row_is_noticed() {
    let right = plain(3, Master::FirstTouch, &ROUND);
    let run = |table: Table| in_turn(&mut nodes(3, 8, |_| {}), Some(table), &ROUND);
    assert_eq!(run(Table::default()), Ok(right.clone()));
    let rows = [
        (State::Shared, Request::Read, Standing::Bare),
        (State::Owned, Request::Read, Standing::Bare),
        (State::Shared, Request::Write, Standing::Holder),
        (State::Shared, Request::Write, Standing::Bare),
        (State::Owned, Request::Write, Standing::Bare),
    ];
    for (state, request, standing) in rows {
        let row = Table::default().row(state, request, standing);
        let mut broken = vec![Row { answer: Answer::Nothing, ..row }, Row { next: Next::Same, ..row }];
        if row.ask != Ask::Nothing {
            broken.push(Row { ask: Ask::Nothing, ..row });
        }
        for broken in broken {
            let outcome = run(Table::default().with(state, request, standing, broken));
            assert_ne!(outcome, Ok(right.clone()), "{state:?} {request:?} {standing:?} as {broken:?}");
        }
    }
}

/// Two nodes contend for one page: each gets it again and again, and neither waits forever.
#[test]
fn a_page_that_two_nodes_want_goes_back_and_forth() {
    let todo = vec![vec![(0, Use::Update); 20]; 2];
    let mut dsm = nodes(2, 1, |parameters| parameters.wake = numalab_base::Span(500 * US));
    let done = drive(&mut dsm, &todo, 300 * US).unwrap();
    assert_eq!(done.len(), 40);
    let changes = done.windows(2).filter(|pair| pair[0].worker != pair[1].worker).count();
    assert!(changes >= 10, "{changes}");
}
