//! Regions of several constructs, in workload files, tables and explanations.

use crate::support::{Desk, text};

/// Workload file of four loops of 2000 instructions for each thread, `merged` into one region or each with its own.
fn workload(merged: bool, nowait: bool) -> String {
    let indent = if merged { "      " } else { "  " };
    let (measured, nowait) = match merged {
        true => ("", format!("\n{indent}  nowait: {nowait}")),
        false => (", measured: true", String::new()),
    };
    let loops = (1..=4).map(|number| {
        format!("{indent}- {{ name: loop{number}{measured}, loop: {{ iterations: threads, instructions: 2000, schedule: static }} }}\n")
    });
    let loops: String = match merged {
        false => loops.collect(),
        true => (1..=4)
            .map(|number| {
                format!("{indent}- name: loop{number}{nowait}\n{indent}  loop: {{ iterations: threads, instructions: 2000, schedule: static }}\n")
            })
            .collect(),
    };
    let head = if merged { "  - name: all\n    measured: true\n    parallel:\n" } else { "" };
    format!("name: four\nregions: {{}}\nphases:\n{head}{loops}compare: [static]\n")
}

fn makespan(desk: &Desk, merged: bool, nowait: bool) -> u64 {
    desk.put("four.yaml", &workload(merged, nowait));
    let arguments =
        ["sim", "epyc-naples-2p", "four.yaml", "-t", "64", "--runtime", "gcc", "--format", "json"];
    let output = desk.numalab(&arguments).assert().success().get_output().clone();
    let results: serde_json::Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    results["runs"][0]["makespan_ps"].as_u64().unwrap()
}

/// One region costs less than four, and less again without barriers between its loops. Four regions cost at least
/// twice what the region without barriers costs.
#[test]
fn merged_regions_cost_less() {
    let desk = Desk::empty();
    let (apart, merged, nowait) =
        (makespan(&desk, false, false), makespan(&desk, true, false), makespan(&desk, true, true));
    assert!(nowait < merged && merged < apart && 2 * nowait < apart, "{nowait} {merged} {apart}");
}

/// Tables and explanations name the loops of a region.
#[test]
fn constructs_of_a_region_have_names() {
    let desk = Desk::empty();
    desk.put("four.yaml", &workload(true, false));
    let shown = desk.answer(&["sim", "socket:2 core:4", "four.yaml"]);
    let explained = desk.answer(&["explain", "socket:2 core:4", "four.yaml"]);
    for name in ["loop1", "loop4"] {
        assert!(shown.contains(name), "{shown}");
        assert!(explained.contains(name), "{explained}");
    }
}
