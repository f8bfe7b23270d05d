//! Perfetto's protobuf. Threads are tracks, grouped by board and socket; resources are counters;
//! arrows show work that changes hands. Names are interned. Times are whole nanoseconds, so shorter
//! spans are invisible.

mod fields;
mod wire;

use fields as f;
use numalab_results::{ResourceKind, SpanKind, Timeline, TimelineResource};
use std::collections::BTreeMap;
use std::io::{self, Write};
use wire::{Event, Message};

/// Picoseconds per nanosecond, which is Perfetto's time unit.
const PS_PER_NS: u64 = 1000;
/// Id of the packet sequence; all packets belong to one sequence.
const SEQUENCE: u64 = 1;

/// Writes a timeline as a Perfetto trace.
pub fn perfetto(timeline: &Timeline, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = Writer { out, buffer: Message::default(), tracks: 0 };
    writer.names(timeline)?;
    let root =
        writer.track(None, &format!("{} on {}, {}", timeline.workload, timeline.machine, timeline.policy))?;
    writer.phases(timeline, root)?;
    let threads = writer.threads(timeline, root)?;
    writer.counters(timeline, root)?;
    writer.tasks(timeline, root)?;
    writer.arrows(timeline, &threads)
}

struct Writer<'w> {
    out: &'w mut dyn Write,
    /// Packet under construction; reused for the next one.
    buffer: Message,
    /// Number of tracks written so far; the next track gets the next number.
    tracks: u64,
}

