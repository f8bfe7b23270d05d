//! Files shipped with the program: manual pages, the GitHub action, the citation file.

use crate::support::{Desk, failure, says, text};
use std::fs;
use std::path::Path;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_command_has_a_manual_page() {
    let desk = Desk::with("man/readme", "");
    assert_eq!(desk.answer(&["man", "--output", "man"]), "");
    let help = desk.answer(&["--help"]);
    let commands =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let commands: Vec<_> =
        commands.filter(|line| line.starts_with("  ") && !line.starts_with("   ")).collect();
    assert!(commands.len() > 15, "{commands:?}");
    for command in
        commands.iter().filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help")
    {
        let page = fs::read_to_string(desk.path().join(format!("man/numalab-{command}.1"))).unwrap();
        says(&page, &[".TH", ".SH NAME", ".SH SYNOPSIS"]);
        assert_eq!(desk.answer(&["man", command]), page);
    }
    says(&desk.answer(&["man", "sim"]), &["\\-\\-placement", "Examples"]);
    assert_eq!(desk.answer(&["man"]), fs::read_to_string(desk.path().join("man/numalab.1")).unwrap());
    // Subcommands of commands have pages too.
    assert!(desk.path().join("man/numalab-calibrate-fit.1").is_file());
}

#[test]
fn unavailable_pages_are_reported() {
    let desk = Desk::empty();
    says(&desk.refusal(&["man", "simm"]), &["no command is called \"simm\"", "`sim`"]);
    let message = failure(desk.numalab(&["man", "--output", "nowhere"]).assert().code(1));
    says(&message, &["cannot write", "there is no folder \"nowhere\""]);
    assert!(desk.files().is_empty());
}

/// Executes the sweep step of the GitHub action, as GitHub's runner does.
#[cfg(unix)]
#[test]
fn the_action_runs_a_sweep_and_its_gates() {
    use std::process::Command;
    let action = fs::read_to_string(root().join(".github/actions/gate/action.yml")).unwrap();
    let script = action.rsplit("run: |\n").next().unwrap().trim();
    let inputs: Vec<_> =
        action.split("${{ inputs.").skip(1).filter_map(|rest| rest.split(' ').next()).collect();
    assert_eq!(inputs, ["sweep", "rows", "junit"]);
    let desk = Desk::with(
        "mine.yaml",
        "name: mine\npoints: { machine: s6030, workload: loadbal, policy: [static, dynamic], threads: 4 }\ngates:\n  - { \
         name: g, holds: makespan < 0 }\n",
    );
    // Folder in which the action expects the program that it has built.
    let folder = desk.path().join("target/release");
    fs::create_dir_all(&folder).unwrap();
    fs::create_dir_all(desk.path().join("a/b/c")).unwrap();
    std::os::unix::fs::symlink(assert_cmd::cargo::cargo_bin!("numalab"), folder.join("numalab")).unwrap();
    let output = Command::new("bash")
        .args(["-e", "-c", script])
        .current_dir(desk.path())
        .env("GITHUB_ACTION_PATH", desk.path().join("a/b/c"))
        .env("GITHUB_STEP_SUMMARY", "summary.md")
        .envs([("SWEEP", "mine.yaml"), ("ROWS", "rows.csv"), ("JUNIT", "report.xml")])
        .output()
        .unwrap();
    assert_eq!(
        output.status.code(),
        Some(1),
        "a gate that does not hold fails the step: {}",
        text(&output.stderr)
    );
    says(&text(&output.stdout), &["::error"]);
    for file in ["summary.md", "rows.csv", "report.xml"] {
        assert!(desk.path().join(file).is_file(), "{file}");
    }
}

/// Without musl's standard library the packaging script prints a note and links glibc statically.
#[cfg(unix)]
#[test]
fn the_static_build_does_without_musl() {
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;
    let desk = Desk::empty();
    let shim = |name: &str, script: &str| {
        desk.put(name, &format!("#!/bin/sh\n{script}\n"));
        fs::set_permissions(desk.path().join(name), fs::Permissions::from_mode(0o755)).unwrap();
    };
    shim("rustc", "exit 1");
    shim("rustup", "exit 1");
    shim("cargo", "echo \"$* with$RUSTFLAGS\"; exit 3");
    let path = format!("{}:{}", desk.path().display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("bash")
        .args([Path::new(root()).join("packaging/static-binary"), desk.path().join("package")])
        .env("PATH", path)
        .env_remove("RUSTFLAGS")
        .env_remove("PROFILE")
        .output()
        .unwrap();
    // The script passes on the compiler's exit status.
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    says(
        &text(&output.stdout),
        &["build --locked --bin numalab --profile dist --target", "-unknown-linux-gnu with", "+crt-static"],
    );
    says(&text(&output.stderr), &["rustup target add", "unknown-linux-musl", "glibc"]);
}

/// The script that builds by a profile of runs names what to install if the tool that merges profiles is missing.
#[cfg(unix)]
#[test]
fn the_profiled_build_names_a_missing_tool() {
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;
    let desk = Desk::empty();
    for (name, script) in [
        ("rustc", "printf 'host: none\\nLLVM version: 99.1.2\\n'"),
        ("llvm-profdata", "echo LLVM version 14.0.6"),
    ] {
        desk.put(name, &format!("#!/bin/sh\n{script}\n"));
        fs::set_permissions(desk.path().join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = format!("{}:{}", desk.path().display(), std::env::var("PATH").unwrap_or_default());
    let script = Path::new(root()).join("packaging/fast-binary");
    let output = Command::new("bash").arg(script).env("PATH", path).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    says(&text(&output.stderr), &["llvm-profdata of LLVM 99 is missing", "rustup component add llvm-tools"]);
}

#[test]
fn the_citation_is_of_this_version() {
    let citation = fs::read_to_string(root().join("CITATION.cff")).unwrap();
    let version = Desk::empty().answer(&["--version"]);
    let version = version.trim().strip_prefix("numalab ").unwrap();
    assert!(citation.lines().any(|line| line == format!("version: {version}")), "{version}");
}
