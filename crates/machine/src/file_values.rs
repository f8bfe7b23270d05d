//! All values of a machine by their paths.

use crate::{
    Cache, Controller, Core, Dsm, Level, Link, LinkId, Machine, Memory, MemoryAt, MemoryOnly, NodePort, Os,
};
use numalab_base::FileValue;
use numalab_base::parameter::{Parameter, Parameters, Table};

/// Part of a machine with a table of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MachinePart {
    Level(usize),
    Controller(usize),
    Port(usize),
    Link(LinkId),
    Core,
    /// Index of a cache, from 0 at the core.
    Cache(usize),
    Memory,
    MemoryAt(usize),
    MemoryOnly(usize),
    Os,
    Dsm,
}

impl Machine {
    /// All values that the machine has, in the order of its file, without tables inside tables.
    pub fn file_values(&self) -> Vec<FileValue<MachinePart>> {
        let mut all = Vec::new();
        let mut add = |path: String, place: String, part: MachinePart, parameters: &'static [Parameter]| {
            let Some(table) = self.part(part) else { return };
            all.extend(parameters.iter().filter_map(|one| FileValue::of(table, one, part, (&path, &place))));
        };
        for (at, level) in self.levels.iter().enumerate() {
            let (path, place) = (format!("level.{}", level.kind), format!("level[{at}]"));
            if level.controller.is_some() {
                let of = |name: &str| format!("{name}.controller");
                add(of(&path), of(&place), MachinePart::Controller(at), Controller::PARAMETERS);
            }
            if level.port.is_some() {
                let of = |name: &str| format!("{name}.port");
                add(of(&path), of(&place), MachinePart::Port(at), NodePort::SECTION.parameters);
            }
            add(path, place, MachinePart::Level(at), Level::PARAMETERS);
        }
        for (at, link) in self.links.iter().enumerate() {
            let path = format!("link.{}", link.name);
            add(path.clone(), path, MachinePart::Link(LinkId(at)), Link::SECTION.parameters);
        }
        add("core".to_owned(), "core".to_owned(), MachinePart::Core, Core::SECTION.parameters);
        for (at, cache) in self.caches.iter().enumerate() {
            let (path, place) = (format!("cache.L{}", cache.level), format!("cache[{at}]"));
            add(path, place, MachinePart::Cache(at), Cache::SECTION.parameters);
        }
        add("memory".to_owned(), "memory".to_owned(), MachinePart::Memory, Memory::SECTION.parameters);
        for (at, some) in self.memory_at.iter().enumerate() {
            let path = format!("memory_at.{}", some.nodes);
            add(path.clone(), path, MachinePart::MemoryAt(at), MemoryAt::SECTION.parameters);
        }
        for (at, kind) in self.memory_only.iter().enumerate() {
            let path = format!("memory_only.{}", kind.name);
            add(path.clone(), path, MachinePart::MemoryOnly(at), MemoryOnly::SECTION.parameters);
        }
        add("os".to_owned(), "os".to_owned(), MachinePart::Os, Os::SECTION.parameters);
        add("dsm".to_owned(), "dsm".to_owned(), MachinePart::Dsm, Dsm::SECTION.parameters);
        all
    }

    fn part(&self, part: MachinePart) -> Option<&dyn Table> {
        Some(match part {
            MachinePart::Level(at) => self.levels.get(at)?,
            MachinePart::Controller(at) => self.levels.get(at)?.controller.as_ref()?,
            MachinePart::Port(at) => self.levels.get(at)?.port.as_ref()?,
            MachinePart::Link(LinkId(at)) => self.links.get(at)?,
            MachinePart::Core => &self.core,
            MachinePart::Cache(at) => self.caches.get(at)?,
            MachinePart::Memory => &self.memory,
            MachinePart::MemoryAt(at) => self.memory_at.get(at)?,
            MachinePart::MemoryOnly(at) => self.memory_only.get(at)?,
            MachinePart::Os => &self.os,
            MachinePart::Dsm => self.dsm.as_ref()?,
        })
    }

    fn part_mut(&mut self, part: MachinePart) -> Option<&mut dyn Table> {
        Some(match part {
            MachinePart::Level(at) => self.levels.get_mut(at)?,
            MachinePart::Controller(at) => self.levels.get_mut(at)?.controller.as_mut()?,
            MachinePart::Port(at) => self.levels.get_mut(at)?.port.as_mut()?,
            MachinePart::Link(LinkId(at)) => self.links.get_mut(at)?,
            MachinePart::Core => &mut self.core,
            MachinePart::Cache(at) => self.caches.get_mut(at)?,
            MachinePart::Memory => &mut self.memory,
            MachinePart::MemoryAt(at) => self.memory_at.get_mut(at)?,
            MachinePart::MemoryOnly(at) => self.memory_only.get_mut(at)?,
            MachinePart::Os => &mut self.os,
            MachinePart::Dsm => self.dsm.as_mut()?,
        })
    }

    /// Sets a value, in base units, within the bounds of its parameter.
    pub fn set(&mut self, quantity: &FileValue<MachinePart>, number: f64) {
        if let (Some(part), Some(value)) = (self.part_mut(quantity.part), quantity.bounded(number)) {
            part.set(quantity.parameter, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::synthetic;
    use proptest::prelude::*;

    #[test]
    fn paths_name_levels_and_caches() {
        let machine = synthetic("board:2 socket:2 core:4").unwrap();
        let all = machine.file_values();
        let place = |path: &str| all.iter().find(|one| one.path == path).map(|one| one.place.clone());
        assert_eq!(place("cache.L3.latency").as_deref(), Some("cache[2].latency"));
        assert_eq!(place("link.board-link.bandwidth").as_deref(), Some("link.board-link.bandwidth"));
        assert_eq!(place("memory.latency").as_deref(), Some("memory.latency"));
        // No value, a table, and the key of a table.
        for absent in ["core.window", "os.noise", "link.board-link.name", "level.board.core_to_core"] {
            assert_eq!(place(absent), None, "{absent}");
        }
    }

    #[test]
    fn paths_differ() {
        let machine = synthetic("board:2 socket:2 core:4").unwrap();
        let mut paths: Vec<String> = machine.file_values().into_iter().map(|one| one.path).collect();
        let all = paths.len();
        paths.sort();
        paths.dedup();
        assert_eq!(paths.len(), all);
    }

    proptest! {
        /// Setting a value changes that value alone.
        #[test]
        fn one_value_changes(at in 0usize..1000, factor in 0.5f64..2.0) {
            let machine = synthetic("board:2 socket:2 core:4").unwrap();
            let before = machine.file_values();
            let changed = &before[at % before.len()];
            let number = changed.number;
            let mut other = machine.clone();
            other.set(changed, number * factor);
            for (now, before) in other.file_values().iter().zip(&before) {
                if now.path != changed.path {
                    prop_assert_eq!(now, before);
                } else if !changed.parameter.rule.part {
                    let wanted = number * factor;
                    // Times are whole picoseconds.
                    prop_assert!((now.number - wanted).abs() <= 0.5 + wanted * 1e-9);
                }
            }
        }
    }
}
