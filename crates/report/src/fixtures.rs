//! Comparisons for tests.

use numalab_results::*;

/// A thread with these times in seconds: data by node, overhead, idle. Half of the data time counts
/// as compute. Bytes flow at 1 GB/s.
pub fn member(thread: u32, node: u32, data: &[(u32, f64)], overhead: f64, idle: f64) -> Member {
    let ps = |seconds: f64| (seconds * 1e12).round() as u64;
    let mut time_by_node_ps = ByNode::default();
    let mut bytes_by_node = ByNode::default();
    for &(home, seconds) in data {
        time_by_node_ps.add(home, ps(seconds));
        bytes_by_node.add(home, ps(seconds) / 1000);
    }
    let compute_ps = time_by_node_ps.total() / 2;
    Member {
        thread,
        processor: thread,
        node,
        compute_ps,
        stall_ps: time_by_node_ps.total() - compute_ps,
        overhead_ps: ps(overhead),
        idle_ps: ps(idle),
        iterations: 10,
        stolen: 0,
        cached_bytes: 0,
        bytes_by_node,
        time_by_node_ps,
    }
}

/// A run of these members, with bytes by level of the layout. Data time beyond the local share of
/// the bytes counts as memory penalty.
pub fn run(policy: &str, layout: Layout, team: Vec<Member>, resources: Vec<Resource>) -> Run {
    let mut bytes = BytesByLevel::default();
    for member in &team {
        for (home, amount) in member.bytes_by_node.iter() {
            *match layout.sharing(member.node, home) {
                Sharing::Node => &mut bytes.node,
                Sharing::Socket => &mut bytes.socket,
                Sharing::Board => &mut bytes.board,
                Sharing::Machine => &mut bytes.machine,
                Sharing::MemoryOnly => &mut bytes.memory_only,
            } += amount;
        }
    }
    let makespan = |m: &Member| m.compute_ps + m.stall_ps + m.overhead_ps + m.idle_ps;
    let sum = |part: fn(&Member) -> u64| team.iter().map(part).sum::<u64>();
    let (compute, stall) = (sum(|member| member.compute_ps), sum(|member| member.stall_ps));
    let local = bytes.node as f64 / bytes.total().max(1) as f64;
    let sequential = compute + (stall as f64 * local) as u64;
    let mut run = Run {
        policy: policy.into(),
        threads: team.len() as u32,
        makespan_ps: team.iter().map(makespan).max().unwrap_or(0),
        events: 1000,
        engine: Default::default(),
        ideal_work_ps: sequential,
        memory_penalty_ps: (compute + stall) as i64 - sequential as i64,
        sequential_ps: None,
        inflation_ps: None,
        pages: None,
        bottleneck: None,
        overhead_ps: sum(|member| member.overhead_ps).into(),
        idle_ps: sum(|member| member.idle_ps).into(),
        transactions: 0,
        tasks: None,
        findings: Vec::new(),
        measures: Vec::new(),
        bytes_by_level: bytes,
        cached_bytes: 0,
        phases: Vec::new(),
        team,
        resources,
    };
    // Half of the stall time waits for the busiest resource, in the second half of the run.
    run.bottleneck = run.busiest().map(|busiest| Bottleneck {
        name: if busiest.resource.name.contains("memory") { "memory" } else { "board links" }.into(),
        share: stall as f64 / 2.0 / (run.team.len() as f64 * run.makespan_ps.max(1) as f64),
        phase: "work".into(),
        resource: Some(busiest.resource.name.clone()),
        resource_share: None,
        from_ps: run.makespan_ps / 2,
        to_ps: run.makespan_ps,
    });
    run
}

/// A resource with its capacity in GB/s and its traffic in GB.
pub fn resource(name: &str, capacity: f64, bytes: f64, peak: f64) -> Resource {
    Resource {
        name: name.into(),
        capacity_bytes_per_s: capacity * 1e9,
        bytes: (bytes * 1e9) as u64,
        busy_ps: 1_000_000_000_000,
        peak_utilisation: peak,
    }
}

pub fn input(name: &str) -> Input {
    Input { name: name.into(), hash: "00ff".into(), overrides: Vec::new(), resolved: serde_json::Value::Null }
}

pub fn comparison(machine: &str, layout: Layout, runs: Vec<Run>) -> Comparison {
    Comparison {
        schema_version: SCHEMA_VERSION,
        seed: 7,
        machine: input(machine),
        layout,
        workload: input("loadbal"),
        placement: None,
        binding: None,
        runtime: None,
        replay: None,
        runs,
    }
}

/// Two boards of two nodes with a thread on each node; `static` takes 1 s, `dynamic` 2 s.
pub fn small() -> Comparison {
    let layout = Layout { boards: 2, sockets: 4, nodes: 4 };
    let alone = (0..4u32).map(|t| {
        let busy = 0.25 * f64::from(t + 1);
        member(t, t, &[(t, busy)], 0.0, 1.0 - busy)
    });
    let mixed = vec![
        member(0, 0, &[(0, 1.0), (1, 0.5), (2, 0.5)], 0.0, 0.0),
        member(1, 1, &[(1, 0.5), (0, 0.5), (3, 1.0)], 0.0, 0.0),
        member(2, 2, &[(2, 0.25), (3, 0.5), (0, 0.5), (1, 0.25)], 0.0, 0.5),
        member(3, 3, &[(3, 0.25), (2, 0.5), (0, 0.25), (1, 0.25)], 0.25, 0.5),
    ];
    let memory = |bytes| resource("board 0 node 0 memory", 10.0, bytes, 0.9);
    let link = resource("board 0 to board 1 link", 2.5, 4.0, 1.0);
    comparison(
        "tiny",
        layout,
        vec![
            run("static", layout, alone.collect(), vec![memory(2.5)]),
            run("dynamic", layout, mixed, vec![memory(8.0), link]),
        ],
    )
}

