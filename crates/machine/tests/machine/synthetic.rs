//! Synthetic machines: the result, and the errors of wrong texts.

use crate::builders::machine;
use numalab_machine::{LevelKind, Shape, defaults, synthetic};

/// The wrong part of the text, and the message.
fn refused(spec: &str) -> (&str, String) {
    let error = synthetic(spec).expect_err(spec);
    (&spec[error.span.clone()], error.to_string())
}

#[test]
fn boards_have_controllers_and_meshes() {
    let machine = machine("board:4 socket:4 core:8");
    let kinds: Vec<_> = machine.levels.iter().map(|level| (level.kind, level.count)).collect();
    assert_eq!(kinds, [(LevelKind::Board, 4), (LevelKind::Socket, 4), (LevelKind::Core, 8)]);
    assert!(
        machine.levels[..2].iter().all(|level| level.interconnect.as_ref().unwrap().shape == Shape::Mesh)
    );
    assert!(machine.levels[0].controller.is_none());
    assert!(machine.levels[1].controller.is_some());
    assert!(machine.levels[2].interconnect.is_none());
    assert_eq!(machine.core.threads, defaults::THREADS);
    assert_eq!(machine.description, "synthetic machine board:4 socket:4 core:8");
}

#[test]
fn a_count_may_be_a_torus() {
    let machine = machine("board:3x6x4 socket:2 core:12 thread:2");
    assert_eq!(machine.levels[0].count, 72);
    assert_eq!(machine.levels[0].interconnect.as_ref().unwrap().shape, Shape::Torus(vec![3, 6, 4]));
    assert_eq!(machine.core.threads, 2);
}

#[test]
fn a_cluster_shares_the_last_cache() {
    assert_eq!(machine("socket:2 core:8").caches[2].shared_by, 8);
    assert_eq!(machine("socket:2 cluster:2 core:4").caches[2].shared_by, 4);
}

#[test]
fn every_nesting_passes_the_check() {
    for outer in 0..16u32 {
        let names = ["board:2", "socket:3", "node:2", "cluster:2"];
        let chosen = names.iter().enumerate().filter(|(at, _)| outer >> at & 1 == 1).map(|(_, name)| *name);
        let spec = chosen.chain(["core:4"]).collect::<Vec<_>>().join(" ");
        assert_eq!(machine(&spec).check(), [], "{spec}");
    }
}

#[test]
fn white_space_and_underscores_are_welcome() {
    assert_eq!(machine("  board:1_0\tcore:2\n").levels[0].count, 10);
}

#[test]
fn says_what_is_wrong_with_a_name() {
    assert_eq!(refused("bord:4 core:8").0, "bord");
    assert!(synthetic("bord:4 core:8").unwrap_err().names.contains(&"board"));
    let (at, message) = refused("board:4 llama:2 core:8");
    assert_eq!(at, "llama");
    assert!(
        message.ends_with("expected one of board, socket, node, chip, cluster, core, thread"),
        "{message}"
    );
    assert!(refused("board:4 :2 core:8").1.starts_with("unknown level \"\""));
    assert_eq!(refused("board core:8").0, "board");
}

#[test]
fn says_what_is_wrong_with_a_count() {
    assert_eq!(refused("board:0 core:8"), ("0", "a count must be at least 1".to_owned()));
    assert_eq!(refused("board:four core:8"), ("four", "\"four\" is not a whole number".to_owned()));
    assert_eq!(refused("board:-1 core:8").0, "-1");
    assert_eq!(refused("board:_ core:8").1, "\"_\" is not a whole number");
    assert_eq!(refused("board:é core:8").0, "é");
    assert!(refused("board: core:8").1.starts_with("a count is missing"));
    assert!(refused("board:3x core:8").1.starts_with("a count is missing"));
    assert_eq!(refused("board:3x0x2 core:8").0, "0");
    assert!(refused("board:99999999999999999999 core:8").1.contains("too large"));
    assert!(refused("board:65536x65536 core:8").1.contains("multiply to more than"));
    assert!(refused("board:2 core:2x2").1.contains("a torus joins boards"));
}

