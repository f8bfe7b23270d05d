//! Programs of the Barcelona OpenMP task suite, and the search of Graph500: their work matches independent calculations
//! from the algorithms.

use numalab_files::{Facts, parse_overrides};
use numalab_lower::workload;
use numalab_workload::{Mode, Phase, Tree, Workload};

/// Shipped workload with some parameters.
fn load(name: &str, set: &[&str]) -> Workload {
    let set: Vec<String> = set.iter().map(|text| format!("workload.{text}")).collect();
    let set = parse_overrides(&set).unwrap().workload;
    workload(name, &set, &Facts::default()).unwrap().workload.value.clone()
}

/// Last phase of a workload, which holds its tasks.
pub(super) fn solved(name: &str, set: &[&str]) -> Phase {
    load(name, set).phases.last().unwrap().clone()
}

/// Number of executed tasks. A task counts as often as it is executed.
pub(super) fn executions(phase: &Phase) -> f64 {
    phase.tasking.tree.as_ref().and_then(Tree::executions).unwrap().iter().sum()
}

/// Counts the tasks of all steps, from the initial blocks by the suite's rules. Step `k` fills in each block (i, j)
/// for which the blocks (i, k) and (k, j) exist.
#[test]
fn sparse_lu_fills_blocks_in() {
    let blocks = 13;
    let first = |i: usize, j: usize| {
        let near = i.abs_diff(j) <= 1;
        let third = |k: usize| k.is_multiple_of(3);
        let left_out = (i < j && !third(i)) || (i > j && !third(j)) || i % 2 == 1 || j % 2 == 1;
        near || !left_out
    };
    let mut there: Vec<Vec<bool>> = (0..blocks).map(|i| (0..blocks).map(|j| first(i, j)).collect()).collect();
    let mut tasks = 0;
    for k in 0..blocks {
        for i in k + 1..blocks {
            tasks += u32::from(there[i][k]) + u32::from(there[k][i]);
            for j in k + 1..blocks {
                if there[i][k] && there[k][j] {
                    tasks += 1;
                    there[i][j] = true;
                }
            }
        }
    }
    let phase = solved("bots_sparselu", &["rows=130", "block=10"]);
    // One task of the program, two for the stages of each step, and the tasks of blocks.
    assert_eq!(executions(&phase), f64::from(1 + 2 * blocks as u32 + tasks));
    let generated = &load("bots_sparselu", &["rows=130", "block=10"]).phases[0];
    let bytes: u128 = generated.accesses.iter().map(|access| access.slice.total(generated.iterations)).sum();
    let all = (0..blocks).flat_map(|i| (0..blocks).map(move |j| (i, j))).filter(|(i, j)| first(*i, *j));
    assert_eq!(bytes, 400 * all.count() as u128);
}

/// A sort creates four sorts and two merges, waits for each group, and merges. A merge halves itself until its second
/// part is short.
#[test]
fn sorting_merges_what_it_sorts() {
    fn merge(count: u32) -> u32 {
        1 + if count / 2 < 2048 { 0 } else { 2 * merge(count / 2) }
    }
    fn sort(count: u32) -> u32 {
        1 + if count < 2048 { 0 } else { 4 * sort(count / 4) + 2 * merge(count / 2) + merge(count) + 2 }
    }
    assert_eq!(executions(&solved("bots_sort", &["millions=0.25"])), f64::from(sort(1 << 18)));
}

/// Three levels of seven products. Every product that is divided ends with a task that adds up. A leaf has the
/// operations of seven products of matrices of half its size.
#[test]
fn strassen_has_seven_products() {
    let phase = solved("bots_strassen", &["n=1024", "leaf=128", "cutoff=9"]);
    assert_eq!(executions(&phase), f64::from(1 + 7 + 49 + 343 + 1 + 7 + 49));
    // A leaf of 128 computes seven products of 64 x 64 each.
    let leaf = 2.0 * 64.0_f64.powi(3) * 7.0;
    assert_eq!(phase.instructions.iter().filter(|each| **each == leaf).count(), 343);
    // Every task stays inside the region.
    let size = load("bots_strassen", &["n=1024", "leaf=128"]).regions[0].size.0;
    let ends =
        phase.accesses.iter().flat_map(|access| (0..phase.iterations).map(|task| access.slice.range(task).1));
    assert_eq!(ends.max(), Some(size));
}

/// Every pair of sequences is aligned once. The mean length of the sequences is near that of the suite's input: 647
/// letters.
#[test]
fn every_pair_is_aligned() {
    let phase = solved("bots_alignment", &["sequences=40"]);
    assert_eq!(executions(&phase), f64::from(40 + 40 * 39 / 2));
    let mean = phase.instructions.iter().sum::<f64>() / (40.0 * 39.0 / 2.0) / 60.0;
    assert!((300.0..1000.0).contains(&mean.sqrt()), "{}", mean.sqrt());
}

