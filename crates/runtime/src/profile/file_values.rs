//! All values of a runtime by their paths.

use super::{BarrierProfile, Fork, LockProfile, Profile, TaskProfile, WaitProfile, Worksharing};
use numalab_base::FileValue;
use numalab_base::parameter::{Parameters, Table};

/// Table of a runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuntimePart {
    Fork,
    Barrier,
    Wait,
    Lock,
    Worksharing,
    Tasks,
}

impl Profile {
    /// All values that the runtime has, in the order of its file, without tables inside tables.
    pub fn file_values(&self) -> Vec<FileValue<RuntimePart>> {
        let tables = [
            ("fork", RuntimePart::Fork, Fork::SECTION),
            ("barrier", RuntimePart::Barrier, BarrierProfile::SECTION),
            ("wait", RuntimePart::Wait, WaitProfile::SECTION),
            ("lock", RuntimePart::Lock, LockProfile::SECTION),
            ("worksharing", RuntimePart::Worksharing, Worksharing::SECTION),
            ("tasks", RuntimePart::Tasks, TaskProfile::SECTION),
        ];
        let mut all = Vec::new();
        for (name, part, section) in tables {
            let table = self.part(part);
            all.extend(
                section.parameters.iter().filter_map(|one| FileValue::of(table, one, part, (name, name))),
            );
        }
        all
    }

    fn part(&self, part: RuntimePart) -> &dyn Table {
        match part {
            RuntimePart::Fork => &self.fork,
            RuntimePart::Barrier => &self.barrier,
            RuntimePart::Wait => &self.wait,
            RuntimePart::Lock => &self.lock,
            RuntimePart::Worksharing => &self.worksharing,
            RuntimePart::Tasks => &self.tasks,
        }
    }

    /// Sets a value, in base units, within the bounds of its parameter.
    pub fn set(&mut self, quantity: &FileValue<RuntimePart>, number: f64) {
        let Some(value) = quantity.bounded(number) else { return };
        let part: &mut dyn Table = match quantity.part {
            RuntimePart::Fork => &mut self.fork,
            RuntimePart::Barrier => &mut self.barrier,
            RuntimePart::Wait => &mut self.wait,
            RuntimePart::Lock => &mut self.lock,
            RuntimePart::Worksharing => &mut self.worksharing,
            RuntimePart::Tasks => &mut self.tasks,
        };
        part.set(quantity.parameter, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_a_value_changes_that_value_alone() {
        let profile = Profile::default();
        let before = profile.file_values();
        for changed in &before {
            let mut other = profile.clone();
            other.set(changed, changed.number + 1000.0);
            let differ = |(now, before): (&FileValue<RuntimePart>, &FileValue<RuntimePart>)| {
                (now.value != before.value).then(|| now.path.clone())
            };
            let differing: Vec<String> = other.file_values().iter().zip(&before).filter_map(differ).collect();
            assert_eq!(differing, std::slice::from_ref(&changed.path));
        }
    }
}
