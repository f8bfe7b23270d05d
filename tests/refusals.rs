//! A command refuses what it does not understand, as the reader of the file does, and the message names file and line.

use crate::support::{Desk, says};
use numalab_nlt::{Kind, Writer};
use std::fs;

const ROWS: &str = "machine,policy,threads,seed,makespan_ps,error\nm,static,4,0,1000,\nm,dynamic,4,0,2000,\n";
const SWEEP: &str =
    "name: small\npoints:\n  machine: \"socket:1 core:2\"\n  workload: loadbal\n  policy: static\n";

/// A file that its reader refuses is refused by `show` in every format, and by `new --from`.
#[test]
fn files_are_read_before_they_are_shown() {
    let desk = Desk::with("q.csv", ROWS);
    desk.put("m.toml", &include_str!("fixtures/pair.toml").replace("to = 1", "to = 7"));
    desk.put("r.toml", &include_str!("../runtimes/llvm.toml").replace("name =", "nom ="));
    desk.put("w.yaml", &include_str!("fixtures/sweep.yaml").replace("regions:", "region:"));
    desk.put("s.yaml", &SWEEP.replace("policy: static", "policy: statik"));
    for (kind, file, part) in [
        ("machine", "m.toml", "m.toml:7:"),
        ("runtime", "r.toml", "r.toml:"),
        ("workload", "w.yaml", "w.yaml:8:"),
        ("sweep", "s.yaml", "s.yaml:5:"),
    ] {
        for format in ["table", "toml", "yaml", "json"] {
            for (file, part) in [(file, part), ("q.csv", "q.csv:1:1")] {
                let message = desk.refusal(&["show", file, "--kind", kind, "--format", format]);
                says(&message, &["error", part]);
            }
        }
        if kind != "sweep" {
            says(&desk.refusal(&["new", kind, "mine", "--from", file]), &[part]);
        }
    }
    let shown = desk.refusal(&["show", "m.toml", "--format", "toml"]);
    assert_eq!(shown, desk.refusal(&["sim", "m.toml", "loadbal"]), "the same words as a run's");
}

/// Blocks whose checksums are right and whose contents no reader accepts.
#[test]
fn recordings_that_no_run_accepts() {
    let desk = Desk::empty();
    let write = |name: &str, blocks: &[(Kind, &[u8])]| {
        let mut writer = Writer::new(Vec::new()).unwrap();
        blocks.iter().for_each(|(kind, plain)| writer.block(*kind, plain).unwrap());
        fs::write(desk.path().join(name), writer.finish().unwrap()).unwrap();
    };
    write("meta.nlt", &[(Kind::Meta, b"[1]")]);
    write("sites.nlt", &[(Kind::Sites, b"{\"a\": 1}")]);
    write("order.nlt", &[(Kind::Order, b"{}")]);
    write("program.nlt", &[(Kind::Program, b"nonsense")]);
    write("empty.nlt", &[]);
    for file in ["meta.nlt", "sites.nlt", "order.nlt", "program.nlt"] {
        let shown = desk.refusal(&["trace", "show", file]);
        says(&shown, &[file]);
        for step in ["check", "dump"] {
            assert_eq!(desk.refusal(&["trace", step, file]), shown, "{step}");
        }
    }
    // It is well-formed, and no run can replay it.
    says(&desk.refusal(&["trace", "check", "empty.nlt"]), &["empty.nlt cannot be replayed: it has no work"]);
    // Nothing is left of the program: no table of it is printed.
    desk.put("grains.csv", "id,region,us\n1,r,5\n2,r,6\n");
    desk.answer(&["trace", "import", "grains.csv", "-o", "whole.nlt"]);
    desk.answer(&["trace", "check", "whole.nlt"]);
    desk.answer(&["trace", "dump", "whole.nlt"]);
    let whole = fs::read(desk.path().join("whole.nlt")).unwrap();
    fs::write(desk.path().join("cut.nlt"), &whole[..40]).unwrap();
    says(&desk.refusal(&["trace", "show", "cut.nlt"]), &["cut.nlt cannot be replayed: parts of the file"]);
    says(&desk.refusal(&["trace", "dump", "cut.nlt"]), &["cut.nlt cannot be replayed: parts of the file"]);
    desk.numalab(&["trace", "check", "cut.nlt"]).assert().code(1);
}

