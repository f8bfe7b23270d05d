//! The language of workload files, on a file that uses most of it.

mod constructs;
mod files;
mod meaning;
mod mistakes;
mod patterns;
mod regions;
mod searches;
mod suite;
mod trees;

use crate::support::{FACTS, Scratch};
use numalab_files::parse_overrides;
use numalab_lower::{Experiment, workload};

const FILE: &str = "\
name: w
parameters:
  n: threads * 2
  variant: { choices: [serial, parallel, on/off], default: parallel }
  size: if(variant == serial, 1 MB, 2 MB)
regions:
  data:
    size: size
    placement: { if: variant == serial, then: { bind: nodes - 1 }, else: interleave:0-2 }
    page: 64 KiB
phases:
  - name: first-touch
    when: variant == serial
    loop: { iterations: n, touches: [{ region: data, slice: { partition: 1 }, mode: write }] }
  - name: work
    measured: true
    repeat: n / 4
    loop: { iterations: n, touches: [{ region: data, slice: { partition: 1 }, mode: read, when: n > 1 }] }
rounds: n / 8
binding: { places: cores, proc_bind: close }
series: { over: threads, values: { from: 1, to: threads, factor: 2 } }
measures:
  bandwidth: { value: bytes / time, unit: GB/s }
  speedup: { value: base_time / time, against: { threads: 1, variant: serial } }
  drop: { value: bandwidth, unit: '%', of_series: min / first }
";

fn load(text: &str, set: &[&str]) -> Result<Experiment, String> {
    let scratch = Scratch::new();
    let path = scratch.write("w.yaml", text);
    let set: Vec<String> = set.iter().map(|text| (*text).to_owned()).collect();
    let set = parse_overrides(&set).unwrap().workload;
    let path = path.to_str().unwrap();
    workload(path, &set, &FACTS).map_err(|error| error.to_string().replace(path, "FILE"))
}

/// Error of the file with one text replaced by another.
#[track_caller]
fn wrong(from: &str, to: &str) -> String {
    assert!(FILE.contains(from), "{from}");
    load(&FILE.replacen(from, to, 1), &[]).err().unwrap()
}
