//! Names from input in every output: none ends a line, controls a terminal, commands a CI runner, or is a formula.

use crate::support::Desk;
use std::collections::BTreeSet;
use std::fs;

/// A name that ends a line, begins the next one with a command of GitHub, and clears the screen.
fn hostile(what: &str) -> String {
    format!("=a\n::error file=x::{what}\u{1b}[2J\u{9b}2J\u{2028}::error file=x::")
}

/// The name as a quoted text of JSON, TOML and YAML.
fn quoted(what: &str) -> String {
    let escape = |c: char| {
        if c.is_ascii_graphic() || c == ' ' { c.to_string() } else { format!("\\u{:04x}", c as u32) }
    };
    format!("\"{}\"", hostile(what).chars().map(escape).collect::<String>())
}

/// A folder with a machine, a workload, a sweep and results, whose names are hostile wherever a name is free.
fn desk() -> Desk {
    let machine = include_str!("fixtures/pair.toml")
        .replace("\"pair\"", &quoted("machine"))
        .replace("\"Two sockets for tests\"", &quoted("description"))
        .replace("\"wire\"", &quoted("link"))
        .replace("link.wire", &format!("link.{}", quoted("link")));
    let workload = include_str!("fixtures/sweep.yaml")
        .replace("name: sweep", &format!("name: {}", quoted("workload")))
        .replace("region: data", &format!("region: {}", quoted("region")))
        .replace("  data:", &format!("  {}:", quoted("region")))
        .replace("name: work", &format!("name: {}", quoted("phase")));
    let comment = "# \u{202e}::error file=x::comment\n";
    let (machine, workload) = (format!("{comment}{machine}"), format!("{comment}{workload}"));
    let gate = |name: &str| format!("  - name: {name}\n    holds: makespan < 0\n");
    let sweep = format!(
        "name: s\npoints:\n  machine: m.toml\n  workload: w.yaml\n  threads: [1, 2]\n  policy: [static, dynamic]\n\
         filters:\n  {}: {{ where: threads > 0 }}\ngates:\n{}{}",
        quoted("filter"),
        gate(&quoted("gate")),
        gate("\"::error file=x::a\""),
    );
    let row = |machine: &str, policy: &str, threads: u32, makespan: u32| {
        let (machine, policy, column) = (quoted(machine), quoted(policy), quoted("column"));
        format!(
            "{{\"machine\":{machine},\"workload\":\"w\",\"policy\":{policy},\"threads\":{threads},\
             {column}:{threads},\"makespan_ps\":{makespan}}}\n"
        )
    };
    let rows = [row("m", "p", 1, 10), row("m", "q", 1, 20), row("m", "p", 2, 30), row("m", "q", 2, 15)];
    let desk = Desk::empty();
    for (file, text) in
        [("m.toml", machine), ("w.yaml", workload), ("s.yaml", sweep), ("r.jsonl", rows.concat())]
    {
        desk.put(file, &text);
    }
    desk.put("later.jsonl", &rows.concat().replace(":30}", ":40}"));
    desk.put("machines/listed.toml", &fs::read_to_string(desk.path().join("m.toml")).unwrap());
    desk
}

/// Checks a text that goes to a terminal, a log, a page or a program.
#[track_caller]
fn harmless(what: &str, text: &str) {
    let controls: BTreeSet<char> = text
        .chars()
        .filter(|&c| c != '\n' && c.is_control() || ('\u{2028}'..='\u{202e}').contains(&c))
        .collect();
    assert!(controls.is_empty(), "{what}: {controls:?} in\n{text:?}");
    let commands = text.lines().find(|line| line.trim_start().starts_with("::error file=x"));
    assert!(commands.is_none(), "{what}: {commands:?} in\n{text}");
    let is_csv = ["--format csv", ": out.csv"].iter().any(|end| what.ends_with(end));
    let cells = text.lines().flat_map(|line| line.split(',')).filter(|_| is_csv);
    let formula = cells.map(|cell| cell.trim_matches('"')).find(|cell| cell.starts_with(['=', '@']));
    assert!(formula.is_none(), "{what}: {formula:?} in\n{text}");
}

