//! Exact programs of simulated runs: written programs read back, and invalid ones are refused.

use numalab_base::Bytes;
use numalab_nlt::{Kind, NltError, Reader, Step, Writer};
use numalab_replay::Recording;
use numalab_workload::{
    Access, Construct, Context, Dependences, Exact, LAST_STEP, LockKind, Mode, PageKind, Phase, Pieces,
    Placement, Producers, Region, RegionId, Schedule, Section, Slice, Sparse, Task, TaskAffinity, Tasking,
    Tree, Workload,
};
use proptest::collection::vec;
use proptest::prelude::*;
use std::io::Cursor;
use std::sync::Arc;

const SIZE: u64 = 1 << 20;

/// Slices of `count` iterations inside a region of [`SIZE`].
fn slice(count: usize) -> impl Strategy<Value = Slice> {
    let list = |most: u64| vec(0..=most, count);
    let partition = vec(0..=SIZE, count + 1).prop_map(|mut bounds| {
        bounds.sort_unstable();
        Slice::Partition(bounds.into())
    });
    let pairs = (list(SIZE / 2), list(SIZE / 2));
    let explicit = pairs.clone().prop_map(|(starts, lengths)| {
        Slice::Explicit(Pieces::new(starts.into_iter().zip(lengths).collect()))
    });
    let exact = (0..3u8, 1u64..64, list(9));
    let sparse =
        (pairs, list(1 << 30), any::<bool>(), exact).prop_map(|((starts, more), touched, drawn, exact)| {
            let windows: Arc<[(u64, u64)]> = starts
                .into_iter()
                .zip(more)
                .map(|(start, more)| (start, start + more + 1))
                .map(|(a, b)| (a, b.min(SIZE)))
                .collect();
            let (kind, element, counts) = exact;
            let exact = match kind {
                0 => Exact::Unknown,
                1 => Exact::Pieces(windows.iter().map(|(start, end)| (1.min(end - start), 1)).collect()),
                _ => Exact::Drawn { element, counts: counts.into(), key: element.rotate_left(17) },
            };
            Slice::Sparse(Sparse::new(windows, touched, drawn).exactly(exact))
        });
    let all = prop_oneof![partition, explicit, sparse, Just(Slice::Whole(SIZE))];
    let some = vec(any::<bool>(), count).prop_map(move |chosen| {
        let touching: Vec<u32> = (0..).zip(chosen).filter_map(|(at, chosen)| chosen.then_some(at)).collect();
        let pieces = (0..touching.len() as u64).map(|at| (at, 1)).collect();
        Slice::partial(count as u64, touching, Slice::Explicit(Pieces::new(pieces)))
    });
    prop_oneof![4 => all, 1 => some]
}