/// Ends of the edges of a Kronecker graph with `2^scale` vertices in random order, 16 edges for each. An edge falls into
/// a quadrant of the matrix with the benchmark's probabilities of 57, 19, 19 and 5 %, and so on inside it.
fn kronecker(scale: u32) -> Vec<(usize, usize)> {
    let mut state = 7_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1_u64 << 31) as f64
    };
    let mut names: Vec<usize> = (0..1 << scale).collect();
    for last in (1..names.len()).rev() {
        names.swap(last, (random() * (last + 1) as f64) as usize);
    }
    let mut edge = || {
        let (mut from, mut to) = (0, 0);
        for _ in 0..scale {
            let quadrant = random();
            (from, to) = (2 * from + usize::from(quadrant >= 0.76), 2 * to);
            to += usize::from((0.57..0.76).contains(&quadrant) || quadrant >= 0.95);
        }
        (names[from], names[to])
    };
    (0..16 << scale).map(|_| edge()).collect()
}

/// Numbers of vertices, and of ends of edges at them, of the frontiers of a search from vertex `root`.
fn levels(scale: u32, root: usize) -> Vec<(u64, u64)> {
    let mut neighbours = vec![Vec::new(); 1 << scale];
    for (from, to) in kronecker(scale).into_iter().filter(|(from, to)| from != to) {
        neighbours[from].push(to);
        neighbours[to].push(from);
    }
    let mut seen = vec![false; 1 << scale];
    seen[root] = true;
    let (mut frontier, mut levels) = (vec![root], Vec::new());
    while !frontier.is_empty() {
        let edges = frontier.iter().map(|vertex| neighbours[*vertex].len() as u64).sum();
        levels.push((frontier.len() as u64, edges));
        let reached = frontier.iter().flat_map(|vertex| &neighbours[*vertex]).copied();
        frontier = reached.filter(|vertex| !std::mem::replace(&mut seen[*vertex], true)).collect();
    }
    levels
}

/// A search from a vertex of the largest component: `bfs` does on each level what the program does, in both variants.
/// It reads the tree once for each end of an edge, writes it once for each vertex that it reaches, and adds to the length
/// of the list once for each full buffer of 128 vertices.
#[test]
fn the_search_looks_along_every_edge() {
    let scale = 12;
    let counted = (0..).map(|root| levels(scale, root)).find(|levels| levels.len() > 3).unwrap();
    assert!(counted.len() <= 7, "{counted:?}");
    let nv = f64::from(1 << scale);
    let mut set = vec![format!("scale={scale}")];
    for level in 0..7 {
        let (vertices, edges) = counted.get(level).copied().unwrap_or((0, 0));
        set.push(format!("tables.frontier.{level}={}", vertices as f64 / nv));
        set.push(format!("tables.at_edges.{level}={}", edges as f64 / (32.0 * nv)));
    }
    for variant in ["original", "modified"] {
        let variant = format!("variant={variant}");
        let set: Vec<&str> = set.iter().map(String::as_str).chain([variant.as_str()]).collect();
        let found = load("bfs", &set);
        let name = |region: usize| found.regions[region].name.as_str();
        let expanded: Vec<&Phase> = found.phases.iter().filter(|phase| phase.name == "expand").collect();
        for (level, (vertices, edges)) in counted.iter().enumerate() {
            let phase = expanded[level];
            let next = counted.get(level + 1).map_or(0, |level| level.0);
            assert_eq!(phase.iterations, vertices.div_ceil(25));
            // An element of the tree is touched as its line.
            let lines = |mode: Mode| {
                let tree = phase.accesses.iter().filter(|access| name(access.region.0) == "tree");
                let of = tree
                    .filter(|access| access.mode == mode)
                    .map(|access| access.slice.total(phase.iterations));
                of.sum::<u128>() as u64 / 64
            };
            assert!(lines(Mode::Read).abs_diff(*edges) <= 1, "{} of {edges} edges", lines(Mode::Read));
            assert_eq!(lines(Mode::Update), next);
            let added = phase.section.as_ref().map_or(0, |section| section.times.iter().sum::<u32>());
            assert_eq!(u64::from(added), next / 128);
        }
        let cleared = found.phases.iter().filter(|phase| phase.measured && phase.name.starts_with("init"));
        let bytes = cleared
            .flat_map(|phase| phase.accesses.iter().map(|access| access.slice.total(phase.iterations)));
        let bytes = bytes.sum::<u128>() as f64;
        assert!((bytes - 8.0 * nv).abs() <= 8.0 * 2.0 * nv / 25.0, "{bytes} bytes");
    }
    let modified = load("bfs", &["scale=12"]);
    let regions = Phase::by_region(&modified.phases).filter(|region| region[0].measured);
    assert_eq!(regions.count(), 1);
}
