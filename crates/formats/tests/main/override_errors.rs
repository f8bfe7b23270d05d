//! Errors of `--set` point at its text.

use crate::support::assert_shows;
use numalab_formats::{machine, parse_overrides};

#[test]
fn errors_in_overrides_point_at_the_override() {
    let errors = |texts: &[&str]| {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        match parse_overrides(&texts) {
            Err(error) => error.to_string(),
            Ok(set) => machine("bcs16", &set.machine).unwrap_err().to_string(),
        }
    };
    assert_eq!(
        errors(&["machine.memory.bandwidth=18 GHz"]),
        "error: unknown unit \"GHz\" in \"18 GHz\"\n --> --set:1:26\n  |\n1 | machine.memory.bandwidth=18 GHz\n  \
         |                          ^^^^^^ expected a bandwidth such as \"3.4 GB/s\" (units: B/s, kB/s, MB/s, \
         GB/s, TB/s, PB/s, KiB/s, MiB/s, GiB/s, TiB/s, PiB/s)"
    );
    assert_shows(&errors(&["machine.memory.bandwith=1 GB/s"]), &["--set:1:16", "did you mean `bandwidth`?"]);
    assert_shows(&errors(&["machine.level.bord.count=1"]), &["no item `bord`", "did you mean `board`?"]);
    assert_shows(
        &errors(&["machine.link.xqp.lanes=1"]),
        &["nothing is called `xqp`", "did you mean `xqpi`?"],
    );
    assert_shows(&errors(&["machine.core.clock.x=1"]), &["nothing is called `x` here"]);
    assert_shows(&errors(&["machine.core=3"]), &["core is the number 3", "expected a table"]);
    assert_shows(
        &errors(&["machin.core.clock=1", "machine", "="]),
        &["did you mean `machine`?", "this sets nothing"],
    );
    assert_shows(&errors(&["machine.core.outstanding=1e999"]), &["core.outstanding is the text \"1e999\""]);
}