/// Runs commands, one per line, and checks what they print and the files that they write.
fn check(commands: &str) {
    let desk = desk();
    for command in commands.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let output = desk.numalab(&command.split(' ').collect::<Vec<_>>()).output().unwrap();
        let (out, err) =
            (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        // Gates do not hold, and results differ.
        assert!(matches!(output.status.code(), Some(0 | 1)), "{command}: {err}");
        harmless(command, &out);
        harmless(command, &err);
        let written = || desk.files().into_iter().filter(|file| file.starts_with("out."));
        assert!(written().next().is_some() == command.contains("out."), "{command}: {:?}", desk.files());
        for file in written() {
            // Binary files are no texts for a terminal.
            if let Ok(text) = fs::read_to_string(desk.path().join(&file)) {
                harmless(&format!("{command}: {file}"), &text);
            }
            fs::remove_file(desk.path().join(&file)).unwrap();
        }
        let _ = fs::remove_dir_all(desk.path().join("s.store"));
    }
}

#[test]
fn of_runs() {
    check(
        "sim m.toml w.yaml --bars all
        sim m.toml w.yaml --format json
        sim m.toml w.yaml --format csv
        sim m.toml w.yaml --series threads=1,2
        sim m.toml w.yaml --series threads=1,2 --format csv
        sim m.toml w.yaml -o out.html
        sim m.toml w.yaml -o out.txt --no-series
        sim m.toml w.yaml --picture schedule --svg out.svg
        sim m.toml w.yaml --picture sums --svg out.svg
        sim m.toml w.yaml -p static --trace out.prv
        explain m.toml w.yaml
        explain m.toml w.yaml --format markdown
        explain m.toml w.yaml --format json
        explain m.toml w.yaml --format csv
        model m.toml w.yaml
        model m.toml w.yaml --format json",
    );
}

#[test]
fn of_sweeps() {
    check(
        "sweep s.yaml
        sweep s.yaml -o out.csv
        sweep s.yaml -o out.jsonl
        sweep s.yaml --junit out.xml
        sweep s.yaml --markdown out.md
        sweep s.yaml --annotations",
    );
}

#[test]
fn of_results() {
    check(
        "rank r.jsonl
        rank r.jsonl --format markdown
        rank r.jsonl --format json
        rank r.jsonl --format csv
        pareto r.jsonl --y threads
        pareto r.jsonl --y threads --format csv
        pareto r.jsonl --y threads --svg out.svg
        compare r.jsonl later.jsonl
        compare r.jsonl later.jsonl --format json
        compare r.jsonl later.jsonl --format csv
        plot r.jsonl --x threads --y makespan_ps --color policy -o out.svg
        plot r.jsonl --x threads --y makespan_ps --color policy -o out.html",
    );
}

#[test]
fn of_machines_and_files() {
    check(
        "show m.toml
        show m.toml --format json
        show m.toml --format toml
        show m.toml --format yaml
        show m.toml --between 0 1
        show m.toml --dot out.dot
        show m.toml --svg out.svg
        show w.yaml
        show w.yaml --format json
        show w.yaml --format toml
        show w.yaml --format yaml
        show s.yaml
        distances m.toml
        distances m.toml --format json
        places m.toml
        places m.toml --format csv
        list
        list --format json
        list --format csv",
    );
}

/// Texts that a spreadsheet would calculate come back from CSV as they were.
#[test]
fn guarded_texts_are_the_same_points() {
    let desk = Desk::with("r.csv", "policy,threads,makespan_ps\n=p,1,10\n'@q,1,20\n=p,2,10\n'@q,2,20\n");
    let csv = desk.answer(&["rank", "r.csv", "--format", "csv"]);
    let names: Vec<&str> = csv.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!(names, ["'=p", "'@q"], "{csv}");
    let table = desk.answer(&["rank", "r.csv"]);
    assert!(table.contains("\n=p ") && table.contains("\n@q "), "{table}");
}
