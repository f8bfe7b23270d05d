//! A machine of 32 768 cores and 100 000 lines.

use numalab_base::Time;
use numalab_coherence::{Access, AgentId, LineId, Lines};
use numalab_machine::{CoreId, Fabric, NodeId, synthetic};

/// All cores write one line, then each core a line of its own, then all read the first line.
#[test]
fn all_cores_of_a_large_machine_are_served() {
    let machine = synthetic("board:256 socket:16 core:8").expect("a machine");
    let fabric = Fabric::new(&machine).expect("sound");
    let mut lines = Lines::new(&machine, &fabric);
    for core in 0..fabric.cores() {
        lines.add_agent(CoreId(core));
    }
    for line in 0..100_000 {
        lines.add_line(NodeId(line % fabric.nodes()));
    }
    let mut asked = vec![1; fabric.cores() as usize];
    for agent in 0..fabric.cores() {
        assert_eq!(lines.request(Time::ZERO, AgentId::new(agent), LineId(0), Access::Own), None);
    }
    let mut answers = 0;
    while lines.next().is_some() {
        let Some((now, agent)) = lines.pop() else { continue };
        answers += 1;
        let step = &mut asked[agent.index()];
        *step += 1;
        let hit = match step {
            2 => lines.request(now, agent, LineId(1 + agent.number() * 3), Access::Own),
            3 => lines.request(now, agent, LineId(0), Access::Read),
            _ => continue,
        };
        if let Some(hit) = hit {
            lines.timer(hit, agent);
        }
    }
    assert!(asked.iter().all(|steps| *steps == 4));
    assert_eq!(answers, 3 * fabric.cores());
}
