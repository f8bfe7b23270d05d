//! Streams on 1 to all threads that share one memory. Each machine is derived from two figures: the bandwidth of one
//! thread, and of all threads.
//!
//! The curves are public. RRZE-HPC/TheBandwidthBenchmark (README) has kernels on the ten cores of a socket of Ivy
//! Bridge; JuliaPerf/BandwidthBenchmark.jl (README) has one of these kernels with all counts, on the same cluster;
//! JuliaPerf/STREAMBenchmark.jl (README) has STREAM on ten cores of a Skylake, with the lines fetched before stores
//! counted. TheBandwidthBenchmark's `init` (only stores) is left out: ten threads do not saturate the memory, so that
//! the second figure is unknown.

use crate::support::Desk;

/// A measured kernel: accesses and counted bytes for each element of 8 bytes, and MB/s by number of threads.
struct Curve {
    name: &'static str,
    reads: u32,
    writes: u32,
    updates: u32,
    /// Number of elements of 8 bytes per iteration that the published figure counts.
    counted: u32,
    threads: &'static [u32],
    figures: &'static [f64],
}

const EVEN: &[u32] = &[1, 2, 4, 6, 8, 10];
const EVERY: &[u32] = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

#[rustfmt::skip]
const CURVES: [Curve; 9] = [
    Curve { name: "sum", reads: 1, writes: 0, updates: 0, counted: 1, threads: EVEN,
        figures: &[11900.0, 22696.0, 39327.0, 45877.0, 46878.0, 46741.0] },
    Curve { name: "copy", reads: 1, writes: 1, updates: 0, counted: 2, threads: EVEN,
        figures: &[5637.0, 11011.0, 21020.0, 29618.0, 35763.0, 38187.0] },
    Curve { name: "update", reads: 0, writes: 0, updates: 1, counted: 2, threads: EVEN,
        figures: &[8025.0, 15174.0, 28197.0, 37155.0, 40111.0, 40269.0] },
    Curve { name: "triad", reads: 2, writes: 1, updates: 0, counted: 3, threads: EVEN,
        figures: &[7407.0, 14821.0, 27287.0, 36664.0, 40106.0, 39960.0] },
    Curve { name: "daxpy", reads: 1, writes: 0, updates: 1, counted: 3, threads: EVEN,
        figures: &[9874.0, 18786.0, 33633.0, 40259.0, 41293.0, 40922.0] },
    Curve { name: "striad", reads: 3, writes: 1, updates: 0, counted: 4, threads: EVEN,
        figures: &[8981.0, 17599.0, 31939.0, 39911.0, 41022.0, 40567.0] },
    Curve { name: "sdaxpy", reads: 2, writes: 0, updates: 1, counted: 4, threads: EVEN,
        figures: &[11288.0, 21475.0, 37146.0, 41546.0, 41950.0, 41606.0] },
    Curve { name: "sdaxpy, every count", reads: 2, writes: 0, updates: 1, counted: 4, threads: EVERY,
        figures: &[13047.8, 24023.3, 31636.0, 36304.1, 38594.7, 40556.3, 40692.8, 39041.0, 39417.5, 39913.8] },
    Curve { name: "STREAM", reads: 2, writes: 1, updates: 0, counted: 4, threads: EVERY,
        figures: &[19058.7, 37511.2, 55204.6, 68706.6, 76869.9, 83669.9, 88656.0, 93701.0, 97093.6, 101293.9] },
];

const LATENCY_NS: f64 = 80.0;

const KERNEL: &str = "
name: kernel
description: Reads, stores and updates as many arrays as it is told
parameters: { reads: 1, writes: 0, updates: 0, share: 32 MB }
regions:
  one: { size: threads * share }
  two: { size: threads * share }
  three: { size: threads * share }
  stored: { size: threads * share }
  updated: { size: threads * share }
phases:
  - name: kernel
    measured: true
    loop:
      iterations: threads
      schedule: static
      touches:
        - { region: one, slice: { partition: 1 }, mode: read, when: reads >= 1 }
        - { region: two, slice: { partition: 1 }, mode: read, when: reads >= 2 }
        - { region: three, slice: { partition: 1 }, mode: read, when: reads >= 3 }
        - { region: stored, slice: { partition: 1 }, mode: write, when: writes >= 1 }
        - { region: updated, slice: { partition: 1 }, mode: update, when: updates >= 1 }
compare: [static]
measures:
  arrays: { value: threads * share / time_kernel, unit: GB/s }
";