/// Every message about an input file names it, and the line of what is wrong.
#[test]
fn messages_name_the_file_and_the_line() {
    let desk = Desk::with("good.csv", ROWS);
    let otf2 = include_str!("fuzz/corpus/otf2/tasks.txt");
    let run = include_str!("fuzz/corpus/run/small.json");
    let counts = include_str!("../reference/tnt-mg8.csv");
    desk.put("one.csv", &ROWS.lines().take(2).collect::<Vec<_>>().join("\n"));
    desk.put("none.csv", &ROWS[..ROWS.find('\n').unwrap() + 1]);
    desk.put("xml.csv", "<topology>\n");
    desk.put("far.csv", "10,1e20\n20,10\n");
    desk.put("counts.csv", counts);
    desk.put("nothing.csv", "# nothing\n");
    desk.put("otf2.txt", otf2.split("=== Events").next().unwrap());
    desk.put("empty.prv", "#Paraver (01/01/2020 at 00:00):5_ns:1(1):1:1(1:1)\n");
    desk.put("mlc.txt", include_str!("../crates/imports/tests/data/foreign/mlc-3.11-idle.txt"));
    desk.put("runs.json", run);
    desk.put("old.json", &run.replacen("\"schema_version\": ", "\"schema_version\": 9", 1));
    let plot = |file| ["plot", file, "--x", "threads", "--y", "makespan", "-o", "p.svg"];
    let color = |file| ["plot", file, "--x", "nonsense", "--y", "makespan", "-o", "p.svg"];
    let pareto = |file| ["pareto", file, "--x", "nonsense", "--y", "makespan"];
    for (command, parts) in [
        (&["rank", "one.csv"][..], &["one.csv: cannot rank: only one policy"][..]),
        (&["rank", "none.csv"], &["none.csv: no rows"]),
        (&["rank", "good.csv", "--by", "nonsense"], &["good.csv: the results have no column"]),
        (&["rank", "good.csv", "--only", "policy=x"], &["good.csv: no row has policy"]),
        (&["rank", "xml.csv"], &["xml.csv:1:1"]),
        (&plot("good.csv"), &["good.csv: a mark would mix points"]),
        (&color("good.csv"), &["good.csv: the results have no column"]),
        (&pareto("good.csv"), &["good.csv: the results have no column"]),
        (
            &["place-threads", "counts.csv", "--machine", "hp8", "--cores-per-node", "0"],
            &["--cores-per-node"],
        ),
        (&["place-threads", "counts.csv", "--cores-per-node", "1"], &["counts.csv: ", "do not fit"]),
        (
            &["place-threads", "counts.csv", "--machine", "bcs16"],
            &["counts.csv has ", " nodes, but bcs16 has"],
        ),
        (&["place-threads", "--from-run", "old.json"], &["old.json:"]),
        (&["place-threads", "--from-run", "runs.json", "--policy", "nonsense"], &["runs.json:", "nonsense"]),
        (&["places", "socket:2 core:2", "--from-matrix", "far.csv"], &["far.csv:1:4", "from 0 to 1e9"]),
        (&["trace", "import", "otf2.txt", "-o", "x.nlt"], &["otf2.txt:1:1", "no events of threads"]),
        (&["trace", "import", "empty.prv", "-o", "x.nlt"], &["empty.prv:1:1", "no event of a known type"]),
        (&["trace", "import", "nothing.csv", "-o", "x.nlt"], &["nothing.csv:1:1", "there are no grains"]),
        (&["calibrate", "fit", "good.csv", "-o", "m.toml"], &["good.csv:1:1", "holds results of runs"]),
        (&["calibrate", "fit", "mlc.txt", "-o", "m.toml"], &["mlc.txt: nothing says what the machine"]),
    ] {
        says(&desk.refusal(command), parts);
    }
}

/// A value that a sweep sets is wrong where the sweep file has it, also in the rows of a sweep that goes on.
#[test]
fn values_of_a_sweep_have_their_place() {
    for (value, wrong) in [("4 MB GB", "4 MB GB"), ("3 * 1e-320", "1e-320"), ("nonsense + 1", "nonsense")] {
        let desk = Desk::empty();
        let set = |values: &str| format!("{SWEEP}  set:\n    workload.footprint: [{values}]\n");
        desk.put("all.yaml", &set(&format!("\"{value}\"")));
        let message = desk.refusal(&["sweep", "all.yaml"]);
        says(&message, &["all.yaml:7:", wrong]);
        desk.put("some.yaml", &set(&format!("4 MB, \"{value}\"")));
        desk.numalab(&["sweep", "some.yaml", "-o", "rows.csv"]).assert().code(1);
        says(&fs::read_to_string(desk.path().join("rows.csv")).unwrap(), &["(some.yaml:7)"]);
    }
}

/// A run that would take hours is refused by its counts, before the work of its iterations is evaluated.
#[test]
fn counts_are_checked_before_the_work() {
    // The first iteration has a wrong number of instructions.
    let text = "name: w\nparameters: { n: 10000001 }\nregions: {}\nphases:\n  - name: p\n    measured: true\n    \
                loop: { iterations: n, instructions: i - 1 }\n";
    let desk = Desk::with("w.yaml", text);
    for command in ["sim", "explain"] {
        let message = desk.refusal(&[command, "core:4", "w.yaml", "-p", "dynamic"]);
        says(&message, &["w.yaml:5", "phase p hands out 10000001 chunks one by one under dynamic"]);
    }
    says(&desk.refusal(&["sim", "core:4", "w.yaml"]), &["chunks one by one under"]);
    // What other policies, sizes and points of a series do is not refused by a count.
    for more in [&["-p", "static"][..], &["--set", "workload.n=100"], &["--series", "n=100,10000001"]] {
        let message = desk.refusal(&[&["sim", "core:4", "w.yaml", "-p", "dynamic,16"], more].concat());
        says(&message, &["iteration 0 has -1 instructions"]);
    }
    let message = desk.refusal(&["sim", "core:4", "w.yaml", "-p", "dynamic", "--series", "n=10,10000001"]);
    says(&message, &["iteration 0 has -1 instructions"]);
}