fn phase() -> impl Strategy<Value = Phase> {
    let sized = (1usize..12).prop_flat_map(|count| {
        let accesses = vec((slice(count), 0..7u8), 0..3);
        let numbers = vec(0.0f64..1e9, count);
        (Just(count), accesses, numbers, vec(any::<u64>(), count), 0..9u8, any::<u32>())
    });
    sized.prop_map(|(count, accesses, instructions, numbers, kind, bits)| {
        let mode = |number: u8| match number {
            0 => Mode::Read,
            1 => Mode::Write,
            2 => Mode::StreamingWrite,
            3 => Mode::Update,
            4 => Mode::Fetch,
            5 => Mode::NextTouch,
            _ => Mode::Migrate(3),
        };
        let access = |(slice, number)| Access::new(RegionId(0), slice, mode(number));
        let mut phase = Phase {
            accesses: accesses.into_iter().map(access).collect(),
            instructions: instructions.into(),
            overlap: f64::from(bits % 7) / 7.0,
            outstanding: (bits % 3 == 0).then_some(6.5),
            measured: bits % 2 == 0,
            once: bits % 6 == 0,
            presend: bits % 5 != 1,
            team: (bits % 19 == 0).then(|| numalab_workload::RegionTeam {
                threads: bits % 5 + 1,
                binding: Default::default(),
                processors: [].into(),
            }),
            reduction: (bits % 23 == 0).then_some(RegionId(0)),
            unit: (bits % 7 == 0).then_some(u64::from(bits % 13) + 1),
            vsp: (bits % 11 == 0).then_some(u64::from(bits % 13) + 1),
            context: match bits % 17 {
                0 => Some(Context::None),
                1 => Some(Context::Of(0)),
                _ => None,
            },
            schedule: (bits % 5 == 0).then_some(Schedule::Guided { chunk: 3 }),
            ..Phase::new("λ phase", count as u64)
        };
        match kind {
            1 => {
                let mut sums: Vec<u64> = numbers.iter().map(|number| number >> 16).collect();
                sums.sort_unstable();
                let mut costs = vec![0];
                costs.extend(sums.iter().map(|sum| sum + 1));
                phase.costs = Some(costs.into());
            }
            2 => {
                // Task n creates n + 1.
                let task = |n: usize| Task {
                    first: n as u32,
                    count: u32::from(n + 1 < count),
                    wait: n.is_multiple_of(2),
                    after: n as f64 / 3.0,
                };
                phase.tasking.tree = Some(Tree {
                    tasks: (0..count).map(task).collect(),
                    children: (1..count as u32).collect(),
                    roots: Arc::new([0]),
                    // Every third task has a second step, which is the last task.
                    next: match bits % 2 {
                        0 => [].into(),
                        _ => {
                            let step = |n| {
                                if n % 3 == 0 && n + 1 < count as u32 { count as u32 - 1 } else { LAST_STEP }
                            };
                            (0..count as u32).map(step).collect()
                        }
                    },
                });
                if bits % 3 == 0 {
                    phase.tasking.copied = numbers.iter().map(|number| (number % 1025) as u32).collect();
                }
            }
            3 => {
                // A chain.
                let last = count as u32 - 1;
                phase.tasking = Tasking {
                    producers: Producers::Single,
                    dependences: Some(Arc::new(Dependences {
                        first: (0..=last).chain([last]).collect(),
                        successors: (1..=last).collect(),
                        predecessors: (0..=last).map(|task| task.min(1)).collect(),
                    })),
                    affinity: Some(TaskAffinity {
                        region: RegionId(0),
                        offsets: numbers.iter().map(|number| number % SIZE).collect(),
                    }),
                    ..phase.tasking
                };
            }
            4 => phase.construct = Construct::Update { spacing: Bytes(64), atomic: true },
            5 => phase.construct = Construct::Pipeline { steps: count as u32, descending: true },
            6 => phase.construct = Construct::Echo { size: Bytes(64), in_flight: 3, count: count as u32 },
            7 => {
                let times = numbers.iter().map(|number| (number % 4) as u32).collect();
                let construct = Construct::Lock(Some(LockKind::Mcs));
                phase.section = Some(Section {
                    construct,
                    times,
                    instructions: numbers.iter().map(|number| (number % 9) as f64).collect(),
                });
                phase.construct = Construct::Single { nowait: bits % 2 == 0 };
            }
            8 => phase.construct = Construct::Sections { nowait: bits % 2 == 0 },
            _ => {}
        }
        phase
    })
}

fn program() -> impl Strategy<Value = Workload> {
    vec(phase(), 1..4).prop_map(|mut phases| {
        phases.sort_by_key(|phase| (phase.measured, phase.once));
        phases.last_mut().unwrap().measured = true;
        // Phases with a construct that can share a region are followed by one that does.
        for at in (0..phases.len()).rev().filter(|at| at % 2 == 0) {
            if phases[at].construct.shares_region() {
                phases.insert(at + 1, Phase { continues: true, ..phases[at].clone() });
            }
        }
        Workload {
            name: "w".into(),
            description: "two words".into(),
            parameters: vec![("n".into(), "3".into())],
            regions: vec![Region {
                placement: Placement::Preferred(1),
                page: PageKind::Fixed(Bytes(4096)),
                ..Region::new("a", Bytes(SIZE))
            }],
            phases,
            rounds: 3,
            compare: vec![Schedule::Static { chunk: None }, Schedule::Dynamic { chunk: 4 }],
            binding: Default::default(),
            runtime: Some("gcc".into()),
        }
    })
}

fn file(program: &Workload) -> Vec<u8> {
    let recording = Recording { program: Some(program.clone()), ..Recording::default() };
    let mut bytes = Vec::new();
    recording.write(&mut bytes).unwrap();
    bytes
}

/// The file with changed plain bytes of its program.
fn rewritten(bytes: &[u8], change: impl Fn(&mut Vec<u8>)) -> Vec<u8> {
    let mut reader = Reader::new(bytes).unwrap();
    let mut writer = Writer::new(Vec::new()).unwrap();
    while let Some(step) = reader.step().unwrap() {
        let Step::Block(mut block) = step else { panic!("what was written is whole") };
        if block.kind == Kind::Program {
            change(&mut block.plain);
        }
        writer.block(block.kind, &block.plain).unwrap();
    }
    writer.finish().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn programs_come_back(program in program()) {
        let read = Recording::read(Cursor::new(file(&program))).unwrap();
        prop_assert_eq!(read.program, Some(program));
    }

    /// A damaged program is refused, or it is a valid program that can be written again.
    #[test]
    fn damaged_programs_are_refused_or_valid(
        program in program(), at in any::<proptest::sample::Index>(), by in 1u8.., cut in any::<bool>()
    ) {
        let bytes = rewritten(&file(&program), |plain| {
            let at = at.index(plain.len());
            plain[at] ^= by;
            if cut {
                plain.truncate(at + 1);
            }
        });
        if let Ok(Recording { program: Some(program), .. }) = Recording::read(Cursor::new(bytes)) {
            let again = Recording::read(Cursor::new(file(&program))).unwrap().program.unwrap();
            // Some bytes belong to numbers that are not compared exactly, such as -0.
            prop_assert_eq!(again, program);
        }
    }
}

