//! Series in the syntax of `--series`.

use numalab_files::{Facts, ReadFile, parse_series};
use numalab_lower::{ReadWorkload, workload_of};
use numalab_syntax::diagnostics::Source;
use proptest::prelude::*;

const FILE: &str = "
name: w
parameters:
  size: 1 KiB
  kind: { choices: [near, far], default: near }
regions: { a: { size: size } }
phases:
  - name: p
    measured: true
    loop:
      iterations: 4
      schedule: static
      touches: [{ region: a, slice: whole, mode: read }]
";

/// Values of a series on 8 threads, or the error.
fn values(text: &str) -> Result<Vec<String>, String> {
    let asked = parse_series(text).map_err(|error| error.to_string())?;
    let file = Source { name: "w.yaml".to_owned(), text: FILE.to_owned() };
    let facts = Facts { threads: 8, ..Facts::default() };
    let experiment = workload_of(&ReadWorkload::new(ReadFile::workload(file)), &[asked], &facts)
        .map_err(|error| error.to_string())?;
    let series = experiment.questions.series.ok_or("no series")?;
    Ok(series.points.into_iter().map(|point| point.text).collect())
}

#[test]
fn lists_ranges_steps_factors_and_words() {
    for (text, expected) in [
        ("threads=1,2,4", &["1", "2", "4"][..]),
        ("threads = threads", &["8"]),
        ("threads=5..threads", &["5", "6", "7", "8"]),
        ("threads=0+1..threads:3", &["1", "4", "7", "8"]),
        ("threads=1..threads*2", &["1", "2", "4", "8"]),
        // A factor is a part of the last value only inside parentheses.
        ("threads=1..(threads*2):5", &["1", "6", "11", "16"]),
        ("threads=4..threads*2:4", &["4", "8", "12", "16"]),
        ("size=1KiB..4 KiB*2", &["1024", "2048", "4096"]),
        ("size=0.5..1.5:0.5", &["0.5", "1", "1.5"]),
        ("size=min(3, 4), 7", &["3", "7"]),
        ("kind=far, near", &["far", "near"]),
    ] {
        assert_eq!(values(text).unwrap(), expected, "{text}");
    }
}

#[test]
fn errors_point_at_what_was_typed() {
    for (text, parts) in [
        ("threads", &["this is no series", "threads=1,2,4,8"][..]),
        ("=1,2", &["the name of what changes is missing"]),
        ("threads= ", &["no values"]),
        ("thraeds=1,2", &["--series:1:1", "no parameter `thraeds`", "did you mean `threads`?"]),
        ("threads=1,x2", &["--series:1:11", "unknown name `x2`"]),
        ("threads=1..2,4", &["--series:1:13", "a range cannot be mixed with other values"]),
        ("threads=1..2..4", &["--series:1:13", "two ends"]),
        ("threads=..4", &["no beginning"]),
        ("threads=1..", &["no end"]),
        ("threads=1..4:", &["no step"]),
        ("threads=1..4*", &["no factor"]),
        ("threads=1..4:0", &["--series:1:14", "expected more than 0"]),
        ("threads=1..4*1", &["--series:1:14", "expected more than 1"]),
        ("threads=4..1", &["goes from 4 to 1", "expected to go up"]),
        ("threads=0..4", &["cannot have 0 threads"]),
        ("size=1KiB..1GiB", &["in at most 10000 steps"]),
        ("kind=near,faar", &["--series:1:11", "kind cannot be \"faar\"", "did you mean `far`?"]),
        ("threads=1, 2 , 1 ", &["--series:1:16", "1 is here twice", "type each value once"]),
        ("kind=near,far,near", &["--series:1:15", "near is here twice"]),
        ("kind=1..2", &["--series:1:6", "kind is a word", "expected a list of near, far"]),
    ] {
        let error = values(text).unwrap_err();
        for part in parts {
            assert!(error.contains(part), "{text}: expected {part:?} in:\n{error}");
        }
    }
    let long = format!("threads={}1", "1,".repeat(10_000));
    assert!(values(&long).unwrap_err().contains("10001 values"));
}

proptest! {
    #[test]
    fn any_text_is_a_series_or_an_error(text in "\\PC*", tail in "[0-9a-z.,:*()= ]{0,40}") {
        let _ = values(&text);
        let _ = values(&format!("threads={tail}"));
    }
}
