//! Output of likwid-topology.

use super::{read, sample};
use numalab_imports::foreign::from_text;
use numalab_imports::topology::CacheUnit;

#[test]
fn threads_caches_and_domains() {
    let topology = read("likwid-topology.txt").topology.unwrap();
    assert_eq!(topology.model.as_deref(), Some("Intel(R) Xeon(R) CPU E5-2640 v4 @ 2.40GHz"));
    let of: Vec<_> = topology.processors.iter().map(|one| (one.number, one.package, one.core)).collect();
    let core = |number: u32| (number, Some(number % 4 / 2), Some(number % 4));
    assert_eq!(of, (0..8).map(core).collect::<Vec<_>>());
    let last = CacheUnit { level: 3, size: 25 << 20, line: None, processors: vec![0, 1, 4, 5] };
    assert_eq!((topology.caches.len(), &topology.caches[4]), (6, &last));
    let nodes: Vec<_> = topology.nodes.iter().map(|node| (node.processors.clone(), node.capacity)).collect();
    assert_eq!(nodes[0], (vec![0, 1, 4, 5], Some(64001 << 19)));
    assert_eq!(nodes[1], (vec![2, 3, 6, 7], Some(32000 << 20)));
    assert_eq!(topology.distances, Some(vec![vec![10.0, 21.0], vec![21.0, 10.0]]));
    let machine = topology.machine("here").unwrap();
    assert_eq!(machine.warnings, [""; 0]);
}

#[test]
fn wrong_lines_are_shown() {
    let text = sample("likwid-topology.txt");
    for (from, to, message) in [
        ("32 kB", "32 chips", "this is no size"),
        ("( 0 4 1 5 )\nDistances", "( 0 4 1 x )\nDistances", "x"),
        ("3\t\t0\t\t1\t\t0\t\t1\t\t*", "2\t\t0\t\t1\t\t0\t\t1\t\t*", "two rows"),
    ] {
        let wrong = text.replace(from, to);
        assert_ne!(wrong, text, "{from}");
        let error = from_text("t", &wrong, None).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}