/// Checks that a valid program is refused after `change`, with a message that contains `why`.
#[track_caller]
fn is_refused(change: impl Fn(&mut Workload), why: &str) {
    let access = Access::new(RegionId(0), Slice::evenly(SIZE, 4), Mode::Read);
    let mut program = Workload {
        name: "w".into(),
        description: String::new(),
        parameters: Vec::new(),
        regions: vec![Region::new("a", Bytes(SIZE))],
        phases: vec![Phase { accesses: vec![access], ..Phase::new("p", 4) }],
        rounds: 1,
        compare: Vec::new(),
        binding: Default::default(),
        runtime: None,
    };
    assert!(Recording::read(Cursor::new(file(&program))).is_ok());
    change(&mut program);
    match Recording::read(Cursor::new(file(&program))) {
        Err(NltError::Program(problem)) => assert!(problem.contains(why), "{problem}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn invalid_programs_are_refused_with_reason() {
    is_refused(|program| program.phases.clear(), "no phase is measured");
    is_refused(|program| program.regions.clear(), "accesses a missing region");
    is_refused(|program| program.regions[0].size = Bytes(SIZE - 1), "bytes outside a region");
    is_refused(|program| program.phases[0].iterations = 5, "bytes outside a region");
    is_refused(|program| program.phases[0].instructions = [1.0].into(), "the number of instruction counts");
    is_refused(
        |program| program.phases[0].instructions = [f64::NAN; 4].into(),
        "instruction count is out of range",
    );
    is_refused(|program| program.phases[0].overlap = 1.5, "overlap");
    is_refused(|program| program.phases[0].repeat = 0, "never runs");
    is_refused(
        |program| program.phases[0].context = Some(Context::Of(1)),
        "a context refers to a missing phase",
    );
    is_refused(
        |program| {
            program.phases = vec![program.phases[0].clone(); 2];
            (program.phases[0].measured, program.phases[0].once) = (false, true);
        },
        "a phase that runs once is not measured",
    );
    is_refused(
        |program| {
            program.phases = vec![program.phases[0].clone(); 3];
            program.phases[1].once = true;
        },
        "in the middle of a round",
    );
    is_refused(
        |program| {
            let slices = [(0, u64::MAX / 2); 4].into();
            program.phases[0].accesses[0].slice = Slice::Explicit(Pieces::new(slices));
        },
        "bytes outside a region",
    );
    is_refused(|program| program.rounds = 1 << 31, "too many iterations in all");
    is_refused(|program| program.phases[0].tasking.grain = 0, "grain size is out of range");
    let cycle = |program: &mut Workload| {
        let task = |n: u32| Task { first: n, count: 1, wait: true, after: 0.0 };
        program.phases[0].tasking.tree = Some(Tree {
            tasks: (0..4).map(task).collect(),
            children: Arc::new([1, 2, 3, 0]),
            roots: Arc::new([0]),
            next: [].into(),
        });
    };
    is_refused(cycle, "tasks form a cycle");
    let waits = |program: &mut Workload| {
        let dependences = Dependences {
            first: vec![0, 1, 2, 2, 2],
            successors: vec![1, 0],
            predecessors: vec![1, 1, 0, 0],
        };
        program.phases[0].tasking.dependences = Some(Arc::new(dependences));
    };
    is_refused(waits, "dependences form a cycle");
    is_refused(|program| program.phases[0].tasking.copied = [8; 3].into(), "copies of its tasks are wrong");
    is_refused(|program| program.phases[0].tasking.copied = [1 << 31; 4].into(), "copies of its tasks");
    // Task 0 creates 1; `next` has the later steps.
    let steps = |next: &'static [u32], predecessors: [u32; 4]| {
        move |program: &mut Workload| {
            let task = |n: u32| Task { first: n.min(1), count: u32::from(n == 0), wait: true, after: 0.0 };
            let tasking = &mut program.phases[0].tasking;
            tasking.tree = Some(Tree {
                tasks: (0..4).map(task).collect(),
                children: Arc::new([1]),
                roots: Arc::new([0]),
                next: next.into(),
            });
            let waits: u32 = predecessors.iter().sum();
            let successors = predecessors.iter().position(|waits| *waits > 0).map(|task| task as u32);
            tasking.dependences = Some(Arc::new(Dependences {
                first: [0, waits, waits, waits, waits].into(),
                successors: successors.into_iter().collect(),
                predecessors: predecessors.into(),
            }));
        }
    };
    let free = [0; 4];
    is_refused(steps(&[LAST_STEP; 3], free), "a task has a missing step");
    is_refused(steps(&[4, LAST_STEP, LAST_STEP, LAST_STEP], free), "a task has a missing step");
    is_refused(steps(&[2, LAST_STEP, 0, LAST_STEP], free), "tasks form a cycle");
    is_refused(steps(&[2, 2, LAST_STEP, LAST_STEP], free), "two tasks with dependences share a step");
    is_refused(
        steps(&[2, LAST_STEP, LAST_STEP, LAST_STEP], [0, 0, 1, 0]),
        "a later step of a task has dependences",
    );
}

/// Task n creates n + 1 twice: of k levels, 2^k - 1 tasks are executed. 26 levels are 67 108 863 tasks, 27 are
/// 134 217 727. With 26 levels, the task of the last but one, executed 2^24 times, has a second step that the one of the
/// last but two, executed 2^23 times, has, too: with both 67 108 863 + 16 777 216 + 8 388 608 = 92 274 687 executions. A
/// second step of the last level has 2^25: 67 108 863 + 33 554 432 = 100 663 295.
#[test]
fn a_program_of_too_many_tasks_is_not_written() {
    let program = |levels: u32, with_second: &[u32]| {
        let count = |n: u32| if n + 1 < levels { 2 } else { 0 };
        let task = |n: u32| Task { first: n.min(levels - 1) * 2, count: count(n), wait: true, after: 0.0 };
        // Steps follow the tasks of all levels.
        let steps = levels + u32::from(!with_second.is_empty());
        let tasks = (0..steps).map(|n| if n < levels { task(n) } else { Task { count: 0, ..task(0) } });
        let next = |n| if with_second.contains(&n) { levels } else { LAST_STEP };
        let tree = Tree {
            tasks: tasks.collect(),
            children: (1..levels).flat_map(|n| [n, n]).collect(),
            roots: [0].into(),
            next: if with_second.is_empty() { [].into() } else { (0..steps).map(next).collect() },
        };
        let tasking = Tasking { grain: 1, tree: Some(tree), ..Tasking::default() };
        Workload {
            name: "w".into(),
            description: String::new(),
            parameters: Vec::new(),
            regions: Vec::new(),
            phases: vec![Phase { tasking, ..Phase::new("solve", steps.into()) }],
            rounds: 1,
            compare: Vec::new(),
            binding: Default::default(),
            runtime: None,
        }
    };
    for written in [program(26, &[]), program(26, &[23, 24])] {
        let read = Recording::read(Cursor::new(file(&written))).unwrap();
        assert!(read.program == Some(written), "the same");
    }
    for refused in [program(27, &[]), program(26, &[25])] {
        let recording = Recording { program: Some(refused), ..Recording::default() };
        let error = recording.write(Vec::new()).unwrap_err().to_string();
        assert!(
            error.contains("too large for a recording: solve: it executes more than 1e8 tasks"),
            "{error}"
        );
    }
}

#[test]
fn a_program_in_several_blocks_needs_all_of_them() {
    let numbers =
        (0..600_000u64).map(|number| (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 12) as f64 * 1e-3);
    let program = Workload {
        name: "w".into(),
        description: String::new(),
        parameters: Vec::new(),
        regions: Vec::new(),
        phases: vec![Phase { instructions: numbers.collect(), ..Phase::new("p", 600_000) }],
        rounds: 1,
        compare: Vec::new(),
        binding: Default::default(),
        runtime: None,
    };
    let bytes = file(&program);
    let read = Recording::read(Cursor::new(&bytes)).unwrap();
    assert!(read.program == Some(program), "the same");
    let mut reader = Reader::new(&bytes[..]).unwrap();
    let mut places = Vec::new();
    while let Some(Step::Block(block)) = reader.step().unwrap() {
        if block.kind == Kind::Program {
            places.push(block.at as usize);
        }
    }
    assert!(places.len() > 1);
    let torn = Recording::read(Cursor::new(&bytes[..places[1] + 20]));
    assert!(matches!(torn, Err(NltError::Program(problem)) if problem.contains("are lost")));
}
