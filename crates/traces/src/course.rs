//! Collects events of threads for a recording.

use numalab_nlt::{Event, EventBlock, Meta, Site, Token, What};
use numalab_replay::Recording;
use numalab_replay::work::Walk;
use std::collections::BTreeMap;

/// First number of implicit tasks. Explicit tasks have smaller numbers.
pub const OWN: u64 = 1 << 40;

/// Events of threads, as in a recording.
#[derive(Debug, Default)]
pub struct Course {
    threads: BTreeMap<u32, Vec<Event>>,
    sites: Vec<Site>,
    numbers: BTreeMap<Site, u64>,
}

impl Course {
    /// Adds an event of a thread; events must come in the order of time.
    pub fn add(&mut self, thread: u32, time: u64, what: What) {
        let event = Event { time, switches: 0, asked: false, what };
        self.threads.entry(thread).or_default().push(event);
    }

    /// Address that stands for a source line, or for a function if there is no line.
    pub fn site(&mut self, function: &str, file: Option<&str>, line: Option<u32>) -> u64 {
        let line = line.filter(|line| *line > 0);
        let short = |file: &str| file.rsplit('/').next().unwrap_or(file).to_owned();
        let site = Site {
            function: Some(function.to_owned()),
            file: file.filter(|file| !file.is_empty() && line.is_some()).map(short),
            line,
            ..Site::default()
        };
        let next = self.sites.len() as u64 + 1;
        *self.numbers.entry(site.clone()).or_insert_with(|| {
            self.sites.push(Site { address: next, ..site });
            next
        })
    }

    /// Converts the events to a recording with `Token::Off`: all threads ran concurrently, not one at a time.
    pub fn finish(self, name: &str) -> Recording {
        let mut walk = Walk::default();
        let mut threads = 0;
        for (thread, events) in self.threads {
            for event in &events {
                if let What::ImplicitBegin { member, .. } = event.what {
                    threads = threads.max((member >> 32) as u32);
                }
            }
            walk.take(&EventBlock { round: 0, thread, events });
        }
        let work = walk.finish(&|address| Site::first_alike(&self.sites, address), &[]);
        let meta = Meta {
            command: vec![name.to_owned()],
            threads: threads.max(1),
            rounds: 1,
            token: Token::Off,
            runtime: "as traced".to_owned(),
            ..Meta::default()
        };
        Recording { meta, sites: self.sites, work, ..Recording::default() }
    }
}