impl Writer<'_> {
    fn packet(&mut self, fill: impl FnOnce(&mut Message)) -> io::Result<()> {
        self.buffer.0.clear();
        self.buffer.message(f::trace::PACKET, |packet| {
            packet.number(f::packet::SEQUENCE_ID, SEQUENCE);
            fill(packet);
        });
        self.out.write_all(&self.buffer.0)
    }

    /// Interns the names of span kinds, then those of phases.
    fn names(&mut self, timeline: &Timeline) -> io::Result<()> {
        self.packet(|packet| {
            packet.number(f::packet::SEQUENCE_FLAGS, f::packet::STATE_CLEARED);
            packet.message(f::packet::INTERNED_DATA, |data| {
                for (number, name) in (1..).zip(names(timeline)) {
                    data.message(f::interned::EVENT_NAMES, |entry| {
                        entry.number(f::interned::ID, number).text(f::interned::NAME, &name);
                    });
                }
            });
        })
    }

    /// Writes the descriptor of a track; returns its number.
    fn track(&mut self, parent: Option<u64>, name: &str) -> io::Result<u64> {
        self.describe(parent, name, |_| {})
    }

    fn describe(
        &mut self,
        parent: Option<u64>,
        name: &str,
        more: impl FnOnce(&mut Message),
    ) -> io::Result<u64> {
        self.tracks += 1;
        let number = self.tracks;
        self.packet(|packet| {
            packet.message(f::packet::TRACK_DESCRIPTOR, |track| {
                track.number(f::track::ID, number).text(f::track::NAME, name);
                if let Some(parent) = parent {
                    track.number(f::track::PARENT, parent);
                }
                track.number(f::track::CHILD_ORDERING, f::track::EXPLICIT).number(f::track::RANK, number);
                more(track);
            });
        })?;
        Ok(number)
    }

    fn event(&mut self, at_ps: u64, fill: impl FnOnce(&mut Event)) -> io::Result<()> {
        const COMMON: [(u32, u8); 2] = [
            (f::packet::SEQUENCE_ID, SEQUENCE as u8),
            (f::packet::SEQUENCE_FLAGS, f::packet::NEEDS_STATE as u8),
        ];
        const HEAD: [u8; 6] = Event::head(f::trace::PACKET, COMMON);
        let mut event = Event::new(HEAD, (f::packet::TIMESTAMP, at_ps / PS_PER_NS), f::packet::TRACK_EVENT);
        fill(&mut event);
        self.out.write_all(event.finish())
    }

    /// Writes a slice, unless it begins and ends in the same nanosecond.
    fn slice(&mut self, track: u64, (from, to): (u64, u64), name: u64) -> io::Result<()> {
        if from / PS_PER_NS == to / PS_PER_NS {
            return Ok(());
        }
        self.event(from, |event| {
            event.number(f::event::TYPE, f::event::SLICE_BEGIN).number(f::event::TRACK, track);
            event.number(f::event::NAME_ID, name);
        })?;
        self.event(to, |event| {
            event.number(f::event::TYPE, f::event::SLICE_END).number(f::event::TRACK, track);
        })
    }

    fn phases(&mut self, timeline: &Timeline, root: u64) -> io::Result<()> {
        let track = self.track(Some(root), "phases")?;
        let first = timeline.kinds.len() as u64 + 1;
        for (number, phase) in (first..).zip(&timeline.phases) {
            let kept = (phase.from_ps.max(timeline.from_ps), phase.to_ps.min(timeline.to_ps));
            self.slice(track, kept, number)?;
        }
        Ok(())
    }

    /// Writes tracks and spans of the threads, grouped by board and socket. Returns the threads' tracks.
    fn threads(&mut self, timeline: &Timeline, root: u64) -> io::Result<Vec<u64>> {
        let boards = timeline.threads.iter().any(|thread| thread.board != timeline.threads[0].board);
        let mut places: BTreeMap<(u32, Option<u32>), u64> = BTreeMap::new();
        let mut tracks = Vec::with_capacity(timeline.threads.len());
        for (number, thread) in timeline.threads.iter().enumerate() {
            let mut within = root;
            if boards {
                within = match places.get(&(thread.board, None)) {
                    Some(track) => *track,
                    None => self.track(Some(root), &format!("board {}", thread.board))?,
                };
                places.insert((thread.board, None), within);
            }
            let socket = match places.get(&(thread.board, Some(thread.socket))) {
                Some(track) => *track,
                None => self.track(Some(within), &format!("socket {}", thread.socket))?,
            };
            places.insert((thread.board, Some(thread.socket)), socket);
            let name = format!("thread {number} (processor {}, node {})", thread.processor, thread.node);
            let track = self.track(Some(socket), &name)?;
            for (from, span) in timeline.spans_of(number) {
                self.slice(track, (from, span.to_ps), u64::from(span.kind) + 1)?;
            }
            tracks.push(track);
        }
        Ok(tracks)
    }

    /// Writes the throughput of every resource in bytes per second, and as a percentage of its limit.
    fn counters(&mut self, timeline: &Timeline, root: u64) -> io::Result<()> {
        let group_of = |resource: &TimelineResource| match resource.kind {
            ResourceKind::Memory(_) => "memory",
            ResourceKind::Link(..) => "links",
            ResourceKind::Other => "controllers and requests",
        };
        for name in ["memory", "links", "controllers and requests"] {
            let belongs = |resource: &&TimelineResource| group_of(resource) == name;
            let resources: Vec<&TimelineResource> = timeline.resources.iter().filter(belongs).collect();
            if resources.is_empty() {
                continue;
            }
            let group = self.track(Some(root), name)?;
            for resource in resources {
                let mut values = timeline.rates(&resource.bytes);
                self.counter(timeline, group, &resource.name, "B/s", &values)?;
                let percent = 100.0 / resource.capacity_bytes_per_s;
                values.iter_mut().for_each(|value| *value *= percent);
                self.counter(timeline, group, &format!("{} (of its limit)", resource.name), "%", &values)?;
            }
        }
        Ok(())
    }

    /// Writes a counter whenever its value changes, and 0 at the end.
    fn counter(
        &mut self,
        timeline: &Timeline,
        group: u64,
        name: &str,
        unit: &str,
        values: &[f64],
    ) -> io::Result<()> {
        let track = self.describe(Some(group), name, |track| {
            track.message(f::track::COUNTER, |counter| {
                counter.text(f::counter::UNIT_NAME, unit);
            });
        })?;
        // A smaller relative difference is due to rounding: the rate is constant.
        const ALIKE: f64 = 1e-9;
        let mut write = |value: f64, at_ps: u64| {
            self.event(at_ps, |event| {
                event.number(f::event::TYPE, f::event::COUNTER).number(f::event::TRACK, track);
                event.double(f::event::DOUBLE_VALUE, value);
            })
        };
        let (mut last, mut at_ps) = (f64::NAN, timeline.from_ps);
        for &value in values {
            let alike = (value - last).abs() <= ALIKE * last.abs();
            if !alike {
                last = value;
                write(value, at_ps)?;
            }
            at_ps += timeline.bin_ps;
        }
        if last > 0.0 { write(0.0, at_ps.min(timeline.to_ps)) } else { Ok(()) }
    }

    /// Writes the number of threads that execute tasks, by distance from the tasks' creator.
    fn tasks(&mut self, timeline: &Timeline, root: u64) -> io::Result<()> {
        if timeline.tasks.is_empty() {
            return Ok(());
        }
        let group = self.track(Some(root), "threads in tasks, by distance of the creator")?;
        for (distance, bins) in &timeline.tasks {
            let threads: Vec<f64> = bins.iter().map(|ps| ps / timeline.bin_ps as f64).collect();
            self.counter(timeline, group, distance.name(), "threads", &threads)?;
        }
        Ok(())
    }

    /// Writes arrows from the thread that lost work to the thread that took it.
    fn arrows(&mut self, timeline: &Timeline, threads: &[u64]) -> io::Result<()> {
        for (number, handover) in (1..).zip(&timeline.handovers) {
            let ends = [
                (handover.from, f::event::FLOW_IDS, f::name::TAKEN),
                (handover.to, f::event::TERMINATING_FLOW_IDS, f::name::TAKES),
            ];
            for (thread, field, name) in ends {
                self.event(handover.at_ps, |event| {
                    event.number(f::event::TYPE, f::event::INSTANT);
                    event.number(f::event::TRACK, threads[thread as usize]);
                    event.text(f::event::NAME, name).fixed(field, number);
                })?;
            }
        }
        Ok(())
    }
}

/// Names of slices, in the order of their interned numbers: span kinds, then phases.
fn names(timeline: &Timeline) -> impl Iterator<Item = String> + '_ {
    timeline
        .kinds
        .iter()
        .map(SpanKind::to_string)
        .chain(timeline.phases.iter().map(|phase| phase.name.clone()))
}

#[cfg(test)]
mod tests;
