//! Names of the arrays that recorded programs allocate.

use super::{build, compilers};
use crate::support::{Desk, text};

/// Names of the program's first `count` allocations, in order; `None` if pages cannot be watched on this computer.
fn asked_for(desk: &Desk, program: &std::path::Path, count: usize) -> Option<Vec<String>> {
    let words = ["record", "-o", "prog.nlt", "--rounds", "1", "-t", "4", "--", program.to_str().unwrap()];
    let output = desk.numalab(&words).assert().success().get_output().clone();
    if let Some(why) = text(&output.stderr).lines().find(|line| line.contains("it has no footprints")) {
        eprintln!("skipped: {why}");
        return None;
    }
    let recording = numalab_replay::recording(desk.path().join("prog.nlt").to_str().unwrap()).unwrap();
    Some(recording.allocations.iter().take(count).map(|allocation| recording.name(allocation.site)).collect())
}

/// Law: Arrays are named past allocation wrappers.
///
/// An allocation that a function returns is named after its caller. An allocation stored in a structure keeps the
/// line of the allocating call.
#[test]
fn arrays_are_named_by_callers_of_wrappers() {
    let desk = Desk::empty();
    for compiler in compilers() {
        let program = build(compiler, "wrapped", desk.path()).unwrap();
        let Some(names) = asked_for(&desk, &program, 4) else { return };
        let expected = [("a", 27), ("b", 28), ("c", 30), ("cells", 23)]
            .map(|(name, line)| format!("{name} (wrapped.c:{line})"));
        assert_eq!(names, expected, "{compiler}");
    }
}

/// Law: Arrays are named past allocation wrappers.
///
/// Allocations by containers, smart pointers and classes are named after the code that declares or fills them.
#[test]
fn arrays_of_containers_are_named_by_their_variables() {
    let desk = Desk::empty();
    for compiler in compilers() {
        let compiler = compiler.replace("clang", "clang++").replace("gcc", "g++");
        let Some(program) = build(&compiler, "containers", desk.path()) else {
            eprintln!("skipped: {compiler} builds no C++ here");
            continue;
        };
        let Some(names) = asked_for(&desk, &program, 5) else { return };
        let expected = [("u", 18), ("v", 20), ("field", 21), ("w", 22), ("raw", 23)]
            .map(|(name, line)| format!("{name} (containers.cpp:{line})"));
        for (name, expected) in names.iter().zip(&expected) {
            assert_eq!(name, expected, "{compiler} {names:?}");
        }
        assert_eq!(names.len(), expected.len(), "{compiler}");
    }
}