#[test]
fn says_what_is_wrong_with_the_order() {
    assert_eq!(
        refused("socket:4 board:4 core:8"),
        ("board", "board cannot lie inside socket; write it before socket".to_owned())
    );
    assert_eq!(refused("socket:4 socket:4 core:8"), ("socket", "socket appears twice".to_owned()));
    assert!(refused("board:4 socket:4").1.starts_with("the last level must be core"));
    assert_eq!(refused("core:4 socket:2").0, "socket");
    assert_eq!(refused("socket:4 thread:2 core:8").0, "thread:2");
    assert_eq!(refused("core:8 thread:2 thread:2").0, "thread:2");
    assert!(refused("  ").1.contains("such as \"board:4 socket:4 core:8\""));
}

#[test]
fn says_what_is_too_large() {
    let (at, message) = refused("board:1000000 socket:4 core:16");
    assert_eq!(at, "board:1000000");
    assert_eq!(message, "the machine would have 64000000 hardware threads; the limit is 4194304");
    let (at, message) = refused("board:8000 core:16");
    assert_eq!(at, "board:8000");
    assert!(message.contains("the limit is 16777216"), "{message}");
}

/// hwloc's texts give the machines of the short form.
#[test]
fn texts_for_hwloc() {
    for (theirs, ours) in [
        ("Package:2 NUMANode:4 L3:1 Core:8 PU:2", "socket:2 node:4 core:8 thread:2"),
        ("Package:2 NUMANode:4 Core:8 PU:2", "socket:2 node:4 core:8 thread:2"),
        ("Package:1 L3:2 L2:4 L1:1 Core:1 PU:1", "socket:1 cluster:2 core:4 thread:1"),
        ("Pack:2 Die:2 L3:2 Core:4 PU:1", "socket:2 cluster:4 core:4"),
        ("NUMANode:2 Package:1 Core:4 PU:1", "socket:2 core:4"),
        ("NUMANode:2 Core:4 PU:1", "socket:2 core:4"),
        ("Package:2 [NUMANode(memory=16GB)] L3Cache:1 Core:8 PU:1", "socket:2 core:8"),
        ("Package:2 PU:4", "socket:2 core:4"),
        ("Machine:1 Package:2 Core:4", "socket:2 core:4"),
        ("Package:1 Group:2 NUMANode:2 Core:4 PU:1", "socket:1 node:4 core:4"),
    ] {
        let (theirs, ours) = (synthetic(theirs).unwrap(), synthetic(ours).unwrap());
        assert_eq!((&theirs.levels, &theirs.caches), (&ours.levels, &ours.caches), "{}", ours.description);
        assert_eq!((theirs.core.threads, &theirs.links), (ours.core.threads, &ours.links));
    }
    let machine =
        synthetic("Package:2 NUMANode:1(memory=16GB indexes=0,1) L3:1(size=32MiB) Core:4 PU:1").unwrap();
    assert_eq!(machine.memory.capacity.0, 16_000_000_000);
    assert_eq!(machine.caches[2].size.0, 32 << 20);
    for (wrong, message) in [
        ("Package:2 Core:0", "at least 1"),
        ("Package:2 Blade:4 Core:2", "no type of hwloc"),
        ("Package:2", "Core and PU"),
        ("NUMANode:2 Package:2 Core:2", "no packages inside of nodes"),
        ("Package:2 Core:4 L3:1", "innermost"),
        ("Package:2 Core", "a count is missing"),
        ("Package:2 NUMANode:1(memory=lots) Core:4", "no size"),
        ("Package:2 L3:70000 L3:70000 Core:2", "multiply"),
    ] {
        let error = synthetic(wrong).unwrap_err();
        assert!(error.message.contains(message), "{wrong}: {}", error.message);
        assert!(error.span.end <= wrong.len());
    }
}