/// An unbalanced loop on `nodes` nodes with `each` threads per node: thread `t` owns work `2t + 1`.
/// `static` leaves it there, `dynamic` spreads it, `numa-steal` lets early threads take work of
/// late ones.
pub fn unbalanced(machine: &str, layout: Layout, each: u32, policies: &[&str]) -> Comparison {
    let nodes = layout.nodes;
    let threads = nodes * each;
    let work = |owner: u32| f64::from(2 * owner + 1) / f64::from(threads * threads);
    let mean = 1.0 / f64::from(threads);
    let node_work = |node: u32| (node * each..(node + 1) * each).map(work).sum::<f64>();
    let factor = |a: u32, b: u32| [1.0, 1.3, 1.6, 3.0][layout.sharing(a, b) as usize];
    let scale = 1.16 / work(threads - 1);
    let busy = |policy: &str, t: u32| -> Vec<(u32, f64)> {
        let own = t / each;
        match policy {
            "static" => vec![(own, work(t) * scale)],
            p if p.starts_with("numa-steal") => {
                let mut data = vec![(own, work(t).min(mean) * scale)];
                for victim in (nodes / 2..nodes).filter(|_| work(t) < mean) {
                    let spare = node_work(victim) - mean * f64::from(each);
                    let taken =
                        (mean - work(t)) * spare * 4.0 * if p.ends_with("nearest") { 1.3 } else { 1.0 };
                    data.push((victim, taken * scale));
                }
                data
            }
            _ => (0..nodes).map(|n| (n, node_work(n) * mean * scale * factor(own, n))).collect(),
        }
    };
    let runs = policies.iter().map(|policy| {
        let data: Vec<_> = (0..threads).map(|t| busy(policy, t)).collect();
        let total = |d: &[(u32, f64)]| d.iter().map(|(_, s)| s).sum::<f64>();
        let overhead = if *policy == "static" { 0.0 } else { 0.02 };
        let longest = data.iter().map(|d| total(d)).fold(0.0, f64::max) + overhead;
        let team = data
            .iter()
            .zip(0..)
            .map(|(d, t)| member(t, t / each, d, overhead, longest - total(d) - overhead));
        let resources = vec![resource("board 3 to board 0 coherence link", 3.4, 3.2, 1.0)];
        run(policy, layout, team.collect(), resources)
    });
    comparison(machine, layout, runs.collect())
}

/// 4000 tasks on two boards of two nodes with one thread each: a central queue makes threads wait,
/// queues per thread keep tasks local. `static` has no tasks.
pub fn tasks() -> Comparison {
    let layout = Layout { boards: 2, sockets: 4, nodes: 4 };
    let ms = |count: u64| count * 1_000_000_000;
    let alone = (0..4).map(|t| member(t, t, &[(t, 1.2)], 0.0, 0.3)).collect();
    let mixed = (0..4).map(|t| member(t, t, &[(t, 0.3), ((t + 2) % 4, 0.9)], 0.75, 0.05)).collect();
    let local = (0..4).map(|t| member(t, t, &[(t, 1.25)], 0.02, 0.0)).collect();
    let done = |tasks: u64, time: u64| Executed { tasks, time_ps: ms(time) };
    let finding = |name: &str, evidence: &str| Finding { name: name.into(), evidence: evidence.into() };
    let mut runs = vec![
        run("static", layout, alone, Vec::new()),
        run("tasks:central", layout, mixed, Vec::new()),
        run("tasks:thread-local", layout, local, Vec::new()),
    ];
    let sum =
        TaskCounts { phases: 1, created: 4000, creators: 4, longest_task_ps: ms(2), ..TaskCounts::default() };
    runs[1].tasks = Some(TaskCounts {
        at_once: 12,
        by_creator: done(1000, 1000),
        same_board: done(1000, 1200),
        remote: done(2000, 2600),
        longest_queue: 250,
        creating_ps: ms(1000),
        busiest_creator_ps: ms(300),
        fetching_ps: ms(2000),
        working_ps: ms(4800),
        ..sum.clone()
    });
    runs[1].findings = vec![
        finding("tasks-too-fine", "a task works 1.20 ms on average, and handling it takes 0.75 ms"),
        finding("numa-blind", "75% of the bytes come from another node, where 100% could be local"),
    ];
    runs[2].tasks = Some(TaskCounts {
        by_creator: done(3990, 4990),
        remote: done(10, 10),
        steals: 10,
        failed_steals: 31,
        longest_queue: 3990,
        creating_ps: ms(30),
        fetching_ps: ms(50),
        working_ps: ms(5000),
        ..sum
    });
    runs[2].transactions = 8123;
    comparison("tiny", layout, runs)
}

/// An explanation without content.
pub fn explanation() -> Explanation {
    Explanation {
        schema_version: SCHEMA_VERSION,
        seed: 7,
        machine: input("tiny"),
        workload: input("loadbal"),
        runtime: None,
        placement: None,
        binding: None,
        replay: None,
        policy: "static".into(),
        threads: 1,
        makespan_ps: 1,
        bottleneck: None,
        blame: Vec::new(),
        phases: Vec::new(),
        handed_over: 0,
        amdahl: Amdahl { parallel_fraction: 1.0, speedup: 1.0, bound: 1.0, limit: None },
        hot_spots: Vec::new(),
        region_bytes: Vec::new(),
        origins: Vec::new(),
        ideals: None,
        advice: Vec::new(),
        tried: 0,
        speedups: Vec::new(),
    }
}