impl Curve {
    /// A machine with one memory. The lines in flight follow from the bandwidth of one thread, the memory's bandwidth
    /// from that of all threads.
    fn machine(&self) -> String {
        let Curve { reads, writes, updates, counted, figures, .. } = self;
        let (fetched, written) = (f64::from(reads + writes + updates), f64::from(writes + updates));
        let arrays = |figure: f64| figure / f64::from(*counted);
        let lines = arrays(figures[0]) * fetched * 1e-3 * LATENCY_NS / 64.0;
        let moved = arrays(figures[figures.len() - 1]) * (fetched + written);
        format!(
            "name = \"two-points\"\ndescription = \"Ten cores and a memory\"\n[[level]]\nkind = \"node\"\ncount = 1\n[[level]]\nkind = \"core\"\ncount = 10\n\
             [core]\nclock = \"2.2 GHz\"\nflops_per_cycle = 4\ninstructions_per_cycle = 2\noutstanding = {lines}\n\
             [memory]\nlatency = \"{LATENCY_NS} ns\"\nbandwidth = \"{moved} MB/s\"\ncapacity = \"32 GB\"\n\
             [os]\npage_fault = \"0 ns\"\npage_lock = \"0 ns\"\n"
        )
    }

    /// Simulated MB/s by number of threads.
    fn simulated(&self, desk: &Desk) -> Vec<f64> {
        desk.put("two-points.toml", &self.machine());
        let threads: Vec<String> = self.threads.iter().map(u32::to_string).collect();
        let series = format!("threads={}", threads.join(","));
        let [reads, writes, updates] =
            [("reads", self.reads), ("writes", self.writes), ("updates", self.updates)]
                .map(|(name, value)| format!("workload.{name}={value}"));
        let mut arguments = vec!["sim", "two-points.toml", "kernel.yaml", "--runtime", "free"];
        arguments.extend(["--no-sequential", "--series", &series, "--format", "csv"]);
        [&reads, &writes, &updates].into_iter().for_each(|set| arguments.extend(["--set", set]));
        let answer = desk.answer(&arguments);
        let mut rows = answer.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let head = rows.next().unwrap();
        let column = head.iter().position(|name| name.starts_with("arrays")).unwrap();
        rows.map(|row| row[column].parse::<f64>().unwrap() * 1e3 * f64::from(self.counted)).collect()
    }
}

/// Law: Streams scale as measured between one thread and a full memory.
///
/// At every number of threads the bandwidth is within a tenth of the measured one; with one thread it is exact.
#[test]
fn streams_scale_between_two_points() {
    let desk = Desk::with("kernel.yaml", KERNEL);
    for curve in &CURVES {
        let simulated = curve.simulated(&desk);
        assert_eq!(simulated.len(), curve.threads.len());
        for ((threads, measured), simulated) in curve.threads.iter().zip(curve.figures).zip(simulated) {
            let (off, most) = (simulated / measured - 1.0, if *threads == 1 { 0.001 } else { 0.1 });
            assert!(off.abs() < most, "{} on {threads} threads: {simulated}, not {measured}", curve.name);
        }
    }
}

/// Law: Rows that fragment a cache with room come back.
///
/// Time steps of a loop nest over triangular parts of two arrays. Their rows lie apart, so that each last-level cache
/// holds some 330 pieces of them. All steps but the first are equal: every hundred more take as long as the hundred
/// before, to the picosecond.
#[test]
fn fragmenting_rows_reach_a_repeating_state() {
    let touch = |region: &str, mode: &str| {
        format!("{{ region: {region}, slice: {{ start: 16000 * i, length: 8 * (i + 1) }}, mode: {mode} }}")
    };
    let phase = |name: &str, read: &str, written: &str| {
        format!(
            "  - {{ name: {name}, measured: true, loop: {{ iterations: 2000, instructions: 2 * (i + 1), touches: [{}, {}] }} }}\n",
            touch(read, "read"),
            touch(written, "write")
        )
    };
    let whole = |region: &str| {
        format!("{{ region: {region}, slice: {{ start: 16000 * i, length: 16000 }}, mode: write }}")
    };
    let desk = Desk::with(
        "t.yaml",
        &format!(
            "name: t\nparameters: {{ steps: 100 }}\nregions: {{ a: {{ size: 32000000 }}, b: {{ size: 32000000 }} }}\nphases:\n  \
             - {{ name: init, loop: {{ iterations: 2000, schedule: static, touches: [{}, {}] }} }}\n{}{}rounds: steps\ncompare: [static]\n",
            whole("a"),
            whole("b"),
            phase("one", "a", "b"),
            phase("two", "b", "a")
        ),
    );
    let takes = |steps: u32| {
        let set = format!("workload.steps={steps}");
        let run = [
            "sim",
            "epyc-9654-2p",
            "t.yaml",
            "-p",
            "static",
            "--no-sequential",
            "--format",
            "json",
            "--set",
            &set,
        ];
        let told: serde_json::Value = serde_json::from_str(&desk.answer(&run)).unwrap();
        told["runs"][0]["makespan_ps"].as_u64().unwrap()
    };
    let (hundred, two, three) = (takes(100), takes(200), takes(300));
    assert_eq!(two - hundred, three - two);
}
