//! Time and memory of reading recordings without classes of work, which are then derived from ten million events:
//!
//!     cargo bench -p numalab-replay --bench reading
//!
//! Three programs of two threads: loops of many chunks, many regions of a static loop, and trees of tasks.

use numalab_nlt::{Event, EventBlock, Kind, Meta, What, Writer};
use numalab_replay::Recording;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::process::Command;

/// Number of events of each program: under `cargo bench`, and in a test that only checks that the benchmark runs.
const EVENTS: [u64; 2] = [10_000_000, 10_000];
/// Number of events in a block.
const TOGETHER: usize = 4096;

/// Recording that is being written, event by event.
struct Program {
    to: Writer<BufWriter<File>>,
    threads: [Vec<Event>; 2],
    count: u64,
    time: u64,
}

impl Program {
    fn add(&mut self, thread: usize, ns: u64, what: What) {
        self.time += ns;
        self.count += 1;
        self.threads[thread].push(Event { time: self.time, switches: 0, asked: false, what });
        if self.threads[thread].len() == TOGETHER {
            self.write(thread);
        }
    }

    fn write(&mut self, thread: usize) {
        let events = std::mem::take(&mut self.threads[thread]);
        let block = EventBlock { round: 0, thread: thread as u32, events };
        self.to.block(Kind::Events, &block.bytes()).expect("the disk is not full");
    }

    fn begin(&mut self, region: u64) {
        self.add(0, 100, What::ParallelBegin { invoker: 2, region, code: 7, asked: 2 });
        for thread in 0..2 {
            let task = region * 2 + thread + (1 << 40);
            self.add(thread as usize, 100, What::ImplicitBegin { region, member: 2 << 32 | thread, task });
        }
    }

    fn end(&mut self, region: u64) {
        for thread in 0..2 {
            self.add(thread, 100, What::WaitBegin { wait: 3, region, task: 0 });
        }
        self.add(0, 100, What::ParallelEnd { region });
    }

    fn shared_loop(&mut self, region: u64, work: u8, chunks: u64) {
        self.begin(region);
        for thread in 0..2 {
            self.add(thread, 100, What::WorkBegin { work, region, code: 9, iterations: chunks * 4 });
        }
        for chunk in 0..chunks {
            self.add(
                (chunk % 2) as usize,
                900 + chunk % 100,
                What::Chunk { chunk: 1, first: 4 * chunk, count: 4 },
            );
        }
        for thread in 0..2 {
            self.add(thread, 900, What::WorkEnd { work, region });
        }
        self.end(region);
    }

    /// A binary tree of tasks: each task creates two tasks and waits for them.
    fn tasks(&mut self, region: u64, next: &mut u64, depth: u32) {
        self.begin(region);
        let own = region * 2 + (1 << 40);
        let root = self.task(own, next, 0);
        self.executes(own, root, next, depth);
        self.end(region);
    }

    fn task(&mut self, creator: u64, next: &mut u64, ns: u64) -> u64 {
        *next += 1;
        self.add(0, ns, What::TaskCreate { task: *next, code: 11, creator });
        *next
    }

    fn executes(&mut self, before: u64, task: u64, next: &mut u64, depth: u32) {
        self.add(0, 50, What::TaskSwitch { status: 7, before, after: task });
        if depth > 0 {
            let children = [self.task(task, next, 200), self.task(task, next, 200)];
            self.add(0, 100, What::WaitBegin { wait: 5, region: 0, task });
            for child in children {
                self.executes(task, child, next, depth - 1);
            }
            self.add(0, 100, What::WaitEnd { wait: 5, region: 0, task });
        }
        self.add(0, 1000, What::TaskSwitch { status: 1, before: task, after: before });
    }
}

/// Function that adds the events of a program.
type Make<'m> = &'m dyn Fn(&mut Program);

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let bench = words.iter().any(|word| word == "--bench");
    let events = EVENTS[usize::from(!bench)];
    let folder = tempfile::tempdir().expect("a folder");
    let programs: [(&str, Make<'_>); 3] = [
        ("chunks", &|program| {
            (1..)
                .take_while(|region| (region - 1) * 10_009 < events)
                .for_each(|region| program.shared_loop(region, 11, 10_000));
        }),
        ("regions", &|program| (1..=events / 10).for_each(|region| program.shared_loop(region, 1, 0))),
        ("tasks", &|program| {
            let (mut next, mut region) = (0, 0);
            while program.count < events {
                region += 1;
                program.tasks(region, &mut next, 16);
            }
        }),
    ];
    if !programs.iter().any(|(name, _)| words.iter().any(|word| word == name)) {
        // Each program is read in a process of its own, since it would reuse memory that an earlier one has freed.
        for (name, _) in programs {
            let this = std::env::current_exe().expect("it runs");
            let status =
                Command::new(this).arg(name).args(bench.then_some("--bench")).status().expect("it starts");
            assert!(status.success());
        }
        return;
    }
    for (name, make) in programs.into_iter().filter(|(name, _)| words.iter().any(|word| word == name)) {
        let path = folder.path().join(name);
        let to =
            Writer::new(BufWriter::new(File::create(&path).expect("a file"))).expect("the disk is not full");
        let mut program = Program { to, threads: [Vec::new(), Vec::new()], count: 0, time: 0 };
        let meta = serde_json::to_vec(&Meta { threads: 2, rounds: 1, ..Meta::default() }).expect("JSON");
        program.to.block(Kind::Meta, &meta).expect("the disk is not full");
        program.add(0, 0, What::Started { spent: 0 });
        make(&mut program);
        program.add(0, 5000, What::Ended {});
        (0..2).for_each(|thread| program.write(thread));
        let count = program.count;
        drop(program.to.finish().expect("the disk is not full"));
        let before = peak_mb(true);
        let start = processor_seconds();
        let file = BufReader::new(File::open(&path).expect("it is there"));
        let recording = Recording::read(file).expect("it is whole");
        let seconds = processor_seconds() - start;
        let bytes = std::fs::metadata(&path).map_or(0, |file| file.len());
        println!(
            "{name:<8} {count} events, {:.1} bytes each: {seconds:.2} s of processor, {} MB more than before, {} classes",
            bytes as f64 / count as f64,
            peak_mb(false).saturating_sub(before),
            recording.work.classes.len(),
        );
    }
}

/// CPU time of the process so far, in seconds. Wall time would depend on other load of the computer.
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The fields follow the process name, which may hold any character. Their unit is 1/100 s.
    let fields = text.rsplit(')').next().unwrap_or("").split_whitespace();
    fields.skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Peak memory of the process in MB; `anew` resets the peak first.
fn peak_mb(anew: bool) -> u64 {
    if anew {
        // If the kernel refuses the reset, the peak is that of the whole run.
        let _ = std::fs::write("/proc/self/clear_refs", "5");
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1000
}
