//! The program's default output. `INSTA_UPDATE=always cargo test` accepts a change.

use crate::support::Desk;

/// Compares a text with `tests/goldens/NAME.snap`.
macro_rules! golden {
    ($name:literal, $text:expr) => {
        insta::with_settings!({ snapshot_path => "goldens", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!($name, $text);
        });
    };
}

#[test]
fn the_main_job() {
    golden!("sim-bcs16-loadbal", Desk::empty().answer(&["sim", "bcs16.toml", "loadbal.yaml"]));
}

#[test]
fn published_values() {
    golden!("validate", Desk::empty().answer(&["validate", "--experiment", "loadbal"]));
    golden!("validate-scores", crate::published::scores());
}

#[test]
fn a_narrow_terminal() {
    let desk = Desk::empty();
    let output = desk
        .numalab(&["sim", "bcs16", "loadbal"])
        .env("COLUMNS", "60")
        .assert()
        .success()
        .get_output()
        .clone();
    golden!("sim-bcs16-loadbal-narrow", String::from_utf8(output.stdout).unwrap());
}

#[test]
fn a_spreadsheet() {
    golden!("sim-bcs16-loadbal-csv", Desk::empty().answer(&["sim", "bcs16", "loadbal", "--format", "csv"]));
}

#[test]
fn every_number_of_a_small_run() {
    let desk = Desk::with("machines/pair.toml", include_str!("fixtures/pair.toml"));
    desk.put("workloads/sweep.yaml", include_str!("fixtures/sweep.yaml"));
    golden!("sim-pair-sweep-json", desk.answer(&["sim", "pair", "sweep", "--format", "json"]));
}

#[test]
fn a_machine() {
    golden!("show-bcs16", Desk::empty().answer(&["show", "bcs16"]));
    golden!("show-bcs16-between", Desk::empty().answer(&["show", "bcs16", "--between", "0", "15"]));
}

#[test]
fn the_catalogue() {
    golden!("list", Desk::empty().answer(&["list"]));
}

#[test]
fn help() {
    let desk = Desk::empty();
    golden!("help", desk.answer(&["--help"]));
    for verb in
        ["sim", "list", "show", "places", "place-threads", "protocol", "schema", "validate", "completions"]
    {
        insta::with_settings!({ snapshot_path => "goldens", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(format!("help-{verb}"), desk.answer(&["help", verb]));
        });
    }
}
