//! Bandwidths and synchronisation costs of a team on a machine, each simulated once.

use crate::StudyError;
use crate::probe::{evenly, phase, rate, time};
use numalab_base::{Bytes, Span};
use numalab_machine::{Fabric, Machine, NodeId};
use numalab_runtime::Profile;
use numalab_simulator::{Team, nearest_memory};
use numalab_workload::{Access, Mode, Phase, Pieces, Region, RegionId, Schedule, Slice, Tasking};
use std::collections::BTreeMap;

pub(super) struct Character<'a> {
    machine: &'a Machine,
    fabric: &'a Fabric,
    team: &'a Team,
    streams: BTreeMap<(Vec<(u64, u64)>, Mode), f64>,
}

impl<'a> Character<'a> {
    pub fn new(machine: &'a Machine, fabric: &'a Fabric, team: &'a Team) -> Character<'a> {
        Character { machine, fabric, team, streams: BTreeMap::new() }
    }

    pub fn threads(&self) -> u32 {
        self.team.members.len() as u32
    }

    /// Total size in bytes of the last-level caches that the team uses.
    pub fn caches(&self) -> u64 {
        let Some(last) = self.machine.caches.iter().max_by_key(|cache| cache.level) else { return 0 };
        let mut used: Vec<u32> =
            self.team.members.iter().map(|member| member.core.0 / last.shared_by.max(1)).collect();
        used.sort_unstable();
        used.dedup();
        last.size.0.saturating_mul(used.len() as u64)
    }

    /// bw(t) of the model, in bytes per second: the STREAM triad `a = b + s c` with ordinary stores. Each thread
    /// first touches its own part, which is much larger than the caches. Bytes count as in STREAM, without the reads
    /// that stores cause.
    pub fn triad(&mut self) -> Result<f64, StudyError> {
        let size = self.part().saturating_mul(u64::from(self.threads()));
        let regions = ["a", "b", "c"].map(|name| Region::new(name, Bytes(size)));
        let parts = |modes: [Mode; 3]| {
            (0..).zip(modes).map(|(region, mode)| evenly(region, size, self.threads(), mode)).collect()
        };
        let phases = [
            self.pass("fill", false, parts([Mode::StreamingWrite; 3])),
            self.pass("triad", true, parts([Mode::Write, Mode::Read, Mode::Read])),
        ];
        let took = self.data(regions.into(), phases.into())?;
        Ok(rate(size.saturating_mul(3), took))
    }

    fn pass(&self, name: &str, measured: bool, accesses: Vec<Access>) -> Phase {
        Phase { accesses, ..phase(name, measured, self.threads()) }
    }

    /// bw(t, array) of the model, in bytes per second: each thread repeatedly accesses its window of an array, so
    /// caches serve whatever part of it they hold.
    pub fn stream(&mut self, windows: &[(u64, u64)], mode: Mode) -> Result<f64, StudyError> {
        let key = (windows.to_vec(), mode);
        if let Some(&rate) = self.streams.get(&key) {
            return Ok(rate);
        }
        let size = windows.iter().map(|(start, length)| start + length).max().unwrap_or(0).max(1);
        let slice = Slice::Explicit(Pieces::new(windows.into()));
        let touch = |mode| vec![Access::new(RegionId(0), slice.clone(), mode)];
        let bytes = windows.iter().fold(0u64, |sum, (_, length)| sum.saturating_add(*length));
        // Each part is first touched by the thread that uses it. A shared array is spread over the team.
        let fill = match bytes / 2 <= size {
            true => touch(Mode::StreamingWrite),
            false => vec![evenly(0, size, self.threads(), Mode::StreamingWrite)],
        };
        let phases = [
            self.pass("fill", false, fill),
            self.pass("warm", false, touch(mode)),
            self.pass("pass", true, touch(mode)),
        ];
        let array = vec![Region::new("array", Bytes(size))];
        let took = self.data(array, phases.into())?;
        let rate = rate(bytes.max(1), took);
        self.streams.insert(key, rate);
        Ok(rate)
    }

    /// sync(t) of the model: time of an empty construct like `like`, under the given policy and runtime. An earlier
    /// execution, which does not count, brings the runtime's cache lines into place.
    pub fn sync(&self, like: &Phase, policy: Schedule, runtime: &Profile) -> Result<Span, StudyError> {
        // Affinity of tasks needs data, and there is none.
        let tasking = Tasking { affinity: None, ..like.tasking.clone() };
        let warm = Phase {
            measured: false,
            construct: like.construct,
            times: like.times,
            teams: like.teams,
            schedule: Some(like.under(policy)),
            tasking,
            ..Phase::new("warm", like.iterations)
        };
        let empty = Phase { name: "empty".to_owned(), measured: true, ..warm.clone() };
        time(self.machine, self.fabric, self.team, runtime, Vec::new(), vec![warm, empty])
    }

    /// Time of phases without the cost of parallel regions, which [`Character::sync`] has.
    fn data(&self, regions: Vec<Region>, phases: Vec<Phase>) -> Result<Span, StudyError> {
        time(self.machine, self.fabric, self.team, &Profile::free(), regions, phases)
    }

    /// Bytes of each thread's part of an array: `PART`, or fewer, so that three arrays leave half of every node free.
    fn part(&self) -> u64 {
        /// Bytes that exceed a thread's share of any cache.
        const PART: u64 = 64 << 20;
        let nearest = nearest_memory(self.fabric);
        let mut on_node = vec![0u64; self.fabric.memory_nodes() as usize];
        for member in &self.team.members {
            let home = nearest.get(member.node.0 as usize).copied().unwrap_or(member.node);
            on_node[home.0 as usize] += 1;
        }
        let room = (0..).zip(on_node).filter(|(_, threads)| *threads > 0);
        let rooms = room.map(|(node, threads)| self.fabric.memory_capacity(NodeId(node)).0 / (6 * threads));
        rooms.fold(PART, u64::min).max(1)
    }
}
