//! A runtime as a runtime file says it: something to start one's own from.

use crate::runtime_file::{BarrierWord, LockWord, QueueWord, ReductionWord};
use numalab_runtime::Profile;
use numalab_runtime::profile::Barrier;
use numalab_units::Span;
use numalab_workload::Schedule;
use serde::Serialize;
use std::fmt::{Display, Write};

/// The text of a runtime file that reads back to exactly this.
pub fn runtime_text(profile: &Profile) -> String {
    let Profile { name, description, fork, barrier, barrier_fixed, lock, tasks, reduction, auto, runtime } =
        profile;
    let mut file = Text(String::new());
    file.key("name", quoted(name));
    file.key("description", quoted(description));
    file.table("fork");
    file.key("fixed", span(fork.fixed));
    if fork.open != fork.fixed {
        file.key("open", span(fork.open));
    }
    file.key("enter", span(fork.enter));
    file.key("team_lines", fork.team_lines);
    file.key("member_lines", fork.member_lines);
    if fork.member_writes {
        file.key("member_writes", true);
    }
    file.barrier("release", fork.release);
    file.key("pool_barrier", fork.pool_barrier);
    file.table("barrier");
    file.barrier("kind", *barrier);
    if *barrier_fixed != Span::ZERO {
        file.key("fixed", span(*barrier_fixed));
    }
    file.table("lock");
    file.key("kind", word(LockWord::from(lock.kind)));
    if let Some(spin) = lock.spin {
        file.key("spin", span(spin));
    }
    file.key("wake", span(lock.wake));
    file.table("tasks");
    file.key("queue", word(QueueWord::from(tasks.queue)));
    if let Some(bound) = tasks.bound {
        file.key("bound", bound);
    }
    if let Some(lock) = tasks.lock {
        file.key("lock", word(LockWord::from(lock)));
    }
    file.key("create", span(tasks.create));
    file.key("dispatch", span(tasks.dispatch));
    file.key("lines", tasks.lines);
    file.table("reduction");
    file.key("kind", word(ReductionWord::from(*reduction)));
    file.table("schedule");
    let policy = |policy: &Schedule| quoted(&policy.to_string());
    file.key("auto", policy(auto));
    file.key("runtime", policy(runtime));
    file.0
}

struct Text(String);

impl Text {
    fn table(&mut self, name: &str) {
        let _ = writeln!(self.0, "\n[{name}]");
    }

    fn key(&mut self, key: &str, value: impl Display) {
        let _ = writeln!(self.0, "{key} = {value}");
    }

    fn barrier(&mut self, key: &str, barrier: Barrier) {
        let (kind, branching) = BarrierWord::of(barrier);
        self.key(key, word(kind));
        if let Some(branching) = branching {
            self.key("branching", branching);
        }
    }
}

/// Quotes a text for TOML, which reads what JSON writes but for one character.
fn quoted(text: &str) -> String {
    word(text).replace('\u{7f}', "\\u007f")
}

fn word(word: impl Serialize) -> String {
    serde_json::to_value(word).unwrap_or_default().to_string()
}

/// In the largest unit that gives a whole number.
fn span(Span(ps): Span) -> String {
    let units = [(1_000_000_000_000, "s"), (1_000_000_000, "ms"), (1_000_000, "us"), (1000, "ns"), (1, "ps")];
    let zero = (1000, "ns");
    let (size, unit) = units.into_iter().find(|(size, _)| ps != 0 && ps % size == 0).unwrap_or(zero);
    format!("\"{} {unit}\"", ps / size)
}
