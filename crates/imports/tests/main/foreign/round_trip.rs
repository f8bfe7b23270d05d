//! Text that is printed in a tool's layout is read back exactly.

use numalab_imports::foreign::from_text;
use proptest::prelude::*;

/// A matrix of tenths, some of them missing, with a column for each node and lines for some.
fn matrix() -> impl Strategy<Value = (Vec<u32>, Vec<Vec<Option<u32>>>)> {
    (1usize..12).prop_flat_map(|columns| {
        let nodes =
            prop::collection::btree_set(0u32..2000, columns).prop_map(|set| set.into_iter().collect());
        let cell = prop::option::weighted(0.9, 1u32..2_000_000);
        let lines = prop::collection::vec(prop::collection::vec(cell, columns), 1..=columns);
        (nodes, lines)
    })
}

fn tenths(cell: Option<u32>) -> String {
    cell.map_or("-".to_owned(), |tenths| format!("{}.{}", tenths / 10, tenths % 10))
}

proptest! {
    #[test]
    fn matrices_between_nodes((nodes, lines) in matrix(), tab in any::<bool>(), bandwidth in any::<bool>()) {
        let (title, blank) = (["Measuring idle latencies (in ns)...", "Measuring Memory Bandwidths between nodes within system"][usize::from(bandwidth)], if tab { "\t" } else { "   " });
        let mut text = format!("Intel(R) Memory Latency Checker - v3.9\nCommand line parameters: --some_matrix\n\n{title}\n\t\tNuma node\nNuma node{blank}");
        let line = |cells: Vec<String>| cells.join(blank) + blank + "\n";
        text += &line(nodes.iter().map(u32::to_string).collect());
        for (node, cells) in nodes.iter().zip(&lines) {
            text += &format!("  {node}{blank}{}", line(cells.iter().copied().map(tenths).collect()));
        }
        let measured = lines.iter().flatten().flatten().count();
        let read = from_text("t", &text, None);
        if measured == 0 {
            prop_assert!(read.is_err());
            return Ok(());
        }
        let found = read.unwrap();
        let matrix = if bandwidth { found.bandwidth } else { found.latency }.unwrap();
        let value = |cell: &Option<u32>| {
            let value = tenths(*cell).parse::<f64>().ok()?;
            Some(if bandwidth { value / 1e3 } else { value })
        };
        let expected: Vec<Vec<Option<f64>>> = lines.iter().map(|cells| cells.iter().map(value).collect()).collect();
        prop_assert_eq!(&matrix.to, &nodes);
        prop_assert_eq!(&matrix.from[..], &nodes[..lines.len()]);
        prop_assert_eq!(matrix.cells, expected);
        prop_assert_eq!(found.rows.len(), measured);
    }

    #[test]
    fn squares_between_processors(
        cells in (2usize..9).prop_flat_map(|n| prop::collection::vec(prop::collection::vec(1u32..100_000, n), n)),
        separator in prop::sample::select(vec![",", ";", "\t"]),
        named in any::<bool>(),
        triangle in any::<bool>(),
    ) {
        let n = cells.len();
        let cell = |a: usize, b: usize| if a == b || triangle && b > a { String::new() } else { format!("{}.{}", cells[a][b] / 10, cells[a][b] % 10) };
        let mut text = String::new();
        if named {
            text += &(0..n).fold(String::new(), |line, at| format!("{line}{separator}cpu{at}"));
            text += "\n";
        }
        for a in 0..n {
            let mut line: Vec<String> = (0..n).map(|b| cell(a, b)).collect();
            if named {
                line.insert(0, a.to_string());
            }
            text += &(line.join(separator) + "\n");
        }
        let found = from_text("t", &text, None).unwrap();
        prop_assert_eq!(found.rows.len(), n * (n - 1) / 2);
        for row in &found.rows {
            let (a, b) = row.params[0].1.split_once(',').unwrap();
            let (a, b): (usize, usize) = (a.parse().unwrap(), b.parse().unwrap());
            let mut expected = vec![f64::from(cells[b][a]) / 10.0];
            if !triangle {
                expected.insert(0, f64::from(cells[a][b]) / 10.0);
            }
            let values: Vec<f64> = row.samples.iter().map(|sample| sample.value).collect();
            prop_assert_eq!(values, expected);
        }
    }

    #[test]
    fn nodes_of_numactl(sizes in prop::collection::vec((0u32..1 << 20, 0usize..4), 1..9), gap in 1u32..9, seed in any::<u8>()) {
        let numbers: Vec<u32> = (0..sizes.len() as u32).map(|node| node * gap).collect();
        let names: Vec<String> = numbers.iter().map(u32::to_string).collect();
        let mut text = format!("available: {} nodes ({})\n", sizes.len(), names.join(","));
        let mut next = 0;
        let mut processors = Vec::new();
        for (name, (size, count)) in names.iter().zip(&sizes) {
            let own: Vec<u32> = (next..next + *count as u32).collect();
            next += *count as u32;
            let list: String = own.iter().map(|cpu| format!(" {cpu}")).collect();
            text += &format!("node {name} cpus:{list}\nnode {name} size: {size} MB\nnode {name} free: 0 MB\n");
            processors.push(own);
        }
        let distance = |a: usize, b: usize| if a == b { 10 } else { 11 + (a * 7 + b * 3 + usize::from(seed)) % 240 };
        text += &format!("node distances:\nnode {}\n", names.join(" "));
        for (a, name) in names.iter().enumerate() {
            let list: String = (0..names.len()).map(|b| format!(" {}", distance(a, b))).collect();
            text += &format!("  {name}:{list} \n");
        }
        let topology = from_text("t", &text, None).unwrap().topology.unwrap();
        for (at, node) in topology.nodes.iter().enumerate() {
            prop_assert_eq!(node.number, numbers[at]);
            prop_assert_eq!(node.capacity, Some(u64::from(sizes[at].0) << 20));
            prop_assert_eq!(&node.processors, &processors[at]);
        }
        let expected: Vec<Vec<f64>> = (0..names.len()).map(|a| (0..names.len()).map(|b| distance(a, b) as f64).collect()).collect();
        prop_assert_eq!(topology.distances, Some(expected));
    }
}
